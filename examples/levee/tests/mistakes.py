"""Rules with one mistake each: its description, the file, the original text, and its replacement."""

MISTAKES = [
    (
        "all see the dice behind the screens",
        "table.py",
        "behind = i8(SEATS, FACES, most=DICE, private=True)",
        "behind = i8(SEATS, FACES, most=DICE)",
    ),
    (
        "all see how many dice are bid",
        "table.py",
        "bid = i8(SEATS, most=DICE, private=True)",
        "bid = i8(SEATS, most=DICE)",
    ),
    (
        "the next player sees a die that is rolled",
        "worlds.py",
        "return 1 << X[move] if",
        "return 1 << (X[move] + 1) % s.players if",
    ),
    ("all seats see each bid", "worlds.py", "        return 1 << seat\n", "        return EVERYONE\n"),
    ("no die shows a six in a world", "worlds.py", "below(rng, SIDES)", "below(rng, SIDES - 1)"),
    ("a bid of four dice ends the bidding", "rules.py", "if s.pending == 0:", "if s.pending == 0 or s.bid[seat] == 4:"),
    (
        "the last seat to decide shows first",
        "rules.py",
        "s.seat = 0\n        s.phase = Phase.SHOWING",
        "s.seat = seat\n        s.phase = Phase.SHOWING",
    ),
    (
        "all dice of the others show their bid's face in a world",
        "worlds.py",
        "s.behind[other][draw_below(rng, SIDES)] += 1",
        "s.behind[other][s.bid_face[other]] += 1",
    ),
    (
        "dice that lost are not rolled again",
        "rules.py",
        "s.due[seat] = s.number[seat]",
        "s.count[seat] += s.number[seat]",
    ),
]
