"""Constants that rules, engine and programs share."""

MAX_SEATS = 6  # the most seats of a table; seats are bits 0 to 5 of `pending` and of audiences
CHANCE = 1 << MAX_SEATS  # the value of `pending` when a random event is due
NOBODY = -1  # the seat of a random event
SPECTATOR = -1  # the seat of a spectator in the rules; elsewhere None stands for spectators
EVERYONE = -1  # the audience of all seats and all spectators
SILENT = 1 << MAX_SEATS  # added to an audience: the others receive no cue at all
POLICY_NOTES_LENGTH = 256  # length of the row in which a policy can store intermediate numbers
LANGUAGES = ("en", "ja")  # the languages in which each game has texts
