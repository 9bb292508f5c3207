"""Public moves that leave no trace in a view; see `check_cues_are_visible` in courtly/testing/checks/properties.py."""

TRACELESS_MOVES = {
    "put": "all players see whether the event goes on top of or below the pile, whose order is hidden",
    "lead": "the player with the parent marker may take it again or leave it, with the same result",
}
