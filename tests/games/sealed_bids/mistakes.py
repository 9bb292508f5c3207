"""Mistakes in the rules that leak a secret; see courtly/testing/checks/mutation.py."""

MISTAKES = [
    ("hands are public", "rules.py", "hand = i8(SEATS, Card, most=3, private=True)", "hand = i8(SEATS, Card, most=3)"),
    (
        "what others plan is public",
        "rules.py",
        "choice = i8(SEATS, of=Card, none=0, private=True)",
        "choice = i8(SEATS, of=Card, none=0)",
    ),
    (
        "a choice in secret moves a public number",
        "rules.py",
        "        s.choice[seat] = x + 1\n",
        "        s.choice[seat] = x + 1\n        s.prize += 1\n",
    ),
    (
        "the last to be ready reveals, undeclared",
        "rules.py",
        "    if (verb == MOVES.ready or verb == MOVES.answer) and s.pending == 1 << seat:",
        "    if verb == MOVES.answer and s.pending == 1 << seat:",
    ),
    (
        "all players see the card that was looked at",
        "rules.py",
        "        note_card(s.known, s.first, s.target, x)\n",
        "        for seat in range(s.players):\n            note_card(s.known, seat, s.target, x)\n",
    ),
    (
        "determinize peeks at the deck",
        "rules.py",
        "        s.spare[card] = COPIES[card] - s.gone[card]\n",
        "        s.spare[card] = s.deck[card]\n",
    ),
    (
        "determinize forgets what was seen",
        "rules.py",
        "known = s.known[seat][other][card] if seat != SPECTATOR else 0",
        "known = 0",
    ),
    (
        "what is legal depends on another hand",
        "rules.py",
        "            if s.hand[seat][card] and s.choice[seat]",
        "            if s.hand[seat][card] and not s.hand[(seat + 1) % s.players][card] and s.choice[seat]",
    ),
    (
        "secret choices do not commute",
        "rules.py",
        "        s.answer[seat] = x + 1\n",
        "        s.answer[seat] = x + 1\n        s.first = seat\n",
    ),
    (
        "the dealt card is shown",
        "rules.py",
        "    if s.size[s.target] == HAND:",
        "    s.prize = card\n    if s.size[s.target] == HAND:",
    ),
]

RARE = [
    (
        "the window opens for holders only",
        "rules.py",
        "        s.phase = Phase.ANSWER\n        s.pending = everyone(s)\n",
        "        s.phase = Phase.ANSWER\n        s.pending = 0\n"
        "        for seat in range(s.players):\n            if s.hand[seat][0]:\n"
        "                s.pending |= 1 << seat\n        if s.pending == 0:\n            settle(s)\n",
    )
]
