"""What a game's policy works out of a decision, where nothing need be tried: a driver
(courtly.engine.native.loader)."""

from courtly.engine.rules_interface import legal, solve

ENTRY_POINTS = ("solve_decision",)


def solve_decision(s, seat, moves, out, notes):
    """The legal moves, each one's worth, and behind these each seat's chance to win. Returns how many moves there
    are."""
    n = legal(s, seat, moves)
    if n > 0:
        solve(s, seat, moves, n, out, notes)
    return n
