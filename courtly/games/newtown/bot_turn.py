"""A player that builds what its dice allow: it weighs every way to use the coloured dice by the best house that the
blocks would then make on its land, and looks for lands, cards and residents that go together.

Values are in points. `Turn.worth` says what a position is worth with nothing built; `Turn.gains` what building would
add to it on each land.
"""

from functools import cache
from itertools import product
from typing import Any

from courtly.engine.game import CHANCE, Game
from courtly.games.newtown import building, counting, dice
from courtly.games.newtown import rules as r

CUBE = (0.0, 0.35, 0.5, 0.6)  # what a cube in hand is worth, by rounds still to come
BLOCK = 0.06  # and how little a block is liked for itself
GEM = (1.0, 1.4, 1.5, 1.6)  # a gem
CARD_HOPE = (-1.0, 0.6, 1.2, 1.6)  # a land card whose land is still empty
CARD_OTHERS = (1.0, 1.4, 1.7, 2.0)  # or has only others' houses
CARD_USE = 0.5  # using a land card, for each round
UNHOUSED = (1.0, 0.6, 0.3, 0.1)  # how much of a resident's points is feared lost as long as nobody takes him in
BED = (0.0, 0.25, 0.4, 0.5)  # a free bed
AGAINST = 0.4  # what a point of another player costs
MOST_POSITIONS = 200  # looked at for one decision


@cache
def rolls(n: int) -> tuple[tuple[int, ...], ...]:
    return tuple(product(range(1, 7), repeat=n))


@cache
def lands_of_roll() -> tuple[tuple[int, bool], ...]:
    """For each of the 216 rolls: the numbered land, and whether the King's land is open."""
    return tuple((sum(roll) - 3, calls(roll)) for roll in rolls(3))


def calls(roll: tuple[int, ...]) -> bool:
    low, middle, high = sorted(roll)
    return (low == middle == high) or (middle == low + 1 and high == low + 2)


class Turn:
    """One decision of a seat."""

    def __init__(self, game: Game, state: Any, seat: int, legal: list[int]):
        self.s, self.seat, self.legal = state, seat, legal
        self.buffer = [0] * game.moves.total
        self.weights = [0] * game.moves.total
        self.left = r.ROUNDS - state.round  # rounds still to come after this one
        self.positions = 0
        self.known: dict[tuple[Any, ...], float] = {}
        self.known_gains: dict[tuple[Any, ...], list[float]] = {}

    def choose(self) -> int:
        phase = self.s.phase
        if phase == r.PLACING:
            return self.best(self.worth_of_going)
        if phase == r.ACTING:
            return max(self.ways(self.s, 0))[1]
        if phase == r.REROLLING:
            return self.best(self.worth_of_rolling)
        if phase == r.BUILDING:
            return self.best(lambda move: self.worth_of_building(move, 2))
        if phase == r.LAYING:
            return self.best(lambda move: self.worth_of_laying(self.after(self.s, move)))
        if phase == r.LODGING:
            return self.lodge()
        return self.best(lambda move: self.worth(self.after(self.s, move)))

    def best(self, value: Any) -> int:
        return max(self.legal, key=value)

    def after(self, s: Any, move: int) -> Any:
        """The position after a move; random events, if any are due, take any course."""
        s = s.copy()
        r.apply(s, self.seat, move)
        while s.pending == CHANCE and s.event in (r.LAND_CARD_DUE, r.RESIDENT_DUE):
            r.chance(s, self.buffer, self.weights)
            r.apply(s, -1, self.buffer[0])
        return s

    def moves(self, s: Any) -> list[int]:
        return self.buffer[: r.legal(s, self.seat, self.buffer)]

    # --- what a position is worth -------------------------------------------------------------------------------------

    def worth(self, s: Any) -> float:
        seat, left = self.seat, self.left
        value = (
            s.score[seat] + GEM[left] * s.gems[seat] + self.worth_of_hand(s.blocks[seat]) + self.worth_of_residents(s)
        )
        for other in range(s.players):
            if other != seat:
                value -= AGAINST * s.score[other]
        for card in range(r.KING):
            if s.land_owner[card] == seat:
                points = counting.card_points(s, seat, card)
                value += CARD_USE * left + (
                    points
                    if points == r.CARD_OWN
                    else CARD_OTHERS[left]
                    if points == r.CARD_OTHERS
                    else CARD_HOPE[left]
                )
        return value

    def worth_of_hand(self, blocks: list[int]) -> float:
        count = sum(blocks)
        if self.left == 0:
            return -count if count else 1
        return CUBE[self.left] * sum(n * size for size, n in enumerate(blocks, start=1)) - BLOCK * count

    def worth_of_residents(self, s: Any) -> float:
        counting.house_residents(s, self.seat)
        value = 0.0
        for resident in range(16):
            if s.resident_owner[resident] == self.seat:
                die = 3.5 if resident >= r.FIRST_SPECIAL else 0.0
                home = s.home[resident]
                s.home[resident] = r.NONE
                if home == r.NONE:
                    value -= UNHOUSED[self.left] * (r.POINTS[resident] + die)
                else:
                    value += r.POINTS[resident] + (die if home // 2 == r.KING else 0)
        beds = sum(
            r.FORM_BASE[s.form[h]]
            for land in range(17)
            for h in range(land * 2, land * 2 + s.houses[land])
            if s.owner[h] == self.seat
        )
        taken = sum(r.PERSONS[c] for c in range(16) if s.resident_owner[c] == self.seat)
        return value + BED[self.left] * max(0, beds - taken)

    # --- what building would add --------------------------------------------------------------------------------------

    def gain(self, s: Any, land: int) -> float:
        """The most that one building on this land would add to `worth`, by a quick estimate; 0 if nothing."""
        seat = self.seat
        if not any(s.blocks[seat]):
            return 0.0
        stood, s.craftsman[seat] = s.craftsman[seat], land
        n = building.legal_building(s, seat, self.buffer)
        best = 0.0
        building.survey(s, seat)
        fixed = self.worth_of_site(s, land) if s.houses[land] < 2 else 0.0
        cubes = sum(count * size for size, count in enumerate(s.blocks[seat], start=1))
        for move in self.buffer[:n]:
            verb = r.VERB[move]
            if verb == r.BUILD:
                form = r.X[move]
                value = fixed + r.FORM_BASE[form] + (r.CUBES[form] > s.largest) + self.worth_of_newcomer(s, land, form)
                used = r.CUBES[form]
            elif verb in (r.EXTEND, r.TAKE_OVER):
                house, form = land * 2 + r.X[move], r.Y[move]
                value, used = self.worth_of_extension(s, land, house, form), r.CUBES[form] - r.CUBES[s.form[house]]
            else:
                continue
            value -= self.cost(s.blocks[seat], cubes, used)
            best = max(best, value)
        s.craftsman[seat] = stood
        return best

    def cost(self, blocks: list[int], cubes: int, used: int) -> float:
        if self.left:
            return CUBE[self.left] * used
        count = sum(blocks)
        return -count * used / cubes - (1 if used == cubes else 0)  # blocks that are used are not left over

    def worth_of_site(self, s: Any, land: int) -> float:
        site = s.site
        value = site[r.LAND] + site[r.TREE] + site[r.SECOND] + site[r.FIFTH] + site[r.LINES] + site[r.SQUARES]
        for other in range(s.players):
            if other != self.seat:
                value -= AGAINST * (s.gain[other][0] + s.gain[other][1])
        if land == r.KING:
            return value + GEM[self.left] * r.KING_GEMS[s.houses[land]]
        if s.land_owner[land] == self.seat:
            value += r.CARD_OWN - max(counting.card_points(s, self.seat, land), CARD_HOPE[self.left])
        return value

    def worth_of_newcomer(self, s: Any, land: int, form: int) -> float:
        """The best resident card of the row for a house like this."""
        best = -1.0 if s.resident_shown else 0.0
        for card in s.resident_row:
            if card != r.NONE and r.PERSONS[card] <= r.FORM_BASE[form] and counting.welcome_at(card, land * 2):
                best = max(best, r.POINTS[card] + (3.5 if card >= r.FIRST_SPECIAL and land == r.KING else 0))
        return best

    def worth_of_extension(self, s: Any, land: int, house: int, form: int) -> float:
        own = s.owner[house] == self.seat
        old = s.form[house]
        if s.extension_scoring:
            value = r.FORM_BASE[form] - r.FORM_BASE[old] + (r.CUBES[form] > s.largest)
        else:
            value = r.FORM_BASE[form] + (r.CUBES[form] > s.largest) + r.LAND_POINTS[land]
        beds = r.FORM_BASE[form] - (r.FORM_BASE[old] if own else 0)
        value += 0.4 * beds
        return value if own else value + 1.0 - GEM[self.left]

    def worth_of_rolls(self, gains: list[float], times: int, floor: float) -> float:
        """What rolling all white dice up to so many times would bring, where one may stop; `floor`: what not rolling
        brings."""
        value = floor
        for i in range(times):
            total = 0.0
            for land, king in lands_of_roll():
                here = max(gains[land], gains[r.KING]) if king else gains[land]
                total += here if i == 0 else max(here, value)
            value = max(floor, total / 216) if i == 0 else total / 216
        return value

    def all_gains(self, s: Any) -> list[float]:
        """`gain` for every land, with the block of a tree."""
        key = (*s.blocks[self.seat], s.raised_last, s.turns, *s.roofs[self.seat])
        if key in self.known_gains:
            return self.known_gains[key]
        size = s.round - 1
        found = []
        for land in range(17):
            if s.tree[land]:
                s.blocks[self.seat][size] += 1
                found.append(self.gain(s, land) + (size + 1) * CUBE[self.left])
                s.blocks[self.seat][size] -= 1
            else:
                found.append(self.gain(s, land))
        self.known_gains[key] = found
        return found

    # --- decisions ----------------------------------------------------------------------------------------------------

    def with_dice(self, s: Any) -> Any:
        """The position with the two largest different unused coloured dice taken as blocks."""
        s = s.copy()
        if not all(s.used[self.seat]):
            faces = [s.coloured[self.seat][i] for i in range(3) if not s.used[self.seat][i]]
            sizes = {face for face in faces if not s.sizes >> face - 1 & 1}
            for size in sorted(sizes)[-max(0, r.MOST_FROM_DICE - s.drawn) :] if s.drawn < r.MOST_FROM_DICE else ():
                s.blocks[self.seat][size - 1] += 1
        return s

    def worth_of_going(self, move: int) -> float:
        s = self.s.copy()
        if s.step == r.THROWING:
            s.sizes = s.drawn = 0
        if r.VERB[move] == r.USE_LAWN:
            dice.use_lawn(s, self.seat, r.X[move], r.Y[move])
            land, fee = dice.total(s, self.seat) - 3, 0.05
        else:
            land, fee = r.X[move], 0.0
        s = self.with_dice(s)
        return self.gain_with_tree(s, land) - fee

    def gain_with_tree(self, s: Any, land: int) -> float:
        size = s.round - 1
        if s.tree[land]:
            s.blocks[self.seat][size] += 1
        return self.gain(s, land) + (CUBE[self.left] * (size + 1) if s.tree[land] else 0)

    def ways(self, s: Any, rerolls: int) -> list[tuple[float, int]]:
        """Every move now with the best that can follow it. `rerolls`: what the red die would allow, if it is used
        for that."""
        found = []
        for move in self.legal if s is self.s else self.moves(s):
            verb = r.VERB[move]
            if verb in (r.SWAP, r.USE_MUD, r.PLUS) and (
                s.used[self.seat] != self.s.used[self.seat] or verb == r.USE_MUD and r.X[move] == 1
            ):
                continue  # cards first
            self.positions += 1
            if verb == r.REROLL:
                after = s.copy()
                after.used[self.seat][r.RED] = 1
                found.append((self.further(after, s.coloured[self.seat][r.RED]), move))
            elif verb == r.FINISH:
                found.append((self.settled(s, rerolls), move))
            else:
                after = self.after(s, move)
                if after.phase == r.REROLLING:
                    times, after.rerolls = after.rerolls, 0
                    found.append((self.settled(after, times), move))
                else:
                    found.append((self.further(after, rerolls), move))
        return found

    def further(self, s: Any, rerolls: int) -> float:
        """The best from here on, still with dice in hand."""
        while s.pending == 1 << self.seat and s.phase == r.TAKING:
            s = self.after(s, max(self.moves(s), key=lambda m: self.worth(self.after(s, m))))
        if s.step != r.USING or s.seat != self.seat or s.phase != r.ACTING or self.positions > MOST_POSITIONS:
            return self.settled(s, rerolls)
        seat = self.seat
        key = (
            rerolls,
            s.craftsman[seat],
            s.gems[seat],
            *s.used[seat],
            *s.coloured[seat],
            *s.blocks[seat],
            *s.ready[seat],
            *s.land_row,
            *s.times[seat],
        )
        if key not in self.known:
            self.known[key] = max(value for value, _ in self.ways(s, rerolls))
        return self.known[key]

    def settled(self, s: Any, rerolls: int) -> float:
        """With the dice used up: the position and the best building."""
        if s.seat != self.seat or s.phase == r.OVER:
            return self.worth(s)
        here = self.gain(s, s.craftsman[self.seat])
        if rerolls:
            here = self.worth_of_rolls(self.all_gains(s), rerolls, here)
        return self.worth(s) + here

    def worth_of_rolling(self, move: int) -> float:
        s = self.with_dice(self.s)
        gains = self.all_gains(s)
        white = tuple(s.white[self.seat])
        if r.VERB[move] == r.STOP:
            if not s.rolled:
                return self.gain(s, s.craftsman[self.seat])
            return max(gains[sum(white) - 3], gains[r.KING] if calls(white) else 0.0)
        again = self.worth_of_rolls(gains, s.rerolls - 1, 0.0) if s.rerolls > 1 else 0.0
        which = [i for i in range(3) if r.X[move] + 1 >> i & 1]
        total = 0.0
        for faces in rolls(len(which)):
            roll = list(white)
            for i, face in zip(which, faces, strict=True):
                roll[i] = face
            here = max(gains[sum(roll) - 3], gains[r.KING] if calls(tuple(roll)) else 0.0)
            total += max(here, again)
        return total / len(rolls(len(which)))

    def worth_of_building(self, move: int, depth: int) -> float:
        verb = r.VERB[move]
        if verb == r.END:
            return self.worth(self.s)
        if verb == r.MOVE:
            s = self.s.copy()
            s.gems[self.seat] -= 1
            return self.worth(s) + self.worth_of_rolls(self.all_gains(s), 1, 0.0) - 0.2
        if verb in (r.SPLIT, r.JOIN):
            s = self.after(self.s, move)
            return self.worth(s) + self.gain(s, s.craftsman[self.seat]) - 0.5
        if verb == r.USE_MUD:
            s = self.after(self.s, move)
            return self.settled(s, 0) - 0.01
        return self.worth_of_laying(self.after(self.s, move), depth)

    def worth_of_laying(self, s: Any, depth: int = 2) -> float:
        """Blocks laid in the best of two ways (large ones first, small ones first), a resident taken, and the best
        that comes after."""
        if s.phase == r.LAYING and s.seat == self.seat:
            return max(self.worth_of_laying(self.laid(s, end), depth) for end in (0, -1))
        while s.pending == 1 << self.seat and s.phase in (r.BONUS, r.WELCOMING):
            s = self.after(s, max(self.moves(s), key=lambda m: self.worth(self.after(s, m))))
        if s.phase != r.BUILDING or s.seat != self.seat:
            return self.worth(s)
        best = self.worth(s)
        if depth > 1:
            for move in list(self.moves(s)):
                if r.VERB[move] in (r.BUILD, r.EXTEND, r.TAKE_OVER):
                    best = max(best, self.worth_of_laying(self.after(s, move), depth - 1))
        if depth > 1 and s.ruleset == r.SIMPLE and s.gems[self.seat] and any(s.blocks[self.seat]):
            paid = s.copy()
            paid.gems[self.seat] -= 1
            best = max(best, self.worth(paid) + self.worth_of_rolls(self.all_gains(paid), 1, 0.0) - 0.2)
        return best

    def laid(self, s: Any, end: int) -> Any:
        while s.phase == r.LAYING and s.seat == self.seat:
            s = self.after(s, list(self.moves(s))[end])
        return s

    def lodge(self) -> int:
        """As the table would do it by itself."""
        s = self.s.copy()
        for resident in range(16):
            s.home[resident] = r.NONE
        counting.house_residents(s, self.seat)
        for move in self.legal:
            if r.VERB[move] == r.LODGE and s.home[r.X[move]] == r.Y[move]:
                return move
        return r.CLOSE
