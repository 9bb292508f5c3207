"""The shapes of an analysed game, as JSON: `courtly record review --json`, and what the server keeps and answers. Plain
dicts.

Chances are shares of victories, from 0 to 1, one for each seat; a shared victory counts in parts. An `error` is half of
a 95 % interval.
"""

from __future__ import annotations

from typing_extensions import TypedDict

from courtly.engine.schemas import Move


class ExaminedMove(TypedDict):
    """A move that was looked into, and the chances once it is made; `error`: of its player's."""

    move: Move
    chances: list[float]
    error: float


class Decision(TypedDict):
    """A decision with a choice, judged from what `seat` knew then. `ply`: its place in the journal; `goes_on`: it has
    learned nothing since its decision before; `tallies`: the move
    that the search prefers, others, and in place `played` what was played; `loss`: how much better the first is than
    that, for `seat`; `turning`: that is much, and no accident of the simulations."""

    ply: int
    seat: int
    goes_on: bool
    played: int
    tallies: list[ExaminedMove]
    loss: float
    error: float
    turning: bool


class Balance(TypedDict):
    """How a player's chances came from where they began to where they ended: by own choices (never to be gained by,
    beside the search's own), by those of others, and by all that nobody chose: what was drawn and what came to light.
    `error`: of `choices`."""

    begin: float
    choices: float
    error: float
    others: float
    luck: float
    end: float


class Review(TypedDict):
    """A finished game, analysed with so many simulations of each move; 0: its policy works decisions out. `form`: of
    these shapes; `balances`: by seat."""

    form: int
    game: str
    version: int
    players: int
    simulations: int
    scores: list[int]
    decisions: list[Decision]
    balances: list[Balance]
