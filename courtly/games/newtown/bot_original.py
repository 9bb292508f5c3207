"""The squire for the original rules. It drafts dice that lead to a land within reach, walks there, and buys the blocks
that it needs to build.

It estimates unknown numbers: dice that are still to be drafted by the median of the pool, new rolls by their
probabilities.
"""

from functools import cache
from itertools import combinations_with_replacement
from typing import Any

from courtly.games.newtown import dice, original
from courtly.games.newtown.bot_turn import CUBE, Turn
from courtly.games.newtown.components import KING
from courtly.games.newtown.table import MOVES, VERB, Colour, Phase, Step, X, Y

GREEN_PIP = (0.1, 0.25, 0.25, 0.25)  # the value of a pip in addition to reaching the land, by remaining rounds
RED_PIP = (0.15, 0.4, 0.45, 0.5)
BLACK_PIP = (0.2, 0.25, 0.25, 0.25)
HOPE = 0.6  # the weight of the best white dice still in the pool, relative to the median
MANY = 14  # with more moves while building, only the first one is evaluated
AHEAD = 3  # with a lead of this many points, another round is not desirable


@cache
def white_for(land: int) -> tuple[int, int, int]:
    """Return white dice that open a land."""
    if land == KING:
        return (1, 1, 1)
    return next(
        (a, b, land + 3 - a - b) for a in range(6, 0, -1) for b in range(a, 0, -1) if 1 <= land + 3 - a - b <= 6
    )


class OriginalTurn(Turn):
    """A decision of one seat."""

    def __init__(self, game: Any, state: Any, seat: int, legal: list[int]):
        super().__init__(game, state, seat, legal)
        self.left = max(0, self.left)  # the extra round also has 0 remaining rounds
        self.sites: dict[tuple[int, int, int], float] = {}
        self.distances = self.reach()

    def choose(self) -> int:
        if self.s.phase == Phase.BUILDING and len(self.legal) > MANY:
            return self.best(lambda move: self.worth_of_building(move, 1))
        decide = {
            Phase.PLANTING: self.worth_of_planting,
            Phase.DRAFTING: self.worth_of_draft,
            Phase.WALKING: self.worth_of_walk,
            Phase.MANAGING: self.worth_of_purchase,
            Phase.VOTING: self.worth_of_vote,
        }.get(self.s.phase)
        return self.best(decide) if decide else super().choose()

    # --- values of lands ----------------------------------------------------------------------------------------------

    def site(self, land: int, black: int, red: int) -> float:
        """Return the value of a turn that ends on this land with its white total, and with this many pips for building
        and buying."""
        key = (land, black, red)
        if key not in self.sites:
            s = self.s.copy()
            s.white[self.seat] = list(white_for(land))
            s.times[self.seat] = [1, 1, 1]
            s.craftsman[self.seat] = land
            s.pips[Colour.BLACK] = black
            self.sites[key] = self.with_purchases(s, land, red)
        return self.sites[key]

    def with_purchases(self, s: Any, land: int, red: int) -> float:
        """Return `worth` plus the best building here, if up to `red` red pips can buy a block."""
        best = self.gain(s, land)
        blocks = s.blocks[self.seat]
        for size in range(1, min(6, red) + 1):
            blocks[size - 1] += 1
            best = max(best, self.gain(s, land) + CUBE[self.left] * size)
            blocks[size - 1] -= 1
        return best

    def reach(self) -> list[int]:
        """Return the green pips to each land; lands with another craftsman are out of reach."""
        s = self.s
        original.measure(s, self.seat)
        return [
            original.FAR if original.occupied_by_other(s, self.seat, land) else s.distance[land] for land in range(17)
        ]

    def tree(self, land: int) -> float:
        return CUBE[self.left] * self.s.round if self.s.tree[land] else 0.0

    # --- drafting -----------------------------------------------------------------------------------------------------

    def worth_of_draft(self, move: int) -> float:
        s, seat, colour, face = self.s, self.seat, X[move], Y[move] + 1
        coloured = [s.coloured[seat][i] or (face if colour == i + 1 else self.middle(i + 1)) for i in range(3)]
        white = [w for w in s.white[seat] if w] + ([face] if colour == 0 else [])
        green, red, black = coloured
        value = self.worth_of_white(tuple(sorted(white)), green, red, black)
        return (
            value
            + GREEN_PIP[self.left] * green
            + RED_PIP[self.left] * red
            + BLACK_PIP[self.left] * black
            - (0.02 if colour == 0 else 0)
        )

    def middle(self, colour: int) -> int:
        """Return the median die of a colour in the pool, rounded down, because other seats draft too."""
        faces = [face + 1 for face in range(6) for _ in range(self.s.pool[colour][face])]
        return faces[(len(faces) - 1) // 2] if faces else 0

    def worth_of_white(self, white: tuple[int, ...], green: int, red: int, black: int) -> float:
        """Return the value of these white dice, completed from the pool."""
        pool = [face + 1 for face in range(6) if self.s.pool[0][face]]
        values = sorted(
            self.worth_of_total((*white, *more), green, red, black)
            for more in combinations_with_replacement(pool, 3 - len(white))
        )
        if not values:
            return 0.0
        return HOPE * values[-1] + (1 - HOPE) * values[len(values) // 2]

    def worth_of_total(self, white: tuple[int, ...], green: int, red: int, black: int) -> float:
        """Return the value of the best land within reach that three white dice open."""
        lands = [sum(white) - 3] + ([KING] if dice.calls(*white) else [])
        distances = self.distances
        return max(
            (
                self.site(land, black, red) + (self.tree(land) if distances[land] else 0) - 0.1 * distances[land]
                for land in lands
                if distances[land] <= green
            ),
            default=0.0,
        )

    # --- walking, buying ----------------------------------------------------------------------------------------------

    def worth_of_walk(self, move: int) -> float:
        s, seat = self.s, self.seat
        land = s.craftsman[seat] if VERB[move] == MOVES.stay else X[move]
        steps = self.distances[land]
        value = (self.tree(land) if steps else 0.0) - 0.05 * steps
        if s.step == Step.SECOND_WALK:
            return value + 0.02 * min(land, 18 - land)  # most totals are near the middle numbers
        opens = dice.king_calls(s, seat) if land == KING else dice.total(s, seat) == land + 3
        here = self.site(land, s.pips[Colour.BLACK], s.pips[Colour.RED])
        return value + (here if opens else self.chance(land, s.pips[Colour.RED]) * here)

    def chance(self, land: int, rolls: int) -> float:
        """Return the probability that new rolls of single white dice open this land."""
        if land == KING:
            return 0.0
        off = land + 3 - dice.total(self.s, self.seat)
        near = any(1 <= face + off <= 6 for face in self.s.white[self.seat])
        return 1 - (5 / 6) ** rolls if near else 0.0

    def worth_of_purchase(self, move: int) -> float:
        s, seat, verb = self.s, self.seat, VERB[move]
        land, red = s.craftsman[seat], s.pips[Colour.RED]
        stands = dice.on_site(s, seat)
        if verb == MOVES.finish:
            return self.gain(s, land) if stands else 0.0
        if verb == MOVES.buy:
            after = s.copy()
            after.blocks[seat][X[move]] += 1
            value = self.with_purchases(after, land, red - X[move] - 1) if stands else 0.0
            return value + CUBE[self.left] * (X[move] + 1) - (0.0 if self.left or value else 1.0)
        face = s.white[seat][X[move]] + land + 3 - dice.total(s, seat)
        if stands or land == KING or not 1 <= face <= 6:
            return -1.0
        return self.chance(land, red) * self.site(land, s.pips[Colour.BLACK], red - 1)

    # --- other decisions ----------------------------------------------------------------------------------------------

    def worth_of_planting(self, move: int) -> float:
        return -abs(2 + X[move] - (self.s.craftsman[self.seat] + 3) / 3.5)  # near the own craftsman

    def worth_of_vote(self, move: int) -> float:
        """Return the value of a vote: a leader wants the game to end."""
        others = max(self.s.score[other] for other in range(self.s.players) if other != self.seat)
        return float(X[move] == (self.s.score[self.seat] < others + AHEAD))
