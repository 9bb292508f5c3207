from tiny_court.rules import WORTH


def check(s):
    held = [courtier - 1 for courtier in s.courtier[: s.players] if courtier]
    left = [courtier for courtier, is_left in enumerate(s.rest) if is_left]
    assert sorted(held + left) == [0, 1, 2], "every courtier is in one place"
    assert sum(s.score) <= s.offered * max(WORTH)
