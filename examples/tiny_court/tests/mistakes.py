"""Rules with one mistake put in: what is wrong, in which file, what stands there, what is put in its place."""

MISTAKES = [
    (
        "all see the courtiers",
        "rules.py",
        "courtier = i8(SEATS, of=Courtier, none=0, private=True)",
        "courtier = i8(SEATS, of=Courtier, none=0)",
    ),
    (
        "all see the bids",
        "rules.py",
        "bid = i8(SEATS, of=COINS, none=0, private=True)",
        "bid = i8(SEATS, of=COINS, none=0)",
    ),
    ("a courtier is told to everybody", "rules.py", "        return 1 << s.dealt\n", "        return EVERYONE\n"),
    ("nobody says that the last bid shows all", "rules.py", "s.pending == 1 << seat else 0", "s.pending == 0 else 0"),
    (
        "another world has two lords",
        "rules.py",
        "            s.rest[courtier] = 0\n            s.courtier[other]",
        "            s.courtier[other]",
    ),
    ("who bids two coins ends the bidding", "rules.py", "if s.pending == 0:", "if s.pending == 0 or s.bid[seat] == 3:"),
]
