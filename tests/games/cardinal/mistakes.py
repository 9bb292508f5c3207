"""Mistakes in the rules that leak a card or break a rule; see courtly/testing/checks/mutation.py."""

MISTAKES = [
    (
        "hands are public",
        "table.py",
        "hand = i8(SEATS, TYPES, most=HAND, private=True)",
        "hand = i8(SEATS, TYPES, most=HAND)",
    ),
    (
        "the deck is public",
        "table.py",
        "deck = i8(TYPES, most=max(COUNT), secret=True)",
        "deck = i8(TYPES, most=max(COUNT))",
    ),
    (
        "what was drawn is public",
        "table.py",
        "drawn = i8(SEATS, TYPES, most=max(COUNT), private=True)",
        "drawn = i8(SEATS, TYPES, most=max(COUNT))",
    ),
    (
        "the next player draws from another's hand",
        "rules.py",
        "    s.hand[s.refilling][colour] += 1\n",
        "    s.hand[(s.refilling + 1) % s.players][colour] += 1\n",
    ),
    (
        "cards that all saw taken are forgotten when one is played",
        "worlds.py",
        "        s.shown[seat][colour] -= 1\n",
        "        s.shown[seat][colour] += 0\n",
    ),
    (
        "determinize looks into the deck",
        "worlds.py",
        "        s.deck[colour] = s.rest[colour]\n",
        "        s.rest[colour] += 0\n",
    ),
    (
        "determinize forgets what was seen taken",
        "worlds.py",
        "                s.hand[other][colour] = s.shown[other][colour]\n",
        "                s.hand[other][colour] = 0\n",
    ),
    (
        "determinize forgets what this player drew",
        "worlds.py",
        "            s.deck[colour] -= s.drawn[seat][colour]\n",
        "            s.deck[colour] -= 0\n",
    ),
    (
        "a draw after the reshuffle is not counted",
        "worlds.py",
        "    s.fresh[seat] += 1\n",
        "    s.fresh[seat] += s.exhaustions == 0\n",
    ),
    (
        "what was laid in doubt is forgotten",
        "worlds.py",
        "        remember(s, seat, colour + 1)\n",
        "        s.events += 0\n",
    ),
    (
        "what is legal depends on the next player's hand",
        "rules.py",
        "    if c:\n        moves[n] = MOVES.discard + a * all_one + b * one + c\n",
        "    if c and s.hand[(seat + 1) % s.players][0]:\n"
        "        moves[n] = MOVES.discard + a * all_one + b * one + c\n",
    ),
    (
        "the turned-up card depends on a hand",
        "rules.py",
        "    s.open[at] = colour + 1\n",
        "    s.open[at] = colour + 1\n    s.country = s.hand[0][0]\n",
    ),
    (
        "the cap is not kept",
        "payment.py",
        "cardinal = (cardinals > 0) & (standing < top)",
        "cardinal = (cardinals > 0) & (standing <= top)",
    ),
    (
        "a cap that the turn's own cloister raises is not seen",
        "rules.py",
        "    s.top[country] = max(s.top[country], s.cloisters[country][seat])\n",
        "    s.top[country] = max(s.top[country], 1)\n",
    ),
    ("discards are lost", "rules.py", "        s.discards[colour] += 1\n", "        s.discards[colour] += 0\n"),
    (
        "the reshuffle keeps the discards",
        "rules.py",
        "        s.discards[colour] = 0\n",
        "        s.discards[colour] += 0\n",
    ),
    (
        "the second player scores what he has himself",
        "scoring.py",
        "                    points = theirs\n",
        "                    points = mine\n",
    ),
    (
        "alliances pay who leads in one country",
        "scoring.py",
        "both = s.leaders[a] & s.leaders[b]",
        "both = s.leaders[a] | s.leaders[b]",
    ),
    ("chains of three count", "scoring.py", "SHORTEST = 4 ", "SHORTEST = 3 "),
    (
        "interim points are counted twice",
        "rules.py",
        "    s.scored = 1\n    score_countries(s)\n",
        "    s.scored = 1\n    score_countries(s)\n    score_countries(s)\n",
    ),
    ("chains are not scored", "rules.py", "        s.score[seat] += s.chain_points[seat]\n", ""),
]
