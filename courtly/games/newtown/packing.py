"""Which blocks build which house: the tables of the rules, computed by exact cover.

A house is a solid box; blocks are flat polycubes in any orientation. For every new house and every extension (a larger
box around an old one, at any position), all multisets of blocks with the right volume are tried. Nearly all fit: the
tables list those that do not. `python -m courtly.games.newtown.packing` writes packing.json. `layout` finds one packing
for the blocks of a house, to show it.

A multiset is represented by a number, its key: five bits for each size, size 1 lowest.
"""

import json
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import permutations, product
from pathlib import Path

from courtly.games.newtown.components import DATA, FOOTPRINTS

SIZES = range(1, 7)
FLOORS = range(1, 4)
FILE = Path(__file__).with_name("packing.json")
Cell = tuple[int, int, int]
Box = tuple[int, int, int]
UNIT = tuple(1 << 5 * i for i in range(6))  # the key of one block of each size


def sides(footprint: str) -> tuple[int, int]:
    width, depth = footprint.split("x")
    return int(width), int(depth)


FORMS: dict[str, Box] = {
    f"{footprint}x{floors}": (*sides(footprint), floors) for footprint in FOOTPRINTS for floors in FLOORS
}


def volume(box: Box) -> int:
    return box[0] * box[1] * box[2]


@cache
def orientations(size: int) -> tuple[tuple[Cell, ...], ...]:
    """Return the orientations of a block in space, as offsets from its first cell (by z, then y, then x)."""
    flat = [(x, y, 0) for x, y in DATA["blocks"][str(size)]]
    found = set()
    for axes in permutations(range(3)):
        # rotations and mirror images: a flat block turned over is its own mirror image
        for signs in product((1, -1), repeat=3):
            cells = sorted(
                ((c[axes[0]] * signs[0], c[axes[1]] * signs[1], c[axes[2]] * signs[2]) for c in flat),
                key=lambda c: c[::-1],
            )
            x, y, z = cells[0]
            found.add(tuple((a - x, b - y, c - z) for a, b, c in cells))
    return tuple(sorted(found))


@cache
def placements(box: Box) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return, for every cell of a box, the (size, mask) of the blocks whose first cell it is. Bit of a cell: (z * depth
    + y) * width + x."""
    width, depth, height = box
    table = []
    for z, y, x in product(range(height), range(depth), range(width)):
        here = []
        for size in SIZES:
            for cells in orientations(size):
                at = [(x + a, y + b, z + c) for a, b, c in cells]
                if all(0 <= a < width and 0 <= b < depth and 0 <= c < height for a, b, c in at):
                    here.append((size, sum(1 << (c * depth + b) * width + a for a, b, c in at)))
        table.append(tuple(here))
    return tuple(table)


def fillings(box: Box, taken: int) -> frozenset[int]:
    """Return the keys of all multisets of blocks that fill the free cells of a box. `taken`: the mask of the other
    cells."""
    table = placements(box)
    full = (1 << volume(box)) - 1

    @cache
    def rest(mask: int) -> frozenset[int]:
        if mask == full:
            return frozenset((0,))
        first = (~mask & (mask + 1)).bit_length() - 1
        return frozenset(
            key + UNIT[size - 1] for size, cells in table[first] if not mask & cells for key in rest(mask | cells)
        )

    return rest(taken)


def standing(old: Box, new: Box) -> Iterator[int]:
    """Yield the masks of an old box that stands on the ground within a new one."""
    width, depth, height = old
    for dy, dx in product(range(new[1] - depth + 1), range(new[0] - width + 1)):
        yield sum(
            1 << (z * new[1] + y + dy) * new[0] + x + dx
            for z, y, x in product(range(height), range(depth), range(width))
        )


def fits(old: Box | None, new: Box) -> frozenset[int]:
    """Return the keys of all multisets that build a new house, or extend an old one in its best position."""
    return frozenset().union(*(fillings(new, taken) for taken in (standing(old, new) if old else (0,))))


@lru_cache(4096)
def layout(old: Box | None, new: Box, key: int) -> tuple[int, ...]:
    """Return the number of the block in each cell of a new house, or of an extension, whose old cells are -1. Blocks
    are numbered in the order of their first cells. Returns () if the blocks do not fit."""
    table = placements(new)
    full = (1 << volume(new)) - 1

    def fill(mask: int, left: int) -> list[int] | None:
        """Return the masks of the blocks that cover the remaining cells; None if there are none."""
        if mask == full:
            return []
        for size, cells in reversed(table[(~mask & (mask + 1)).bit_length() - 1]):
            if left >> 5 * size - 5 & 31 and not mask & cells:
                found = fill(mask | cells, left - UNIT[size - 1])
                if found is not None:
                    return [cells, *found]
        return None

    for taken in standing(old, new) if old else (0,):
        found = fill(taken, key)
        if found is not None:
            return tuple(
                next((number for number, cells in enumerate(found) if cells >> bit & 1), -1)
                for bit in range(volume(new))
            )
    return ()


def multisets(total: int, largest: int = 6) -> Iterator[int]:
    """Yield the keys of all multisets of blocks with this volume."""
    if total == 0:
        yield 0
    for size in range(min(total, largest), 0, -1):
        for key in multisets(total - size, size):
            yield key + UNIT[size - 1]


def grows(old: Box, new: Box) -> bool:
    return old != new and all(a <= b for a, b in zip(old, new, strict=True))


def targets() -> dict[str, tuple[Box | None, Box]]:
    """Return every new house and every extension by name, such as "2x2x1" and "2x2x1>2x3x2"."""
    made: dict[str, tuple[Box | None, Box]] = {name: (None, box) for name, box in FORMS.items()}
    made.update({f"{a}>{b}": (old, new) for a, old in FORMS.items() for b, new in FORMS.items() if grows(old, new)})
    return made


def words(key: int) -> str:
    """Return a multiset as text, such as "5+4+3"."""
    return "+".join(str(size) for size in reversed(SIZES) for _ in range(key >> 5 * size - 5 & 31))


def tables() -> dict[str, list[str]]:
    """Return, for every target, the multisets of the right volume that do not fit."""
    return {
        name: sorted(words(key) for key in set(multisets(volume(new) - (volume(old) if old else 0))) - fits(old, new))
        for name, (old, new) in targets().items()
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(tables(), indent=0) + "\n", encoding="utf-8")
