"""The standard test suite reports mistakes that no single position shows; each is planted in a game."""

from unittest.mock import Mock

import pytest
from interpreted_drivers import load_interpreted

from courtly.engine.game import BoundsError, Game, find_game
from courtly.engine.native import loader
from courtly.engine.native.sanitizer import CheckedInterpretedBackend
from courtly.testing import GameTests, game_tests
from courtly.testing.checks import facts_checks
from courtly.testing.checks.policy_checks import PolicyProbe
from courtly.testing.failure_location import CheckFailedError, PropertyFailedError

PETITION = find_game("petition")
POLICY = """
def priors(s, seat, moves, n, out):
    for i in range(n):
        out[i] = 1
    return n


def value(s, out):
    for seat in range(s.players):
        out[seat] = 500
    return 1
"""


@pytest.fixture
def make_suite(change_game):
    """Return a function that returns the suite of a game with changes, and with new files `(name, text)`."""

    def make(*changes, files=(), **base):
        changed = change_game(*changes, **base)
        for name, text in files:
            (changed.folder / name).write_text(text, encoding="utf-8")

        class Suite(GameTests):
            game = Game(changed.package)

        return Suite()

    return make


# --- secrets ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def game_with_an_unused_secret(make_suite):
    """A game that declares a hidden field, but hides nothing."""
    return make_suite(
        ("table.py", "class State(StateBase):\n", "class State(StateBase):\n    unused = i8(secret=True)\n"),
        ("table.py", "players = i8(option=(2, 3, 4, 5))", "players = i8(option=(2,))"),  # for speed
        game=PETITION,
    )


def test_no_world_differs_from_the_true_one(game_with_an_unused_secret):
    with pytest.raises(PropertyFailedError, match="determinize does not change hidden fields"):
        game_with_an_unused_secret.test_secrets_are_kept(2, False)


def test_no_twins_differ(game_with_an_unused_secret):
    with pytest.raises(PropertyFailedError, match="the twin matches hardly ever differed"):
        game_with_an_unused_secret.test_twins_cannot_be_told_apart(2, False)


def test_every_move_is_shown_to_all(game_with_an_unused_secret):
    with pytest.raises(PropertyFailedError, match=r"audience\(\) shows every move to all"):
        game_with_an_unused_secret.test_that_more_are_told_of_a_verb_is_noticed()


def test_a_leak_that_no_property_detects(make_suite):
    suite = make_suite(("rules.py", "        return EVERYONE\n    return 0\n", "        pass\n    return EVERYONE\n"))
    with pytest.raises(PropertyFailedError, match="no property detects this leak: all seats see "):
        suite.test_that_more_are_told_of_a_verb_is_noticed()


def test_rules_that_are_a_mutant_themselves(make_suite):
    with pytest.raises(PropertyFailedError, match="can tell|depend|distinguish|differ"):
        make_suite(("rules.py", "return 1 << s.target", "return EVERYONE")).test_the_rules_themselves_pass(False)


@pytest.mark.parametrize(
    ("original", "message"),
    [
        ("no such text", "'no such text' must occur once in rules.py, not 0 times"),
        ("HAND = 3", "no property detects this mistake: the hand is larger"),
    ],
)
def test_mistakes_that_cannot_be_made_or_change_nothing(make_suite, monkeypatch, original, message):
    monkeypatch.setattr(game_tests, "MISTAKE_POSITIONS", 30)
    with pytest.raises(CheckFailedError) as error:
        make_suite().test_a_mistake_is_caught(("the hand is larger", "rules.py", original, original + "  # cards"))
    assert [finding.text for finding in error.value.findings] == [message]


# --- facts and bots ---------------------------------------------------------------------------------------------------


FACTS = """
import itertools

from courtly.engine.facts import FactsBase, number, word

COUNT = itertools.count()


class Facts(FactsBase):
    n = number()
    kind = word(of=("{name}",))


def facts(s, seat, out, moves):
    out.n = {value}
    out.kind = 0
"""


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("No id", 1, "facts must contain only numbers and ids, not {'n': 1, 'kind': 'No id'}"),
        ("kind", "next(COUNT)", "facts differ after conversion to JSON and back: {'n': 0, 'kind': 'kind'}"),
    ],
)
def test_facts(make_suite, name, value, message):
    suite = make_suite(files=[("facts.py", FACTS.format(name=name, value=value))])
    with pytest.raises(PropertyFailedError, match=message):
        suite.test_facts_are_numbers_and_ids_that_come_through_json()


def test_machine_code_of_facts_that_differs(make_suite, monkeypatch):
    monkeypatch.setattr(facts_checks, "CompiledFacts", lambda game: Mock(find=lambda state, seat: [2, 0]))
    suite = make_suite(files=[("facts.py", FACTS.format(name="kind", value=1))])
    with pytest.raises(PropertyFailedError, match="facts differ between interpreted and native"):
        suite.test_machine_code_computes_the_same_facts(2, False)


def test_a_bot_that_changes_its_mind(make_suite):
    bot = (
        "import itertools\n\nTURN = itertools.count()\n\n\n"
        "def choose(game, view, rng):\n    return view['legal'][-(next(TURN) % 2)]['id']\n"
    )
    with pytest.raises(PropertyFailedError, match="the bot squire chose another move from the same view"):
        make_suite(files=[("bot.py", bot)]).test_a_bot_plays_whole_games("squire", 2)


def test_a_bot_that_breaks_a_sanitized_game(make_suite):
    suite = make_suite(files=[("bot.py", "def choose(game, view, rng):\n    return -1\n")])
    with pytest.raises(ValueError, match="-1 is not in list") as error:
        suite.test_bots_stay_within_bounds_with_every_option(load_both(suite.game), False)
    [note] = error.value.__notes__
    assert note.startswith("in game 0: ") and "'looks': " in note


def test_a_sanitized_game_beyond_its_bounds(make_suite):
    suite = make_suite(files=[("bot.py", "def choose(game, view, rng):\n    return view['legal'][0]['id']\n")])
    suite.game.bounds.update(decisions=2, events=2)
    with pytest.raises(BoundsError, match="the game does not end within its bounds"):
        suite.test_bots_stay_within_bounds_with_every_option(load_both(suite.game), False)


def load_both(game):
    return loader.load_driver(game, CheckedInterpretedBackend()), load_interpreted(game)


# --- policies ---------------------------------------------------------------------------------------------------------


def test_a_policy_without_any_answer(make_suite):
    nothing = "def priors(s, seat, moves, n, out):\n    return 0\n"
    with pytest.raises(PropertyFailedError, match=r"policy\.py returns neither weights nor values in any position"):
        make_suite(files=[("policy.py", nothing)]).test_a_policy_keeps_to_what_its_seat_sees(2, False)


@pytest.mark.parametrize(
    ("name", "plural", "old", "new"), [("priors", "priors", "= 1\n", "= 2\n"), ("value", "values", "= 500", "= 400")]
)
def test_machine_code_of_a_policy_that_differs(make_suite, monkeypatch, name, plural, old, new):
    """The machine code of a function is replaced by another function."""

    class Probe(PolicyProbe):
        def __init__(self, game, form):
            super().__init__(game, loader.InterpretedBackend())
            if form is None:
                exec(POLICY.replace(old, new), changed := {})
                caller = {"priors": self.driver.weigh, "value": self.driver.appraise}[name]
                caller.__globals__[name] = changed[name]

    monkeypatch.setattr(game_tests, "PolicyProbe", Probe)
    suite = make_suite(files=[("policy.py", POLICY)])
    with pytest.raises(PropertyFailedError, match=f"^{plural} differ between interpreted and native"):
        suite.test_machine_code_makes_the_same_of_a_policy(2, False)
