"""Whole games of heuristic bots with every option value, and with bounds on everything that rules write to or read from.

Players that move at random are poor and short of everything: there are corners they never come to. Interpreted, an index outside a row
is an error, but one below 0 is not: here both complain, in fields, tables and buffers, and so does a number too wide for its field.
The same moves are made by a native build that checks bounds; both must agree after every one.
"""
import random

import pytest

from courtly.bots import bot_names, find_bot
from courtly.engine import native
from courtly.engine.chance import SIZE, generator
from courtly.engine.game import MOST_SEATS, NOBODY, find_game, game_ids
from courtly.engine.position import Position

SEED = 43                                          # with it New Town's bots come to more ways to house residents than it has residents


class Row(list):
    """A row of numbers of so many bytes that cannot be read or written outside, from either end."""

    def __init__(self, values, size=8):
        super().__init__(values)
        self.bound = 1 << 8 * size - 1

    def __getitem__(self, i):
        if type(i) is int and i < 0:
            raise IndexError(f"index {i}")
        return super().__getitem__(i)

    def __setitem__(self, i, value):
        if type(i) is int and i < 0:
            raise IndexError(f"index {i}")
        if type(value) is int and not -self.bound <= value < self.bound:
            raise OverflowError(f"{value} is too wide")
        super().__setitem__(i, value)


class Table(tuple):
    """A table that cannot be read from its far end."""

    __slots__ = ()

    def __getitem__(self, i):
        if type(i) is int and i < 0:
            raise IndexError(f"index {i}")
        return super().__getitem__(i)


class Bounded(native.Interpreted):
    def table(self, t):
        return Table(x if type(x) is int else self.table(x) for x in t)


def rows(value, size):
    return Row((rows(x, size) for x in value), size) if isinstance(value, list) else value


def bounded(state):
    """A copy whose fields complain."""
    twin = state.copy()
    for name, field in twin.fields.items():
        setattr(twin, name, rows(getattr(twin, name), field.size))
    return twin


def lead(rng, at, total):
    """Have a generator give the number `at` of so many next."""
    rng[0] = 0
    rng[4] = -(-(at << 32) // total)


class Pair:
    """One game in both forms."""

    def __init__(self, interpreted, checked, players, options):
        import numpy as np
        self.interpreted, self.checked, self.game = interpreted, checked, interpreted.game
        total, self.size = self.game.moves.total, self.game.State.packing.size
        self.state = bounded(self.game.State(players=players, **options))
        self.records = np.zeros(1, self.game.State.layout())
        self.records.view("u1")[:self.size] = list(self.state.pack())
        self.wide = self.records[0]
        self.rng, self.moves, self.weights = Row([0] * SIZE), Row([0] * total), Row([0] * total)
        self.wide_rng, self.wide_moves, self.wide_weights = (np.zeros(n, np.int64) for n in (SIZE, total, total))
        interpreted.begin(self.state)
        checked.begin(self.wide)

    def step(self, at, total, wanted):
        """The move at this place of the list, or the event at this place of the weights."""
        lead(self.rng, at, total)
        lead(self.wide_rng, at, total)
        assert self.interpreted.step(self.state, self.rng, self.moves, self.weights) == wanted
        assert self.checked.step(self.wide, self.wide_rng, self.wide_moves, self.wide_weights) == wanted
        self.compare()

    def compare(self):
        assert self.state.pack() == self.records.view("u1")[:self.size].tobytes(), "the forms differ"

    def look(self, actor, move, seat):
        """The rest of the contract, which changes nothing: who sees what, and another world."""
        said, wide_said = Row([0] * MOST_SEATS), self.wide_moves[:MOST_SEATS].copy()
        self.interpreted.look(self.state, actor, move, said)
        self.checked.look(self.wide, actor, move, wide_said)
        world, wide_world = bounded(self.state), self.records.copy()
        wide_world.view("u1")[:] = self.records.view("u1")           # what lies between the fields too
        self.interpreted.guess(world, seat, Row(generator(seat + 1)))
        mind = self.wide_rng.copy()
        mind[:] = generator(seat + 1)
        self.checked.guess(wide_world[0], seat, mind)
        assert world.pack() == wide_world.view("u1")[:self.size].tobytes(), f"determinize for seat {seat} differs"


def play(interpreted, checked, players, options, number):
    """One game of heuristic bots, with a random move now and then so that no two are alike."""
    game, r = interpreted.game, random.Random(number)
    choose = find_bot(game, bot_names(game)[0])
    pair, minds = Pair(interpreted, checked, players, options), [generator(number, seat) for seat in range(players)]
    state, length = pair.state, 0
    position = Position(game, state=state)
    while not position.over:
        seat = position.actors[0]
        legal = position.legal(seat)
        if seat == NOBODY:
            weights = [weight for _, weight in position.outcomes()]
            at = r.choices(range(len(legal)), weights)[0]
            move, at, total = legal[at], sum(weights[:at]), sum(weights)
        else:
            move = choose(game, position.view(seat), minds[seat]) if r.random() < 0.95 else r.choice(legal)
            at, total = legal.index(move), len(legal)
        if length % 16 == 0:
            pair.look(seat, move, length // 16 % (players + 1) - 1)
        pair.step(at, total, move)
        length += 1
        assert length < 200_000, "the game does not end"
    pair.look(0, 0, NOBODY)


def tables(game, r, more):
    """(players, options) in which every value of every option occurs, each among others drawn at random; then so many more, quite at random."""
    missing = {name: r.sample(values, len(values)) for name, values in game.options.items()}
    counts = r.sample(game.players, len(game.players))
    while any(missing.values()) or counts:
        options = {name: missing[name].pop() if missing[name] else r.choice(values) for name, values in game.options.items()}
        yield counts.pop() if counts else r.choice(game.players), options
    for _ in range(more):
        yield r.choice(game.players), {name: r.choice(values) for name, values in game.options.items()}


@pytest.mark.parametrize("name", game_ids())
def test_heuristic_bots_stay_within_bounds_with_every_option(name, long):
    game = find_game(name)
    interpreted, checked = native.load(game, Bounded()), native.load(game, boundscheck=True)
    for number, (players, options) in enumerate(tables(game, random.Random(SEED), 100 if long else 0)):
        try:
            play(interpreted, checked, players, options, number)
        except Exception as wrong:
            wrong.add_note(f"in game {number}: {players} players, {options}")
            raise


def test_rows_and_tables_complain():
    """A test that cannot fail would be a defect."""
    row, table = rows([[1, 2], [3, 4]], 1), Bounded().table((1, (2, 3)))
    assert row[1][1] == 4 and table[1][0] == 2
    for outside in (lambda: row[-1], lambda: row[0][-1], lambda: row[2], lambda: row[0].__setitem__(-1, 0), lambda: table[-1], lambda: table[1][-1], lambda: table[2]):
        with pytest.raises(IndexError):
            outside()
    with pytest.raises(OverflowError):
        row[0][0] = 128
    row[0][0] = -128
