"""Hidden fields of which no seat has a correct estimate; see courtly/testing/checks/belief_check.py."""

UNSEEN = {"drawn": "knowledge of other players"}
