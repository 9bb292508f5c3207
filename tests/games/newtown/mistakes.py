"""Mistakes in the rules that break a rule; see courtly/testing/checks/mutation.py."""

MISTAKES = [
    ("blocks come from nowhere", "holdings.py", "    s.supply[size] -= 1\n", "    s.supply[size] -= 0\n"),
    (
        "blocks stay in hand when they are laid",
        "building.py",
        "    s.blocks[seat][size] -= 1\n    s.laid += 1 << 5 * size\n",
        "    s.laid += 1 << 5 * size\n",
    ),
    (
        "a taken-over house is not counted",
        "building.py",
        "        s.owned[before] -= 1\n        s.owned[seat] += 1\n",
        "        s.owned[before] -= 1\n",
    ),
    ("the old roof stays", "building.py", "    s.roofs[before][FOOT[s.form[s.house]]] += 1\n", ""),
    (
        "a third house on a land",
        "building.py",
        "    if s.houses[land] < 2 and bits >> 4:",
        "    if s.houses[land] < 3 and bits >> 4:",
    ),
    ("a land card stays in the deck", "rules.py", "    deck[card] = 0\n", ""),
    ("points are not added up", "holdings.py", "    s.score[seat] += points\n", "    s.score[seat] += points + 1\n"),
    (
        "houses are built without their last block",
        "building.py",
        "    if s.room == 0:\n        if s.attic == Attic.TO_COME:",
        "    if s.room <= 1:\n        if s.attic == Attic.TO_COME:",
    ),
]
