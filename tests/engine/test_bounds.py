"""Bounds on everything that rules write to or read from, in whole games of heuristic bots with every option value, and
in random ones.

Players that move at random are poor and short of everything: there are corners they never come to. Interpreted, an
index outside a row is an error, but one below 0 is not: here both complain, in fields, tables and buffers, and so does
a number too wide for its field. The same moves are made by a native build that checks bounds; both must agree after
every one.
"""

import random

import pytest
from forms import Pair, random_games
from properties import random_options, tables

from courtly.bots import bot_names, find_bot
from courtly.engine import native
from courtly.engine.chance import generator
from courtly.engine.game import NOBODY, find_game, game_ids
from courtly.engine.position import Position

pytestmark = pytest.mark.thorough
SEED = 43  # with it New Town's bots come to more ways to house residents than it has residents


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


COMPLAINING = {"copy": bounded, "row": Row}


def play(interpreted, checked, players, options, number):
    """One game of heuristic bots, with a random move now and then so that no two are alike."""
    game, r = interpreted.game, random.Random(number)
    choose = find_bot(game, bot_names(game)[0])
    pair = Pair(interpreted, checked, game.State(players=players, **options), number, **COMPLAINING)
    minds = [generator(number, seat) for seat in range(players)]
    state, length = pair.state, 0
    position, longest = Position(game, state=state), game.bounds["decisions"] + game.bounds["events"]
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
        pair.lead(at, total)
        assert pair.step() == move
        length += 1
        assert length <= longest, "the game does not end"
    pair.look(0, 0, NOBODY)


@pytest.fixture(scope="module", params=game_ids())
def both(request):
    """A game's drivers that complain: interpreted, native. Native code would otherwise read beyond a field without a
    word."""
    from numba import config

    game = find_game(request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(config, "OPT", type(config.OPT)(0))  # compiled in half the time; it need not be quick
        yield native.load(game, Bounded()), native.load(game, native.Compiled(boundscheck=True))


def test_random_games_stay_within_bounds(both, long):
    game, r = both[0].game, random.Random(2)
    for players in game.players:
        random_games(
            both, players, 50 if long else 2, lambda: random_options(game, r), 1 << 60 if long else 2000, **COMPLAINING
        )


def test_heuristic_bots_stay_within_bounds_with_every_option(both, long):
    interpreted, checked = both
    game = interpreted.game
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
    for outside in (
        lambda: row[-1],
        lambda: row[0][-1],
        lambda: row[2],
        lambda: row[0].__setitem__(-1, 0),
        lambda: table[-1],
        lambda: table[1][-1],
        lambda: table[2],
    ):
        with pytest.raises(IndexError):
            outside()
    with pytest.raises(OverflowError):
        row[0][0] = 128
    row[0][0] = -128
