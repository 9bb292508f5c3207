"""examples/ppo.py, in a short form."""

import importlib.util
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch comes with courtly[learn]")
pytest.importorskip("gymnasium", reason="what adapters need comes with courtly[research]")

from courtly.adapters.arrays import ILLEGAL  # noqa: E402

ROOT = Path(__file__).parent.parent.parent
PROGRAM = ROOT / "examples" / "ppo.py"


@pytest.fixture(scope="module")
def ppo():
    spec = importlib.util.spec_from_file_location("ppo", PROGRAM)
    module = sys.modules["ppo"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    torch.set_num_threads(1)
    torch.manual_seed(1)
    yield module
    del sys.modules["ppo"]


def test_the_share_of_games_won_lies_in_its_interval(ppo):
    assert ppo.won([1.0, 1.0, -1.0, 0.0])[0] == 0.625
    share, least, most = ppo.won([1.0] * 60 + [-1.0] * 40)
    assert (share, round(least, 3), round(most, 3)) == (0.6, 0.502, 0.691)  # Wilson's, as tables have it
    share, least, most = ppo.won([1.0] * 100)
    assert share == 1 and 0.95 < least < 1 and most == pytest.approx(1)


@pytest.mark.parametrize("trace", [0.0, 0.6, 1.0])
def test_advantages_are_the_surprises_to_come_until_the_game_is_over(ppo, trace):
    how = replace(ppo.How(), discount=0.9, trace=trace)
    rewards, worth, last = torch.randn(6, 3), torch.randn(6, 3), torch.randn(3)
    over = torch.tensor([[False] * 3, [True, False, False], *[[False] * 3] * 3, [False, True, False]])
    found = ppo.advantages(rewards, over, worth, last, how)
    after = torch.cat([worth[1:], last[None]])
    for game in range(3):
        for t in range(6):
            expected, weight = 0.0, 1.0
            for k in range(t, 6):
                ends = bool(over[k, game])
                following = 0.0 if ends else how.discount * after[k, game]
                expected += weight * (rewards[k, game] + following - worth[k, game])
                weight *= 0.0 if ends else how.discount * trace
            assert found[t, game] == pytest.approx(float(expected), abs=1e-5)


def test_moves_are_drawn_as_often_as_the_network_says(ppo):
    chances = torch.tensor([0.5, 0.3, 0.2, 0.0]).log().expand(20_000, 4)
    shares = np.bincount(ppo.drawn(chances).numpy(), minlength=4) / 20_000
    assert shares == pytest.approx([0.5, 0.3, 0.2, 0.0], abs=0.02) and shares[3] == 0


def test_what_takes_back_is_offered_only_where_there_is_nothing_else(ppo):
    mask = np.zeros((2, ppo.GAME.moves.count), np.int8)
    undo = ppo.TAKEN_BACK[0]
    mask[:, undo] = mask[0, 0] = 1
    out = ppo.offered(mask)
    assert np.flatnonzero(out[0]).tolist() == [0] and np.flatnonzero(out[1]).tolist() == [undo]


def test_it_beats_chance_after_some_lessons_and_makes_legal_moves_alone(ppo):
    how = replace(ppo.How(), games=64)
    learner = ppo.Learner(ppo.Network(), ppo.Tables(how.games, "random", 3), how)
    lessons = []
    for _ in range(40):
        lessons.append(learner.play())
        assert not any((side.arrays.over == ILLEGAL).any() for side in learner.tables.sides)
        assert np.isfinite(learner.learn(how.rate))
    first, last = sum(lessons[:8], []), sum(lessons[-10:], [])
    assert set(first) <= {1.0, 0.0, -1.0}
    assert ppo.won(last)[0] > max(0.8, ppo.won(first)[0] + 0.1)


@pytest.mark.parametrize("opponents", ["random", "page"])
def test_a_pound_more_is_told_when_it_is_gained(ppo, opponents):
    """All that a game gained comes to what the network was ahead by in its end; in machine code and in Python."""
    tables, total, ends = ppo.Tables(8, opponents, 5), np.zeros(8), 0
    while ends < 8:
        _, mask = tables.now()
        place, over, gained = tables.step(mask.float().multinomial(1).squeeze(1))
        total += gained
        for i in np.flatnonzero(over):
            assert np.sign(round(total[i])) == place[i]  # a shared victory: no pound more
            ends += 1
            total[i] = 0


@pytest.mark.thorough
def test_it_tells_how_it_fares_against_each():
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    asked = ("--random", "1", "--policy", "1", "--squire", "1", "--rounds", "1", "--games", "64")
    done = subprocess.run([sys.executable, PROGRAM, *asked], env=env, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stderr
    told = [line for line in done.stdout.splitlines() if line.startswith(("then", "against"))]
    assert [line.split()[-2] for line in told] == ["512", "512", "20"], done.stdout
