"""Checked machine code reports every broken promise with the author's line, and otherwise does the same."""

from itertools import product

import numpy as np
import pytest
from compiler_harness import EDGES, Both, State, make_state

from courtly.bots.registry import has_move_policy
from courtly.bots.search.search import Search
from courtly.engine.game import find_game, game_ids
from courtly.engine.native import loader
from courtly.engine.position import Position
from courtly.engine.rng import make_generator

INDEX, RANGE = (IndexError, "index outside of the row"), (OverflowError, "outside of its declared range")
LOOP, WIDE = (RuntimeError, "endless loop"), (OverflowError, "more than 64 bits")
ZERO = (ZeroDivisionError, "division by zero")


@pytest.mark.parametrize(
    ("line", "values", "fault"),
    [
        ("a = s.row[a]", (5, -1, 1 << 40), INDEX),
        ("a = s.table[a][1]", (3, -1), INDEX),
        ("a = s.table[1][a]", (4, -1), INDEX),
        ("s.table[a][0] = 1", (3, -1), INDEX),
        ("s.hidden[1] += row[a]", (7, -1), INDEX),
        ("row[a] += 1", (7, -2), INDEX),
        ("a = TABLE[a]", (3, -1), INDEX),
        ("a = inner(s.row, a)", (5, -1), INDEX),
        ("s.small = a", (101, -1), RANGE),
        ("s.small += a", (101, -1), RANGE),
        ("s.signed = a", (301, -301), RANGE),
        ("s.wide = a", (1 << 31, -(1 << 31) - 1), RANGE),
        ("s.row[0] = a", (128, -129), RANGE),
        ("s.row[0], a = a, 3", (128, -129), RANGE),
        ("line = s.table[0]\n    line[1] -= a", (1 << 15 | 1, -(1 << 15)), RANGE),
        ("while a: s.wide += 0", (1,), LOOP),
        ("while True:\n        for i in range(2): continue", (0,), LOOP),
        ("a = a + a", (1 << 62, -(1 << 62) - 1), WIDE),
        ("a -= 1 << 62", (-(1 << 62) - 1,), WIDE),
        ("a = a * a", (1 << 32,), WIDE),
        ("a = a << 3", (1 << 61, -(1 << 61)), WIDE),
        ("a = -a", (-(1 << 63),), WIDE),
        ("a = 7 // (a - 3)", (3,), ZERO),
        ("a = 7 % (a - 3)", (3,), ZERO),
    ],
)
def test_a_fault_is_reported_with_its_line(line, values, fault):
    source = f"def inner(row, i):\n    return row[i]\n\ndef f(s, row, a):\n    {line}\n    return a\n"
    both = Both(source, examples=("state", np.zeros(7, np.int64), 0), constants={"TABLE": (1, 2, 3)}, is_checked=True)
    record, row = np.zeros(1, State.layout()), np.zeros(7, np.int64)
    places = [array.__array_interface__["data"][0] for array in (record, row)]
    error, message = fault
    expected_line = 2 if "inner" in line else 6 if line.startswith("line =") else 5
    for value in values:
        record["row"], record["small"] = 0, 0
        with pytest.raises(error, match=message) as caught:
            both.compiled(places[0], places[1], 7, value)
        assert f"example.py:{expected_line})" in str(caught.value)
    if fault is not LOOP:
        assert both.compiled(places[0], places[1], 7, 2) is not None, "a fault has no effect on later calls"


@pytest.mark.parametrize("operator", ["+", "-", "*", "//", "%", "&", "<", "<<"])
def test_without_a_fault_it_does_the_same(operator):
    both = Both(f"def f(a, b):\n    return (a {operator} b) + 0", examples=(0, 0), is_checked=True)
    for a, b in product(EDGES, EDGES if operator != "<<" else (0, 3, 17)):
        if (b or operator not in ("//", "%")) and abs(both.interpreted(a, b)) < 1 << 62:
            both.check(a, b)


def test_fields_without_a_fault():
    both = Both(
        "def f(s, a):\n    s.small = a\n    s.signed = -a\n    for i in range(5):\n        s.row[i] = a - i\n"
        "        s.hidden[s.players] = s.row[i] * 3\n    while a > 3:\n        a -= 1\n    return a",
        examples=("state", 0),
        is_checked=True,
    )
    for a in (0, 1, 50, 100):
        both.check(make_state(), a)


@pytest.mark.parametrize("name", game_ids())
def test_search_and_policy_keep_the_promises_of_the_rules(name):
    """A policy may change fields for a moment; there too they must stay within their declared ranges."""
    game = find_game(name)
    driver = "courtly.bots.search.exact_driver" if hasattr(game.policy, "solve") else "courtly.bots.search.tree"
    search = Search(game, 30, loader.CompiledBackend(loader.cache_folder(game, driver), is_checked=True))
    for players in game.players:
        position, rng, decisions = Position(game, players), make_generator(7, players), 0
        while not position.over and decisions < 12:
            if position.chance:
                position.happen(rng)
                continue
            seat = position.pending[0]
            view = position.view(seat)
            if len(view["legal"]) > 1:
                decisions += 1
                search.think(view, decisions)
            position.play(seat, [view["legal"][decisions * 7 % len(view["legal"])]["id"]])
    assert has_move_policy(game) or decisions
