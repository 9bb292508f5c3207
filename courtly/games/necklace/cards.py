"""Queen's Necklace: the cards, their values, and the composition of the deck, from components.toml."""

import tomllib
from math import gcd
from pathlib import Path

from courtly.engine.enums import NamedInt

DATA, TUNED = (
    tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))
    for name in ("components.toml", "tuned.toml")  # of the second file, only the price ladders
)
MONEY, SETUP, BONUS = DATA["money"], DATA["setup"], DATA["bonus"]
PLAYERS = 4


class Gem(NamedInt):
    """The gems, amber last."""

    RUBY, EMERALD, DIAMOND, AMBER = range(4)


class Card(NamedInt):
    """The cards: gem cards first, those of amber after those of true gems."""

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
        QUEENS_NECKLACE,
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


class Group(NamedInt):
    """Groups of cards that bounds of hands distinguish; gems have their own numbers."""

    RUBY, EMERALD, DIAMOND, AMBER, MUSKETEER, OTHER = range(6)


KINDS, GEM_KINDS, GROUPS = len(Card), Card.RING, len(Group)
GEM_CARDS, TRUE_CARDS, TRUE_GEMS = tuple(Card)[:GEM_KINDS], tuple(Card)[: Card.AMBER_1], tuple(Gem)[: Gem.AMBER]
UNNAMED = KINDS  # stands for a card whose kind is unknown
EMPTY = -1  # no card

# --- kinds of cards ---------------------------------------------------------------------------------------------------

_CARDS = tuple(DATA["cards"][card] for card in Card)
COUNT = tuple(card["count"] for card in _CARDS)
GEM_OF = tuple(Gem.names.index(card["gem"]) for card in _CARDS[:GEM_KINDS])
GROUP_OF = tuple(
    GEM_OF[card] if card < GEM_KINDS else Group.MUSKETEER if card == Card.MUSKETEER else Group.OTHER
    for card in range(KINDS)
)
STONES = tuple(card["stones"] for card in _CARDS[:GEM_KINDS])
UNBOUNDED = sum(COUNT[:GEM_KINDS])  # number of all gem cards: as a bound, it means no bound
RUNGS = 4
PRICE = (
    tuple(tuple(card["ladder"]) for card in _CARDS),
    tuple(tuple(DATA["clube_extremes"].get(name, card["ladder"])) for name, card in zip(Card, _CARDS, strict=True)),
    tuple(tuple(TUNED["cards"][name]["ladder"]) for name in Card),
)

# --- the sale ---------------------------------------------------------------------------------------------------------

# The pieces of a show: gem cards, then rings, kings and the necklace, each with a gem, then bankers.
SHOWABLE = GEM_CARDS + tuple(f"{card}_{gem}" for card in ("ring", "king", "necklace") for gem in Gem) + ("banker",)
SHOWN = len(SHOWABLE)
RINGS_AT, KING_AT, NECKLACE_AT, BANKER_AT = range(GEM_KINDS, SHOWN, len(Gem))  # the first index of each
SHOWN_CARD = tuple(range(GEM_KINDS)) + tuple(Card.RING + (piece - RINGS_AT) // 4 for piece in range(RINGS_AT, SHOWN))

BUDGET, COURTIER_MONEY, GIFT, BANKER_BONUS = MONEY["budget"], MONEY["courtier"], MONEY["necklace_gift"], MONEY["banker"]
FASHION_BONUS, RARITY_BONUS = tuple(BONUS["fashion"]), tuple(BONUS["rarity"])
# The most pounds that a sale of one gem can bring: for all its stones, one card changed by the alchemist, and all
# rings, at the highest price.
UNIT = gcd(*FASHION_BONUS, *RARITY_BONUS, BANKER_BONUS)
MOST_STONES = max(
    sum(COUNT[card] * STONES[card] for card in range(GEM_KINDS) if GEM_OF[card] == gem) for gem in range(len(Gem))
)
POUNDS = range(
    UNIT,
    (MOST_STONES + max(STONES) + COUNT[Card.RING])
    * (FASHION_BONUS[0] + RARITY_BONUS[0] + COUNT[Card.BANKER] * BANKER_BONUS)
    + 1,
    UNIT,
)
AMOUNTS = len(POUNDS)

# --- the deck ---------------------------------------------------------------------------------------------------------

SLOTS, OTHER_SLOTS, JITTER = SETUP["row"], SETUP["other_row"], SETUP["jitter"]
HAND, SALES, MERCHANTS = SETUP["hand"], SETUP["sales"], SETUP["sales"]
THIN = (0, SETUP["thin"])
# By variant and number of players: the number of cards after dealing, without and with merchants; and the number of
# cards left when each merchant comes at the earliest and at the latest, by the offset of the first two.
REST = tuple(tuple(sum(COUNT) - HAND * n - thin for n in range(PLAYERS + 1)) for thin in THIN)
DECK = tuple(tuple(rest + MERCHANTS for rest in row) for row in REST)
EARLIEST, LATEST = (
    tuple(
        tuple(
            tuple(
                (
                    rest + MERCHANTS - (rest // 3 + sign * off),
                    rest + MERCHANTS - (2 * rest // 3 + 1 + sign * off),
                    SETUP["last_block"] if sign < 0 else 1,
                )
                for rest in row
            )
            for row in REST
        )
        for off in range(JITTER + 1)
    )
    for sign in (-1, 1)
)
