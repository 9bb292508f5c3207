"""Rules with one mistake each: its description, the file, the original text, and its replacement."""

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
    (
        "all seats see each courtier that is dealt",
        "rules.py",
        "        return 1 << s.dealt\n",
        "        return EVERYONE\n",
    ),
    (
        "the last bid shows all bids without a declaration",
        "rules.py",
        "s.pending == 1 << seat else 0",
        "s.pending == 0 else 0",
    ),
    (
        "a world may have two lords",
        "rules.py",
        "            s.rest[courtier] = 0\n            s.courtier[other]",
        "            s.courtier[other]",
    ),
    ("a bid of two coins ends the bidding", "rules.py", "if s.pending == 0:", "if s.pending == 0 or s.bid[seat] == 3:"),
]
