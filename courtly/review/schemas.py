"""The JSON of an analysed game, as typed dicts: `courtly record review --json` prints it, and the server stores and
sends it.

Chances are shares of victories, from 0 to 1, one for each seat; a shared victory counts in parts. An `error` is half of
the width of a 95 % interval.
"""

from __future__ import annotations

from typing_extensions import TypedDict

from courtly.engine.schemas import Move, Reason


class ExaminedMove(TypedDict):
    """An examined move, and the chances after it. `error`: of the chance of its player; `reasons`: for and against the
    best and the played move, if the played one is clearly worse."""

    move: Move
    chances: list[float]
    error: float
    reasons: list[Reason]


class Decision(TypedDict):
    """A decision with a choice, judged from what `seat` knew then. `ply`: its place in the journal; `goes_on`: the seat
    has learned nothing since its previous decision; `tallies`: the move that the search prefers and others, with the
    played move at the index `played`; `loss`: how much higher the chance of `seat` is with the first move than with the
    played one; `turning`: the loss is large and statistically significant."""

    ply: int
    seat: int
    goes_on: bool
    played: int
    tallies: list[ExaminedMove]
    loss: float
    error: float
    turning: bool


class Balance(TypedDict):
    """How a player's chance changed from the begin of the game to its end: by own choices (at most 0, because the
    search's choices are the reference), by choices of others, and by luck: random events and disclosed information.
    `error`: of `choices`."""

    begin: float
    choices: float
    error: float
    others: float
    luck: float
    end: float


class Review(TypedDict):
    """The analysis of a finished game, with `simulations` of each move; 0 if the policy of the game solves decisions
    exactly. `form`: the version of this format; `balances`: by seat."""

    form: int
    game: str
    version: int
    players: int
    simulations: int
    scores: list[int]
    decisions: list[Decision]
    balances: list[Balance]
