"""A game at one point: its state, and all that its rules say of it. Search, bots and tests stand on this; a `Match`
adds a journal.
In the field's words: `actors` are the current players, `legal` the legal actions, `outcomes` the chance outcomes,
`utility` the returns, `view` the observation, `key` the information state, and `imagine` resamples from it.

    position, rng = Position(find_game("cardinal"), players=3), make_generator(7)
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
from fractions import Fraction
from operator import index
from typing import Any, ClassVar, Literal, Self

from courtly.engine import schemas
from courtly.engine.constants import CHANCE, MAX_SEATS, NOBODY, SPECTATOR
from courtly.engine.errors import CourtlyError, RulesError, find_author_line, find_bound, find_definition
from courtly.engine.game import BoundsError, Game
from courtly.engine.moves import Move, UnknownMoveError
from courtly.engine.rng import Row, pick_weighted
from courtly.engine.state import StateBase

Audience = int | None  # a seat, or None for the spectators
MoveLike = int | str  # a move: its id (a `Move` is one), or words such as "keep face=4"
WEIGHT_SUM_LIMIT = 1 << 31  # what weights may not add up to: random numbers have 32 bits
INVALID_PENDING = "`pending` is {}, which is neither seats of this table nor CHANCE"


class CommandRefusedError(CourtlyError):
    """A command that cannot be carried out: a message id and its parameters. Nothing was changed."""

    def __init__(self, id: str, **args: Any):
        super().__init__(f"{id} {args}" if args else id)
        self.id = id
        self.args_ = args


class Position:
    """`Position(game, players, options)` is the game before anything has happened; `state` is one to begin from
    instead.

    `players` defaults to the fewest. ValueError if an option or a number of players is not offered.

    `decisions` and `events` count what was done since, here and in copies. BoundsError if that, or the moves open to
    a seat, are more than the game's `bounds`; RulesError, which that is one of, says the author's line wherever the
    rules fail.
    """

    _LOOKED_UP: ClassVar[frozenset[str]] = frozenset({"rules", "moves"})

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        options: Mapping[str, int] | None = None,
        *,
        state: StateBase | None = None,
    ):
        self.game = game
        self._look_up()
        self.decisions = 0
        self.events = 0
        self._led: tuple[int, int] | None = None  # the seat and the move that led here
        self._whole = True  # or else it shows only what some seat may see
        if state is None:
            if players is None:
                players = game.players[0]
            if not hasattr(players, "__index__") or players not in game.players:
                raise ValueError(f"{game.id} is for {', '.join(map(str, game.players))} players, not {players!r}")
            self.state = game.State(players=players, **(options or {}))
            self._ask("setup")
        else:
            self.state = state

    def _look_up(self) -> None:
        """Set the attributes that follow from the game alone. They are not part of a pickle."""
        self.rules: Any = self.game.rules
        self.moves = self.game.moves

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in self._LOOKED_UP}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        self._look_up()

    @classmethod
    def from_view(cls, game: Game, view: schemas.PositionView) -> Position:
        """The position that a view shows (see `view`), with nothing where it hides something: `imagine` fills that
        in."""
        position = Position(game, state=game.State.from_view(view["state"]))
        position._whole = False
        return position

    @property
    def packed(self) -> bytes:
        """The state's stored fields as bytes: see `StateBase.unpack`."""
        return self.state.pack()

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
        return self.standing() if self.over else None

    def standing(self) -> list[int]:
        """What the scores would be if the game were over now."""
        out = self._row(MAX_SEATS)
        self._ask("scores", out)
        return out[: self.players]

    @property
    def points(self) -> list[int]:
        """Each seat's points as players count them, without what breaks ties: at any time how it stands, in the end
        what the score sheet says. As `standing`, where a game does not tell."""
        told = getattr(self.game.measures, "points", None)
        if told is None:
            return self.standing()
        out = self._row(MAX_SEATS)
        told(self.state, out)
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
        """The moves open to a seat; what may happen, for NOBODY; none for spectators. ValueError if there is no such
        seat."""
        if seat == NOBODY:
            return [move for move, _ in self.outcomes()]
        self._sits(seat)
        if seat is None or not self.state.pending >> seat & 1:
            return []
        moves = self._row(self.moves.total)
        n = self._ask("legal", seat, moves)
        self._hold("moves", n)
        found = moves[:n]
        if n < 1:
            if self._whole:
                raise self._broken("a seat that is to move has no legal move", "legal", seat)
            return []
        if min(found) < 0 or max(found) >= self.moves.count:
            raise self._broken("a move is offered that is none of the game's", "legal", seat)
        return self.moves.named(found)

    def legal_ids(self, seat: Audience) -> list[int]:
        """The same, as plain numbers."""
        return [int(move) for move in self.legal(seat)]

    def outcomes(self) -> list[tuple[Move, int]]:
        """What may happen when a random event is due, each with its weight: a whole number, the chance being its
        share of their sum."""
        if not self.chance:
            return []
        moves, weights = self._row(self.game.room), self._row(self.game.room)
        n = self._ask("chance", moves, weights)
        found, shares = moves[:n], weights[:n]
        if self._whole and (n < 1 or not any(shares)):
            raise self._broken("a random event is due and none can happen", "chance")
        if n > 0 and (min(found) < self.moves.count or max(found) >= self.moves.total):
            raise self._broken("what may happen is none of the game's events", "chance")
        if n > 0 and (min(shares) < 0 or sum(shares) >= WEIGHT_SUM_LIMIT):
            raise self._broken("a weight is below 0, or they add up to 2**31 or more", "chance")
        return list(zip(self.moves.named(found), shares, strict=True))

    def outcome_ids(self) -> tuple[list[int], list[int]]:
        """The same, as plain numbers: the events, and the weight of each."""
        outcomes = self.outcomes()
        return [int(event) for event, _ in outcomes], [weight for _, weight in outcomes]

    def check(self, seat: int, moves: MoveLike | Sequence[MoveLike]) -> list[int]:
        """Refused, with the reason, unless this seat may make these moves in this order now. Returns their ids."""
        self._check_seat(seat)
        several: Sequence[Any] = moves if hasattr(moves, "__iter__") and not isinstance(moves, (int, str)) else [moves]
        ids = [self._id(move) for move in several]
        if not ids:
            raise CommandRefusedError("error-unknown-move", move="")
        if seat not in self.pending:
            raise CommandRefusedError("error-not-your-turn")
        self._check_legal(seat, ids)
        return ids

    def _check_seat(self, seat: int) -> None:
        if self.over:
            raise CommandRefusedError("error-over")
        if not 0 <= seat < self.players:
            raise CommandRefusedError("error-unknown-seat", seat=seat)

    def _id(self, move: Any) -> int:
        try:
            if isinstance(move, str):
                found = self.moves.read(move)
            else:
                found = index(move) if hasattr(move, "__index__") and not isinstance(move, bool) else -1
            if 0 <= found < self.moves.count:
                return int(found)
        except UnknownMoveError:
            pass
        raise CommandRefusedError("error-unknown-move", move=str(move)[:40])

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
                raise CommandRefusedError("error-unseen", move=self.moves.decode(moves[i + 1]).as_json())

    def _refusal(self, seat: int, move: int) -> CommandRefusedError:
        """Why this seat may not make this move, which is not legal."""
        args: dict[str, Any] = {"move": self.moves.decode(move).as_json()}
        if reason := self.reason(seat, move):
            args["reason"] = f"{self.game.id}-refusal-{reason}"
        return CommandRefusedError("error-illegal", **args)

    def reason(self, seat: int, move: int) -> str | None:
        """What the rules say of a move that is not legal, as texts name it; None if they say nothing."""
        number = self._ask("refusal", seat, move) if hasattr(self.rules, "refusal") else -1
        if number >= len(self.game.refusals):
            raise self._broken(f"refusal {number} is none of Refusal", "refusal", seat, move)
        return self.game.refusals[number] if number >= 0 else None

    def audience(self, seat: int, move: int) -> int:
        """Before a move or event: the bits of the seats that would see its arguments, EVERYONE for all; with SILENT
        the others notice nothing. ValueError if there is no such seat, or no such move of a seat or event."""
        self._belongs(seat, move)
        return int(self._ask("audience", seat, move))

    def reveals(self, seat: int, move: int) -> int:
        """Before a move: the bits of the seats that would learn something hidden by it, EVERYONE for all. ValueError as
        above."""
        self._belongs(seat, move)
        return int(self._ask("reveals", seat, move))

    def _sits(self, seat: Audience) -> None:
        if seat is not None and not 0 <= seat < self.players:
            raise ValueError(f"there is no seat {seat} at a table for {self.players}")

    def _belongs(self, seat: int, move: int) -> None:
        """Is this a move of a seat, or an event of NOBODY's?"""
        first, end = 0, self.moves.count
        if seat == NOBODY:
            first, end = end, self.moves.total
        elif not 0 <= seat < self.players:
            self._sits(seat)
        if not first <= move < end:
            raise ValueError(f"{move} is no {'event' if first else 'move'}: they go from {first} to {end - 1}")

    # --- moving -------------------------------------------------------------------------------------------------------

    def play(self, seat: int, moves: MoveLike | Sequence[MoveLike]) -> object:
        """Make a move, or several in order: all or none. CommandRefusedError says what is wrong and changes nothing.

        After a move that shows its player something, or lets chance act, no other can follow in the same call.
        """
        for move in self.check(seat, moves):
            self.apply(seat, move)
        return None

    def happen(self, what: MoveLike | Row) -> Move:
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
            event, _ = outcomes[pick_weighted(what, [weight for _, weight in outcomes], len(outcomes))]
        self.apply(NOBODY, event)
        return event

    def apply(self, seat: int, move: int) -> None:
        """Make a move that is known to be legal, or let an event happen (seat NOBODY)."""
        if seat == NOBODY:
            self._hold("events", self.events + 1)
        else:
            self._hold("decisions", self.decisions + 1)
        self._ask("apply", seat, move)
        pending = self.state.pending
        if pending != CHANCE and pending >> self.state.players:
            raise self._broken(INVALID_PENDING.format(pending), "apply", seat, move)
        if seat == NOBODY:
            self.events += 1
        else:
            self.decisions += 1
        self._led = seat, move

    # --- rules that fail ----------------------------------------------------------------------------------------------

    def _row(self, n: int) -> list[int]:
        """What the rules write into."""
        return [0] * n

    def _ask(self, rule: str, *args: Any) -> Any:
        """What one of the rules says of the state as it is. RulesError if it cannot."""
        try:
            return getattr(self.rules, rule)(self.state, *args)
        except Exception as wrong:
            line = find_author_line(wrong, self.game.folder)
            raise self._broken(f"{type(wrong).__name__}: {wrong}", rule, *args, line=line) from wrong

    def _broken(self, what: str, rule: str, *args: Any, line: str = "") -> RulesError:
        line = line or find_definition(getattr(self.rules, rule))
        return RulesError(self.game.id, what, self._ply, self._doing(rule, args), line)

    def _hold(self, what: Literal["decisions", "events", "moves"], count: int) -> None:
        """BoundsError if there are more of these than there can be."""
        most = self.game.bounds[what]
        if count > most:
            told = f"more than {most} {what}, the most there can be"
            raise BoundsError(self.game.id, told, self._ply, self._doing("", ()), find_bound(self.game.folder, what))

    @property
    def _ply(self) -> int:
        return self.decisions + self.events

    def _doing(self, rule: str, args: tuple[Any, ...]) -> str:
        """What is asked of the rules, in words: of which seat and move, or else after which."""
        about = [arg for arg in args if isinstance(arg, int)]
        asked = [rule, *(f"seat {seat}" for seat in about[:1] if seat != NOBODY), *map(self._words, about[1:])]
        if len(about) < 2 and self._led:
            seat, move = self._led
            asked.append(f"after {self._words(move)}{'' if seat == NOBODY else f' of seat {seat}'}")
        return ", ".join(filter(None, asked))

    def _words(self, move: int) -> str:
        return self.moves.words(move) if 0 <= move < self.moves.total else f"move {move}"

    # --- what is known ------------------------------------------------------------------------------------------------

    def view(self, seat: Audience = None) -> schemas.PositionView:
        """What an audience may know: its seat, the fields it sees, who may move, and its own legal moves, as JSON. Bots
        decide from this; people's boards get `Game.facts` with it. ValueError if there is no such seat."""
        self._sits(seat)
        return {
            "seat": seat,
            "state": self.state.view(seat),
            "pending": list(self.pending),
            "legal": [move.as_json() for move in self.legal(seat)],
        }

    def imagine(self, seat: Audience, rng: Row) -> Position:
        """A position that this audience cannot tell from this one: what it cannot see is dealt anew, as it may
        believe it to be. ValueError if there is no such seat."""
        self._sits(seat)
        world = self.now()
        world._whole = True
        world._ask("determinize", SPECTATOR if seat is None else seat, rng)
        return world

    def key(self, seat: Audience) -> Hashable:
        """What the fields show this audience, hashable: equal for positions that it cannot tell apart.
        ValueError if there is no such seat."""
        self._sits(seat)
        return seat, self.game.State.from_view(self.state.view(seat)).pack()

    def now(self) -> Position:
        """The position as it is now, on its own: of a match, without its journal."""
        return self._with(self.state.copy())

    def copy(self) -> Self:
        """An independent copy."""
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other.state = self.state.copy()
        return other

    def __copy__(self) -> Self:
        return self.copy()

    def _with(self, state: StateBase) -> Position:
        """Another state after as many decisions and events."""
        other = Position(self.game, state=state)
        other.decisions, other.events = self.decisions, self.events
        other._led, other._whole = self._led, self._whole
        return other
