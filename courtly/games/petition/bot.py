"""The squire of To Court the King. It estimates how likely the dice are to earn each character within reach.

It compares all ways to continue: which dice to keep, and which power to use first. The value of the kept dice and the
number of dice to roll is that of the best single aim: a face to collect, or the pattern of one character. The chances
come from odds.py.
"""

from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Any

from courtly.engine.game import Game
from courtly.engine.rng import Row
from courtly.engine.schemas import PositionView
from courtly.games.petition import odds, rules
from courtly.games.petition.dice import best_face, earned
from courtly.games.petition.table import (
    ADDED,
    ADDER,
    CHARACTERS,
    CHARLATAN_DICE,
    FARMER_DICE,
    FIRST_DICE,
    GENERAL_DICE,
    KINDS,
    MOVES,
    VERB,
    Card,
    Group,
    Phase,
    X,
    Y,
    Z,
)

Dice = tuple[int, ...]  # how many dice show each face

# The value of owning each character; for the king, the value of each per cent by which the chance to win exceeds an
# even share. Tuned by games between versions of this bot; a version with equal values wins one game in twenty.
WORTH = {
    Card.FOOL: 3.0,
    Card.CHARLATAN: 9.0,
    Card.FARMER: 13.0,
    Card.MAID: 6.5,
    Card.PHILOSOPHER: 6.0,
    Card.LABORER: 8.0,
    Card.GUARD: 9.0,
    Card.HUNTER: 10.5,
    Card.ASTRONOMER: 9.5,
    Card.MERCHANT: 7.0,
    Card.NOBLEWOMAN: 6.0,
    Card.PAWNBROKER: 11.0,
    Card.KNIGHT: 12.0,
    Card.MAGICIAN: 12.0,
    Card.ALCHEMIST: 8.0,
    Card.BISHOP: 11.5,
    Card.NOBLEMAN: 6.5,
    Card.GENERAL: 24.0,
    Card.KING: 0.0,
    Card.QUEEN: 0.0,
}
KING = 0.9
# About how many additional dice of the wanted face a power is worth.
HELP = {
    Card.FOOL: 0.2,
    Card.MERCHANT: 0.4,
    Card.MAID: 0.7,
    Card.PHILOSOPHER: 0.7,
    Card.ASTRONOMER: 0.9,
    Card.MAGICIAN: 1.0,
    Card.ALCHEMIST: 1.0,
    Card.NOBLEWOMAN: 0.5,
    Card.NOBLEMAN: 0.5,
}
HELPS = tuple((1 << card, help_) for card, help_ in HELP.items())
NEEDS = tuple(
    (card, *next(iter(c["needs"].items())))
    for card, c in enumerate(CHARACTERS)
    if c["needs"] and "king" not in c["needs"]
)
AIMS = tuple(card for card, _, _ in NEEDS if card != Card.KING)
NOTHING: Dice = (0,) * 6
WANTED = 2  # faces for which the bot tries powers


def choose(_game: Game, view: PositionView, _rng: Row) -> int:
    """Return the id of a legal move."""
    legal = [move["id"] for move in view["legal"]]
    return legal[0] if len(legal) == 1 else Turn(rules.State.from_view(view["state"]), legal).choose()


# --- dice -------------------------------------------------------------------------------------------------------------


def plus(a: Dice, b: Dice) -> Dice:
    return tuple(map(int.__add__, a, b))


def minus(a: Dice, b: Dice) -> Dice:
    return tuple(map(int.__sub__, a, b))


def one(face: int) -> Dice:
    return tuple(1 if f == face else 0 for f in range(6))


ONE = tuple(one(face) for face in range(6))


def only(dice: Dice, *faces: int) -> Dice:
    return tuple(n if f in faces else 0 for f, n in enumerate(dice))


def faces_of(dice: Dice) -> list[int]:
    return [f for f, n in enumerate(dice) for _ in range(n)]


def highest(dice: Dice, n: int) -> Dice:
    kept = faces_of(dice)[-n:]
    return tuple(kept.count(f) for f in range(6))


@cache
def keeps(active: Dice, aside: Dice) -> tuple[Dice, ...]:
    """Return sets of active dice that can be worth keeping."""
    found = {active, only(active, 0, 2, 4), only(active, 1, 3, 5)}
    for a, b in combinations_with_replacement(range(6), 2):
        found.add(only(active, a, b))
    found.update(ONE[f] for f in range(6) if active[f])
    found.update(highest(active, n) for n in range(1, sum(active)))
    for run in (range(5), range(1, 6), range(6)):
        found.add(tuple(1 if f in run and active[f] and not aside[f] else 0 for f in range(6)))
    both = plus(active, aside)
    found.add(tuple(n if both[f] > 1 else 0 for f, n in enumerate(active)))
    found.add(tuple(max(0, min(n, both[f] // 2 * 2 - aside[f])) for f, n in enumerate(active)))
    found.discard(NOTHING)
    return tuple(sorted(found))


# --- the last round ---------------------------------------------------------------------------------------------------


def dice_and_help(s: Any, seat: int) -> tuple[int, float]:
    """Return how many dice a seat can have in a turn, and how many dice of a wanted face its powers are worth."""
    own = s.owns[seat]
    start = (
        FIRST_DICE
        + FARMER_DICE * own[Card.FARMER]
        + GENERAL_DICE * own[Card.GENERAL]
        + CHARLATAN_DICE * own[Card.CHARLATAN]
    )
    adders = sum(own[card] for card in ADDER) + own[Card.QUEEN]
    powers = sum(help_ for card, help_ in HELP.items() if own[card])
    return min(start + adders, s.dice_limit), powers + own[Card.QUEEN] * 0.7


def chance_to_beat(s: Any, seat: int, count: int, face: int, equal: bool) -> float:
    """Return the chance that a seat rolls a better group in the last round, or an equal one if `equal`."""
    dice, powers = dice_and_help(s, seat)
    group = odds.shifted(odds.biggest_group(dice), powers)
    faces_left = 7 - face if equal else 6 - face
    return sum(group[count + 1 :]) + (group[count] * faces_left / 6 if count < len(group) else 0.0)


def chance_to_win(s: Any, seat: int, count: int, face: int) -> float:
    """Return the chance to win the game after taking the king with this group now."""
    stays = 1.0
    for other in range(s.players):
        if other != seat:
            stays *= 1 - chance_to_beat(s, other, count, face, equal=False)
    return stays + (1 - stays) * chance_to_beat(s, seat, count + 1, face, equal=True)


def cannot_beat(s: Any) -> bool:
    """Return True if the player has too few dice to beat the mark."""
    dice, _ = dice_and_help(s, s.seat)
    return dice < s.mark[Group.COUNT] or (dice == s.mark[Group.COUNT] and s.mark[Group.FACE] == 6 and s.seat != s.queen)


# --- a turn -----------------------------------------------------------------------------------------------------------


class Turn:
    """A decision of the player at turn."""

    def __init__(self, s: Any, legal: list[int]):
        self.s = s
        self.legal = legal
        self.own = s.owns[s.seat]
        self.aside, self.active, self.taken = tuple(s.aside), tuple(s.active), tuple(s.taken)
        self.cards = sum(1 << card for card in range(KINDS) if self.own[card] and not s.used[card])
        self.known: dict[Any, float] = {}
        self.open = [
            card
            for card in range(KINDS)
            if s.supply[card] and not self.own[card] and card != Card.QUEEN and not s.final
        ]
        self.sure = 0.0  # the value that can be claimed with any dice
        if not s.final:
            self.sure = (
                WORTH[Card.CHARLATAN] - WORTH[Card.FOOL]
                if self.own[Card.FOOL]
                else WORTH[Card.FOOL]
                if s.supply[Card.FOOL]
                else 0.0
            )
        self.groups = [[self.group_worth(count, face) for count in range(32)] for face in range(1, 7)]
        self.aims = sorted(((WORTH[card], card) for card in AIMS if card in self.open), reverse=True)

    def choose(self) -> int:
        phase = self.s.phase
        if phase == Phase.BEFORE:
            return MOVES.concede if self.s.final and cannot_beat(self.s) else MOVES.roll
        if phase == Phase.CLAIMING:
            return self.claim()
        if phase == Phase.MERCHANT:
            return next((move for move in self.legal if move != MOVES.done), MOVES.done)
        if phase in (Phase.NOBLEWOMAN, Phase.NOBLEMAN):
            return self.go_on_raising()
        if phase in (Phase.ALCHEMIST, Phase.TURNING):
            return self.go_on_turning()
        return self.act()

    # --- values of dice -----------------------------------------------------------------------------------------------

    def group_worth(self, count: int, face: int) -> float:
        """Return the value of a group of equal dice at the end of the turn."""
        s = self.s
        if s.final:
            equal = s.seat == s.queen
            if (
                count < s.mark[Group.COUNT]
                or count == s.mark[Group.COUNT]
                and (face < s.mark[Group.FACE] or face == s.mark[Group.FACE] and not equal)
            ):
                return 0.01 * count + 0.001 * face
            later = s.players - 1 - s.turn
            return 100.0 * (0.9 if later else 1.0) + (count + face / 6 if later else 0.0)
        best = self.sure
        for card, kind, n in NEEDS:
            if kind == "of_a_kind" and count >= n and card in self.open:
                best = max(best, self.king_worth(count, face) if card == Card.KING else WORTH[card])
        return best

    def king_worth(self, count: int, face: int) -> float:
        better = 0.1 * count + 0.02 * face  # distinguishes groups with the same chance to win
        return 100 * KING * (chance_to_win(self.s, self.s.seat, min(count, 30), face) - 1 / self.s.players) + better

    def result_worth(self, aside: Dice) -> float:
        """Return the value of this result: that of the best claim, or of the group in the last round."""
        best = max(self.groups[face][n] for face, n in enumerate(aside) if n)
        bits = earned(aside, NOTHING)
        return max([best, *(WORTH[card] for card in self.open if bits >> card & 1)])

    def outlook(self, aside: Dice, free: int, cards: int) -> float:
        """Return the value of a turn with these kept dice, this many dice about to be rolled, and these cards (bits)
        unused."""
        key = (aside, free, cards)
        if key not in self.known:
            self.known[key] = self._outlook(aside, free, cards)
        return self.known[key]

    def _outlook(self, aside: Dice, free: int, cards: int) -> float:
        room = self.s.dice_limit - sum(aside) - free
        added = [ADDED[i] for i, card in enumerate(ADDER) if cards >> card & 1][:room]
        queen = 1 if cards >> Card.QUEEN & 1 and len(added) < room else 0
        every = free + len(added) + queen
        if every == 0:
            return self.result_worth(aside)
        best = 0.0 if free else self.result_worth(aside)
        powers = sum(help_ for bit, help_ in HELPS if cards & bit)
        for face in range(6):
            fits = added.count(face) + queen
            best = max(best, self.face_outlook(face, aside[face] + fits, every - fits, powers))
        for worth, card in self.aims:
            if worth <= best:
                break
            p = chance_of(card, aside, every, round(powers))
            best = max(best, p * worth + (1 - p) * self.sure)
        return best

    def face_outlook(self, face: int, have: int, free: int, powers: float) -> float:
        key = (face, have, free, powers)
        if key not in self.known:
            chances = odds.shifted(odds.of_a_face(free), powers) if powers else odds.of_a_face(free)
            self.known[key] = sum(p * worth for p, worth in zip(chances, self.groups[face][have:], strict=False))
        return self.known[key]

    def best_keep(self, active: Dice, cards: int, kept: int) -> tuple[float, Dice]:
        """Return the value of the turn with the best dice to keep, and these dice; NOTHING means to roll at once."""
        free = sum(active)
        found = [
            (self.outlook(plus(self.aside, some), free - sum(some), cards), some) for some in keeps(active, self.aside)
        ]
        if kept:
            found.append((self.outlook(self.aside, free, cards), NOTHING))
        return max(found)

    # --- moves --------------------------------------------------------------------------------------------------------

    def claim(self) -> int:
        face = best_face(self.aside)
        worth = {MOVES.pass_: 0.0}
        for move in self.legal:
            if VERB[move] == MOVES.claim:
                card = X[move]
                worth[move] = (
                    self.king_worth(self.aside[face], face + 1)
                    if card == Card.KING
                    else WORTH[Card.CHARLATAN] - WORTH[Card.FOOL]
                    if card == Card.CHARLATAN
                    else WORTH[card]
                )
        return max(worth, key=lambda move: worth[move])

    def act(self) -> int:
        if any(self.active):
            best, some = self.best_keep(self.active, self.cards, self.s.kept)
            move = MOVES.keep + faces_of(some)[0] if some != NOTHING else MOVES.roll
        else:
            best, move = self.result_worth(self.aside), MOVES.finish
        for worth, power in self.powers():
            if worth > best + 1e-9:
                best, move = worth, power
        return move

    def powers(self) -> Any:
        """Yield, for each power that might help, the value of the turn after it and the move."""
        wanted = self.wanted()
        for move in self.legal:
            verb, x, y = VERB[move], X[move], Y[move]
            if verb == MOVES.add:
                yield self.after(ADDER[x], plus(self.active, ONE[ADDED[x]])) + 1e-6, move  # prefer adding it early
            elif verb == MOVES.queen and x in wanted:
                yield self.after(Card.QUEEN, plus(self.active, ONE[x])), move
            elif verb == MOVES.maid and x + y + 1 in wanted:
                yield self.after(Card.MAID, self.changed(x, x + y + 1)), move
            elif verb in (MOVES.astronomer, MOVES.magician) and y in wanted:
                yield (
                    self.after(Card.ASTRONOMER if verb == MOVES.astronomer else Card.MAGICIAN, self.changed(x, y)),
                    move,
                )
            elif verb == MOVES.philosopher and (x - Z[move] - 1 in wanted or y + Z[move] + 1 in wanted):
                pips = Z[move] + 1
                yield self.after(Card.PHILOSOPHER, minus(plus(self.changed(x, x - pips), ONE[y + pips]), ONE[y])), move
            elif verb == MOVES.fool and x not in wanted[:1]:
                yield sum(self.after(Card.FOOL, self.changed(x, to)) for to in range(6)) / 6, move
            elif verb in (MOVES.noblewoman, MOVES.nobleman):
                by, card = (1, Card.NOBLEWOMAN) if verb == MOVES.noblewoman else (2, Card.NOBLEMAN)
                yield self.after(card, self.raised(x, by, self.active[x])), move
        if self.cards >> Card.MERCHANT & 1 and any(self.active) and not self.s.kept:
            yield (
                self.outlook(self.aside, sum(self.active), self.cards & ~(1 << Card.MERCHANT)),
                MOVES.merchant + faces_of(self.active)[0],
            )
        if self.cards >> Card.ALCHEMIST & 1 and sum(self.active) > 1:
            for worth, taken, _ in self.alchemy(wanted, NOTHING, NOTHING):
                yield worth, MOVES.alchemist + taken[0]

    def wanted(self) -> list[int]:
        """Return the faces worth collecting, best first: those of the best groups, then those that a pattern lacks."""
        both = plus(self.aside, self.active)
        free = sum(self.active)
        found = sorted(range(6), key=lambda f: (-self.face_outlook(f, both[f], free - self.active[f], 0.0), -f))[
            :WANTED
        ]
        kinds = {kind for card, kind, _ in NEEDS if card in self.open}
        if "straight" in kinds:
            found += [f for f in range(6) if not both[f]]
        if "sum" in kinds:
            found.append(5)
        if kinds & {"pairs", "full_house", "triples"}:
            found += [f for f in range(6) if both[f] % 2 or both[f] == 2]
        return found

    def after(self, card: int, active: Dice) -> float:
        return self.best_keep(active, self.cards & ~(1 << card), self.s.kept)[0]

    def changed(self, face: int, to: int) -> Dice:
        return plus(minus(self.active, ONE[face]), ONE[to])

    def raised(self, face: int, by: int, n: int) -> Dice:
        return tuple(k - (n if f == face else 0) + (n if f == face + by else 0) for f, k in enumerate(self.active))

    def go_on_raising(self) -> int:
        """Return the move that raises one more die if that is better, else `done`."""
        by = 1 if self.s.phase == Phase.NOBLEWOMAN else 2
        found = {MOVES.done: self.best_keep(plus(self.active, self.taken), self.cards, self.s.kept)[0]}
        for move in self.legal:
            if move != MOVES.done:
                x = X[move]
                found[move] = max(
                    self.best_keep(plus(self.raised(x, by, n), self.taken), self.cards, self.s.kept)[0]
                    for n in range(1, self.active[x] + 1)
                )
        return max(found, key=lambda move: found[move])

    # --- the alchemist ------------------------------------------------------------------------------------------------

    def alchemy(self, wanted: list[int], taken: Dice, turned: Dice) -> list[tuple[float, list[int], list[int]]]:
        """Return the ways to continue with the alchemist after these taken and turned dice: their values, the dice, and
        the new faces."""
        begun = faces_of(taken)
        dice = plus(self.active, taken)
        plans = {}
        for size in range(max(2, len(begun)), 4) if not any(turned) else [len(begun)]:
            for some in {tuple(sorted(c)) for c in combinations(faces_of(dice), size)}:
                if any(some.count(f) < n for f, n in enumerate(taken)):
                    continue
                for new in redistributions(some):
                    if list(new[: sum(turned)]) == faces_of(turned):
                        gain = [new.count(f) - some.count(f) for f in wanted[:WANTED]]
                        plans[some, new] = max(gain, default=0)
        best = sorted(plans, key=lambda plan: -plans[plan])[:12]
        found = []
        for some, new in best:
            active = dice
            for old, face in zip(some, new, strict=True):
                active = plus(minus(active, ONE[old]), ONE[face])
            left = list(some)
            for f in begun:
                left.remove(f)
            found.append((self.after(Card.ALCHEMIST, active), left, list(new)))
        return found

    def go_on_turning(self) -> int:
        _, left, new = max(self.alchemy(self.wanted(), self.taken, tuple(self.s.turned)))
        return MOVES.alchemist + left[0] if left else MOVES.turn + new[sum(self.s.turned)]


@cache
def redistributions(dice: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return all other sets of faces, in ascending order, that these dice can show with the same sum."""
    return tuple(
        new for new in combinations_with_replacement(range(6), len(dice)) if sum(new) == sum(dice) and new != dice
    )


# --- patterns ---------------------------------------------------------------------------------------------------------


@cache
def chance_of(card: int, aside: Dice, free: int, help_: int) -> float:
    """Return the chance that the dice meet a requirement in the end, if the player aims at it alone and powers give
    `help_` dice the wanted faces."""
    if not help_ or not free:
        return odds.meets(card, aside, free)
    return max(chance_of(card, plus(aside, some), free - 1, help_ - 1) for some in ONE)
