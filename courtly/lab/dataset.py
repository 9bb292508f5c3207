"""Data sets of games: a folder of Parquet files, readable by pandas, Polars, DuckDB and R.

    plan.json                       what was played, by which command and which versions
    components.toml                 the component file, unless it is the game's own
    games/part-00000.parquet        a row for each game
    components/part-00000.parquet   a row for each seat and component that it owns at the end
    decisions/part-00000.parquet    a row for each decision, if requested

The metadata of each file (key "courtly") contains plan.json. Each file is written atomically, and the games file of a
part last: after an interruption the same plan plays only the missing parts.
"""

from __future__ import annotations

import hashlib
import json
import platform
import shlex
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from courtly import __version__
from courtly.engine.errors import CourtlyError
from courtly.engine.game import Game, UnknownGameError, find_game
from courtly.lab.batch import WIN_PARTS, Array, Batch, empty_batch
from courtly.lab.plan import Components, Plan
from courtly.lab.provenance import source_commit
from courtly.lab.runs.batch_runner import LOG_COLUMNS, batch_ranges, call_with_components, is_native
from courtly.lab.runs.checkpoint import write_atomically
from courtly.lab.runs.measured_playout_driver import FIGURE_NAMES

FORMAT_VERSION = 1  # increment when the files change
PLAN, GAMES, COMPONENTS, DECISIONS = "plan.json", "games", "components", "decisions"
METADATA_KEY = b"courtly"  # key of plan.json in a file's metadata
# Settings that must be equal for two parts to belong together, and how to name them in error messages.
COMPARED_SETTINGS = {
    "form": "form {} of data sets",
    "courtly": "courtly {}",
    "sources": "the sources {}",
    "game": "the game {}",
    "version": "version {} of the game",
    "numbers": "component numbers {}",
    "components": "the components {}",
    "players": "{} players",
    "options": "the options {}",
    "bots": "the bots {}",
    "dice": "random moves by the dice of the game: {}",
    "seed": "seed {}",
    "games": "{} games",
    "decisions": "decisions: {}",
    "part": "{} games in a part",
}
# Settings that must equal those of the installed game for a part to be readable.
SETTINGS_NEEDED_TO_READ = ("form", "game", "version", "numbers", "components")


class DatasetError(CourtlyError, ValueError):
    """A folder is no data set, a damaged one, or one with other settings. The message names the difference in one
    line."""


def component_labels(game: Game) -> list[str]:
    """Return the components of a game as data sets name them, such as "building palace"."""
    return [" ".join([kind.verb, *map(str, kind.args.values())]) for kind in game.owned.named(range(game.owned.total))]


def move_labels(name: str) -> list[str]:
    """Return every move of a game as data sets name it, such as "keep face=4"."""
    return [str(move) for move in find_game(name).moves.named(range(find_game(name).moves.count))]


def play_command(plan: Plan, decisions: bool) -> str:
    """Return the command line that plays this data set again."""
    words = ["courtly", "lab", "play", plan.game, "--players", plan.players, "--games", plan.games, "--seed", plan.seed]
    words += ["--components", plan.components.file] if plan.components else []
    words += ["--bots", ",".join(plan.bots)] if plan.bots else []
    for name, value in plan.options.items():
        words += ["--option", f"{name}={value}"]
    return shlex.join([*map(str, words), *["--decisions"] * decisions])


def make_metadata(plan: Plan, decisions: bool) -> dict[str, Any]:
    """Return the content of plan.json for a plan.

    Args:
        plan: What to play.
        decisions: Whether the data set contains every decision.
    """
    metadata: dict[str, Any] = call_with_components(plan, _cached_metadata, plan, decisions)
    return metadata


def _cached_metadata(plan: Plan, decisions: bool) -> dict[str, Any]:
    game = find_game(plan.game)
    compiler = "llvmlite" if is_native(plan) else None
    return {
        "form": FORMAT_VERSION,
        "command": play_command(plan, decisions),
        "courtly": __version__,
        "sources": source_commit(),
        "game": game.id,
        "version": game.version,
        "numbers": hashlib.sha256(json.dumps(game.components, sort_keys=True).encode()).hexdigest()[:16],
        "components": component_labels(game),
        "file": plan.components and plan.components._asdict(),
        "players": plan.players,
        "options": plan.options,
        "bots": list(plan.bots or ["random"] * plan.players),
        "dice": plan.bots is None,  # random moves come from the game's own random stream, not from one for each seat
        "seed": plan.seed,
        "games": plan.games,
        "decisions": decisions,
        "part": batch_ranges(plan, decisions)[0][1],
        "made with": {name: version(name) for name in ("numpy", "pyarrow", compiler) if name}
        | {"python": platform.python_version()},
    }


class DataSet:
    """A folder of games.

    `plan` and `decisions` describe its contents.
    """

    def __init__(self, folder: Path, plan: Plan, decisions: bool, metadata: dict[str, Any]):
        self.folder, self.plan, self.decisions = folder, plan, decisions
        self.game = find_game(plan.game)
        self.spans = batch_ranges(plan, decisions)
        self.number = {first: number for number, (first, _) in enumerate(self.spans)}
        self.components: list[str] = metadata["components"]
        self.words = call_with_components(plan, move_labels, plan.game) if decisions else []
        self.metadata = {METADATA_KEY: json.dumps(metadata).encode()}

    @staticmethod
    def create_or_resume(folder: Path, plan: Plan, decisions: bool = False) -> DataSet:
        """Create a data set, or open an unfinished one of the same plan.

        Args:
            folder: The folder, which is created if it does not exist.
            plan: What to play.
            decisions: Whether to store every decision.

        Raises:
            DatasetError: The folder contains something else, or a data set with other settings.
            OSError: The folder cannot be written.
        """
        metadata = make_metadata(plan, decisions)
        if (folder / PLAN).exists():
            stored = _read_plan(folder)
            for name, template in COMPARED_SETTINGS.items():
                if stored.get(name) != metadata[name]:
                    raise DatasetError(
                        f"{folder} holds {_describe_setting(template, stored.get(name))}, not "
                        f"{_describe_setting(template, metadata[name])}"
                    )
            metadata = stored
        elif folder.exists() and any(folder.iterdir()):
            raise DatasetError(f"{folder} is not empty and contains no data set: {PLAN} is missing")
        for part in (GAMES, COMPONENTS, *[DECISIONS] * decisions):
            (folder / part).mkdir(parents=True, exist_ok=True)
        if plan.components:
            write_atomically(folder / plan.components.file, plan.components.text.encode())
        write_atomically(folder / PLAN, json.dumps(metadata, indent=1).encode() + b"\n")
        return DataSet(folder, plan, decisions, metadata)

    @staticmethod
    def read(folder: Path) -> DataSet:
        """Open a finished data set.

        Raises:
            DatasetError: The folder is no data set, it is unfinished or damaged, or the installed rules differ from
                those that made it.
        """
        stored = _read_plan(folder)
        bots = None if stored.get("dice") else tuple(stored.get("bots", ()))
        try:
            plan = Plan(stored["game"], stored["players"], stored["games"], stored["seed"], stored["options"], bots)
            plan = plan._replace(components=Components(**stored["file"]) if stored["file"] else None)
            current = make_metadata(plan, stored["decisions"])
        except UnknownGameError as error:
            raise DatasetError(f"{folder}: {error}") from None
        except (KeyError, TypeError, ValueError):
            raise DatasetError(f"{folder / PLAN} was not written by courtly lab play") from None
        for name in SETTINGS_NEEDED_TO_READ:
            if stored.get(name) != current[name]:
                raise DatasetError(
                    f"{folder} was made with {_describe_setting(COMPARED_SETTINGS[name], stored.get(name))}; "
                    f"this installation has {_describe_setting(COMPARED_SETTINGS[name], current[name])}"
                )
        data = DataSet(folder, plan, stored["decisions"], stored)
        if missing := len(data.spans) - len(data.complete_parts):
            raise DatasetError(f"{folder} lacks {missing} of {len(data.spans)} parts: resume with {stored['command']}")
        return data

    @property
    def complete_parts(self) -> set[int]:
        """The first games of the parts whose files all exist. The folder is the only record: a run that is interrupted
        at any moment counts what is in it."""
        return {first for first in self.number if all(path.exists() for path in self._files(first))}

    @property
    def games(self) -> int:
        """The number of games in complete parts."""
        complete_parts = self.complete_parts
        return sum(games for first, games in self.spans if first in complete_parts)

    def _files(self, first: int) -> list[Path]:
        """Return the paths of a part's files; the games file comes last."""
        name = f"part-{self.number[first]:05}.parquet"
        return [self.folder / part / name for part in (*[DECISIONS] * self.decisions, COMPONENTS, GAMES)]

    # --- writing ------------------------------------------------------------------------------------------------------

    def write_batch(self, batch: Batch, log: Array) -> None:
        """Write a part.

        Args:
            batch: The measurements of the part's games.
            log: The decisions, int32, shape (decisions, 5) with the columns `LOG_COLUMNS`. Ignored unless the data set
                stores decisions.

        Raises:
            OSError: The disk is full or not writable.
        """
        tables = [self._components(batch), self._games(batch)]
        if self.decisions:
            tables.insert(0, self._decisions(log))
        for path, table in zip(self._files(batch.first), tables, strict=True):
            sink = pa.BufferOutputStream()
            table = table.replace_schema_metadata(self.metadata)
            pq.write_table(table, sink, compression="zstd", compression_level=1)
            write_atomically(path, sink.getvalue())

    def _games(self, batch: Batch) -> pa.Table:
        n = batch.games
        columns: dict[str, Any] = {"game": np.arange(batch.first, batch.first + n)}
        columns |= {name: getattr(batch, name) for name in FIGURE_NAMES}
        for seat in range(self.plan.players):
            name = self.plan.bots[seat] if self.plan.bots else "random"
            columns |= {
                f"bot_{seat}": pa.DictionaryArray.from_arrays(np.zeros(n, np.int8), [name]),
                f"points_{seat}": batch.points[:, seat],
                f"score_{seat}": batch.scores[:, seat],
                f"share_{seat}": batch.shares[:, seat] / WIN_PARTS,
            }
        return pa.table(columns)

    def _components(self, batch: Batch) -> pa.Table:
        at, seat, component = np.nonzero(batch.owned)
        return pa.table(
            {
                "game": at + batch.first,
                "seat": seat.astype(np.int8),
                "component": pa.DictionaryArray.from_arrays(
                    component.astype(np.int16), pa.array(self.components, pa.string())
                ),
                "count": batch.owned[at, seat, component],
            }
        )

    def _decisions(self, log: Array) -> pa.Table:
        column = {name: log[:, i] for i, name in enumerate(LOG_COLUMNS)}
        moves, at = np.unique(column["move"], return_inverse=True)
        words = [self.words[move] for move in moves]
        return pa.table(
            {
                "game": column["game"].astype(np.int64),
                "ply": column["ply"],
                "seat": column["seat"].astype(np.int8),
                "move": column["move"],
                "words": pa.DictionaryArray.from_arrays(at.astype(np.int32), pa.array(words, pa.string())),
                "legal": column["legal"],
                "forced": column["legal"] == 1,
            }
        )

    # --- reading ------------------------------------------------------------------------------------------------------

    def table(self, first: int, columns: list[str] | None = None, part: str = GAMES) -> pa.Table:
        """Return the rows of a complete part.

        Args:
            first: Number of the part's first game.
            columns: Names of the columns to read. Default: all.
            part: "games", "components" or "decisions".

        Raises:
            DatasetError: The file cannot be read.
        """
        path = next(path for path in self._files(first) if path.parent.name == part)
        try:
            return pq.read_table(path, columns=columns)
        except (pa.ArrowException, OSError) as error:
            raise DatasetError(f"{path} cannot be read: {str(error).splitlines()[0]}") from None

    def read_batch(self, first: int) -> Batch:
        """Return the measurements of a complete part, as they were written. Raises DatasetError if a file cannot be
        read."""
        table, owned = self.table(first), self.table(first, part=COMPONENTS)
        batch = empty_batch(first, dict(self.spans)[first], self.plan.players, len(self.components))
        number = {name: i for i, name in enumerate(self.components)}
        try:
            for name in FIGURE_NAMES:
                getattr(batch, name)[:] = table[name]
            for seat in range(self.plan.players):
                batch.points[:, seat] = table[f"points_{seat}"]
                batch.scores[:, seat] = table[f"score_{seat}"]
                batch.shares[:, seat] = np.rint(table[f"share_{seat}"].to_numpy() * WIN_PARTS)
            component_names = owned["component"].combine_chunks()
            kind = np.array([number[name] for name in component_names.dictionary.to_pylist()] or [0])[
                component_names.indices.to_numpy()
            ]
            batch.owned[owned["game"].to_numpy() - first, owned["seat"].to_numpy(), kind] = owned["count"].to_numpy()
        except (KeyError, ValueError, IndexError) as error:
            raise DatasetError(f"{self._files(first)[-1]} was not written by courtly lab play: {error}") from None
        return batch

    def read_batches(self) -> Iterator[Batch]:
        """Yield the measurements of every complete part, in order. Raises DatasetError if a file cannot be read."""
        return map(self.read_batch, sorted(self.complete_parts))


def summarize(data: DataSet) -> dict[str, Any]:
    """Return what `courtly lab play --json` prints: totals of decisions and events, and victories and mean points by
    seat."""
    plan, sums = data.plan, dict[str, float]()
    columns = [
        "decisions",
        "events",
        *(f"{fact}_{seat}" for fact in ("share", "points") for seat in range(plan.players)),
    ]
    for first in sorted(data.complete_parts):
        table = data.table(first, columns)
        for name in columns:
            sums[name] = sums.get(name, 0) + pc.sum(table[name]).as_py()
    return {
        "folder": str(data.folder),
        "game": plan.game,
        "version": data.game.version,
        "players": plan.players,
        "options": plan.options,
        "bots": list(plan.bots or ["random"] * plan.players),
        "seed": plan.seed,
        "games": data.games,
        "decisions": sums["decisions"],
        "chance": sums["events"],
        "wins": [round(sums[f"share_{seat}"], 3) for seat in range(plan.players)],
        "points": [round(sums[f"points_{seat}"] / data.games, 3) for seat in range(plan.players)],
    }


def _read_plan(folder: Path) -> dict[str, Any]:
    try:
        content = json.loads((folder / PLAN).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DatasetError(f"{folder} is not a data set: {PLAN} is missing") from None
    except ValueError:
        raise DatasetError(f"{folder / PLAN} cannot be read: it is not JSON") from None
    if not isinstance(content, dict):
        raise DatasetError(f"{folder / PLAN} was not written by courtly lab play")
    return content


def _describe_setting(template: str, value: Any) -> str:
    """Return a setting's name, from COMPARED_SETTINGS, with its value in plain text."""
    if isinstance(value, dict):
        value = ", ".join(f"{k}={v}" for k, v in value.items()) or "none"
    elif isinstance(value, list):
        value = ", ".join(map(str, value))
    elif isinstance(value, bool):
        value = "yes" if value else "no"
    return template.format("unknown" if value in (None, "") else value)
