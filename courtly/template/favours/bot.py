"""A bot that drives away what it can, gives safe cards openly, and its best cards in secret."""

from courtly.engine.game import Game
from courtly.engine.rng import Row, draw_below
from courtly.engine.schemas import Move, PositionView
from favours.table import COPIES, Rank


def choose(game: Game, view: PositionView, rng: Row) -> int:
    return max(view["legal"], key=lambda move: (worth(move, view), draw_below(rng, 8)))["id"]


def worth(move: Move, view: PositionView) -> int:
    s, seat, rank = view["state"], view["seat"], list(Rank).index(move["args"]["rank"])
    if move["verb"] == "hide":
        return 2 * rank
    driven: int = sum(row[rank] for n, row in enumerate(s["given"]) if n != seat)
    mine = s["given"][seat][rank] + s["hand"][seat][rank] + s["secret"][seat][rank]
    unseen: int = COPIES - s["gone"][rank] - driven - mine
    return 8 + (rank + 1) * (driven - unseen)
