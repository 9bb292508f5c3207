"""Public acts that leave nothing to be seen; see `what_is_told_is_seen` in courtly/testing/checks/properties.py."""

TRACELESS = {
    "put": "everybody watches whether the event goes on or under the pile, which nobody may look into",
    "lead": "who has the parent marker may take it again or leave it, which comes to the same",
}
