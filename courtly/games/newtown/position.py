"""Positions of The King's New Town, completed from the named fields. Lands without a place lie in order, 3 to 18."""

from courtly.games.newtown import packing
from courtly.games.newtown import rules as r
from courtly.games.newtown import table as t
from courtly.games.newtown.dice import begin_placement, total

FITS: dict[tuple[str, str], frozenset[int]] = {}


def fits(before, after):
    """Return the keys that build `after` on `before` (a form's name, or "")."""
    if (before, after) not in FITS:
        FITS[before, after] = packing.fits(packing.FORMS[before] if before else None, packing.FORMS[after])
    return FITS[before, after]


def standing(s):
    """Return the numbers of all houses."""
    return [land * 2 + n for land in range(17) for n in range(s.houses[land])]


STEPS = {
    t.Phase.PLACING: t.Step.THROWING,
    t.Phase.ACTING: t.Step.USING,
    t.Phase.REROLLING: t.Step.USING,
    t.Phase.TAKING: t.Step.USING,
    t.Phase.LODGING: t.Step.COUNTING,
    t.Phase.PLANTING: t.Step.PREPARATION,
    t.Phase.DRAFTING: t.Step.DRAFT,
    t.Phase.WALKING: t.Step.WALK,
    t.Phase.MANAGING: t.Step.MANAGEMENT,
    t.Phase.VOTING: t.Step.VOTE,
}


def complete(s, given):
    if s.phase in (t.Phase.PICKING, t.Phase.SETTLING):
        s.first = max(s.first, 0)
        r.onward(s)
        return
    if "place" not in given:
        for land in range(16):
            s.place[land] = s.land_at[land] = land
    _cards(s, given)
    s.first = max(s.first, 0)
    s.round = s.round or 1
    if "seat" not in given:
        s.seat = 0
    for card in range(4):
        if "tree" not in given and not s.ruleset:
            s.tree[s.land_row[card]] = 1
    _town(s, given)
    _players(s, given)
    if "order" not in given:
        for seat in range(s.players):
            s.order[seat] = seat
    if "phase" in given:
        if "step" not in given:
            s.step = STEPS.get(s.phase, t.Step.CONSTRUCTION)
        s.turns = s.turns or 1
        s.pending = 1 << s.seat
        if s.phase == t.Phase.PLACING and s.step == t.Step.THROWING:
            s.going = t.Going.ANEW
        if s.phase == t.Phase.AIMING:
            s.pending = 0
            begin_placement(s)
    else:
        if "step" not in given:
            s.step = t.Step.THROWING
        r.onward(s)


def _cards(s, given):
    """Put the cards without an owner that are in no row into the decks; fill the rows from the lowest card."""
    for deck, row, owner, kind in (
        (s.land_deck, s.land_row, s.land_owner, "land"),
        (s.resident_deck, s.resident_row, s.resident_owner, "resident"),
    ):
        for card in range(16):
            if f"{kind}_owner" not in given:
                owner[card] = -1
            else:
                owner[card] -= 1  # scenarios write 1 + seat, because most cards have no owner
        spare = [card for card in range(16) if owner[card] < 0 and card not in row]
        for i in range(4):
            if row[i] < 0 and f"{kind}_row" not in given and not (s.ruleset and kind == "land"):
                row[i] = spare.pop(0)
        for card in range(16):
            deck[card] = int(owner[card] < 0 and card not in row)
    s.land_left, s.resident_left = sum(s.land_deck), sum(s.resident_deck)
    s.land_shown, s.resident_shown = (sum(c >= 0 for c in row) for row in (s.land_row, s.resident_row))
    for card in range(16):
        if s.land_owner[card] >= 0 and "land_gained" not in given:
            s.land_gained[card] = max(s.round, 1) - 1
    s.round = s.round or 1
    r.refresh_cards(s)


def _town(s, given):
    houses = standing(s)
    for number, h in enumerate(houses, start=1):
        if "raised" not in given:
            s.raised[h] = number
        form = t.FORMS[s.form[h]]
        plain = form.rstrip("p")
        s.wall_form[h][0], s.walls[h][0], s.stages[h] = t.FORMS.index(plain), max(fits("", plain)), 1
        if form != plain:
            s.wall_form[h][1], s.walls[h][1], s.stages[h] = s.form[h], packing.UNIT[3], 2
    s.raised_last = len(houses)
    s.occupied = sum(1 << s.place[land] for land in range(17) if s.houses[land])
    s.largest = max((t.CUBES[s.form[h]] for h in houses), default=0)


def _players(s, given):
    houses = standing(s)
    for seat in range(s.players):
        s.owned[seat] = sum(s.owner[h] == seat for h in houses)
        for foot in range(4):
            on = sum(
                t.FOOT[s.form[h]] == foot or foot == 0 and t.PENTHOUSE[s.form[h]] for h in houses if s.owner[h] == seat
            )
            s.roofs[seat][foot] = t.ROOFS[foot] - on
        if s.phase == t.Phase.DRAFTING:
            continue
        changed = any(s.times[seat])
        for die in range(3):
            s.times[seat][die] = s.times[seat][die] if changed else 1
            s.white[seat][die] = s.white[seat][die] or 1
            s.coloured[seat][die] = s.coloured[seat][die] or die + 1
        if "craftsman" not in given:
            s.craftsman[seat] = min(total(s, seat) - 3, 15)
        if "score" in given:
            s.earned[seat][t.Source.BASE] = s.score[seat]
            s.passed[seat] = s.offered[seat] = sum(s.score[seat] >= square for square in t.TRACK)
