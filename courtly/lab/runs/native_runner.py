"""Runs games as machine code that does not check indices, number ranges or loop bounds.

Instead, the results are checked: whether each game ended within its bounds, whether anything was written outside the
state and the lists of moves (canary numbers), and whether a batch ends at all. After a failed check the games are
played again interpreted with every check on, to find the faulty line.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from threading import Semaphore, Thread
from typing import Any

from courtly.engine.constants import MAX_SEATS, POLICY_NOTES_LENGTH
from courtly.engine.game import Game
from courtly.engine.native.rows import make_records, make_row, make_table
from courtly.engine.rng import GENERATOR_SIZE, stream_of
from courtly.lab.plan import BatchResult, Plan
from courtly.lab.runs.checked_rerun import explain_failure, rerun_game

BATCH_TIMEOUT_S = 20.0  # time for a batch, after which the current game is replayed with checks
CANARY_NUMBERS = 64  # numbers after the lists of moves and weights that must stay 0


class NativeRunner:
    """Runs the games of a plan with a native driver."""

    def __init__(self, driver: Any, plan: Plan):
        self.driver, self.plan = driver, plan
        # running batches by first game: number of games, and the random stream, which tells the current game
        self.running_batches: dict[int, tuple[int, Any]] = {}

    def play(self, first: int, games: int) -> BatchResult:
        """Play games and return their results. Raises RulesError if a game fails a check."""
        plan, state = self.plan, self.driver.game.State
        finals, counts, shares = make_records(state, games), make_row(2), make_row(MAX_SEATS)
        rngs = (self.make_streams(),) if plan.bots else ()
        self.run_guarded(
            first,
            games,
            lambda states, rng, moves, weights: self.driver.playouts(
                states, finals, plan.seed, first, games, rng, moves, weights, counts, shares, *rngs
            ),
        )
        data, size = finals.cast("B"), finals.nbytes // games
        packed = b"".join(data[start : start + state.packing.size] for start in range(0, len(data), size))
        return BatchResult(packed, counts[0], counts[1], shares.tolist())

    def make_streams(self) -> Any:
        """Return rows for each seat's random stream."""
        return make_table(MAX_SEATS, GENERATOR_SIZE)

    def run_guarded(
        self, first: int, games: int, call: Callable[[Any, Any, Any, Any], int], extra_weights: int = 0
    ) -> None:
        """Run the driver and check the memory around its arrays.

        Args:
            first: Number of the first game.
            games: Number of games.
            call: Called with states, the random stream, and the lists of moves and weights; returns the number of games
                played.
            extra_weights: Additional numbers at the end of the list of weights.

        Raises:
            RulesError: A game fails a check.
        """
        game: Game = self.driver.game
        plan, around = self.plan, make_records(game.State, 4).cast("B")
        size = len(around) // 4
        states = around[size : 3 * size].cast("B", (2, size))  # a zero state on either side as canary
        notes = POLICY_NOTES_LENGTH if plan.bots else 0
        rng, moves = make_row(GENERATOR_SIZE), make_row(game.room + CANARY_NUMBERS)
        weights = make_row(game.room + notes + extra_weights + CANARY_NUMBERS)
        blank_state = game.State(players=plan.players, **plan.options).pack()
        initial = around[2 * size : 2 * size + len(blank_state)]
        initial[:] = blank_state
        self.running_batches[first] = games, rng
        try:
            played = call(states, rng, moves, weights)
        except (IndexError, OverflowError, RuntimeError) as error:  # raised by the checked build
            problem = f"{type(error).__name__}: {error}, in machine code only"
            raise explain_failure(plan, self._number(rng), 1, problem) from None
        if played < games:
            raise explain_failure(plan, first + played, 1, "it does not end within its bounds, in machine code only")
        canaries = around[:size], around[3 * size :], moves[-CANARY_NUMBERS:], weights[-CANARY_NUMBERS:]
        if initial != blank_state or any(map(any, canaries)):
            raise explain_failure(plan, first, games, "the rules write outside the state, in machine code only")
        del self.running_batches[first]

    def _number(self, rng: Any) -> int:
        """Return the number of the current game, or of the one that failed."""
        return int(stream_of(rng, self.plan.seed))

    def result(self, first: int, future: Future[Any]) -> Any:
        """Return the result of a batch. Raises RulesError if a batch takes long because its current game never ends."""
        while True:
            try:
                return future.result(BATCH_TIMEOUT_S)
            except TimeoutError:
                games, rng = self.running_batches.get(first, (0, None))
                if games and first <= (number := self._number(rng)) < first + games:
                    rerun_game(self.plan, number)


class DaemonThreadExecutor(Executor):
    """An executor of daemon threads, which do not keep the process from exiting: one may be in an endless loop."""

    def __init__(self, cores: int):
        self.free = Semaphore(cores)

    def submit(self, work: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a function in a new thread, at most `cores` at a time."""
        future: Future[Any] = Future()

        def run() -> None:
            with self.free:
                try:
                    future.set_result(work(*args, **kwargs))
                except BaseException as error:  # the future re-raises it
                    future.set_exception(error)

        Thread(target=run, daemon=True).start()
        return future
