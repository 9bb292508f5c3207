"""Every game for OpenSpiel: after `import courtly.adapters.openspiel` there are `courtly_petition`, `courtly_cardinal`
and so on, one for each game that is installed.

    game = pyspiel.load_game("courtly_necklace(players=3,tie_break=1)")

The parameters are the number of players and the game's options. Choices that are made at once come one after the other,
the lowest seat first; what is chosen in secret nobody is told before all have chosen. Random events are chance nodes
with their exact probabilities; an outcome's number is the event's, counted from the first event on. Returns are places:
1 for the first, -1 for the last, the others evenly between; equals share.

An information state is all that a seat has been told so far: a line for each move and event, as far as it may know of
it, and after one that showed it something a line of JSON, what is new in what it sees. An observation is what it sees
now; its numbers are those of `courtly.adapters.observation`.

What cannot be done is refused with `pyspiel.SpielError`, and changes nothing.
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
MAX_INFORMATION_STATE_NUMBERS = (
    4096  # numbers of an information state; games of which it would have more have none in numbers
)


# --- what everybody is told -------------------------------------------------------------------------------------------


class SeatHistories:
    """What each seat has been told so far, and, last, whoever looks on: one thing after what was told before. It is
    written out when somebody asks.

    States that are kept share what they have in common, or a game's memory would grow with the square of its length:
    what is written is kept in parts, each at least twice as long as the next."""

    __slots__ = ("_game", "_before", "_told", "_parts")

    def __init__(self, game: Game, texts: tuple[str, ...]):
        self._game = game
        self._before: SeatHistories | None = None  # till it is written
        self._told: tuple[int, str, str, bytes, bytes] | None = None
        self._parts: tuple[tuple[str, ...], ...] | None = (texts,)

    def append(
        self, bits: int, said: str, otherwise: str = "", before: bytes = b"", after: bytes = b""
    ) -> SeatHistories:
        """One thing more is said to some, a bit for each, and another to the others; or some see what is new between
        two states."""
        other = object.__new__(SeatHistories)
        other._game, other._before, other._parts = self._game, self, None
        other._told = bits, said, otherwise, before, after
        return other

    def text(self, who: int) -> str:
        return "".join([part[who] for part in self._written()])

    def texts(self) -> tuple[str, ...]:
        return tuple(map("".join, zip(*self._written(), strict=True)))

    def _written(self) -> tuple[tuple[str, ...], ...]:
        if self._parts is not None:
            return self._parts
        unwritten, heard = [], self
        while True:
            before, told = heard._before, heard._told
            parts = heard._parts  # read after those, in case another thread writes it now
            if parts is not None:
                break
            assert before is not None and told is not None
            unwritten.append(told)
            heard = before
        everybody = range(len(parts[0]))
        texts: list[list[str]] = [[] for _ in everybody]
        for bits, said, otherwise, old, new in reversed(unwritten):
            news = _new_fields_text(self._game, bits, old, new) if new else ()
            for who in everybody:
                texts[who].append(news[who] if news else said if bits >> who & 1 else otherwise)
        last, longer = tuple(map("".join, texts)), [*parts]
        while longer and sum(map(len, longer[-1])) < 2 * sum(map(len, last)):
            last = tuple(map(add, longer.pop(), last))
        self._parts = parts = (*longer, last)
        self._before = self._told = None
        return parts


def _new_fields_text(game: Game, learn: int, before: bytes, after: bytes) -> tuple[str, ...]:
    """What those who learn something see that is new to them."""
    old, new = map(game.State.unpack, (before, after))
    news = []
    for who in range(new.players + 1):
        known = _visible_state(game, old, who)
        changed = {name: value for name, value in _visible_state(game, new, who).items() if value != known[name]}
        learns = learn < 0 or who < new.players and learn >> who & 1
        news.append(f"\n{_state_text(changed)}" if learns else "")
    return tuple(news)


@cache
def _cue_texts(game: Game) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Of each seat, and last of chance, and of each move and event: what those are told who may know all of it, and
    what the others are."""
    unseen = [game.moves.unseen(move) for move in range(game.moves.total)]
    words = tuple(
        (game.moves.words(move), " ".join([verb, *(f"{name}={value}" for name, value in (told or {}).items())]))
        for move, (verb, told) in enumerate(unseen)
    )
    return tuple(
        tuple((f"\n{who} {known}", f"\n{who} {rest}") for known, rest in words)
        for who in (*range(game.players[-1]), "chance")
    )


@cache
def _visible_fields(game: Game) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields that everybody sees, but for options, which everybody knows; those of which each sees its own row."""
    stored = game.State.stored
    return (
        tuple(f.name for f in stored if f.visible == "public" and not f.option),
        tuple(f.name for f in stored if f.visible == "private"),
    )


def _visible_state(
    game: Game, state: StateBase, seat: int, public: bool = True, private: bool = True
) -> dict[str, Any]:
    """What a seat sees; the seat after the last is whoever looks on."""
    shared, own = _visible_fields(game)
    seen = {name: getattr(state, name) for name in shared} if public else {}
    if private and seat < state.players:
        seen |= {name: getattr(state, name)[seat] for name in own}
    return seen


def _state_text(seen: dict[str, Any]) -> str:
    return json.dumps(seen, separators=(",", ":")) if seen else ""


class HistoryEncoder:
    """What a seat was told, as numbers: which seat it is, then a row for each line.

    A row begins with who acted (1 chance, 2 seat 0, …; -1 where a seat is shown something) and what is said of it, as
    its place among all that can be said. Then comes what is new, each number at the place of its field.
    """

    def __init__(self, game: Game, players: int):
        self._players = players
        self._said = {words: number for number, words in enumerate(dict.fromkeys(chain(*_cue_texts(game)[0])), 1)}
        self._places: dict[str, int] = {}
        self._width = 2
        for name in chain(*_visible_fields(game)):
            f = game.State.fields[name]
            self._places[name] = self._width
            self._width += f.length // f.shape[0] if f.visible == "private" else f.length
        lines = 2 * (game.bounds["decisions"] + game.bounds["events"]) + 1
        self.size = players + lines * self._width

    def encode(self, told: str, seat: int, out: NDArray[np.float32]) -> None:
        out[:] = 0
        out[seat] = 1
        for n, line in enumerate(told.split("\n")[1:]):
            row = out[self._players + n * self._width :][: self._width]
            if line.startswith("{"):
                row[0] = -1
                for name, new in json.loads(line).items():
                    numbers = np.ravel(new)
                    row[self._places[name] :][: len(numbers)] = numbers
            elif line:
                who, _, words = line.partition(" ")
                row[:2] = 1 if who == "chance" else 2 + int(who), self._said[f"\n0 {words}"]


# --- how a game has gone ----------------------------------------------------------------------------------------------


class GameLine:
    """How a game has gone: where it stands, and what has been told. Copies share where it stands until one of them goes
    on.

    `seat` decides next; or it is CHANCE, or OVER."""

    __slots__ = ("position", "heard", "seat", "_cues", "_open", "_weights", "_shared")

    def __init__(self, position: Position, heard: SeatHistories):
        self.position, self.heard = position, heard
        self._cues, self._shared = _cue_texts(position.game), False
        self._weights: list[int] = []  # of the events that can happen
        self._find_options()

    def _find_options(self) -> None:
        position = self.position
        self._open: list[int] | None = None
        self.seat = CHANCE if position.chance else OVER if position.over else position.pending[0]

    def fork(self) -> GameLine:
        other = object.__new__(GameLine)
        other.position, other.heard, other.seat = self.position, self.heard, self.seat
        other._cues, other._open, other._weights = self._cues, self._open, self._weights
        other._shared = self._shared = True
        return other

    def __deepcopy__(self, memo: Any) -> GameLine:  # so OpenSpiel copies a state
        return self.fork()

    def __reduce__(self) -> Any:  # and so it stores one
        position = self.position
        stored = position.game.id, position.packed, position.decisions, position.events, self.heard.texts()
        return _restore_line, stored

    def open(self) -> list[int]:
        """The moves that are legal now, or the events that can happen, in order. Not to be changed."""
        if self._open is None:
            if self.seat == CHANCE:
                self._open, self._weights = self.position.outcome_ids()
                if 0 in self._weights or sorted(self._open) != self._open:
                    found = sorted(zip(self._open, self._weights, strict=True))
                    self._open = [event for event, weight in found if weight]
                    self._weights = [weight for _, weight in found if weight]
            else:
                self._open = sorted(self.position.legal_ids(self.seat)) if self.seat >= 0 else []
        return self._open

    def outcomes(self) -> list[tuple[int, float]]:
        """The events that can happen, counted from the first there is, and how likely each is."""
        if self.seat != CHANCE:
            return []
        events, first = self.open(), self.position.moves.count
        total = sum(self._weights)
        return [(event - first, weight / total) for event, weight in zip(events, self._weights, strict=True)]

    def apply(self, move: int) -> None:
        """SpielError if it cannot."""
        if move not in self.open():
            raise self._refusal(move)
        if self._shared:
            self.position, self._shared = self.position.copy(), False
        position, seat = self.position, NOBODY if self.seat == CHANCE else self.seat
        audience, learn = EVERYONE, 0
        if position.game.hidden:
            audience, learn = position.audience(seat, move), position.reveals(seat, move)
        before = position.packed if learn else b""
        position.apply(seat, move)
        self._tell(seat, move, audience)
        if learn:
            self._show(learn, before)
        self._find_options()

    def _tell(self, seat: int, move: int, audience: int) -> None:
        known, unseen = self._cues[seat][move]  # NOBODY comes last
        if audience < 0:
            self.heard = self.heard.append(-1, known)
        else:
            told = audience & ~SILENT | (0 if seat == NOBODY else 1 << seat)
            self.heard = self.heard.append(told, known, "" if audience & SILENT else unseen)

    def _show(self, learn: int, before: bytes) -> None:
        self.heard = self.heard.append(learn, "", "", before, self.position.packed)

    def _refusal(self, move: int) -> pyspiel.SpielError:
        game, who = self.position.game, "chance" if self.seat == CHANCE else f"seat {self.seat}"
        if self.seat == OVER:
            return pyspiel.SpielError(f"{game.id} is over: nothing more can be done")
        action = move - game.moves.count if self.seat == CHANCE else move
        what = f" ({game.moves.words(move)})" if 0 <= move < game.moves.total else ""
        return pyspiel.SpielError(f"{game.id}: action {action}{what} is not legal for {who} now")

    def imagine(self, seat: int, number: int) -> GameLine:
        """Another line that this seat cannot tell from this one. Of it the others have been told what everybody has,
        and what they see of their own now."""
        world, told = self.position.imagine(seat, make_generator(number)), self.heard.texts()
        own = [_visible_state(world.game, world.state, other, public=False) for other in range(world.players)]
        texts = [f"{told[-1]}\n{_state_text(hand)}" for hand in own]
        texts[seat] = told[seat]
        return GameLine(world, SeatHistories(world.game, (*texts, told[-1])))


def _restore_line(name: str, packed: bytes, decisions: int, events: int, texts: tuple[str, ...]) -> GameLine:
    game = find_game(name)
    position = make_fastest_position(game, state=game.State.unpack(packed))
    position.decisions, position.events = decisions, events
    return GameLine(position, SeatHistories(game, texts))


# --- what OpenSpiel asks ----------------------------------------------------------------------------------------------


class CourtlyGame(pyspiel.Game):
    """One of our games; `register` makes a class of each. SpielError if a number of players or an option is not
    offered."""

    courtly: Game
    kind: Any

    def __init__(self, params: dict[str, Any] | None = None):
        game, given = self.courtly, dict(params or {})
        players = given.pop("players", game.players[0])
        try:
            self._beginning = GameLine(
                make_fastest_position(game, players, given), SeatHistories(game, ("",) * (players + 1))
            )
        except ValueError as wrong:
            raise pyspiel.SpielError(f"{self.kind.short_name}: {wrong}") from wrong
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
        return CourtlyState(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.courtly.bounds["events"]

    def observation_tensor_size(self) -> int:
        return self.encoder.size

    def observation_tensor_shape(self) -> list[int]:
        return [self.encoder.size]

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


def _load_game(text: str) -> CourtlyGame:
    """A game again, in a process that did not know it: it knows ours when it finds this."""
    game: CourtlyGame = pyspiel.load_game(text)
    return game


class CourtlyState(pyspiel.State):
    """A point of a game. What OpenSpiel would ask in several calls from C++ is answered here at once."""

    def __init__(self, game: CourtlyGame):
        super().__init__(game)
        self.line = game._beginning.fork()  # all that OpenSpiel copies and stores

    # --- whose turn it is, and what can be done ---------------------------------------------------------------------

    def current_player(self) -> int:
        return self.line.seat

    def is_terminal(self) -> bool:
        return self.line.seat == OVER

    def is_chance_node(self) -> bool:
        return self.line.seat == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        line = self.line
        if line.seat == CHANCE:
            first = line.position.moves.count
            return [event - first for event in line.open()]
        if player is None or player == line.seat:
            return line.open()[:]
        return [] if 0 <= player < self.num_players() else super().legal_actions(player)

    def _legal_actions(self, player: int) -> list[int]:  # asked from C++
        return self.line.open()

    def chance_outcomes(self) -> list[tuple[int, float]]:
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
        utility = self.line.position.utility
        return [0.0] * self.num_players() if utility is None else list(map(float, utility))

    # --- what is known ----------------------------------------------------------------------------------------------

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> CourtlyState:
        """Another state that this player cannot tell from this one. It has no history: of what happened there only
        that is known which the player was told."""
        _check_player(self, player)
        other: CourtlyState = self.get_game().new_initial_state()
        other.line = self.line.imagine(player, int(sampler() * (1 << 53)))
        return other

    def information_state_string(self, player: int | None = None) -> str:
        seat = self.line.seat if player is None else player
        if 0 <= seat < self.num_players():
            return f"seat {seat}{self.line.heard.text(seat)}"
        wrong: str = super().information_state_string(seat)  # which says what it is
        return wrong

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        game = self.get_game()
        if not game.get_type().provides_information_state_tensor:
            raise pyspiel.SpielError(f"{game.get_type().short_name} is too long for an information state in numbers")
        numbers: list[float] = super().information_state_tensor(self.line.seat if player is None else player)
        return numbers

    def observation_string(self, player: int | None = None) -> str:
        seat = self.line.seat if player is None else index(player)
        if 0 <= seat < self.num_players():
            return _observation_text(self, seat)
        wrong: str = super().observation_string(seat)
        return wrong

    def observation_tensor(self, player: int | None = None) -> list[float]:
        seat = self.line.seat if player is None else index(player)
        if 0 <= seat < self.num_players():
            position = self.line.position
            numbers: list[float] = _env_view(position.game, position.players).observation(position, seat).tolist()
            return numbers
        wrong: list[float] = super().observation_tensor(seat)
        return wrong

    def __str__(self) -> str:
        """The whole position, secrets included."""
        state = self.line.position.state
        return json.dumps({f.name: getattr(state, f.name) for f in state.stored}, separators=(",", ":"))


def _check_player(state: CourtlyState, player: int) -> None:
    if not 0 <= player < state.num_players():
        raise pyspiel.SpielError(f"there is no player {player}: they go from 0 to {state.num_players() - 1}")


def _observation_text(state: CourtlyState, seat: int, public: bool = True, private: bool = True) -> str:
    position = state.line.position
    seen = _visible_state(position.game, position.state, seat, public, private)
    return _state_text({"seat": seat, **seen} if public else seen)


@cache
def _env_view(game: Game, players: int) -> EnvView:
    return EnvView(game, players)


class Observer:
    """What a player sees, or has been told; all of it, or what is public, or what is its own."""

    def __init__(self, game: CourtlyGame, kind: Any, params: Any = None):
        own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        everybody = kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS
        if params or everybody or kind.perfect_recall and not kind.public_info:
            raise pyspiel.SpielError(f"{game.kind.short_name} has no such observer: {kind} {params or ''}")
        self._recall, self._public, self._own = kind.perfect_recall, kind.public_info, own
        self._game, self._told = game, HistoryEncoder(game.courtly, game.num_players())
        size = self._told.size if self._recall else game.encoder.size
        there = own and self._public and not (self._recall and size > MAX_INFORMATION_STATE_NUMBERS)
        self.tensor: NDArray[np.float32] | None = np.zeros(size, np.float32) if there else None
        self.dict = {} if self.tensor is None else {"told" if self._recall else "seen": self.tensor}

    def set_from(self, state: CourtlyState, player: int) -> None:
        _check_player(state, player)
        if self.tensor is None:
            return
        if self._recall:
            self._told.encode(state.information_state_string(player), player, self.tensor)
        else:
            self.tensor[:] = _env_view(self._game.courtly, self._game.num_players()).observation(
                state.line.position, player
            )

    def string_from(self, state: CourtlyState, player: int) -> str:
        _check_player(state, player)
        if self._recall:
            return state.information_state_string(player) if self._own else state.line.heard.text(-1)
        return _observation_text(state, player, self._public, self._own)


class NativeEvaluator:
    """For OpenSpiel's Python searches, MCTS and IS-MCTS: what comes of random play to the end, in machine code, on the
    average of so many games. Before a decision each move is as good as any other; outcomes are as likely as they are.

    A number stands for the same games each time. SpielError if these are no games, or the state is of another game;
    several threads wait for each other."""

    def __init__(self, game: CourtlyGame, n_rollouts: int = 1, number: int = 0):
        if n_rollouts < 1:
            raise pyspiel.SpielError(f"at least one game is played, not {n_rollouts}")
        self._rollouts, self._game, self._one = n_rollouts, game.courtly, threading.Lock()
        self._driver = loader.load_driver(game.courtly)
        self._states, self._rng, self._scores, self._weights = loader.make_arrays(game.courtly, 1)
        self._bytes = self._states.view(np.uint8)
        self._counts = np.zeros(2, np.int64)
        seed_generator(self._rng, number, 0)

    def evaluate(self, state: CourtlyState) -> NDArray[np.float64]:
        """The returns that each player may expect."""
        if state.line.position.game is not self._game:
            raise pyspiel.SpielError(f"a state of {state.line.position.game.id} is none of {self._game.id}")
        with self._one:
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
        if state.is_chance_node():
            return state.chance_outcomes()
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


# --- that OpenSpiel knows them ----------------------------------------------------------------------------------------


def register(game: Game) -> None:
    """Let OpenSpiel know a game, as `courtly_` and its id."""
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
