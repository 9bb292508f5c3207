"""The page overlooks moves, but never more than its squire can decide without."""

import pytest

from courtly.bots.beginner import choose
from courtly.engine.rng import make_generator

VIEW = {"legal": [{"id": 1, "verb": "keep"}, {"id": 2, "verb": "keep"}, {"id": 3, "verb": "roll"}]}


def fail():
    raise KeyError("a move is missing")


@pytest.mark.parametrize(("second", "expected"), [(lambda: 2, 2), (lambda: 1, 1), (lambda: 9, 1), (fail, 1)])
def test_the_page_plays_the_squires_second_choice_if_there_is_one(second, expected):
    def squire(game, view, rng):
        return 1 if view is VIEW else second()

    assert choose(None, VIEW, make_generator(1), squire=squire, slip_interval=1) == expected


def test_the_page_plays_the_only_move_of_its_kind():
    assert choose(None, VIEW, make_generator(1), squire=lambda *_: 3, slip_interval=1) == 3
