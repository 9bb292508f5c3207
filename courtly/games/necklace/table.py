"""Queen's Necklace (Bruno Cathala and Bruno Faidutti, 2003): the state and the moves.

The deck has no order: a card is drawn from all unseen cards, and whether a merchant comes is decided when its place is
reached. What a seat knows about other hands is a lower bound for each card.
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
COPIES = max(COUNT)  # the most copies of a card
MOST_BUDGET = BUDGET + COUNT[Card.COURTIER] * COURTIER_MONEY
MOST_RESTARTS = 20  # the most restarts of one show, so that every game ends


class Story(NamedInt):
    """Public events of a hand."""

    (
        COME,  # a card came publicly
        GONE,  # a card left publicly
        DRAWN,  # a card came that only its owner saw
        STOLEN,  # a thief took a card that only giver and taker saw; the entry names the taker
        LOOKED,  # the hand was shown to one seat, which the entry names
        LACKED,  # it held no card of a gem, which the entry names
    ) = range(6)


THEFTS, LOOKS = COUNT[Card.THIEF], COUNT[Card.CONFESSOR] + COUNT[Card.FORGER]
# Every card comes to a hand at most once and leaves it at most once; only the necklace moves publicly between hands.
STORIES = 64  # the most combinations of guessed thefts that are kept
LONGEST_STORY = 2 * sum(COUNT) + 2 * (THEFTS + COUNT[Card.MUSKETEER] // 3) + THEFTS + LOOKS + COUNT[Card.FORGER]


class Phase(NamedInt):
    (
        TILES,  # drawing the order of fashion
        STARTING,  # drawing the start player
        DEALING,
        OPENING,  # turning up the first cards
        INFLUENCE,  # the active player may play blue cards; a purchase ends this
        FORGER,  # the forger's target answers
        THIEF,  # drawing a card from a hand
        PURCHASE,  # the active player has bought a card, and may buy more
        ASTROLOGER,  # drawing a card for the astrologer
        REFILL,  # filling the row
        QUEEN,  # a gem was turned up: the active player may use the queen
        CARDINAL,  # a merchant came: seats may postpone the sale
        TURN_ENDS,  # the value of `back` for a sale after its postponement
        SHOW,  # all seats choose what to show, in secret
        ALCHEMIST,  # shows are revealed: a seat may use the alchemist
        SETTLING,  # the events of the outcome, step by step
        SALE_ENDS,
        OVER,
    ) = range(18)


class State(StateBase):
    """The state of the game: public fields, and what each seat knows about hidden ones."""

    players = i8(option=(2, 3, 4))
    ladders = i8(option=(0, 1, 2))  # prices: 0: components.toml; 1: its clube_extremes; 2: tuned.toml
    rarity_zero_counts = i8(option=(1, 0))  # 1: a gem without stones takes a rarity tile
    banker_applies_to_rings = i8(option=(1, 0))
    influence_needs_turn_start = i8(option=(0, 1))  # 1: a blue card taken this turn must wait for the next one
    trio_scope = i8(option=(1, 0))  # three musketeers fetch the necklace: 1: from a player or the row; 0: from a player
    tie_break = i8(option=(0, 1))  # 0: victory is shared; 1: the last sale breaks the tie
    merchant_jitter = i8(option=(0, JITTER))  # the greatest displacement of the first two merchants
    row_size = i8(option=(SLOTS, OTHER_SLOTS))
    thin_deck = i8(option=(0, 1))  # 1: some cards are left out

    pending = i8()
    phase = i8(of=Phase)
    back = i8(of=Phase)  # the phase that a sale or a merchant interrupted
    active = i8(of=SEATS)  # the seat at turn
    budget = i8(most=MOST_BUDGET)  # ducats left this turn
    bought = i8(most=MOST_BUDGET)  # cards bought this turn
    fashion = i8(len(Gem), of=Gem)  # the gem at each place, the most fashionable first
    row = i8(SLOTS, of=Card, none=EMPTY)  # cards on offer
    rung = i8(SLOTS, most=RUNGS)  # the place of the golden ring; 0 is the highest price
    left = i8(most=sum(COUNT) + SALES)  # cards in the deck, merchants included
    merchants = i8(most=SALES)  # merchants that have come
    held = i8(SEATS, most=SALES)  # merchants kept by a seat: sales postponed to the end of its next turn
    sales = i8(most=SALES)  # sales that are over
    necklace = i8(of=SEATS, none=NOBODY)  # the wearer of the queen's necklace
    size = i8(SEATS, most=sum(COUNT))  # cards in each hand
    score = i16(SEATS, least=-GIFT * SALES, most=PLAYERS * SALES * POUNDS[-1])
    discard = i8(Card, most=COPIES)

    target = i8(of=SEATS)  # the seat that is being dealt to, or that answers the forger; undefined in other phases
    gem = i8(of=Gem)  # the gem that the forger asks for; undefined in other phases
    giver = i8(of=SEATS)  # the seats that lose and get the card drawn by the thief; undefined in other phases
    taker = i8(of=SEATS)
    offered = i8(of=Card, none=EMPTY)  # the gem card that the queen may take
    deferrer = i8(of=SEATS, none=NOBODY)  # the seat that played the last cardinal on this merchant

    shown = i8(SEATS, SHOWABLE, most=COPIES)  # the shows of the last sale
    stones = i8(SEATS, Gem, most=MOST_STONES)  # stones that count, after the alchemist's change
    openly = i8(SEATS, SHOWABLE, most=COPIES)  # cards laid openly for this sale: they have left the hand
    alchemist = i8(of=SEATS, none=NOBODY)  # the seat that used the alchemist in the last sale
    changed = i8(of=Card)  # the card that was changed, if the alchemist was used
    into = i8(of=Gem)  # the gem that it became
    rarity = i8(Gem, most=max(RARITY_BONUS))  # the bonus of each gem's rarity tile in the last sale
    price = i8(Gem, most=max(FASHION_BONUS) + max(RARITY_BONUS))  # pounds for a stone: fashion and rarity bonuses
    step = i8(least=-1, most=len(Gem) * (1 + PLAYERS) + PLAYERS)  # the current step of the outcome
    income = i16(SALES, SEATS, Gem, most=POUNDS[-1])  # pounds for stones and rings sold, by sale
    gifts = i16(SALES, SEATS, least=-GIFT * PLAYERS, most=GIFT * PLAYERS)  # pounds received for the necklace

    seen = i8(SEATS, Card, most=COPIES)  # cards that every seat knows in a hand
    unknown = i8(SEATS, most=sum(COUNT))  # the number of other cards in each hand
    at_most = i8(SEATS, Gem, most=UNBOUNDED)  # upper bound for the cards of a gem, since a forger found none

    story = i16(LONGEST_STORY, key=True)  # public events of hands, in order: see `tell` in hands.py
    told = i16(most=LONGEST_STORY)  # the number of these
    thefts = i8(most=THEFTS)  # number of thefts that only two seats saw
    looks = i8(most=LOOKS)  # number of times that a hand was shown to one seat

    hand = i8(SEATS, Card, most=COPIES, private=True)
    fresh = i8(SEATS, Card, most=COPIES, private=True)  # cards taken this turn, if they must wait
    tray = i8(SEATS, SHOWABLE, most=COPIES, private=True)  # cards laid covered for this sale, still in the hand
    restarts = i8(SEATS, most=MOST_RESTARTS, private=True)  # how often the seat has cleared this show
    known = i8(SEATS, SEATS, Card, most=COPIES, private=True)  # row n: the cards that n knows in each other hand
    loot = i8(SEATS, THEFTS, of=Card, none=0, private=True)  # row n: the stolen cards, for thefts that n saw
    looked = i8(SEATS, LOOKS, Card, most=COPIES, private=True)  # row n: the hands that were shown to n
    deck = i8(Card, most=COPIES, secret=True)  # cards that no seat has seen, those left out included
    pile = i8(most=sum(COUNT), secret=True)  # the number of these

    pool = i8(Card, scratch=True)
    weight = i8(Card, scratch=True)
    kinds = i8(Group, scratch=True)  # the pool by group
    room = i8(SEATS, Group, scratch=True)  # how many cards of each group can be among the unknown cards of a hand
    want = i8(SEATS, scratch=True)  # unknown cards of a hand
    hidden = i8(scratch=True)  # cards of the pool that can be in a hand, unknown
    guess = i8(THEFTS, scratch=True)  # the guesses of stolen cards; UNNAMED: the kind is unknown
    untried = i32(THEFTS, scratch=True)  # bits of the guesses that were not tried yet
    ways = i32(scratch=True)  # number of possible combinations of guesses
    best_way = i32(scratch=True)  # the logarithm of the likelihood of the most likely one
    mass = i32(scratch=True)  # the sum of their likelihoods
    stories = i16(scratch=True)  # combinations that are kept
    likely = i32(STORIES, scratch=True)  # the likelihood of each
    taken = i32(STORIES, scratch=True)  # the guesses of each, in one number
    recalled = i8(scratch=True)  # 1: the combinations stand for all worlds that are dealt now
    at = i16(scratch=True)  # position of the replay in the story
    past_thefts = i8(scratch=True)  # thefts replayed
    past_looks = i8(scratch=True)  # looks replayed
    wrong = i16(scratch=True)  # contradictions
    then_at = i16(scratch=True)  # the same at a stored position, with `hand`, `room` and `want` at that position
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
# The card that a move discards from the hand of its seat; EMPTY for none.
PLAYED = tuple(X[move] if verb == MOVES.discard else _PLAYED.get(verb, EMPTY) for move, verb in enumerate(VERB))

# The cards that can be played before the purchase, in the order in which they are listed: the first move of each, and,
# by the move table, whether it targets an opponent and how many gems it can name.
INFLUENCE = (MOVES.courtier, MOVES.favorite, MOVES.musketeers, MOVES.confessor, MOVES.thief, MOVES.forger)
AIMED = tuple(int("target" in MOVES.decode(first).args) for first in INFLUENCE)
NAMED = tuple(len(Gem) if "gem" in MOVES.decode(first).args else 1 for first in INFLUENCE)
INFLUENCES = len(INFLUENCE)
