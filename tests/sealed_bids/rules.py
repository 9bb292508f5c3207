"""Sealed bids.

Each player holds three cards. A prize is turned up, and the first player of the round may look at a random card of
another hand. All players choose a card in secret and declare ready; the cards are revealed together. Before the prize
is awarded, players who still hold a jester may throw it in: with any jester the prize is lost. The highest card that no
other player played wins the prize. There are three prizes.
"""

from courtly.engine.constants import CHANCE, EVERYONE, SILENT, SPECTATOR
from courtly.engine.enums import NamedInt
from courtly.engine.moves import Moves
from courtly.engine.rng import pick_weighted
from courtly.engine.state import StateBase, i8, seats
from courtly.engine.stdlib.hidden_hands import draw_card, note_card

PLAYERS = 5
SEATS = seats(PLAYERS)


class Card(NamedInt):
    JESTER, ONE, TWO, THREE, FOUR, FIVE, SIX = range(7)


class Phase(NamedInt):
    DEAL, TURN_UP, LOOK, LOOKED, CHOOSE, ANSWER, OVER = range(7)


class Refusal(NamedInt):
    NOT_IN_HAND, CHOOSE_FIRST = range(2)


KINDS = len(Card)
COPIES = (2, 3, 3, 3, 3, 3, 3)
PRIZES = range(1, 5)
HAND = 3
MOST_CHANGES = 3  # changes of one choice, so that every game ends


class State(StateBase):
    players = i8(option=(2, 3, 4, 5))
    looks = i8(option=(1, 0))  # may the first player look at a card?
    pending = i8()
    phase = i8(of=Phase)
    rounds = i8(most=3)
    first = i8(of=SEATS)  # the seat that may look in this round
    target = i8(of=SEATS)  # the seat being dealt to or looked at
    prize = i8(most=4)
    score = i8(SEATS, most=12)
    size = i8(SEATS, most=HAND)  # cards in each hand
    ready = i8(SEATS, most=1)
    shown = i8(SEATS, of=Card, none=0)  # the card played in this round + 1
    gone = i8(Card, most=3)  # played and thrown cards
    hand = i8(SEATS, Card, most=3, private=True)
    choice = i8(SEATS, of=Card, none=0, private=True)  # the card + 1, still in hand
    changes = i8(SEATS, most=MOST_CHANGES, private=True)  # how often the choice was changed
    answer = i8(SEATS, most=2, private=True)  # 0: not yet, 1: no, 2: a jester
    known = i8(SEATS, SEATS, Card, most=3, private=True)  # cards certainly in others' hands
    deck = i8(Card, most=3, secret=True)
    spare = i8(Card, scratch=True)


MOVES = Moves(
    skip={},
    look=dict(target=SEATS),
    choose=dict(card=Card),
    ready={},
    answer=dict(jester=2),
    chance=dict(deal=dict(card=Card), prize=dict(worth=PRIZES), seen=dict(card=Card)),
)
VERB, X, Y, Z = MOVES.columns


def setup(s):
    for card in range(KINDS):
        s.deck[card] = COPIES[card]
    s.phase = Phase.DEAL
    s.pending = CHANCE


def everyone(s):
    return (1 << s.players) - 1


def chance(s, moves, weights):
    n = 0
    if s.phase == Phase.TURN_UP:
        for worth in range(4):
            moves[n] = MOVES.prize + worth
            weights[n] = 1
            n += 1
        return n
    for card in range(KINDS):
        weight = s.deck[card] if s.phase == Phase.DEAL else s.hand[s.target][card]
        if weight:
            moves[n] = (MOVES.deal if s.phase == Phase.DEAL else MOVES.seen) + card
            weights[n] = weight
            n += 1
    return n


def legal(s, seat, moves):
    n = 0
    if not s.pending >> seat & 1:
        return 0
    if s.phase == Phase.LOOK:
        moves[0] = MOVES.skip
        n = 1
        for other in range(s.players):
            if other != seat:
                moves[n] = MOVES.look + other
                n += 1
    elif s.phase == Phase.CHOOSE:
        for card in range(KINDS):
            if s.hand[seat][card] and s.choice[seat] != card + 1 and s.changes[seat] < MOST_CHANGES:
                moves[n] = MOVES.choose + card
                n += 1
        if s.choice[seat]:
            moves[n] = MOVES.ready
            n += 1
    else:
        moves[0] = MOVES.answer
        n = 1
        if s.hand[seat][0]:
            moves[1] = MOVES.answer + 1
            n = 2
    return n


def apply(s, seat, move):
    verb = VERB[move]
    x = X[move]
    if verb == MOVES.deal:
        deal(s, x)
    elif verb == MOVES.prize:
        s.prize = x + 1
        begin_round(s)
    elif verb == MOVES.skip:
        begin_choosing(s)
    elif verb == MOVES.look:
        s.target = x
        s.phase = Phase.LOOKED
        s.pending = CHANCE
    elif verb == MOVES.seen:
        note_card(s.known, s.first, s.target, x)
        begin_choosing(s)
    elif verb == MOVES.choose:
        s.changes[seat] += s.choice[seat] > 0
        s.choice[seat] = x + 1
    elif verb == MOVES.ready:
        s.ready[seat] = 1
        s.pending -= 1 << seat
        if s.pending == 0:
            show(s)
    else:
        s.answer[seat] = x + 1
        s.pending -= 1 << seat
        if s.pending == 0:
            settle(s)


def deal(s, card):
    s.deck[card] -= 1
    s.hand[s.target][card] += 1
    s.size[s.target] += 1
    if s.size[s.target] == HAND:
        s.target = (s.target + 1) % s.players
        if s.target == 0:
            s.phase = Phase.TURN_UP


def begin_round(s):
    if s.looks:
        s.phase = Phase.LOOK
        s.pending = 1 << s.first
    else:
        begin_choosing(s)


def begin_choosing(s):
    s.phase = Phase.CHOOSE
    s.pending = everyone(s)
    s.target = 0


def spend(s, seat, card):
    """Move a card from a hand to the played cards, visible to all."""
    s.hand[seat][card] -= 1
    s.size[seat] -= 1
    s.gone[card] += 1
    for knower in range(s.players):
        if s.known[knower][seat][card]:
            s.known[knower][seat][card] -= 1


def show(s):
    for seat in range(s.players):
        s.shown[seat] = s.choice[seat]
        spend(s, seat, s.choice[seat] - 1)
        s.choice[seat] = 0
        s.changes[seat] = 0
        s.ready[seat] = 0
    if s.size[0]:
        s.phase = Phase.ANSWER
        s.pending = everyone(s)
    else:
        settle(s)


def settle(s):
    lost = 0
    for seat in range(s.players):
        if s.answer[seat] == 2:
            spend(s, seat, 0)
            lost = 1
        s.answer[seat] = 0
    winner = best(s)
    if winner >= 0 and not lost:
        s.score[winner] += s.prize
    for seat in range(s.players):
        s.shown[seat] = 0
    s.rounds += 1
    s.first = (s.first + 1) % s.players
    end_if_empty(s)


def end_if_empty(s):
    s.phase = Phase.TURN_UP
    s.pending = CHANCE
    for seat in range(s.players):
        if s.size[seat] == 0:
            s.phase = Phase.OVER
            s.pending = 0


def best(s):
    for card in range(KINDS, 0, -1):
        count = 0
        holder = -1
        for seat in range(s.players):
            if s.shown[seat] == card:
                count += 1
                holder = seat
        if count == 1:
            return holder
    return -1


def audience(s, seat, move):
    verb = VERB[move]
    if verb == MOVES.deal:
        return 1 << s.target
    if verb == MOVES.seen:
        return 1 << s.first
    if verb == MOVES.choose:
        return SILENT | 1 << seat
    if verb == MOVES.answer:
        return 1 << seat
    return EVERYONE


def reveals(s, seat, move):
    verb = VERB[move]
    if (verb == MOVES.ready or verb == MOVES.answer) and s.pending == 1 << seat:
        return EVERYONE
    return 0


def refusal(s, seat, move):
    if s.phase == Phase.CHOOSE and VERB[move] == MOVES.choose and not s.hand[seat][X[move]]:
        return Refusal.NOT_IN_HAND
    if s.phase == Phase.CHOOSE and VERB[move] == MOVES.ready:
        return Refusal.CHOOSE_FIRST
    return -1


def scores(s, out):
    for seat in range(s.players):
        out[seat] = s.score[seat]


def determinize(s, seat, rng):
    for card in range(KINDS):
        s.spare[card] = COPIES[card] - s.gone[card]
        if seat != SPECTATOR:
            s.spare[card] -= s.hand[seat][card]
    for other in range(s.players):
        if other != seat:
            for card in range(KINDS):
                known = s.known[seat][other][card] if seat != SPECTATOR else 0
                s.hand[other][card] = known
                s.spare[card] -= known
    for other in range(s.players):
        if other != seat:
            fill(s, other, rng)
            guess_plans(s, other, rng)
            for third in range(s.players):
                for card in range(KINDS):
                    s.known[other][third][card] = 0
    for card in range(KINDS):
        s.deck[card] = s.spare[card]


def fill(s, seat, rng):
    held = 0
    for card in range(KINDS):
        held += s.hand[seat][card]
    for _ in range(s.size[seat] - held):
        s.hand[seat][draw_card(rng, s.spare, KINDS)] += 1


def guess_plans(s, seat, rng):
    s.choice[seat] = 0
    s.changes[seat] = 0
    if s.phase == Phase.CHOOSE:
        s.choice[seat] = pick_weighted(rng, s.hand[seat], KINDS) + 1
    s.answer[seat] = 0
    if s.phase == Phase.ANSWER and not s.pending >> seat & 1:
        s.answer[seat] = 2 if s.hand[seat][0] and pick_weighted(rng, COPIES, 2) == 0 else 1
