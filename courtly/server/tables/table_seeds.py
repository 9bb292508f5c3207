"""What nobody can foresee about a table: its id, its secret, the players' nonces. Unless the house is told to be
predictable: for tests.

Such a house lets the request that opens a table name, in a header, what the table takes all this from, so that a test
plays the same game every time, whichever tests ran before it. Whoever knows the name knows every card.
"""

from __future__ import annotations

import secrets
from collections import Counter
from hashlib import sha256

from courtly.server.security.signed_tokens import new_table_id, random_table_id

SEED_HEADER = "courtly-secret"
DETERMINISTIC_WARNING = "COURTLY_PREDICTABLE is set: what is dealt at these tables can be foreseen. Only for tests."


class TableSeeds:
    """Ids and secrets of new tables."""

    def __init__(self, predictable: bool):
        self.predictable = predictable
        self._opened: Counter[str] = Counter()  # how many tables each name has opened

    def table(self, name: str | None) -> tuple[str, str]:
        """A new table's id and secret."""
        if not self.predictable or name is None:
            return new_table_id(), secrets.token_hex(32)
        self._opened[name] += 1
        secret = sha256(f"{name} {self._opened[name]}".encode()).digest()
        return random_table_id(sha256(secret).digest()), secret.hex()

    @staticmethod
    def secret() -> str:
        """A new secret for a table that waits. Never predictable: where numbers do not count none is replaced."""
        return secrets.token_hex(32)

    def nonce(self, given: str) -> str:
        """A player's part in chance, as it counts."""
        return "" if self.predictable else given

    def pledge(self, given: str | None) -> str | None:
        """Return the fingerprint of a player's number, or None if numbers do not count here."""
        return None if self.predictable else given
