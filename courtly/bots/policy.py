"""The bot that follows a game's `policy.py` without search. The module is also a driver
(courtly.engine.native.loader)."""

from functools import cache
from typing import Any

from courtly.engine.constants import CHANCE, POLICY_NOTES_LENGTH
from courtly.engine.game import Game
from courtly.engine.native import loader
from courtly.engine.native.playout_driver import (
    apply_random_event,
    choose_preferred,
    lowest_pending_seat,
    share_victory,
)
from courtly.engine.rng import Row, draw_below, seed_generator
from courtly.engine.rules_interface import BOUNDS, apply, legal, priors, setup, value
from courtly.engine.schemas import PositionView

ENTRY_POINTS = ("weigh", "appraise", "choose_move", "playouts")


def weigh(s, seat, moves, out):
    """List the legal moves and write their priors to `out`, followed by the sum of the priors, 0 if the policy has no
    preference. Returns the number of moves."""
    n = legal(s, seat, moves)
    out[n] = priors(s, seat, moves, n, out)
    return n


def appraise(s, out):
    return value(s, out)


def choose_move(s, seat, moves, n, weights, bot_rng):
    return choose_preferred(s, seat, moves, n, weights, bot_rng)


def playouts(states, finals, number, first, games, rng, moves, weights, counts, shares, bot_rngs):
    """Play games like courtly.engine.native.playout_driver, but with the move that the policy prefers most. Each seat
    has its own generator (`bot_rngs`) for decisions without a preference."""
    s = states[0]
    for game in range(games):
        states[0] = states[1]
        seed_generator(rng, number, first + game)
        for seat in range(s.players):
            seed_generator(bot_rngs[seat], number, (seat + 1 << 28) + first + game)
        setup(s)
        decisions = 0
        events = 0
        while s.pending > 0 and decisions <= BOUNDS[0] and events <= BOUNDS[1]:
            if s.pending == CHANCE:
                events += 1
                if apply_random_event(s, rng, moves, weights) < 0:
                    return game
            else:
                decisions += 1
                seat = lowest_pending_seat(s)
                n = legal(s, seat, moves)
                if n < 1 or n > BOUNDS[2]:
                    return game
                apply(s, seat, choose_preferred(s, seat, moves, n, weights, bot_rngs[seat]))
        if s.pending > 0 or decisions > BOUNDS[0] or events > BOUNDS[1]:
            return game
        counts[0] += decisions
        counts[1] += events
        share_victory(s, moves, shares)
        finals[game] = states[0]
    return games


@cache
def _load_driver(game: Game) -> Any:
    return loader.load_driver(game, loader.InterpretedBackend(), __name__)


def choose(game: Game, view: PositionView, rng: Row, slips: int = 0) -> int:
    """Return the move that the policy prefers most, or a random one if it has no preference. If `slips` is not 0, one
    decision in `slips`, on average, is random."""
    moves = [move["id"] for move in view["legal"]]
    if slips and draw_below(rng, slips) == 0:
        return moves[draw_below(rng, len(moves))]
    assert view["seat"] is not None
    state, weights = game.State.from_view(view["state"]), [0] * (game.room + POLICY_NOTES_LENGTH)
    move: int = _load_driver(game).choose_move(state, view["seat"], moves, len(moves), weights, rng)
    return move
