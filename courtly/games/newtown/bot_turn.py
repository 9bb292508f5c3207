"""The squire for the simple rules. It evaluates every use of the coloured dice by the best house that the blocks would
then build, and prefers combinations of lands, cards and residents.

Values are in points. `Turn.worth` is the value of a position before building; `Turn.gains` is what building would add
to it on each land.
"""

from functools import cache, lru_cache
from itertools import product
from typing import Any

from courtly.engine.constants import NOBODY
from courtly.engine.game import Game
from courtly.engine.moves import Move
from courtly.engine.position import Position
from courtly.games.newtown import building, counting, dice
from courtly.games.newtown.components import KING
from courtly.games.newtown.table import (
    CARD_OTHERS,
    CARD_OWN,
    CUBES,
    FACES,
    FIRST_SPECIAL,
    FOOT,
    FORM_BASE,
    KING_GEMS,
    LAND_POINTS,
    MOST_FROM_DICE,
    MOVES,
    NEEDS,
    NONE,
    PENTHOUSE,
    PERSONS,
    PLAIN_COUNT,
    POINTS,
    ROUNDS,
    VERB,
    Colour,
    Event,
    Phase,
    Ruleset,
    Source,
    Step,
    X,
    Y,
)

CUBE = (0.0, 0.35, 0.5, 0.6)  # the value of a cube in hand, by remaining rounds
BLOCK = 0.06  # the cost of each block
GEM = (1.0, 1.4, 1.5, 1.6)  # the value of a gem, by remaining rounds
CARD_HOPE = (-1.0, 0.6, 1.2, 1.6)  # the value of a land card whose land is empty
CARD_ELSEWHERE = (1.0, 1.4, 1.7, 2.0)  # the value of a land card whose land has only houses of others
CARD_USE = 0.5  # the value of using a land card, for each round
UNHOUSED = (1.0, 0.6, 0.3, 0.1)  # the share of a resident's points that is at risk without a bed
BED = (0.0, 0.25, 0.4, 0.5)  # the value of a free bed
AGAINST = 0.4  # the weight of other players' points
MOST_POSITIONS = 200  # the most positions evaluated for one decision
MOST_ALIKE = 3  # the most blocks of one size considered together


@cache
def lands_of_roll() -> tuple[tuple[int, bool], ...]:
    """Return, for each of the 216 rolls, the numbered land, and True if it opens the King's land."""
    return tuple((sum(roll) - 3, dice.calls(*roll)) for roll in product(FACES, repeat=3))


@lru_cache(1 << 16)
def shares(hand: tuple[int, ...]) -> tuple[tuple[int, int, tuple[int, ...]], ...]:
    """Return each nonempty choice of these blocks: its cubes, its key, and the blocks left."""
    found = []
    for taken in product(*(range(min(n, MOST_ALIKE) + 1) for n in hand)):
        cubes = sum(n * size for size, n in enumerate(taken, 1))
        if 0 < cubes <= max(CUBES):
            key = sum(n << 5 * i for i, n in enumerate(taken))
            found.append((cubes, key, tuple(n - m for n, m in zip(hand, taken, strict=True))))
    return tuple(found)


@lru_cache(1 << 16)
def grow(
    before: int, hand: tuple[int, ...], feet: tuple[bool, ...], ground: int, largest: int, tables: int, cube: float
) -> tuple[float, int]:
    """Return the most that these blocks bring on one house in a turn, extended as often as they allow, and its final
    form (NONE: unchanged).

    `before`: 0 or 1 + its form; `feet`: the available roofs; `cube`: the cost of a cube, 0 in the last round, where
    each remaining block costs a point.
    """
    best, last = (0.0 if cube else 1.0 - any(hand) - sum(hand)), NONE
    for cubes, key, left in shares(hand):
        for form in range(before, PLAIN_COUNT):
            if NEEDS[before][form] == cubes and not building.awkward(before, form, key):
                if feet[FOOT[form]] or before and FOOT[before - 1] == FOOT[form]:
                    rest, grown = grow(form + 1, left, feet, ground, max(largest, CUBES[form]), tables, cube)
                    value = FORM_BASE[tables][form] + (CUBES[form] > largest) + ground - cube * cubes + rest
                    if value > best:
                        best, last = value, form if grown == NONE else grown
    return best, last


class Turn:
    """A decision of one seat."""

    def __init__(self, game: Game, state: Any, seat: int, legal: list[int]):
        self.game, self.s, self.seat, self.legal = game, state, seat, legal
        self.left = ROUNDS - state.round  # remaining rounds after this one
        self.positions = 0
        self.known: dict[tuple[Any, ...], float] = {}
        self.known_gains: dict[tuple[Any, ...], list[float]] = {}

    def choose(self) -> int:
        phase = self.s.phase
        if phase in (Phase.PLACING, Phase.AIMING):
            return self.best(self.worth_of_going)
        if phase == Phase.ACTING:
            return max(self.ways(self.s, 0))[1]
        if phase == Phase.REROLLING:
            return self.best(self.worth_of_rolling)
        if phase == Phase.BUILDING:
            return self.best(lambda move: self.worth_of_building(move, 2))
        if phase == Phase.LAYING:
            return self.best(lambda move: self.worth_of_laying(self.after(self.s, move)))
        if phase == Phase.LODGING:
            return self.lodge()
        return self.best(lambda move: self.worth(self.after(self.s, move)))

    def best(self, value: Any) -> int:
        return max(self.legal, key=value)

    def after(self, s: Any, move: int) -> Any:
        """Return the position after a move; random events that are due get their first possible outcome."""
        position = Position(self.game, state=s.copy())
        position.apply(self.seat, move)
        while position.chance and position.state.event in (Event.LAND_CARD, Event.RESIDENT):
            position.apply(NOBODY, position.legal(NOBODY)[0])
        return position.state

    def moves(self, s: Any) -> list[Move]:
        return Position(self.game, state=s).legal(self.seat)

    # --- values of positions ------------------------------------------------------------------------------------------

    def worth(self, s: Any) -> float:
        seat, left = self.seat, self.left
        value = (
            s.score[seat] + GEM[left] * s.gems[seat] + self.worth_of_hand(s.blocks[seat]) + self.worth_of_residents(s)
        )
        for other in range(s.players):
            if other != seat:
                value -= AGAINST * s.score[other]
        for card in range(KING):
            if s.land_owner[card] == seat:
                points = counting.card_points(s, seat, card)
                value += CARD_USE * left + (
                    points if points == CARD_OWN else CARD_ELSEWHERE[left] if points == CARD_OTHERS else CARD_HOPE[left]
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
                die = 3.5 if resident >= FIRST_SPECIAL else 0.0
                home = s.home[resident]
                s.home[resident] = NONE
                if home == NONE:
                    value -= UNHOUSED[self.left] * (POINTS[s.tables][resident] + die)
                else:
                    value += POINTS[s.tables][resident] + (die if home // 2 == KING else 0)
        beds = sum(
            FORM_BASE[s.tables][s.form[h]]
            for land in range(17)
            for h in range(land * 2, land * 2 + s.houses[land])
            if s.owner[h] == self.seat
        )
        taken = sum(PERSONS[c] for c in range(16) if s.resident_owner[c] == self.seat)
        return value + BED[self.left] * max(0, beds - taken)

    # --- gains of building --------------------------------------------------------------------------------------------

    def gain(self, s: Any, land: int) -> float:
        """Return an estimate of the most that one building on this land would add to `worth`; 0 if nothing can be
        built."""
        seat = self.seat
        if not any(s.blocks[seat]):
            return 0.0
        stood, s.craftsman[seat] = s.craftsman[seat], land
        best = 0.0
        building.survey(s, seat)
        fixed = self.worth_of_site(s, land) if s.houses[land] < 2 else 0.0
        cubes = sum(count * size for size, count in enumerate(s.blocks[seat], start=1))
        for move in MOVES.listed(building.legal_building, s, seat):
            verb = VERB[move]
            if verb == MOVES.build:
                form = X[move]
                value = (
                    fixed
                    + FORM_BASE[s.tables][form]
                    + (CUBES[form] > s.largest)
                    + self.worth_of_newcomer(s, land, form)
                )
                used = CUBES[form]
            elif verb in (MOVES.extend, MOVES.take_over):
                house, form = land * 2 + X[move], Y[move]
                value, used = self.worth_of_extension(s, land, house, form), CUBES[form] - CUBES[s.form[house]]
            else:
                continue
            value -= self.cost(s.blocks[seat], cubes, used)
            best = max(best, value)
        if self.grows_on(s):
            best = max(best, self.gain_by_steps(s, land, fixed))
        s.craftsman[seat] = stood
        return best

    def grows_on(self, s: Any) -> bool:
        """Return True if each further work on a house in the same turn scores the whole house again."""
        return s.ruleset == Ruleset.SIMPLE and not s.once_per_turn and not s.extension_scoring

    def gain_by_steps(self, s: Any, land: int, fixed: float) -> float:
        """Return the most that one house on this land would add, if it is built and extended step by step. `fixed`:
        what a new house brings in addition to its own points."""
        hand, feet = tuple(s.blocks[self.seat]), tuple(n > 0 for n in s.roofs[self.seat])
        ground, cube = LAND_POINTS[land], CUBE[self.left]
        idle = 0.0 if self.left else 1.0 - any(hand) - sum(hand)
        best = 0.0
        if s.houses[land] < 2:
            value, form = grow(0, hand, feet, ground, s.largest, s.tables, cube)
            if form != NONE:
                best = value - idle + fixed - ground + self.worth_of_newcomer(s, land, form)
        for house in range(land * 2, land * 2 + s.houses[land]):
            old, own = s.form[house], s.owner[house] == self.seat
            if PENTHOUSE[old] or not own and not s.gems[self.seat]:
                continue
            value, form = grow(old + 1, hand, feet, ground, s.largest, s.tables, cube)
            if form != NONE:
                value += 0.4 * (FORM_BASE[s.tables][form] - (FORM_BASE[s.tables][old] if own else 0)) - idle
                best = max(best, value if own else value + 1.0 - GEM[self.left])
        return best

    def cost(self, blocks: list[int], cubes: int, used: int) -> float:
        if self.left:
            return CUBE[self.left] * used
        count = sum(blocks)
        return -count * used / cubes - (1 if used == cubes else 0)  # used blocks do not cost points at the end

    def worth_of_site(self, s: Any, land: int) -> float:
        site = s.site
        value = (
            site[Source.LAND]
            + site[Source.TREE]
            + site[Source.SECOND]
            + site[Source.FIFTH]
            + site[Source.LINES]
            + site[Source.SQUARES]
        )
        for other in range(s.players):
            if other != self.seat:
                value -= AGAINST * (s.gain[other][0] + s.gain[other][1])
        if land == KING:
            return value + GEM[self.left] * KING_GEMS[s.houses[land]]
        if s.land_owner[land] == self.seat:
            value += CARD_OWN - max(counting.card_points(s, self.seat, land), CARD_HOPE[self.left])
        return value

    def worth_of_newcomer(self, s: Any, land: int, form: int) -> float:
        """Return the value of the best resident card of the row for a house of this form."""
        best = -1.0 if s.resident_shown else 0.0
        for card in s.resident_row:
            if card != NONE and PERSONS[card] <= FORM_BASE[s.tables][form] and counting.welcome_at(card, land * 2):
                best = max(best, POINTS[s.tables][card] + (3.5 if card >= FIRST_SPECIAL and land == KING else 0))
        return best

    def worth_of_extension(self, s: Any, land: int, house: int, form: int) -> float:
        own = s.owner[house] == self.seat
        old = s.form[house]
        if s.extension_scoring:
            value = FORM_BASE[s.tables][form] - FORM_BASE[s.tables][old] + (CUBES[form] > s.largest)
        else:
            value = FORM_BASE[s.tables][form] + (CUBES[form] > s.largest) + LAND_POINTS[land]
        beds = FORM_BASE[s.tables][form] - (FORM_BASE[s.tables][old] if own else 0)
        value += 0.4 * beds
        return value if own else value + 1.0 - GEM[self.left]

    def worth_of_rolls(self, gains: list[float], times: int, floor: float) -> float:
        """Return the expected value of rolling all white dice up to `times` times, if the player may stop after each
        roll. `floor`: the value without rolling."""
        value = floor
        for i in range(times):
            total = 0.0
            for land, king in lands_of_roll():
                here = max(gains[land], gains[KING]) if king else gains[land]
                total += here if i == 0 else max(here, value)
            value = max(floor, total / 216) if i == 0 else total / 216
        return value

    def all_gains(self, s: Any) -> list[float]:
        """Return `gain` for every land, with the block of a tree."""
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
        """Return the position with the two largest different unused coloured dice taken as blocks."""
        s = s.copy()
        if not all(s.used[self.seat]):
            faces = [s.coloured[self.seat][i] for i in range(3) if not s.used[self.seat][i]]
            sizes = {face for face in faces if not s.sizes >> face - 1 & 1}
            for size in sorted(sizes)[-max(0, MOST_FROM_DICE - s.drawn) :] if s.drawn < MOST_FROM_DICE else ():
                s.blocks[self.seat][size - 1] += 1
        return s

    def worth_of_going(self, move: int) -> float:
        s = self.s.copy()
        if s.step in (Step.THROWING, Step.PLACEMENT):
            s.sizes = s.drawn = 0
        if VERB[move] == MOVES.lawn:
            dice.use_dice(s, self.seat, MOVES.lawn, X[move], Y[move])
            land, fee = dice.total(s, self.seat) - 3, 0.05
        else:
            land, fee = X[move], 0.0
        s = self.with_dice(s)
        return self.gain_with_tree(s, land) - fee

    def gain_with_tree(self, s: Any, land: int) -> float:
        size = s.round - 1
        if s.tree[land]:
            s.blocks[self.seat][size] += 1
        return self.gain(s, land) + (CUBE[self.left] * (size + 1) if s.tree[land] else 0)

    def ways(self, s: Any, rerolls: int) -> list[tuple[float, int]]:
        """Return every move with the value of its best continuation. `rerolls`: the rerolls that the red die would
        allow, if it is used for them."""
        found = []
        for move in self.legal if s is self.s else self.moves(s):
            verb = VERB[move]
            if verb in (MOVES.swap, MOVES.mud, MOVES.plus) and (
                s.used[self.seat] != self.s.used[self.seat] or verb == MOVES.mud and X[move] == 1
            ):
                continue  # cards before dice
            self.positions += 1
            if verb == MOVES.reroll:
                after = s.copy()
                after.used[self.seat][Colour.RED] = 1
                found.append((self.further(after, s.coloured[self.seat][Colour.RED]), move))
            elif verb == MOVES.finish:
                found.append((self.settled(s, rerolls), move))
            else:
                after = self.after(s, move)
                if after.phase == Phase.REROLLING:
                    times, after.rerolls = after.rerolls, 0
                    found.append((self.settled(after, times), move))
                else:
                    found.append((self.further(after, rerolls), move))
        return found

    def further(self, s: Any, rerolls: int) -> float:
        """Return the value of the best continuation while dice are unused."""
        while s.pending == 1 << self.seat and s.phase == Phase.TAKING:
            s = self.after(s, max(self.moves(s), key=lambda m: self.worth(self.after(s, m))))
        if s.step != Step.USING or s.seat != self.seat or s.phase != Phase.ACTING or self.positions > MOST_POSITIONS:
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
        """Return the value of the position and the best building, after the dice are used."""
        if s.seat != self.seat or s.phase == Phase.OVER:
            return self.worth(s)
        here = self.gain(s, s.craftsman[self.seat])
        if rerolls:
            here = self.worth_of_rolls(self.all_gains(s), rerolls, here)
        return self.worth(s) + here

    def worth_of_rolling(self, move: int) -> float:
        s = self.with_dice(self.s)
        gains = self.all_gains(s)
        white = s.white[self.seat]
        if VERB[move] == MOVES.stop:
            if not s.rolled:
                return self.gain(s, s.craftsman[self.seat])
            return max(gains[sum(white) - 3], gains[KING] if dice.calls(*white) else 0.0)
        again = self.worth_of_rolls(gains, s.rerolls - 1, 0.0) if s.rerolls > 1 else 0.0
        which = [i for i in range(3) if X[move] + 1 >> i & 1]
        total = 0.0
        throws = list(product(FACES, repeat=len(which)))
        for faces in throws:
            roll = list(white)
            for i, face in zip(which, faces, strict=True):
                roll[i] = face
            here = max(gains[sum(roll) - 3], gains[KING] if dice.calls(*roll) else 0.0)
            total += max(here, again)
        return total / len(throws)

    def worth_of_building(self, move: int, depth: int) -> float:
        verb = VERB[move]
        if verb == MOVES.end:
            return self.worth(self.s)
        if verb == MOVES.move:
            s = self.s.copy()
            s.gems[self.seat] -= 1
            return self.worth(s) + self.worth_of_rolls(self.all_gains(s), 1, 0.0) - 0.2
        if verb in (MOVES.split, MOVES.join):
            s = self.after(self.s, move)
            return self.worth(s) + self.gain(s, s.craftsman[self.seat]) - 0.5
        if verb == MOVES.mud:
            s = self.after(self.s, move)
            return self.settled(s, 0) - 0.01
        return self.worth_of_laying(self.after(self.s, move), depth)

    def worth_of_laying(self, s: Any, depth: int = 2) -> float:
        """Return the value of the best continuation: blocks laid in two ways (large first, small first), and a resident
        taken."""
        if s.phase == Phase.LAYING and s.seat == self.seat:
            return max(self.worth_of_laying(self.laid(s, end), depth) for end in (0, -1))
        while s.pending == 1 << self.seat and s.phase in (Phase.BONUS, Phase.WELCOMING):
            s = self.after(s, max(self.moves(s), key=lambda m: self.worth(self.after(s, m))))
        if s.phase != Phase.BUILDING or s.seat != self.seat:
            return self.worth(s)
        best = self.worth(s)
        if self.grows_on(s):
            best += self.gain(s, s.craftsman[self.seat])
        elif depth > 1:
            for move in self.moves(s):
                if VERB[move] in (MOVES.build, MOVES.extend, MOVES.take_over):
                    best = max(best, self.worth_of_laying(self.after(s, move), depth - 1))
        if depth > 1 and s.ruleset == Ruleset.SIMPLE and s.gems[self.seat] and any(s.blocks[self.seat]):
            paid = s.copy()
            paid.gems[self.seat] -= 1
            best = max(best, self.worth(paid) + self.worth_of_rolls(self.all_gains(paid), 1, 0.0) - 0.2)
        return best

    def laid(self, s: Any, end: int) -> Any:
        while s.phase == Phase.LAYING and s.seat == self.seat:
            s = self.after(s, self.moves(s)[end])
        return s

    def lodge(self) -> int:
        """Return the lodging that automatic housing would choose."""
        s = self.s.copy()
        for resident in range(16):
            s.home[resident] = NONE
        counting.house_residents(s, self.seat)
        for move in self.legal:
            if VERB[move] == MOVES.lodge and s.home[X[move]] == Y[move]:
                return move
        return MOVES.close
