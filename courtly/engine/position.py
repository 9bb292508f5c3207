"""A game at one point: its state, and all that its rules say of it. Search, bots and tests stand on this; a `Match`
adds a journal.

    position, rng = Position(find_game("cardinal"), players=3), generator(7)
    while not position.over:
        if position.chance:
            position.happen(rng)
        else:
            seat = position.pending[0]
            position.play(seat, position.legal(seat)[0])
    print(position.scores)
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from copy import copy
from fractions import Fraction
from typing import Any, Literal, Self

from courtly.engine import shapes
from courtly.engine.chance import Row, pick
from courtly.engine.game import CHANCE, MOST_SEATS, NOBODY, SPECTATOR, BeyondBounds, Game
from courtly.engine.moves import Move, UnknownMove
from courtly.engine.record import Record

Audience = int | None  # a seat, or None for the spectators
Wish = int | str  # a move: its id (a `Move` is one), or words such as "keep face=4"


class Refused(Exception):
    """A command that cannot be carried out: a message id and its parameters. Nothing was changed."""

    def __init__(self, id: str, **args: Any):
        super().__init__(f"{id} {args}" if args else id)
        self.id = id
        self.args_ = args


class Position:
    """`Position(game, players, options)` is the game before anything has happened; `state` is one to begin from
    instead.

    `players` defaults to the fewest. ValueError if an option or a number of players is not offered.

    `decisions` and `events` count what was done since, here and in copies. BeyondBounds if that, or the moves open to
    a seat, are more than the game's `bounds`.
    """

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        options: Mapping[str, int] | None = None,
        *,
        state: Record | None = None,
    ):
        self.game = game
        self.rules = game.rules
        self.moves = game.moves
        if state is None:
            if players is None:
                players = game.players[0]
            if not isinstance(players, int) or players not in game.players:
                raise ValueError(f"{game.id} is for {', '.join(map(str, game.players))} players, not {players!r}")
            state = game.State(players=players, **(options or {}))
            self.rules.setup(state)
        self.state = state
        self.decisions = 0
        self.events = 0

    @classmethod
    def from_view(cls, game: Game, view: shapes.Glance) -> Position:
        """The position that a view shows (see `view`), with nothing where it hides something: `imagine` fills that
        in."""
        return Position(game, state=game.State.from_view(view["state"]))

    # --- whose turn it is ---------------------------------------------------------------------------------------------

    @property
    def players(self) -> int:
        return int(self.state.players)

    @property
    def pending(self) -> tuple[int, ...]:
        """The seats that may move."""
        bits = self.state.pending
        return tuple(seat for seat in range(self.players) if bits >> seat & 1)

    @property
    def chance(self) -> bool:
        """Is a random event due?"""
        return bool(self.state.pending == CHANCE)

    @property
    def actors(self) -> tuple[int, ...]:
        """Who may act: the pending seats, or NOBODY when a random event is due."""
        return (NOBODY,) if self.chance else self.pending

    @property
    def over(self) -> bool:
        return bool(self.state.pending == 0)

    @property
    def scores(self) -> list[int] | None:
        """Each seat's final score, or None before the end. The highest wins, equals share."""
        if not self.over:
            return None
        out = [0] * MOST_SEATS
        self.rules.scores(self.state, out)
        return out[: self.players]

    @property
    def utility(self) -> list[Fraction] | None:
        """Each seat's place as a number from -1, the last, to 1, the first, the others evenly between; equals share.
        Their sum is 0. None before the end."""
        scores = self.scores
        if scores is None:
            return None
        return [Fraction(sum((own > s) - (own < s) for s in scores), len(scores) - 1) for own in scores]

    # --- what may be done ---------------------------------------------------------------------------------------------

    def legal(self, seat: Audience) -> list[Move]:
        """The moves open to a seat; what may happen, for NOBODY; none for spectators."""
        if seat == NOBODY:
            return [move for move, _ in self.outcomes()]
        if seat is None or not self.state.pending >> seat & 1:
            return []
        moves = self.moves.listed(self.rules.legal, self.state, seat)
        self._hold("moves", len(moves))
        return self.moves.named(moves)

    def outcomes(self) -> list[tuple[Move, int]]:
        """What may happen when a random event is due, each with its weight: a whole number, the chance being its
        share of their sum."""
        if not self.chance:
            return []
        moves, weights = [0] * self.game.room, [0] * self.game.room
        n = self.rules.chance(self.state, moves, weights)
        return list(zip(self.moves.named(moves[:n]), weights, strict=False))

    def check(self, seat: int, moves: Wish | Sequence[Wish]) -> list[int]:
        """Refused, with the reason, unless this seat may make these moves in this order now. Returns their ids."""
        self._check_seat(seat)
        ids = [self._id(move) for move in ([moves] if isinstance(moves, (int, str)) else moves)]
        if not ids:
            raise Refused("error-unknown-move", move="")
        if seat not in self.pending:
            raise Refused("error-not-your-turn")
        self._check_legal(seat, ids)
        return ids

    def _check_seat(self, seat: int) -> None:
        if self.over:
            raise Refused("error-over")
        if not 0 <= seat < self.players:
            raise Refused("error-unknown-seat", seat=seat)

    def _id(self, move: Any) -> int:
        try:
            if isinstance(move, str):
                found = self.moves.read(move)
            else:
                found = move if isinstance(move, int) and not isinstance(move, bool) else -1
            if 0 <= found < self.moves.count:
                return int(found)
        except UnknownMove:
            pass
        raise Refused("error-unknown-move", move=str(move)[:40])

    def _check_legal(self, seat: int, moves: Sequence[int]) -> None:
        """Refused unless the moves are legal one after the other. Nothing may follow a move that shows its player
        something or sets chance in motion: whether the next one is legal would tell, with nothing done, what only the
        first one done may tell."""
        position = self
        for i, move in enumerate(moves):
            if move not in position.legal(seat):
                raise position._refusal(seat, move)
            if i + 1 == len(moves):
                return
            shown = position.reveals(seat, move) >> seat & 1
            if not shown:
                position = position.now()
                position.apply(seat, move)
            if shown or position.chance:
                raise Refused("error-unseen", move=self.moves.decode(moves[i + 1]).as_json())

    def _refusal(self, seat: int, move: int) -> Refused:
        """Why this seat may not make this move, which is not legal."""
        args: dict[str, Any] = {"move": self.moves.decode(move).as_json()}
        if hasattr(self.rules, "refusal"):
            reason = self.rules.refusal(self.state, seat, move)
            if reason >= 0:
                args["reason"] = f"{self.game.id}-refusal-{self.game.refusals[reason]}"
        return Refused("error-illegal", **args)

    def audience(self, seat: int, move: int) -> int:
        """Before a move or event: the bits of the seats that would see its arguments, EVERYONE for all; with SILENT
        the others notice nothing."""
        return int(self.rules.audience(self.state, seat, move))

    def reveals(self, seat: int, move: int) -> int:
        """Before a move: the bits of the seats that would learn something hidden by it, EVERYONE for all."""
        return int(self.rules.reveals(self.state, seat, move))

    # --- moving -------------------------------------------------------------------------------------------------------

    def play(self, seat: int, moves: Wish | Sequence[Wish]) -> object:
        """Make a move, or several in order: all or none. Refused says what is wrong and changes nothing.

        After a move that shows its player something, or lets chance act, no other can follow in the same call.
        """
        for move in self.check(seat, moves):
            self.apply(seat, move)
        return None

    def happen(self, what: Wish | Row) -> Move:
        """Let the random event that is due happen: this one, or one drawn with this generator. ValueError if it
        cannot happen."""
        outcomes = self.outcomes()
        if not outcomes:
            raise ValueError("no random event is due")
        if isinstance(what, (int, str)):
            event = self.moves.decode(self.moves.read(what) if isinstance(what, str) else what)
            if event not in self.legal(NOBODY):
                raise ValueError(f"{event} cannot happen now")
        else:
            event, _ = outcomes[pick(what, [weight for _, weight in outcomes], len(outcomes))]
        self.apply(NOBODY, event)
        return event

    def apply(self, seat: int, move: int) -> None:
        """Make a move that is known to be legal, or let an event happen (seat NOBODY)."""
        if seat == NOBODY:
            self._hold("events", self.events + 1)
            self.events += 1
        else:
            self._hold("decisions", self.decisions + 1)
            self.decisions += 1
        self.rules.apply(self.state, seat, move)

    def _hold(self, what: Literal["decisions", "events", "moves"], count: int) -> None:
        """BeyondBounds if there are more of these than there can be."""
        most = self.game.bounds[what]
        if count > most:
            raise BeyondBounds(f"{self.game.id} has more than {most} {what}, the most there can be")

    # --- what is known ------------------------------------------------------------------------------------------------

    def view(self, seat: Audience = None) -> shapes.Glance:
        """What an audience may know: its seat, the fields it sees, who may move, and its own legal moves, as JSON. Bots
        decide from this; people's boards get `Game.facts` with it."""
        return {
            "seat": seat,
            "state": self.state.view(seat),
            "pending": list(self.pending),
            "legal": [move.as_json() for move in self.legal(seat)],
        }

    def imagine(self, seat: Audience, rng: Row) -> Position:
        """A position that this audience cannot tell from this one: what it cannot see is dealt anew, as it may
        believe it to be."""
        state = self.state.copy()
        self.rules.determinize(state, SPECTATOR if seat is None else seat, rng)
        return self._with(state)

    def key(self, seat: Audience) -> Hashable:
        """What the fields show this audience, hashable: equal for positions that it cannot tell apart."""
        return seat, self.game.State.from_view(self.state.view(seat)).pack()

    def now(self) -> Position:
        """The position as it is now, on its own: of a match, without its journal."""
        return self._with(self.state.copy())

    def copy(self) -> Self:
        """An independent copy."""
        other = copy(self)
        other.state = self.state.copy()
        return other

    def _with(self, state: Record) -> Position:
        """Another state after as many decisions and events."""
        other = Position(self.game, state=state)
        other.decisions, other.events = self.decisions, self.events
        return other
