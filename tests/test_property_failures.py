"""Each property of `courtly.testing` reports the mistake that it is for; each mistake is a change of sealed bids."""

import random
import re
from types import SimpleNamespace

import pytest
from interpreted_drivers import load_interpreted

from courtly.adapters.observation import get_encoder
from courtly.engine.errors import RulesError
from courtly.engine.game import BoundsError, Game, find_game
from courtly.engine.match import new_match
from courtly.engine.native import loader
from courtly.engine.position import Position
from courtly.testing import resources
from courtly.testing.checks import native_equivalence, properties
from courtly.testing.checks.belief_check import Histories
from courtly.testing.checks.catalog_checks import find_missing_texts, find_untranslated, read_catalog
from courtly.testing.checks.lesson_checks import check_lesson, find_unknown_examples
from courtly.testing.checks.measure_checks import check_measures
from courtly.testing.checks.mutation import find_violation, make_mutant
from courtly.testing.checks.native_equivalence import check_positions_agree, compare_random_games
from courtly.testing.checks.observation_checks import check_numbers_keep_secrets
from courtly.testing.checks.properties import random_positions
from courtly.testing.failure_location import CheckFailedError, PropertyFailedError

BIDS = find_game("sealed_bids")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("            weights[n] = 1\n", "            weights[n] = worth\n", "a random event has no weight"),
        (
            "        moves[0] = MOVES.skip\n        n = 1",
            "        moves[0] = moves[1] = MOVES.skip\n        n = 2",
            "offered twice",
        ),
        (
            "    s.phase = Phase.DEAL\n    s.pending = CHANCE",
            "    s.pending = CHANCE + 1",
            "event and a seat are due at once",
        ),
        (
            "    s.phase = Phase.DEAL\n    s.pending = CHANCE",
            "    s.pending = 32",
            "a seat without a player is to move",
        ),
    ],
)
def test_random_games(change_game, old, new, message):
    game = change_game(("rules.py", old, new))
    with pytest.raises(PropertyFailedError, match=message):
        for _ in random_positions(game, 2, random.Random(1)):
            pass


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("        moves[0] = MOVES.skip", "        moves[0] = MOVES.deal", "legal() lists a number that is not a move"),
        ("(MOVES.deal if", "(MOVES.skip if", "chance() lists a number that is not a random event of MOVES"),
        ("            weights[n] = weight", "            weights[n] = -weight", "a weight of chance() is negative"),
    ],
)
def test_invalid_lists_of_moves_and_events(change_game, old, new, message):
    game = change_game(("rules.py", old, new))
    with pytest.raises(RulesError) as error:
        for _ in random_positions(game, 2, random.Random(1)):
            pass
    assert message in str(error.value)


def test_invalid_tables_of_game_toml(change_game):
    game = change_game(("game.toml", "[presets.plain]", "[earlier.1]\nnowhere = 1\n[presets.plain]"))
    warnings = [text for _, text in game.list_warnings()]
    assert "records of version 1 cannot be replayed: there is no option nowhere; there are looks" in warnings
    with (game.folder / "game.toml").open("a", encoding="utf-8") as file:
        file.write("[levels]\npage = 0\n")
    with pytest.raises(ValueError, match=r"\[levels\] of game.toml may have page, knight and master"):
        Game(game.package)


def test_components_may_be_json(change_game):
    game = change_game()
    (game.folder / "components.json").write_text('{"cards": 3}', encoding="utf-8")
    assert Game(game.package).components == {"cards": 3}


def test_equal_events_that_chance_does_not_list(change_game):
    game = change_game(
        ("rules.py", "        weights[i] = 1\n", "        weights[i] = 1 + i\n"), game=find_game("petition")
    )
    with pytest.raises(PropertyFailedError, match=r"the 2 events .* are not those of chance\(\)"):
        for _ in random_positions(game, 2, random.Random(1)):
            pass


def test_simultaneous_choices(change_game):
    """A seat may not change its choice after another one is ready."""
    old = "s.choice[seat] != card + 1 and s.changes"
    game = change_game(("rules.py", old, f"(s.pending == everyone(s) or not s.choice[seat]) and {old}"))
    with pytest.raises(PropertyFailedError, match="was legal for seat . until seat . played"):
        for number in range(99):
            for play in random_positions(game, 2, random.Random(number)):
                properties.check_choices_commute(play)


def test_an_illegal_move_that_is_accepted():
    match = new_match(BIDS, seed=1, options={"looks": 0})
    with pytest.raises(AssertionError, match="is not legal, but was accepted"):
        properties.check_illegal_is_rejected(match, 0, match.legal(0)[0])


def test_a_search_that_forgets_a_move():
    position = Position(BIDS, 2, {"looks": 0})
    while position.chance:
        position.apply(-1, position.legal(-1)[0])
    legal = position.legal(0)
    found = SimpleNamespace(lines=[SimpleNamespace(move=int(legal[0]), visits=1)])
    search = SimpleNamespace(think=lambda view, number: found)
    with pytest.raises(PropertyFailedError, match="does not rank exactly the legal moves"):
        properties.check_search_uses_view_only(search, position, 0, 1)


def test_an_observation_beyond_its_bounds(change_game):
    game = change_game(("rules.py", "score = i8(SEATS, most=12)", "score = i8(SEATS, most=1)"))
    position = Position(game, 2)
    position.state.score[1] = 3
    with pytest.raises(PropertyFailedError, match="score.* exceed their declared bounds"):
        check_numbers_keep_secrets(get_encoder(game, 2), position, 0, 1)


@pytest.mark.parametrize(
    ("measures", "message"),
    [
        ("def starter(s):\n    return s.players\n", "starter returns seat 2, but there are 2 players"),
        ("def points(s, out):\n    out[0] = 1\n", "it must write 2 numbers, but leaves out number 1"),
    ],
)
def test_measures(change_game, measures, message):
    game = change_game()
    (game.folder / "measures.py").write_text(measures, encoding="utf-8")
    with pytest.raises(PropertyFailedError, match=message):
        check_measures(Game(game.package), 2, random.Random(1))


@pytest.mark.parametrize("count", [-1, 40_000])
def test_counts_of_components(change_game, count):
    game = change_game()
    measures = "from courtly.engine.moves import Moves\n\nOWNED = Moves(card={})\n\n\n"
    measures += f"def owned(s, seat, out):\n    out[0] = {count}\n"
    (game.folder / "measures.py").write_text(measures, encoding="utf-8")
    with pytest.raises(PropertyFailedError, match="counts of components must be from 0 to 32767"):
        check_measures(Game(game.package), 2, random.Random(1))


def test_a_mutant_that_cannot_run_is_no_violation():
    """The mutation itself is faulty."""
    with pytest.raises(RulesError, match="nowhere"):
        find_violation(make_mutant(BIDS, ("faulty", "rules.py", "s.prize = x + 1", "s.prize = nowhere")), 10)


def test_tables_with_every_option_and_some_more():
    tables = list(properties.option_tables(BIDS, random.Random(1), 3))
    assert {players for players, _ in tables} == {2, 3, 4, 5} and {o["looks"] for _, o in tables} == {0, 1}
    assert len(tables) == 4 + 3


def test_a_decision_that_depends_on_what_a_move_does_not_reveal():
    """Only holders of a jester may answer, which the cards that are revealed before do not show."""
    mistake = next(found for found in resources.mistakes("sealed_bids", rare=True) if "holders only" in found[0])
    play = properties.RandomGame(make_mutant(BIDS, mistake), 3, random.Random(1), {"looks": 0})
    for card in (1, 2, 3, 1, 2, 0, 1, 2, 4):
        play.apply(-1, play.moves.deal + card)
    play.apply(-1, play.moves.prize)
    for seat in (0, 1, 2):
        play.apply(seat, play.moves.choose + 1)
    for seat in (0, 1):
        play.apply(seat, play.moves.ready)
    world = play.now()  # where another player has the jester
    world.state.hand[1], world.state.hand[2] = world.state.hand[2], world.state.hand[1]
    with pytest.raises(PropertyFailedError, match="'pending'.* depend on what seat 0 cannot see"):
        for _ in range(9):
            properties.check_transition_keeps_secrets(play, world, 0)


def test_a_history_in_which_another_seat_is_to_move_is_impossible():
    play = properties.RandomGame(BIDS, 2, random.Random(1), {"looks": 0})
    assert Histories(play, 0, 1)._follow(play.now(), 1, 0, None) == 0  # a card is dealt


# --- machine code that differs: that of the changed game --------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("s.prize = x + 1", "s.prize = x + 2", "interpreted and native states differ"),
        ("        return 1 << s.target", "        return EVERYONE", "audience, reveals or scores of deal .* differ"),
        ("s.hand[other][card] = known", "s.hand[other][card] = 0", "determinize for seat .* differs"),
        ("", "", "more than 4 decisions|does not end"),
    ],
)
def test_a_difference_of_machine_code(change_game, old, new, message):
    game = change_game(("rules.py", old, new)) if old else change_game()
    if not old:
        game.bounds.update(decisions=2, events=2)
    interpreted = loader.load_driver(BIDS if old else game, loader.InterpretedBackend())
    with pytest.raises((PropertyFailedError, BoundsError), match=message) as error:
        compare_random_games((interpreted, load_interpreted(game)), 3, 30, dict)
    assert re.fullmatch(r"in game \d+: 3 players, {}", error.value.__notes__[0])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("        return SILENT | 1 << seat", "        return EVERYONE", "audience.* interpreted and .* native"),
        ("s.choice[seat] = x + 1", "s.choice[seat] = x", "interpreted and native positions differ"),
    ],
)
def test_a_native_position_that_differs(change_game, monkeypatch, old, new, message):
    game = change_game(("rules.py", old, new))
    monkeypatch.setattr(native_equivalence, "NativePosition", lambda _, *arguments: Position(game, *arguments))
    with pytest.raises(PropertyFailedError, match=message):
        check_positions_agree(BIDS, 2, {"looks": 0}, random.Random(1), 10)


def test_a_game_that_stops_before_its_end(change_game):
    game = change_game(("rules.py", "        moves[0] = MOVES.skip\n        n = 1\n", "        return 0\n"))
    both = loader.load_driver(game, loader.InterpretedBackend()), load_interpreted(game)
    with pytest.raises(PropertyFailedError, match="the game is not over, but no move or event is possible"):
        compare_random_games(both, 2, 1, lambda: {"looks": 1})


# --- texts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("added", "message"),
    [("sealed_bids = twice\n", "sealed_bids is defined twice"), ("no text\n", "cannot be read: no text")],
)
def test_a_catalogue_that_cannot_be_read(change_game, added, message):
    folder = change_game().folder
    with (folder / "en.ftl").open("a", encoding="utf-8") as file:
        file.write("\n" + added)
    with pytest.raises(CheckFailedError) as error:
        read_catalog(folder, "en")
    [finding] = error.value.findings
    assert finding.text == message and finding.line == len((folder / "en.ftl").read_text("utf-8").splitlines())


def test_texts_that_one_language_lacks_or_that_use_unknown_variables(change_game):
    game = change_game()
    with (game.folder / "ja.ftl").open("a", encoding="utf-8") as file:
        file.write("\nsealed_bids-more = more\n")
    assert [finding.text for finding in find_untranslated(game.folder)] == ["sealed_bids-more is missing"]
    english = (game.folder / "en.ftl").read_text("utf-8")
    read_catalog.cache_clear()
    (game.folder / "en.ftl").write_text(english.replace("sealed_bids = ", "sealed_bids = { $when } ", 1), "utf-8")
    assert [finding.text for finding in find_missing_texts(game, "en")] == [
        "sealed_bids uses $when, which is not provided"
    ]


# --- lessons ----------------------------------------------------------------------------------------------------------

PETITION = find_game("petition")
LAST_TEXT = 'say = "own"\n'


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (LAST_TEXT, LAST_TEXT + 'ask = ["roll"]\n', 'ask = ["roll"]', "the last step must not ask for a move"),
        ('say = "more"', 'say = "change"', "", "two steps use the same text"),
        ('do = ["* die 4"]\n', "", 'ask = ["keep 4"]', "a step is shown before a random event"),
        (
            *('say = "queen"\n', 'say = "queen"\nask = ["roll"]\n', 'ask = ["roll"]'),
            "the step asks for a move, but it is not the learner's turn",
        ),
        ('say = "more"\n', "", "[[step]]", "a step of a lesson needs `say`"),
        ('say = "more"\n', "say =\n", "say =", "Invalid value"),
    ],
)
def test_lessons(change_game, old, new, line, message):
    game = change_game(("lesson.toml", old, new), game=PETITION)
    with pytest.raises(CheckFailedError) as error:
        check_lesson(game)
    [finding] = error.value.findings
    assert message in finding.text
    assert line in (game.folder / "lesson.toml").read_text("utf-8").splitlines()[finding.line - 1]


@pytest.mark.parametrize(
    ("count", "message"), [(0, "a lesson needs at least one step"), (3, "has 6 to 12 steps, not 3")]
)
def test_short_lessons(change_game, count, message):
    game = change_game(game=PETITION)
    file = game.folder / "lesson.toml"
    steps = file.read_text("utf-8").split("[[step]]")
    file.write_text("[[step]]".join(steps[: count + 1]), "utf-8")
    with pytest.raises(CheckFailedError, match=message):
        check_lesson(game)


def test_an_example_of_the_rules_that_the_lesson_lacks(change_game):
    game = change_game(("rules.en.md", "(lesson:queen)", "(lesson:crown)"), game=PETITION)
    [finding] = find_unknown_examples(game)
    assert finding.text == "the lesson has no step crown" and finding.file.name == "rules.en.md"
