"""The same rules on a graphics card, one game a thread.

`rules.py` goes through Numba's CUDA target as it stands, with the generator and the playouts of the engine, so that
game k of a seed is the same game as on the processor: what `CudaRunner.play` gives has the digest of `courtly
simulate`.

    card = CudaRunner(find_game("petition"))                    # some minutes of compiling, at the first game
    played = card.play(seed, first, games, players=5)
    print(played.digest(), played.decisions.sum())

A state lies on the card as words of 32 bits, word k of all games side by side, so that the threads of a warp, which
read the same word at the same time, read one line of memory. So do the lists of moves and weights. While a game is
played its words are in its thread's local memory, which a card lays out in the same way by itself.

Needs `pip install "courtly[cuda]"`. Without a card the simulator of Numba plays a few games (NUMBA_ENABLE_CUDASIM=1
before Numba is imported), and `compile_ptx` compiles for a card that is not there.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from courtly.engine.constants import MAX_SEATS
from courtly.engine.enums import NamedIntType
from courtly.engine.errors import RulesError, find_bound
from courtly.engine.game import Game
from courtly.engine.moves import Moves
from courtly.engine.native import loader
from courtly.engine.rng import GENERATOR_SIZE

numba: Any = importlib.import_module("numba")  # mypy is not told of its parts for cards
cuda: Any = importlib.import_module("numba.cuda")
DEFAULT_LANES = 1 << 16  # games that are played side by side
THREADS_PER_BLOCK = 64  # threads of a block: of two warps, for each has much to remember


def why_unavailable() -> str:
    """Why nothing can be played on a card here, in a line; "": it can."""
    if is_simulated():
        return ""
    if importlib.util.find_spec("numba_cuda") is None:
        return 'numba-cuda is not installed: pip install "courtly[cuda]"'
    return "" if cuda.is_available() else "there is no graphics card that CUDA can use"


def is_simulated() -> bool:
    """Does Numba's simulator stand in for a card?"""
    return bool(numba.config.ENABLE_CUDASIM)


@dataclass
class PlayedGames:
    """Games that were played, in the order of their numbers: the last states as the processor has them (records of
    `State.layout()`), the scores as int64 of the shape (games, players), and how many decisions and random events
    there were in each, as int64."""

    game: Game
    states: Any
    scores: Any
    decisions: Any
    events: Any

    def digest(self) -> str:
        """The same as `courtly simulate` tells of the same games of a seed."""
        size = self.game.State.packing.size
        return hashlib.sha256(self.states.view("u1").reshape(len(self.states), -1)[:, :size].tobytes()).hexdigest()


class CudaForm:
    """A form of the rules: functions of the device, and arrays in its memory. Constant memory, where the compiler
    would put them, has room for 64 KB, and serves one thread after the other wherever they read different numbers.

    `resident`: lay the arrays into the card's memory; else only compile.
    """

    def __init__(self, resident: bool = True):
        self.resident, self.simulated = resident, is_simulated()

    def function(self, f: Any, driver: bool) -> Any:
        made = cuda.jit(getattr(f, "compiled", f), device=True)
        return made if self.simulated else loader.widen_integers(made)

    def top(self, f: Any) -> Any:
        return cuda.jit(f)

    def array(self, t: Any) -> Any:
        if self.simulated:
            return t
        numbers = np.array(t, dtype="i4")
        return cuda.to_device(numbers) if self.resident else HostArray(numbers)

    def names(self, numbers: NamedIntType | Moves) -> Any:
        return loader.make_constants_module(numbers)


class HostArray:
    """An array where there is no card, for the compiler to look at."""

    def __init__(self, numbers: Any):
        self.numbers = numbers
        self.__cuda_array_interface__ = numbers.__array_interface__


class StateLayout:
    """How the words of a state lie: `state` is a record of so many `words` of the type `word`.

    A record of the processor, filled up to whole words. The simulator calculates with NumPy's numbers, which overflow
    where a card's do not: for it every number is a word of 64 bits.
    """

    def __init__(self, game: Game):
        self.plain = game.State.layout()
        self.state: Any
        self.word: Any
        if is_simulated():
            wide = np.dtype([(f.name, "i8", f.shape) for f in game.State.fields.values()])
            self.state, self.word = np.dtype((_attribute_record(wide), wide)), np.dtype("i8")
        else:
            parts = self.plain.fields or {}
            offered: Any = {
                "names": list(parts),
                "formats": [kind for kind, *_ in parts.values()],
                "offsets": [offset for _, offset, *_ in parts.values()],
                "itemsize": -(-self.plain.itemsize // 4) * 4,
            }
            self.state, self.word = np.dtype(offered, align=True), np.dtype("i4")
        self.words = self.state.itemsize // self.word.itemsize

    def spread(self, states: Any) -> Any:
        """The words of records, word k of all games side by side."""
        return states.astype(self.state).view(self.word).reshape(len(states), self.words).T.copy()

    def gather(self, words: Any, states: Any) -> None:
        """Write words back into records, number by number: what lies between them stays 0, as a digest needs it."""
        records = words.T.copy().view(self.state).reshape(-1)
        for name in self.plain.names or ():
            states[name] = records[name]


def _attribute_record(kind: Any) -> Any:
    """The type of a record whose fields are attributes, whatever they are called."""

    def of(name: str) -> property:
        return property(lambda self: self[name], lambda self, value: self.__setitem__(name, value))

    return type("Row", (np.void,), {name: of(name) for name in kind.names})


class CudaRunner:
    """A game's rules on the card. `lanes` is how many games are played side by side: each takes memory for its lists of
    moves and weights, 16 bytes for every move of the game's table. `seconds` adds up how long the card has played.

    RuntimeError says why nothing can be played here; RulesError, when first played, in which line the rules cannot
    be compiled.
    """

    def __init__(self, game: Game, lanes: int = DEFAULT_LANES):
        if why := why_unavailable():
            raise RuntimeError(why)
        if not isinstance(lanes, int) or lanes < 1:
            raise ValueError(f"lanes are a whole number, at least 1, not {lanes!r}")
        self.game, self.lanes, self.seconds = game, lanes, 0.0
        self.layout = StateLayout(game)
        self.kernel = _make_kernel(game, CudaForm(), self.layout)

    def play(
        self, seed: int, first: int, games: int, players: int | None = None, options: dict[str, int] | None = None
    ) -> PlayedGames:
        """Random games first to first + games - 1 of a seed. ValueError if an option or a number of players is not
        offered; RulesError if a game does not end as it must."""
        if not all(isinstance(given, int) for given in (seed, first, games)) or min(seed, first, games - 1) < 0:
            raise ValueError(f"seed, first and games are whole numbers, not {seed!r}, {first!r} and {games!r}")
        players = self.game.players[0] if players is None else players
        blank = self.game.State(players=players, **(options or {}))
        lanes = min(self.lanes, games)
        states = np.zeros(games, self.layout.plain)
        scores, counts = np.zeros((games, blank.players), "i8"), np.zeros((3, games), "i8")
        packed = np.frombuffer(blank.pack(), "u1")
        states[:lanes].view("u1").reshape(lanes, -1)[:, : len(packed)] = packed
        beginning = self.layout.spread(states[:lanes])
        room = [cuda.device_array(shape, kind) for shape, kind in self.room(lanes)]
        for start in range(0, games, lanes):
            now = slice(start, min(start + lanes, games))
            self._launch(beginning, (seed, first + start, now.stop - start, *room))
            words, _, _, scored, counted = room
            self.layout.gather(words.copy_to_host()[:, : now.stop - start], states[now])
            scores[now] = scored.copy_to_host()[: blank.players, : now.stop - start].T
            counts[:, now] = counted.copy_to_host()[:, : now.stop - start]
        decisions, events, ended = counts
        if not ended.all():
            raise RulesError(
                self.game.id,
                "it does not end as it must, on the graphics card",
                line=find_bound(self.game.folder, "decisions"),
                run=f"game {first + int(ended.argmin())} of seed {seed}",
            )
        return PlayedGames(self.game, states, scores, decisions, events)

    def _launch(self, beginning: Any, given: tuple[Any, ...]) -> None:
        """From these states, all in one program."""
        games, words = given[2:4]
        words.copy_to_device(beginning)
        cuda.synchronize()
        started = time.perf_counter()
        loader.compile_by_calling(
            self.game, lambda: self.kernel[-(-games // THREADS_PER_BLOCK), THREADS_PER_BLOCK](*given)
        )
        cuda.synchronize()
        self.seconds += time.perf_counter() - started

    def room(self, lanes: int) -> Iterator[tuple[tuple[int, int], Any]]:
        """The arrays that a kernel works on, as their shapes and types: words of states, moves, weights, scores, and of
        each game its decisions, its random events, and whether it ended as it must."""
        yield (self.layout.words, lanes), self.layout.word
        for length in (self.game.room, self.game.room, MAX_SEATS, 3):
            yield (length, lanes), "i8"


def _make_kernel(game: Game, form: CudaForm, layout: StateLayout) -> Any:
    """The playouts of a game as a program of the card."""
    playout = loader.ModuleLoader(game, form).module(loader.PLAYOUT_DRIVER)
    begin, finish, score, sow = playout.begin, playout.play_to_end, playout.scores, playout.seed_generator
    state, word, words, size, seats = layout.state, layout.word, layout.words, GENERATOR_SIZE, MAX_SEATS
    wide = np.dtype("i8")

    # compiled, as all that is in the dialect: there are no types for what is on a card
    def play(seed, first, games, states, moves, weights, scores, counts):  # type: ignore[no-untyped-def]
        lane = cuda.grid(1)
        if lane < games:
            own = cuda.local.array(words, word)
            rng = cuda.local.array(size, wide)
            out = cuda.local.array(seats, wide)
            count = cuda.local.array(2, wide)
            for k in range(words):
                own[k] = states[k, lane]
            for k in range(seats):
                out[k] = 0
            count[0] = 0
            count[1] = 0
            s = own.view(state)[0]
            sow(rng, seed, first + lane)
            begin(s)
            ended = finish(s, rng, moves[:, lane], weights[:, lane], count)
            score(s, out)
            for k in range(words):
                states[k, lane] = own[k]
            for k in range(seats):
                scores[k, lane] = out[k]
            counts[0, lane] = count[0]
            counts[1, lane] = count[1]
            counts[2, lane] = ended

    return form.top(play)


def compile_ptx(game: Game, capability: tuple[int, int] = (8, 0)) -> str:
    """The program (PTX) for a card of this compute capability, which need not be there."""
    layout = StateLayout(game)
    whole, rows = numba.int64, numba.int64[:, ::1]
    kinds = (whole, whole, whole, numba.int32[:, ::1], rows, rows, rows, rows)
    with _device_of_capability(capability):
        kernel = _make_kernel(game, CudaForm(resident=False), layout)
        made: list[str] = []
        loader.compile_by_calling(game, lambda: made.append(cuda.compile_ptx(kernel.py_func, kinds, cc=capability)[0]))
    return made[0]


@contextmanager
def _device_of_capability(capability: tuple[int, int]) -> Iterator[None]:
    """Functions of the device are compiled for the card that is there: for this one, if there is none."""
    dispatcher: Any = importlib.import_module("numba.cuda.dispatcher")

    class Absent:
        compute_capability = capability

    asked = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: Absent
    try:
        yield
    finally:
        dispatcher.get_current_device = asked
