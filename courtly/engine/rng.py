"""Random numbers.

Simulations draw from Philox2x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011): a counter
passes through ten rounds of multiplication under a key. A generator `rng` is a flat row of ints: [position, key,
stream, block, words…]; `seed_generator` initializes it. On a graphics card, where memory is scarce, a generator is its
first GENERATOR_HEAD ints, and each word is computed when it is drawn. The functions down to `pick_weighted` are written
in the dialect. Interpreted and compiled, they give the same numbers bit for bit: a product may exceed 2**63 and wrap
around in machine code, but the bits that are used stay the same.

Live tables draw from `CommittedChance`, an HMAC stream. The server publishes the hash of its secret before the game,
and the secret after it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import MutableSequence
from itertools import pairwise
from typing import Any, Literal, Protocol, get_args

WORD_MASK = 0xFFFFFFFF
PHILOX_MULTIPLIER = 0xD256D193
PHILOX_WEYL = 0x9E3779B9
BLOCK_WORDS = 64  # words generated at a time
GENERATOR_HEAD = 4  # ints of a generator before its words
GENERATOR_SIZE = GENERATOR_HEAD + BLOCK_WORDS  # number of ints in a generator
Row = MutableSequence[int]  # a list in interpreted code, an array in native code
DrawNumbering = Literal["entries", "events"]  # how the draws of a live table are numbered


def philox(counter: int, stream: int, key: int) -> int:
    """Return the first of the two 32-bit words that Philox computes from a counter (counter, stream) and a one-word
    key."""
    x = counter
    y = stream
    for _ in range(10):
        product = PHILOX_MULTIPLIER * x
        x = (product >> 32 & WORD_MASK) ^ key ^ y
        y = product & WORD_MASK
        key = (key + PHILOX_WEYL) & WORD_MASK
    return x


# In each compiled caller: otherwise the compiler cannot vectorize the loop over words.
vars(philox)["inline"] = True


def _refill_compiled(rng: Row) -> None:
    """Compute the next block of words, several at a time in vector registers."""
    key = rng[1] & WORD_MASK  # it is already below 2**32; the mask tells the compiler
    stream = rng[2] & WORD_MASK
    start = rng[3]
    for i in range(BLOCK_WORDS):
        rng[4 + i] = philox((start + i) & WORD_MASK, stream, key)
    rng[3] = (start + BLOCK_WORDS) & WORD_MASK
    rng[0] = 0


_LANES = sum(1 << 64 * i for i in range(BLOCK_WORDS))
_LOW = _LANES * WORD_MASK
_STEPS = sum(i << 64 * i for i in range(BLOCK_WORDS))


def refill(rng: Row) -> None:
    """Compute the next block of words, interpreted: ten times as fast with all counters of a block in one long
    integer."""
    start = rng[3]
    x = ((start * _LANES) + _STEPS) & _LOW
    y = rng[2] * _LANES
    key = rng[1]
    for _ in range(10):
        product = x * PHILOX_MULTIPLIER
        x = ((product >> 32) & _LOW) ^ (key * _LANES) ^ y
        y = product & _LOW
        key = (key + PHILOX_WEYL) & WORD_MASK
    rng[4:] = memoryview(x.to_bytes(8 * BLOCK_WORDS, "little")).cast("Q").tolist()
    rng[3] = (start + BLOCK_WORDS) & WORD_MASK
    rng[0] = 0


vars(_refill_compiled)["inline"] = False  # so that draws are short
vars(refill)["compiled"] = _refill_compiled  # the compiler uses this form instead


def draw_word(rng: Row) -> int:
    """Return 32 random bits."""
    if rng[0] == BLOCK_WORDS:
        refill(rng)
    at = rng[0]
    rng[0] = at + 1
    return rng[4 + at]


def _draw_word_alone(rng: Row) -> int:
    """Return 32 random bits, the same as `draw_word`, from a generator without words."""
    at = rng[3]
    rng[3] = (at + 1) & WORD_MASK
    return philox(at, rng[2] & WORD_MASK, rng[1] & WORD_MASK)


vars(draw_word)["inline"] = True
vars(draw_word)["gpu"] = _draw_word_alone  # the compiler uses this form for graphics cards


def draw_below(rng: Row, n: int) -> int:
    """Return a random number from 0 to n - 1. For n far below 2**32, as in any game, the bias is not measurable."""
    return draw_word(rng) * n >> 32


vars(draw_below)["inline"] = True


def seed_generator(rng: Row, number: int, stream: int) -> None:
    """Initialize a generator.

    Args:
        rng: The generator, a row of GENERATOR_SIZE ints.
        number: The seed, from 0 to 2**63 - 1.
        stream: Which of the independent streams of this seed, from 0 to 2**32 - 1.
    """
    rng[0] = BLOCK_WORDS
    rng[1] = philox(number & WORD_MASK, number >> 32, 0)
    rng[2] = (philox(number >> 32, number & WORD_MASK, 1) + stream) & WORD_MASK
    rng[3] = 0


def stream_of(rng: Row, number: int) -> int:
    """Return the stream of a generator that was initialized with this seed (`number`)."""
    return (rng[2] - philox(number >> 32, number & WORD_MASK, 1)) & WORD_MASK


def pick_weighted(rng: Row, weights: Row, n: int) -> int:
    """Return an index below n, with a probability proportional to its weight."""
    total = 0
    for i in range(n):
        total += weights[i]
    return index_by_weight(weights, n, draw_below(rng, total))


def index_by_weight(weights: Row, n: int, x: int) -> int:
    """Return the index whose weight covers x, a number below the sum of the n weights."""
    index = 0
    for i in range(n - 1):  # visit all of them: without a branch that depends on chance
        x -= weights[i]
        index += x >= 0
    return index


def make_generator(number: int, stream: int = 0) -> list[int]:
    """Return a random generator (Philox2x32-10, see above) for positions that are played in Python.

    Args:
        number: The seed.
        stream: Generators of one seed and different streams are independent, such as one for each seat.

    Returns:
        The generator's state, which `Position.happen` and other functions that take an `rng` advance.
    """
    rng = [0] * GENERATOR_SIZE
    seed_generator(rng, number, stream)
    return rng


class ChanceSource(Protocol):
    """A source of a match's random outcomes: SeededChance, SimulatedChance, CommittedChance or SuccessiveChance."""

    def choose(self, ply: int, event: int, weights: list[int]) -> int:
        """Return an index, chosen with a probability proportional to its weight; the same for the same arguments.

        Args:
            ply: The event's place in the journal, which also counts moves that were taken back.
            event: How many random events came before. No undo changes this number.
            weights: The weights of the possible outcomes.
        """

    def describe(self) -> dict[str, Any]:
        """Return the parameters from which a record can repeat the draws, as JSON."""


def _index_of_draw(draw: int, weights: list[int]) -> int:
    for i, w in enumerate(weights):
        if draw < w:
            return i
        draw -= w
    raise ValueError("cannot draw: the weights are all 0")


class SeededChance:
    """Random outcomes of a match, computed from a seed: the same seed gives the same game on every machine."""

    def __init__(self, number: int):
        if not 0 <= number < 1 << 63:
            raise ValueError(f"a seed is a whole number from 0 to 2**63 - 1, not {number}")
        self.number = number

    def choose(self, ply: int, event: int, weights: list[int]) -> int:
        """Return an index, as `ChanceSource.choose` does."""
        low, high = self.number & WORD_MASK, self.number >> 32
        return _index_of_draw(philox(ply, philox(high, low, 2), philox(low, high, 2)) * sum(weights) >> 32, weights)

    def describe(self) -> dict[str, Any]:
        """Return the seed."""
        return {"seed": self.number}


class SimulatedChance:
    """The random outcomes of a simulated match, as its generator gave them.

    Attributes:
        number: The seed of the simulation.
        game: The number of the game in the simulation, which is its stream.
        moves: True if the same generator also chose the moves, one number each; False if it only served random events.
    """

    def __init__(self, number: int, game: int, moves: bool):
        if not 0 <= number < 1 << 63 or not 0 <= game < 1 << 63:
            raise ValueError(f"a seed and a game are whole numbers from 0 to 2**63 - 1, not {number} and {game}")
        self.number, self.game, self.moves = number, game, bool(moves)
        self._key = philox(number & WORD_MASK, number >> 32, 0)
        self._stream = (philox(number >> 32, number & WORD_MASK, 1) + game) & WORD_MASK

    def below(self, place: int, n: int) -> int:
        """Return 0 to n - 1, as `draw_below` of the generator gives it after `place` other numbers."""
        return philox(place & WORD_MASK, self._stream, self._key) * n >> 32

    def choose(self, ply: int, event: int, weights: list[int]) -> int:
        """Return an index, as `ChanceSource.choose` does."""
        return _index_of_draw(self.below(ply if self.moves else event, sum(weights)), weights)

    def describe(self) -> dict[str, Any]:
        """Return the seed, the number of the game, and whether moves were drawn too."""
        return {"seed": self.number, "game": self.game, "moves": self.moves}


class CommittedChance:
    """Random outcomes of a live table, which anyone can verify after the game.

    The server publishes the SHA-256 of `secret` before the seats send their nonces, so neither side can choose the
    outcomes. Outcome number n, from 0, is computed from HMAC-SHA-256(secret, "table|nonces joined by ,|n|try"). Its
    first 8 bytes are a number. `try` counts up until that number is below the largest multiple of the sum of the
    weights (rejection sampling). The number modulo the sum selects the outcome.

    `counted` says what n counts: random events, or (at tables opened by older versions) entries of the journal. With
    "entries", a player who knows the secret could select a draw by making moves and taking them back.
    """

    def __init__(self, secret: bytes, table: str, nonces: list[str], counted: DrawNumbering = "events"):
        if counted not in get_args(DrawNumbering):
            raise ValueError(f"draws are counted by events or entries, not by {counted!r}")
        self.secret = secret
        self.table = table
        self.nonces = nonces
        self.counted = counted

    @staticmethod
    def commitment(secret: bytes) -> str:
        """Return the hash that the server publishes when the table opens, in hexadecimal."""
        return hashlib.sha256(secret).hexdigest()

    def place(self, ply: int, event: int) -> int:
        """Return the number of the draw for an event, as `counted` says."""
        return event if self.counted == "events" else ply

    def choose(self, ply: int, event: int, weights: list[int]) -> int:
        """Return an index, as `ChanceSource.choose` does."""
        total = sum(weights)
        bound = (1 << 64) - (1 << 64) % total
        place = self.place(ply, event)
        attempt = 0
        while True:
            message = f"{self.table}|{','.join(self.nonces)}|{place}|{attempt}".encode()
            number = int.from_bytes(hmac.digest(self.secret, message, "sha256")[:8], "big")
            if number < bound:
                return _index_of_draw(number % total, weights)
            attempt += 1

    def describe(self) -> dict[str, Any]:
        """Return the commitment, the secret, the table, the nonces and, unless it is "entries", what numbers the
        draws."""
        return {
            "commitment": self.commitment(self.secret),
            "secret": self.secret.hex(),
            "table": self.table,
            "nonces": self.nonces,
            **({} if self.counted == "entries" else {"counted": self.counted}),
        }


class SuccessiveChance:
    """Several sources, one after the other: the chance of a game that was played on from a position of another game.
    From there on, its outcomes are not those that followed in the other game.

    Attributes:
        parts: Each source with the ply from which it gives the outcomes, in order; the first from 0.
    """

    def __init__(self, parts: list[tuple[int, ChanceSource]]):
        plies = [ply for ply, _ in parts]
        if plies[:1] != [0] or any(after <= before for before, after in pairwise(plies)):
            raise ValueError(f"the first source is from 0, each other one from a later entry, not from {plies}")
        self.parts = parts

    def choose(self, ply: int, event: int, weights: list[int]) -> int:
        """Return an index, as `ChanceSource.choose` of the part in which the event is."""
        source = next(source for first, source in reversed(self.parts) if first <= ply)
        return source.choose(ply, event, weights)

    def describe(self) -> dict[str, Any]:
        """Return the parameters of each source, with `from` in all but the first."""
        return {"sources": [{**({"from": ply} if ply else {}), **source.describe()} for ply, source in self.parts]}
