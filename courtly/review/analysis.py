"""The analysis of a finished game: every decision with a choice is judged by search, from what its player knew then.

The search says what it would have played. Then so many games are simulated after each of the moves that it thought most
of, and after what was played; each seat's share of their victories is its chance. What a player lost by a choice is the
difference, and what is neither lost nor gained by anybody's choice is luck.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from math import sqrt
from typing import NamedTuple

from courtly.bots.search.search import CONFIDENCE_95_FACTOR, Search
from courtly.engine.constants import NOBODY, SILENT
from courtly.engine.game import find_game
from courtly.engine.match import Entry, Match
from courtly.engine.native import loader
from courtly.engine.position import Position
from courtly.engine.schemas import PositionView
from courtly.review.schemas import Balance, Decision, ExaminedMove, Review

REVIEW_FORMAT = 1  # of the shapes
DEFAULT_SIMULATIONS = 1000  # simulations of each move, where nothing else is said
EXAMINED_MOVES = 2  # moves of a decision that are looked into, besides the one that was played
MIN_TURNING_LOSS = 0.05  # a loss from which on a decision may have turned the game
TURNING_ERROR_FACTOR = (
    1.5  # errors that it has to be, or of a hundred decisions a few would seem to have done so by accident
)


class Choice(NamedTuple):
    """A decision with a choice, as it was met: what the seat saw, and which move it made. `goes_on`: it has learned
    nothing since its decision before."""

    ply: int
    seat: int
    view: PositionView
    move: int
    goes_on: bool


def remaining_entries(entries: Iterable[Entry]) -> list[Entry]:
    """What was not taken back."""
    left: list[Entry] = []
    for entry in entries:
        if entry.undo:
            last = max(i for i, done in enumerate(left) if done.seat == entry.seat) + 1
            del left[last - entry.undo : last]
        else:
            left.append(entry)
    return left


def iter_choices(match: Match) -> Iterator[Choice]:
    """The decisions of a match that left a choice, in order."""
    position = Position(match.game, match.players, match.options)
    unaware: set[int] = set()  # who has decided and noticed nothing since
    for ply, seat, move, *_ in remaining_entries(match.entries):
        if seat != NOBODY:
            view = position.view(seat)
            if len(view["legal"]) > 1:
                yield Choice(ply, seat, view, move, seat in unaware)
                unaware.add(seat)
        unaware -= {other for other in unaware if _is_noticed_by(position, other, seat, move)}
        position.apply(seat, move)


def _is_noticed_by(position: Position, other: int, seat: int, move: int) -> bool:
    """Does a seat see, or learn from, what is done? Its own moves are no news."""
    if position.reveals(seat, move) >> other & 1:
        return True
    audience = position.audience(seat, move)
    return other != seat and not (audience >= 0 and audience & SILENT and not audience >> other & 1)


def judge(search: Search, choice: Choice) -> Decision:
    """What the search makes of a decision: of its view alone, and always the same."""
    number = choice.ply * (EXAMINED_MOVES + 2)
    best = [line.move for line in search.think(choice.view, number).lines[:EXAMINED_MOVES]]
    moves = best if choice.move in best else [*best, choice.move]
    named = {move["id"]: move for move in choice.view["legal"]}
    tallies: list[ExaminedMove] = []
    for i, move in enumerate(moves):
        found = search.chances(choice.view, move, number + 1 + i)
        error = round(CONFIDENCE_95_FACTOR * found.errors[choice.seat], 4)
        tallies.append({"move": named[move], "chances": [round(share, 4) for share in found.shares], "error": error})
    return {
        "ply": choice.ply,
        "seat": choice.seat,
        "goes_on": choice.goes_on,
        "played": moves.index(choice.move),
        "tallies": tallies,
        "loss": 0.0,
        "error": 0.0,
        "turning": False,
    }


def add_losses(decisions: list[Decision]) -> list[Decision]:
    """With what was lost by each. Where a player goes on having learned nothing, what was played is worth what can
    still be made of it: simulations play on worse than whoever thinks once more."""
    follows: dict[int, Decision] = {}  # of each seat, the decision after
    for decision in reversed(decisions):
        seat, place, tallies = decision["seat"], decision["played"], decision["tallies"]
        after = follows.get(seat)
        follows[seat] = decision
        if place == 0:
            continue
        if after and after["goes_on"]:
            then = after["tallies"][0]
            tallies[place] = {"move": tallies[place]["move"], "chances": then["chances"], "error": then["error"]}
        loss = tallies[0]["chances"][seat] - tallies[place]["chances"][seat]
        error = sqrt(tallies[0]["error"] ** 2 + tallies[place]["error"] ** 2)
        decision["loss"], decision["error"] = round(loss, 4), round(error, 4)
        decision["turning"] = loss >= MIN_TURNING_LOSS and loss > TURNING_ERROR_FACTOR * error
    return decisions


def victory_shares(scores: list[int]) -> list[float]:
    """What each seat has of the victory."""
    winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
    return [(seat in winners) / len(winners) for seat in range(len(scores))]


def compute_balances(decisions: list[Decision], end: list[float]) -> list[Balance]:
    """Where each player's chances came from. They add up: begin + choices + others + luck = end."""
    found: list[Balance] = []
    for seat, won in enumerate(end):
        begin = before = decisions[0]["tallies"][0]["chances"][seat] if decisions else won
        own = others = luck = variance = 0.0
        for decision in decisions:
            best, after = (
                decision["tallies"][0]["chances"][seat],
                decision["tallies"][decision["played"]]["chances"][seat],
            )
            luck += best - before
            if decision["seat"] == seat:
                own += after - best
                variance += decision["error"] ** 2
            else:
                others += after - best
            before = after
        luck += won - before
        found.append(
            {
                "begin": round(begin, 4),
                "choices": round(own, 4),
                "error": round(sqrt(variance), 4),
                "others": round(others, 4),
                "luck": round(luck, 4),
                "end": round(won, 4),
            }
        )
    return found


def make_review(match: Match, count: int, decisions: list[Decision]) -> Review:
    """The analysis of a finished match, from its decisions."""
    scores = match.scores
    if scores is None:
        raise ValueError("the game is not over")
    return {
        "form": REVIEW_FORMAT,
        "game": match.game.id,
        "version": match.game.version,
        "players": match.players,
        "simulations": 0 if hasattr(match.game.policy, "solve") else count,
        "scores": scores,
        "decisions": add_losses(decisions),
        "balances": compute_balances(decisions, victory_shares(scores)),
    }


@cache
def load_search(game: str, count: int, native_code: bool = True) -> Search:
    """Return what judges the decisions of a game, in machine code or interpreted."""
    return Search(find_game(game), count, None if native_code else loader.InterpretedBackend())


def judge_in_process(game: str, count: int, choice: Choice) -> Decision:
    """As `judge`, for a process of its own."""
    return judge(load_search(game, count), choice)
