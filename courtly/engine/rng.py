"""Random numbers.

Simulation draws from Philox2x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011): a counter
run through ten rounds of multiplication under a key. A generator `rng` is a flat row of ints: [position, key, stream,
block, words…]; `seed_generator` sets it. All functions down to `pick_weighted` are in the dialect, and both forms give
the same numbers bit for bit: of a product that reaches 2**63, where Numba's integers overflow, the bits that are taken
are the same.

Live tables draw from `CommittedChance`, an HMAC stream whose secret is committed to before the game and shown after it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import MutableSequence
from typing import Any, Literal, Protocol, get_args

WORD_MASK = 0xFFFFFFFF
PHILOX_MULTIPLIER = 0xD256D193
PHILOX_WEYL = 0x9E3779B9
BLOCK_WORDS = 64  # words made at a time
GENERATOR_SIZE = 4 + BLOCK_WORDS  # ints in a generator
Row = MutableSequence[int]  # interpreted, a list; native, an array
DrawNumbering = Literal["entries", "events"]  # what numbers a live table's draws


def philox(counter: int, stream: int, key: int) -> int:
    """The first of the two 32-bit words that a counter of two words, (counter, stream), has under a key of one."""
    x = counter
    y = stream
    for _ in range(10):
        product = PHILOX_MULTIPLIER * x
        x = (product >> 32 & WORD_MASK) ^ key ^ y
        y = product & WORD_MASK
        key = (key + PHILOX_WEYL) & WORD_MASK
    return x


# Into each compiled caller (loader.py): only there can words be made side by side.
philox.force_inline = True  # type: ignore[attr-defined]  # Python lets a function have any; mypy has no type for it


def _refill_compiled(rng: Row) -> None:
    """The next block of words, side by side in vectors."""
    key = rng[1] & WORD_MASK  # it is below: this tells the compiler
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
    """The same, interpreted: ten times as fast with a block's counters side by side in one long integer."""
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


# The loader (loader.py) takes the other form where it compiles. Python lets a function carry attributes; mypy has no
# type for one that does.
refill.compiled = _refill_compiled  # type: ignore[attr-defined]


def draw_word(rng: Row) -> int:
    """32 random bits."""
    if rng[0] == BLOCK_WORDS:
        refill(rng)
    at = rng[0]
    rng[0] = at + 1
    return rng[4 + at]


def draw_below(rng: Row, n: int) -> int:
    """0 to n - 1. For n far below 2**32, as in any game, the bias cannot be measured."""
    return draw_word(rng) * n >> 32


def seed_generator(rng: Row, number: int, stream: int) -> None:
    """Start a generator: `number` (below 2**63) chooses the sequence, `stream_of` (below 2**32) one of its independent
    parts."""
    rng[0] = BLOCK_WORDS
    rng[1] = philox(number & WORD_MASK, number >> 32, 0)
    rng[2] = (philox(number >> 32, number & WORD_MASK, 1) + stream) & WORD_MASK
    rng[3] = 0


def stream_of(rng: Row, number: int) -> int:
    """Which part of the sequence of a number a generator is."""
    return (rng[2] - philox(number >> 32, number & WORD_MASK, 1)) & WORD_MASK


def pick_weighted(rng: Row, weights: Row, n: int) -> int:
    """An index below n, as likely as its weight."""
    total = 0
    for i in range(n):
        total += weights[i]
    return index_by_weight(weights, n, draw_below(rng, total))


def index_by_weight(weights: Row, n: int, x: int) -> int:
    """Where x, which is below the sum of the weights, lies among them."""
    index = 0
    for i in range(n - 1):  # all of them, without a branch that nobody could foresee
        x -= weights[i]
        index += x >= 0
    return index


def make_generator(number: int, stream: int = 0) -> list[int]:
    """A seeded generator for interpreted code."""
    rng = [0] * GENERATOR_SIZE
    seed_generator(rng, number, stream)
    return rng


class ChanceSource(Protocol):
    """Where a match's random outcomes come from."""

    def choose(self, ply: int, event: int, weights: list[int]) -> int:
        """Return an index, as likely as its weight; the same for the same numbers.

        Args:
            ply: The event's place in the journal, in which moves that were taken back keep theirs.
            event: How many random events there were before. Nobody can take one back.
            weights: Of what may happen.
        """

    def describe(self) -> dict[str, Any]:
        """What a record needs to draw the same again."""


def _index_of_draw(draw: int, weights: list[int]) -> int:
    for i, w in enumerate(weights):
        if draw < w:
            return i
        draw -= w
    raise ValueError("no weights")


class SeededChance:
    """A match's random outcomes from a number: the same seed gives the same game everywhere."""

    def __init__(self, number: int):
        if not 0 <= number < 1 << 63:
            raise ValueError(f"a seed is a whole number from 0 to 2**63 - 1, not {number}")
        self.number = number

    def choose(self, ply: int, event: int, weights: list[int]) -> int:
        low, high = self.number & WORD_MASK, self.number >> 32
        return _index_of_draw(philox(ply, philox(high, low, 2), philox(low, high, 2)) * sum(weights) >> 32, weights)

    def describe(self) -> dict[str, Any]:
        return {"seed": self.number}


class SimulatedChance:
    """A simulated match's random outcomes: the numbers that its generator gave. `game`: which of a seed it is. `moves`:
    moves were drawn from the same numbers, one each; else they are used by random events alone."""

    def __init__(self, number: int, game: int, moves: bool):
        if not 0 <= number < 1 << 63 or not 0 <= game < 1 << 63:
            raise ValueError(f"a seed and a game are whole numbers from 0 to 2**63 - 1, not {number} and {game}")
        self.number, self.game, self.moves = number, game, bool(moves)
        self._key = philox(number & WORD_MASK, number >> 32, 0)
        self._stream = (philox(number >> 32, number & WORD_MASK, 1) + game) & WORD_MASK

    def below(self, place: int, n: int) -> int:
        """0 to n - 1, as `draw_below` of the generator gives it when it has given so many numbers."""
        return philox(place & WORD_MASK, self._stream, self._key) * n >> 32

    def choose(self, ply: int, event: int, weights: list[int]) -> int:
        return _index_of_draw(self.below(ply if self.moves else event, sum(weights)), weights)

    def describe(self) -> dict[str, Any]:
        return {"seed": self.number, "game": self.game, "moves": self.moves}


class CommittedChance:
    """A live table's random outcomes, which anyone can verify afterwards.

    The server commits to `secret` by its SHA-256 before the seats give their nonces, so neither side can steer the
    dice. Outcome number n, from 0: HMAC-SHA-256(secret, "table|nonces joined by ,|n|try"), its first 8 bytes as a
    number; tries count up until that is below the largest multiple of the weights' sum (rejection sampling); the number
    modulo the sum chooses.

    `counted`: n is the number of the event, or, at tables begun by older versions, its place in the journal. By that, a
    player who knows the secret can choose a draw by making moves and taking them back.
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
        """The hash that is published when the table opens, in hexadecimal."""
        return hashlib.sha256(secret).hexdigest()

    def place(self, ply: int, event: int) -> int:
        """Return the number that an event is drawn by."""
        return event if self.counted == "events" else ply

    def choose(self, ply: int, event: int, weights: list[int]) -> int:
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
        return {
            "commitment": self.commitment(self.secret),
            "secret": self.secret.hex(),
            "table": self.table,
            "nonces": self.nonces,
            **({} if self.counted == "entries" else {"counted": self.counted}),
        }
