"""The component data, with checks. Invalid data raise an error that names the fault."""

import tomllib
from itertools import product
from pathlib import Path
from typing import Any

from courtly.engine.enums import NamedInt
from courtly.engine.errors import CourtlyError

NUMBERS = range(3, 19)  # the numbered lands: all sums of three dice
FOOTPRINTS = ("2x2", "2x3", "2x4", "3x3")
KING = len(NUMBERS)  # the index of the King's land, after the numbered lands; also as a place of the layout


class Ground(NamedInt):
    LAWN, PAVED, BRICK, MUD = range(4)


class InvalidTownDataError(CourtlyError, ValueError):
    """Component data that are invalid; the message says why."""


def demand(holds: bool, why: str) -> None:
    if not holds:
        raise InvalidTownDataError(why)


def ground_of(data: dict[str, Any]) -> tuple[int, ...]:
    """Return the ground of each numbered land, by number."""
    found: dict[int, int] = {}
    for g, name in enumerate(Ground):
        demand(name in data["grounds"], f"there is no ground {name!r}")
        for number in data["grounds"][name]["numbers"]:
            demand(number in NUMBERS, f"{name}: there is no land {number}; lands are numbered 3 to 18")
            demand(number not in found, f"land {number} has two grounds")
            found[number] = g
    for number in NUMBERS:
        demand(number in found, f"land {number} is missing")
    return tuple(found[number] for number in NUMBERS)


def cells_of(name: str, rows: list[str]) -> dict[tuple[int, int], int]:
    """Return the places of a layout by row and column: land places from 0, row by row, and the King's land."""
    cells: dict[tuple[int, int], int] = {}
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            demand(mark in ".XK", f"layout {name}: {mark!r} is not a place; X is a land, K the King's land")
            if mark != ".":
                cells[r, c] = KING if mark == "K" else sum(p != KING for p in cells.values())
    lands, kings = sum(row.count("X") for row in rows), sum(row.count("K") for row in rows)
    demand(lands == len(NUMBERS), f"layout {name} has {lands} lands instead of {len(NUMBERS)}")
    demand(kings == 1, f"layout {name} has {kings} King's lands instead of one")
    return cells


def patterns_of(cells: dict[tuple[int, int], int], shape: list[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return all positions of a shape on the places."""
    lies = ([cells.get((r + dr, c + dc)) for dr, dc in shape] for r, c in cells)
    return sorted(tuple(p for p in places if p is not None) for places in lies if None not in places)


def lines_of(cells: dict[tuple[int, int], int]) -> list[tuple[int, ...]]:
    """Return all lines of four places in a row or column; the King's land may be one of them."""
    return patterns_of(cells, [(0, i) for i in range(4)]) + patterns_of(cells, [(i, 0) for i in range(4)])


def squares_of(cells: dict[tuple[int, int], int]) -> list[tuple[int, ...]]:
    """Return all squares of two by two places."""
    return patterns_of(cells, list(product(range(2), range(2))))


def check_blocks(data: dict[str, Any]) -> None:
    for size in range(1, 7):
        cells = {tuple(cell) for cell in data["blocks"].get(str(size), ())}
        demand(len(cells) == size, f"block {size} has {len(cells)} cells")
    extra = data["blocks"].keys() - {"source", *map(str, range(1, 7))}
    demand(not extra, f"there is no block of size {', '.join(sorted(extra))}; sizes are 1 to 6")
    demand(len(data["supply"]["blocks"]) == 6, "the supply names the blocks of six sizes")


def check_houses(data: dict[str, Any]) -> None:
    for name in FOOTPRINTS:
        demand(name in data["houses"], f"house {name} is missing")
        demand(
            len(data["houses"][name]["base"]) == data["houses"]["floors"] == 3,
            f"house {name} needs base points for three floors",
        )


def check_residents(data: dict[str, Any]) -> None:
    cards = [name for name in data["residents"] if name != "source"]
    demand(cards == [f"r{i:02}" for i in range(1, 17)], f"resident cards are r01 to r16, not {', '.join(cards)}")
    for name in cards:
        card = data["residents"][name]
        demand(card["persons"] > 0 and bool(card["grounds"]), f"resident {name} has no persons or no ground")
        for ground in card["grounds"]:
            demand(ground in Ground, f"resident {name} lives on {ground!r}, which is no ground")
    specials = [name for name in cards if data["residents"][name].get("special")]
    demand(specials == cards[-2:], f"the special residents are r15 and r16, not {', '.join(specials)}")


def checked(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data. Raises InvalidTownDataError if they are invalid."""
    ground_of(data)
    layouts = {name: rows for name, rows in data["layouts"].items() if name != "source"}
    for name, rows in layouts.items():
        cells = cells_of(name, rows)
        demand(
            len(lines_of(cells)) > 0 and len(squares_of(cells)) > 0,
            f"layout {name} has no line of four or no square of lands",
        )
    check_blocks(data)
    check_houses(data)
    check_residents(data)
    demand(len(data["track"]["squares"]) == len(data["track"]["rewards"]), "each bonus square has one reward")
    return data


DATA, TUNED = (
    checked(tomllib.loads(Path(__file__).with_name(name).read_text("utf-8")))
    for name in ("components.toml", "tuned.toml")  # of the second file, only the points of houses and residents
)
