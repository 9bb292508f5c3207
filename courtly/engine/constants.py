"""Numbers that rules, engine and programs share."""

MAX_SEATS = 6  # at any table; seats are the bits 0 to 5 of `pending` and of audiences
CHANCE = 1 << MAX_SEATS  # the bit of `pending` that says: a random event is due
NOBODY = -1  # the "seat" of a random event
SPECTATOR = -1  # the "seat" of a spectator; outside of the rules that is None
EVERYONE = -1  # an audience: all seats and the spectators
SILENT = 1 << MAX_SEATS  # added to an audience: the others do not notice that anything happened
POLICY_NOTES_LENGTH = 256  # numbers that a policy may note while it thinks
LANGUAGES = ("en", "ja")  # every game speaks
