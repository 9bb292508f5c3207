"""Positions of Puppet Kingdom, completed from a few named fields.

By default, seat 0 is the parent, the round is at its first turn, and servants that are not named lie where they affect
the position least.
"""

from courtly.engine.constants import CHANCE, NOBODY
from courtly.games.puppet import rules as r
from courtly.games.puppet import table as t


def complete(s, given):
    """Fill in the fields that follow from those that a scenario or a lesson names."""
    if not given:
        return
    if s.phase == t.Phase.STARTING:
        s.phase = t.Phase.REVEALING
    s.parent = max(s.parent, 0)
    s.round = s.round or 1
    own(s)
    servants(s)
    if s.phase == t.Phase.REVEALING:
        if "first" not in given:
            s.first = s.parent
        s.seat = s.actor = (s.first + s.turn) % s.players
        s.pending = 1 << s.seat
    else:
        s.seat = s.actor = NOBODY
        s.pending = CHANCE
        if s.phase == t.Phase.DRAFTING:
            s.pending = (1 << s.players) - 1
    for seat in range(s.players):
        for i in range(t.DEPTH):
            s.order[i] = s.order[i] or s.known[seat][i]
            s.looked[seat][i] = int(s.known[seat][i] > 0)


def own(s):
    """Fill in the row, the points, and the effects of buildings for their owners."""
    row = [b for b in range(t.HOUSES) if s.place[b] == t.Place.ROW]
    if len(row) > s.players:
        raise ValueError(f"{len(row)} buildings in a row of {s.players}")
    spare = (b for b in range(t.HOUSES) if s.place[b] == t.Place.PILE)
    while len(row) < s.players and s.phase == t.Phase.REVEALING:  # the row is full when turns begin
        row.append(next(spare))
    for i, b in enumerate(row):
        s.row[i] = b + 1
        s.place[b] = t.Place.ROW
    for seat in range(s.players):
        s.points[seat] = s.goods[seat][t.Good.HONOUR]
        for b in range(t.HOUSES):
            if s.place[b] == t.Place.OWNED + seat:
                r.add_building(s, seat, b, 1)


def servants(s):
    """Put as many servants face down before each seat as this turn of the round requires; the rest is in the deck."""
    in_use = t.KINDS if s.princess else t.KINDS - 1
    taken = {c for c in range(t.KINDS) for row in (*s.down, *s.hand) if row[c]} | {
        n - 1 for row in s.up for n in row if n
    }
    taken |= {s.mark[k][t.Naming.SERVANT] for k in range(2) if s.mark[k][t.Naming.BY] != NOBODY}
    spare = [c for c in range(in_use) if c not in taken]
    s.dealt = t.DEALT * s.players
    if s.phase != t.Phase.DRAFTING:
        for seat in range(s.players):
            s.picked[seat] = 2
    if s.phase == t.Phase.REVEALING:
        for seat in range(s.players):
            turns = (s.turn + s.players - 1 - (seat - max(s.first, 0)) % s.players) // s.players
            for i in range(turns):
                s.up[seat][i] = s.up[seat][i] or spare.pop(0) + 1
            while sum(s.down[seat]) < 2 - turns:
                s.down[seat][spare.pop()] = 1
            s.facedown[seat] = sum(s.down[seat])
    for row in s.up:
        for n in row:
            if n:
                s.open[n - 1] = 1
    taken = {c for c in range(t.KINDS) if s.open[c] or any(row[c] for row in (*s.down, *s.hand))}
    for c in range(t.KINDS):
        s.deck[c] = int(c < in_use and c not in taken)
