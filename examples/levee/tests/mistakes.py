"""Rules with one mistake put in: what is wrong, in which file, what stands there, what is put in its place."""

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
        "a die is told to the next player",
        "worlds.py",
        "return 1 << X[move] if",
        "return 1 << (X[move] + 1) % s.players if",
    ),
    ("all are told what is bid", "worlds.py", "        return 1 << seat\n", "        return EVERYONE\n"),
    ("in another world no die shows a six", "worlds.py", "below(rng, SIDES)", "below(rng, SIDES - 1)"),
    ("who bids four dice ends the bidding", "rules.py", "if s.pending == 0:", "if s.pending == 0 or s.bid[seat] == 4:"),
    (
        "who decides last shows first",
        "rules.py",
        "s.seat = 0\n        s.phase = Phase.SHOWING",
        "s.seat = seat\n        s.phase = Phase.SHOWING",
    ),
    (
        "in another world all dice of the others show what they bid",
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
