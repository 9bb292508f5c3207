"""The facts for the board that follow from the public state. Faces are numbered from 1, characters by their index in
Card."""

from courtly.engine.constants import NOBODY
from courtly.engine.facts import FactsBase, number, record, up_to, word
from courtly.games.petition.dice import best_face, dice_in_use
from courtly.games.petition.facts_king import Goal, Why, list_order, show_goal
from courtly.games.petition.facts_needs import MOST_SETS, show_need
from courtly.games.petition.facts_odds import GROUPING_COUNT, list_odds
from courtly.games.petition.facts_ways import MOST_WAYS, USING, list_ways
from courtly.games.petition.powers import can_add, find_unused
from courtly.games.petition.rules import claimable, first_dice
from courtly.games.petition.table import CHARACTERS, COPIES, FACES, KINDS, MOST_DICE, PLAYERS, SEATS, Card

COUNTED = ("characters",)
AIM = "claim"
# Bits of the characters whose powers can increase the chance of a requirement above that of rolling alone.
HELPING = sum(1 << card for card, about in enumerate(CHARACTERS) if about["family"] in ("adds", "turns", "rolls"))
# Characters without a requirement for dice: the one on whose back they are, or with which they come.
INSTEAD = tuple({Card.CHARLATAN: Card.FOOL, Card.QUEEN: Card.KING}.get(card, NOBODY) for card in range(KINDS))
NONE, ALL = range(2)  # which dice a requirement is compared with


class Need(FactsBase):
    """How the dice meet a requirement.

    Each place of its sets is a face: positive if a die fills it, negative if not.
    """

    part = number()  # of a sum: the percentage reached
    sets = number(up_to(MOST_SETS), up_to(MOST_DICE))


class Way(FactsBase):
    """A way to use a character now.

    If it has moves in `then`, any number of such ways of this character can be used, and then these moves follow.
    """

    card = number()
    dice = number(up_to(3))  # the picked dice
    moves = number(up_to(6))
    to = number(up_to(3))  # the resulting faces of these dice, for the queen that of the new die; none: they are rolled
    then = number(up_to(1))


class Roll(FactsBase):
    """A seat's group in the last round (0: none), and what came of it."""

    seat = number()
    count = number()
    face = number()
    why = word(of=Why)


class Facts(FactsBase):
    """The facts of To Court the King."""

    copies = number(Card)  # at the start, without flipped ones; none if they are unlimited
    instead = number(Card)
    start = number(SEATS)
    wanted = number(Card)  # 1: the player at turn can still win this character with dice
    needs = record(Need, Card)
    claimable = number(Card)  # 1: it could be claimed with the dice as they lie; all 0 before the first roll
    sum = number()
    best = number(2)
    free = number()
    using = number()
    goal = word(of=Goal)
    order = number(up_to(PLAYERS))  # the seats in the order of the last round, once the king is taken
    rolled = number(SEATS)
    rolls = record(Roll, up_to(PLAYERS + 1))  # the history of the king in the last round, when it is over

    # for the player at turn alone
    ways = record(Way, up_to(MOST_WAYS))
    adding = number()  # 1: a die can be added
    # The chance, in percent, to win each character by rolling for it alone, if dice added by cards are kept as they
    # come. 0 and 100 mean impossible and certain. None: it cannot be won, or a power is in use.
    odds = number(Card)
    helped = number()

    dice = number(2, FACES, scratch=True)  # none, and all on the table
    left = number(FACES, scratch=True)
    added = number(FACES, scratch=True)
    active = number(FACES, scratch=True)
    aside = number(FACES, scratch=True)
    reached = number(7, GROUPING_COUNT, scratch=True)
    groupings = number(GROUPING_COUNT, scratch=True)


def facts(s, seat, out, moves):
    for f in range(6):
        out.dice[NONE][f] = 0
        out.dice[ALL][f] = s.active[f] + s.aside[f] + s.taken[f]
    show_cards(s, out)
    show_dice(s, out)
    for other in range(s.players):
        out.start[other] = first_dice(s, other)
    out.using = USING[s.phase]
    show_goal(s, seat, out)
    if seat != NOBODY and seat == s.seat and s.pending == 1 << seat:
        list_ways(s, seat, out, moves)
        out.adding = 1 if can_add(s) else 0
        list_odds(s, out)
        out.helped = 1 if find_unused(s) & HELPING else 0
    list_order(s, out)  # it changes the state


def show_cards(s, out):
    reach = 0
    if not s.final and not s.rolling and s.seat != NOBODY:
        reach = claimable(s, out.dice[ALL], out.dice[NONE])
    for card in range(KINDS):
        if card == Card.CHARLATAN:
            out.copies[card] = 0
        elif card != Card.FOOL or s.fools:
            out.copies[card] = COPIES[s.players][card]
        out.instead[card] = INSTEAD[card]
        out.wanted[card] = 1 if is_wanted(s, card) else 0
        out.claimable[card] = reach >> card & 1
        show_need(card, out.dice[out.wanted[card]], out.left, out.needs[card])


def is_wanted(s, card):
    """Return True if the player at turn can still win this character with dice."""
    if s.final or s.seat == NOBODY or card == Card.FOOL or card == Card.QUEEN:
        return False
    return s.supply[card] > 0 and not s.owns[s.seat][card]


def show_dice(s, out):
    """Show the sum of the dice, the best group, and how many dice are left."""
    total = 0
    for f in range(6):
        total += out.dice[ALL][f] * (f + 1)
    out.sum = total
    best = best_face(out.dice[ALL])
    out.best[0] = out.dice[ALL][best]
    out.best[1] = best + 1
    out.free = max(0, s.dice_limit - dice_in_use(s))


def counted(s, seat, out):
    out[0] = 0
    for card in range(KINDS):
        out[0] += s.owns[seat][card]
