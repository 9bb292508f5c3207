"""Games between bots of any kind, stored in a file. The same deal has the same luck, whichever bots play it.

Every finished game is appended to the file as a line, so a run can be interrupted and resumed on any number of cores:
games do not depend on each other.

    {"game": "puppet", "code": "3c1f…", "seed": 1, "deal": 0, "bots": ["knight", "squire"], "wins": [60, 0],
     "thinking": [[52, 1.93, 0.081], [47, 0.02, 0.001]], "scores": [31, 27]}

`code` is a hash of the sources of the game and the bots, followed by the table options; games with another hash are
ignored. `wins` are 60ths of a victory by seat. `thinking` by seat: decisions among several moves, their total processor
time in seconds, and the longest of them.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import sys
import time
import tokenize
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager, nullcontext
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from courtly import bots as offered
from courtly.bots.registry import Bot, find_bot, warm_up_bot
from courtly.bots.search.probability_calibration import CALIBRATION_FILE
from courtly.bots.search.search import MAX_LEARNED_DECISIONS, MAX_TREE_DEPTH, Search, load_search_settings
from courtly.bots.search.tree import BROUGHT, EDGE_WIDTH, TALLIES, TIMES
from courtly.engine.constants import MAX_SEATS, POLICY_NOTES_LENGTH
from courtly.engine.errors import RulesError
from courtly.engine.game import Game, find_game
from courtly.engine.native import loader
from courtly.engine.position import Position
from courtly.engine.rng import GENERATOR_SIZE, draw_word, make_generator
from courtly.engine.scenarios.lesson import LESSON_FILE
from courtly.engine.state import StateBase
from courtly.lab.execution import ray_cluster
from courtly.lab.plan import Components
from courtly.lab.runs.batch_runner import apply_components, native_chooser
from courtly.lab.runs.interpreted_game import SEAT_STREAM_SHIFT, choose_move
from courtly.lab.runs.mixed_bots_driver import ASK_PYTHON, DECISIONS, EVENTS, SEAT
from courtly.runtime.process_pool import ProcessPool

UNREAD_FILES = (CALIBRATION_FILE, LESSON_FILE, "measures.py", "facts")  # how the names of files begin that no bot reads
CHEATER = "cheater"  # a master that sees hidden information: an upper bound
WIN_PARTS = 60
LAYOUT_TOKENS = (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)  # compared by kind, not by text
DRIVER = "courtly.lab.runs.mixed_bots_driver"
BATCHES_AHEAD_PER_CORE = 3  # batches per core in progress or waiting to be read
GAMES_PER_BATCH = 500  # native games in a batch of work; a game with Python or searching bots is a batch of its own

Seating = tuple[int, tuple[str, ...]]  # number of the deal, and the bot of each seat


class PlayedGame(NamedTuple):
    """A line of the file; see the module documentation."""

    game: str
    code: str
    seed: int
    deal: int
    bots: tuple[str, ...]
    wins: tuple[int, ...]
    thinking: tuple[tuple[int, float, float], ...]
    scores: tuple[int, ...] = ()

    @property
    def seating(self) -> Seating:
        """The deal and the bot of each seat."""
        return self.deal, self.bots


def read_games(file: Path) -> list[PlayedGame]:
    """Return the games of a file. An incomplete last line is ignored.

    Args:
        file: The file; the result is [] if it does not exist.

    Raises:
        ValueError: A line is not a game of bots.
    """
    lines = file.read_text("utf-8").splitlines(keepends=True) if file.exists() else []
    games = []
    for number, line in enumerate(lines, 1):
        if not line.endswith("\n"):
            break
        try:
            row = json.loads(line)
            thinking = tuple((int(n), float(all_), float(longest)) for n, all_, longest in row["thinking"])
            fields = row["game"], row["code"], row["seed"], row["deal"], (*row["bots"],), (*row["wins"],)
            games.append(PlayedGame(*fields, thinking, (*row.get("scores", ()),)))
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{file}, line {number} is not a game of bots: {error}") from error
    return games


def hash_code(game: Game, options: Mapping[str, int] | None = None) -> str:
    """Return a hash of the rules, data and bots of a game, which changes whenever games may be played differently.

    Comments, docstrings and blank lines of Python files do not count, nor do files that no bot reads: the calibration
    of win chances, the lesson, the measures and the facts.
    """
    bots_folder = Path(offered.__file__).parent
    h = hashlib.sha256()
    for file in sorted([*game.folder.iterdir(), *(bots_folder / "search").iterdir(), bots_folder / "beginner.py"]):
        if file.suffix in (".py", ".toml", ".json") and not file.name.startswith(UNREAD_FILES):
            h.update(strip_comments(file.read_text("utf-8")).encode() if file.suffix == ".py" else file.read_bytes())
    return " ".join([h.hexdigest()[:16], *(f"{name}={n}" for name, n in sorted((options or {}).items()))])


def strip_comments(source: str) -> str:
    """Return the tokens of a Python file without comments, docstrings and layout, indentation aside.

    Every version of Python gives the same: an f-string is one token, as before Python 3.12.
    """
    tokens: Iterable[tokenize.TokenInfo] = tokenize.generate_tokens(io.StringIO(source).readline)
    if sys.version_info >= (3, 12):
        tokens = _join_fstrings(tokens, source.splitlines(keepends=True))
    parts, starts_statement = [], True
    for token in tokens:
        is_docstring = starts_statement and token.type == tokenize.STRING
        is_empty = starts_statement and token.type == tokenize.NEWLINE
        if is_docstring or is_empty or token.type in (tokenize.COMMENT, tokenize.NL):
            continue
        starts_statement = token.type in LAYOUT_TOKENS
        parts.append(tokenize.tok_name[token.type] if starts_statement else token.string)
    return "\n".join(parts)


if sys.version_info >= (3, 12):

    def _join_fstrings(tokens: Iterable[tokenize.TokenInfo], lines: Sequence[str]) -> Iterator[tokenize.TokenInfo]:
        """Yield the tokens of these lines, with each f-string as one string."""
        starts: list[tuple[int, int]] = []  # of the f-strings around the token, each with its line and column
        for token in tokens:
            if token.type == tokenize.FSTRING_START:
                starts.append(token.start)
            if not starts:
                yield token
            elif token.type == tokenize.FSTRING_END:
                start = starts.pop()
                if not starts:
                    text = _slice_lines(lines, start, token.end)
                    yield tokenize.TokenInfo(tokenize.STRING, text, start, token.end, token.line)

    def _slice_lines(lines: Sequence[str], start: tuple[int, int], end: tuple[int, int]) -> str:
        """Return the text between two positions, each a line from 1 and a column from 0."""
        (first, left), (last, right) = start, end
        if first == last:
            return lines[first - 1][left:right]
        return "".join([lines[first - 1][left:], *lines[first : last - 1], lines[last - 1][:right]])


# --- one game -----------------------------------------------------------------------------------------------------


@cache
def load_bot(game: Game, name: str) -> Bot:
    """Return a game's bot.

    Args:
        game: The game.
        name: The bot's name, such as squire, search:500 or cheater.

    Raises:
        LookupError: The game has no such bot.
    """
    if name == CHEATER:
        master = find_bot(game, "master")
        assert isinstance(master, Search)
        return Search(game, master.count, dials=load_search_settings(game)._replace(peeks=1), trees=master.trees)
    return find_bot(game, name)


def is_native(bots: Iterable[str]) -> bool:
    """Return whether all of these bots play as machine code."""
    return all(native_chooser(name) is not None for name in bots)


def python_bots(game: Game, names: Iterable[str]) -> list[str]:
    """Return the bots that are plain Python, and therefore slow."""
    return [name for name in names if native_chooser(name) is None and not isinstance(load_bot(game, name), Search)]


class GameOutcome(NamedTuple):
    """The end of a game: each seat's share of the victory in 60ths, its thinking times as in `PlayedGame`, and its
    score."""

    wins: tuple[int, ...]
    thinking: tuple[tuple[int, float, float], ...]
    scores: tuple[int, ...]


class NativeTable:
    """A native game in progress, with the memory of bots that the driver asks for."""

    def __init__(self, game: Game):
        import numpy as np

        from courtly.bots.search.search import _make_worlds

        def row(*shape: int) -> Any:
            return np.zeros(shape, np.int64)

        self.game, self.driver = game, loader.load_driver(game, driver=DRIVER)
        self.states, words, self.masks = _make_worlds(game, game.State(), 4)
        self.words = np.asarray(words)  # the same memory
        self.chance_rng, self.bot_rngs = row(GENERATOR_SIZE), row(MAX_SEATS, GENERATOR_SIZE)
        self.moves, self.weights, self.counts = row(game.room), row(game.room + POLICY_NOTES_LENGTH), row(3)
        self.row = row
        self._buffers: dict[Search, tuple[Any, ...]] = {}

    def warm(self) -> None:
        """Compile the driver. Raises RulesError if a line of the rules cannot be compiled."""

        def call() -> None:
            self.set_initial_state(self.game.State())
            self.begin(0, 0)
            self.imagine(0, 0, 0, 0)
            self.words[2] = self.words[3]  # a blank state, whose game is over at once
            kinds, often, wins, points = (self.row(MAX_SEATS) for _ in range(4))
            self._continue(-1, kinds, often)
            self.driver.write_results(self.states, self.moves, wins, points)

        loader.compile_by_calling(self.game, call)

    def set_initial_state(self, state: StateBase) -> None:
        """Set the state that games begin with: a blank state, or what a seat sees."""
        import numpy as np

        packed = state.pack()
        self.words[3] = 0
        self.words.view(np.uint8)[3, : len(packed)] = np.frombuffer(packed, np.uint8)

    def begin(self, seed: int, deal: int) -> None:
        """Set up a deal."""
        self.driver.begin(self.states, self.chance_rng, self.bot_rngs, seed, deal, self.counts)

    def imagine(self, seat: int, doubts: int, seed: int, world: int) -> None:
        """Set up a world that is consistent with what a seat sees.

        Args:
            seat: The seat.
            doubts: Largest number of worlds to reject by the game's belief.
            seed: Seed of the worlds.
            world: Number of the world.
        """
        self.driver.imagine(self.states, seat, doubts, self.chance_rng, self.bot_rngs, seed, world, self.counts)

    def play(self, seed: int, deal: int, bots: Sequence[str]) -> GameOutcome:
        """Play a whole game and return its outcome. Raises as `play_to_end`."""
        self.begin(seed, deal)
        return self.play_to_end(bots, -1, seed, deal)

    def play_to_end(self, bots: Sequence[str], move: int, seed: int, deal: int) -> GameOutcome:
        """Play a game that has begun to its end.

        Args:
            bots: The bot of each seat.
            move: The first move; -1 to let the bots choose it.
            seed: Seed of the bots.
            deal: Number of the deal.

        Raises:
            RulesError: A bot fails or chooses an illegal move, or the game does not end within its bounds.
        """
        kinds, counts = self.row(MAX_SEATS), self.counts
        kinds[: len(bots)] = [ASK_PYTHON if chooser is None else chooser for chooser in map(native_chooser, bots)]
        decision_counts, times = self.row(MAX_SEATS), [(0.0, 0.0)] * len(bots)
        rngs = [make_generator(seed, (seat + 1 << SEAT_STREAM_SHIFT) + deal) for seat in range(len(bots))]
        while (n := self._continue(move, kinds, decision_counts)) > 0:
            seat, start_time = int(counts[SEAT]), time.process_time()
            move = self._ask_bot(seat, n, bots[seat], rngs[seat])
            seconds = time.process_time() - start_time
            times[seat] = times[seat][0] + seconds, max(times[seat][1], seconds)
        if n < 0:
            raise self._endless_error()
        wins, points = self.row(MAX_SEATS), self.row(MAX_SEATS)
        self.driver.write_results(self.states, self.moves, wins, points)
        thinking = tuple(
            (n, round(all_, 4), round(longest, 4))
            for n, (all_, longest) in zip(decision_counts.tolist()[: len(bots)], times, strict=True)
        )
        return GameOutcome((*wins.tolist()[: len(bots)],), thinking, (*points.tolist()[: len(bots)],))

    def _continue(self, move: int, kinds: Any, decision_counts: Any) -> int:
        return int(
            self.driver.continue_game(
                self.states,
                move,
                kinds,
                self.chance_rng,
                self.bot_rngs,
                self.moves,
                self.weights,
                self.counts,
                decision_counts,
            )
        )

    def _endless_error(self) -> RulesError:
        steps = int(self.counts[DECISIONS] + self.counts[EVENTS])
        return RulesError(self.game.id, "the native game does not end within its bounds", steps)

    def _ask_bot(self, seat: int, n: int, name: str, rng: list[int]) -> int:
        """Return the move of a bot that the driver asks for. The bot sees only what its seat sees."""
        bot = load_bot(self.game, name)
        if isinstance(bot, Search):
            number = draw_word(rng) << 31 ^ draw_word(rng)
            return self._solve_move(bot, seat, n) if bot.solves else self._search_move(bot, seat, n, number)
        position = Position(self.game, state=self._state())
        position.decisions, position.events = int(self.counts[DECISIONS]), int(self.counts[EVENTS])
        return choose_move(position, seat, name, bot, rng)

    def _state(self) -> StateBase:
        return self.game.State.unpack(self.words[2].tobytes())

    def _solve_move(self, bot: Search, seat: int, n: int) -> int:
        legal = self.moves[:n].tolist()
        worths, _ = bot._solve(self._state(), seat)
        return int(max(legal, key=worths.__getitem__))

    def _search_move(self, bot: Search, seat: int, n: int, number: int) -> int:
        """Return the move that a search finds, as `Search.think` does, without building a view."""
        legal, (luck, gains, nodes, moved, habits, path, done, tally, wins, dials) = (
            self.moves[:n].tolist(),
            self._search_buffers(bot),
        )
        luck[:] = make_generator(number)
        for row in (nodes, path, tally, wins):
            row.fill(0)
        self.words[0] = self.words[2]
        bot.driver.search(
            self.states, self.words, self.masks, seat, bot.count, self.game.moves.count, luck, self.moves, self.weights,
            gains, nodes, moved, habits, path, done, tally, wins[: MAX_SEATS + n], dials,
        )  # fmt: skip  # in the order of the parameters of `search` in tree.py
        return int(legal[max(range(n), key=lambda i: (moved[EDGE_WIDTH * i + TIMES], moved[EDGE_WIDTH * i + BROUGHT]))])

    def _search_buffers(self, bot: Search) -> tuple[Any, ...]:
        """Return a search's arrays, which are reused for every decision."""
        import numpy as np

        if bot not in self._buffers:
            row, count, max_moves = self.row, bot.count, self.game.bounds["moves"]
            habits = row(3 * MAX_SEATS * self.game.moves.count)
            nodes, moved = row(4 << (2 * count + 1).bit_length()), row(min(bot.room, EDGE_WIDTH * count * max_moves))
            rest = (
                row(2 * MAX_TREE_DEPTH),
                row(MAX_LEARNED_DECISIONS),
                row(TALLIES),
                row(MAX_SEATS + max_moves),
                np.array(bot.dials, np.int64),
            )
            self._buffers[bot] = row(GENERATOR_SIZE), row(MAX_SEATS), nodes, moved, habits, *rest
        return self._buffers[bot]


@cache
def native_table(game: Game) -> NativeTable:
    """Return this process's table for a game."""
    return NativeTable(game)


def play_games(
    name: str, options: dict[str, int], seed: int, seatings: Sequence[Seating], components: Components | None = None
) -> list[GameOutcome]:
    """Play whole games with the same number of players, one after another.

    Args:
        name: The game's id.
        options: Table options.
        seed: Seed of the deals.
        seatings: The deals and their bots.
        components: Component file to play with instead of the game's own.

    Raises:
        RulesError: The rules or a bot fail.
    """
    apply_components(name, components)
    at, n = native_table(find_game(name)), len(seatings[0][1])
    at.set_initial_state(at.game.State(players=n, **options))
    return [at.play(seed, *seating) for seating in seatings]


# --- many games -------------------------------------------------------------------------------------------------------


class InlineExecutor(Executor):
    """An executor that runs each function at once in the caller's thread."""

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a function and return its result as a finished future."""
        future: Future[Any] = Future()
        future.set_result(work(*args, **kwargs))
        return future


@contextmanager
def start_workers(game: Game, cores: int | None) -> Iterator[tuple[Executor, int]]:
    """Provide an executor and the number of batches to submit ahead.

    Leaving the `with` block cancels waiting batches and ends the workers.

    Args:
        game: The game.
        cores: Number of processes. Default: all cores.

    Raises:
        ClusterUnavailableError: A cluster was chosen but cannot be used.
    """
    many = cores or os.cpu_count() or 1
    executor: Executor
    if cluster := ray_cluster.make_executor(game.id, cores):
        executor, many = cluster, cluster.cores
    else:
        executor = ProcessPool(many) if many > 1 else InlineExecutor()
    try:
        yield executor, BATCHES_AHEAD_PER_CORE * many if many > 1 else 1
    finally:
        executor.shutdown(cancel_futures=True)  # waits: its thread and Python's exit must not close a pipe twice


def group_seatings(seatings: Iterable[Seating]) -> Iterator[list[Seating]]:
    """Yield batches of seatings with the same number of players, each large enough to be worth a task."""
    batch: list[Seating] = []
    size = 0
    for seating in seatings:
        if size >= GAMES_PER_BATCH or batch and len(batch[0][1]) != len(seating[1]):
            yield batch
            batch, size = [], 0
        batch.append(seating)
        size += 1 if is_native(seating[1]) else GAMES_PER_BATCH
    if batch:
        yield batch


def prepare_bots(game: Game, names: Iterable[str]) -> None:
    """Compile what these bots need. Raises LookupError if the game has no such bot."""
    for name in names:
        warm_up_bot(load_bot(game, name))
    native_table(game).warm()


def run_games(
    game: Game,
    seatings: Iterable[Seating],
    seed: int,
    file: Path | None = None,
    cores: int | None = None,
    options: Mapping[str, int] | None = None,
    components: Components | None = None,
) -> Generator[PlayedGame]:
    """Play games, in this order, for as long as the caller iterates.

    Args:
        game: The game, already with `components`.
        seatings: The deals and their bots, without duplicates.
        seed: Seed of the deals.
        file: File of games, which is created or extended. Games in it are not played again.
        cores: Number of processes. Default: all cores.
        options: Table options.
        components: Component file that workers play with instead of the game's own.

    Yields:
        Each game, in the order of `seatings`.

    Raises:
        RulesError: The rules or a bot fail.
        ValueError: A line of the file is not a game.
        OSError: The file cannot be written.
    """
    code, recorded = hash_code(game, options), read_games(file) if file else []
    if file and file.exists():
        os.truncate(file, file.read_bytes().rfind(b"\n") + 1)  # without an incomplete last line
    known_games = {played.seating: played for played in recorded if played[:3] == (game.id, code, seed)}
    waiting: list[tuple[list[Seating], Future[list[GameOutcome]] | None]] = []
    unwritten: dict[Future[list[GameOutcome]], list[Seating]] = {}
    work = group_seatings(seatings)
    with (
        start_workers(game, cores) as (executor, max_pending),
        file.open("a", encoding="utf-8") if file else nullcontext() as out,
    ):
        while True:
            for batch in islice(work, max(0, max_pending - len(waiting))):
                due = [seating for seating in batch if seating not in known_games]
                future = (
                    executor.submit(play_games, game.id, dict(options or {}), seed, due, components) if due else None
                )
                if future:
                    unwritten[future] = due
                waiting.append((batch, future))
            if not waiting:
                return
            batch, first = waiting.pop(0)
            while first in unwritten:
                for future in wait(unwritten, return_when=FIRST_COMPLETED).done:
                    lines = []
                    for (deal, bots), outcome in zip(unwritten.pop(future), future.result(), strict=True):
                        known_games[deal, bots] = played = PlayedGame(game.id, code, seed, deal, bots, *outcome)
                        lines.append(f"{json.dumps(played._asdict())}\n")
                    if out:
                        out.writelines(lines)
                        out.flush()
            yield from map(known_games.pop, batch)
