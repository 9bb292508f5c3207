"""Every game for OpenSpiel. Importing `courtly.adapters.openspiel` registers `courtly_petition`, `courtly_cardinal` and
so on, one for each installed game.

    game = pyspiel.load_game("courtly_necklace(players=3,tie_break=1)")

The parameters are the number of players and the game's options. Simultaneous choices are made one after another, from
the lowest seat up; a secret choice is revealed after all have chosen. Random events are chance nodes with their exact
probabilities; an outcome's number is the event's, counted from the first event. Returns are places: 1 for the first, -1
for the last, the others evenly between; tied seats share.

An information state is everything that a seat has been shown: a line for each move and event, as far as the seat may
know it, followed by a line of JSON with the changes of what it sees if the move or event revealed something to it. An
observation is what the seat sees now; its numbers are those of `courtly.adapters.observation`.

Illegal requests raise `pyspiel.SpielError` and change nothing.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from functools import cache
from itertools import chain
from operator import add, index
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from courtly.adapters.env_view import EnvView
from courtly.adapters.observation import get_encoder
from courtly.engine.constants import EVERYONE, NOBODY, SILENT
from courtly.engine.game import Game, find_game, game_ids
from courtly.engine.native import loader
from courtly.engine.native.native_position import make_fastest_position
from courtly.engine.position import Position
from courtly.engine.rng import make_generator, seed_generator
from courtly.engine.state import StateBase

CHANCE, OVER = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
MAX_INFORMATION_STATE_NUMBERS = 4096  # games whose information state is larger have no information state tensor


# --- what seats have been shown ---------------------------------------------------------------------------------------


class SeatHistories:
    """What each seat has been shown so far, and last the spectators: an immutable linked list of lines, rendered on
    demand.

    States share common prefixes, since otherwise a game's memory would grow with the square of its length: rendered
    text is stored in parts, each at least twice as long as the next.
    """

    __slots__ = ("_game", "_before", "_entry", "_parts")

    def __init__(self, game: Game, texts: tuple[str, ...]):
        self._game = game
        self._before: SeatHistories | None = None  # None once rendered
        self._entry: tuple[int, str, str, bytes, bytes] | None = None
        self._parts: tuple[tuple[str, ...], ...] | None = (texts,)

    def append(
        self, bits: int, text: str, otherwise: str = "", before: bytes = b"", after: bytes = b""
    ) -> SeatHistories:
        """Return a history with one more entry: the line `text` for the seats of `bits`, `otherwise` for the others.
        With packed states `before` and `after`, the seats of `bits` see the difference instead."""
        other = object.__new__(SeatHistories)
        other._game, other._before, other._parts = self._game, self, None
        other._entry = bits, text, otherwise, before, after
        return other

    def text(self, seat: int) -> str:
        """Return everything that a seat has been shown; -1 for spectators."""
        return "".join([part[seat] for part in self._texts()])

    def texts(self) -> tuple[str, ...]:
        """Return everything that each seat has been shown, and last the spectators."""
        return tuple(map("".join, zip(*self._texts(), strict=True)))

    def _texts(self) -> tuple[tuple[str, ...], ...]:
        if self._parts is not None:
            return self._parts
        unwritten, history = [], self
        while True:
            before, entry = history._before, history._entry
            parts = history._parts  # read last: another thread may be rendering it now
            if parts is not None:
                break
            assert before is not None and entry is not None
            unwritten.append(entry)
            history = before
        everybody = range(len(parts[0]))
        texts: list[list[str]] = [[] for _ in everybody]
        for bits, text, otherwise, state_before, state_after in reversed(unwritten):
            new_fields = _new_fields_text(self._game, bits, state_before, state_after) if state_after else ()
            for seat in everybody:
                texts[seat].append(new_fields[seat] if new_fields else text if bits >> seat & 1 else otherwise)
        last, longer = tuple(map("".join, texts)), [*parts]
        while longer and sum(map(len, longer[-1])) < 2 * sum(map(len, last)):
            last = tuple(map(add, longer.pop(), last))
        self._parts = parts = (*longer, last)
        self._before = self._entry = None
        return parts


def _new_fields_text(game: Game, learn: int, before: bytes, after: bytes) -> tuple[str, ...]:
    """Return for each seat, and last the spectators, the line of JSON with the visible fields that changed; "" for
    audiences outside `learn`."""
    state_before, state_after = map(game.State.unpack, (before, after))
    lines = []
    for seat in range(state_after.players + 1):
        visible_before = _visible_state(game, state_before, seat)
        changed = {
            name: value
            for name, value in _visible_state(game, state_after, seat).items()
            if value != visible_before[name]
        }
        learns = learn < 0 or seat < state_after.players and learn >> seat & 1
        lines.append(f"\n{_state_text(changed)}" if learns else "")
    return tuple(lines)


@cache
def _cue_texts(game: Game) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Return a pair of lines for each move and event, for each seat and last for chance: what audiences see that may
    know all of it, and what the others see."""
    unseen = [game.moves.unseen(move) for move in range(game.moves.total)]
    words = tuple(
        (game.moves.words(move), " ".join([verb, *(f"{name}={value}" for name, value in (public_args or {}).items())]))
        for move, (verb, public_args) in enumerate(unseen)
    )
    return tuple(
        tuple((f"\n{actor} {full_text}", f"\n{actor} {partial_text}") for full_text, partial_text in words)
        for actor in (*range(game.players[-1]), "chance")
    )


@cache
def _visible_fields(game: Game) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of public fields, without the constant options, and of private fields."""
    stored = game.State.stored
    return (
        tuple(f.name for f in stored if f.visible == "public" and not f.option),
        tuple(f.name for f in stored if f.visible == "private"),
    )


def _visible_state(
    game: Game, state: StateBase, seat: int, public: bool = True, private: bool = True
) -> dict[str, Any]:
    """Return what a seat sees. The seat after the last stands for spectators."""
    shared, own = _visible_fields(game)
    values = {name: getattr(state, name) for name in shared} if public else {}
    if private and seat < state.players:
        values |= {name: getattr(state, name)[seat] for name in own}
    return values


def _state_text(values: dict[str, Any]) -> str:
    return json.dumps(values, separators=(",", ":")) if values else ""


class HistoryEncoder:
    """An information state as numbers: a one-hot seat, then a row for each line.

    A row begins with the actor (1 chance, 2 seat 0, 3 seat 1, …; -1 for a line of JSON) and the index of its text among
    all texts of the game. The changed fields follow, each number at the place of its field.
    """

    def __init__(self, game: Game, players: int):
        self._players = players
        self._line_numbers = {
            words: number for number, words in enumerate(dict.fromkeys(chain(*_cue_texts(game)[0])), 1)
        }
        self._places: dict[str, int] = {}
        self._width = 2
        for name in chain(*_visible_fields(game)):
            f = game.State.fields[name]
            self._places[name] = self._width
            self._width += f.length // f.shape[0] if f.visible == "private" else f.length
        lines = 2 * (game.bounds["decisions"] + game.bounds["events"]) + 1
        self.size = players + lines * self._width

    def encode(self, text: str, seat: int, out: NDArray[np.float32]) -> None:
        """Write an information state as numbers.

        Args:
            text: The information state's text.
            seat: The seat that it belongs to.
            out: float32, shape (size,), which is overwritten.
        """
        out[:] = 0
        out[seat] = 1
        for n, line in enumerate(text.split("\n")[1:]):
            row = out[self._players + n * self._width :][: self._width]
            if line.startswith("{"):
                row[0] = -1
                for name, value in json.loads(line).items():
                    numbers = np.ravel(value)
                    row[self._places[name] :][: len(numbers)] = numbers
            elif line:
                actor, _, words = line.partition(" ")
                row[:2] = 1 if actor == "chance" else 2 + int(actor), self._line_numbers[f"\n0 {words}"]


# --- one line of play -------------------------------------------------------------------------------------------------


class GameLine:
    """A position with the histories of its seats. Forks share the position until one of them moves.

    `seat` is the seat to move, CHANCE or OVER.
    """

    __slots__ = ("position", "histories", "seat", "_cues", "_open", "_weights", "_is_shared")

    def __init__(self, position: Position, histories: SeatHistories):
        self.position, self.histories = position, histories
        self._cues, self._is_shared = _cue_texts(position.game), False
        self._weights: list[int] = []  # of the possible events
        self._find_options()

    def _find_options(self) -> None:
        position = self.position
        self._open: list[int] | None = None
        self.seat = CHANCE if position.chance else OVER if position.over else position.pending[0]

    def fork(self) -> GameLine:
        """Return a copy that shares the position until one of the two moves."""
        other = object.__new__(GameLine)
        other.position, other.histories, other.seat = self.position, self.histories, self.seat
        other._cues, other._open, other._weights = self._cues, self._open, self._weights
        other._is_shared = self._is_shared = True
        return other

    def __deepcopy__(self, memo: Any) -> GameLine:  # OpenSpiel's way to copy a state
        return self.fork()

    def __reduce__(self) -> Any:  # OpenSpiel's way to store a state
        position = self.position
        stored = position.game.id, position.packed, position.decisions, position.events, self.histories.texts()
        return _restore_line, stored

    def open(self) -> list[int]:
        """Return the legal moves, or the events with a positive weight, in ascending order. Callers must not modify the
        list."""
        if self._open is None:
            if self.seat == CHANCE:
                self._open, self._weights = self.position.outcome_ids()
                if 0 in self._weights or sorted(self._open) != self._open:
                    weighted_events = sorted(zip(self._open, self._weights, strict=True))
                    self._open = [event for event, weight in weighted_events if weight]
                    self._weights = [weight for _, weight in weighted_events if weight]
            else:
                self._open = sorted(self.position.legal_ids(self.seat)) if self.seat >= 0 else []
        return self._open

    def outcomes(self) -> list[tuple[int, float]]:
        """Return the possible events, counted from the first event, with their probabilities; [] unless it is a chance
        node."""
        if self.seat != CHANCE:
            return []
        events, first = self.open(), self.position.moves.count
        total = sum(self._weights)
        return [(event - first, weight / total) for event, weight in zip(events, self._weights, strict=True)]

    def apply(self, move: int) -> None:
        """Apply a move or an event and record what each seat is shown. Raises SpielError if it is not legal."""
        if move not in self.open():
            raise self._refusal(move)
        if self._is_shared:
            self.position, self._is_shared = self.position.copy(), False
        position, seat = self.position, NOBODY if self.seat == CHANCE else self.seat
        audience, learn = EVERYONE, 0
        if position.game.hidden:
            audience, learn = position.audience(seat, move), position.reveals(seat, move)
        before = position.packed if learn else b""
        position.apply(seat, move)
        self._append_cue(seat, move, audience)
        if learn:
            self._append_new_fields(learn, before)
        self._find_options()

    def _append_cue(self, seat: int, move: int, audience: int) -> None:
        full_text, partial_text = self._cues[seat][move]  # NOBODY comes last
        if audience < 0:
            self.histories = self.histories.append(-1, full_text)
        else:
            knowing_seats = audience & ~SILENT | (0 if seat == NOBODY else 1 << seat)
            self.histories = self.histories.append(knowing_seats, full_text, "" if audience & SILENT else partial_text)

    def _append_new_fields(self, learn: int, before: bytes) -> None:
        self.histories = self.histories.append(learn, "", "", before, self.position.packed)

    def _refusal(self, move: int) -> pyspiel.SpielError:
        game, actor = self.position.game, "chance" if self.seat == CHANCE else f"seat {self.seat}"
        if self.seat == OVER:
            return pyspiel.SpielError(f"{game.id} is over: no action is legal")
        action = move - game.moves.count if self.seat == CHANCE else move
        move_text = f" ({game.moves.words(move)})" if 0 <= move < game.moves.total else ""
        return pyspiel.SpielError(f"{game.id}: action {action}{move_text} is not legal for {actor} now")

    def imagine(self, seat: int, number: int) -> GameLine:
        """Return another line that this seat cannot tell from this one.

        The other seats' histories contain what spectators were shown, and what each now sees of its own fields.

        Args:
            seat: The seat that cannot tell the lines apart.
            number: Seed of the world: the same number gives the same world.
        """
        world, history_texts = self.position.imagine(seat, make_generator(number)), self.histories.texts()
        own_views = [_visible_state(world.game, world.state, other, public=False) for other in range(world.players)]
        texts = [f"{history_texts[-1]}\n{_state_text(hand)}" for hand in own_views]
        texts[seat] = history_texts[seat]
        return GameLine(world, SeatHistories(world.game, (*texts, history_texts[-1])))


def _restore_line(name: str, packed: bytes, decisions: int, events: int, texts: tuple[str, ...]) -> GameLine:
    game = find_game(name)
    position = make_fastest_position(game, state=game.State.unpack(packed))
    position.decisions, position.events = decisions, events
    return GameLine(position, SeatHistories(game, texts))


# --- OpenSpiel's interface --------------------------------------------------------------------------------------------


class CourtlyGame(pyspiel.Game):
    """A Courtly game as `pyspiel.Game`; `register` makes a subclass for each game.

    Raises:
        pyspiel.SpielError: The game does not offer a parameter's value.
    """

    courtly: Game
    kind: Any

    def __init__(self, params: dict[str, Any] | None = None):
        game, options = self.courtly, dict(params or {})
        players = options.pop("players", game.players[0])
        try:
            self._initial_line = GameLine(
                make_fastest_position(game, players, options), SeatHistories(game, ("",) * (players + 1))
            )
        except ValueError as error:
            raise pyspiel.SpielError(f"{self.kind.short_name}: {error}") from error
        info = pyspiel.GameInfo(
            num_distinct_actions=game.moves.count,
            max_chance_outcomes=game.moves.total - game.moves.count,
            num_players=players,
            min_utility=-1,
            max_utility=1,
            utility_sum=0,
            max_game_length=game.bounds["decisions"],
        )
        super().__init__(self.kind, info, params or {})
        self.encoder = get_encoder(game, players)

    def __reduce__(self) -> tuple[Any, ...]:
        return _load_game, (str(self),)

    def new_initial_state(self) -> CourtlyState:
        """Return the state before the first move or event."""
        return CourtlyState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the largest number of random events in a game."""
        return self.courtly.bounds["events"]

    def observation_tensor_size(self) -> int:
        """Return the length of an observation: numbers of the float32 form."""
        return self.encoder.size

    def observation_tensor_shape(self) -> list[int]:
        """Return the shape of an observation, [size]."""
        return [self.encoder.size]

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an observer.

        Args:
            iig_obs_type: What it observes. Default: the observation, without perfect recall.
            params: Must be empty.

        Raises:
            pyspiel.SpielError: The kind of observer is not supported.
        """
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


def _load_game(text: str) -> CourtlyGame:
    """Unpickle a game. Importing this module has registered it."""
    game: CourtlyGame = pyspiel.load_game(text)
    return game


class CourtlyState(pyspiel.State):
    """A point of a game. Methods that OpenSpiel implements by several calls from C++ are overridden to answer in
    one."""

    def __init__(self, game: CourtlyGame):
        super().__init__(game)
        self.line = game._initial_line.fork()  # the only attribute that OpenSpiel copies and stores

    # --- turns and actions ------------------------------------------------------------------------------------------

    def current_player(self) -> int:
        """Return the seat to move, `PlayerId.CHANCE` or `PlayerId.TERMINAL`."""
        return self.line.seat

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.line.seat == OVER

    def is_chance_node(self) -> bool:
        """Return whether a random event comes next."""
        return self.line.seat == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions of a player (default: the current one); at a chance node, the possible outcomes."""
        line = self.line
        if line.seat == CHANCE:
            first = line.position.moves.count
            return [event - first for event in line.open()]
        if player is None or player == line.seat:
            return line.open()[:]
        return [] if 0 <= player < self.num_players() else super().legal_actions(player)

    def _legal_actions(self, player: int) -> list[int]:  # called from C++
        return self.line.open()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible outcomes with their probabilities; [] unless it is a chance node."""
        return self.line.outcomes()

    def _apply_action(self, action: int) -> None:
        line = self.line
        line.apply(action + line.position.moves.count if line.seat == CHANCE else action)

    def _action_to_string(self, player: int, action: int) -> str:
        moves = self.line.position.moves
        first, end = (moves.count, moves.total) if player == CHANCE else (0, moves.count)
        if not 0 <= action < end - first:
            raise pyspiel.SpielError(f"there is no action {action}: actions go from 0 to {end - first - 1}")
        return moves.words(first + action)

    def returns(self) -> list[float]:
        """Return each player's place, from 1 (first) to -1 (last); zeros before the end."""
        utility = self.line.position.utility
        return [0.0] * self.num_players() if utility is None else list(map(float, utility))

    # --- information ------------------------------------------------------------------------------------------------

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> CourtlyState:
        """Return another state that this player cannot tell from this one, with the same information state.

        The new state has no history; the other players' information states contain only what spectators were shown.

        Args:
            player: The player who cannot tell the states apart.
            sampler: Returns random numbers from 0 to 1 (exclusive).

        Raises:
            pyspiel.SpielError: There is no such player.
        """
        _check_player(self, player)
        other: CourtlyState = self.get_game().new_initial_state()
        other.line = self.line.imagine(player, int(sampler() * (1 << 53)))
        return other

    def information_state_string(self, player: int | None = None) -> str:
        """Return everything that a player (default: the current one) has been shown. Raises SpielError if there is no
        such player."""
        seat = self.line.seat if player is None else player
        if not 0 <= seat < self.num_players():
            super().information_state_string(seat)  # raises the SpielError that OpenSpiel's tests expect
        return f"seat {seat}{self.line.histories.text(seat)}"

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """Return a player's information state as numbers. Raises SpielError if the game's is too long, or there is no
        such player."""
        game = self.get_game()
        if not game.get_type().provides_information_state_tensor:
            raise pyspiel.SpielError(f"{game.get_type().short_name} is too long for an information state tensor")
        numbers: list[float] = super().information_state_tensor(self.line.seat if player is None else player)
        return numbers

    def observation_string(self, player: int | None = None) -> str:
        """Return what a player (default: the current one) sees now, as JSON. Raises SpielError if there is no such
        player."""
        seat = self.line.seat if player is None else index(player)
        if not 0 <= seat < self.num_players():
            super().observation_string(seat)  # raises the SpielError that OpenSpiel's tests expect
        return _observation_text(self, seat)

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """Return what a player (default: the current one) sees now: `size` numbers from -1 to 1. Raises SpielError if
        there is no such player."""
        seat = self.line.seat if player is None else index(player)
        if not 0 <= seat < self.num_players():
            super().observation_tensor(seat)  # raises the SpielError that OpenSpiel's tests expect
        position = self.line.position
        numbers: list[float] = _env_view(position.game, position.players).observation(position, seat).tolist()
        return numbers

    def __str__(self) -> str:
        """Return the whole state as JSON, including secrets."""
        state = self.line.position.state
        return json.dumps({f.name: getattr(state, f.name) for f in state.stored}, separators=(",", ":"))


def _check_player(state: CourtlyState, player: int) -> None:
    if not 0 <= player < state.num_players():
        raise pyspiel.SpielError(f"there is no player {player}: players go from 0 to {state.num_players() - 1}")


def _observation_text(state: CourtlyState, seat: int, public: bool = True, private: bool = True) -> str:
    position = state.line.position
    values = _visible_state(position.game, position.state, seat, public, private)
    return _state_text({"seat": seat, **values} if public else values)


@cache
def _env_view(game: Game, players: int) -> EnvView:
    return EnvView(game, players)


class Observer:
    """What a player sees (an observation) or has been shown (with perfect recall): all of it, its public part or its
    private part.

    `tensor` (float32, shape (size,)) is None where the observer has no numbers. Raises SpielError if the kind of
    observer is not supported.
    """

    def __init__(self, game: CourtlyGame, kind: Any, params: Any = None):
        own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        everybody = kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS
        if params or everybody or kind.perfect_recall and not kind.public_info:
            raise pyspiel.SpielError(f"{game.kind.short_name} does not support this observer: {kind} {params or ''}")
        self._recall, self._public, self._own = kind.perfect_recall, kind.public_info, own
        self._game, self._encoder = game, HistoryEncoder(game.courtly, game.num_players())
        size = self._encoder.size if self._recall else game.encoder.size
        has_tensor = own and self._public and not (self._recall and size > MAX_INFORMATION_STATE_NUMBERS)
        self.tensor: NDArray[np.float32] | None = np.zeros(size, np.float32) if has_tensor else None
        self.dict = {} if self.tensor is None else {"told" if self._recall else "seen": self.tensor}

    def set_from(self, state: CourtlyState, player: int) -> None:
        """Write what a player sees, or has been shown, into `tensor`.

        Args:
            state: The state.
            player: The player.

        Raises:
            pyspiel.SpielError: There is no such player.
        """
        _check_player(state, player)
        if self.tensor is None:
            return
        if self._recall:
            self._encoder.encode(state.information_state_string(player), player, self.tensor)
        else:
            self.tensor[:] = _env_view(self._game.courtly, self._game.num_players()).observation(
                state.line.position, player
            )

    def string_from(self, state: CourtlyState, player: int) -> str:
        """Return what a player sees, or has been shown, as text.

        Args:
            state: The state.
            player: The player.

        Raises:
            pyspiel.SpielError: There is no such player.
        """
        _check_player(state, player)
        if self._recall:
            return state.information_state_string(player) if self._own else state.line.histories.text(-1)
        return _observation_text(state, player, self._public, self._own)


class NativeEvaluator:
    """An evaluator for OpenSpiel's Python searches (MCTS and IS-MCTS): the mean returns of compiled random playouts.

    The prior is uniform at decisions, and the exact probabilities at chance nodes. A lock makes it usable by several
    threads.
    """

    def __init__(self, game: CourtlyGame, n_rollouts: int = 1, number: int = 0):
        """Prepare the compiled playouts.

        Args:
            game: The game to evaluate.
            n_rollouts: Playouts per evaluation, at least 1.
            number: Seed of the random stream: the same seed gives the same playouts.

        Raises:
            pyspiel.SpielError: `n_rollouts` is less than 1.
        """
        if n_rollouts < 1:
            raise pyspiel.SpielError(f"n_rollouts must be at least 1, not {n_rollouts}")
        self._rollouts, self._game, self._lock = n_rollouts, game.courtly, threading.Lock()
        self._driver = loader.load_driver(game.courtly)
        self._states, self._rng, self._scores, self._weights = loader.make_arrays(game.courtly, 1)
        self._bytes = self._states.view(np.uint8)
        self._counts = np.zeros(2, np.int64)
        seed_generator(self._rng, number, 0)

    def evaluate(self, state: CourtlyState) -> NDArray[np.float64]:
        """Return each player's mean return: float64, shape (players,). Raises SpielError if the state belongs to
        another game."""
        if state.line.position.game is not self._game:
            raise pyspiel.SpielError(
                f"this evaluator is for {self._game.id}, not for a state of {state.line.position.game.id}"
            )
        with self._lock:
            return self._played(state.line.position)

    def _played(self, position: Position) -> NDArray[np.float64]:
        s, packed = self._states[0], np.frombuffer(position.packed, np.uint8)
        total = np.zeros(position.players)
        for _ in range(self._rollouts):
            self._bytes[: len(packed)] = packed
            self._driver.play_to_end(s, self._rng, self._scores, self._weights, self._counts)
            self._driver.describe_move(s, 0, 0, self._scores)
            scores = self._scores[: position.players]
            total += np.sign(scores[:, None] - scores).sum(1)
        return total / (self._rollouts * (position.players - 1))

    def prior(self, state: CourtlyState) -> list[tuple[int, float]]:
        """Return (action, probability) pairs: uniform over the legal actions, or the exact probabilities at a chance
        node."""
        if state.is_chance_node():
            return state.chance_outcomes()
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


# --- registration -----------------------------------------------------------------------------------------------------


def register(game: Game) -> None:
    """Register a game with OpenSpiel as `courtly_ID`."""
    players = game.players
    kind = pyspiel.GameType(
        short_name=f"courtly_{game.id}",
        long_name=f"Courtly {game.id} {game.version}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
        if game.moves.total > game.moves.count
        else pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION
        if game.hidden
        else pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players[-1],
        min_num_players=players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=HistoryEncoder(game, players[-1]).size <= MAX_INFORMATION_STATE_NUMBERS,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": players[0], **{name: values[0] for name, values in game.options.items()}},
    )
    pyspiel.register_game(kind, type(f"{game.id.title()}Game", (CourtlyGame,), {"courtly": game, "kind": kind}))


for _name in game_ids():
    register(find_game(_name))
