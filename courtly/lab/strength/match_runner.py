"""Games between bots of any kind, kept in a file: the same deal has the same luck, whoever sits where.

Every game that was played is a line of the file, written when it is over, so that a run can be broken off and gone on
with at any time, on any number of cores: the games do not depend on each other.

    {"game": "puppet", "code": "3c1f…", "seed": 1, "deal": 0, "bots": ["knight", "squire"], "wins": [60, 0],
     "thinking": [[52, 1.93, 0.081], [47, 0.02, 0.001]], "scores": [31, 27]}

`code` is a hash of the game's sources and the bots', with the options of the table behind it: what others played is
left alone. `wins` are 60ths of a victory by seat; `thinking`: decisions with a choice, seconds of processor time in
all, and those of the slowest.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
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
from courtly.bots.search.probability_calibration import CALIBRATION_FILE as CHANCES
from courtly.bots.search.search import MAX_LEARNED_DECISIONS, MAX_TREE_DEPTH, Search, load_search_settings
from courtly.bots.search.tree import BROUGHT, EDGE_WIDTH, TALLIES, TIMES
from courtly.engine.constants import MAX_SEATS, POLICY_NOTES_LENGTH
from courtly.engine.errors import RulesError
from courtly.engine.game import Game, find_game
from courtly.engine.native import loader
from courtly.engine.position import Position
from courtly.engine.rng import GENERATOR_SIZE, draw_word, make_generator
from courtly.engine.scenarios.lesson import LESSON_FILE as LESSON
from courtly.engine.state import StateBase
from courtly.lab.execution import ray_cluster
from courtly.lab.plan import Components
from courtly.lab.runs.batch_runner import apply_components, native_chooser
from courtly.lab.runs.interpreted_game import SEAT_STREAM_SHIFT, choose_move
from courtly.lab.runs.mixed_bots_driver import ASK_PYTHON, DECISIONS, EVENTS, SEAT
from courtly.runtime.process_pool import ProcessPool

MEASURES_FILE = "measures.py"
CHEATER = "cheater"  # a master that sees everything: the upper mark
WIN_PARTS = 60
LAYOUT_TOKENS = (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)  # told by name, not by their spaces
DRIVER = "courtly.lab.runs.mixed_bots_driver"
BATCHES_AHEAD_PER_CORE = 3  # batches of work for each core
GAMES_PER_BATCH = 500  # games of a batch of work; one where somebody is asked is as much as all of them

Seating = tuple[int, tuple[str, ...]]  # a deal, and who sits where


class PlayedGame(NamedTuple):
    """One game: see above."""

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
        return self.deal, self.bots


def read_games(file: Path) -> list[PlayedGame]:
    """The games of a file. A last line that was broken off is left out; ValueError names one that is no game."""
    lines = file.read_text("utf-8").splitlines(keepends=True) if file.exists() else []
    found = []
    for number, line in enumerate(lines, 1):
        if not line.endswith("\n"):
            break
        try:
            row = json.loads(line)
            thinking = tuple((int(n), float(all_), float(longest)) for n, all_, longest in row["thinking"])
            named = row["game"], row["code"], row["seed"], row["deal"], (*row["bots"],), (*row["wins"],)
            found.append(PlayedGame(*named, thinking, (*row.get("scores", ()),)))
        except (ValueError, KeyError, TypeError) as wrong:
            raise ValueError(f"{file}, line {number} is no game of bots: {wrong}") from wrong
    return found


def hash_code(game: Game, options: Mapping[str, int] | None = None) -> str:
    """Return a hash of the rules, data and bots of a game, which changes whenever games may be played differently.

    Comments, docstrings and blank lines of Python files do not count, nor do files that no bot reads: the calibration
    of win chances, the lesson and the measures.
    """
    home = Path(offered.__file__).parent
    h = hashlib.sha256()
    for file in sorted([*game.folder.iterdir(), *(home / "search").iterdir(), home / "beginner.py"]):
        if file.suffix in (".py", ".toml", ".json") and file.name not in (CHANCES, LESSON, MEASURES_FILE):
            h.update(strip_comments(file.read_text("utf-8")).encode() if file.suffix == ".py" else file.read_bytes())
    return " ".join([h.hexdigest()[:16], *(f"{name}={n}" for name, n in sorted((options or {}).items()))])


def strip_comments(source: str) -> str:
    """Return the tokens of a Python file without comments, docstrings and layout, indentation aside."""
    kept, starts_statement = [], True
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        is_docstring = starts_statement and token.type == tokenize.STRING
        is_empty = starts_statement and token.type == tokenize.NEWLINE
        if is_docstring or is_empty or token.type in (tokenize.COMMENT, tokenize.NL):
            continue
        starts_statement = token.type in LAYOUT_TOKENS
        kept.append(tokenize.tok_name[token.type] if starts_statement else token.string)
    return "\n".join(kept)


# --- one game -----------------------------------------------------------------------------------------------------


@cache
def load_bot(game: Game, name: str) -> Bot:
    if name == CHEATER:
        master = find_bot(game, "master")
        assert isinstance(master, Search)
        return Search(game, master.count, dials=load_search_settings(game)._replace(peeks=1), trees=master.trees)
    return find_bot(game, name)


def is_native(bots: Iterable[str]) -> bool:
    """Is nobody to be asked?"""
    return all(native_chooser(name) is not None for name in bots)


def python_bots(game: Game, names: Iterable[str]) -> list[str]:
    """Those that are plain Python, and slow."""
    return [name for name in names if native_chooser(name) is None and not isinstance(load_bot(game, name), Search)]


class GameOutcome(NamedTuple):
    """How a game ended: each seat's part of the victory in 60ths, its thinking as in `PlayedGame`, its score."""

    wins: tuple[int, ...]
    thinking: tuple[tuple[int, float, float], ...]
    scores: tuple[int, ...]


class NativeTable:
    """Where games are played by machine code, with room for whoever has to be asked."""

    def __init__(self, game: Game):
        import numpy as np

        from courtly.bots.search.search import _make_worlds

        def row(*shape: int) -> Any:
            return np.zeros(shape, np.int64)

        self.game, self.driver = game, loader.load_driver(game, driver=DRIVER)
        self.states, self.words, self.masks = _make_worlds(game, game.State(), 4)
        self.luck, self.minds = row(GENERATOR_SIZE), row(MAX_SEATS, GENERATOR_SIZE)
        self.moves, self.weights, self.counts = row(game.room), row(game.room + POLICY_NOTES_LENGTH), row(3)
        self.row = row
        self._kept: dict[Search, tuple[Any, ...]] = {}

    def warm(self) -> None:
        """Have it compiled. RulesError says in which line it cannot be."""

        def call() -> None:
            self.set_initial_state(self.game.State())
            self.begin(0, 0)
            self.imagine(0, 0, 0, 0)
            self.states[2] = self.states[3]  # a blank one: nothing is left to do in it
            none, wins, points = (self.row(MAX_SEATS) for _ in range(3))
            self._go_on(-1, none, none)
            self.driver.reckon(self.states, self.moves, wins, points)

        loader.compile_by_calling(self.game, call)

    def set_initial_state(self, state: StateBase) -> None:
        """What the games of this table begin with: a blank state, or what a seat sees."""
        import numpy as np

        packed = state.pack()
        self.words[3] = 0
        self.words.view(np.uint8)[3, : len(packed)] = np.frombuffer(packed, np.uint8)

    def begin(self, seed: int, deal: int) -> None:
        self.driver.begin(self.states, self.luck, self.minds, seed, deal, self.counts)

    def imagine(self, seat: int, doubts: int, seed: int, world: int) -> None:
        """A world as this seat may believe it to be."""
        self.driver.imagine(self.states, seat, doubts, self.luck, self.minds, seed, world, self.counts)

    def play(self, seed: int, deal: int, bots: Sequence[str]) -> GameOutcome:
        """A whole game."""
        self.begin(seed, deal)
        return self.play_to_end(bots, -1, seed, deal)

    def play_to_end(self, bots: Sequence[str], move: int, seed: int, deal: int) -> GameOutcome:
        """A game that has begun, with this move first if there is one. RulesError if it fails, or a bot does."""
        kinds, counts = self.row(MAX_SEATS), self.counts
        kinds[: len(bots)] = [ASK_PYTHON if how is None else how for how in map(native_chooser, bots)]
        often, spent = self.row(MAX_SEATS), [(0.0, 0.0)] * len(bots)
        minds = [make_generator(seed, (seat + 1 << SEAT_STREAM_SHIFT) + deal) for seat in range(len(bots))]
        while (n := self._go_on(move, kinds, often)) > 0:
            seat, started = int(counts[SEAT]), time.process_time()
            move = self._ask_bot(seat, n, bots[seat], minds[seat])
            seconds = time.process_time() - started
            spent[seat] = spent[seat][0] + seconds, max(spent[seat][1], seconds)
        if n < 0:
            raise self._endless_error()
        wins, points = self.row(MAX_SEATS), self.row(MAX_SEATS)
        self.driver.reckon(self.states, self.moves, wins, points)
        thinking = tuple(
            (n, round(all_, 4), round(longest, 4))
            for n, (all_, longest) in zip(often.tolist()[: len(bots)], spent, strict=True)
        )
        return GameOutcome((*wins.tolist()[: len(bots)],), thinking, (*points.tolist()[: len(bots)],))

    def _go_on(self, move: int, kinds: Any, often: Any) -> int:
        return int(
            self.driver.go_on(
                self.states, move, kinds, self.luck, self.minds, self.moves, self.weights, self.counts, often
            )
        )

    def _endless_error(self) -> RulesError:
        steps = int(self.counts[DECISIONS] + self.counts[EVENTS])
        return RulesError(self.game.id, "it does not end as it must, in machine code", steps)

    def _ask_bot(self, seat: int, n: int, name: str, mind: list[int]) -> int:
        """The move of a bot that thinks, of which it sees what its seat sees."""
        bot = load_bot(self.game, name)
        if isinstance(bot, Search):
            number = draw_word(mind) << 31 ^ draw_word(mind)
            return self._solve_move(bot, seat, n) if bot.solves else self._search_move(bot, seat, n, number)
        position = Position(self.game, state=self._state())
        position.decisions, position.events = int(self.counts[DECISIONS]), int(self.counts[EVENTS])
        return choose_move(position, seat, name, bot, mind)

    def _state(self) -> StateBase:
        return self.game.State.unpack(self.words[2].tobytes())

    def _solve_move(self, bot: Search, seat: int, n: int) -> int:
        legal = self.moves[:n].tolist()
        worths, _ = bot._solve(self._state(), seat)
        return int(max(legal, key=worths.__getitem__))

    def _search_move(self, bot: Search, seat: int, n: int, number: int) -> int:
        """As `Search.think` has it: what the seat cannot see makes no difference."""
        legal, (luck, gains, nodes, moved, habits, path, done, tally, wins, dials) = (
            self.moves[:n].tolist(),
            self._search_buffers(bot),
        )
        luck[:] = make_generator(number)
        for row in (nodes, path, tally, wins):
            row.fill(0)
        self.states[0] = self.states[2]
        bot.driver.search(
            self.states, self.words, self.masks, seat, bot.count, self.game.moves.count, luck, self.moves, self.weights,
            gains, nodes, moved, habits, path, done, tally, wins[: MAX_SEATS + n], dials,
        )  # fmt: skip  # in the order of `search` in tree.py
        return int(legal[max(range(n), key=lambda i: (moved[EDGE_WIDTH * i + TIMES], moved[EDGE_WIDTH * i + BROUGHT]))])

    def _search_buffers(self, bot: Search) -> tuple[Any, ...]:
        """What a search thinks with, kept from decision to decision."""
        import numpy as np

        if bot not in self._kept:
            row, count, most = self.row, bot.count, self.game.bounds["moves"]
            habits = row(3 * MAX_SEATS * self.game.moves.count)
            nodes, moved = row(4 << (2 * count + 1).bit_length()), row(min(bot.room, EDGE_WIDTH * count * most))
            rest = (
                row(2 * MAX_TREE_DEPTH),
                row(MAX_LEARNED_DECISIONS),
                row(TALLIES),
                row(MAX_SEATS + most),
                np.array(bot.dials, np.int64),
            )
            self._kept[bot] = row(GENERATOR_SIZE), row(MAX_SEATS), nodes, moved, habits, *rest
        return self._kept[bot]


@cache
def native_table(game: Game) -> NativeTable:
    return NativeTable(game)


def play_games(
    name: str, options: dict[str, int], seed: int, seatings: Sequence[Seating], components: Components | None = None
) -> list[GameOutcome]:
    """Whole games, one after another, all with as many players."""
    apply_components(name, components)
    at, n = native_table(find_game(name)), len(seatings[0][1])
    at.set_initial_state(at.game.State(players=n, **options))
    return [at.play(seed, *seating) for seating in seatings]


# --- many games -------------------------------------------------------------------------------------------------------


class InlineExecutor(Executor):
    """Does at once what it is given."""

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(work(*args, **kwargs))
        return future


@contextmanager
def start_workers(game: Game, cores: int | None) -> Iterator[tuple[Executor, int]]:
    """Who does the work, and how many batches of it to hand out at a time. Whatever ends this ends them at once."""
    many = cores or os.cpu_count() or 1
    executor: Executor
    if crew := ray_cluster.make_executor(game.id, cores):
        executor, many = crew, crew.cores
    else:
        executor = ProcessPool(many) if many > 1 else InlineExecutor()
    try:
        yield executor, BATCHES_AHEAD_PER_CORE * many if many > 1 else 1
    finally:
        executor.shutdown(cancel_futures=True)  # waited for: its thread and Python's end would close one pipe twice


def group_seatings(seatings: Iterable[Seating]) -> Iterator[list[Seating]]:
    """Work that is worth being handed on, all for as many players."""
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
    """Have compiled what these need. LookupError if the game has no such bot."""
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
    """These games, each once, in this order, as long as they are asked for. Those that the file has are not played
    again, all others are added to it, each as soon as it is over. `components`: what the game is played with instead of
    its own, here already. RulesError if one fails."""
    code, kept = hash_code(game, options), read_games(file) if file else []
    if file and file.exists():
        os.truncate(file, file.read_bytes().rfind(b"\n") + 1)  # without what was broken off
    known = {played.seating: played for played in kept if played[:3] == (game.id, code, seed)}
    waiting: list[tuple[list[Seating], Future[list[GameOutcome]] | None]] = []
    unwritten: dict[Future[list[GameOutcome]], list[Seating]] = {}
    work = group_seatings(seatings)
    with (
        start_workers(game, cores) as (executor, ahead),
        file.open("a", encoding="utf-8") if file else nullcontext() as out,
    ):
        while True:
            for batch in islice(work, max(0, ahead - len(waiting))):
                due = [seating for seating in batch if seating not in known]
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
                    for (deal, bots), ended in zip(unwritten.pop(future), future.result(), strict=True):
                        known[deal, bots] = played = PlayedGame(game.id, code, seed, deal, bots, *ended)
                        lines.append(f"{json.dumps(played._asdict())}\n")
                    if out:
                        out.writelines(lines)
                        out.flush()
            yield from map(known.pop, batch)
