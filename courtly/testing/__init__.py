"""Tests for games. One class asks of an installed game all that is asked of every game:

    from courtly.testing import GameTests

    class TestTricks(GameTests):
        game = "tricks"

It needs `courtly[testing]`.
"""

import pytest

pytest.register_assert_rewrite(
    *(f"courtly.testing.{name}" for name in ("suite", "properties", "twins", "posterior", "forms", "bounded"))
)

from courtly.testing.suite import GameTests  # noqa: E402, asserts tell more once they are rewritten

__all__ = ["GameTests"]
