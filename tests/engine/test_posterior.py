"""`determinize` gives what a seat may believe after all that it saw; see tests/posterior.py."""

import random

import pytest
from mutants import mutated
from posterior import worlds_are_what_can_be_believed

from courtly.engine.game import find_game, game_ids

pytestmark = pytest.mark.thorough
# Plans made in silence, and what others know: nobody has a right guess of these.
UNSEEN = {
    "sealed_bids": {"changes", "choice", "answer", "known"},
    "necklace": {"tray", "restarts", "known", "loot", "looked"},
    "cardinal": {"drawn"},
    "puppet": {"plan", "possible"},
}
HIDING = [name for name in game_ids() if find_game(name).hidden]


@pytest.mark.parametrize(
    ("name", "players"),
    [
        pytest.param(
            name,
            players,
            marks=[] if players in (find_game(name).players[0], find_game(name).players[-1]) else pytest.mark.long,
        )
        for name in HIDING
        for players in find_game(name).players
    ],
)
def test_worlds_are_what_can_be_believed(name, players, long):
    r = random.Random(14)
    compared = 0
    while compared < (20_000 if long else 150):
        compared += worlds_are_what_can_be_believed(
            find_game(name), players, r, games=1, count=500, steps=200, skip=UNSEEN[name]
        )[0]


def test_a_wrong_guess_is_noticed():
    """The first card that can be is dealt every time: no hand is impossible, but none is as likely as it should be."""
    lazy = mutated(
        find_game("sealed_bids"),
        (
            "",
            "rules.py",
            "        card = pick(rng, s.spare, KINDS)\n",
            "        card = 0\n        while not s.spare[card]:\n            card += 1\n",
        ),
    )
    with pytest.raises(AssertionError, match="determinize says"):
        worlds_are_what_can_be_believed(
            lazy, 3, random.Random(14), games=10, count=500, steps=200, skip=UNSEEN["sealed_bids"]
        )
