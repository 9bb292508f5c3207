"""Plays games on a CUDA graphics card, one game per thread.

Numba's CUDA target compiles `rules.py`, the random generator and the playouts of the engine unchanged, so game k of a
seed is the same game as on the CPU: the digest of `CudaRunner.play` equals that of `courtly simulate`.

    card = CudaRunner(find_game("petition"))                    # the first game compiles for some minutes
    played = card.play(seed, first, games, players=5)
    print(played.digest(), played.decisions.sum())

On the card a state is a column of 32-bit words: word k of all games is contiguous, so that the threads of a warp, which
read the same word at the same time, read one line of memory. The lists of moves and weights have the same layout.
During a game, the words are in the thread's local memory, which the card interleaves in the same way.

Needs `pip install "courtly[cuda]"`. Without a card, Numba's simulator can play a few games (set NUMBA_ENABLE_CUDASIM=1
before Numba is imported), and `compile_ptx` compiles for a card that is not present.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from courtly.engine.constants import MAX_SEATS
from courtly.engine.enums import NamedIntType
from courtly.engine.errors import RulesError, find_bound
from courtly.engine.game import Game
from courtly.engine.moves import Moves
from courtly.engine.native.module_loader import PLAYOUT_DRIVER, ModuleLoader
from courtly.engine.rng import GENERATOR_SIZE

numba: Any = importlib.import_module("numba")  # imported dynamically: numba.cuda has no types
cuda: Any = importlib.import_module("numba.cuda")
DEFAULT_LANES = 1 << 16  # games played at the same time
THREADS_PER_BLOCK = 64  # two warps: each thread needs many registers and much local memory


def why_unavailable() -> str:
    """Return one line on why CUDA is unavailable here, or "" if games can be played."""
    if is_simulated():
        return ""
    if importlib.util.find_spec("numba_cuda") is None:
        return 'numba-cuda is not installed: pip install "courtly[cuda]"'
    return "" if cuda.is_available() else "no graphics card that CUDA can use was found"


def is_simulated() -> bool:
    """Return whether Numba's CUDA simulator replaces the card."""
    return bool(numba.config.ENABLE_CUDASIM)


@dataclass
class PlayedGames:
    """Finished games in the order of their numbers.

    `states`: the final states as records of `State.layout()`, shape (games,). `scores`: int64, shape (games, players).
    `decisions`, `events`: the number of decisions and random events of each game, int64, shape (games,).
    """

    game: Game
    states: Any
    scores: Any
    decisions: Any
    events: Any

    def digest(self) -> str:
        """Return the SHA-256 of the final states: the digest that `courtly simulate` prints for the same games of a
        seed."""
        size = self.game.State.packing.size
        return hashlib.sha256(self.states.view("u1").reshape(len(self.states), -1)[:, :size].tobytes()).hexdigest()


class CudaForm:
    """A form of the rules for `ModuleLoader`: functions become device functions, arrays go to device memory.

    The compiler would put arrays into constant memory, which holds 64 KB and serializes threads that read different
    addresses.

    `resident`: copy the arrays to the card; False compiles only.
    """

    def __init__(self, resident: bool = True):
        self.resident, self.simulated = resident, is_simulated()

    def function(self, f: Any, driver: bool) -> Any:
        """Return `f` as a device function with 64-bit integers."""
        made = cuda.jit(getattr(f, "compiled", f), device=True)
        return made if self.simulated else widen_integers(made)

    def top(self, f: Any) -> Any:
        """Return `f` as a kernel."""
        return cuda.jit(f)

    def array(self, t: Any) -> Any:
        """Return a constant array of the rules in device memory."""
        if self.simulated:
            return t
        numbers = np.array(t, dtype="i4")
        return cuda.to_device(numbers) if self.resident else HostArray(numbers)

    def names(self, numbers: NamedIntType | Moves) -> Any:
        """Return an enum or the move table as a module of constants."""
        return make_constants_module(numbers)


def widen_integers(made: Any) -> Any:
    """Make compiled callers pass every whole number as int64: this gives one version of the function, not one for each
    integer width and each literal.

    A call is offered only the version for its own types. Otherwise Numba would find that a version for a record with
    fewer fields fits too, and warn about it.
    """
    from numba import types as kinds

    small = (kinds.Integer, kinds.IntegerLiteral, kinds.Boolean, kinds.BooleanLiteral)
    resolve = made.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        found = resolve(tuple(kinds.int64 if isinstance(a, small) else a for a in args), kws)
        template, _, types, _ = found
        template.cases = [case for case in template.cases if case.args == tuple(types)]
        return found

    made.get_call_template = get_call_template
    return made


def make_constants_module(numbers: NamedIntType | Moves) -> ModuleType:
    """Return a module with these numbers as attributes, which are constants to the compiler."""
    made = ModuleType("names")
    vars(made).update({name: n for name, n in vars(numbers).items() if type(n) is int})
    return made


def call_compiler(game: Game, call: Callable[[], object]) -> None:
    """Call a function that compiles. Raises RulesError if the rules cannot be compiled."""
    try:
        call()
    except numba.core.errors.NumbaError as error:
        raise RulesError(game.id, f"compilation failed: {error}") from error


class HostArray:
    """An array in host memory with a CUDA interface, for compiling without a card."""

    def __init__(self, numbers: Any):
        self.numbers = numbers
        self.__cuda_array_interface__ = numbers.__array_interface__


class StateLayout:
    """The memory layout of states on the card: a record type `state` of `words` numbers of type `word`.

    On the card it is the CPU's record, padded to whole 32-bit words. The simulator computes with NumPy numbers, which
    overflow where a card's registers do not; there each number is a 64-bit word.
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
        """Return the words of records, shape (words, games): word k of all games is contiguous."""
        return states.astype(self.state).view(self.word).reshape(len(states), self.words).T.copy()

    def gather(self, words: Any, states: Any) -> None:
        """Copy words back into records, field by field: padding stays 0, as the digest requires."""
        records = words.T.copy().view(self.state).reshape(-1)
        for name in self.plain.names or ():
            states[name] = records[name]


def _attribute_record(kind: Any) -> Any:
    """Return a record type whose fields are attributes, even where a name collides with one of NumPy's."""

    def of(name: str) -> property:
        return property(lambda self: self[name], lambda self, value: self.__setitem__(name, value))

    return type("Row", (np.void,), {name: of(name) for name in kind.names})


class CudaRunner:
    """A game's rules compiled for the card.

    `seconds` is the total time that the card has played.
    """

    def __init__(self, game: Game, lanes: int = DEFAULT_LANES):
        """Lay out the memory and prepare the kernel, which the first game compiles.

        Args:
            game: The game to play.
            lanes: Games played at the same time, at least 1. Each needs 16 bytes of device memory for every move of the
                game's move table.

        Raises:
            RuntimeError: CUDA is unavailable; the message says why.
            ValueError: `lanes` is not a positive integer.
            RulesError: A line of the rules cannot be compiled.
        """
        if reason := why_unavailable():
            raise RuntimeError(reason)
        if not isinstance(lanes, int) or lanes < 1:
            raise ValueError(f"lanes must be a whole number, at least 1, not {lanes!r}")
        self.game, self.lanes, self.seconds = game, lanes, 0.0
        self.layout = StateLayout(game)
        self.kernel = _make_kernel(game, CudaForm(), self.layout)

    def play(
        self, seed: int, first: int, games: int, players: int | None = None, options: dict[str, int] | None = None
    ) -> PlayedGames:
        """Play random games first to first + games - 1 of a seed.

        Args:
            seed: At least 0.
            first: Number of the first game, at least 0.
            games: Number of games, at least 1.
            players: Default: the fewest that the game allows.
            options: Table options by name.

        Returns:
            The final states, scores and lengths.

        Raises:
            ValueError: A number is out of range, or the game does not offer an option or the number of players.
            RulesError: A game exceeds the bounds that it declares, or a line of the rules cannot be compiled.
        """
        if not all(isinstance(number, int) for number in (seed, first, games)) or min(seed, first, games - 1) < 0:
            raise ValueError(f"seed, first and games must be whole numbers, not {seed!r}, {first!r} and {games!r}")
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
                "a game on the graphics card does not end within its bounds",
                line=find_bound(self.game.folder, "decisions"),
                run=f"game {first + int(ended.argmin())} of seed {seed}",
            )
        return PlayedGames(self.game, states, scores, decisions, events)

    def _launch(self, beginning: Any, kernel_arguments: tuple[Any, ...]) -> None:
        """Run the kernel once from these states and add its time to `seconds`."""
        games, words = kernel_arguments[2:4]
        words.copy_to_device(beginning)
        cuda.synchronize()
        started = time.perf_counter()
        call_compiler(
            self.game, lambda: self.kernel[-(-games // THREADS_PER_BLOCK), THREADS_PER_BLOCK](*kernel_arguments)
        )
        cuda.synchronize()
        self.seconds += time.perf_counter() - started

    def room(self, lanes: int) -> Iterator[tuple[tuple[int, int], Any]]:
        """Yield shape and dtype of each array that a kernel works on, for this many lanes: words of the states, moves,
        weights, scores, and counts (decisions, random events, and 1 if the game ended within its bounds)."""
        yield (self.layout.words, lanes), self.layout.word
        for length in (self.game.room, self.game.room, MAX_SEATS, 3):
            yield (length, lanes), "i8"


def _make_kernel(game: Game, form: CudaForm, layout: StateLayout) -> Any:
    """Return the kernel that plays a game from setup to the end."""
    playout = ModuleLoader(game, form).module(PLAYOUT_DRIVER)
    begin, finish, score, sow = playout.begin, playout.play_to_end, playout.scores, playout.seed_generator
    state, word, words, size, seats = layout.state, layout.word, layout.words, GENERATOR_SIZE, MAX_SEATS
    wide = np.dtype("i8")

    # compiled like the dialect: no type annotations for device arrays
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
    """Compile a game's kernel for a card that need not be present.

    Args:
        game: The game.
        capability: The card's compute capability, as (major, minor).

    Returns:
        The program as PTX text.

    Raises:
        RulesError: A line of the rules cannot be compiled.
    """
    layout = StateLayout(game)
    whole, rows = numba.int64, numba.int64[:, ::1]
    kinds = (whole, whole, whole, numba.int32[:, ::1], rows, rows, rows, rows)
    with _device_of_capability(capability):
        kernel = _make_kernel(game, CudaForm(resident=False), layout)
        made: list[str] = []
        call_compiler(game, lambda: made.append(cuda.compile_ptx(kernel.py_func, kinds, cc=capability)[0]))
    return made[0]


@contextmanager
def _device_of_capability(capability: tuple[int, int]) -> Iterator[None]:
    """Make Numba compile device functions for this compute capability instead of the present card's."""
    dispatcher: Any = importlib.import_module("numba.cuda.dispatcher")

    class Absent:
        compute_capability = capability

    get_present_device = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: Absent
    try:
        yield
    finally:
        dispatcher.get_current_device = get_present_device
