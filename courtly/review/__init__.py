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

from courtly.bots.search import SURE, Search
from courtly.engine.game import NOBODY, find_game
from courtly.engine.match import Entry, Match
from courtly.engine.position import Position
from courtly.engine.shapes import Glance
from courtly.review.shapes import Balance, Decision, Review, Tally

FORM = 1  # of the shapes
COUNT = 1000  # simulations of each move, where nothing else is said
LOOKED = 3  # moves of a decision that are looked into, besides the one that was played
MUCH = 0.04  # a loss from which on a decision may have turned the game


class Choice(NamedTuple):
    """A decision with a choice, as it was met: what the seat saw, and which move it made."""

    ply: int
    seat: int
    view: Glance
    move: int


def standing(entries: Iterable[Entry]) -> list[Entry]:
    """What was not taken back."""
    left: list[Entry] = []
    for entry in entries:
        if entry.undo:
            last = max(i for i, done in enumerate(left) if done.seat == entry.seat) + 1
            del left[last - entry.undo : last]
        else:
            left.append(entry)
    return left


def choices(match: Match) -> Iterator[Choice]:
    """The decisions of a match that left a choice, in order."""
    position = Position(match.game, match.players, match.options)
    for entry in standing(match.entries):
        if entry.seat != NOBODY:
            view = position.view(entry.seat)
            if len(view["legal"]) > 1:
                yield Choice(entry.ply, entry.seat, view, entry.move)
        position.apply(entry.seat, entry.move)


def judge(search: Search, choice: Choice) -> Decision:
    """What the search makes of a decision: of its view alone, and always the same."""
    number = choice.ply * (LOOKED + 2)
    best = [line.move for line in search.think(choice.view, number).lines[:LOOKED]]
    moves = best if choice.move in best else [*best, choice.move]
    named = {move["id"]: move for move in choice.view["legal"]}
    tallies: list[Tally] = []
    for i, move in enumerate(moves):
        found = search.chances(choice.view, move, number + 1 + i)
        error = round(SURE * found.errors[choice.seat], 4)
        tallies.append({"move": named[move], "chances": [round(share, 4) for share in found.shares], "error": error})
    played = moves.index(choice.move)
    loss = tallies[0]["chances"][choice.seat] - tallies[played]["chances"][choice.seat]
    error = sqrt(tallies[0]["error"] ** 2 + tallies[played]["error"] ** 2) if played else 0.0
    return {
        "ply": choice.ply,
        "seat": choice.seat,
        "played": played,
        "tallies": tallies,
        "loss": round(loss, 4),
        "error": round(error, 4),
        "turning": loss >= MUCH and loss > error,
    }


def outcome(scores: list[int]) -> list[float]:
    """What each seat has of the victory."""
    winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
    return [(seat in winners) / len(winners) for seat in range(len(scores))]


def balances(decisions: list[Decision], end: list[float]) -> list[Balance]:
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


def gathered(match: Match, count: int, decisions: list[Decision]) -> Review:
    """The analysis of a finished match, from its decisions."""
    scores = match.scores
    if scores is None:
        raise ValueError("the game is not over")
    return {
        "form": FORM,
        "game": match.game.id,
        "version": match.game.version,
        "players": match.players,
        "simulations": count,
        "scores": scores,
        "decisions": decisions,
        "balances": balances(decisions, outcome(scores)),
    }


@cache
def searching(game: str, count: int) -> Search:
    """What judges the decisions of a game."""
    return Search(find_game(game), count)


def judged(game: str, count: int, choice: Choice) -> Decision:
    """As `judge`, for a process of its own."""
    return judge(searching(game, count), choice)
