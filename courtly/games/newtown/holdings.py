"""Helpers for all parts of the rules: decisions and random events; points, blocks and land cards."""

from courtly.engine.constants import CHANCE
from courtly.games.newtown.components import KING
from courtly.games.newtown.table import AT_ONCE, GROUND, NONE, ROW


def ask(s, phase, seat):
    s.phase = phase
    s.pending = 1 << seat


def happen(s, event):
    s.event = event
    s.pending = CHANCE


def earn(s, seat, source, points):
    s.earned[seat][source] += points
    s.score[seat] += points


def gain_block(s, seat, size):
    """Give a player a block, if the supply has one. `size` is an index."""
    if s.finite_supply:
        if s.supply[size] == 0:
            return
        s.supply[size] -= 1
    s.blocks[seat][size] += 1


def give_block(s, seat, size):
    """Return a block to the supply."""
    s.blocks[seat][size] -= 1
    if s.finite_supply:
        s.supply[size] += 1


def in_stock(s, size):
    return not s.finite_supply or s.supply[size] > 0


def leave_row(row, card):
    for i in range(ROW):
        if row[i] == card:
            row[i] = NONE


def give_land_card(s, seat, card):
    """Give a player a land card from the row. Yellow cards can be used at once."""
    leave_row(s.land_row, card)
    s.land_shown -= 1
    s.land_owner[card] = seat
    s.land_gained[card] = s.round
    s.land_used[card] = 0
    ground = GROUND[card]
    if AT_ONCE[ground]:
        s.ready[seat][ground] += 1


def use_card(s, seat, ground):
    """Use one of the player's land cards of this ground that are ready."""
    s.ready[seat][ground] -= 1
    for card in range(KING):
        if s.land_owner[card] == seat and GROUND[card] == ground and usable(s, card):
            s.land_used[card] = s.round
            return


def usable(s, card):
    """Return True if the owner can still use this land card in this round."""
    return s.land_used[card] != s.round and (AT_ONCE[GROUND[card]] or s.land_gained[card] < s.round)


def refresh_cards(s):
    """Make all cards of earlier rounds ready at the beginning of a round."""
    for seat in range(s.players):
        for ground in range(4):
            s.ready[seat][ground] = 0
    for card in range(KING):
        if s.land_owner[card] >= 0 and usable(s, card):
            s.ready[s.land_owner[card]][GROUND[card]] += 1
