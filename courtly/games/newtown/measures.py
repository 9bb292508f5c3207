"""Measures of a game: points, and the houses, land cards, residents and gems of each seat."""

from courtly.engine.moves import Moves
from courtly.games.newtown.components import KING
from courtly.games.newtown.counting import owns
from courtly.games.newtown.table import FORM_COUNT, FORMS, HOUSE_COUNT, NUMBERED, RESIDENT_COUNT, RESIDENTS

OWNED = Moves(house=dict(form=FORMS), land=dict(card=NUMBERED), resident=dict(resident=RESIDENTS), gem={})


def points(s, out):
    for seat in range(s.players):
        out[seat] = s.score[seat]


def owned(s, seat, out):
    for form in range(FORM_COUNT):
        out[OWNED.house + form] = 0
    for house in range(HOUSE_COUNT):
        if owns(s, seat, house):
            out[OWNED.house + s.form[house]] += 1
    for card in range(KING):
        out[OWNED.land + card] = 1 if s.land_owner[card] == seat else 0
    for resident in range(RESIDENT_COUNT):
        out[OWNED.resident + resident] = 1 if s.resident_owner[resident] == seat else 0
    out[OWNED.gem] = s.gems[seat]
