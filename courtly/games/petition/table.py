"""To Court the King: the state, the moves, and the numbers of components.toml as tuples."""

import tomllib
from pathlib import Path

from courtly.engine.constants import NOBODY
from courtly.engine.enums import NamedInt
from courtly.engine.moves import Moves
from courtly.engine.state import StateBase, i8, i16, seats

DATA = tomllib.loads(Path(__file__).with_name("components.toml").read_text("utf-8"))

# --- the table --------------------------------------------------------------------------------------------------------

PLAYERS = 5
SEATS = seats(PLAYERS)
FACES = range(1, 7)  # rules use the index: face 1 is 0
PLUS = range(1, 4)  # pips that the maid can add
PIPS = range(1, 6)  # pips that the philosopher can move


class Card(NamedInt):
    """The characters."""

    (
        FOOL,
        CHARLATAN,
        FARMER,
        MAID,
        PHILOSOPHER,
        LABORER,
        GUARD,
        HUNTER,
        ASTRONOMER,
        MERCHANT,
        NOBLEWOMAN,
        PAWNBROKER,
        KNIGHT,
        MAGICIAN,
        ALCHEMIST,
        BISHOP,
        NOBLEMAN,
        GENERAL,
        KING,
        QUEEN,
    ) = range(20)


class Group(NamedInt):
    """A group of equal dice; its face is 1 to 6."""

    COUNT, FACE = range(2)


class Phase(NamedInt):
    (
        STARTING,  # drawing the start player
        BEFORE,  # before the first roll
        ACTING,  # after a roll: keep dice, use powers, roll again
        MERCHANT,  # choosing the merchant's dice
        NOBLEWOMAN,  # raising dice one by one
        NOBLEMAN,
        ALCHEMIST,  # choosing the alchemist's dice
        TURNING,  # giving them their new faces
        CLAIMING,  # choosing what to claim; all dice are set aside
        OVER,
    ) = range(10)


KINDS = len(Card)
CHARACTERS = tuple(DATA["characters"][card] for card in Card)
MOST_DICE, MOST_ROUNDS = DATA["dice"]["unlimited"], DATA["rounds"]["most"]
ADDERS = tuple(name for name, card in zip(Card, CHARACTERS, strict=True) if "adds" in card)


class State(StateBase):
    """The state of the game, which is entirely public."""

    players = i8(option=(2, 3, 4, 5))
    early_powers = i8(option=(1, 0))  # 1: dice can be added before the first roll
    fools = i8(option=(1, 0))  # 1: as many fools as players; 0: no limit
    dice_limit = i8(option=(DATA["dice"]["stock"], DATA["dice"]["unlimited"]))  # the most dice in use at once
    fool_rerolls = i8(option=(0, 1))  # the fool re-rolls: 0: a rolled die; 1: also an active die that was added
    # 0: drawn; else the seat that begins, from 1, modulo the number of players
    first_player = i8(option=(0, 1, 2, 3, 4, 5))
    # rounds after which the game is a draw if the king was not taken; 0: MOST_ROUNDS
    round_limit = i8(option=(0, *DATA["rounds"]["limits"]))

    pending = i8()
    phase = i8(of=Phase)
    round = i16(most=MOST_ROUNDS)  # counted from 1
    start = i8(of=SEATS)  # the seat that began this round
    turn = i8(most=PLAYERS)  # turns completed in this round
    seat = i8(of=SEATS, none=NOBODY)  # the seat at turn; NOBODY before the first turn
    final = i8(most=1)  # 1: the last round, in which nothing is claimed
    king = i8(of=SEATS, none=NOBODY)  # the holder of the king; NOBODY if he is on the table
    queen = i8(of=SEATS, none=NOBODY)  # the seat that took the king first, and keeps the queen
    mark = i8(Group, most=MOST_DICE)  # the group to beat, once the king is taken
    took = i8(Group, most=MOST_DICE)  # the group with which the queen's holder took the king
    results = i8(SEATS, Group, most=MOST_DICE)  # in the last round; the queen's holder starts with the group in `took`
    conceded = i8(SEATS, most=1)  # 1: did not roll in the last round

    owns = i16(SEATS, Card, most=MOST_ROUNDS)  # a flipped fool is a charlatan; a seat can own several of these
    supply = i8(Card, most=PLAYERS)  # copies on the table
    used = i8(Card, most=MOST_DICE)  # powers that the active player has used this turn

    rolling = i8(most=MOST_DICE)  # dice in the hand: to be rolled first, or just rolling
    active = i8(FACES, most=MOST_DICE)  # dice rolled or added, by face
    unrolled = i8(FACES, most=MOST_DICE)  # active dice that were added and have not been rolled since
    aside = i8(FACES, most=MOST_DICE)  # dice kept
    taken = i8(FACES, most=MOST_DICE)  # dice chosen for the power in use; raised ones already show their new face
    unrolled_taken = i8(FACES, most=MOST_DICE)  # dice in `taken` that have not been rolled
    turned = i8(FACES, most=MOST_DICE)  # new faces that the alchemist has given so far, for dice in `taken`
    last_turned = i8(of=FACES)  # the highest of them; they are given in ascending order
    kept = i8(most=1)  # 1: a die was set aside since the last roll


MOVES = Moves(
    keep=dict(face=FACES),
    roll={},
    finish={},
    claim=dict(card=tuple(Card)[: Card.QUEEN]),
    pass_={},
    concede={},
    add=dict(card=ADDERS),
    queen=dict(face=FACES),
    fool=dict(face=FACES),
    merchant=dict(face=FACES),
    maid=dict(face=FACES, plus=PLUS),
    philosopher=dict(giver=FACES, receiver=FACES, pips=PIPS),
    astronomer=dict(face=FACES, to=FACES),
    magician=dict(face=FACES, to=FACES),
    noblewoman=dict(face=FACES),
    nobleman=dict(face=FACES),
    alchemist=dict(face=FACES),
    turn=dict(face=FACES),
    done={},
    chance=dict(die=dict(face=FACES), start=dict(player=SEATS)),
)
VERB, X, Y, Z = MOVES.columns

# --- numbers from the data --------------------------------------------------------------------------------------------

FIRST_DICE = DATA["dice"]["start"]
KING_NEEDS = CHARACTERS[Card.KING]["needs"]["of_a_kind"]
FARMER_DICE, GENERAL_DICE, CHARLATAN_DICE = (
    CHARACTERS[card]["start"] for card in (Card.FARMER, Card.GENERAL, Card.CHARLATAN)
)
COPIES = tuple(
    tuple(DATA["copies"][f"level-{card['level']}"][n - 2] for card in CHARACTERS) if n > 1 else (0,) * KINDS
    for n in range(6)
)
ADDER = tuple(Card.names.index(card) for card in ADDERS)  # the card of each adder, in the order of its moves
ADDED = tuple(CHARACTERS[card]["adds"] - 1 for card in ADDER)  # the face of the die that it adds
ADDER_COUNT = len(ADDERS)
# Bits of the characters whose powers add dice, and of those whose powers change active dice.
ADDERS_AND_QUEEN = sum(1 << card for card in (*ADDER, Card.QUEEN))
CHANGERS = sum(
    1 << card
    for card in (
        Card.FOOL,
        Card.MAID,
        Card.PHILOSOPHER,
        Card.ASTRONOMER,
        Card.MERCHANT,
        Card.NOBLEWOMAN,
        Card.MAGICIAN,
        Card.ALCHEMIST,
        Card.NOBLEMAN,
    )
)

# Bits of the characters whose requirement is met: by the size of the largest group, the number of pairs, the number of
# triples, the sum, the set of faces, and by a full house.
NEEDS = tuple(enumerate(card["needs"] for card in CHARACTERS))
RUNS = {5: (0b011111, 0b111110), 6: (0b111111,)}
PARITY = {"odd": 0b010101, "even": 0b101010}
BY_MOST = tuple(sum(1 << c for c, need in NEEDS if need.get("of_a_kind", 99) <= n) for n in range(MOST_DICE + 1))
BY_PAIRS = tuple(sum(1 << c for c, need in NEEDS if need.get("pairs", 99) <= n) for n in range(MOST_DICE // 2 + 1))
BY_TRIPLES = tuple(sum(1 << c for c, need in NEEDS if need.get("triples", 99) <= n) for n in range(MOST_DICE // 3 + 1))
BY_SUM = tuple(sum(1 << c for c, need in NEEDS if need.get("sum", 999) <= n) for n in range(MOST_DICE * 6 + 1))
BY_FACES = tuple(
    sum(
        1 << c
        for c, need in NEEDS
        if any(run & faces == run for run in RUNS.get(need.get("straight"), ()))
        or "all" in need
        and not faces & ~PARITY[need["all"]]
    )
    for faces in range(64)
)
BY_FULL_HOUSE = sum(1 << c for c, need in NEEDS if "full_house" in need)

# Bits of the sums that two or three dice can show in several ways, as the alchemist needs.
TWO_SUMS = sum(1 << total for total in range(4, 11))
THREE_SUMS = sum(1 << total for total in range(5, 17))
