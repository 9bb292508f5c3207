"""Invariants of Puppet Kingdom."""

from courtly.games.puppet.cards import Good, Helped
from courtly.games.puppet.table import COST, DEPTH, HELPS, HOUSES, KINDS, POINTS, UNTAXED, Mark, Phase, Place


def check(s):
    """Raise AssertionError with the first violated invariant."""
    servants(s)
    buildings(s)
    events(s)
    goods(s)


def servants(s):
    if s.phase in (Phase.STARTING, Phase.OPENING):
        return
    in_use = KINDS if s.princess else KINDS - 1
    for c in range(KINDS):
        places = s.deck[c] + s.open[c]
        for seat in range(s.players):
            is_being_passed = s.passed[seat][c] and not s.picked[(seat + 1) % s.players]
            places += s.hand[seat][c] + s.down[seat][c] + (s.centre[seat] == c + 1) + is_being_passed
        assert places == (c < in_use), f"servant {c} is in {places} places"
    for seat in range(s.players):
        assert s.facedown[seat] == sum(s.down[seat])
        assert [c for c in range(KINDS) if any(s.up[n][i] == c + 1 for n in range(s.players) for i in range(2))] == [
            c for c in range(KINDS) if s.open[c]
        ], "the open servants are those revealed"
        if s.deduction and all(n == 2 for n in s.picked[: s.players]):
            for other in range(s.players):
                if other != seat:
                    assert all(s.possible[seat][other][c] >= s.down[other][c] for c in range(KINDS)), (
                        "the true servants are possible"
                    )
    if Phase.REVEALING <= s.phase < Phase.OVER:
        assert sum(s.facedown) + sum(s.open) == 2 * s.players, "every player has two servants"
    for k in range(len(Mark)):
        assert s.mark[k][0] < s.players and s.mark[k][1] < s.players
        assert s.mark[k][0] < 0 or s.mark[k][0] != s.mark[k][1], "no player names their own seat"


def buildings(s):
    assert all(Place.PILE <= place < Place.OWNED + s.players for place in s.place)
    assert sorted(n - 1 for n in s.row if n) == [b for b in range(HOUSES) if s.place[b] == Place.ROW]
    assert not any(s.row[s.players :])
    if s.phase in (Phase.DEALING, Phase.DRAFTING) and any(
        s.place[b] in (Place.PILE, Place.DISCARDED) for b in range(HOUSES)
    ):
        assert all(s.row[: s.players]), "the row is full when a round begins"
    for seat in range(s.players):
        owned = [b for b in range(HOUSES) if s.place[b] == Place.OWNED + seat]
        assert s.points[seat] == s.goods[seat][Good.HONOUR] + sum(POINTS[s.cards][b] for b in owned)
        assert s.helped[seat] == [sum(HELPS[s.cards][b][i] for b in owned) for i in range(len(Helped))]
        assert s.untaxed[seat] == sum(UNTAXED[s.cards][b] for b in owned)


def events(s):
    pile = {e + 1 for e in range(DEPTH)} - {s.newest, s.older}
    if s.phase in (Phase.DEALING, Phase.DRAFTING, Phase.REVEALING) and s.round > 1:
        assert (s.older == 0) == (s.round % 2 == 0), "an odd number of rounds leaves one event open, an even number two"
    assert s.newest != s.older or s.newest == 0
    known = [e for e in s.order if e]
    assert len(set(known)) == len(known) and set(known) <= pile
    assert not any(s.order[len(pile) :]), "the entries beyond the pile are empty"
    for place in range(DEPTH):
        for seat in range(s.players):
            assert s.known[seat][place] == (s.order[place] if s.looked[seat][place] else 0)
        assert bool(s.order[place]) == any(row[place] for row in s.looked), (
            "an event has a place only if a player has seen it"
        )


def goods(s):
    assert all(n >= 0 for row in s.goods for n in row), "no amount is negative"
    assert all(any(cost) for cost in COST[s.cards]), "no building is free"
