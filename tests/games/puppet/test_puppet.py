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
CARD_FILE = (Path(cards.__file__).with_name("components.toml")).read_text(encoding="utf-8")
STORE_SECTION = CARD_FILE[CARD_FILE.index("[buildings.store]") : CARD_FILE.index("[buildings.weapon]")]
EVENT_SECTIONS = CARD_FILE[CARD_FILE.index("[events.") : CARD_FILE.index("[buildings.")]

BROKEN_FILES = [
    (
        "a card is missing",
        (STORE_SECTION, ""),
        ["there are 15 buildings; the game has 16", "buildings.store is missing"],
    ),
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
    (
        "another event for the Grimoire",
        ('on = "alchemist"\n', 'on = "smith"\n'),
        ["events.grimoire.on is not alchemist"],
    ),
    ("an unknown part", ("[servants.alchemist]", "[jesters]\n\n[servants.alchemist]"), ["[jesters] is not a part"]),
    ("no events", (EVENT_SECTIONS, ""), ["[events] is missing"]),
    ("a second rule", ("goal = 10", "goal = 10\nrounds = 9"), ["[game] has the number goal, and nothing else"]),
    ("an unknown category", ("category = ", "category = 7  # "), ["category is 7, not one of"]),
    (
        "an unknown reconstruction",
        ('reconstructed = ["number", "gain"]', 'reconstructed = ["wit"]'),
        ["servants.alchemist.reconstructed is a list of the numbers that no source gives"],
    ),
    ("not TOML", ("[game]", "[game"), ["line"]),
]


@pytest.mark.parametrize(("change", "messages"), [b[1:] for b in BROKEN_FILES], ids=[b[0] for b in BROKEN_FILES])
def test_an_invalid_card_file_is_rejected(tmp_path, change, messages):
    file = tmp_path / "mine.toml"
    assert CARD_FILE.count(change[0]) >= 1
    file.write_text(CARD_FILE.replace(*change, 1), encoding="utf-8")
    with pytest.raises(cards.InvalidCardsError) as error:
        cards.read(file)
    for text in messages:
        assert f"{file}: " in str(error.value) and text in str(error.value)


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
        CARD_FILE.replace("points = 4", "points = 9", 1).replace("gain = { gold = 2 }", "gain = { gold = 5 }", 1),
        encoding="utf-8",
    )
    result = subprocess.run(
        [sys.executable, "-c", PLAY_WITH_OWN_CARDS],
        env={**os.environ, "COURTLY_PUPPET_CARDS": str(file)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    from courtly.engine.native import loader

    assert result.stdout.strip() != loader.cache_folder(GAME, "courtly.engine.native.playout_driver").name, (
        "each card file has its own machine code"
    )


def test_a_servers_invalid_card_file_is_reported_and_not_offered(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(CARD_FILE.replace(STORE_SECTION, ""), encoding="utf-8")
    result = subprocess.run(
        [sys.executable, "-c", "import courtly; print(courtly.game('puppet').options['cards'])"],
        env={**os.environ, "COURTLY_PUPPET_CARDS": str(file)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stdout == "(0, 2)\n" and result.returncode == 0
    assert f"{file}: buildings.store is missing" in result.stderr


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
        rng = random.Random(seed)
        match = new_match(GAME, players=3, seed=seed)
        opened_events = []
        while not match.over:
            seat = rng.choice(match.pending)
            match.play(seat, rng.choice(match.legal(seat)))
            while len(opened_events) < match.state.round - (0 if match.over else 1):
                opened_events.append(match.state.history[0])
        assert all(a != b for a, b in zip(opened_events, opened_events[1:], strict=False))
        for event in opened_events:
            count[event - 1] += 1
    assert min(count) > sum(count) / 6


def decided_by(s):
    """Return what decided the winner, computed from the last position alone."""
    highest = max(s.points[: s.players])
    tied_seats = [seat for seat in range(s.players) if s.points[seat] == highest]
    if len(tied_seats) == 1:
        return "most-points"
    fewest_honour = min(s.goods[seat][Good.HONOUR] for seat in tied_seats)
    tied_seats = [seat for seat in tied_seats if s.goods[seat][Good.HONOUR] == fewest_honour]
    if len(tied_seats) == 1:
        return "fewest-honour"
    return "parent" if s.parent in tied_seats else "clockwise"


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
