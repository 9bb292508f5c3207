"""The chances to win characters in this turn, in percent. They come from odds.json (odds.py)."""

import json

from courtly.games.petition.dice import dice_in_use, earned
from courtly.games.petition.facts_needs import KINDS_OF_NEEDS, MATCHING, SUMS, Kind
from courtly.games.petition.odds import FILE, MOST
from courtly.games.petition.table import ADDED, ADDER, ADDER_COUNT, KINDS, Phase

CERTAIN = 100
NO_GROUPING = -1

# --- tables: percentages with some dice kept, and free ones yet to roll -----------------------------------------------

_CHANCES = json.loads(FILE.read_text("utf-8"))["chances"]


def _percent(chance):
    """Return a chance in percent: 0 and 100 only if it is impossible or certain."""
    return int(chance) * CERTAIN if chance in (0, 1) else min(CERTAIN - 1, max(1, round(100 * chance)))


def _with_kept(card, key):
    """Return the percentages for 0 to MOST free dice; 0 where no table has so many dice."""
    chances = list(map(_percent, _CHANCES[str(card)][key]))
    return (*chances, *[0] * (MOST + 1 - len(chances)))


def _list_cards(kind):
    return [card for card in range(KINDS) if KINDS_OF_NEEDS[card] == kind]


def _group(dice, largest, groups):
    """Return the sizes of at most so many groups, none larger than `largest`, of at most so many dice."""
    more = [
        (size, *sizes)
        for size in range(1, min(dice, largest) + 1 if groups else 1)
        for sizes in _group(dice - size, size, groups - 1)
    ]
    return [(), *more]


# The sizes of the groups among kept dice, if at least one of MOST dice is free. By the number of such a grouping: how
# many dice it has, and the grouping with one more group of a size.
_GROUPINGS = {sizes: number for number, sizes in enumerate(_group(MOST - 1, MOST - 1, 6))}
GROUPING_COUNT = len(_GROUPINGS)
GROUPED_DICE = tuple(map(sum, _GROUPINGS))
WITH_GROUP = tuple(
    tuple(
        _GROUPINGS.get(tuple(sorted((*sizes, *[size] * (size > 0)), reverse=True)), NO_GROUPING) for size in range(MOST)
    )
    for sizes in _GROUPINGS
)

# by the character: its number among those of its kind
NUMBERS = tuple(_list_cards(KINDS_OF_NEEDS[card]).index(card) for card in range(KINDS))
# by this number, then the sum, the bits of the faces, or the grouping of the kept dice, then the number of free dice
SUM_ODDS = tuple(
    tuple(_with_kept(card, str(min(n, SUMS[card]))) for n in range(max(SUMS))) for card in _list_cards(Kind.SUM)
)
STRAIGHT_ODDS = tuple(
    tuple(_with_kept(card, "".join(str(f + 1) for f in range(6) if faces >> f & 1)) for faces in range(64))
    for card in _list_cards(Kind.STRAIGHT)
)
GROUP_ODDS = tuple(
    tuple(_with_kept(card, " ".join(map(str, sizes))) for sizes in _GROUPINGS) for card in _list_cards(Kind.GROUPS)
)
MATCHING_ODDS = tuple(_with_kept(card, "yes") for card in _list_cards(Kind.PARITY))  # while all kept dice match


# --- the dice that matter ---------------------------------------------------------------------------------------------


def list_odds(s, out):
    """List the chance to win each character that the player at turn can still win."""
    if s.phase != Phase.BEFORE and s.phase != Phase.ACTING:
        return
    add_dice(s, out.added)
    dice = dice_in_use(s)
    groupings = NO_GROUPING
    before = s.phase == Phase.BEFORE
    for f in range(6):
        dice += out.added[f]
        out.active[f] = s.active[f] + (0 if before else out.added[f])
        out.aside[f] = s.aside[f] + (out.added[f] if before else 0)
    at_once = before or s.kept == 1
    met = earned(out.active, out.aside)
    for card in range(KINDS):
        kind = KINDS_OF_NEEDS[card]
        if out.wanted[card]:
            if kind == Kind.PARITY:
                out.odds[card] = odds_of_matching(s, MATCHING[card], MATCHING_ODDS[NUMBERS[card]], at_once)
            elif met >> card & 1:
                out.odds[card] = CERTAIN
            elif kind == Kind.SUM:
                out.odds[card] = odds_of_sum(out, SUM_ODDS[NUMBERS[card]], min(dice, MOST), at_once)
            elif kind == Kind.STRAIGHT:
                out.odds[card] = odds_of_straight(out, STRAIGHT_ODDS[NUMBERS[card]], min(dice, MOST), at_once)
            elif kind == Kind.GROUPS:
                if groupings == NO_GROUPING:
                    groupings = list_groupings(out, at_once)
                out.odds[card] = odds_of_groups(out.groupings, groupings, GROUP_ODDS[NUMBERS[card]], min(dice, MOST))


def add_dice(s, added):
    """Count, by face, the dice that unused cards can still add."""
    room = s.dice_limit - dice_in_use(s)
    for f in range(6):
        added[f] = 0
    for i in range(ADDER_COUNT):
        if room > 0 and s.owns[s.seat][ADDER[i]] and not s.used[ADDER[i]]:
            added[ADDED[i]] += 1
            room -= 1


# --- what to keep, for a requirement that all dice together do not meet -----------------------------------------------
#
# At least one active die is kept, unless all may be rolled at once. Dice beyond MOST are treated as not rolled.


def odds_of_sum(out, odds, dice, at_once):
    """Return the best chance to reach a sum: of any number of dice, the highest are kept."""
    kept = 0
    total = 0
    for f in range(6):
        kept += out.aside[f]
        total += out.aside[f] * (f + 1)
    best = odds[total][dice - kept] if at_once and kept < dice else 0
    for f in range(5, -1, -1):
        for _ in range(out.active[f]):
            kept += 1
            total += f + 1
            if kept < dice:
                best = max(best, odds[total][dice - kept])
    return best


def odds_of_straight(out, odds, dice, at_once):
    """Return the best chance to complete a run: one die of any faces is kept, and another one only if one must be."""
    kept = 0
    faces = 0
    new = 0
    spare = 0
    for f in range(6):
        kept += out.aside[f]
        if out.aside[f]:
            faces |= 1 << f
            spare |= out.active[f]
        elif out.active[f]:
            new |= 1 << f
    best = 0
    for some in range(new + 1):
        if not some & ~new and (some or at_once or spare):
            free = dice - kept - (1 if not some and not at_once else 0)
            for f in range(6):
                free -= some >> f & 1
            if free > 0:
                best = max(best, odds[faces | some][free])
    return best


def odds_of_matching(s, right, odds, at_once):
    """Return the best chance that all dice match: only matching ones are kept. Cards add no dice for it."""
    kept = 0
    match = 0
    others = 0
    for f in range(6):
        if right >> f & 1:
            kept += s.aside[f]
            match += s.active[f]
        else:
            others += s.active[f]
            if s.aside[f]:
                return 0
    free = s.rolling + match + others
    best = 0
    for more in range(0 if at_once or free == 0 else 1, match + 1):
        if more == free or kept + more >= MOST:
            return CERTAIN
        best = max(best, odds[min(free - more, MOST - kept - more)])
    return best


def list_groupings(out, at_once):
    """List the groupings of the dice that may be kept. Returns how many."""
    kept = 0
    for f in range(6):
        kept += out.aside[f]
    out.reached[0][0] = 1
    for f in range(6):
        for grouping in range(GROUPING_COUNT):
            if out.reached[f][grouping] > 0:
                for size in range(out.aside[f], min(out.aside[f] + out.active[f], MOST - 1) + 1):
                    if WITH_GROUP[grouping][size] != NO_GROUPING:
                        out.reached[f + 1][WITH_GROUP[grouping][size]] = 1
    n = 0
    for grouping in range(GROUPING_COUNT):
        if out.reached[6][grouping] > 0 and (at_once or GROUPED_DICE[grouping] > kept):
            out.groupings[n] = grouping
            n += 1
    return n


def odds_of_groups(groupings, n, odds, dice):
    """Return the best chance to complete groups with one of these n groupings of kept dice."""
    best = 0
    for i in range(n):
        grouping = groupings[i]
        best = max(best, odds[grouping][dice - GROUPED_DICE[grouping]])
    return best
