"""Hidden fields of which no seat has a correct estimate; see courtly/testing/checks/belief_check.py."""

UNINFERABLE_FIELDS = {
    "changes": "made in silence",
    "choice": "made in silence",
    "answer": "made in silence",
    "known": "what others know",
}
