"""Games on disk, for pandas, Polars, DuckDB and R as well as for us: a folder of Parquet files.

    plan.json                       what was played, by which command and which versions
    components.toml                 with which component file, where it was not the game's own
    games/part-00000.parquet        a row a game
    components/part-00000.parquet   a row for each seat and component that it has in the end
    decisions/part-00000.parquet    a row a decision, if asked

Every file says in its metadata (under "courtly") what plan.json says. A part is there whole or not at all, and the file
of its games is written last: broken off, the same plan goes on with the parts that are missing.
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
from courtly.engine.game import Game, UnknownGameError, find_game
from courtly.lab.batch import SHARES, Numbers, Piece, empty
from courtly.lab.plan import Components, Plan
from courtly.lab.provenance import commit
from courtly.lab.runs.batch_runner import LOG, dressed, is_native, spans
from courtly.lab.runs.checkpoint import write
from courtly.lab.runs.measured_playout_driver import FIGURES

FORM = 1  # of these files: raise it when they change
PLAN, GAMES, COMPONENTS, DECISIONS = "plan.json", "games", "components", "decisions"
ABOUT = b"courtly"  # under which a file's metadata has the plan
# What must be the same for two parts to belong together, and how to say what is not.
SAME = {
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
READABLE = ("form", "game", "version", "numbers", "components")  # what must be the same for a part to be understood


class NotThis(ValueError):
    """A folder that holds no data set, or another: says in a line what is different."""


def components(game: Game) -> list[str]:
    """What the components of a game are called in data: "building palace"."""
    return [" ".join([kind.verb, *map(str, kind.args.values())]) for kind in game.owned.named(range(game.owned.total))]


def move_words(name: str) -> list[str]:
    """What every move of a game is called in data: "keep face=4"."""
    return [str(move) for move in find_game(name).moves.named(range(find_game(name).moves.count))]


def command(plan: Plan, decisions: bool) -> str:
    """The one that plays this again."""
    words = ["courtly", "lab", "play", plan.game, "--players", plan.players, "--games", plan.games, "--seed", plan.seed]
    words += ["--components", plan.components.file] if plan.components else []
    words += ["--bots", ",".join(plan.bots)] if plan.bots else []
    for name, value in plan.options.items():
        words += ["--option", f"{name}={value}"]
    return shlex.join([*map(str, words), *["--decisions"] * decisions])


def about(plan: Plan, decisions: bool) -> dict[str, Any]:
    """What plan.json says."""
    told: dict[str, Any] = dressed(plan, _about, plan, decisions)
    return told


def _about(plan: Plan, decisions: bool) -> dict[str, Any]:
    game = find_game(plan.game)
    made = "numba" if is_native(plan) else None
    return {
        "form": FORM,
        "command": command(plan, decisions),
        "courtly": __version__,
        "sources": commit(),
        "game": game.id,
        "version": game.version,
        "numbers": hashlib.sha256(json.dumps(game.components, sort_keys=True).encode()).hexdigest()[:16],
        "components": components(game),
        "file": plan.components and plan.components._asdict(),
        "players": plan.players,
        "options": plan.options,
        "bots": list(plan.bots or ["random"] * plan.players),
        "dice": plan.bots is None,  # random moves are drawn from the game's own dice, not by each seat
        "seed": plan.seed,
        "games": plan.games,
        "decisions": decisions,
        "part": spans(plan, decisions)[0][1],
        "made with": {name: version(name) for name in ("numpy", "pyarrow", made) if name}
        | {"python": platform.python_version()},
    }


class DataSet:
    """A folder of games. `plan` and `decisions` say what it holds, `done` which parts are there, by their first
    games."""

    def __init__(self, folder: Path, plan: Plan, decisions: bool, told: dict[str, Any]):
        self.folder, self.plan, self.decisions = folder, plan, decisions
        self.game = find_game(plan.game)
        self.spans = spans(plan, decisions)
        self.number = {first: number for number, (first, _) in enumerate(self.spans)}
        self.done = {first for first in self.number if all(path.exists() for path in self._files(first))}
        self.components: list[str] = told["components"]
        self.words = dressed(plan, move_words, plan.game) if decisions else []
        self.metadata = {ABOUT: json.dumps(told).encode()}

    @staticmethod
    def begun(folder: Path, plan: Plan, decisions: bool = False) -> DataSet:
        """A new data set, or one of this very plan to go on with. NotThis if the folder holds something else, OSError
        if it cannot be written."""
        told = about(plan, decisions)
        if (folder / PLAN).exists():
            found = _plan_of(folder)
            for name, said in SAME.items():
                if found.get(name) != told[name]:
                    raise NotThis(f"{folder} holds {_said(said, found.get(name))}, not {_said(said, told[name])}")
            told = found
        elif folder.exists() and any(folder.iterdir()):
            raise NotThis(f"{folder} is not empty, and holds no data set: there is no {PLAN}")
        for part in (GAMES, COMPONENTS, *[DECISIONS] * decisions):
            (folder / part).mkdir(parents=True, exist_ok=True)
        if plan.components:
            write(folder / plan.components.file, plan.components.text.encode())
        write(folder / PLAN, json.dumps(told, indent=1).encode() + b"\n")
        return DataSet(folder, plan, decisions, told)

    @staticmethod
    def read(folder: Path) -> DataSet:
        """One that is there. NotThis if there is none, it is not finished, or rules as they are now did not make it."""
        found = _plan_of(folder)
        bots = None if found.get("dice") else tuple(found.get("bots", ()))
        try:
            plan = Plan(found["game"], found["players"], found["games"], found["seed"], found["options"], bots)
            plan = plan._replace(components=Components(**found["file"]) if found["file"] else None)
            told = about(plan, found["decisions"])
        except UnknownGameError as wrong:
            raise NotThis(f"{folder}: {wrong}") from None
        except (KeyError, TypeError, ValueError):
            raise NotThis(f"{folder / PLAN} is not what courtly lab play writes") from None
        for name in READABLE:
            if found.get(name) != told[name]:
                raise NotThis(
                    f"{folder} was made with {_said(SAME[name], found.get(name))}; "
                    f"here there is {_said(SAME[name], told[name])}"
                )
        data = DataSet(folder, plan, found["decisions"], found)
        if missing := len(data.spans) - len(data.done):
            raise NotThis(f"{folder} lacks {missing} of {len(data.spans)} parts: go on with {found['command']}")
        return data

    @property
    def games(self) -> int:
        """How many are there."""
        return sum(games for first, games in self.spans if first in self.done)

    def _files(self, first: int) -> list[Path]:
        """Those of a part; that of its games comes last."""
        name = f"part-{self.number[first]:05}.parquet"
        return [self.folder / part / name for part in (*[DECISIONS] * self.decisions, COMPONENTS, GAMES)]

    # --- writing ------------------------------------------------------------------------------------------------------

    def keep(self, piece: Piece, log: Numbers) -> None:
        """Write a part. OSError if there is no room."""
        tables = [self._components(piece), self._games(piece)]
        if self.decisions:
            tables.insert(0, self._decisions(log))
        for path, table in zip(self._files(piece.first), tables, strict=True):
            sink = pa.BufferOutputStream()
            pq.write_table(table.replace_schema_metadata(self.metadata), sink, compression="zstd", compression_level=1)
            write(path, sink.getvalue())
        self.done.add(piece.first)

    def _games(self, piece: Piece) -> pa.Table:
        n = piece.games
        columns: dict[str, Any] = {"game": np.arange(piece.first, piece.first + n)}
        columns |= {name: getattr(piece, name) for name in FIGURES}
        for seat in range(self.plan.players):
            name = self.plan.bots[seat] if self.plan.bots else "random"
            columns |= {
                f"bot_{seat}": pa.DictionaryArray.from_arrays(np.zeros(n, np.int8), [name]),
                f"points_{seat}": piece.points[:, seat],
                f"score_{seat}": piece.scores[:, seat],
                f"share_{seat}": piece.shares[:, seat] / SHARES,
            }
        return pa.table(columns)

    def _components(self, piece: Piece) -> pa.Table:
        at, seat, component = np.nonzero(piece.owned)
        return pa.table(
            {
                "game": at + piece.first,
                "seat": seat.astype(np.int8),
                "component": pa.DictionaryArray.from_arrays(
                    component.astype(np.int16), pa.array(self.components, pa.string())
                ),
                "count": piece.owned[at, seat, component],
            }
        )

    def _decisions(self, log: Numbers) -> pa.Table:
        column = {name: log[:, i] for i, name in enumerate(LOG)}
        seen, at = np.unique(column["move"], return_inverse=True)
        words = [self.words[move] for move in seen]
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
        """The rows of a part that is done. NotThis if they cannot be read."""
        path = next(path for path in self._files(first) if path.parent.name == part)
        try:
            return pq.read_table(path, columns=columns)
        except (pa.ArrowException, OSError) as wrong:
            raise NotThis(f"{path} cannot be read: {str(wrong).splitlines()[0]}") from None

    def piece(self, first: int) -> Piece:
        """One that is done, as it was measured. NotThis if it cannot be read."""
        table, owned = self.table(first), self.table(first, part=COMPONENTS)
        piece = empty(first, dict(self.spans)[first], self.plan.players, len(self.components))
        number = {name: i for i, name in enumerate(self.components)}
        try:
            for name in FIGURES:
                getattr(piece, name)[:] = table[name]
            for seat in range(self.plan.players):
                piece.points[:, seat] = table[f"points_{seat}"]
                piece.scores[:, seat] = table[f"score_{seat}"]
                piece.shares[:, seat] = np.rint(table[f"share_{seat}"].to_numpy() * SHARES)
            named = owned["component"].combine_chunks()
            kind = np.array([number[name] for name in named.dictionary.to_pylist()] or [0])[named.indices.to_numpy()]
            piece.owned[owned["game"].to_numpy() - first, owned["seat"].to_numpy(), kind] = owned["count"].to_numpy()
        except (KeyError, ValueError, IndexError) as wrong:
            raise NotThis(f"{self._files(first)[-1]} is not what courtly lab play writes: {wrong}") from None
        return piece

    def pieces(self) -> Iterator[Piece]:
        """All that are done, in order."""
        return (self.piece(first) for first, _ in self.spans if first in self.done)


def summary(data: DataSet) -> dict[str, Any]:
    """What `courtly lab play --json` prints."""
    plan, sums = data.plan, dict[str, float]()
    asked = ["decisions", "events", *(f"{what}_{seat}" for what in ("share", "points") for seat in range(plan.players))]
    for first in sorted(data.done):
        table = data.table(first, asked)
        for name in asked:
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


def _plan_of(folder: Path) -> dict[str, Any]:
    try:
        found = json.loads((folder / PLAN).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NotThis(f"{folder} is no data set: there is no {PLAN}") from None
    except ValueError:
        raise NotThis(f"{folder / PLAN} cannot be read: it is no JSON") from None
    if not isinstance(found, dict):
        raise NotThis(f"{folder / PLAN} is not what courtly lab play writes")
    return found


def _said(said: str, value: Any) -> str:
    """One of SAME with its value, without brackets."""
    if isinstance(value, dict):
        value = ", ".join(f"{k}={v}" for k, v in value.items()) or "none"
    elif isinstance(value, list):
        value = ", ".join(map(str, value))
    elif isinstance(value, bool):
        value = "yes" if value else "no"
    return said.format("unknown" if value in (None, "") else value)
