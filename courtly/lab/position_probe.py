"""Analysis of one position: bots play each move to the end in many worlds that the seat cannot tell apart."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from courtly.bots.search.search import load_search_settings
from courtly.engine.constants import NOBODY
from courtly.engine.errors import CourtlyError
from courtly.engine.game import Game, find_game
from courtly.engine.match import Match
from courtly.engine.position import Position
from courtly.engine.schemas import Move, PositionView
from courtly.i18n.catalog import Catalog
from courtly.lab.plan import Components
from courtly.lab.runs.batch_runner import apply_components
from courtly.lab.runs.checkpoint import Accumulator, Checkpoint
from courtly.lab.strength.match_runner import WIN_PARTS, is_native, native_table, start_workers
from courtly.review.analysis import remaining_entries
from courtly.review.text import GameTexts

GAMES_PER_BATCH = 20_000  # native games in a batch of work; a batch with Python bots is one world
Interval = tuple[float, float, float]  # a value and its 95 % confidence interval


class InvalidPositionError(CourtlyError, ValueError):
    """The position does not exist, or no seat decides there. The message says which."""


class MoveEstimate(NamedTuple):
    """Outcome of a move (None: the seat has no decision): each seat's share of victories, and how much less the
    examined seat wins than after its best move."""

    move: Move | None
    shares: list[Interval]
    behind: Interval


class ProbeResult(NamedTuple):
    """The moves of a seat, best first."""

    ply: int
    seat: int
    worlds: int
    bots: tuple[str, ...]
    outlooks: list[MoveEstimate]


def position_at(match: Match, ply: int) -> Position:
    """Return the position of a match after some entries of its journal.

    Args:
        match: The match.
        ply: The number of entries.

    Raises:
        InvalidPositionError: The match has fewer entries, the game is over there, or a random event comes next.
    """
    if ply > len(match.entries):
        raise InvalidPositionError(f"there is no ply {ply}: the game has {len(match.entries)} entries")
    position = Position(match.game, match.players, match.options)
    for entry in remaining_entries(match.entries[:ply]):
        position.apply(entry.seat, entry.move)
    if position.over:
        raise InvalidPositionError(f"at ply {ply} the game is over")
    if position.chance:
        next_ply = next((entry.ply for entry in match.entries[ply:] if entry.seat != NOBODY), None)
        raise InvalidPositionError(
            f"at ply {ply} a random event comes next" + (f"; the next decision is ply {next_ply}" if next_ply else "")
        )
    return position


def view_of(position: Position, seat: int | None) -> PositionView:
    """Return the view of a seat.

    Args:
        position: The position.
        seat: The seat; None for the seat to move.

    Raises:
        InvalidPositionError: There is no such seat.
    """
    seat = position.pending[0] if seat is None else seat
    if seat not in range(position.players):
        raise InvalidPositionError(f"there is no seat {seat}: seats go from 0 to {position.players - 1}")
    return position.view(seat)


def probe(
    game: Game,
    view: PositionView,
    ply: int,
    bots: tuple[str, ...],
    worlds: int,
    seed: int,
    cores: int | None = None,
    report_progress: Callable[[int], None] = lambda games: None,
    folder: Path | None = None,
    components: Components | None = None,
) -> ProbeResult:
    """Play every move of a seat to the end, each in the same worlds.

    Args:
        game: The game.
        view: The view of the seat.
        ply: The position's ply, reported in the result.
        bots: A bot name for each seat.
        worlds: Number of worlds.
        seed: Seed of the worlds and of the play.
        cores: Number of processes. Default: all cores.
        report_progress: Called with the number of games that ended.
        folder: Folder for partial results, which a later call with the same or more worlds resumes.
        components: The component file that this process already plays with, instead of the game's own.

    Returns:
        Every move with each seat's share of victories, best first.

    Raises:
        RulesError: The rules or a bot fail.
    """
    seat = view["seat"]
    assert seat is not None
    moves: list[Move | None] = [*view["legal"]] or [None]
    size = max(1, GAMES_PER_BATCH // len(moves)) if is_native(bots) else 1
    ids = [move["id"] if move else -1 for move in moves]
    sums = WinSums(len(moves), len(bots))
    checkpoint = Checkpoint(folder, sums, game.id, view, bots, seed, components)
    report_progress(min(checkpoint.games_done, worlds) * len(moves))
    due = iter(range(checkpoint.games_done, worlds, size))
    waiting: deque[Future[Any]] = deque()
    with start_workers(game, cores) as (executor, max_pending):
        while checkpoint.games_done < worlds:
            for first in islice(due, max_pending - len(waiting)):
                many = min(size, worlds - first)
                waiting.append(executor.submit(play_futures, game.id, components, view, ids, bots, seed, first, many))
            outcomes = waiting.popleft().result()
            sums.add(outcomes)
            checkpoint.save(len(sums.wins), len(sums.wins) == worlds)
            report_progress(len(outcomes) * len(moves))
    wins = sums.wins[:worlds] / WIN_PARTS
    own_wins = wins[:, :, seat]
    best = int(own_wins.mean(0).argmax())
    outlooks = [
        MoveEstimate(
            move,
            [_win_share(wins[:, i, other]) for other in range(len(bots))],
            _mean_interval(own_wins[:, best] - own_wins[:, i]),
        )
        for i, move in enumerate(moves)
    ]
    outlooks.sort(key=lambda one: -one.shares[seat][0])
    return ProbeResult(ply, seat, worlds, bots, outlooks)


class WinSums(Accumulator):
    """What each seat won in each world, in 60ths: int16, shape (worlds, moves, players)."""

    SAVED_FIELDS = ("wins",)

    def __init__(self, moves: int, players: int):
        import numpy as np

        self.wins = np.zeros((0, moves, players), np.int16)

    def add(self, outcomes: Any) -> None:
        """Append the results of further worlds."""
        import numpy as np

        self.wins = np.concatenate([self.wins, outcomes])


def play_futures(
    name: str,
    components: Components | None,
    view: PositionView,
    moves: Sequence[int],
    bots: tuple[str, ...],
    seed: int,
    first: int,
    worlds: int,
) -> Any:
    """Play each move to the end in some worlds.

    Args:
        name: The game's id.
        components: Component file to play with instead of the game's own.
        view: The view of the seat that moves.
        moves: Move ids; -1 to let the bots move.
        bots: A bot name for each seat.
        seed: Seed of the worlds and of the play.
        first: Number of the first world.
        worlds: Number of worlds.

    Returns:
        What each seat wins, in 60ths: int16, shape (worlds, moves, players).

    Raises:
        RulesError: The rules or a bot fail.
    """
    import numpy as np

    apply_components(name, components)
    game, seat = find_game(name), view["seat"]
    assert seat is not None
    at, doubts = native_table(game), load_search_settings(game).doubts
    at.set_initial_state(game.State.from_view(view["state"]))
    wins = np.zeros((worlds, len(moves), len(bots)), np.int16)
    for world in range(worlds):
        for i, move in enumerate(moves):
            at.imagine(seat, doubts, seed, first + world)
            wins[world, i] = at.play_to_end(bots, move, seed, first + world).wins
    return wins


def _win_share(wins: Any) -> Interval:
    """Return the mean share of victories with its Wilson interval."""
    from scipy.stats import binomtest

    interval = binomtest(round(float(wins.sum())), len(wins)).proportion_ci(method="wilson")
    return float(wins.mean()), float(interval.low), float(interval.high)


def _mean_interval(less: Any) -> Interval:
    """Return the mean of paired differences with its Student t interval."""
    from scipy.stats import t

    middle, error = float(less.mean()), float(less.std(ddof=1)) / len(less) ** 0.5 if len(less) > 1 else float("inf")
    if error == 0:
        return middle, middle, middle
    low, high = t.interval(0.95, max(1, len(less) - 1), middle, error) if isfinite(error) else (-1.0, 1.0)
    return middle, float(low), float(high)


def as_json(game: Game, result: ProbeResult) -> dict[str, Any]:
    """Return a result as JSON, with each move in words."""
    outlooks = [
        outlook._asdict() | {"words": game.moves.words(outlook.move["id"]) if outlook.move else None}
        for outlook in result.outlooks
    ]
    return {"game": game.id, "version": game.version, **result._asdict(), "outlooks": outlooks}


# --- output -----------------------------------------------------------------------------------------------------------


def probe_lines(game: Game, result: ProbeResult, names: Sequence[str], language: str) -> Iterator[str]:
    """Yield a result as lines of text.

    Args:
        game: The game.
        result: The result.
        names: The players' names by seat.
        language: "en" or "ja".
    """
    words, texts = GameTexts(game, language), Catalog(language, Path(__file__).parent)
    players, seat = len(result.bots), result.seat
    args = dict(
        name=names[seat], ply=result.ply, worlds=f"{result.worlds:,}", bot=", ".join(dict.fromkeys(result.bots))
    )
    title = "probe-title" if result.outlooks[0].move else "probe-waits"
    yield words.format(game.id) + words.format("colon") + texts.format(title, **args)
    yield texts.format("probe-how", **args)
    yield ""
    for outlook in result.outlooks:
        share = "{:6.1%} [{:.1%}, {:.1%}]".format(*outlook.shares[seat])
        deficit = "" if outlook is result.outlooks[0] else "−{:.1%} [{:.1%}, {:.1%}]".format(*outlook.behind)
        move = words.move(outlook.move, names) if outlook.move else texts.format("probe-no-move")
        yield f"{share:24} {deficit:24} {move}"
    yield ""
    yield (
        texts.format("probe-others")
        + words.format("colon")
        + ", ".join(
            "{} {:.1%} [{:.1%}, {:.1%}]".format(names[other], *result.outlooks[0].shares[other])
            for other in range(players)
            if other != seat
        )
    )
