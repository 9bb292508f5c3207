"""Checkpoints: sums over games that are saved regularly, so that an interrupted command can be resumed.

A sum is saved about once a second in a file of its own. The file is small, whatever the number of games, and exact,
because only integers are added.
"""

from __future__ import annotations

import hashlib
import io
import os
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from courtly.lab.execution import ray_cluster
from courtly.lab.plan import Plan
from courtly.lab.runs.batch_runner import run_batches

SUMS_FOLDER = "sums"
SAVE_INTERVAL_S = 1.0


class Accumulator:
    """A sum over games.

    `SAVED_FIELDS`: the attributes that hold its state, each an integer, an array, an Accumulator or a dictionary of
    them. `add` takes the next batch of each plan.
    """

    SAVED_FIELDS: ClassVar[tuple[str, ...]]
    add: Callable[..., None]

    def places(self, before: str = "") -> Iterator[tuple[str, Accumulator, str]]:
        """Yield where each number or array is: a unique name, the accumulator that has it, and its attribute."""
        for name in self.SAVED_FIELDS:
            value = getattr(self, name)
            inner = value if isinstance(value, dict) else {"": value} if isinstance(value, Accumulator) else None
            if inner is None:
                yield f"{before}{name}", self, name
            for key, part in (inner or {}).items():
                yield from part.places(f"{before}{name}.{key}.")


class Checkpoint:
    """The saved state of a sum. `games_done`: the number of games in it."""

    def __init__(self, folder: Path | None, accumulator: Accumulator, game: str, *inputs: Any):
        """Restore the sum if it was saved.

        Args:
            folder: Folder of checkpoints; None saves nothing.
            accumulator: The sum.
            game: The game's id.
            *inputs: Everything that the sum depends on besides the sources of the game and of Courtly.

        Raises:
            OSError: The folder cannot be created.
        """
        self.accumulator, self.games_done, self.saved_at = accumulator, 0, time.monotonic()
        self.file = None
        if folder:
            (folder / SUMS_FOLDER).mkdir(parents=True, exist_ok=True)
            form = [(name, np.shape(getattr(owner, at))) for name, owner, at in accumulator.places()]
            name = hashlib.sha256(
                repr((type(accumulator).__name__, form, ray_cluster.hash_sources(game), inputs)).encode()
            )
            self.file = folder / SUMS_FOLDER / f"{name.hexdigest()[:16]}.npz"
            self._read(self.file)

    def _read(self, file: Path) -> None:
        """Restore the sum from a file. A missing or damaged file is ignored."""
        try:
            with np.load(file) as archive:
                values = dict(archive)
        except (FileNotFoundError, ValueError, EOFError, zipfile.BadZipFile):
            return
        for name, owner, attribute in self.accumulator.places():
            value = values[name]
            setattr(owner, attribute, value if isinstance(getattr(owner, attribute), np.ndarray) else int(value))
        self.games_done = int(values["done"])

    def save(self, games_done: int, is_complete: bool) -> None:
        """Save the sum, now with `games_done` games, if SAVE_INTERVAL_S has passed or it `is_complete`. Raises OSError
        if the disk is full."""
        self.games_done = games_done
        if self.file and (is_complete or time.monotonic() - self.saved_at > SAVE_INTERVAL_S):
            buffer = io.BytesIO()
            np.savez(
                buffer, done=games_done, **{name: getattr(owner, at) for name, owner, at in self.accumulator.places()}
            )
            write_atomically(self.file, buffer.getbuffer())
            self.saved_at = time.monotonic()


def accumulate(
    accumulator: Accumulator,
    *plans: Plan,
    folder: Path | None = None,
    cores: int | None = None,
    report_progress: Callable[[int], None] = lambda games: None,
) -> None:
    """Add all games of some plans to a sum.

    Args:
        accumulator: The sum. It receives the batches of the same games of all plans together.
        *plans: Plans with the same number of games.
        folder: Folder of checkpoints; games that are in one are not played again.
        cores: Number of threads or processes. Default: all cores.
        report_progress: Called with the number of games of each finished batch.

    Raises:
        ValueError, LookupError, RulesError: As by `run_batches`.
        OSError: A checkpoint cannot be written.
    """
    games = plans[0].games
    checkpoint = Checkpoint(folder, accumulator, plans[0].game, plans)
    report_progress(checkpoint.games_done * len(plans))
    for batches in zip(
        *(
            run_batches(plan, cores=cores, report_progress=report_progress, skipped=range(checkpoint.games_done))
            for plan in plans
        ),
        strict=True,
    ):
        accumulator.add(*batches)
        games_done = batches[0].first + batches[0].games
        checkpoint.save(games_done, games_done == games)


def write_atomically(path: Path, data: Any) -> None:
    """Write a file so that it exists completely or not at all.

    Args:
        path: The file.
        data: Its content, as bytes.

    Raises:
        OSError: The file cannot be written.
    """
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        half.write_bytes(data)
        half.replace(path)
    except BaseException:
        half.unlink(missing_ok=True)
        raise
