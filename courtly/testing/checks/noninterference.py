"""Twins: two matches that one seat (or the spectators) cannot tell apart, played side by side.

What the seat does is done in both; what others do and what chance brings may differ wherever the seat is not told of
it. As long as nothing is declared to be revealed to it, the seat must get the same bytes from both: every view with its
cues, what it may do, whether it may take back, and every refusal, of single moves and of moves together.
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
    ply = len(match.entries)
    match.follow(Entry(ply, actor, -1, None, ply, match.can_undo(actor)))


def start_match(game: Game, players: int, options: dict[str, int], state: Any = None) -> Match:
    """A match in which whatever a test wants may happen."""
    return Match(game, players, options, SeededChance(0), start=False, state=state)


def match_without_moves(match: Match, seat: int) -> Match:
    """The match in which this seat did not make the moves that it may take back."""
    last = match._last(seat)
    again = start_match(match.game, match.players, match.options)
    for number, done in enumerate(match._done):
        if number not in last:
            again.apply(done.seat, done.move)
    return again


def match_after(match: Match, actor: int, move: int) -> Match:
    twin = match.copy()
    twin.apply(actor, move)
    return twin


def move_response(match: Match, seat: int, moves: list[int]) -> str:
    """What a seat is told that asks for these moves."""
    try:
        match.check(seat, moves)
        return "done"
    except CommandRefusedError as refused:
        return json.dumps([refused.id, refused.args_])


def preview_response(match: Match, seat: int, moves: list[int]) -> tuple[str, list[int]]:
    """What a seat is told that asks what these moves would lead to, and what it could do then."""
    try:
        view = match.foresee(seat, moves)
        return json.dumps(view), [move["id"] for move in view["legal"]]
    except CommandRefusedError as refused:
        return json.dumps([refused.id, refused.args_]), []


class TwinMatches:
    """`a` is the match, `b` its twin in the eyes of `seat` (SPECTATOR: of a spectator)."""

    def __init__(self, game: Game, players: int, seat: int, r: random.Random):
        self.game, self.seat, self.r = game, seat, r
        self.eyes = audience_of(seat)
        self.a = start_match(game, players, random_options(game, r))
        self.b = self.a.copy()
        self.verb = verb = game.moves.columns[0]
        self.same_verb = {
            m: [n for n in range(game.moves.count) if verb[n] == verb[m]] for m in set(verb) if m < game.moves.count
        }
        self.compared = self.hidden = 0  # steps, and those of them that the seat was not told whole

    # --- one step -----------------------------------------------------------------------------------------------------

    def step(self) -> None:
        """One move or event in `a`, and what looks the same in `b`; or something taken back."""
        r, a = self.r, self.a
        if r.random() < 0.08 and self._undo():
            return
        actor = NOBODY if a.chance else r.choice(a.pending)
        choice = a.legal(actor)
        move = r.choice(choice)
        heard = cue_for(a, actor, move, self.seat)
        if actor == self.seat != NOBODY:
            if self.b.legal(actor) != choice:
                raise PropertyFailedError(
                    self.game.rules.legal, f"what is open to seat {actor} depends on what it cannot see"
                )
            self._play_both(actor, move, move)
        elif heard is None:
            self._play_silent(actor, move)
        else:
            self._play_heard(actor, move, heard)

    def _play_both(self, actor: int, move: int, twin: int) -> None:
        """Done in both; unless something is revealed to the seat, it looks the same."""
        told = self._is_told_all(self.a, actor, move) or self._is_told_all(self.b, actor, twin)
        since = self.a.seq(self.eyes)
        self.a.apply(actor, move)
        self.b.apply(actor, twin)
        if told and self._view(self.a, since) != self._view(self.b, since):
            self.replace_twin()
        self._check_views_equal(since, f"after {move} of seat {actor} (in the twin: {twin})")
        self.hidden += move != twin

    def _is_told_all(self, match: Match, actor: int, move: int) -> bool:
        reveals = match.reveals(actor, move)
        return reveals < 0 or self.seat != SPECTATOR and bool(reveals >> self.seat & 1)

    def _play_heard(self, actor: int, move: int, heard: Any) -> None:
        alike = [m for m in self.b.legal(actor) if cue_for(self.b, actor, m, self.seat) == heard]
        if not alike:  # in the twin this could not be: a secret of the actor's decides
            self.a.apply(actor, move)
            self.replace_twin()
            return
        twin = self.r.choice(alike)
        if self._is_told_all(self.a, actor, move) or self._is_told_all(
            self.b, actor, twin
        ):  # then look for one that shows the same
            seen = self._view(match_after(self.a, actor, move), self.a.seq(self.eyes))
            twin = next(
                (
                    m
                    for m in self.r.sample(alike, len(alike))
                    if self._view(match_after(self.b, actor, m), self.b.seq(self.eyes)) == seen
                ),
                twin,
            )
        self._play_both(actor, move, twin)

    def _play_silent(self, actor: int, move: int) -> None:
        """Nobody notices: it may be done in one alone, and more of it in the other."""
        since = self.a.seq(self.eyes)
        self.a.apply(actor, move)
        while self.r.random() < 0.5:
            quiet = [m for m in self.b.legal(actor) if cue_for(self.b, actor, m, self.seat) is None]
            if not quiet:
                break
            self.b.apply(actor, self.r.choice(quiet))
        if self.a.seq(self.eyes) != since:
            raise PropertyFailedError(
                self.game.rules.audience, f"{move} is silent, but {seat_text(self.seat)} was told"
            )
        self._check_views_equal(since, f"after {move} of seat {actor}, which is silent")
        self.hidden += 1

    def _undo(self) -> bool:
        """Somebody takes back, in both, if it looks the same to the seat. Is anybody offered that?"""
        offered = [seat for seat in range(self.a.players) if self.a.can_undo(seat) and self.b.can_undo(seat)]
        if not offered:
            return False
        actor, since = self.r.choice(offered), self.a.seq(self.eyes)
        a, b = self.a.copy(), self.b.copy()
        undo_move(a, actor)
        undo_move(b, actor)
        if actor != self.seat and a.view(self.eyes, since)["cues"] != b.view(self.eyes, since)["cues"]:
            return False  # in one it was a silent move
        self.a, self.b = a, b
        self._check_views_equal(since, f"after seat {actor} took back")
        return True

    # --- what must be the same ----------------------------------------------------------------------------------------

    def check_worlds_equal(self) -> None:
        """What is dealt anew for the seat follows from what it may know: the same from both."""
        number = self.r.randrange(1 << 30)
        one, other = (other_world(match, self.seat, number) for match in (self.a, self.b))
        if one.state != other.state:
            raise PropertyFailedError(
                self.game.rules.determinize, f"determinize used what {seat_text(self.seat)} cannot see"
            )

    def _view(self, match: Match, since: int) -> str:
        return json.dumps(match.view(self.eyes, since))

    def _check_views_equal(self, since: int, when: str) -> None:
        self.compared += 1
        a, b = self._view(self.a, since), self._view(self.b, since)
        if a != b:
            said = f"{when} {seat_text(self.seat)} can tell: {_find_difference(json.loads(a), json.loads(b))}"
            raise PropertyFailedError(self.game.rules.reveals, said)

    def check_answers_equal(self, tries: int = 6) -> None:
        """Any move, and any moves together, get the same answer, refusals included, in both."""
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

    def check_every_answer_equal(self, most: int) -> None:
        """The same of all batches of up to three that begin with what may be done; of `most` of each length where
        there are more."""
        if self.seat == SPECTATOR:
            return
        r, count = self.r, self.game.moves.count
        legal: list[tuple[list[int], Match]] = [([], self.a)]
        for _ in range(3):
            for chosen in r.sample(range(len(legal) * count), min(len(legal) * count, most)):
                self._check_answer_equal([*legal[chosen // count][0], chosen % count])
            legal = [
                ([*batch, move], match_after(state, self.seat, move))
                for batch, state in legal
                for move in state.legal(self.seat)
            ][:most]

    def _check_answer_equal(self, batch: list[int]) -> None:
        one, other = move_response(self.a, self.seat, batch), move_response(self.b, self.seat, batch)
        if one != other:
            said = f"[{', '.join(map(self.game.moves.words, batch))}] is answered {one} or {other}"
            raise PropertyFailedError(self.game.rules.legal, said)

    def check_every_preview_equal(self, most: int) -> int:
        """The same of what up to three moves would lead to, of `most` of each length where there are more. Returns
        how many were asked for."""
        chains: list[list[int]] = [[int(move)] for move in self.a.legal(self.seat)]
        asked = 0
        for _ in range(3):
            longer = []
            for moves in self.r.sample(chains, min(len(chains), most)):
                (one, then), (other, _) = (preview_response(match, self.seat, moves) for match in (self.a, self.b))
                words = ", ".join(map(self.game.moves.words, moves))
                if one != other:
                    said = f"seat {self.seat} foresees {one} or {other} after [{words}]"
                    raise PropertyFailedError(self.game.rules.reveals, said)
                longer += [[*moves, move] for move in then]
                asked += 1
            chains = longer
        return asked

    # --- meeting again ------------------------------------------------------------------------------------------------

    def replace_twin(self) -> None:
        """From here on `b` is another world that the seat takes for `a`; what was before cannot be taken back, for
        it is not `b`'s."""
        world = other_world(self.a, self.seat, self.r.randrange(1 << 30))
        self.a, self.b = (
            start_match(self.game, self.a.players, self.a.options, position.state) for position in (self.a, world)
        )
        self._check_views_equal(self.a.seq(self.eyes), "at the beginning")


def _find_difference(a: Any, b: Any) -> Any:
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        return {key: _find_difference(a[key], b[key]) for key in a if a[key] != b[key]}
    return a, b


def is_secret(match: Match, seat: int) -> bool:
    """Return whether others may now do what this seat is not told whole."""
    return any(
        cue_for(match, actor, move, seat) != (actor, move)
        for actor in ([NOBODY] if match.chance else match.pending)
        for move in match.legal(actor)
    )


def check_twins_indistinguishable(
    game: Game, players: int, r: random.Random, steps: int, batches: int = 100
) -> tuple[int, int]:
    """Many steps in many games. Returns how many were compared, and how many of them the seat was not told whole."""
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


def check_previews_equal(game: Game, players: int, r: random.Random, wanted: int) -> None:
    """Twins at many points of many games, `wanted` answers long."""
    asked = 0
    while asked < wanted:
        twins = TwinMatches(game, players, r.randrange(players), r)
        skip = r.randrange(150)
        for number in range(400):
            if twins.a.over or asked >= wanted:
                break
            if r.random() < 0.05:
                twins.replace_twin()
            if number >= skip and twins.seat in twins.a.pending and r.random() < 0.3:
                asked += twins.check_every_preview_equal(8)
            twins.step()


def check_undo_leaves_no_trace(match: Match) -> Iterator[Match]:
    """Every seat that is offered undo takes it: all is as if its moves had never been made."""
    for seat in range(match.players):
        if not match.can_undo(seat):
            continue
        without, undone = match_without_moves(match, seat), match.copy()
        undo_move(undone, seat)
        invariants(match.game.id)(undone.state)
        reveals = match.game.rules.reveals
        if undone.state != without.state:
            raise PropertyFailedError(reveals, f"after seat {seat} took back, not all is as it was")
        for audience in (*range(match.players), None):
            seen, wanted = undone.view(audience), without.view(audience)
            if {**seen, "seq": 0, "undo": 0} != {**wanted, "seq": 0, "undo": 0}:
                raise PropertyFailedError(reveals, f"after seat {seat} took back, the view of seat {audience} tells so")
        yield undone
