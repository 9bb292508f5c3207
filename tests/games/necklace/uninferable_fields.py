"""Hidden fields of which no seat has a correct estimate; see courtly/testing/checks/belief_check.py."""

UNINFERABLE_FIELDS = {
    "tray": "chosen in silence",
    "restarts": "chosen in silence",
    "known": "what others know",
    "loot": "what others know",
    "looked": "what others know",
}
