"""What dice are likely to become when they are rolled on, at least one being kept after each roll.

What the best player makes of each character's requirement stands in odds.json, exact to six digits; chances of groups
of one face are worked out when first asked for and then remembered.
"""

import json
from functools import cache
from itertools import product
from math import comb, factorial
from pathlib import Path

from courtly.games.petition.dice import earned
from courtly.games.petition.table import CHARACTERS

FILE = Path(__file__).with_name("odds.json")  # tools/petition_odds.py makes it
MOST = 12  # dice that it tells of
NO_DICE = (0,) * 6


@cache
def _chances() -> dict[str, dict[str, list[float]]]:
    found: dict[str, dict[str, list[float]]] = json.loads(FILE.read_text("utf-8"))["chances"]
    return found


def what_counts(card: int, aside: tuple[int, ...]) -> str:
    """Of the dice kept, all that matters to this requirement."""
    ((kind, need),) = CHARACTERS[card]["needs"].items()
    if kind == "sum":
        return str(min(need, sum(n * (f + 1) for f, n in enumerate(aside))))
    if kind == "all":
        return "no" if any(n for f, n in enumerate(aside) if f % 2 == (need == "odd")) else "yes"
    if kind == "straight":
        return "".join(str(f + 1) for f, n in enumerate(aside) if n)
    return " ".join(str(n) for n in sorted(aside, reverse=True) if n)


@cache
def meets(card: int, aside: tuple[int, ...], free: int) -> float:
    """The chance that these dice, kept, and so many rolled for this alone meet a character's requirement. Of more than
    MOST dice the rest are thought not to be rolled."""
    if not free or sum(aside) >= MOST:
        return float(earned(aside, NO_DICE) >> card & 1)
    return _chances()[str(card)][what_counts(card, aside)][min(free, MOST - sum(aside))]


@cache
def hits(free: int, sixths: int) -> tuple[float, ...]:
    """The chance that 0, 1, … of `free` dice show one of `sixths` faces in one roll."""
    p = sixths / 6
    return tuple(comb(free, k) * p**k * (1 - p) ** (free - k) for k in range(free + 1))


def best_kept(card: int, active: tuple[int, ...], aside: tuple[int, ...], at_once: bool) -> float:
    """The chance to meet a requirement with these dice active, when the best of them are kept: at least one, unless the
    others may be rolled `at_once`."""
    (kind,) = CHARACTERS[card]["needs"]
    if kind == "all":  # only which are right matters
        active, aside = _by_parity(active), _by_parity(aside)
    elif kind not in ("sum", "straight"):  # only how many are alike
        active, aside = zip(*sorted(zip(active, aside, strict=True)), strict=True)
    return _best_kept(card, active, aside, at_once)


def _by_parity(dice: tuple[int, ...]) -> tuple[int, ...]:
    """As many odd and as many even ones, each of one face."""
    return sum(dice[::2]), sum(dice[1::2]), 0, 0, 0, 0


@cache
def _best_kept(card: int, active: tuple[int, ...], aside: tuple[int, ...], at_once: bool) -> float:
    dice = sum(active) + sum(aside)
    ways = product(*(range(there, there + n + 1) for there, n in zip(aside, active, strict=True)))
    return max(meets(card, kept, dice - sum(kept)) for kept in ways if at_once or kept != aside)


@cache
def of_a_face(free: int) -> tuple[float, ...]:
    """The chance of ending with 0, 1, … dice of one face, rolling for it to the end."""
    if free == 0:
        return (1.0,)
    found = [0.0] * (free + 1)
    for k, p in enumerate(hits(free, 1)):
        for later, q in enumerate(of_a_face(free - max(k, 1))):
            found[k + later] += p * q
    return tuple(found)


@cache
def biggest_group(dice: int) -> tuple[float, ...]:
    """The chance that the biggest group has 0, 1, … dice at the end, going for the face that came most often in the
    first roll."""
    found = [0.0] * (dice + 1)
    below = 0.0
    for most in range(1, dice + 1):
        upto = _no_group_above(dice, most)
        for later, q in enumerate(of_a_face(dice - most)):
            found[most + later] += (upto - below) * q
        below = upto
    return tuple(found)


def _no_group_above(dice: int, most: int) -> float:
    ways = [1.0] + [0.0] * dice
    for _ in range(6):
        ways = [sum(ways[n - k] / factorial(k) for k in range(min(most, n) + 1)) for n in range(dice + 1)]
    return ways[dice] * factorial(dice) / 6**dice


def shifted(chances: tuple[float, ...], more: float) -> list[float]:
    """The same with `more` hits added, a fraction meaning one more that often; never beyond all dice."""
    found = [0.0] * len(chances)
    whole = int(more)
    for k, p in enumerate(chances):
        low, high = min(k + whole, len(chances) - 1), min(k + whole + 1, len(chances) - 1)
        found[low] += p * (1 - more + whole)
        found[high] += p * (more - whole)
    return found
