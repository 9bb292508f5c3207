"""Queen's Necklace (Bruno Cathala and Bruno Faidutti, 2003): what lies on the table, and the moves.

The deck has no order: a card is drawn from all that nobody has seen, and where a merchant lies is decided when its
place is reached. What a player knows of another's hand is a lower bound for each card: so many are certain.
"""

import tomllib
from math import gcd
from pathlib import Path

from courtly.engine.moves import Moves, seats
from courtly.engine.names import Names
from courtly.engine.record import Record, i8, i16, i32

DATA = tomllib.loads(Path(__file__).with_name("components.toml").read_text("utf-8"))
MONEY, SETUP, BONUS = DATA["money"], DATA["setup"], DATA["bonus"]

# --- cards ------------------------------------------------------------------------------------------------------------

PLAYERS = 4
SEATS = seats(PLAYERS)
GEMS = ("ruby", "emerald", "diamond", "amber")
RUBY, EMERALD, DIAMOND, AMBER = range(4)
TRUE_GEMS = GEMS[:AMBER]
GEM_CARDS = (
    "ruby_1",
    "ruby_2",
    "ruby_3",
    "emerald_1",
    "emerald_2",
    "emerald_3",
    "diamond_1",
    "diamond_2",
    "diamond_3",
    "amber_1",
)
TRUE_CARDS = GEM_CARDS[:9]
CARDS = GEM_CARDS + (
    "ring",
    "king",
    "queens_necklace",
    "banker",
    "confessor",
    "courtier",
    "forger",
    "favorite",
    "thief",
    "alchemist",
    "astrologer",
    "cardinal",
    "musketeer",
    "queen",
)
(
    RUBY_1,
    RUBY_2,
    RUBY_3,
    EMERALD_1,
    EMERALD_2,
    EMERALD_3,
    DIAMOND_1,
    DIAMOND_2,
    DIAMOND_3,
    AMBER_1,
    RING,
    KING,
    NECKLACE,
    BANKER,
    CONFESSOR,
    COURTIER,
    FORGER,
    FAVORITE,
    THIEF,
    ALCHEMIST,
    ASTROLOGER,
    CARDINAL,
    MUSKETEER,
    QUEEN,
) = range(24)
KINDS = len(CARDS)
UNNAMED = KINDS  # instead of a card: one that nobody could name
GEM_KINDS = len(GEM_CARDS)
CARD = tuple(DATA["cards"][card] for card in CARDS)
COUNT = tuple(card["count"] for card in CARD)
GEM = tuple(GEMS.index(card["gem"]) for card in CARD[:GEM_KINDS])
STONES = tuple(card["stones"] for card in CARD[:GEM_KINDS])
PRICE = (
    tuple(tuple(card["ladder"]) for card in CARD),
    tuple(tuple(DATA["clube_extremes"].get(name, card["ladder"])) for name, card in zip(CARDS, CARD, strict=True)),
)
RUNGS = 4
SLOTS = SETUP["row"]
SLOT = range(1, SLOTS + 1)
EMPTY = -1
UNBOUNDED = sum(COUNT[:GEM_KINDS])  # as many of a gem as there are gem cards: no bound at all

# Cards by what can be known of hands beside single cards: gems, musketeers, all others.
GROUPS = GEMS + ("musketeer", "other")
GROUP = tuple(
    GEMS.index(card["gem"]) if "gem" in card else GROUPS.index("musketeer" if name == "musketeer" else "other")
    for name, card in zip(CARDS, CARD, strict=True)
)
MUSKETEER_GROUP, OTHERS = GROUPS.index("musketeer"), GROUPS.index("other")

# What can be shown in a sale, as it is laid: gem cards, then rings, a king and the necklace, each with a gem, then
# bankers.
SHOWABLE = GEM_CARDS + tuple(f"{card}_{gem}" for card in ("ring", "king", "necklace") for gem in GEMS) + ("banker",)
SHOWN = len(SHOWABLE)
RINGS_AT, KING_AT, NECKLACE_AT, BANKER_AT = 10, 14, 18, 22
SHOWN_CARD = tuple(range(GEM_KINDS)) + (RING,) * 4 + (KING,) * 4 + (NECKLACE,) * 4 + (BANKER,)
MOST_RESTARTS = 20  # of one show, so that every game ends

BUDGET, COURTIER_MONEY, GIFT, BANKER_BONUS = MONEY["budget"], MONEY["courtier"], MONEY["necklace_gift"], MONEY["banker"]
FASHION_BONUS, RARITY_BONUS = tuple(BONUS["fashion"]), tuple(BONUS["rarity"])
# What a sale of one gem can bring: every stone of it, one that the alchemist changed and all rings, at the highest
# price.
UNIT = gcd(*FASHION_BONUS, *RARITY_BONUS, BANKER_BONUS)
MOST_STONES = max(
    sum(COUNT[card] * STONES[card] for card in range(GEM_KINDS) if GEM[card] == gem) for gem in range(len(GEMS))
)
POUNDS = range(
    UNIT,
    (MOST_STONES + max(STONES) + COUNT[RING]) * (FASHION_BONUS[0] + RARITY_BONUS[0] + COUNT[BANKER] * BANKER_BONUS) + 1,
    UNIT,
)
AMOUNTS = len(POUNDS)
HAND, SALES, MERCHANTS = SETUP["hand"], SETUP["sales"], SETUP["sales"]
THIN = (0, SETUP["thin"])

# The deck after dealing, merchants included, by variant and players; and the first and last place, counted from 0,
# where each merchant can be, by how far the first two may be displaced.
REST = tuple(tuple(sum(COUNT) - HAND * n - thin for n in range(PLAYERS + 1)) for thin in THIN)
DECK = tuple(tuple(rest + MERCHANTS for rest in row) for row in REST)
FIRST_PLACE, LAST_PLACE = (
    tuple(
        tuple(
            tuple(
                (
                    rest // 3 + sign * off,
                    2 * rest // 3 + 1 + sign * off,
                    rest + MERCHANTS - (SETUP["last_block"] if sign < 0 else 1),
                )
                for rest in row
            )
            for row in REST
        )
        for off in range(SETUP["jitter"] + 1)
    )
    for sign in (-1, 1)
)

# --- what everybody sees happen to hands ------------------------------------------------------------------------------

(
    COME,  # a card came to a hand for all to see
    GONE,  # left it for all to see
    DRAWN,  # came, and only its owner saw it
    STOLEN,  # was taken by a thief, and only giver and taker saw it; instead of a card the taker is noted
    LOOKED,  # a hand was shown to one player, who is noted
    LACKED,
) = range(6)  # a hand held no card of a gem, which is noted
THEFTS, LOOKS = COUNT[THIEF], COUNT[CONFESSOR] + COUNT[FORGER]
# Every card comes to a hand once at most, and goes once; the necklace alone goes from hand to hand for all to see.
STORY = 2 * sum(COUNT) + 2 * (THEFTS + COUNT[MUSKETEER] // 3) + THEFTS + LOOKS + COUNT[FORGER]

# --- phases -----------------------------------------------------------------------------------------------------------


class Phase(Names):
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


class State(Record):
    """Everything on the table, and what each player knows of what is not."""

    players = i8(option=(2, 3, 4))
    ladders = i8(option=(0, 1))  # 0: prices as in components.toml; 1: its clube_extremes
    rarity_zero_counts = i8(option=(1, 0))  # 1: a gem that nobody shows takes a rarity tile
    banker_applies_to_rings = i8(option=(1, 0))
    influence_needs_turn_start = i8(option=(0, 1))  # 1: a blue card taken this turn cannot be played this turn
    trio_scope = i8(option=(0, 1))  # 0: three musketeers fetch the necklace from an opponent; 1: or from the row
    tie_break = i8(option=(0, 1))  # 0: victory is shared; 1: the better last sale decides
    merchant_jitter = i8(option=(0, SETUP["jitter"]))  # by how much the first two merchants may be displaced
    row_size = i8(option=(SLOTS, SETUP["other_row"]))
    thin_deck = i8(option=(0, 1))  # 1: some cards are left out

    pending = i8()
    phase = i8(of=Phase)
    back = i8(of=Phase)  # the phase that a sale or a merchant interrupted
    active = i8()  # whose turn it is
    budget = i8()  # ducats left this turn
    bought = i8()  # cards bought this turn
    fashion = i8(len(GEMS))  # the gem at each place, the most fashionable first
    row = i8(SLOTS)  # cards on offer; EMPTY
    rung = i8(SLOTS)  # where the golden ring stands: 0 is the dearest price
    left = i8()  # cards in the deck, merchants included
    merchants = i8()  # merchants that have come
    held = i8(PLAYERS)  # merchants that stand beside a player: sales put off to the end of the next turn
    sales = i8()  # sales that are over
    necklace = i8()  # who wears the queen's necklace; NOBODY
    size = i8(PLAYERS)  # cards in each hand
    score = i16(PLAYERS)
    discard = i8(CARDS)

    target = i8()  # the seat being dealt to, answering the forger, or asked for a cardinal
    gem = i8()  # what the forger asks for
    giver = i8()  # whose hand the thief's card is drawn from, and for whom
    taker = i8()
    offered = i8()  # the gem card the queen may take; EMPTY
    deferrer = i8()  # who played the last cardinal on this merchant; NOBODY

    shown = i8(PLAYERS, SHOWABLE)  # what everybody showed in the last sale
    stones = i8(PLAYERS, GEMS)  # stones shown, as they count: the alchemist has been at work
    alchemist = i8()  # who used the alchemist in the last sale; NOBODY
    changed = i8()  # the card that was changed
    into = i8()  # and the gem it became
    rarity = i8(GEMS)  # the bonus of each gem's rarity tile in the last sale
    price = i8(GEMS)  # pounds for a stone, bonus for fashion and rarity
    step = i8()  # how far the outcome has been told
    income = i16(SALES, PLAYERS, GEMS)  # pounds for stones and rings sold, by sale
    gifts = i16(SALES, PLAYERS)  # pounds given (negative) or received for the necklace, by sale

    seen = i8(PLAYERS, CARDS)  # cards that everybody knows to be in a hand
    unknown = i8(PLAYERS)  # and how many others there are
    at_most = i8(PLAYERS, GEMS)  # no more cards of a gem than this, since a forger found none

    story = i16(STORY)  # what everybody saw happen to hands, in order: see `tell` in hands.py
    told = i16()  # how much that is
    thefts = i8()  # how often a thief took a card that not all saw
    looks = i8()  # how often a hand was shown to one player

    hand = i8(PLAYERS, CARDS, private=True)
    fresh = i8(PLAYERS, CARDS, private=True)  # cards taken this turn, where they may not be played
    tray = i8(PLAYERS, SHOWABLE, private=True)  # cards chosen to be shown, still in the hand
    restarts = i8(PLAYERS, private=True)  # how often this show has been begun anew
    known = i8(PLAYERS, PLAYERS, CARDS, private=True)  # row n: what n knows to be in the others' hands, at least
    loot = i8(PLAYERS, THEFTS, private=True)  # row n: the card of each theft, counted from 1, if n saw it
    looked = i8(PLAYERS, LOOKS, CARDS, private=True)  # row n: the hands that were shown to n
    deck = i8(CARDS, secret=True)  # and cards left out: what has not been seen by anybody
    pile = i8(secret=True)  # how many those are

    pool = i8(CARDS, scratch=True)
    weight = i8(CARDS, scratch=True)
    kinds = i8(GROUPS, scratch=True)  # the pool by group
    room = i8(PLAYERS, GROUPS, scratch=True)  # how many of these the unknown cards of a hand can be
    want = i8(PLAYERS, scratch=True)  # unknown cards of a hand
    hidden = i8(scratch=True)  # cards of the pool that can be in a hand, unknown
    guess = i8(THEFTS, scratch=True)  # what was stolen: a card, or UNNAMED: one that nobody could name
    odds = i32(len(CARDS) + 1, scratch=True)  # how likely each is to have been stolen, and the chances to guess it
    chances = i32(len(CARDS) + 1, scratch=True)
    at = i16(scratch=True)  # how much of the story has been lived through again,
    past_thefts = i8(scratch=True)  # with so many thefts
    past_looks = i8(scratch=True)  # and looks,
    wrong = i16(scratch=True)  # and what could not have happened so
    past_hand = i8(PLAYERS, CARDS, scratch=True)  # `hand`, `room` and `want` at some place of it
    past_room = i8(PLAYERS, GROUPS, scratch=True)
    past_want = i8(PLAYERS, scratch=True)


MOVES = Moves(
    buy=dict(slot=SLOT, card=CARDS),
    end={},
    confessor=dict(target=SEATS),
    courtier={},
    forger=dict(target=SEATS, gem=GEMS),
    favorite=dict(gem=GEMS),
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
    ring=dict(gem=GEMS),
    king=dict(gem=GEMS),
    necklace=dict(gem=GEMS),
    banker={},
    clear={},
    commit={},
    alchemist=dict(card=TRUE_CARDS, gem=TRUE_GEMS),
    no_alchemist={},
    chance=dict(
        tile=dict(gem=GEMS),
        start=dict(player=SEATS),
        deal=dict(card=CARDS),
        turn_up=dict(card=CARDS),
        draw=dict(card=CARDS),
        merchant={},
        steal=dict(card=CARDS),
        stops=dict(gem=GEMS),
        sells=dict(player=SEATS, gem=GEMS, pounds=POUNDS),
        pays=dict(player=SEATS, wearer=SEATS),
    ),
)
BUY, END = MOVES.buy, MOVES.end
PLAY_CONFESSOR, PLAY_COURTIER, PLAY_FORGER, PLAY_FAVORITE, PLAY_THIEF = (
    MOVES.confessor,
    MOVES.courtier,
    MOVES.forger,
    MOVES.favorite,
    MOVES.thief,
)
MUSKETEERS, CANCEL, DISCARD, SHOW_HAND = MOVES.musketeers, MOVES.cancel, MOVES.discard, MOVES.show_hand
TAKE, DECLINE, PLAY_CARDINAL, NO_CARDINAL = MOVES.take, MOVES.decline, MOVES.cardinal, MOVES.no_cardinal
LAY, LAY_RING, LAY_KING, LAY_NECKLACE, LAY_BANKER, CLEAR, COMMIT = (
    MOVES.lay,
    MOVES.ring,
    MOVES.king,
    MOVES.necklace,
    MOVES.banker,
    MOVES.clear,
    MOVES.commit,
)
CONVERT, NO_ALCHEMIST = MOVES.alchemist, MOVES.no_alchemist
TILE, START, DEAL, TURN_UP, DRAW, MERCHANT, STEAL, STOPS, SELLS, PAYS = (
    MOVES.tile,
    MOVES.start,
    MOVES.deal,
    MOVES.turn_up,
    MOVES.draw,
    MOVES.merchant,
    MOVES.steal,
    MOVES.stops,
    MOVES.sells,
    MOVES.pays,
)
VERB, X, Y, Z = MOVES.tables
