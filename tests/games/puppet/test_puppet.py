"""Puppet Kingdom beyond its scenarios: card files, the event pile."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from courtly.engine import transcript
from courtly.engine.game import find_game
from courtly.engine.match import new_match
from courtly.games.puppet import cards
from courtly.games.puppet.cards import Good
from courtly.games.puppet.table import DEPTH, GOAL

GAME = find_game("puppet")
OURS = (Path(cards.__file__).with_name("components.toml")).read_text(encoding="utf-8")
STORE = OURS[OURS.index("[buildings.store]") : OURS.index("[buildings.weapon]")]

BROKEN = [
    ("a card is missing", (STORE, ""), ["there are 15 buildings; the game has 16", "buildings.store is missing"]),
    (
        "a negative cost",
        ("cost = { food = 2, soldier = 2 }", "cost = { food = -2, soldier = 2 }"),
        ["buildings.store.cost.food is -2; it may be 0 to 99"],
    ),
    (
        "eleven servants",
        ("[events.war]", '[servants.jester]\nnumber = "A31"\n\n[events.war]'),
        ["there are 11 servants; the game has 10", "servants.jester is not a card of this game"],
    ),
    ("not a number", ("goal = 10", 'goal = "ten"'), ["game.goal is 'ten', not a whole number"]),
    ("half a point", ("points = 4", "points = 0.5"), ["buildings.palace.points is 0.5, not a whole number"]),
    (
        "a cost in another coin",
        ("cost = { gold = 5, food = 4", "cost = { silver = 5, food = 4"),
        ["buildings.palace.cost says how many of gold, food, soldier, honour"],
    ),
    (
        "the wrong good",
        ("gain = { soldier = 2 }", "gain = { food = 2 }"),
        ["servants.smith.gain is a number of soldier"],
    ),
    ("an unknown key", ("points = 4", "points = 4\nvp = 4"), ["buildings.palace.vp is not known"]),
    (
        "an unknown effect",
        ('effect = { on = "alchemist", gain = { gold = 1 } }', 'effect = { on = "princess", gain = { gold = 1 } }'),
        ["buildings.store.effect is { untaxed = true }, or { on, gain }"],
    ),
    (
        "more than a move can say",
        ('effect = { on = "alchemist", gain = { gold = 1 } }', 'effect = { on = "alchemist", gain = { gold = 18 } }'),
        ["alchemist, with everything that helps, could bring 22; at most 20"],
    ),
    ("not TOML", ("[game]", "[game"), ["line"]),
]


@pytest.mark.parametrize(("change", "said"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN])
def test_an_invalid_card_file_is_rejected(tmp_path, change, said):
    file = tmp_path / "mine.toml"
    assert OURS.count(change[0]) >= 1
    file.write_text(OURS.replace(*change, 1), encoding="utf-8")
    with pytest.raises(cards.InvalidCardsError) as refused:
        cards.read(file)
    for text in said:
        assert f"{file}: " in str(refused.value) and text in str(refused.value)


PLAY_WITH_OWN_CARDS = """
import courtly
game = courtly.game("puppet")
assert game.options["cards"] == (0, 1, 2)
assert game.components["own"]["buildings"]["palace"]["points"] == 9
for own, points, gold in ((0, 4, 2), (1, 9, 5)):
    s = game.State(players=2, cards=own)
    game.rules.setup(s)
    game.rules.add_building(s, 0, 0, 1)
    assert s.points[0] == points, own
    from courtly.games.puppet.servants import production
    assert production(s, 0, 0) == gold
from courtly.engine.native import loader as native
print(native.cache_folder(game, "courtly.engine.native.playout_driver").name)
"""


def test_a_table_may_play_with_another_card_file(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        OURS.replace("points = 4", "points = 9", 1).replace("gain = { gold = 2 }", "gain = { gold = 5 }", 1),
        encoding="utf-8",
    )
    ran = subprocess.run(
        [sys.executable, "-c", PLAY_WITH_OWN_CARDS],
        env={**os.environ, "COURTLY_PUPPET_CARDS": str(file)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    from courtly.engine.native import loader

    assert ran.stdout.strip() != loader.cache_folder(GAME, "courtly.engine.native.playout_driver").name, (
        "each card file has its own machine code"
    )


def test_a_servers_invalid_card_file_is_reported_and_not_offered(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(OURS.replace(STORE, ""), encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", "import courtly; print(courtly.game('puppet').options['cards'])"],
        env={**os.environ, "COURTLY_PUPPET_CARDS": str(file)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout == "(0, 2)\n" and ran.returncode == 0
    assert f"{file}: buildings.store is missing" in ran.stderr


def test_the_card_file_checker_reports_errors(tmp_path, capsys):
    assert cards.main([str(Path(cards.__file__).with_name("components.toml"))]) == 0
    assert "holds together" in capsys.readouterr().out
    assert cards.main([str(tmp_path / "none.toml")]) == 1


def test_every_number_has_a_source():
    for part, names in cards.NAMES.items():
        for name in names:
            card = cards.sets()[0][part][name]
            assert "reconstructed" in card
            assert all(key in card or key == "effect" for key in card["reconstructed"])


def test_the_event_pile_over_many_rounds():
    """Odd rounds leave one event open, even rounds two; no event comes twice in a row; all are equally frequent."""
    count = [0] * DEPTH
    for seed in range(30):
        r = random.Random(seed)
        match = new_match(GAME, players=3, seed=seed)
        seen = []
        while not match.over:
            seat = r.choice(match.pending)
            match.play(seat, r.choice(match.legal(seat)))
            while len(seen) < match.state.round - (0 if match.over else 1):
                seen.append(match.state.history[0])
        assert all(a != b for a, b in zip(seen, seen[1:], strict=False))
        for event in seen:
            count[event - 1] += 1
    assert min(count) > sum(count) / 6


def decided_by(s):
    """Return what decided the winner, computed from the last position alone."""
    most = max(s.points[: s.players])
    equal = [seat for seat in range(s.players) if s.points[seat] == most]
    if len(equal) == 1:
        return "most-points"
    fewest = min(s.goods[seat][Good.HONOUR] for seat in equal)
    equal = [seat for seat in equal if s.goods[seat][Good.HONOUR] == fewest]
    if len(equal) == 1:
        return "fewest-honour"
    return "parent" if s.parent in equal else "clockwise"


@pytest.mark.parametrize(
    "record", sorted((Path(__file__).parent / "golden").glob("*.jsonl")), ids=lambda record: record.stem
)
def test_each_record_ends_as_its_name_says(record):
    match = transcript.check(record.read_text(encoding="utf-8"))
    s = match.state
    players, _, name = record.stem.split("-", 2)
    assert s.players == int(players)
    if name == "round-limit":
        assert s.round == s.round_limit and max(s.points) < GOAL[s.cards]
    elif name == "without-princess":
        assert not s.princess
    elif name == "other-rulings":
        assert s.general_reorders and s.grimoire_doubles
    else:
        assert decided_by(s) == name and max(s.points) >= GOAL[s.cards]
        winner = max(range(s.players), key=match.scores.__getitem__)
        nearest = min(
            (seat for seat in range(s.players) if s.points[seat] == max(s.points)),
            key=lambda seat: (s.goods[seat][Good.HONOUR], (seat - s.parent) % s.players),
        )
        assert winner == nearest
