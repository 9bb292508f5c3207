"""Rules with one mistake put in: what is wrong, in which file, what stands there, what is put in its place."""

MISTAKES = [
    (
        "hands are public",
        "table.py",
        "hand = i8(SEATS, Rank, most=COPIES, private=True)",
        "hand = i8(SEATS, Rank, most=COPIES)",
    ),
    (
        "what is given in secret lies there for all",
        "table.py",
        "secret = i8(SEATS, Rank, most=COPIES, private=True)",
        "secret = i8(SEATS, Rank, most=COPIES)",
    ),
    (
        "all are told which card is given in secret",
        "worlds.py",
        "return 1 << seat if VERB[move] == MOVES.hide else EVERYONE",
        "return EVERYONE",
    ),
    (
        "a card drawn is told to the next player",
        "worlds.py",
        "return 1 << s.seat\n",
        "return 1 << (s.seat + 1) % s.players\n",
    ),
    ("the last card shows the secrets, undeclared", "worlds.py", "return EVERYONE if cards == 1 else 0", "return 0"),
    (
        "another world is dealt from the real deck",
        "worlds.py",
        "s.pool[rank] = COPIES - s.gone[rank]",
        "s.pool[rank] = s.deck[rank]",
    ),
]
