"""Which blocks build which house: the tables against the boxes and against an independent program."""

import json
import random
from functools import cache
from itertools import product

import pytest

from courtly.games.newtown import building, packing, table

packing.fits = cache(packing.fits)  # most tests call it for every house


def key(words):
    return sum(packing.UNIT[int(size) - 1] for size in words.split("+"))


@cache
def tables():
    return packing.tables()


def test_the_tables_in_the_package_are_up_to_date():
    assert json.loads(packing.FILE.read_text("utf-8")) == tables()


def test_every_house_that_can_be_built_is_laid_out():
    """Each block lies completely in the new house, in one of its orientations, and the old house is unchanged."""
    count = 0
    for old, new in packing.targets().values():
        wide, deep, _ = new
        masks = set(packing.standing(old, new)) if old else {0}
        for key in packing.fits(old, new):
            cells = packing.layout(old, new, key)
            blocks = [[i for i, block in enumerate(cells) if block == n] for n in range(max(cells) + 1)]
            assert sum(packing.UNIT[len(block) - 1] for block in blocks) == key
            assert sum(1 << i for i, block in enumerate(cells) if block == -1) in masks
            for block in blocks:
                at = [(i % wide, i // wide % deep, i // (wide * deep)) for i in block]
                assert tuple(
                    tuple(a - b for a, b in zip(cell, at[0], strict=True)) for cell in at
                ) in packing.orientations(len(block))
            count += 1
    assert count == 4980


def test_the_numbers_of_multisets_that_fit():
    """Two independent programs agreed on these numbers."""
    found = {
        name: (
            len(set(packing.multisets(packing.volume(new) - (packing.volume(old) if old else 0)))),
            len(tables()[name]),
        )
        for name, (old, new) in packing.targets().items()
    }
    new = [found[name] for name in packing.FORMS]
    assert new == [
        (5, 0),
        (20, 5),
        (58, 0),
        (11, 0),
        (58, 0),
        (199, 0),
        (20, 0),
        (136, 2),
        (532, 0),
        (26, 5),
        (199, 0),
        (811, 15),
    ]
    extensions = [found[name] for name in found if ">" in name]
    assert len(extensions) == 42 and sum(n for n, _ in extensions) == 3039 and sum(a for _, a in extensions) == 107


def held(key, hand):
    return all(key >> 5 * i & 31 <= hand >> 5 * i & 31 for i in range(6))


def test_the_rules_find_the_largest_blocks_that_fill_a_house():
    """For hands of all kinds, against every multiset that fits. A penthouse requires four remaining cubes."""
    rng, fours, outcomes = random.Random(1), packing.fits(None, (2, 2, 1)), set()
    for name, (old, new) in packing.targets().items():
        before, _, form = name.rpartition(">")
        number, plain = before and 1 + table.FORMS.index(before) or 0, table.FORMS.index(form)
        room, fits = table.NEEDS[number][plain], packing.fits(old, new)
        for _ in range(12):
            hand = sum(rng.choice((0, 0, 1, 2, 4, 9)) << 5 * i for i in range(6))
            ways = [key for key in fits if held(key, hand)]
            found = building.filling(hand, table.LARGEST_SIZE, room, 0, number, plain, table.Attic.NONE)
            assert found == max(ways, default=table.NONE)
            spare = [key for key in ways if any(held(key + four, hand) for four in fours)]
            found_beside = building.filling(hand, table.LARGEST_SIZE, room, 0, number, plain, table.Attic.TO_COME)
            assert found_beside == max(spare, default=table.NONE)
            outcomes.add((found < 0, found_beside < 0, found == found_beside))
    assert len(outcomes) == 4, "all kinds of outcomes occur"


@pytest.mark.parametrize(
    "blocks, house, fits",
    [
        ("5+4+3", "2x2x3", True),
        ("5+4+3", "2x3x2", True),
        ("6+6", "2x2x3", True),
        ("4+4", "2x2x2", True),
        ("4+4", "2x4x1", True),
        ("5+3", "2x4x1", True),
        ("5+3", "2x2x2", False),
        ("6+3", "3x3x1", False),
        ("6+2+1", "3x3x1", True),
        ("3", "2x3x1>3x3x1", False),
        ("2+1", "2x3x1>3x3x1", True),
        ("5", "2x2x1>3x3x1", False),
        ("5+5", "2x3x1>2x4x2", False),
    ],
)
def test_worked_examples(blocks, house, fits):
    assert (blocks not in tables()[house]) == fits


def test_a_block_may_be_replaced_by_two_of_the_same_size_together():
    for name, (old, new) in packing.targets().items():
        if packing.volume(new) - (packing.volume(old) if old else 0) <= 16:
            fits = packing.fits(old, new)
            for k in fits:
                for size in packing.SIZES:
                    for part in range(1, size // 2 + 1):
                        if k >> 5 * size - 5 & 31:
                            split = k - packing.UNIT[size - 1] + packing.UNIT[part - 1] + packing.UNIT[size - part - 1]
                            assert split in fits, f"{name}: {packing.words(k)}"


def largest_block_first(sizes, free):
    """An independent search: place the largest block in any possible place, then the next."""
    if not sizes:
        return not free
    size, *rest = sizes
    for x, y, z in free:
        for cells in packing.orientations(size):
            at = {(x + a, y + b, z + c) for a, b, c in cells}
            if at <= free and largest_block_first(rest, free - at):
                return True
    return False


@pytest.mark.parametrize("name", [n for n, (old, new) in packing.targets().items() if packing.volume(new) <= 9])
def test_by_brute_force(name):
    old, new = packing.targets()[name]
    box = frozenset(product(*map(range, new)))
    for k in set(packing.multisets(packing.volume(new) - (packing.volume(old) if old else 0))):
        sizes = [int(size) for size in packing.words(k).split("+")]
        spots = product(range(new[0] - old[0] + 1), range(new[1] - old[1] + 1)) if old else [(0, 0)]
        found = any(
            largest_block_first(
                sizes, box - {(x + dx, y + dy, z) for x, y, z in product(*map(range, old or (0, 0, 0)))}
            )
            for dx, dy in spots
        )
        assert found == (packing.words(k) not in tables()[name]), packing.words(k)


def test_the_rules_use_these_tables():
    for b, before in enumerate(("", *packing.FORMS)):
        for f, form in enumerate(packing.FORMS):
            name = f"{before}>{form}" if before else form
            first = table.AWKWARD_FIRST[b][f]
            listed = table.AWKWARD[first : first + table.AWKWARD_COUNT[b][f]]
            assert sorted(map(packing.words, listed)) == tables().get(name, [])
            assert (table.NEEDS[b][f] > 0) == (name in tables())
