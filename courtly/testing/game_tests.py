"""The standard test suite for games. The modules of `checks` define the properties; this one runs them."""

from __future__ import annotations

import inspect
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from courtly.adapters.observation import Encoder
from courtly.bots.registry import RANDOM, SQUIRE, Bot, find_bot, is_search_bot
from courtly.bots.search.search import Search
from courtly.engine import transcript
from courtly.engine.constants import LANGUAGES, NOBODY, SPECTATOR
from courtly.engine.errors import RulesError
from courtly.engine.finding import Finding
from courtly.engine.game import Game, find_game
from courtly.engine.match import Match, new_match
from courtly.engine.native import dialect_check, loader
from courtly.engine.native.sanitizer import CheckedPosition
from courtly.engine.position import CommandRefusedError, Position
from courtly.engine.rng import Row, SeededChance, make_generator
from courtly.engine.schemas import PositionView
from courtly.engine.transcript import write_record
from courtly.lab.runs import checked_rerun
from courtly.testing import resources
from courtly.testing.checks import catalog_checks, sanitized_equivalence
from courtly.testing.checks.belief_check import check_worlds_match_beliefs
from courtly.testing.checks.bounds_search import search_bounds
from courtly.testing.checks.facts_checks import check_facts_agree
from courtly.testing.checks.lesson_checks import check_lesson, find_unknown_examples, has_lesson
from courtly.testing.checks.measure_checks import check_measures
from courtly.testing.checks.mutation import find_hidden_verbs, find_unnoticed_leaks, find_violation, make_mutant
from courtly.testing.checks.native_equivalence import check_positions_agree, compare_random_games
from courtly.testing.checks.noninterference import (
    check_previews_equal,
    check_twins_indistinguishable,
    check_undo_leaves_no_trace,
    start_match,
)
from courtly.testing.checks.observation_checks import check_number_names, check_numbers_keep_secrets
from courtly.testing.checks.package_layout import find_layout_errors
from courtly.testing.checks.policy_checks import PolicyProbe, check_policy_uses_view_only, check_policy_values
from courtly.testing.checks.properties import (
    MIN_HIDDEN_FRACTION,
    MIN_SECRET_STEP_FRACTION,
    RandomGame,
    check_choices_commute,
    check_copies_independent,
    check_cues_are_visible,
    check_illegal_is_rejected,
    check_position_keeps_secrets,
    check_search_uses_view_only,
    check_transition_keeps_secrets,
    check_undo_ends,
    check_undo_keeps_chance,
    has_hidden_alternatives,
    is_enough_hidden,
    is_plain_fact,
    is_sought,
    option_tables,
    random_options,
    random_positions,
)
from courtly.testing.checks.scenario_checks import check_scenario
from courtly.testing.failure_location import CheckFailedError, PropertyFailedError, find_line, require_no_findings

MISTAKE_POSITIONS = 60_000  # position-seat pairs of a mutant in which its mistake is looked for
SEED = 43  # with this seed New Town's bots reach a rare case: more ways to house residents than residents


def only_for(concerns: Callable[[Game], Any]) -> Callable[[Any], Any]:
    """Return a decorator: run the test only for games of which `concerns` is true."""

    def mark(test: Any) -> Any:
        test.concerns = concerns
        return test

    return mark


def thorough(test: Any) -> Any:
    """Decorator: mark a test that compiles the game or plays much of it."""
    test.thorough = True
    return test


def has_hidden_information(game: Game) -> bool:
    """Return whether the game hides information from a seat."""
    return game.hidden


class GameTests:
    """The standard test suite. A subclass names the id of an installed game:

        class TestTricks(GameTests):
            game = "tricks"

    Resources in the folder of the subclass's file are used (resources.py): invariants, scenarios, records, mistakes.
    The plug-in `courtly.testing.pytest_plugin` adds `--long`, for the full number of games.
    """

    game: Any  # subclasses write the id; __init_subclass__ replaces it by the Game

    def __init_subclass__(cls) -> None:
        cls.game = game = find_game(cls.game) if isinstance(cls.game, str) else cls.game
        resources.TEST_FOLDERS.setdefault(game.id, Path(inspect.getfile(cls)).parent)
        for name, test in inspect.getmembers(cls, inspect.isfunction):
            if not getattr(test, "concerns", bool)(game):
                setattr(cls, name, None)

    @pytest.fixture
    def long(self, request: pytest.FixtureRequest) -> bool:
        """Return whether to test the full number of games and positions."""
        return bool(request.config.getoption("--long", False))

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Parametrize the tests by players, languages, bots, bounds, mistakes, scenarios and records."""
        game, long = self.game, metafunc.config.getoption("--long", False)
        mistakes = [mistake for rare in (False, True)[: 1 + long] for mistake in resources.mistakes(game.id, rare)]
        for name, values in (
            ("players", game.players),
            ("fewest_or_most", game.players if long else sorted({game.players[0], game.players[-1]})),
            ("language", LANGUAGES),
            (
                "bot",
                [name for name in (SQUIRE, RANDOM) if not is_search_bot(game, name)],
            ),  # searching bots have tests of their own
            ("goal", ("decisions", "events", "moves")),
            ("mistake", [pytest.param(mistake, id=mistake[0]) for mistake in mistakes]),
            ("scenario", [pytest.param(path, id=path.stem) for path in resources.scenarios(game.id)]),
            ("record", [pytest.param(path, id=path.stem) for path in resources.records(game.id)]),
        ):
            if name in metafunc.fixturenames:
                metafunc.parametrize(name, values)

    # --- rules and texts ----------------------------------------------------------------------------------------------

    def test_the_folder_has_the_plan(self) -> None:
        """The game's folder has the standard layout."""
        require_no_findings(find_layout_errors(self.game))

    def test_rules_are_in_the_dialect(self) -> None:
        """The rules use only the dialect that can be compiled."""
        require_no_findings(dialect_check.check_game(self.game))

    @only_for(lambda game: resources.scenarios(game.id))
    def test_scenario(self, scenario: Path) -> None:
        """A scenario holds."""
        check_scenario(self.game, scenario)

    @only_for(has_lesson)
    def test_the_lesson_teaches_by_the_rules(self) -> None:
        """Each step of the lesson holds along every way through it, and its texts exist."""
        assert check_lesson(self.game)
        require_no_findings(find_unknown_examples(self.game))

    @only_for(lambda game: resources.records(game.id))
    def test_record(self, record: Path) -> None:
        """A recorded game replays strictly: every move, every random outcome, and the scores."""
        text = record.read_text(encoding="utf-8")
        try:
            over = transcript.check(text).over
        except transcript.InvalidRecordError as error:
            raise CheckFailedError([Finding(record, error.line, error.reason)]) from error
        require_no_findings([Finding(record, len(text.splitlines()), "the game is not over")][over:])

    def test_the_languages_say_the_same(self) -> None:
        """All languages have the same texts with the same variables."""
        require_no_findings(catalog_checks.find_untranslated(self.game.folder))

    def test_everything_is_said(self, language: str) -> None:
        """Every required text exists, and none addresses a single player where all players read it."""
        require_no_findings(
            [
                *catalog_checks.find_missing_texts(self.game, language),
                *catalog_checks.find_second_person(self.game, language),
            ]
        )

    def test_nothing_is_asked_or_said_in_vain(self) -> None:
        """The board uses only existing texts, and every text is used."""
        require_no_findings(
            [*catalog_checks.find_unknown_texts(self.game), *catalog_checks.find_unused_texts(self.game)]
        )

    def test_signs_beside_japanese_are_as_wide_as_its_letters(self) -> None:
        """Japanese texts use full-width punctuation."""
        require_no_findings(catalog_checks.find_narrow_signs(self.game.folder))

    def test_the_sign_of_a_number_is_the_language_s(self) -> None:
        """Board modules format signed numbers by the language."""
        require_no_findings(catalog_checks.find_handwritten_signs(catalog_checks.board_modules(self.game)))

    def test_games_with_every_index_number_and_loop_looked_at(
        self, players: int, long: bool, request: pytest.FixtureRequest
    ) -> None:
        """Random games keep every index, integer range and loop within bounds."""
        game, r = self.game, random.Random(17)
        if RandomGame(game, players, r).over:
            request.session.shouldfail = "the game is over at once, so other tests cannot run"
            raise PropertyFailedError(game.rules.setup, "the game is over before the first move or random event")
        try:
            for number in range(100 if long else checked_rerun.TRIAL_GAMES):
                checked_rerun.play_random_checked(
                    game, players, random_options(game, r) if number else {}, SEED, number
                )
        except RulesError as error:
            if isinstance(error.__cause__, RuntimeError):
                request.session.shouldfail = "an endless loop, which other tests would enter, too"
            raise

    # --- secrets ------------------------------------------------------------------------------------------------------

    def test_secrets_are_kept(self, players: int, long: bool) -> None:
        """Views, legal moves and cues depend only on what a seat may know."""
        game, r = self.game, random.Random(3)
        # position-seat pairs; the full number is divided among the player counts
        total = -(-200_000 // len(game.players)) if long else 500
        pairs = varied = compared = visible = 0
        while pairs < total:
            skip = r.randrange(300)  # reaches later positions of long games, too
            for number, play in enumerate(random_positions(game, players, r)):
                if pairs >= total:
                    break
                if number < skip and r.random() < 0.9 or r.random() < 0.3:
                    continue
                seat = r.randrange(-1, players)
                if is_sought(game, varied, pairs) and not has_hidden_alternatives(play, seat):
                    continue
                world = check_position_keeps_secrets(play, seat, r.randrange(1 << 30))
                varied += world.state != play.state
                compared += check_transition_keeps_secrets(play, world, seat)
                visible += game.hidden and check_cues_are_visible(play, seat)
                pairs += 1
        if game.hidden and not is_enough_hidden(game, varied, pairs, MIN_HIDDEN_FRACTION):
            raise PropertyFailedError(game.rules.determinize, "determinize does not change hidden fields")
        assert compared > pairs // 4 and (visible or not game.hidden), "too few pairs of worlds could be compared"

    @only_for(has_hidden_information)
    def test_that_more_are_told_of_a_verb_is_noticed(self) -> None:
        """The properties detect an audience that is too wide, for each verb that is hidden from some seats."""
        if not find_hidden_verbs(self.game):
            raise PropertyFailedError(
                self.game.rules.audience, "the game hides information, but audience() shows every move to all"
            )
        for leak in find_unnoticed_leaks(self.game):
            raise PropertyFailedError(self.game.rules.audience, f"no property detects this leak: {leak}")

    def test_what_a_seat_is_shown_as_numbers_tells_no_more_than_its_view(self, players: int, long: bool) -> None:
        """Observations in numbers depend only on what a seat may know."""
        encoder, r = Encoder(self.game, players), random.Random(21)
        check_number_names(encoder)
        total, count, varied = 20_000 if long else 150, 0, 0
        while count < total:
            for play in random_positions(self.game, players, r):
                seat = r.randrange(players)
                sought = is_sought(self.game, varied, count)
                if count < total and (has_hidden_alternatives(play, seat) if sought else r.random() < 0.1):
                    varied += check_numbers_keep_secrets(encoder, play, seat, r.randrange(1 << 30))
                    count += 1
        is_enough = is_enough_hidden(self.game, varied, count, MIN_HIDDEN_FRACTION)
        assert is_enough or not self.game.hidden, "too few pairs of worlds could be compared"

    @thorough
    @only_for(has_hidden_information)
    def test_twins_cannot_be_told_apart(self, players: int, long: bool) -> None:
        """Two matches that look the same to a seat continue to look the same."""
        compared, varied = check_twins_indistinguishable(
            self.game, players, random.Random(11), 20_000 if long else 400, 20_000 if long else 100
        )
        if not is_enough_hidden(self.game, varied, compared, MIN_SECRET_STEP_FRACTION):
            raise PropertyFailedError(self.game.rules.determinize, "the twin matches hardly ever differed")

    @thorough
    @only_for(has_hidden_information)
    def test_worlds_are_what_can_be_believed(self, fewest_or_most: int, long: bool) -> None:
        """`determinize` samples worlds from the distribution that a seat can infer."""
        r, compared, skip = random.Random(14), 0, set(resources.uninferable_fields(self.game.id))
        while compared < (20_000 if long else 80):
            compared += check_worlds_match_beliefs(
                self.game, fewest_or_most, r, games=1, count=500, steps=200, skip=skip
            )[0]

    @thorough
    @only_for(lambda game: resources.mistakes(game.id))
    def test_the_rules_themselves_pass(self, long: bool) -> None:
        """The unmutated rules satisfy the properties that mutants must violate."""
        if violation := find_violation(self.game, 5000 if long else 100):
            raise violation

    @thorough
    @only_for(lambda game: resources.mistakes(game.id))
    def test_a_mistake_is_caught(self, mistake: tuple[str, str, str, str]) -> None:
        """The properties detect a mutation of the rules."""
        file = resources.resource_file(self.game.id, "mistakes")
        place = file, find_line(file, re.escape(mistake[0]))
        try:
            mutant = make_mutant(self.game, mistake)
        except AssertionError as error:
            raise CheckFailedError([Finding(*place, str(error))]) from error
        if not find_violation(mutant, MISTAKE_POSITIONS):
            raise CheckFailedError([Finding(*place, f"no property detects this mistake: {mistake[0]}")])

    # --- matches ------------------------------------------------------------------------------------------------------

    def test_choices_made_at_once_commute(self, players: int, long: bool) -> None:
        """The order of simultaneous choices makes no difference."""
        r = random.Random(4)
        for _ in range(50 if long else 3):
            for number, play in enumerate(random_positions(self.game, players, r)):
                check_choices_commute(play)
                if number > 3000:
                    break

    def test_copies_are_independent(self, players: int, long: bool) -> None:
        """A copy of a position shares no state with the original."""
        r = random.Random(5)
        for _ in range(20 if long else 2):
            for number, play in enumerate(random_positions(self.game, players, r)):
                if r.random() < 0.3:
                    check_copies_independent(play)
                if number > 3000:
                    break

    def test_a_match_can_be_replayed_from_its_journal_and_from_its_record(self, fewest_or_most: int) -> None:
        """A match replays from its journal and from its record."""
        match = random_match(self.game, fewest_or_most, random.Random(6))
        replay = Match.replay(self.game, fewest_or_most, match.options, match.source, match.entries)
        assert replay.state == match.state
        for seat in (*range(fewest_or_most), None):
            assert json.dumps(replay.view(seat, 0)) == json.dumps(match.view(seat, 0))
        read = transcript.check(write_record(match, seats=["a"] * fewest_or_most))
        assert read.state == match.state and read.scores == match.scores
        assert [e[:3] for e in read.entries] == [e[:3] for e in match.entries]

    def test_only_those_who_notice_something_see_a_different_view(self, fewest_or_most: int) -> None:
        """The view of an audience changes only if the audience receives a cue."""

        def watch(match: Match, entries: Any = None, before: Any = None) -> dict[int | None, str]:
            views = {seat: json.dumps(match.view(seat)) for seat in (*range(match.players), None)}
            if entries:
                for seat in views.keys() - match.audiences_noticing(entries):
                    assert views[seat] == before[seat], f"seat {seat} received no event, but its view changed"
            return views

        random_match(self.game, fewest_or_most, random.Random(7), watch=watch, limit=800)

    def test_the_same_seed_gives_the_same_game(self) -> None:
        """Games with the same seed and moves have the same record."""
        match, other = (new_match(self.game, seed=99) for _ in range(2))
        r, q = random.Random(8), random.Random(8)
        while not match.over:
            match.play(match.pending[0], r.choice(match.legal(match.pending[0])))
            other.play(other.pending[0], q.choice(other.legal(other.pending[0])))
        assert write_record(match) == write_record(other)

    @thorough
    def test_what_is_taken_back_was_never_made(self, players: int, long: bool) -> None:
        """After an undo everything is as if the moves had never been made."""
        game, r, undo_count, total = self.game, random.Random(12), 0, 2000 if long else 60
        for _ in range(10 * total):  # bounds the test of games that hardly ever allow undo
            match = start_match(game, players, random_options(game, r))
            for _ in range(r.randrange(600)):
                if match.over or undo_count >= total:
                    break
                actor = r.choice(match.actors)
                match.apply(actor, r.choice(match.legal(actor)))
                if r.random() < 0.15:
                    for undone in check_undo_leaves_no_trace(match):
                        undo_count += 1
                        if r.random() < 0.1:
                            match = undone

    def test_what_is_taken_back_again_and_again_does_not_grow_the_journal_without_end(self) -> None:
        """Repeated undo does not grow the journal without limit."""
        check_undo_ends(self.game, random.Random(14))

    def test_chance_cannot_be_chosen_by_taking_moves_back(self) -> None:
        """Undo does not change later random events."""
        check_undo_keeps_chance(self.game, random.Random(15))

    def test_what_is_previewed_is_what_is_seen_when_it_is_done(self) -> None:
        """A preview of a move equals the view after the move, or is refused if the move reveals something."""
        game, r, preview_count = self.game, random.Random(8), 0
        match = start_match(game, max(game.players), random_options(game, r))
        while preview_count < 150:
            if match.over:
                match = start_match(game, max(game.players), random_options(game, r))
            actor = r.choice(match.actors)
            move = r.choice(match.legal(actor))
            if actor == NOBODY:
                match.apply(actor, move)
                continue
            before = match.state.pack(), match.entries[:], match.view(actor, 0)
            first_cue, expected, preview_count = match.seq(actor), None, preview_count + 1
            try:
                expected = match.preview(actor, move, first_cue)
            except CommandRefusedError as error:
                assert error.id == "error-unforeseen" and error.args_ == {"move": move.as_json()}
            assert before == (match.state.pack(), match.entries[:], match.view(actor, 0)), "preview() changed the match"
            is_revealed = match.reveals(actor, move) >> actor & 1
            match.apply(actor, move)
            assert (expected is None) == bool(is_revealed or match.chance)
            assert expected in (None, match.view(actor, first_cue))

    @only_for(has_hidden_information)
    def test_foresight_is_the_same_in_worlds_that_a_seat_cannot_tell_apart(self, players: int, long: bool) -> None:
        """Previews depend only on what a seat may know."""
        check_previews_equal(self.game, players, random.Random(13), 20_000 if long else 200)

    # --- views, facts and bots ----------------------------------------------------------------------------------------

    def test_a_view_becomes_a_record_again(self) -> None:
        """A view's state survives JSON and converts back to a state with the same view."""
        game = self.game
        for number, play in enumerate(random_positions(game, game.players[-1], random.Random(9))):
            if number > 1000:
                break
            for seat in range(game.players[-1]):
                view = play.view(seat)
                assert game.State.from_view(json.loads(json.dumps(view["state"]))).view(seat) == view["state"]

    @only_for(lambda game: game.Facts)
    def test_facts_are_numbers_and_ids_that_come_through_json(self) -> None:
        """Facts contain only numbers and ids, and survive JSON."""
        game = self.game
        for players in game.players:
            for number, play in enumerate(random_positions(game, players, random.Random(players))):
                seat = number % (players + 1) - 1
                view = play.view(None if seat == SPECTATOR else seat)
                facts = game.facts(view)
                if not isinstance(facts, dict) or not is_plain_fact(facts):
                    raise PropertyFailedError(
                        game.facts_module.facts, f"facts must contain only numbers and ids, not {facts}"
                    )
                if not json.loads(json.dumps(facts)) == facts == game.facts(json.loads(json.dumps(view))):
                    raise PropertyFailedError(
                        game.facts_module.facts, f"facts differ after conversion to JSON and back: {facts}"
                    )
                if number > 1500:
                    break

    @thorough
    @only_for(lambda game: game.Facts)
    def test_machine_code_computes_the_same_facts(self, fewest_or_most: int, long: bool) -> None:
        """Facts are the same interpreted and native, and use no index outside of a row."""
        check_facts_agree(self.game, fewest_or_most, 5000 if long else 200)

    @only_for(lambda game: game.Facts)
    def test_the_facts_of_a_match_are_those_of_its_view(self) -> None:
        """A match's facts equal those computed from its view."""
        match = new_match(self.game, seed=5)
        for seat in (*range(match.players), None):
            view = match.view(seat)
            assert view["facts"] == match.game.facts(view)

    @only_for(lambda game: not is_search_bot(game, SQUIRE))
    def test_the_heuristic_bot_plays_legal_moves_only_from_any_position(self) -> None:
        """The squire chooses legal moves in any position."""
        game, r = self.game, random.Random(10)
        choose = find_bot(game, SQUIRE)
        for players in game.players:
            play = RandomGame(game, players, r)
            rng = make_generator(1)
            for _ in range(400):
                if play.over:
                    break
                seat, move = play.next()
                if seat != NOBODY and r.random() < 0.7:
                    chosen = choose_from_json(choose, game, play.view(seat), rng)
                    move = chosen if r.random() < 0.5 else move
                play.apply(seat, move)

    def test_a_bot_plays_whole_games(self, bot: str, fewest_or_most: int) -> None:
        """A bot plays every seat to the end, and chooses the same move from the same view and random stream."""
        game, luck = self.game, make_generator(15)
        choose = find_bot(game, bot)
        bot_rngs = [make_generator(16, seat) for seat in range(fewest_or_most)]
        position = Position(game, fewest_or_most)
        while not position.over:
            if position.chance:
                position.happen(luck)
                continue
            seat = position.pending[0]
            view, before = position.view(seat), [*bot_rngs[seat]]
            move = choose_from_json(choose, game, view, bot_rngs[seat])
            if choose_from_json(choose, game, view, before) != move:
                raise PropertyFailedError(
                    choose, f"the bot {bot} chose another move from the same view and random stream"
                )
            position.apply(seat, move)

    def test_a_search_answers_from_what_its_seat_sees(self, long: bool) -> None:
        """A search depends only on what its seat sees, and ranks all legal moves."""
        game, r, checked = self.game, random.Random(17), 0
        total, count, form = (10_000, 20, loader.CompiledBackend()) if long else (12, 3, loader.InterpretedBackend())
        search = Search(game, count, form)
        while checked < total:
            for play in random_positions(game, r.choice(game.players), r):
                if checked == total or r.random() < 0.9 or play.chance:
                    continue
                checked += check_search_uses_view_only(search, play, r.choice(play.pending), r.randrange(1 << 30))

    @only_for(lambda game: game.policy)
    def test_a_policy_keeps_to_what_its_seat_sees(self, fewest_or_most: int, long: bool) -> None:
        """A policy depends only on what its seat sees, and its numbers are in range."""
        game, r, total = self.game, random.Random(19), 5000 if long else 150
        probe, checked, answer_count = PolicyProbe(game, loader.InterpretedBackend()), 0, 0
        while checked < total:
            for play in random_positions(game, fewest_or_most, r):
                if checked == total:
                    break
                answer_count += check_policy_values(probe, play, r)
                if not play.chance and r.random() < 0.2:
                    answer_count += check_policy_uses_view_only(probe, play, r.choice(play.pending), r)
                    checked += 1
        if not answer_count:
            raise PropertyFailedError(game.rules.legal, "policy.py returns neither weights nor values in any position")

    @thorough
    @only_for(lambda game: game.policy)
    def test_machine_code_makes_the_same_of_a_policy(self, fewest_or_most: int, long: bool) -> None:
        """A policy returns the same numbers interpreted and native."""
        game, r, checked, total = self.game, random.Random(20), 0, 5000 if long else 100
        native, interpreted = PolicyProbe(game, None), PolicyProbe(game, loader.InterpretedBackend())
        while checked < total:
            for play in random_positions(game, fewest_or_most, r):
                if checked == total:
                    break
                if interpreted.value(play.state, r) != native.value(
                    play.state, r
                ):  # at random events, too: a policy may evaluate only there
                    native.fail("value", "values differ between interpreted and native")
                if not play.chance and r.random() < 0.2:
                    checked += 1
                    seat = r.choice(play.pending)
                    if native.priors(play.state, seat, r) != interpreted.priors(play.state, seat, r):
                        native.fail("priors", "priors differ between interpreted and native")

    @only_for(lambda game: game.measures)
    def test_what_is_measured_holds(self, players: int, long: bool) -> None:
        """`measures.py` is consistent with the scores and does not change the state."""
        for number in range(200 if long else 3):
            check_measures(self.game, players, random.Random(number))

    # --- bounds and native code ---------------------------------------------------------------------------------------

    def test_whoever_plays_it_keeps_within_its_bounds(self, goal: str, long: bool) -> None:
        """No search for long games or many moves exceeds the bounds of game.toml."""
        steps = (400_000 if long else 8_000) // (8 if goal == "moves" else 1)  # looking ahead is slow
        reached = search_bounds(self.game, goal, steps, random.Random(goal))
        print(f"{self.game.id}: {reached} of {self.game.bounds[goal]} {goal}")

    def test_scores_can_be_told_at_any_time(self) -> None:
        """Scores can be computed in any position, as searches require that stop before the end."""
        for players in self.game.players:
            position, r = CheckedPosition(self.game, players), random.Random(18)
            while not position.over and position.decisions < 300:
                position.standing()
                seat = r.choice(position.actors)
                position.apply(seat, r.choice(position.legal(seat)))

    @thorough
    def test_a_native_position_answers_as_an_interpreted_one(self, players: int, long: bool) -> None:
        """Native and interpreted positions give the same answers."""
        r = random.Random(21)
        for number in range(50 if long else 2):
            check_positions_agree(
                self.game, players, random_options(self.game, r) if number else {}, r, 20_000 if long else 500
            )

    @thorough
    def test_native_equals_interpreted_after_every_move(self, long: bool) -> None:
        """Native and interpreted rules reach the same state after every move."""
        game, r = self.game, random.Random(1)
        both = loader.load_driver(game, loader.InterpretedBackend()), loader.load_driver(game)
        games, max_moves = (1000, 1 << 60) if long else (4, 5000)
        for players in game.players:
            compare_random_games(both, players, games, lambda: random_options(game, r), max_moves)

    @pytest.fixture(scope="class")
    @classmethod
    def both(cls) -> tuple[Any, Any]:
        """Return the sanitized drivers, interpreted and native."""
        return sanitized_equivalence.load_sanitized_drivers(cls.game)

    @thorough
    def test_random_games_stay_within_bounds(self, both: tuple[Any, Any], long: bool) -> None:
        """Random games of sanitized drivers access no array out of bounds."""
        game, r = self.game, random.Random(2)
        games, max_moves = (50, 1 << 60) if long else (2, 2000)
        for players in game.players:
            compare_random_games(
                both, players, games, lambda: random_options(game, r), max_moves, **sanitized_equivalence.SANITIZED_FORM
            )

    @thorough
    def test_bots_stay_within_bounds_with_every_option(self, both: tuple[Any, Any], long: bool) -> None:
        """Games of bots with every option access no array out of bounds."""
        for number, (players, options) in enumerate(option_tables(self.game, random.Random(SEED), 100 if long else 0)):
            try:
                sanitized_equivalence.play_sanitized(*both, players, options, number)
            except Exception as error:
                error.add_note(f"in game {number}: {players} players, {options}")
                raise


def choose_from_json(choose: Bot, game: Game, view: PositionView, rng: Row) -> int:
    """Return a bot's move for a view that went through JSON. Raises PropertyFailedError if it is not legal."""
    move = choose(game, json.loads(json.dumps(view)), rng)
    if type(move) is not int or move not in {legal["id"] for legal in view["legal"]}:
        raise PropertyFailedError(choose, f"the bot chose {move!r} in seat {view['seat']}, which is not legal")
    return move


def random_match(
    game: Game, players: int, r: random.Random, undo: float = 0.2, watch: Any = None, limit: int = 1 << 30
) -> Match:
    """Play a random match, or its first `limit` moves, with occasional undo and attempts at illegal moves. `watch` is
    called before and after each step."""
    match = Match(game, players, random_options(game, r), SeededChance(r.randrange(1 << 60)))
    steps = 0
    while not match.over and steps < limit:
        seat = r.choice(match.pending)
        if r.random() < 0.05:
            open_now = {m.id for m in match.legal(seat)}
            illegal = [m for m in r.sample(range(match.moves.count), min(5, match.moves.count)) if m not in open_now]
            for move in illegal:
                check_illegal_is_rejected(match, seat, move)
        before = watch and watch(match)
        entries = match.play(seat, r.choice(match.legal(seat)), seq=match.seq(seat))
        if watch:
            watch(match, entries, before)
        if match.can_undo(seat) and r.random() < undo and steps < 2000:
            before = watch and watch(match)
            entries = match.undo(seat)
            if watch:
                watch(match, entries, before)
        steps += 1
    return match
