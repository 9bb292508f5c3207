"""The standard test suite for games. A subclass of `GameTests` runs it on an installed game:

    from courtly.testing import GameTests

    class TestTricks(GameTests):
        game = "tricks"

It needs `courtly[testing]`. `courtly check GAME` runs the same tests.
"""

import pytest

pytest.register_assert_rewrite(
    *(
        f"courtly.testing.{name}"
        for name in (
            "game_tests",
            *(
                f"checks.{check}"
                for check in (
                    "properties",
                    "noninterference",
                    "belief_check",
                    "native_equivalence",
                    "sanitized_equivalence",
                    "observation_checks",
                )
            ),
        )
    )
)

# Not at the top: pytest rewrites asserts only in modules that are imported after the call above.
from courtly.testing.game_tests import GameTests  # noqa: E402

__all__ = ["GameTests"]
