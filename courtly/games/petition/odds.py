"""What dice are likely to become, for the bot: tables of chances, worked out when first asked for and then remembered.

In all of them some dice are still free, and after each roll at least one must be kept: what helps is kept, else one die
is lost.
"""

from functools import cache
from math import comb, factorial


@cache
def hits(free: int, sixths: int) -> tuple[float, ...]:
    """The chance that 0, 1, … of `free` dice show one of `sixths` faces in one roll."""
    p = sixths / 6
    return tuple(comb(free, k) * p**k * (1 - p) ** (free - k) for k in range(free + 1))


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
def sums(free: int) -> tuple[float, ...]:
    """The chance that the sum is 0, 1, …, keeping every 5 and 6, or else the highest die."""
    if free == 0:
        return (1.0,)
    found = [0.0] * (6 * free + 1)
    for k, p in enumerate(hits(free, 2)):
        if k:
            for sixes in range(k + 1):
                _add(found, 5 * k + sixes, p * comb(k, sixes) / 2**k, sums(free - k))
        else:
            for high in range(1, 5):
                _add(found, high, p * ((high / 4) ** free - ((high - 1) / 4) ** free), sums(free - 1))
    return tuple(found)


def _add(found: list[float], at: int, p: float, later: tuple[float, ...]) -> None:
    for more, q in enumerate(later):
        found[at + more] += p * q


@cache
def sum_of(free: int, need: int) -> float:
    """The chance of a sum of at least `need`."""
    return 1.0 if need <= 0 else sum(sums(free)[need:])


@cache
def all_alike(free: int) -> float:
    """The chance that all dice become odd (or all even)."""
    return 1.0 if free == 0 else sum(p * all_alike(free - k) for k, p in enumerate(hits(free, 3)) if k)


@cache
def collect(needs: tuple[int, ...], free: int) -> float:
    """The chance of getting so many dice of each of certain different faces. `needs` is sorted and has no 0."""
    if not needs:
        return 1.0
    if sum(needs) > free:
        return 0.0
    total = 0.0
    for found, p in _falls(len(needs), 6, free, max(needs)):
        left = [max(need - k, 0) for need, k in zip(needs, found, strict=True)]
        kept = sum(needs) - sum(left)
        total += p * collect(tuple(sorted(n for n in left if n)), free - max(kept, 1))
    return total


@cache
def _falls(faces: int, of: int, free: int, cap: int) -> tuple[tuple[tuple[int, ...], float], ...]:
    """How many dice may show each of some faces, out of `of` that they can show, and how likely that is. More than
    `cap` count as `cap`."""
    if faces == 0:
        return (((), 1.0),)
    found: dict[tuple[int, ...], float] = {}
    for n in range(free + 1):
        p = comb(free, n) * (1 / of) ** n * (1 - 1 / of) ** (free - n)
        for others, q in _falls(faces - 1, of - 1, free - n, cap):
            key = (min(n, cap), *others)
            found[key] = found.get(key, 0.0) + p * q
    return tuple(found.items())


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
