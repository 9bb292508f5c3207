"""What is kept of work, so that a command that was broken off goes on where it was.

A sum is what games come to when they are added one after the other. How it stands is written down about once a second,
in a file of its own: that is small, whatever the number of games, and exact, for all that is added are whole numbers.
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

SUMS_FOLDER = "sums"  # the folder of them
SAVE_INTERVAL_S = 1.0  # seconds between two times that a sum is written down


class Accumulator:
    """`SAVED_FIELDS`: the attributes that say how it stands, each a whole number, an array, a sum or sums by name.
    `add` takes what the next games gave, of each plan that is added up."""

    SAVED_FIELDS: ClassVar[tuple[str, ...]]
    add: Callable[..., None]

    def places(self, before: str = "") -> Iterator[tuple[str, Accumulator, str]]:
        """Where its numbers are: a name, a sum, and which of its attributes."""
        for name in self.SAVED_FIELDS:
            value = getattr(self, name)
            inner = value if isinstance(value, dict) else {"": value} if isinstance(value, Accumulator) else None
            if inner is None:
                yield f"{before}{name}", self, name
            for key, of in (inner or {}).items():
                yield from of.places(f"{before}{name}.{key}.")


class Checkpoint:
    """How a sum stands, in a folder of these (None: nothing is kept). `asked`: all that it depends on besides the
    sources of the game and of Courtly. `done`: how many games are in it."""

    def __init__(self, folder: Path | None, into: Accumulator, game: str, *asked: Any):
        """The sum stands as it was written down, if it ever was. OSError if there is no folder to be had."""
        self.into, self.done, self.written = into, 0, time.monotonic()
        self.file = None
        if folder:
            (folder / SUMS_FOLDER).mkdir(parents=True, exist_ok=True)
            form = [(name, np.shape(getattr(of, at))) for name, of, at in into.places()]
            name = hashlib.sha256(repr((type(into).__name__, form, ray_cluster.hash_sources(game), asked)).encode())
            self.file = folder / SUMS_FOLDER / f"{name.hexdigest()[:16]}.npz"
            self._read(self.file)

    def _read(self, file: Path) -> None:
        """One that is damaged is begun anew."""
        try:
            with np.load(file) as kept:
                found = dict(kept)
        except (FileNotFoundError, ValueError, EOFError, zipfile.BadZipFile):
            return
        for name, of, attribute in self.into.places():
            value = found[name]
            setattr(of, attribute, value if isinstance(getattr(of, attribute), np.ndarray) else int(value))
        self.done = int(found["done"])

    def save(self, done: int, whole: bool) -> None:
        """So many games are in it. OSError if there is no room."""
        self.done = done
        if self.file and (whole or time.monotonic() - self.written > SAVE_INTERVAL_S):
            room = io.BytesIO()
            np.savez(room, done=done, **{name: getattr(of, at) for name, of, at in self.into.places()})
            write_atomically(self.file, room.getbuffer())
            self.written = time.monotonic()


def accumulate(
    into: Accumulator,
    *plans: Plan,
    folder: Path | None = None,
    cores: int | None = None,
    tell: Callable[[int], None] = lambda games: None,
) -> None:
    """All games of plans that are as long are added, those of the same numbers together. What the folder keeps is not
    played again. ValueError, LookupError and RulesError as `run_batches` has them."""
    games = plans[0].games
    kept = Checkpoint(folder, into, plans[0].game, plans)
    tell(kept.done * len(plans))
    for found in zip(
        *(run_batches(plan, cores=cores, tell=tell, done=range(kept.done)) for plan in plans), strict=True
    ):
        into.add(*found)
        done = found[0].first + found[0].games
        kept.save(done, done == games)


def write_atomically(path: Path, data: Any) -> None:
    """A file that is there whole or not at all."""
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        half.write_bytes(data)
        half.replace(path)
    except BaseException:
        half.unlink(missing_ok=True)
        raise
