"""Plays games on a graphics card of NVIDIA's, one game per thread.

The rules' own compiler makes the program for the card, from the same functions as for the processor, so game k of a
seed is the same game: the digest of `CudaRunner.play` equals that of `courtly simulate`.

    card = CudaRunner(find_game("petition"))                    # compiles for some seconds, once for each machine
    played = card.play(seed, first, games, players=5)
    print(played.digest(), played.decisions.sum())

On the card a state is a column of 32-bit words: word k of all games side by side, so that the threads of a warp, which
read the same word at the same time, read one line of memory. During a game, the words are in the thread's local memory,
which the card interleaves in the same way.

Needs `pip install "courtly[cuda]"` and NVIDIA's driver, but no CUDA toolkit. cuda_vector.py steps games for training.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from courtly.adapters.cuda_device import CudaDevice, Device, why_unavailable
from courtly.engine.constants import MAX_SEATS
from courtly.engine.errors import RulesError, find_bound
from courtly.engine.game import Game
from courtly.engine.native.compiler.cuda_kernel import KernelParameters, LocalRow, compile_kernel, state_row
from courtly.engine.native.compiler.types import INT, UNKNOWN_LENGTH, RowType
from courtly.engine.rng import GENERATOR_HEAD

__all__ = ["CudaRunner", "PlayedGames", "StateColumns", "compile_ptx", "why_unavailable"]

DRIVER = "courtly.adapters.cuda_driver"
DEFAULT_LANES = 1 << 16  # games played at the same time
WORD_BYTES = 4
RESULTS = 3  # of each game: decisions, random events, and 1 if it ended within its bounds


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


class StateColumns:
    """States as columns of 32-bit words, and the rows that each thread needs to work on one.

    Only stored fields are in the columns: scratch fields are working space.

    Attributes:
        words: Words of a state.
        game: The game.
    """

    def __init__(self, game: Game):
        self.game = game
        self.words = -(-game.State.packing.size // WORD_BYTES)

    def pack(self, state: Any) -> Any:
        """Return the words of a state, int32, shape (words,)."""
        return np.frombuffer(state.pack().ljust(self.words * WORD_BYTES, b"\0"), "i4")

    def unpack(self, columns: Any) -> Any:
        """Return the records of columns of shape (words, n): shape (n,), with the dtype of `State.layout()`."""
        records = np.zeros(columns.shape[1], self.game.State.layout())
        size = self.game.State.packing.size
        stored = np.ascontiguousarray(columns.T).view("u1")[
            :, :size
        ]  # bytes: NumPy leaves out what lies between fields
        records.view("u1").reshape(len(records), -1)[:, :size] = stored
        return records

    def local_rows(self, weights: int) -> dict[str, LocalRow]:
        """Return the rows of each thread that all kernels need. `weights`: the length of the row of weights."""
        moves = "i16" if self.game.moves.count <= 1 << 15 else "i32"
        return {
            "words": LocalRow(RowType("i32", (self.words,)), memory="states"),
            "states": LocalRow(state_row(self.game, 1)),
            "rng": LocalRow(RowType("i64", (GENERATOR_HEAD,))),
            "moves": LocalRow(RowType(moves, (self.game.room,))),
            "weights": LocalRow(RowType("i64", (weights,))),
        }


def playout_parameters(columns: StateColumns, players: int) -> KernelParameters:
    """Return the parameters of the kernel that plays whole games."""
    local = columns.local_rows(columns.game.room)
    return {
        "number": INT,
        "first": INT,
        "games": INT,
        "blank": RowType("i32", (columns.words,)),
        "columns": RowType("i32", (columns.words, UNKNOWN_LENGTH)),
        "points": RowType("i64", (players, UNKNOWN_LENGTH)),
        "results": RowType("i64", (RESULTS, UNKNOWN_LENGTH)),
        **local,
        "out": LocalRow(RowType("i64", (MAX_SEATS,))),
    }


class CudaRunner:
    """A game's rules compiled for the card.

    `seconds` is the total time that the card has played.
    """

    def __init__(self, game: Game, lanes: int = DEFAULT_LANES, device: Device | None = None):
        """Choose the card.

        Args:
            game: The game to play.
            lanes: Games played at the same time, at least 1.
            device: Where they are played; None for the current graphics card.

        Raises:
            RuntimeError: CUDA is unavailable; the message says why.
            ValueError: `lanes` is not a positive integer.
        """
        if not isinstance(lanes, int) or lanes < 1:
            raise ValueError(f"lanes must be a whole number, at least 1, not {lanes!r}")
        self.device: Device = CudaDevice() if device is None else device
        self.game, self.lanes, self.seconds = game, lanes, 0.0
        self.columns = StateColumns(game)

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
            DialectError: The rules use Python outside of the dialect.
            RulesError: A game exceeds the bounds that it declares, or a line of the rules cannot be compiled.
        """
        if not all(isinstance(number, int) for number in (seed, first, games)) or min(seed, first, games - 1) < 0:
            raise ValueError(f"seed, first and games must be whole numbers, not {seed!r}, {first!r} and {games!r}")
        players = self.game.players[0] if players is None else players
        state = self.game.State(players=players, **(options or {}))
        device, lanes = self.device, min(self.lanes, games)
        kernel = device.load_kernel(self.game, DRIVER, "play_column", playout_parameters(self.columns, players))
        blank = device.zeros((self.columns.words,), "i4")
        blank.write(self.columns.pack(state))
        columns = device.zeros((self.columns.words, lanes), "i4")
        points, results = device.zeros((players, lanes), "i8"), device.zeros((RESULTS, lanes), "i8")
        final_words, scores = np.zeros((self.columns.words, games), "i4"), np.zeros((games, players), "i8")
        counts = np.zeros((RESULTS, games), "i8")
        for start in range(0, games, lanes):
            n = min(lanes, games - start)
            now = slice(start, start + n)
            device.synchronize()
            started = time.perf_counter()
            kernel(n, seed, first + start, n, blank, columns, points, results)
            device.synchronize()
            self.seconds += time.perf_counter() - started
            final_words[:, now] = columns.read()[:, :n]
            scores[now] = points.read()[:, :n].T
            counts[:, now] = results.read()[:, :n]
        decisions, events, ended = counts
        if not ended.all():
            raise RulesError(
                self.game.id,
                "a game on the graphics card does not end within its bounds",
                line=find_bound(self.game.folder, "decisions"),
                run=f"game {first + int(ended.argmin())} of seed {seed}",
            )
        return PlayedGames(self.game, self.columns.unpack(final_words), scores, decisions, events)


def compile_ptx(game: Game, players: int | None = None) -> str:
    """Compile the kernel that plays a game, for a card that need not be present.

    Args:
        game: The game.
        players: Default: the fewest that the game allows.

    Returns:
        The program as PTX text.

    Raises:
        DialectError: The rules use Python outside of the dialect.
        RulesError: A line of the rules cannot be compiled.
    """
    parameters = playout_parameters(StateColumns(game), game.players[0] if players is None else players)
    return compile_kernel(game, DRIVER, "play_column", parameters).decode("ascii")
