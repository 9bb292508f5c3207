"""Help for players: each seat's estimated chance to win, and the best moves with reasons for them.

It depends only on the view of the seat: the same view gives the same advice on every machine.
"""

from __future__ import annotations

from functools import cache

from courtly.bots.move_explanations import explain_moves
from courtly.bots.registry import SQUIRE, find_bot, is_search_bot
from courtly.bots.search.search import CONFIDENCE_95_FACTOR, Pause, Search, WinChances
from courtly.bots.secret_choices import find_chances
from courtly.bots.shares import round_share
from courtly.bots.turn_plan import explain_plan, has_plans, plan_turn
from courtly.engine.game import Game
from courtly.engine.native import loader
from courtly.engine.rng import make_generator
from courtly.engine.schemas import Advice, PositionView

CHANCE_SIMULATIONS, SEARCH_SIMULATIONS, HINT_SIMULATIONS = (
    600,
    1500,
    1000,
)  # numbers of simulations: for the chances, for the search of good moves, for the chances after each of them
INTERPRETED_SIMULATIONS = 16  # number of simulations of a search without machine code
MAX_HINTS = 3  # the most moves in an advice
ADVICE_SEED = 1  # the seed of the simulations


def advise(game: Game, view: PositionView, hints: bool, pause: Pause | None = None) -> Advice:
    """Return each seat's chance to win and, if `hints`, the best moves for the seat that sees this view.

    With hints, the chances are those after the best move. `pause` is called repeatedly during the computation
    (`Search.think`).
    """
    seat = view["seat"]
    if not hints or seat is None or len(view["legal"]) < 2:
        return _make_advice(find_chances(_make_search(game, CHANCE_SIMULATIONS), view, None, ADVICE_SEED, pause))
    lines = _make_search(game, SEARCH_SIMULATIONS).think(view, ADVICE_SEED, pause).lines
    best = _choose_different_plans(game, view, [line.move for line in lines])
    moves_by_id = {move["id"]: move for move in view["legal"]}
    after = _make_search(game, HINT_SIMULATIONS)
    found = {move: find_chances(after, view, move, ADVICE_SEED, pause) for move in best}
    explanations = explain_moves(game, view, found, ADVICE_SEED, pause)
    plans = {
        move: explain_plan(game, plan_turn(game, view, move, ADVICE_SEED, pause=pause)) if has_plans(game) else []
        for move in best
    }
    ranked = sorted(best, key=lambda move: -found[move].shares[seat])
    advice = _make_advice(found[ranked[0]])
    for move in ranked:
        chances = found[move]
        advice["hints"].append(
            {
                "move": moves_by_id[move],
                "wins": _thousandths(chances.shares[seat]),
                "margin": _confidence_margin(chances.errors[seat]),
                "reasons": plans[move] + explanations[move],
            }
        )
    return advice


def _make_advice(chances: WinChances) -> Advice:
    """Return an advice with these chances and no hints."""
    wins, margin = [*map(_thousandths, chances.shares)], _confidence_margin(*chances.errors)
    return {"wins": wins, "margin": margin, "counted": chances.counted, "hints": []}


def _choose_different_plans(game: Game, view: PositionView, moves: list[int]) -> list[int]:
    """Return the first moves. Of several that begin the same plan, such as keeping the same dice in another order, only
    the first is among them."""
    if not has_plans(game):
        return moves[:MAX_HINTS]
    chosen: dict[tuple[int, ...], int] = {}
    for move in moves:
        plan = plan_turn(game, view, move, ADVICE_SEED, turns=1)
        chosen.setdefault(tuple(sorted(plan.moves)), move)
        if len(chosen) == MAX_HINTS:
            break
    return list(chosen.values())


def choose_simple_move(game: Game, view: PositionView) -> int:
    """Return the move of the squire; in a game without a `bot.py`, that of an interpreted search with few simulations.
    It does not need machine code."""
    if is_search_bot(game, SQUIRE):
        return Search(game, INTERPRETED_SIMULATIONS, loader.InterpretedBackend()).think(view, ADVICE_SEED).lines[0].move
    return find_bot(game, SQUIRE)(game, view, make_generator(ADVICE_SEED))


def _thousandths(share: float) -> int:
    return round(1000 * round_share(share, 3))


def _confidence_margin(*errors: float) -> int:
    return round(1000 * CONFIDENCE_95_FACTOR * max(errors))


@cache
def _make_search(game: Game, count: int) -> Search:
    return Search(game, count)
