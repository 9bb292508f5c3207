"""Random values of a table: its id, its secret and the players' nonces.

With COURTLY_PREDICTABLE, which is for tests only, a request that opens a table may name a seed in a header. All values
follow from the seed, so a test plays the same game every time, independent of other tests. A player who knows the seed
knows every card.
"""

from __future__ import annotations

import secrets
from collections import Counter
from hashlib import sha256

from courtly.server.security.signed_tokens import new_table_id, random_table_id

SEED_HEADER = "courtly-secret"
DETERMINISTIC_WARNING = (
    "COURTLY_PREDICTABLE is set: clients can choose and predict what is dealt; use it for tests only"
)


class TableSeeds:
    """Ids and secrets of new tables."""

    def __init__(self, predictable: bool):
        self.predictable = predictable
        self._opened: Counter[str] = Counter()  # seed -> number of tables opened with it

    def table(self, name: str | None) -> tuple[str, str]:
        """Return id and secret of a new table. `name` is the seed of the request, if any."""
        if not self.predictable or name is None:
            return new_table_id(), secrets.token_hex(32)
        self._opened[name] += 1
        secret = sha256(f"{name} {self._opened[name]}".encode()).digest()
        return random_table_id(sha256(secret).digest()), secret.hex()

    @staticmethod
    def secret() -> str:
        """Return a new random secret for a waiting table.

        It need not be predictable: predictable tables ignore numbers, so their secret is never replaced.
        """
        return secrets.token_hex(32)

    def nonce(self, given: str) -> str:
        """Return a player's nonce; empty at predictable tables, which ignore nonces."""
        return "" if self.predictable else given

    def pledge(self, given: str | None) -> str | None:
        """Return a player's pledge; None at predictable tables, which ignore numbers."""
        return None if self.predictable else given
