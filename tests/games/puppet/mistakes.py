"""Mistakes in the rules that reveal what a seat cannot know, or forget what it knows; see
courtly/testing/checks/mutation.py.
"""

MISTAKES = [
    (
        "servants face down are public",
        "table.py",
        "down = i8(SEATS, Servant, most=1, private=True)",
        "down = i8(SEATS, Servant, most=1)",
    ),
    (
        "passed cards are public",
        "table.py",
        "passed = i8(SEATS, Servant, most=1, private=True)",
        "passed = i8(SEATS, Servant, most=1)",
    ),
    (
        "the centre is public",
        "table.py",
        "centre = i8(SEATS, of=Servant, none=0, private=True)",
        "centre = i8(SEATS, of=Servant, none=0)",
    ),
    (
        "tax plans are public",
        "table.py",
        "plan = i8(SEATS, BUILDINGS, of=Plan, private=True)",
        "plan = i8(SEATS, BUILDINGS, of=Plan)",
    ),
    (
        "all see what the Hermit sees",
        "servants.py",
        "    s.known[s.actor][0] = event + 1\n",
        "    for seat in range(s.players):\n        s.known[seat][0] = event + 1\n",
    ),
    (
        "the last decision about taxes is silent",
        "rules.py",
        "return 1 << seat if undecided(s, seat) == 1 else SILENT | 1 << seat",
        "return SILENT | 1 << seat",
    ),
    (
        "passing cards is not declared",
        "rules.py",
        "    if verb == MOVES.keep and s.picked[seat] == 0:",
        "    if verb == MOVES.keep and s.picked[seat] == 5:",
    ),
    (
        "only held servants can be named",
        "servants.py",
        "                if not s.open[servant]:\n",
        "                if not s.open[servant] and s.down[target][servant]:\n",
    ),
    (
        "a true name shows at once",
        "servants.py",
        "    s.mark[kind][Naming.TARGET] = target\n",
        "    s.mark[kind][Naming.TARGET] = target\n    s.fate[target][1] = s.down[target][servant]\n",
    ),
    (
        "the draft depends on who comes first",
        "rules.py",
        "    s.picked[seat] += 1\n",
        "    s.picked[seat] += 1\n    s.first = seat\n",
    ),
    (
        "the wrong neighbour gets the cards",
        "rules.py",
        "    gift = s.passed[right_of(s, seat)]\n",
        "    gift = s.passed[left_of(s, seat)]\n",
    ),
    (
        "determinize peeks at the undealt servants",
        "worlds.py",
        "        s.spare[servant] = 1 if servant < servants_in_use(s) and not s.open[servant] else 0\n",
        "        s.spare[servant] = s.deck[servant]\n"
        "        for other in range(s.players):\n            s.spare[servant] |= s.down[other][servant]\n",
    ),
    (
        "determinize forgets what was received",
        "worlds.py",
        "    return s.hand[me][servant] or s.down[me][servant] or s.passed[me][servant] or s.received[me][servant]",
        "    return s.hand[me][servant] or s.down[me][servant] or s.passed[me][servant]",
    ),
    (
        "determinize forgets who chose from the passed cards",
        "worlds.py",
        "        if s.passed[seat][servant] and is_up(s, left, servant):\n",
        "        if s.passed[seat][servant] and is_up(s, seat, servant):\n",
    ),
    (
        "determinize keeps the true plans",
        "worlds.py",
        "                s.plan[other][building] = 0\n",
        "                s.plan[other][building] = s.plan[other][building]\n",
    ),
]
