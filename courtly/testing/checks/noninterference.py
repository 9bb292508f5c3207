"""Noninterference by twins: two matches that one seat (or the spectators) cannot tell apart, played side by side.

The seat makes the same moves in both; moves of others and random events may differ as far as the seat does not see
them. As long as `reveals` declares nothing to the seat, both matches must give it the same bytes: every view with its
cues, legal moves, undo, and every refusal of single moves and of batches.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from courtly.engine.constants import NOBODY, SPECTATOR
from courtly.engine.game import Game
from courtly.engine.match import Entry, Match
from courtly.engine.position import CommandRefusedError
from courtly.engine.rng import SeededChance
from courtly.testing.checks.properties import audience_of, cue_for, is_sought, other_world, random_options, seat_text
from courtly.testing.failure_location import PropertyFailedError
from courtly.testing.resources import invariants


def undo_move(match: Match, actor: int) -> None:
    """Take back the last moves of a seat."""
    ply = len(match.entries)
    match.follow(Entry(ply, actor, -1, None, ply, match.can_undo(actor)))


def start_match(game: Game, players: int, options: dict[str, int], state: Any = None) -> Match:
    """Return a match in which the caller chooses random events, too."""
    return Match(game, players, options, SeededChance(0), start=False, state=state)


def match_without_moves(match: Match, seat: int) -> Match:
    """Return the match without the moves that this seat may take back."""
    last = match._last_batch(seat)
    replay = start_match(match.game, match.players, match.options)
    for number, done_move in enumerate(match._done_moves):
        if number not in last:
            replay.apply(done_move.seat, done_move.move)
    return replay


def match_after(match: Match, actor: int, move: int) -> Match:
    """Return a copy of the match after a move or event."""
    twin = match.copy()
    twin.apply(actor, move)
    return twin


def move_response(match: Match, seat: int, moves: list[int]) -> str:
    """Return the response that a seat gets for these moves, without making them."""
    try:
        match.check(seat, moves)
        return "done"
    except CommandRefusedError as refused:
        return json.dumps([refused.id, refused.args_])


def preview_response(match: Match, seat: int, moves: list[int]) -> tuple[str, list[int]]:
    """Return the response that a seat gets for a preview of these moves, and the moves that would be legal then."""
    try:
        view = match.preview(seat, moves)
        return json.dumps(view), [move["id"] for move in view["legal"]]
    except CommandRefusedError as refused:
        return json.dumps([refused.id, refused.args_]), []


class TwinMatches:
    """A match `a` and its twin `b`, which look the same to `seat` (SPECTATOR for spectators)."""

    def __init__(self, game: Game, players: int, seat: int, r: random.Random):
        self.game, self.seat, self.r = game, seat, r
        self.audience = audience_of(seat)
        self.a = start_match(game, players, random_options(game, r))
        self.b = self.a.copy()
        self.verb = verb = game.moves.columns[0]
        self.same_verb = {
            m: [n for n in range(game.moves.count) if verb[n] == verb[m]] for m in set(verb) if m < game.moves.count
        }
        self.compared = self.hidden = 0  # steps, and steps that the seat did not see completely

    # --- one step -----------------------------------------------------------------------------------------------------

    def step(self) -> None:
        """Apply one move or event to `a` and one that looks the same to `b`; or an undo to both."""
        r, a = self.r, self.a
        if r.random() < 0.08 and self._undo():
            return
        actor = NOBODY if a.chance else r.choice(a.pending)
        move = r.choice(a.legal(actor))
        cue = cue_for(a, actor, move, self.seat)
        if actor == self.seat != NOBODY:
            self._play_both(actor, move, move)  # legal in both: their views, which list the legal moves, are equal
        elif cue is None:
            self._play_silent(actor, move)
        else:
            self._play_noticed(actor, move, cue)

    def _play_both(self, actor: int, move: int, twin: int) -> None:
        """Apply a move to each match and compare the views, unless one reveals something to the seat."""
        is_revealed = self._reveals_to_seat(self.a, actor, move) or self._reveals_to_seat(self.b, actor, twin)
        first_cue = self.a.seq(self.audience)
        self.a.apply(actor, move)
        self.b.apply(actor, twin)
        if is_revealed and self._view(self.a, first_cue) != self._view(self.b, first_cue):
            self.replace_twin()
        self._check_views_equal(first_cue, f"after {move} of seat {actor} (in the twin: {twin})")
        self.hidden += move != twin

    def _reveals_to_seat(self, match: Match, actor: int, move: int) -> bool:
        reveals = match.reveals(actor, move)
        return reveals < 0 or self.seat != SPECTATOR and bool(reveals >> self.seat & 1)

    def _play_noticed(self, actor: int, move: int, cue: Any) -> None:
        same_cue_moves = [m for m in self.b.legal(actor) if cue_for(self.b, actor, m, self.seat) == cue]
        if not same_cue_moves:  # impossible in the twin: it depends on a secret of the acting seat
            self.a.apply(actor, move)
            self.replace_twin()
            return
        twin = self.r.choice(same_cue_moves)
        if self._reveals_to_seat(self.a, actor, move) or self._reveals_to_seat(
            self.b, actor, twin
        ):  # look for a move that reveals the same
            view_after = self._view(match_after(self.a, actor, move), self.a.seq(self.audience))
            twin = next(
                (
                    m
                    for m in self.r.sample(same_cue_moves, len(same_cue_moves))
                    if self._view(match_after(self.b, actor, m), self.b.seq(self.audience)) == view_after
                ),
                twin,
            )
        self._play_both(actor, move, twin)

    def _play_silent(self, actor: int, move: int) -> None:
        """Apply a silent move to `a`, and any number of silent moves to `b`."""
        first_cue = self.a.seq(self.audience)
        self.a.apply(actor, move)
        while self.r.random() < 0.5:
            quiet = [m for m in self.b.legal(actor) if cue_for(self.b, actor, m, self.seat) is None]
            if not quiet:
                break
            self.b.apply(actor, self.r.choice(quiet))
        if self.a.seq(self.audience) != first_cue:
            raise PropertyFailedError(
                self.game.rules.audience, f"{move} is silent, but {seat_text(self.seat)} received an event"
            )
        self._check_views_equal(first_cue, f"after {move} of seat {actor}, which is silent")
        self.hidden += 1

    def _undo(self) -> bool:
        """Let a seat take back moves in both matches, if that looks the same. Return whether it did."""
        undo_seats = [seat for seat in range(self.a.players) if self.a.can_undo(seat) and self.b.can_undo(seat)]
        if not undo_seats:
            return False
        actor, first_cue = self.r.choice(undo_seats), self.a.seq(self.audience)
        a, b = self.a.copy(), self.b.copy()
        undo_move(a, actor)
        undo_move(b, actor)
        if actor != self.seat and a.view(self.audience, first_cue)["cues"] != b.view(self.audience, first_cue)["cues"]:
            return False  # one of the moves was silent
        self.a, self.b = a, b
        self._check_views_equal(first_cue, f"after seat {actor} took back")
        return True

    # --- comparisons --------------------------------------------------------------------------------------------------

    def check_worlds_equal(self) -> None:
        """Check that `determinize` gives the same world for both matches. Raises PropertyFailedError."""
        number = self.r.randrange(1 << 30)
        world, twin_world = (other_world(match, self.seat, number) for match in (self.a, self.b))
        if world.state != twin_world.state:
            raise PropertyFailedError(
                self.game.rules.determinize, f"determinize used what {seat_text(self.seat)} cannot see"
            )

    def _view(self, match: Match, first_cue: int) -> str:
        return json.dumps(match.view(self.audience, first_cue))

    def _check_views_equal(self, first_cue: int, occasion: str) -> None:
        self.compared += 1
        a, b = self._view(self.a, first_cue), self._view(self.b, first_cue)
        if a != b:
            problem = f"{occasion} {seat_text(self.seat)} can tell: {_find_difference(json.loads(a), json.loads(b))}"
            raise PropertyFailedError(self.game.rules.reveals, problem)

    def check_answers_equal(self, tries: int = 6) -> None:
        """Check that random batches of moves get the same response in both matches. Raises PropertyFailedError."""
        if self.seat == SPECTATOR:
            return
        game, r = self.game, self.r
        for _ in range(tries):
            batch: list[int] = []
            state = self.a
            for _ in range(r.randrange(1, 4)):
                legal = state.legal(self.seat)
                likely = self.same_verb[self.verb[legal[0]]] if legal else []
                batch.append(
                    r.choice([r.randrange(game.moves.count), *([r.choice(legal), r.choice(likely)] if legal else [])])
                )
                if batch[-1] in legal:
                    state = match_after(state, self.seat, batch[-1])
            self._check_answer_equal(batch)

    def check_every_answer_equal(self, sample_size: int) -> None:
        """Check the responses to all batches of up to three moves whose first ones are legal; to a sample of
        `sample_size` for each length."""
        if self.seat == SPECTATOR:
            return
        r, count = self.r, self.game.moves.count
        legal: list[tuple[list[int], Match]] = [([], self.a)]
        for _ in range(3):
            for index in r.sample(range(len(legal) * count), min(len(legal) * count, sample_size)):
                self._check_answer_equal([*legal[index // count][0], index % count])
            legal = [
                ([*batch, move], match_after(state, self.seat, move))
                for batch, state in legal
                for move in state.legal(self.seat)
            ][:sample_size]

    def _check_answer_equal(self, batch: list[int]) -> None:
        response, twin_response = move_response(self.a, self.seat, batch), move_response(self.b, self.seat, batch)
        if response != twin_response:
            problem = f"[{', '.join(map(self.game.moves.words, batch))}] is answered {response} or {twin_response}"
            raise PropertyFailedError(self.game.rules.legal, problem)

    def check_every_preview_equal(self, sample_size: int) -> int:
        """Check the previews of up to three moves, of a sample of `sample_size` for each length. Return the number of
        previews."""
        chains: list[list[int]] = [[int(move)] for move in self.a.legal(self.seat)]
        count = 0
        for _ in range(3):
            longer = []
            for moves in self.r.sample(chains, min(len(chains), sample_size)):
                (preview, match_after), (twin_preview, _) = (
                    preview_response(match, self.seat, moves) for match in (self.a, self.b)
                )
                words = ", ".join(map(self.game.moves.words, moves))
                if preview != twin_preview:
                    problem = f"the preview of seat {self.seat} after [{words}] is {preview} or {twin_preview}"
                    raise PropertyFailedError(self.game.rules.reveals, problem)
                longer += [[*moves, move] for move in match_after]
                count += 1
            chains = longer
        return count

    # --- new twins ----------------------------------------------------------------------------------------------------

    def replace_twin(self) -> None:
        """Replace `b` by another world that the seat cannot tell from `a`. Earlier moves can no longer be taken
        back."""
        world = other_world(self.a, self.seat, self.r.randrange(1 << 30))
        self.a, self.b = (
            start_match(self.game, self.a.players, self.a.options, position.state) for position in (self.a, world)
        )
        self._check_views_equal(self.a.seq(self.audience), "at the beginning")


def _find_difference(a: Any, b: Any) -> Any:
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        return {key: _find_difference(a[key], b[key]) for key in a if a[key] != b[key]}
    return a, b


def is_secret(match: Match, seat: int) -> bool:
    """Return whether a move or event that the seat does not see completely is possible now."""
    return any(
        cue_for(match, actor, move, seat) != (actor, move)
        for actor in ([NOBODY] if match.chance else match.pending)
        for move in match.legal(actor)
    )


def check_twins_indistinguishable(
    game: Game, players: int, r: random.Random, steps: int, batches: int = 100
) -> tuple[int, int]:
    """Play twins for this many steps. Return the number of steps compared, and of those that the seat did not see
    completely."""
    compared = hidden = 0
    while compared < steps:
        twins = TwinMatches(game, players, r.randrange(-1, players), r)
        skip = r.randrange(120)
        for number in range(400):
            if twins.a.over or compared + twins.compared >= steps:
                break
            sought = is_sought(game, hidden + twins.hidden, compared + twins.compared)
            passed_over = sought and not is_secret(twins.a, twins.seat)
            if passed_over or number < skip and not twins.a.chance and r.random() < 0.9:
                actor = NOBODY if twins.a.chance else r.choice(twins.a.pending)
                twins.a.apply(actor, r.choice(twins.a.legal(actor)))
                twins.b = twins.a.copy()
                continue
            if r.random() < 0.02:
                twins.replace_twin()
            invariants(game.id)(twins.a.state)
            twins.check_answers_equal()
            if r.random() < 0.02:
                twins.check_every_answer_equal(batches)
            twins.check_worlds_equal()
            twins.step()
        compared, hidden = compared + twins.compared, hidden + twins.hidden
    return compared, hidden


def check_previews_equal(game: Game, players: int, r: random.Random, total: int) -> None:
    """Compare `total` previews at many points of many games. Raises PropertyFailedError."""
    count = 0
    while count < total:
        twins = TwinMatches(game, players, r.randrange(players), r)
        skip = r.randrange(150)
        for number in range(400):
            if twins.a.over or count >= total:
                break
            if r.random() < 0.05:
                twins.replace_twin()
            if number >= skip and twins.seat in twins.a.pending and r.random() < 0.3:
                count += twins.check_every_preview_equal(8)
            twins.step()


def check_undo_leaves_no_trace(match: Match) -> Iterator[Match]:
    """Take back the moves of each seat that may, check that everything is as if they had never been made, and yield the
    matches."""
    for seat in range(match.players):
        if not match.can_undo(seat):
            continue
        without, undone = match_without_moves(match, seat), match.copy()
        undo_move(undone, seat)
        invariants(match.game.id)(undone.state)
        reveals = match.game.rules.reveals
        if undone.state != without.state:
            raise PropertyFailedError(
                reveals, f"after an undo of seat {seat} the state differs from the one before its moves"
            )
        for audience in (*range(match.players), None):
            view, expected = undone.view(audience), without.view(audience)
            if {**view, "seq": 0, "undo": 0} != {**expected, "seq": 0, "undo": 0}:
                raise PropertyFailedError(
                    reveals,
                    f"after an undo of seat {seat} the view of seat {audience} differs from the one before its moves",
                )
        yield undone
