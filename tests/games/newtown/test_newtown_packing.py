"""Which blocks build which house: the tables against the boxes and against an independent program."""

import json
import random
import subprocess
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from node_program import find_node, needs_node

from courtly.engine import transcript
from courtly.games.newtown import building, packing, table

BOARD = Path(packing.__file__).parent / "board"
GOLDEN = Path(__file__).parent / "golden"
PENTHOUSE_BOX = (2, 2, 1)
PACK = """
import { readFileSync } from "node:fs";
import { packBlocks, packHouse } from "./packing.mjs";
const { shapes, blocks, houses } = JSON.parse(readFileSync(0, "utf8"));
const packed = blocks.map(([old, box, key]) => packBlocks(shapes, old, box, key));
console.log(JSON.stringify([packed, houses.map((stages) => packHouse(shapes, stages))]));
"""

packing.fits = cache(packing.fits)  # most tests call it for every house


def pack_words(words):
    return sum(packing.UNIT[int(size) - 1] for size in words.split("+"))


@cache
def tables():
    return packing.tables()


def test_the_tables_in_the_package_are_up_to_date():
    assert json.loads(packing.FILE.read_text("utf-8")) == tables()


def test_every_house_that_can_be_built_is_laid_out():
    """Each block lies completely in the new house, in one of its orientations, and the old house is unchanged."""
    count = 0
    for old_box, new_box in packing.targets().values():
        wide, deep, _ = new_box
        masks = set(packing.standing(old_box, new_box)) if old_box else {0}
        for key in packing.fits(old_box, new_box):
            cells = packing.layout(old_box, new_box, key)
            blocks = [[i for i, block in enumerate(cells) if block == n] for n in range(max(cells) + 1)]
            assert sum(packing.UNIT[len(block) - 1] for block in blocks) == key
            assert sum(1 << i for i, block in enumerate(cells) if block == -1) in masks
            for block in blocks:
                positions = [(i % wide, i // wide % deep, i // (wide * deep)) for i in block]
                assert tuple(
                    tuple(a - b for a, b in zip(cell, positions[0], strict=True)) for cell in positions
                ) in packing.orientations(len(block))
            count += 1
    assert count == 4980


def pack_in_node(folder, blocks, houses):
    """Return how the board lays these blocks, as (old box, new box, key), and those of these houses, as stages."""
    (folder / "packing.mjs").write_bytes((BOARD / "packing.js").read_bytes())
    (folder / "pack.mjs").write_text(PACK)
    jobs = {"shapes": packing.DATA["blocks"], "blocks": blocks, "houses": houses}
    process = subprocess.run(
        [find_node(), folder / "pack.mjs"], input=json.dumps(jobs), capture_output=True, text=True, timeout=600
    )
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


@needs_node
def test_the_board_lays_blocks_in_the_same_way(tmp_path):
    blocks = [
        (old_box, new_box, key)
        for old_box, new_box in packing.targets().values()
        for key in sorted(packing.fits(old_box, new_box))
    ]
    packed, _ = pack_in_node(tmp_path, blocks, [])
    assert [tuple(cells) for cells in packed] == [packing.layout(*job) for job in blocks]


def built_stages():
    """Return the stages of all houses at the ends of the golden records: the form, and the key of its blocks."""
    houses = set()
    for file in sorted(GOLDEN.glob("*.jsonl")):
        *_, match = transcript.iter_checked(file.read_text("utf-8"))
        s = match.state
        for house in range(table.HOUSE_COUNT):
            houses.add(tuple((table.FORMS[s.wall_form[house][i]], s.walls[house][i]) for i in range(s.stages[house])))
    return sorted(houses)


@needs_node
def test_the_board_lays_the_blocks_of_each_stage_around_the_previous_one(tmp_path):
    houses = built_stages()
    assert {len(stages) for stages in houses} >= {0, 1, 2, 3}
    assert any(form.endswith("p") for stages in houses for form, _ in stages)
    described = [
        [{"box": packing.FORMS[form.rstrip("p")], "penthouse": form.endswith("p"), "key": key} for form, key in stages]
        for stages in houses
    ]
    _, packed = pack_in_node(tmp_path, [], described)
    for stages, cells in zip(houses, packed, strict=True):
        below, count, old_box = [], 0, None
        for form, key in stages:
            if form.endswith("p"):
                added = packing.layout(None, PENTHOUSE_BOX, key)
                below += [count + block for block in added]
            else:
                added = packing.layout(old_box, packing.FORMS[form], key)
                below = [below.pop(0) if block < 0 else count + block for block in added]
                old_box = packing.FORMS[form]
            count += sum(key >> 5 * size & 31 for size in range(6))
        assert cells == below


def test_the_numbers_of_multisets_that_fit():
    """Two independent programs agreed on these numbers."""
    counts = {
        name: (
            len(set(packing.multisets(packing.volume(new_box) - (packing.volume(old_box) if old_box else 0)))),
            len(tables()[name]),
        )
        for name, (old_box, new_box) in packing.targets().items()
    }
    new_box = [counts[name] for name in packing.FORMS]
    assert new_box == [
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
    extensions = [counts[name] for name in counts if ">" in name]
    assert len(extensions) == 42 and sum(n for n, _ in extensions) == 3039 and sum(a for _, a in extensions) == 107


def is_in_hand(key, hand):
    return all(key >> 5 * i & 31 <= hand >> 5 * i & 31 for i in range(6))


def test_the_rules_find_the_largest_blocks_that_fill_a_house():
    """For hands of all kinds, against every multiset that fits. A penthouse requires four remaining cubes."""
    rng, penthouse_keys, outcomes = random.Random(1), packing.fits(None, (2, 2, 1)), set()
    for name, (old_box, new_box) in packing.targets().items():
        form_before, _, form = name.rpartition(">")
        number, form_number = form_before and 1 + table.FORMS.index(form_before) or 0, table.FORMS.index(form)
        needed, fits = table.NEEDS[number][form_number], packing.fits(old_box, new_box)
        for _ in range(12):
            hand = sum(rng.choice((0, 0, 1, 2, 4, 9)) << 5 * i for i in range(6))
            fitting_keys = [key for key in fits if is_in_hand(key, hand)]
            largest = building.filling(hand, table.LARGEST_SIZE, needed, 0, number, form_number, table.Attic.NONE)
            assert largest == max(fitting_keys, default=table.NONE)
            keys_with_penthouse = [
                key for key in fitting_keys if any(is_in_hand(key + penthouse, hand) for penthouse in penthouse_keys)
            ]
            largest_with_penthouse = building.filling(
                hand, table.LARGEST_SIZE, needed, 0, number, form_number, table.Attic.TO_COME
            )
            assert largest_with_penthouse == max(keys_with_penthouse, default=table.NONE)
            outcomes.add((largest < 0, largest_with_penthouse < 0, largest == largest_with_penthouse))
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
def test_worked_examples_fit_as_stated(blocks, house, fits):
    assert (blocks not in tables()[house]) == fits


def test_a_block_may_be_replaced_by_two_of_the_same_size_together():
    for name, (old_box, new_box) in packing.targets().items():
        if packing.volume(new_box) - (packing.volume(old_box) if old_box else 0) <= 16:
            fits = packing.fits(old_box, new_box)
            for key in fits:
                for size in packing.SIZES:
                    for part in range(1, size // 2 + 1):
                        if key >> 5 * size - 5 & 31:
                            split_key = (
                                key - packing.UNIT[size - 1] + packing.UNIT[part - 1] + packing.UNIT[size - part - 1]
                            )
                            assert split_key in fits, f"{name}: {packing.words(key)}"


def largest_block_first(sizes, free_cells):
    """An independent search: place the largest block in any possible place, then the next."""
    if not sizes:
        return not free_cells
    size, *rest = sizes
    for x, y, z in free_cells:
        for cells in packing.orientations(size):
            occupied = {(x + a, y + b, z + c) for a, b, c in cells}
            if occupied <= free_cells and largest_block_first(rest, free_cells - occupied):
                return True
    return False


@pytest.mark.parametrize(
    "name", [n for n, (old_box, new_box) in packing.targets().items() if packing.volume(new_box) <= 9]
)
def test_the_tables_equal_a_brute_force_search(name):
    old_box, new_box = packing.targets()[name]
    box = frozenset(product(*map(range, new_box)))
    for key in set(packing.multisets(packing.volume(new_box) - (packing.volume(old_box) if old_box else 0))):
        sizes = [int(size) for size in packing.words(key).split("+")]
        spots = product(range(new_box[0] - old_box[0] + 1), range(new_box[1] - old_box[1] + 1)) if old_box else [(0, 0)]
        fits_somewhere = any(
            largest_block_first(
                sizes, box - {(x + dx, y + dy, z) for x, y, z in product(*map(range, old_box or (0, 0, 0)))}
            )
            for dx, dy in spots
        )
        assert fits_somewhere == (packing.words(key) not in tables()[name]), packing.words(key)


def test_the_rules_use_these_tables():
    for b, form_before in enumerate(("", *packing.FORMS)):
        for f, form in enumerate(packing.FORMS):
            name = f"{form_before}>{form}" if form_before else form
            first_index = table.AWKWARD_FIRST[b][f]
            listed_keys = table.AWKWARD[first_index : first_index + table.AWKWARD_COUNT[b][f]]
            assert sorted(map(packing.words, listed_keys)) == tables().get(name, [])
            assert (table.NEEDS[b][f] > 0) == (name in tables())
