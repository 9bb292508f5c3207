"""Driver for the facts of a single position."""

from courtly.engine.rules_interface import facts

ENTRY_POINTS = ("find_facts",)


def find_facts(states, seat, out, moves):
    """Write the facts that follow from states[0], which shows what a seat sees, to `out`, in which nothing is set.

    `seat` is NOBODY for spectators; `moves` is a row to work with. The state may be changed."""
    facts(states[0], seat, out, moves)
