"""Driver for games whose policy computes decisions exactly instead of searching (courtly.engine.native.loader)."""

from courtly.engine.rules_interface import legal, solve

ENTRY_POINTS = ("solve_decision",)


def solve_decision(s, seat, moves, out, notes):
    """List the legal moves, and write each one's value and, behind these, each seat's chance to win to `out`. Returns
    the number of moves."""
    n = legal(s, seat, moves)
    if n > 0:
        solve(s, seat, moves, n, out, notes)
    return n
