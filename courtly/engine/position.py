"""A game at one point: its state, and what its rules say about it. Search, bots and tests use positions; a `Match` adds
a journal.

In the terms of the literature: `actors` are the current players, `legal` the legal actions, `outcomes` the chance
outcomes, `utility` the returns, `view` the observation, `key` the information state, and `imagine` resamples from it.

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
MoveLike = int | str  # a move: its id (a `Move` is one), or text such as "keep face=4"
WEIGHT_SUM_LIMIT = 1 << 31  # the sum of weights must be below it: random numbers have 32 bits
INVALID_PENDING = "`pending` is {}, which is neither a set of seats of this table nor CHANCE"


class CommandRefusedError(CourtlyError):
    """A command that cannot be carried out. It has changed nothing.

    Attributes:
        id: The id of a message in the catalogues, such as "error-not-your-turn".
        args_: The parameters of the message.
    """

    def __init__(self, id: str, **args: Any):
        super().__init__(f"{id} {args}" if args else id)
        self.id = id
        self.args_ = args


class Position:
    """A game at one point: a state, with the rules that apply to it.

    Args:
        game: The game.
        players: The number of players; None for the fewest that the game allows.
        options: Options and their values; the others have their defaults.
        state: The state to begin from, instead of the initial state; then `players` and `options` are not read.

    Attributes:
        decisions: How many moves led here from the initial position, copies included.
        events: How many random events led here.

    Raises:
        ValueError: The game does not have this option, value or number of players.
        BoundsError: By any method: `decisions`, `events` or the moves of a decision exceed the bounds in `game.toml`.
        RulesError: By any method: the rules of the game fail; names the author's line.
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
        self._whole = True  # False if the state only has what some seat can see
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
        """Set the attributes that depend on the game alone. They are not pickled."""
        self.rules: Any = self.game.rules
        self.moves = self.game.moves

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in self._LOOKED_UP}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._look_up()

    @classmethod
    def from_view(cls, game: Game, view: schemas.PositionView) -> Position:
        """Return the position that a view shows (see `view`). Fields that the view hides are 0; `imagine` fills them
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
        """The number of players."""
        return int(self.state.players)

    @property
    def pending(self) -> tuple[int, ...]:
        """The seats that may move, in ascending order. Several may move at the same time."""
        bits = self.state.pending
        return tuple(seat for seat in range(self.players) if bits >> seat & 1)

    @property
    def chance(self) -> bool:
        """True if a random event is due."""
        return bool(self.state.pending == CHANCE)

    @property
    def actors(self) -> tuple[int, ...]:
        """The pending seats, or (NOBODY,) if a random event is due."""
        return (NOBODY,) if self.chance else self.pending

    @property
    def over(self) -> bool:
        """True if the game is over."""
        return bool(self.state.pending == 0)

    @property
    def scores(self) -> list[int] | None:
        """Each seat's final score; None before the end. The highest score wins; equal scores share the victory."""
        return self.standing() if self.over else None

    def standing(self) -> list[int]:
        """Return the scores that the seats would have if the game were over now."""
        out = self._row(MAX_SEATS)
        self._ask("scores", out)
        return out[: self.players]

    @property
    def points(self) -> list[int]:
        """Each seat's points as players count them, without tie-breakers: the current points, or at the end those of
        the score sheet. Games without `points` in `measures.py` give the same as `standing`."""
        compute_points = getattr(self.game.measures, "points", None)
        if compute_points is None:
            return self.standing()
        out = self._row(MAX_SEATS)
        compute_points(self.state, out)
        return out[: self.players]

    @property
    def utility(self) -> list[Fraction] | None:
        """Each seat's placement as a number from -1 (last) to 1 (first), the others evenly between them. Equal scores
        share their placement. The sum is 0. None before the end."""
        scores = self.scores
        if scores is None:
            return None
        return [
            Fraction(sum((own_score > s) - (own_score < s) for s in scores), len(scores) - 1) for own_score in scores
        ]

    # --- what may be done ---------------------------------------------------------------------------------------------

    def legal(self, seat: Audience) -> list[Move]:
        """Return the legal moves of a seat, or the possible random events (seat NOBODY); none for spectators or if the
        seat is not pending.

        Raises:
            ValueError: There is no such seat.

        Examples:
            >>> import courtly
            >>> position = courtly.Position(courtly.game("necklace"), players=2)
            >>> seat = position.actors[0]
            >>> len(position.legal(seat)) > 0, position.legal(None)
            (True, [])
        """
        if seat == NOBODY:
            return [move for move, _ in self.outcomes()]
        self._sits(seat)
        if seat is None or not self.state.pending >> seat & 1:
            return []
        moves = self._row(self.moves.total)
        n = self._ask("legal", seat, moves)
        self._check_bound("moves", n)
        ids = moves[:n]
        if n < 1:
            if self._whole:
                raise self._broken("a pending seat has no legal move", "legal", seat)
            return []
        if min(ids) < 0 or max(ids) >= self.moves.count:
            raise self._broken("legal() lists a number that is not a move of MOVES", "legal", seat)
        return self.moves.named(ids)

    def legal_ids(self, seat: Audience) -> list[int]:
        """Return the same as `legal`, as plain numbers."""
        return [int(move) for move in self.legal(seat)]

    def outcomes(self) -> list[tuple[Move, int]]:
        """Return the possible random events, each with its weight: a whole number, its probability times the sum of all
        weights. Returns an empty list if no random event is due."""
        if not self.chance:
            return []
        moves, weights = self._row(self.game.room), self._row(self.game.room)
        n = self._ask("chance", moves, weights)
        ids, shares = moves[:n], weights[:n]
        if self._whole and (n < 1 or not any(shares)):
            raise self._broken("a random event is due, but chance() lists none with a weight above 0", "chance")
        if n > 0 and (min(ids) < self.moves.count or max(ids) >= self.moves.total):
            raise self._broken("chance() lists a number that is not a random event of MOVES", "chance")
        if n > 0 and (min(shares) < 0 or sum(shares) >= WEIGHT_SUM_LIMIT):
            raise self._broken("a weight of chance() is negative, or their sum is 2**31 or more", "chance")
        return list(zip(self.moves.named(ids), shares, strict=True))

    def outcome_ids(self) -> tuple[list[int], list[int]]:
        """Return the same as `outcomes`, as plain numbers: the events, and the weight of each."""
        outcomes = self.outcomes()
        return [int(event) for event, _ in outcomes], [weight for _, weight in outcomes]

    def check(self, seat: int, moves: MoveLike | Sequence[MoveLike]) -> list[int]:
        """Check whether this seat may make these moves now, in this order, and return their ids.

        Args:
            seat: The seat that moves.
            moves: A move or several: ids, `Move` objects or words such as "keep face=4".

        Raises:
            CommandRefusedError: The moves are not allowed.
        """
        self._check_seat(seat)
        move_list: Sequence[Any] = (
            moves if hasattr(moves, "__iter__") and not isinstance(moves, (int, str)) else [moves]
        )
        ids = [self._id(move) for move in move_list]
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
                number = self.moves.read(move)
            else:
                number = index(move) if hasattr(move, "__index__") and not isinstance(move, bool) else -1
            if 0 <= number < self.moves.count:
                return int(number)
        except UnknownMoveError:
            pass
        raise CommandRefusedError("error-unknown-move", move=str(move)[:40])

    def _check_legal(self, seat: int, moves: Sequence[int]) -> None:
        """Raise CommandRefusedError unless the moves are legal, one after the other.

        A move that reveals something to its player, or makes a random event due, must be the last. Otherwise the answer
        to whether the next move is legal would disclose information without the first move being made.
        """
        position = self
        for i, move in enumerate(moves):
            if move not in position.legal(seat):
                raise position._refusal(seat, move)
            if i + 1 == len(moves):
                return
            is_revealed = position.reveals(seat, move) >> seat & 1
            if not is_revealed:
                position = position.now()
                position.apply(seat, move)
            if is_revealed or position.chance:
                raise CommandRefusedError("error-unseen", move=self.moves.decode(moves[i + 1]).as_json())

    def _refusal(self, seat: int, move: int) -> CommandRefusedError:
        """Return the error for a move that is not legal, with the reason if the rules have one."""
        args: dict[str, Any] = {"move": self.moves.decode(move).as_json()}
        if reason := self.reason(seat, move):
            args["reason"] = f"{self.game.id}-refusal-{reason}"
        return CommandRefusedError("error-illegal", **args)

    def reason(self, seat: int, move: int) -> str | None:
        """Return the name of the reason why a move is not legal (one of `Game.refusals`); None if the rules give
        none."""
        number = self._ask("refusal", seat, move) if hasattr(self.rules, "refusal") else -1
        if number >= len(self.game.refusals):
            raise self._broken(f"refusal {number} is not a member of Refusal", "refusal", seat, move)
        return self.game.refusals[number] if number >= 0 else None

    def audience(self, seat: int, move: int) -> int:
        """Return the audience of a move or event that is about to happen: the bits of the seats that would see its
        arguments, or EVERYONE. If SILENT is added, the others receive no cue.

        Raises:
            ValueError: There is no such seat, or the number is not a move of a seat or, for NOBODY, an event.
        """
        self._require_move_of(seat, move)
        return int(self._ask("audience", seat, move))

    def reveals(self, seat: int, move: int) -> int:
        """Return the bits of the seats that would learn something hidden from a move that is about to be made, or
        EVERYONE.

        Raises:
            ValueError: There is no such seat, or the number is not a move of a seat or, for NOBODY, an event.
        """
        self._require_move_of(seat, move)
        return int(self._ask("reveals", seat, move))

    def _sits(self, seat: Audience) -> None:
        if seat is not None and not 0 <= seat < self.players:
            raise ValueError(f"there is no seat {seat} at a table for {self.players}")

    def _require_move_of(self, seat: int, move: int) -> None:
        """Raise ValueError unless the number is a move of a seat, or an event of NOBODY."""
        first, end = 0, self.moves.count
        if seat == NOBODY:
            first, end = end, self.moves.total
        elif not 0 <= seat < self.players:
            self._sits(seat)
        if not first <= move < end:
            raise ValueError(f"{move} is not {'an event' if first else 'a move'}: ids go from {first} to {end - 1}")

    # --- moving -------------------------------------------------------------------------------------------------------

    def play(self, seat: int, moves: MoveLike | Sequence[MoveLike]) -> object:
        """Make a move, or several in order: all of them or none.

        After a move that reveals something to its player, or makes a random event due, no other can follow in the same
        call.

        Args:
            seat: The seat that moves.
            moves: A move or several: ids, `Move` objects or words such as "keep face=4".

        Raises:
            CommandRefusedError: The moves are not allowed now; the position is unchanged.
        """
        for move in self.check(seat, moves):
            self.apply(seat, move)
        return None

    def happen(self, event_or_rng: MoveLike | Row) -> Move:
        """Let a random event happen and return it.

        Args:
            event_or_rng: The event (its id, or words such as "die face=6"), or a generator that draws it.

        Raises:
            ValueError: No random event is due, or not this one.
        """
        outcomes = self.outcomes()
        if not outcomes:
            raise ValueError("no random event is due")
        if isinstance(event_or_rng, (int, str)):
            event = self.moves.decode(self.moves.read(event_or_rng) if isinstance(event_or_rng, str) else event_or_rng)
            if event not in self.legal(NOBODY):
                raise ValueError(f"{event} cannot happen now")
        else:
            event, _ = outcomes[pick_weighted(event_or_rng, [weight for _, weight in outcomes], len(outcomes))]
        self.apply(NOBODY, event)
        return event

    def apply(self, seat: int, move: int) -> None:
        """Make a move that is known to be legal, or a random event (seat NOBODY). It is not checked.

        To undo a move, keep a copy from before it: positions have no undo, but matches do.

        Examples:
            >>> import courtly
            >>> position = courtly.Position(courtly.game("necklace"), players=2)
            >>> while position.chance:
            ...     position.apply(-1, position.legal(-1)[0])
            >>> before, seat = position.copy(), position.pending[0]
            >>> position.apply(seat, position.legal(seat)[0])
            >>> position.decisions - before.decisions
            1
        """
        if seat == NOBODY:
            self._check_bound("events", self.events + 1)
        else:
            self._check_bound("decisions", self.decisions + 1)
        self._ask("apply", seat, move)
        pending = self.state.pending
        if pending != CHANCE and pending >> self.state.players:
            raise self._broken(INVALID_PENDING.format(pending), "apply", seat, move)
        if seat == NOBODY:
            self.events += 1
        else:
            self.decisions += 1
        self._led = seat, move

    # --- faulty rules -------------------------------------------------------------------------------------------------

    def _row(self, n: int) -> list[int]:
        """Return a row of zeros for the rules to write into."""
        return [0] * n

    def _ask(self, rule: str, *args: Any) -> Any:
        """Return what a function of the rules returns for the current state. Raises RulesError if it raises an
        exception."""
        try:
            return getattr(self.rules, rule)(self.state, *args)
        except Exception as error:
            line = find_author_line(error, self.game.folder)
            raise self._broken(f"{type(error).__name__}: {error}", rule, *args, line=line) from error

    def _broken(self, problem: str, rule: str, *args: Any, line: str = "") -> RulesError:
        line = line or find_definition(getattr(self.rules, rule))
        return RulesError(self.game.id, problem, self._ply, self._describe_call(rule, args), line)

    def _check_bound(self, bound: Literal["decisions", "events", "moves"], count: int) -> None:
        """Raise BoundsError if `count` exceeds the bound for `bound` in `game.toml`."""
        limit = self.game.bounds[bound]
        if count > limit:
            problem = f"more than {limit} {bound}, the bound in game.toml"
            raise BoundsError(
                self.game.id, problem, self._ply, self._describe_call("", ()), find_bound(self.game.folder, bound)
            )

    @property
    def _ply(self) -> int:
        return self.decisions + self.events

    def _describe_call(self, rule: str, args: tuple[Any, ...]) -> str:
        """Return a description of a call of the rules: its seat and move, or else the move before it."""
        numbers = [arg for arg in args if isinstance(arg, int)]
        parts = [rule, *(f"seat {seat}" for seat in numbers[:1] if seat != NOBODY), *map(self._words, numbers[1:])]
        if len(numbers) < 2 and self._led:
            seat, move = self._led
            parts.append(f"after {self._words(move)}{'' if seat == NOBODY else f' of seat {seat}'}")
        return ", ".join(filter(None, parts))

    def _words(self, move: int) -> str:
        return self.moves.words(move) if 0 <= move < self.moves.total else f"move {move}"

    # --- what is known ------------------------------------------------------------------------------------------------

    def view(self, seat: Audience = None) -> schemas.PositionView:
        """Return what an audience may know, as JSON: its seat, the fields that it sees, the pending seats and its legal
        moves.

        Bots decide on this alone. The boards of players also receive `Game.facts`.

        Args:
            seat: The seat; None for spectators.

        Raises:
            ValueError: There is no such seat.
        """
        self._sits(seat)
        return {
            "seat": seat,
            "state": self.state.view(seat),
            "pending": list(self.pending),
            "legal": [move.as_json() for move in self.legal(seat)],
        }

    def imagine(self, seat: Audience, rng: Row) -> Position:
        """Return a position that this audience cannot tell from this one. What it cannot see is dealt again, with the
        probabilities that the audience must assume.

        Args:
            seat: The seat; None for spectators.
            rng: A generator (courtly.engine.rng).

        Raises:
            ValueError: There is no such seat.
        """
        self._sits(seat)
        world = self.now()
        world._whole = True
        world._ask("determinize", SPECTATOR if seat is None else seat, rng)
        return world

    def key(self, seat: Audience) -> Hashable:
        """Return a hashable value of what the fields show this audience, equal for positions that it cannot tell apart.

        Raises:
            ValueError: There is no such seat.
        """
        self._sits(seat)
        return seat, self.game.State.from_view(self.state.view(seat)).pack()

    def now(self) -> Position:
        """Return an independent copy of the position; of a match, without its journal."""
        return self._with(self.state.copy())

    def copy(self) -> Self:
        """Return an independent copy."""
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other.state = self.state.copy()
        return other

    def __copy__(self) -> Self:
        return self.copy()

    def _with(self, state: StateBase) -> Position:
        """Return a position with another state and the same counts of decisions and events."""
        other = Position(self.game, state=state)
        other.decisions, other.events = self.decisions, self.events
        other._led, other._whole = self._led, self._whole
        return other
