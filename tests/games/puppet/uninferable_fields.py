"""Hidden fields of which no seat has a correct estimate; see courtly/testing/checks/belief_check.py."""

UNINFERABLE_FIELDS = {"plan": "made in silence", "possible": "what others know"}
