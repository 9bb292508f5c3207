"""Mistakes in the rules that leak a secret or break a rule; see courtly/testing/checks/mutation.py."""

MISTAKES = [
    (
        "hands are public",
        "table.py",
        "hand = i8(SEATS, Card, most=COPIES, private=True)",
        "hand = i8(SEATS, Card, most=COPIES)",
    ),
    (
        "the show is public before it is turned over",
        "table.py",
        "tray = i8(SEATS, SHOWABLE, most=COPIES, private=True)",
        "tray = i8(SEATS, SHOWABLE, most=COPIES)",
    ),
    ("the deck is public", "table.py", "deck = i8(Card, most=COPIES, secret=True)", "deck = i8(Card, most=COPIES)"),
    (
        "the queen's window opens for her holder only",
        "purchase.py",
        "s.phase == Phase.REFILL and may_hold(s, s.active, Card.QUEEN)",
        "s.phase == Phase.REFILL and s.hand[s.active][Card.QUEEN]",
    ),
    (
        "only those who hold a cardinal are asked",
        "merchants.py",
        "not may_hold(s, seat, Card.CARDINAL)",
        "not s.hand[seat][Card.CARDINAL]",
    ),
    (
        "the confessor shows the hand to all players",
        "influence.py",
        "        look_at_hand(s, seat, x)\n",
        "        for other in range(s.players):\n            look_at_hand(s, other, x)\n",
    ),
    (
        "the third player learns what a thief took",
        "hands.py",
        "    s.known[giver][taker][card] += 1\n",
        "    for other in range(s.players):\n"
        "        if other != taker:\n            s.known[other][taker][card] += 1\n",
    ),
    (
        "what was certain is still thought certain after a theft",
        "hands.py",
        "                s.seen[seat][kind] -= 1\n                s.unknown[seat] += 1\n",
        "                s.seen[seat][kind] += 0\n",
    ),
    (
        "a card drawn by the astrologer is seen",
        "purchase.py",
        "    else:\n        gain_unseen(s, s.active, card)\n",
        "    else:\n        gain_seen(s, s.active, card)\n",
    ),
    (
        "laying a card moves a public number",
        "sale.py",
        "        s.tray[seat][move - MOVES.lay] += 1\n",
        "        s.tray[seat][move - MOVES.lay] += 1\n        s.step += 1\n",
    ),
    (
        "what is laid openly is hidden",
        "table.py",
        "openly = i8(SEATS, SHOWABLE, most=COPIES)",
        "openly = i8(SEATS, SHOWABLE, most=COPIES, private=True)",
    ),
    (
        "only the player who lays a card openly sees it",
        "rules.py",
        "if MOVES.lay <= move <= MOVES.clear:",
        "if MOVES.lay <= move <= MOVES.clear or MOVES.lay_open <= move <= MOVES.banker_open:",
    ),
    (
        "an open card is still in the hand",
        "sale.py",
        "    s.openly[seat][piece] += 1\n    take_seen(s, seat, SHOWN_CARD[piece])\n",
        "    s.openly[seat][piece] += 1\n",
    ),
    (
        "determinize deals open cards once more",
        "worlds.py",
        "                s.pool[SHOWN_CARD[i]] -= s.openly[other][i]\n",
        "                s.pool[SHOWN_CARD[i]] -= 0\n",
    ),
    (
        "a ring lies openly with a covered gem",
        "sale.py",
        "return legal_beside_gems(s, seat, moves, n, gems, MOVES.ring_open) if gems else n",
        "return legal_beside_gems(s, seat, moves, n, 15, MOVES.ring_open) if gems else n",
    ),
    (
        "the story tells who laid openly first",
        "sale.py",
        "    take_seen(s, seat, SHOWN_CARD[piece])\n",
        "    take_seen(s, seat, SHOWN_CARD[piece])\n    tell(s, Story.LACKED, seat, 0)\n",
    ),
    (
        "turning over is not declared",
        "rules.py",
        "    if move == MOVES.commit and s.pending == 1 << seat:\n",
        "    if move == MOVES.commit and s.pending == 0:\n",
    ),
    (
        "determinize looks into the deck",
        "worlds.py",
        "        s.weight[card] = s.pool[card]\n",
        "        s.weight[card] = s.pool[card] + s.deck[card] if s.pool[card] else 0\n",
    ),
    (
        "determinize looks at the others' shows",
        "worlds.py",
        "        tray[i] = 0\n    if s.phase != Phase.SHOW:",
        "        tray[i] += 0\n    if s.phase != Phase.SHOW:",
    ),
    (
        "determinize knows what a thief took",
        "story.py",
        "    return seat != SPECTATOR and s.loot[seat][theft] > 0\n",
        "    return s.loot[max(seat, 0)][theft] > 0\n",
    ),
    (
        "what others saw stolen is recalled",
        "worlds.py",
        "    weigh_stories(s, seat)\n    s.recalled = 1\n",
        "    weigh_stories(s, SPECTATOR)\n    s.recalled = 1\n",
    ),
    (
        "what thieves took is public",
        "table.py",
        "loot = i8(SEATS, THEFTS, of=Card, none=0, private=True)",
        "loot = i8(SEATS, THEFTS, of=Card, none=0)",
    ),
    (
        "hands that one player saw are public",
        "table.py",
        "looked = i8(SEATS, LOOKS, Card, most=COPIES, private=True)",
        "looked = i8(SEATS, LOOKS, Card, most=COPIES)",
    ),
    (
        "determinize forgets what the confessor saw",
        "worlds.py",
        "hand[card] = s.known[seat][other][card] if seat != SPECTATOR else s.seen[other][card]",
        "hand[card] = s.seen[other][card]",
    ),
    (
        "determinize forgets what the forger did not find",
        "worlds.py",
        "room[gem] = s.at_most[other][gem]\n",
        "room[gem] = 99\n",
    ),
    ("determinize deals astrologers", "worlds.py", "    s.weight[Card.ASTROLOGER] = 0\n", ""),
    (
        "two shows do not commute",
        "sale.py",
        "    s.pending -= 1 << seat\n    if not s.pending:\n        reveal(s)",
        "    s.pending -= 1 << seat\n    s.target = seat\n    if not s.pending:\n        reveal(s)",
    ),
    (
        "a gem sold twice",
        "sale.py",
        "    s.score[seat] += s.income[s.sales][seat][gem]\n",
        "    s.score[seat] += 2 * s.income[s.sales][seat][gem]\n",
    ),
    (
        "the stolen necklace stays with its wearer",
        "hands.py",
        "    if card == Card.QUEENS_NECKLACE:\n        s.necklace = seat\n    elif",
        "    if",
    ),
    ("discards vanish", "hands.py", "    s.discard[card] += 1\n", "    s.discard[card] += 0\n"),
    ("a ring may lie without its gem", "sale.py", "        lies = gems >> gem & 1\n", "        lies = gems > 0\n"),
    (
        "a card is bought and stays on offer",
        "purchase.py",
        "    s.bought += 1\n    clear_slot(s, slot)\n",
        "    s.bought += 1\n",
    ),
]

# Random play reaches these rarely; each takes up to a minute.
RARE = [
    ("a hand shown to the forger is not declared", "rules.py", "if move == MOVES.show_hand or MOVES", "if MOVES"),
    ("the king's player pays, but the gift is not received", "sale.py", "    s.gifts[s.sales][wearer] += GIFT\n", ""),
    ("only the stolen card is forgotten", "hands.py", "(knower != witness or kind == card)", "kind == card"),
    (
        "two kings may be shown",
        "sale.py",
        "(hand[Card.KING] > 0) & (laid(tray, KING_AT) + laid(s.openly[seat], KING_AT) == 0)",
        "hand[Card.KING] > laid(tray, KING_AT)",
    ),
    (
        "the forger's target is not asked when there is no choice",
        "influence.py",
        "    enter_phase(s, Phase.FORGER, 1 << target)\n",
        "    enter_phase(s, Phase.FORGER, 1 << target)\n    n = s.hand[target][Card.MUSKETEER]\n"
        "    for card in range(GEM_KINDS):\n        n += s.hand[target][card] if GEM_OF[card] == gem else 0\n"
        "    if n == 0:\n"
        "        s.at_most[target][gem] = 0\n        s.phase = Phase.INFLUENCE\n        s.pending = 1 << s.active\n",
    ),
]
