"""Games by machine code, which looks at nothing that would take it time.

What it comes to is looked at instead: whether each game ended as it must, whether anything was written beside the
state and the lists of moves, whether it ends at all. Where not, the same games are played again with everything looked
at.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from threading import Semaphore, Thread
from typing import Any

from courtly.engine.constants import MAX_SEATS, POLICY_NOTES_LENGTH
from courtly.engine.game import Game
from courtly.engine.native import loader
from courtly.engine.rng import GENERATOR_SIZE, stream_of
from courtly.lab.plan import BatchResult, Plan
from courtly.lab.runs.checked_rerun import explain_failure, rerun_game

BATCH_TIMEOUT_S = 20.0  # seconds for a batch of work, after which the game that is being played is looked at
CANARY_NUMBERS = 64  # numbers after the lists of moves and weights, that nobody may write


class NativeRunner:
    """A native driver at work on a plan."""

    def __init__(self, driver: Any, plan: Plan):
        self.driver, self.plan = driver, plan
        # of the batches that are being played, by their first games: how many games, and the generator
        self.playing: dict[int, tuple[int, Any]] = {}

    def play(self, first: int, games: int) -> BatchResult:
        """So many games. RulesError if one of them went wrong."""
        import numpy as np

        plan, size = self.plan, self.driver.game.State.packing.size
        finals = np.zeros(games, self.driver.game.State.layout())
        counts, shares = np.zeros(2, np.int64), np.zeros(MAX_SEATS, np.int64)
        minds = (self.make_streams(),) if plan.bots else ()
        self.run_watched(
            first,
            games,
            lambda states, rng, moves, weights: self.driver.playouts(
                states, finals, plan.seed, first, games, rng, moves, weights, counts, shares, *minds
            ),
        )
        packed = finals.view(np.uint8).reshape(games, -1)[:, :size].tobytes()
        return BatchResult(packed, int(counts[0]), int(counts[1]), [int(n) for n in shares])

    def make_streams(self) -> Any:
        """Room for a generator of each seat."""
        import numpy as np

        return np.zeros((MAX_SEATS, GENERATOR_SIZE), np.int64)

    def run_watched(self, first: int, games: int, call: Callable[[Any, Any, Any, Any], int], more: int = 0) -> None:
        """Have the driver play: `call` gets states, a generator, and lists of moves and weights, these with room for
        `more` numbers. RulesError if a game went wrong."""
        import numpy as np

        game: Game = self.driver.game
        plan, size = self.plan, game.State.packing.size
        around, rng, _, _ = loader.make_arrays(game, 4)
        states = around[1:3]  # an empty state on either side
        moves = np.zeros(game.room + CANARY_NUMBERS, np.int64)
        weights = np.zeros(game.room + (POLICY_NOTES_LENGTH if plan.bots else 0) + more + CANARY_NUMBERS, np.int64)
        blank = np.frombuffer(game.State(players=plan.players, **plan.options).pack(), np.uint8)
        states[1:].view(np.uint8)[:size] = blank
        self.playing[first] = games, rng
        try:
            played = call(states, rng, moves, weights)
        except (IndexError, OverflowError, RuntimeError) as wrong:  # the build that looks
            told = f"{type(wrong).__name__}: {wrong}, in machine code alone"
            raise explain_failure(plan, self._number(rng), 1, told) from None
        if played < games:
            raise explain_failure(plan, first + played, 1, "it does not end as it must, in machine code alone")
        beside = around.view(np.uint8).reshape(4, -1)
        if (
            beside[[0, 3]].any()
            or (beside[2, :size] != blank).any()
            or moves[-CANARY_NUMBERS:].any()
            or weights[-CANARY_NUMBERS:].any()
        ):
            raise explain_failure(
                plan, first, games, "something is written outside of the state, in machine code alone"
            )
        del self.playing[first]

    def _number(self, rng: Any) -> int:
        """The game that is being played, or was when it failed."""
        return int(stream_of(rng, self.plan.seed))

    def result(self, first: int, future: Future[Any]) -> Any:
        """What a batch of work gives. Where that takes long, its games may be such that do not end: RulesError."""
        while True:
            try:
                return future.result(BATCH_TIMEOUT_S)
            except TimeoutError:
                games, rng = self.playing.get(first, (0, None))
                if games and first <= (number := self._number(rng)) < first + games:
                    rerun_game(self.plan, number)


class DaemonThreadExecutor(Executor):
    """Threads that a program does not wait for when it ends: there may be a loop without an end in one."""

    def __init__(self, cores: int):
        self.free = Semaphore(cores)

    def submit(self, work: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()

        def run() -> None:
            with self.free:
                try:
                    future.set_result(work(*args, **kwargs))
                except BaseException as wrong:  # whoever waits for the result is told
                    future.set_exception(wrong)

        Thread(target=run, daemon=True).start()
        return future
