"""Sealed bids.

Everybody holds three cards. A prize is turned up; its first player may look at a random card of somebody's hand. All
choose a card in secret and say when they are ready; the cards are shown together. Before the prize is given, whoever
still holds a jester may throw it in: with any jester the prize is lost. The highest card that nobody else played wins
the prize. Three prizes.
"""

from courtly.engine.chance import pick
from courtly.engine.game import CHANCE, EVERYONE, SILENT
from courtly.engine.moves import Moves, seats
from courtly.engine.record import Record, i8

PLAYERS = 5
CARDS = ("jester", "one", "two", "three", "four", "five", "six")
KINDS = len(CARDS)
COPIES = (2, 3, 3, 3, 3, 3, 3)
PRIZES = range(1, 5)
HAND = 3
DEAL, TURN_UP, LOOK, LOOKED, CHOOSE, ANSWER, OVER = range(7)


class State(Record):
    players = i8(option=(2, 3, 4, 5))
    looks = i8(option=(1, 0))  # may the first player look at a card?
    pending = i8()
    phase = i8()
    rounds = i8()
    first = i8()  # seat that may look this round
    target = i8()  # seat being dealt to or looked at
    prize = i8()
    score = i8(PLAYERS)
    size = i8(PLAYERS)  # cards in each hand
    ready = i8(PLAYERS)
    shown = i8(PLAYERS)  # the card played this round + 1
    gone = i8(CARDS)  # played and thrown cards
    hand = i8(PLAYERS, CARDS, private=True)
    choice = i8(PLAYERS, private=True)  # card + 1, still in hand
    answer = i8(PLAYERS, private=True)  # 0 not yet, 1 no, 2 a jester
    known = i8(PLAYERS, PLAYERS, CARDS, private=True)  # what this seat knows of the others' hands, at least
    deck = i8(CARDS, secret=True)
    spare = i8(CARDS, scratch=True)


MOVES = Moves(
    skip={},
    look=dict(target=seats(PLAYERS)),
    choose=dict(card=CARDS),
    ready={},
    answer=dict(jester=2),
    chance=dict(deal=dict(card=CARDS), prize=dict(worth=PRIZES), seen=dict(card=CARDS)),
)
SKIP, LOOK_AT, CHOOSE_CARD, READY, REPLY, DEAL_CARD, PRIZE, SEEN = (
    MOVES.skip,
    MOVES.look,
    MOVES.choose,
    MOVES.ready,
    MOVES.answer,
    MOVES.deal,
    MOVES.prize,
    MOVES.seen,
)
VERB, X, Y, Z = MOVES.tables
REFUSALS = ("not-in-hand", "choose-first")


def setup(s):
    for card in range(KINDS):
        s.deck[card] = COPIES[card]
    s.phase = DEAL
    s.pending = CHANCE


def everyone(s):
    return (1 << s.players) - 1


def chance(s, moves, weights):
    n = 0
    if s.phase == TURN_UP:
        for worth in range(4):
            moves[n] = PRIZE + worth
            weights[n] = 1
            n += 1
        return n
    for card in range(KINDS):
        if s.phase == DEAL:
            weight = s.deck[card]
        else:
            weight = s.hand[s.target][card]
        if weight:
            moves[n] = (DEAL_CARD if s.phase == DEAL else SEEN) + card
            weights[n] = weight
            n += 1
    return n


def legal(s, seat, moves):
    n = 0
    if not s.pending >> seat & 1:
        return 0
    if s.phase == LOOK:
        moves[0] = SKIP
        n = 1
        for other in range(s.players):
            if other != seat:
                moves[n] = LOOK_AT + other
                n += 1
    elif s.phase == CHOOSE:
        for card in range(KINDS):
            if s.hand[seat][card] and s.choice[seat] != card + 1:
                moves[n] = CHOOSE_CARD + card
                n += 1
        if s.choice[seat]:
            moves[n] = READY
            n += 1
    else:
        moves[0] = REPLY
        n = 1
        if s.hand[seat][0]:
            moves[1] = REPLY + 1
            n = 2
    return n


def apply(s, seat, move):
    verb = VERB[move]
    x = X[move]
    if verb == DEAL_CARD:
        deal(s, x)
    elif verb == PRIZE:
        s.prize = x + 1
        begin_round(s)
    elif verb == SKIP:
        begin_choosing(s)
    elif verb == LOOK_AT:
        s.target = x
        s.phase = LOOKED
        s.pending = CHANCE
    elif verb == SEEN:
        if s.known[s.first][s.target][x] == 0:
            s.known[s.first][s.target][x] = 1
        begin_choosing(s)
    elif verb == CHOOSE_CARD:
        s.choice[seat] = x + 1
    elif verb == READY:
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
        s.target += 1
    if s.target == s.players:
        s.target = 0
        s.phase = TURN_UP


def begin_round(s):
    if s.looks:
        s.phase = LOOK
        s.pending = 1 << s.first
    else:
        begin_choosing(s)


def begin_choosing(s):
    s.phase = CHOOSE
    s.pending = everyone(s)
    s.target = 0


def spend(s, seat, card):
    """A card leaves a hand for all to see."""
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
        s.ready[seat] = 0
    if s.size[0]:
        s.phase = ANSWER
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
    s.phase = TURN_UP
    s.pending = CHANCE
    for seat in range(s.players):
        if s.size[seat] == 0:
            s.phase = OVER
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
    if verb == DEAL_CARD:
        return 1 << s.target
    if verb == SEEN:
        return 1 << s.first | 1 << s.target
    if verb == CHOOSE_CARD:
        return SILENT | 1 << seat
    if verb == REPLY:
        return 1 << seat
    return EVERYONE


def reveals(s, seat, move):
    verb = VERB[move]
    if (verb == READY or verb == REPLY) and s.pending == 1 << seat:
        return EVERYONE
    return 0


def refusal(s, seat, move):
    if s.phase == CHOOSE and VERB[move] == CHOOSE_CARD and not s.hand[seat][X[move]]:
        return 0
    if s.phase == CHOOSE and VERB[move] == READY:
        return 1
    return -1


def scores(s, out):
    for seat in range(s.players):
        out[seat] = s.score[seat]


def determinize(s, seat, rng):
    for card in range(KINDS):
        s.spare[card] = COPIES[card] - s.gone[card]
        if seat >= 0:
            s.spare[card] -= s.hand[seat][card]
    for other in range(s.players):
        if other != seat:
            for card in range(KINDS):
                known = s.known[seat][other][card] if seat >= 0 else 0
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
        card = pick(rng, s.spare, KINDS)
        s.spare[card] -= 1
        s.hand[seat][card] += 1


def guess_plans(s, seat, rng):
    s.choice[seat] = 0
    if s.phase == CHOOSE:
        s.choice[seat] = pick(rng, s.hand[seat], KINDS) + 1
    s.answer[seat] = 0
    if s.phase == ANSWER and not s.pending >> seat & 1:
        s.answer[seat] = 2 if s.hand[seat][0] and pick(rng, COPIES, 2) == 0 else 1
