"""Rules with one mistake each: its description, the file, the original text, and its replacement."""

MISTAKES = [
    (
        "hands are public",
        "table.py",
        "hand = i8(SEATS, Rank, most=COPIES, private=True)",
        "hand = i8(SEATS, Rank, most=COPIES)",
    ),
    (
        "cards given in secret are public",
        "table.py",
        "secret = i8(SEATS, Rank, most=COPIES, private=True)",
        "secret = i8(SEATS, Rank, most=COPIES)",
    ),
    (
        "all seats see which card is given in secret",
        "worlds.py",
        "return 1 << seat if VERB[move] == MOVES.hide else EVERYONE",
        "return EVERYONE",
    ),
    (
        "the next player sees a card that is drawn",
        "worlds.py",
        "return 1 << s.seat\n",
        "return 1 << (s.seat + 1) % s.players\n",
    ),
    (
        "the last card shows the secrets without a declaration",
        "worlds.py",
        "return EVERYONE if cards == 1 else 0",
        "return 0",
    ),
    (
        "determinize deals from the real deck",
        "worlds.py",
        "s.pool[rank] = COPIES - s.gone[rank]",
        "s.pool[rank] = s.deck[rank]",
    ),
]
