"""The analysis of a finished game: a search judges every decision with a choice, from what its player knew then.

The search chooses the moves that it prefers. Then games are simulated after each of these, and after the move that was
played; each seat's share of the victories is its chance. The difference is the player's loss by the choice. Changes
that no choice explains are luck.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from math import sqrt
from typing import NamedTuple

from courtly.bots.move_explanations import explain_moves
from courtly.bots.search.search import CONFIDENCE_95_FACTOR, Search, WinChances
from courtly.bots.secret_choices import find_chances
from courtly.bots.shares import round_share
from courtly.bots.turn_plan import explain_plan, has_plans, plan_turn
from courtly.engine.constants import NOBODY, SILENT
from courtly.engine.game import Game, find_game
from courtly.engine.match import Entry, Match
from courtly.engine.native import loader
from courtly.engine.position import Position
from courtly.engine.schemas import PositionView, Reason
from courtly.review.schemas import Balance, Decision, ExaminedMove, Review

REVIEW_FORMAT = 2  # of the JSON
DEFAULT_SIMULATIONS = 1000  # default number of simulations of each move
EXAMINED_MOVES = 2  # moves examined for each decision, in addition to the one that was played
SHARE_DECIMALS = 4  # of chances
MIN_TURNING_LOSS = 0.05  # the least loss of a decision that can be a turning point
TURNING_ERROR_FACTOR = (
    1.5  # how many standard errors the loss must exceed; otherwise a few of a hundred decisions would qualify by chance
)


class Choice(NamedTuple):
    """A decision with a choice: the view of its seat, and the move that it made. `goes_on`: the seat has learned
    nothing since its previous decision."""

    ply: int
    seat: int
    view: PositionView
    move: int
    goes_on: bool


def remaining_entries(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries of a journal that were not taken back."""
    left: list[Entry] = []
    for entry in entries:
        if entry.undo:
            last = max(i for i, removed in enumerate(left) if removed.seat == entry.seat) + 1
            del left[last - entry.undo : last]
        else:
            left.append(entry)
    return left


def iter_choices(match: Match) -> Iterator[Choice]:
    """Yield the decisions of a match with more than one legal move, in order."""
    position = Position(match.game, match.players, match.options)
    unaware: set[int] = set()  # seats that have decided and noticed nothing since
    for ply, seat, move, *_ in remaining_entries(match.entries):
        if seat != NOBODY:
            view = position.view(seat)
            if len(view["legal"]) > 1:
                yield Choice(ply, seat, view, move, seat in unaware)
                unaware.add(seat)
        unaware -= {other for other in unaware if _is_noticed_by(position, other, seat, move)}
        position.apply(seat, move)


def _is_noticed_by(position: Position, other: int, seat: int, move: int) -> bool:
    """Return True if a seat notices a move of another seat, or learns something from any move."""
    if position.reveals(seat, move) >> other & 1:
        return True
    audience = position.audience(seat, move)
    return other != seat and not (audience >= 0 and audience & SILENT and not audience >> other & 1)


def judge(search: Search, choice: Choice) -> Decision:
    """Return the search's judgement of a decision. It depends on the view and the ply alone, and is the same every
    time."""
    number = choice.ply * (EXAMINED_MOVES + 2)
    best = [line.move for line in search.think(choice.view, number).lines[:EXAMINED_MOVES]]
    moves = best if choice.move in best else [*best, choice.move]
    moves_by_id = {move["id"]: move for move in choice.view["legal"]}
    found = {move: find_chances(search, choice.view, move, number + 1 + i) for i, move in enumerate(moves)}
    reasons = _explain_mistake(search.game, choice, found, number)
    tallies: list[ExaminedMove] = [
        {
            "move": moves_by_id[move],
            "chances": [_round(share) for share in chances.shares],
            "error": _round(CONFIDENCE_95_FACTOR * chances.errors[choice.seat]),
            "reasons": reasons.get(move, []),
        }
        for move, chances in found.items()
    ]
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


def _explain_mistake(game: Game, choice: Choice, found: dict[int, WinChances], number: int) -> dict[int, list[Reason]]:
    """Return the reasons for and against the best and the played move, if the played one is clearly worse."""
    seat, played = choice.seat, found[choice.move]
    best = max(found, key=lambda move: found[move].shares[seat])
    error = CONFIDENCE_95_FACTOR * sqrt(found[best].errors[seat] ** 2 + played.errors[seat] ** 2)
    if found[best].shares[seat] - played.shares[seat] <= error:
        return {}
    reasons = explain_moves(game, choice.view, {best: found[best], choice.move: played}, number)
    if has_plans(game):
        for move in reasons:
            reasons[move] = explain_plan(game, plan_turn(game, choice.view, move, number)) + reasons[move]
    return reasons


def add_losses(decisions: list[Decision]) -> list[Decision]:
    """Fill in the loss of each decision, and return the decisions.

    If the player decided again without having learned anything, the played move gets the chances of the best move of
    that later decision: simulations play worse from there than a player who searches again.
    """
    follows: dict[int, Decision] = {}  # for each seat, its next decision
    for decision in reversed(decisions):
        seat, place, tallies = decision["seat"], decision["played"], decision["tallies"]
        after = follows.get(seat)
        follows[seat] = decision
        if place == 0:
            continue
        if after and after["goes_on"]:
            value_after = after["tallies"][0]
            tallies[place]["chances"], tallies[place]["error"] = value_after["chances"], value_after["error"]
        loss = tallies[0]["chances"][seat] - tallies[place]["chances"][seat]
        error = sqrt(tallies[0]["error"] ** 2 + tallies[place]["error"] ** 2)
        decision["loss"], decision["error"] = _round(loss), _round(error)
        decision["turning"] = loss >= MIN_TURNING_LOSS and loss > TURNING_ERROR_FACTOR * error
    return decisions


def victory_shares(scores: list[int]) -> list[float]:
    """Return each seat's share of the victory."""
    winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
    return [(seat in winners) / len(winners) for seat in range(len(scores))]


def compute_balances(decisions: list[Decision], end: list[float]) -> list[Balance]:
    """Return where each seat's chances came from: begin + choices + others + luck = end."""
    balances: list[Balance] = []
    for seat, won in enumerate(end):
        begin = before = decisions[0]["tallies"][0]["chances"][seat] if decisions else won
        own_change = others = luck = variance = 0.0
        for decision in decisions:
            best, after = (
                decision["tallies"][0]["chances"][seat],
                decision["tallies"][decision["played"]]["chances"][seat],
            )
            luck += best - before
            if decision["seat"] == seat:
                own_change += after - best
                variance += decision["error"] ** 2
            else:
                others += after - best
            before = after
        luck += won - before
        balances.append(
            {
                "begin": _round(begin),
                "choices": _round(own_change),
                "error": _round(sqrt(variance)),
                "others": _round(others),
                "luck": _round(luck),
                "end": _round(won),
            }
        )
    return balances


def make_review(match: Match, count: int, decisions: list[Decision]) -> Review:
    """Return the analysis of a finished match, given its judged decisions. Raises ValueError if the match is not
    over."""
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
    """Return the search that judges the decisions of a game, compiled or interpreted."""
    return Search(find_game(game), count, None if native_code else loader.InterpretedBackend())


def judge_in_process(game: str, count: int, choice: Choice) -> Decision:
    """Judge a decision in a worker process."""
    return judge(load_search(game, count), choice)


def _round(share: float) -> float:
    return round_share(share, SHARE_DECIMALS)
