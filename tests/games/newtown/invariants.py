"""Invariants of every position of The King's New Town."""

from courtly.games.newtown import packing
from courtly.games.newtown import table as t
from courtly.games.newtown.holdings import usable
from courtly.games.newtown.position import fits, standing


def check(s):
    """Raise AssertionError at the first violated invariant."""
    seats = range(s.players)
    houses = standing(s)
    _town(s, houses)
    _roofs(s, seats, houses)
    _cards(s, seats)
    for seat in seats:
        assert s.score[seat] == sum(s.earned[seat]), "the score is the sum of its sources"
        assert s.gems[seat] >= 0 and min(s.blocks[seat]) >= 0, "gems and blocks are not negative"
        assert s.craftsman[seat] in range(-1, 17), "a craftsman is on a land"
        assert s.owned[seat] == sum(s.owner[h] == seat for h in houses), "houses are counted"
        assert s.offered[seat] <= s.passed[seat] <= 4, "bonus squares"
    if s.finite_supply:
        for size in range(6):
            wall_blocks = sum(s.walls[h][stage] >> 5 * size & 31 for h in houses for stage in range(s.stages[h]))
            laid_blocks = s.laid >> 5 * size & 31 if s.room else 0
            raised_blocks = (
                s.walls[s.house][0] >> 5 * size & 31
                if s.room and s.attic == t.Attic.BEGUN and s.house not in houses and s.stages[s.house]
                else 0
            )
            assert (
                s.supply[size] + sum(row[size] for row in s.blocks) + wall_blocks + laid_blocks + raised_blocks
                == t.SUPPLY[size]
            ), "the number of blocks is constant"


def _town(s, houses):
    assert max(s.houses) <= 2, "two houses on a land at most"
    assert s.largest == max((t.CUBES[s.form[h]] for h in houses), default=0), "the largest house is stored"
    assert s.occupied == sum(1 << s.place[land] for land in range(17) if s.houses[land]), "occupied places are stored"
    assert sorted(s.raised[h] for h in houses) == list(range(1, len(houses) + 1)), (
        "houses are numbered in the order of building"
    )
    placed_lands = [land for land in s.land_at if land >= 0]
    assert len(set(placed_lands)) == len(placed_lands), "no land is laid twice"
    assert not s.round or s.ruleset or sum(s.tree) == 5, "five trees"
    for h in houses:
        form_before = ""
        for stage in range(s.stages[h]):
            form = t.FORMS[s.wall_form[h][stage]]
            if form.endswith("p"):
                assert s.walls[h][stage] in fits("", "2x2x1"), "the penthouse is built of four cubes"
                assert form_before == form[:-1]
            else:
                assert s.walls[h][stage] in fits(form_before, form), (
                    f"{packing.words(s.walls[h][stage])} builds {form} on {form_before or 'nothing'}"
                )
            form_before = form
        if not s.room or s.house != h:
            assert form_before == t.FORMS[s.form[h]], "walls match the form"


def _roofs(s, seats, houses):
    for seat in seats:
        for foot in range(4):
            in_use = sum(t.FOOT[s.form[h]] == foot for h in houses if s.owner[h] == seat)
            if foot == 0:
                in_use += sum(t.PENTHOUSE[s.form[h]] for h in houses if s.owner[h] == seat)
            assert s.roofs[seat][foot] + in_use == t.ROOFS[foot] and s.roofs[seat][foot] >= 0, "roofs are constant"


def _cards(s, seats):
    for deck, row, owner, left_count, shown_count in (
        (s.land_deck, s.land_row, s.land_owner, s.land_left, s.land_shown),
        (s.resident_deck, s.resident_row, s.resident_owner, s.resident_left, s.resident_shown),
    ):
        for card in range(16):
            assert deck[card] + row.count(card) + (owner[card] >= 0) == 1, "every card is in one place"
            assert owner[card] < s.players
        assert left_count == sum(deck) and shown_count == sum(card >= 0 for card in row)
    if s.resident_shown == t.ROW and s.round:
        seat_to_welcome = s.seat if s.welcome else -1
        for seat in seats:
            has_lost = s.welcome == 2 + seat
            assert s.resident_owner.count(seat) == s.owned[seat] - (seat == seat_to_welcome) + has_lost, (
                "as many resident cards as houses"
            )
    for seat in seats:
        for ground in range(4):
            usable_count = sum(s.land_owner[c] == seat and t.GROUND[c] == ground and usable(s, c) for c in range(16))
            assert s.ready[seat][ground] == usable_count, "the usable cards are stored"
