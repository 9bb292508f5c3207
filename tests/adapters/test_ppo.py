"""examples/ppo.py, in a short form."""

import importlib.util
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from processor_device import ProcessorDevice

# `make test` leaves out this file unless torch is installed, whose wheel on PyPI is larger than 2 GB.
pytest.importorskip("torch", reason="torch is not installed: pip install 'courtly[learn]'")

import torch
from torch import nn

from courtly.adapters.arrays import ILLEGAL

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


def test_the_confidence_interval_of_the_share_of_wins(ppo):
    assert ppo.won([1.0, 1.0, -1.0, 0.0])[0] == 0.625
    share, low, high = ppo.won([1.0] * 60 + [-1.0] * 40)
    assert (share, round(low, 3), round(high, 3)) == (0.6, 0.502, 0.691)  # Wilson's interval, as in tables
    share, low, high = ppo.won([1.0] * 100)
    assert share == 1 and 0.95 < low < 1 and high == pytest.approx(1)


@pytest.mark.parametrize("trace", [0.0, 0.6, 1.0])
def test_advantages_are_sums_of_temporal_differences(ppo, trace):
    settings = replace(ppo.How(), trace=trace)
    rewards, values = torch.randn(6, 3), torch.randn(7, 3)
    goes_on = torch.tensor([[1, 1, -1], [0, -1, -1], [-1, 1, 1], [1, 1, -1], [1, -1, 1], [-1, 0, 1]]).float()
    advantages = ppo.advantages(rewards, goes_on, values, settings)
    for game in range(3):
        for t in range(6):
            expected, weight = 0.0, 1.0  # from the view of the player who decides at t; the other's gain is a loss
            for k in range(t, 6):
                next_value = goes_on[k, game] * values[k + 1, game]
                expected += weight * (rewards[k, game] + next_value - values[k, game])
                weight *= goes_on[k, game] * trace
            assert advantages[t, game] == pytest.approx(float(expected), abs=1e-5)


def test_moves_are_drawn_with_the_networks_probabilities(ppo):
    chances = torch.tensor([0.5, 0.3, 0.2, 0.0]).log().expand(20_000, 4)
    shares = np.bincount(ppo.drawn(chances).numpy(), minlength=4) / 20_000
    assert shares == pytest.approx([0.5, 0.3, 0.2, 0.0], abs=0.02) and shares[3] == 0


def test_undo_moves_are_masked(ppo):
    undo = ppo.GAME.moves.encode("clear")
    mask = np.zeros((2, ppo.MOVES), np.int8)
    mask[:, [0, undo]] = 1
    assert ppo.offered(mask).nonzero().tolist() == [[0, 0], [1, 0]] and mask[:, undo].all()


def test_a_moves_logit_depends_on_its_arguments(ppo):
    """So what is learned of a card in one place of the row holds for all places, and what is learned of one seat for
    both.
    """
    network = ppo.Network()
    nn.init.normal_(network.word_scores.weight)
    logits, _ = network(torch.randn(5, len(ppo.KEPT)), torch.ones(5, ppo.MOVES))
    buy = [[ppo.GAME.moves.encode("buy", slot=slot, card=card) for slot in (1, 4)] for card in ("ruby_1", "queen")]
    difference = logits[:, buy[0]] - logits[:, buy[1]]
    assert (
        difference[:, 0].tolist() == pytest.approx(difference[:, 1].tolist(), abs=1e-4)
        and difference.abs().min() > 1e-3
    )
    forger_moves = [ppo.GAME.moves.encode("forger", target=seat, gem="amber") for seat in range(ppo.PLAYERS)]
    assert logits[:, forger_moves[0]].tolist() == logits[:, forger_moves[1]].tolist()


def test_the_learner_beats_chance_after_some_training_and_makes_only_legal_moves(ppo):
    network = ppo.Network()
    network.accustom(ppo.random_play(3))
    share_before = ppo.won(ppo.measured(network, "random", 2, 5, 64))[0]
    learner = ppo.Learner(network, replace(ppo.How(), games=64), 3, ppo.BatchedGames(ppo.GAME, 64, ppo.PLAYERS))
    for _ in range(20):
        learner.play()
        assert not (learner.games.over == ILLEGAL).any()
        assert np.isfinite(learner.learn(1.0))
    places = ppo.measured(network, "random", 2, 5, 64)
    assert len(places) == 128 and set(places) <= {1.0, 0.0, -1.0}
    assert ppo.won(places)[0] > max(0.8, share_before + 0.1)


def test_rewards_are_the_place_and_the_lead(ppo):
    """Rewards arrive decision by decision, alternately for both players."""
    settings = replace(ppo.How(), games=16, steps=600, pound=1e-5, trace=1.0)
    learner = ppo.Learner(ppo.Network(), settings, 5, ppo.BatchedGames(ppo.GAME, settings.games, ppo.PLAYERS))
    learner.play()
    returns = ppo.advantages(
        learner.rewards, learner.goes_on, torch.zeros(settings.steps + 1, settings.games), settings
    )
    ends = [
        (t.tolist() + [-1], k) for k in range(settings.games) if len(t := (learner.goes_on[:, k] == 0).nonzero()[:, 0])
    ]
    assert ends and (learner.goes_on == -1).any() and (learner.goes_on == 1).any()
    for times, game in ends:
        first = 0
        for last in times[:-1]:
            total = returns[first, game].item()
            assert round(total) in (1, 0, -1)
            assert np.sign(round((total - round(total)) / settings.pound)) == round(total)  # shared: no pounds
            first = last + 1


def test_games_on_a_card_give_the_learner_the_same_numbers(ppo):
    """The processor takes the place of the card."""
    settings, network, recorded = replace(ppo.How(), games=8, steps=60), ppo.Network(), []
    for games in (
        ppo.BatchedGames(ppo.GAME, 8, ppo.PLAYERS),
        ppo.CudaGames(ppo.GAME, 8, ppo.PLAYERS, device=ProcessorDevice()),
    ):
        torch.manual_seed(2)
        learner = ppo.Learner(network, settings, 5, games)
        learner.play()
        recorded.append((learner.seen, learner.mask, learner.moves, learner.rewards, learner.goes_on, learner.worth))
    for ours, theirs in zip(*recorded, strict=True):
        assert torch.equal(ours, theirs)


def test_the_program_prints_results_against_each_opponent():
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    arguments = ("--seconds", "1", "--rounds", "1", "--games", "64")
    result = subprocess.run(
        [sys.executable, PROGRAM, *arguments], env=env, capture_output=True, text=True, timeout=1200
    )
    assert result.returncode == 0, result.stderr
    result_lines = [line for line in result.stdout.splitlines() if line.startswith("against")]
    assert [line.split()[-1] for line in result_lines] == ["128)", "128)", "20)"], result.stdout
