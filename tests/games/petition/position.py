"""Constraints on positions of To Court the King."""

from functools import cache
from itertools import combinations

from courtly.engine.constants import CHANCE, NOBODY
from courtly.games.petition import position
from courtly.games.petition import rules as r
from courtly.games.petition.dice import dice_in_use
from courtly.games.petition.table import ADDER, CHARACTERS, COPIES, KINDS, KING_NEEDS, MOST_ROUNDS, Card, Group, Phase

PATTERNS = {  # sorted dice of exactly this number: do they form the pattern?
    "of_a_kind": lambda n: (n, lambda d: len(set(d)) == 1),
    "pairs": lambda n: (2 * n, lambda d: all(d[i] == d[i + 1] for i in range(0, 2 * n, 2))),
    "triples": lambda n: (3 * n, lambda d: all(d[i] == d[i + 2] for i in range(0, 3 * n, 3))),
    "straight": lambda n: (n, lambda d: all(b - a == 1 for a, b in zip(d, d[1:], strict=False))),
    "full_house": lambda _: (5, lambda d: d[0] == d[1] and d[3] == d[4] and d[2] in (d[1], d[3])),
}


def contains(dice, requirement):
    """Return whether this list of faces meets a requirement of components.toml. As in the rulebook, some of the dice
    have to form the pattern.
    """
    ((kind, value),) = requirement.items()
    if kind == "sum":
        return sum(dice) >= value
    if kind == "all":
        return all(d % 2 == (value == "odd") for d in dice)
    return has_pattern(tuple(sorted(dice)), kind, value)


@cache
def has_pattern(dice, kind, value):
    size, fits = PATTERNS[kind](value)
    return any(fits(some) for some in combinations(dice, size))


def faces(row):
    return [face + 1 for face in range(6) for _ in range(row[face])]


def claimable(s):
    """Return the names of the characters that can be claimed with the present dice, by the text of the rulebook."""
    owned, dice = s.owns[s.seat], faces(s.active) + faces(s.aside)
    claimable_names = {
        name
        for card, name in enumerate(Card)
        if name not in ("fool", "charlatan", "queen")
        and s.supply[card]
        and not owned[card]
        and contains(dice, CHARACTERS[card]["needs"])
    }
    if owned[Card.FOOL]:
        return claimable_names | {"charlatan"}
    return claimable_names | ({"fool"} if s.supply[Card.FOOL] else set())


def complete(s, given):
    """Complete a position. Raises ValueError if the given fields contradict each other."""
    position.complete(s, given)
    if given:
        check(s)


def check(s):
    """Raise ValueError with the first violated invariant."""
    for name, is_satisfied in [*_table(s), *_dice(s)]:
        if not is_satisfied:
            raise ValueError(name)


def _table(s):
    owned = [sum(row[card] for row in s.owns) for card in range(KINDS)]
    copies = COPIES[s.players]
    yield "seats beyond the players own nothing", not any(any(row) for row in s.owns[s.players :])
    yield (
        "copies on the table and owned are constant",
        all(s.supply[c] + owned[c] == copies[c] for c in range(Card.FARMER, KINDS)),
    )
    if s.fools:
        yield "fools on the table, fools and charlatans are constant", s.supply[0] + owned[0] + owned[1] == s.players
    yield (
        "no player has a character twice",
        all(row[c] in (0, 1) for row in s.owns for c in range(KINDS) if c != Card.CHARLATAN),
    )
    yield (
        "nothing is negative",
        all(n >= 0 for row in (s.supply, s.active, s.aside, s.taken, s.turned, *s.owns) for n in row),
    )
    yield (
        "dice that were not rolled are among the active and the taken ones",
        all(0 <= s.unrolled[f] <= s.active[f] and 0 <= s.unrolled_taken[f] <= s.taken[f] for f in range(6)),
    )
    yield (
        "the king's holder has him",
        owned[Card.KING] == (s.king != NOBODY) and (s.king == NOBODY or s.owns[s.king][Card.KING] == 1),
    )
    yield (
        "the queen's holder has her",
        owned[Card.QUEEN] == (s.queen != NOBODY) and (s.queen == NOBODY or s.owns[s.queen][Card.QUEEN] == 1),
    )
    yield (
        "king and queen leave the table together, with a mark",
        (s.king == NOBODY) == (s.queen == NOBODY) == (s.mark[Group.COUNT] < KING_NEEDS),
    )
    yield "the last round comes after the king", not s.final or s.king != NOBODY
    yield "the round limit holds", s.round <= (s.round_limit or MOST_ROUNDS) + 1
    yield (
        "the pending seat is the active one",
        s.pending in ((0,) if s.phase == Phase.OVER else (CHANCE, 1 << max(s.seat, 0))),
    )
    if s.phase not in (Phase.STARTING, Phase.OVER):
        yield "used characters are owned", all(s.owns[s.seat][c] or not s.used[c] for c in range(KINDS))
        yield "there is an active seat", 0 <= s.seat < s.players


def _dice(s):
    if s.phase in (Phase.STARTING, Phase.OVER):
        return
    owned = s.owns[s.seat]
    start = min(3 + owned[Card.FARMER] + 2 * owned[Card.GENERAL] + owned[Card.CHARLATAN], s.dice_limit)
    added = sum(s.used[c] for c in (*ADDER, Card.QUEEN))
    yield f"{start} dice at the start and {added} added are not {dice_in_use(s)}", dice_in_use(s) == start + added
    yield "no more dice than there are", dice_in_use(s) <= s.dice_limit
    yield "dice are rolled only by chance", s.rolling == 0 or s.pending == CHANCE or s.phase == Phase.BEFORE
    yield "a power in use has its dice", (sum(s.taken) > 0) == (Phase.MERCHANT <= s.phase <= Phase.TURNING)
    if s.phase == Phase.CLAIMING:
        yield "all dice are set aside for the claim", sum(s.active) + s.rolling == 0
    if s.pending == 1 << s.seat and s.phase in (Phase.ACTING, Phase.CLAIMING) and not s.final:
        claimable_bits = r.claimable(s, s.active, s.aside)
        claimable_by_rules, claimable_by_text = {Card[c] for c in range(KINDS) if claimable_bits >> c & 1}, claimable(s)
        yield (
            f"claimable is {sorted(claimable_by_text)}, not {sorted(claimable_by_rules)}",
            claimable_by_rules == claimable_by_text,
        )
