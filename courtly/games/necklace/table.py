"""Queen's Necklace (Bruno Cathala and Bruno Faidutti, 2003): what lies on the table, and the moves.

The deck has no order: a card is drawn from all that nobody has seen, and where a merchant lies is decided when its
place is reached. What a player knows of another's hand is a lower bound for each card: so many are certain.
"""

from courtly.engine.constants import NOBODY
from courtly.engine.enums import NamedInt
from courtly.engine.moves import Moves
from courtly.engine.state import StateBase, i8, i16, i32, seats
from courtly.games.necklace.cards import (
    BUDGET,
    COUNT,
    COURTIER_MONEY,
    EMPTY,
    FASHION_BONUS,
    GEM_CARDS,
    GIFT,
    JITTER,
    MOST_STONES,
    OTHER_SLOTS,
    PLAYERS,
    POUNDS,
    RARITY_BONUS,
    RUNGS,
    SALES,
    SHOWABLE,
    SLOTS,
    TRUE_CARDS,
    TRUE_GEMS,
    UNBOUNDED,
    Card,
    Gem,
    Group,
)

SEATS = seats(PLAYERS)
SLOT = range(1, SLOTS + 1)
COPIES = max(COUNT)  # of any card
MOST_BUDGET = BUDGET + COUNT[Card.COURTIER] * COURTIER_MONEY
MOST_RESTARTS = 20  # of one show, so that every game ends


class Story(NamedInt):
    """What everybody sees happen to a hand."""

    (
        COME,  # a card came to it for all to see
        GONE,  # left it for all to see
        DRAWN,  # came, and only its owner saw it
        STOLEN,  # was taken by a thief, and only giver and taker saw it; instead of a card the taker is noted
        LOOKED,  # it was shown to one player, who is noted
        LACKED,  # it held no card of a gem, which is noted
    ) = range(6)


THEFTS, LOOKS = COUNT[Card.THIEF], COUNT[Card.CONFESSOR] + COUNT[Card.FORGER]
# Every card comes to a hand once at most, and goes once; the necklace alone goes from hand to hand for all to see.
STORIES = 64  # guesses of all thefts that are kept
LONGEST_STORY = 2 * sum(COUNT) + 2 * (THEFTS + COUNT[Card.MUSKETEER] // 3) + THEFTS + LOOKS + COUNT[Card.FORGER]


class Phase(NamedInt):
    (
        TILES,  # the order of fashion is being drawn
        STARTING,  # who begins is being drawn
        DEALING,
        OPENING,  # the first cards are being turned up
        INFLUENCE,  # the active player may play blue cards; a purchase ends this
        FORGER,  # the forger's target answers
        THIEF,  # a card of a hand is being drawn
        PURCHASE,  # the active player has bought and may go on
        ASTROLOGER,  # a card is being drawn for the astrologer
        REFILL,  # the row is being filled up
        QUEEN,  # a gem was turned up: will the queen take it?
        CARDINAL,  # a merchant came: will anybody put the sale off?
        TURN_ENDS,  # where a sale that was put off goes back to
        SHOW,  # everybody chooses in secret what to show
        ALCHEMIST,  # everything is turned over: will the alchemist be used?
        SETTLING,  # the sale's outcome is being told, step by step
        SALE_ENDS,
        OVER,
    ) = range(18)


class State(StateBase):
    """Everything on the table, and what each player knows of what is not."""

    players = i8(option=(2, 3, 4))
    ladders = i8(option=(0, 1, 2))  # 0: prices as in components.toml; 1: its clube_extremes; 2: tuned.toml
    rarity_zero_counts = i8(option=(1, 0))  # 1: a gem that nobody shows takes a rarity tile
    banker_applies_to_rings = i8(option=(1, 0))
    influence_needs_turn_start = i8(option=(0, 1))  # 1: a blue card taken this turn cannot be played this turn
    trio_scope = i8(option=(1, 0))  # 1: three musketeers fetch the necklace from a player or the row; 0: from a player
    tie_break = i8(option=(0, 1))  # 0: victory is shared; 1: the better last sale decides
    merchant_jitter = i8(option=(0, JITTER))  # by how much the first two merchants may be displaced
    row_size = i8(option=(SLOTS, OTHER_SLOTS))
    thin_deck = i8(option=(0, 1))  # 1: some cards are left out

    pending = i8()
    phase = i8(of=Phase)
    back = i8(of=Phase)  # the phase that a sale or a merchant interrupted
    active = i8(of=SEATS)  # whose turn it is
    budget = i8(most=MOST_BUDGET)  # ducats left this turn
    bought = i8(most=MOST_BUDGET)  # cards bought this turn
    fashion = i8(len(Gem), of=Gem)  # the gem at each place, the most fashionable first
    row = i8(SLOTS, of=Card, none=EMPTY)  # cards on offer; EMPTY
    rung = i8(SLOTS, most=RUNGS)  # where the golden ring stands: 0 is the dearest price
    left = i8(most=sum(COUNT) + SALES)  # cards in the deck, merchants included
    merchants = i8(most=SALES)  # merchants that have come
    held = i8(SEATS, most=SALES)  # merchants that stand beside a player: sales put off to the end of the next turn
    sales = i8(most=SALES)  # sales that are over
    necklace = i8(of=SEATS, none=NOBODY)  # who wears the queen's necklace; NOBODY
    size = i8(SEATS, most=sum(COUNT))  # cards in each hand
    score = i16(SEATS, least=-GIFT * SALES, most=PLAYERS * SALES * POUNDS[-1])
    discard = i8(Card, most=COPIES)

    target = i8(of=SEATS)  # the seat being dealt to, or answering the forger; says nothing in other phases
    gem = i8(of=Gem)  # what the forger asks for; says nothing in other phases
    giver = i8(of=SEATS)  # whose hand the thief's card is drawn from, and for whom; only then
    taker = i8(of=SEATS)
    offered = i8(of=Card, none=EMPTY)  # the gem card the queen may take; EMPTY
    deferrer = i8(of=SEATS, none=NOBODY)  # who played the last cardinal on this merchant; NOBODY

    shown = i8(SEATS, SHOWABLE, most=COPIES)  # what everybody showed in the last sale
    stones = i8(SEATS, Gem, most=MOST_STONES)  # stones shown, as they count: the alchemist has been at work
    openly = i8(SEATS, SHOWABLE, most=COPIES)  # cards laid openly for this sale: they have left the hand
    alchemist = i8(of=SEATS, none=NOBODY)  # who used the alchemist in the last sale; NOBODY
    changed = i8(of=Card)  # the card that was changed, if there is such a seat
    into = i8(of=Gem)  # and the gem it became
    rarity = i8(Gem, most=max(RARITY_BONUS))  # the bonus of each gem's rarity tile in the last sale
    price = i8(Gem, most=max(FASHION_BONUS) + max(RARITY_BONUS))  # pounds for a stone, bonus for fashion and rarity
    step = i8(least=-1, most=len(Gem) * (1 + PLAYERS) + PLAYERS)  # how far the outcome has been told
    income = i16(SALES, SEATS, Gem, most=POUNDS[-1])  # pounds for stones and rings sold, by sale
    gifts = i16(SALES, SEATS, least=-GIFT * PLAYERS, most=GIFT * PLAYERS)  # pounds received for the necklace

    seen = i8(SEATS, Card, most=COPIES)  # cards that everybody knows to be in a hand
    unknown = i8(SEATS, most=sum(COUNT))  # and how many others there are
    at_most = i8(SEATS, Gem, most=UNBOUNDED)  # no more cards of a gem than this, since a forger found none

    story = i16(LONGEST_STORY, key=True)  # what everybody saw happen to hands, in order: see `tell` in hands.py
    told = i16(most=LONGEST_STORY)  # how much that is
    thefts = i8(most=THEFTS)  # how often a thief took a card that not all saw
    looks = i8(most=LOOKS)  # how often a hand was shown to one player

    hand = i8(SEATS, Card, most=COPIES, private=True)
    fresh = i8(SEATS, Card, most=COPIES, private=True)  # cards taken this turn, where they may not be played
    tray = i8(SEATS, SHOWABLE, most=COPIES, private=True)  # cards laid covered for this sale, still in the hand
    restarts = i8(SEATS, most=MOST_RESTARTS, private=True)  # how often this show has been begun anew
    known = i8(SEATS, SEATS, Card, most=COPIES, private=True)  # row n: what n knows of the others' hands
    loot = i8(SEATS, THEFTS, of=Card, none=0, private=True)  # row n: of each theft, if n saw it
    looked = i8(SEATS, LOOKS, Card, most=COPIES, private=True)  # row n: the hands that were shown to n
    deck = i8(Card, most=COPIES, secret=True)  # and cards left out: what has not been seen by anybody
    pile = i8(most=sum(COUNT), secret=True)  # how many those are

    pool = i8(Card, scratch=True)
    weight = i8(Card, scratch=True)
    kinds = i8(Group, scratch=True)  # the pool by group
    room = i8(SEATS, Group, scratch=True)  # how many of these the unknown cards of a hand can be
    want = i8(SEATS, scratch=True)  # unknown cards of a hand
    hidden = i8(scratch=True)  # cards of the pool that can be in a hand, unknown
    guess = i8(THEFTS, scratch=True)  # what was stolen: a card, or UNNAMED: one that nobody could name
    untried = i32(THEFTS, scratch=True)  # bits of what else it may have been
    ways = i32(scratch=True)  # in which all can have been,
    best_way = i32(scratch=True)  # how likely the likeliest is,
    mass = i32(scratch=True)  # and all together
    stories = i16(scratch=True)  # ways that are kept,
    likely = i32(STORIES, scratch=True)  # how likely each is,
    taken = i32(STORIES, scratch=True)  # and all its guesses in one number
    recalled = i8(scratch=True)  # 1: these stand for all worlds that are dealt now
    at = i16(scratch=True)  # how much of the story has been lived through again,
    past_thefts = i8(scratch=True)  # with so many thefts
    past_looks = i8(scratch=True)  # and looks,
    wrong = i16(scratch=True)  # and what could not have happened so
    then_at = i16(scratch=True)  # the same at some place of it, and `hand`, `room` and `want` as they were there
    then_thefts = i8(scratch=True)
    then_looks = i8(scratch=True)
    then_wrong = i16(scratch=True)
    past_hand = i8(SEATS, Card, scratch=True)
    past_room = i8(SEATS, Group, scratch=True)
    past_want = i8(SEATS, scratch=True)


MOVES = Moves(
    buy=dict(slot=SLOT, card=Card),
    end={},
    confessor=dict(target=SEATS),
    courtier={},
    forger=dict(target=SEATS, gem=Gem),
    favorite=dict(gem=Gem),
    thief=dict(target=SEATS),
    musketeers={},
    cancel={},
    discard=dict(card=GEM_CARDS),
    show_hand={},
    take=dict(card=GEM_CARDS),
    decline={},
    cardinal={},
    no_cardinal={},
    lay=dict(card=GEM_CARDS),
    ring=dict(gem=Gem),
    king=dict(gem=Gem),
    necklace=dict(gem=Gem),
    banker={},
    clear={},
    commit={},
    lay_open=dict(card=GEM_CARDS),
    ring_open=dict(gem=Gem),
    king_open=dict(gem=Gem),
    necklace_open=dict(gem=Gem),
    banker_open={},
    alchemist=dict(card=TRUE_CARDS, gem=TRUE_GEMS),
    no_alchemist={},
    chance=dict(
        tile=dict(gem=Gem),
        start=dict(player=SEATS),
        deal=dict(card=Card),
        turn_up=dict(card=Card),
        draw=dict(card=Card),
        merchant={},
        steal=dict(card=Card),
        stops=dict(gem=Gem),
        sells=dict(player=SEATS, gem=Gem, pounds=POUNDS),
        pays=dict(player=SEATS, wearer=SEATS),
    ),
)
VERB, X, Y, Z = MOVES.columns

_PLAYED = {
    MOVES.confessor: Card.CONFESSOR,
    MOVES.courtier: Card.COURTIER,
    MOVES.forger: Card.FORGER,
    MOVES.favorite: Card.FAVORITE,
    MOVES.thief: Card.THIEF,
    MOVES.musketeers: Card.MUSKETEER,  # the first of three
    MOVES.cancel: Card.MUSKETEER,
    MOVES.take: Card.QUEEN,
    MOVES.cardinal: Card.CARDINAL,
    MOVES.alchemist: Card.ALCHEMIST,
}
# The card that a move discards from the hand of whoever makes it; EMPTY: none.
PLAYED = tuple(X[move] if verb == MOVES.discard else _PLAYED.get(verb, EMPTY) for move, verb in enumerate(VERB))

# What can be played before the purchase, in the order in which it is offered: the first of its moves, and, as the move
# table says, whether it is aimed at an opponent and how many gems it may name.
INFLUENCE = (MOVES.courtier, MOVES.favorite, MOVES.musketeers, MOVES.confessor, MOVES.thief, MOVES.forger)
AIMED = tuple(int("target" in MOVES.decode(first).args) for first in INFLUENCE)
NAMED = tuple(len(Gem) if "gem" in MOVES.decode(first).args else 1 for first in INFLUENCE)
INFLUENCES = len(INFLUENCE)
