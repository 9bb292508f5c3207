"""The facts for the board that follow from the public state. Lands, houses, forms, cards, dice and moves are numbered
by their index; blocks by their sizes."""

from functools import cache, lru_cache
from itertools import product

from courtly.engine.constants import NOBODY
from courtly.games.newtown.building import filling, gems_on, hand_key, legal_building, reckon, rest, start
from courtly.games.newtown.components import DATA, KING, Ground, cells_of
from courtly.games.newtown.counting import card_points
from courtly.games.newtown.dice import calls, given_by, king_calls, on_site, total
from courtly.games.newtown.holdings import usable
from courtly.games.newtown.original import legal_walking
from courtly.games.newtown.packing import FORMS as BOXES
from courtly.games.newtown.packing import layout
from courtly.games.newtown.refusals import Refusal, refusal_of_block
from courtly.games.newtown.rules import next_starter
from courtly.games.newtown.table import (
    FACES,
    FORM_BASE,
    FORMS,
    FROM_BUILDING,
    GROUND,
    HOUSE_COUNT,
    LAND_POINTS,
    LANDS,
    LARGEST_SIZE,
    MOST_FROM_DICE,
    MOVES,
    NONE,
    PENTHOUSE,
    PENTHOUSE_CUBES,
    PERSONS,
    PLAIN,
    POINTS,
    RESIDENT_COUNT,
    REWARD_IS_CARD,
    ROUNDS,
    VERB,
    WHICH,
    Attic,
    Layout,
    Phase,
    Ruleset,
    Step,
    X,
    Y,
)

ATTIC = (2, 2, 1)
TO_BUILD = (MOVES.build, MOVES.extend, MOVES.take_over)
EFFECTS = ("gem", "reroll", "take")  # what each coloured die can do instead of giving a block
SPENDING = (Phase.WALKING, Phase.MANAGING, Phase.BUILDING, Phase.LAYING)
PLACES_OF = [cells_of(name, DATA["layouts"][name]) for name in Layout]

COUNTED = ("points", "gems", "blocks")


def facts(s, seat):
    dicing = whose_dice(s, seat)
    at_turn = dicing != NONE
    return {
        "dicing": dicing,
        "unlaid": [land for land in range(KING) if s.place[land] == NONE and land != s.picked],
        "places": places(s),
        "starters": starters(s),
        "base": list(FORM_BASE[s.tables]),  # points of each form, which is also its number of beds
        "resident_points": list(POINTS[s.tables]),
        "grounds": [*(Ground[ground] for ground in GROUND[:KING]), "king"],
        "land_points": list(LAND_POINTS),
        "effects": list(EFFECTS),
        "rows": rows(s),
        "free": [len(WHICH) - n for n in s.houses],  # places for another house on each land
        "spending": int(s.ruleset == Ruleset.ORIGINAL and s.phase in SPENDING),  # 1 if pips matter in this turn
        "ways": list(WAYS),  # of all throws of three dice, those that lead to each land
        "order": list(s.order[: s.players])
        if s.ruleset
        else [(max(s.first, 0) + n) % s.players for n in range(s.players)],
        "rewards": ["card" if card and s.ruleset == Ruleset.SIMPLE else "gem" for card in REWARD_IS_CARD],
        "cubes": [sum(n * size for size, n in enumerate(blocks, 1)) for blocks in s.blocks[: s.players]],
        "gained": gained(s),
        "persons": [sum(PERSONS[r] for r, home in enumerate(s.home) if home == house) for house in range(HOUSE_COUNT)],
        "homeless": [r for r in range(RESIDENT_COUNT) if s.phase == Phase.OVER and homeless(s, r)],
        "from_building": [sum(s.earned[other][: len(FROM_BUILDING)]) for other in range(s.players)],
        "cards": [land_card(s, card, s.seat if seat is None else seat) for card in range(KING)],
        "houses": [
            {"house": number, **drawn(stages(s, number))}
            for number in range(HOUSE_COUNT)
            if number % 2 < s.houses[number // 2]
        ],
        "total": total(s, dicing) if at_turn else 0,  # of these white dice
        "king": int(at_turn and all(s.white[dicing]) and king_calls(s, dicing)),
        "goals": goals(s) if at_turn and s.ruleset else [],
        "steps": steps(s) if s.phase == Phase.WALKING else [],
        **(laying(s) if s.phase == Phase.LAYING else {}),
        **(choices(s, seat) if seat is not None and s.pending >> seat & 1 else {}),
    }


def whose_dice(s, seat):
    """Return the seat whose dice are in the middle; during simultaneous choices, the seat of the viewer."""
    if s.step != Step.PLACEMENT:
        return s.seat
    return s.first if seat is None else seat


def places(s):
    """Return the empty places while players lay the lands, row by row, by their numbers from 1 on; None for other
    places."""
    cells, laying = PLACES_OF[s.map], s.phase in (Phase.PICKING, Phase.SETTLING)
    empty = {at: place + 1 for at, place in cells.items() if laying and s.land_at[place] == NONE}
    down, across = (range(max(at[i] for at in cells) + 1) for i in range(2))
    return [[empty.get((r, c)) for c in across] for r in down]


def starters(s):
    """Return the start players of this and the later rounds."""
    if s.ruleset or not 0 < s.round <= ROUNDS:
        return []
    ahead, found = s.copy(), [s.first]
    while ahead.round < ROUNDS:
        ahead.round += 1
        ahead.first = next_starter(ahead)
        found.append(ahead.first)
    return found


def rows(s):
    """Return the lands of the town, row by row; None where there is no land yet."""
    cells = PLACES_OF[s.map]
    lands = {at: s.land_at[place] for at, place in cells.items()}
    down, across = (range(max(at[i] for at in cells) + 1) for i in range(2))
    return [[None if lands.get((r, c), NONE) == NONE else lands[r, c] for c in across] for r in down]


def gained(s):
    """Return the points of the latest building, by player and source."""
    return [
        [seat, source, points]
        for seat in range(s.players)
        for source, points in zip(FROM_BUILDING, s.latest[seat], strict=True)
        if points
    ]


def homeless(s, resident):
    return s.resident_owner[resident] != NONE and s.home[resident] == NONE


def land_card(s, card, seat):
    """Return the value of a land card at the end, to its owner or else to this seat; and, if it is owned, whether it
    can be used."""
    owner = s.land_owner[card]
    if owner == NONE:
        return [card_points(s, seat, card), None]
    state = "ready" if usable(s, card) else "used" if s.land_used[card] == s.round else "later"
    return [card_points(s, owner, card), state]


# --- houses -----------------------------------------------------------------------------------------------------------


def stages(s, house):
    """Return the stages in which a house was built: forms, and the keys of their blocks."""
    return [(s.wall_form[house][i], s.walls[house][i]) for i in range(s.stages[house])]


def drawn(built):
    """Return the blocks laid in each stage, and the block in each cell: x fastest, then y, then z; then the four cells
    of the penthouse."""
    return {"blocks": [sizes(key) for _, key in built], "cells": list(cells(tuple(built)))}


def sizes(key):
    """Return the blocks of a key, largest first."""
    return [size for size in range(6, 0, -1) for _ in range(key >> 5 * size - 5 & 31)]


@lru_cache(4096)
def cells(stages):
    """Return the block in each cell. The blocks of one stage are around those of the previous one."""
    found: tuple[int, ...] = ()
    old, count = None, 0
    for form, key in stages:
        if PENTHOUSE[form]:
            found += tuple(count + block for block in layout(None, ATTIC, key))
        else:
            new, inner = BOXES[FORMS[form]], iter(found)
            found = tuple(next(inner) if block < 0 else count + block for block in layout(old, new, key))
            old = new
        count += len(sizes(key))
    return found


def planned(s, seat):
    """Return the stages of the completed house if the largest blocks come first, and the key of the blocks to come."""
    hand = hand_key(s, seat)
    key = rest(s, hand, s.top, s.room, s.laid)
    built = stages(s, s.house)
    if s.attic != Attic.TO_COME:
        return [*built, (s.plan, s.laid + key)], key
    four = filling(hand - key, LARGEST_SIZE, PENTHOUSE_CUBES, 0, 0, 0, Attic.NONE)
    return [*built, (PLAIN[s.plan], s.laid + key), (s.plan, four)], key + four


def laying(s):
    """Return the completed house, the blocks laid now, and those to come."""
    built, key = planned(s, s.seat)
    return {"laying": {**drawn(built), "laid": sizes(s.laid), "rest": sizes(key)}}


# --- choices ----------------------------------------------------------------------------------------------------------


def choices(s, seat):
    """Return the facts for the seat that has to decide."""
    if s.phase == Phase.BUILDING:
        away = s.ruleset == Ruleset.ORIGINAL and not on_site(s, seat)
        return {"offers": offers(s, seat), "away": int(away), **card_uses(s, seat), "odds": [list(WAYS)]}
    if s.phase == Phase.ACTING:
        return {**use_of_dice(s, seat), **card_uses(s, seat)}
    if s.phase == Phase.PLACING:
        return card_uses(s, seat)
    if s.phase == Phase.REROLLING:
        return {"odds": [list(odds(*kept(s.white[seat], dice))) for dice in range(1, 8)]}
    return {}


def offers(s, seat):
    tried = s.copy()
    return [offer(s, tried, seat, move) for move in MOVES.listed(legal_building, s, seat) if VERB[move] in TO_BUILD]


def offer(s, tried, seat, move):
    """Return what this house would bring: points by source, points of lines and squares to others, gems, the owner who
    would lose it, and whether a resident could be chosen."""
    new = VERB[move] == MOVES.build
    land = s.craftsman[seat]
    slot, form = (s.houses[land], X[move]) if new else (X[move], Y[move])
    start(tried, seat, slot, form)
    reckon(tried, seat)
    points = tried.latest[seat]
    return {
        "move": int(move),
        "points": list(points),
        "sum": sum(points),
        "others": [0 if other == seat else sum(tried.latest[other]) for other in range(s.players)],
        "loser": s.owner[2 * land + slot] if VERB[move] == MOVES.take_over else NOBODY,
        "gems": gems_on(s, land) if new else 0,
        "resident": int(new and s.resident_shown > 0),
        **drawn(planned(tried, seat)[0]),
    }


def use_of_dice(s, seat):
    """Return what each coloured die gives instead of a block (gems, rerolls, land cards), and why it gives no block."""
    green, red, black = s.coloured[seat]
    return {
        "gives": [given_by(green), red, given_by(black)],
        "left": MOST_FROM_DICE - s.drawn,
        "why": [Refusal[refusal_of_block(s, seat, die)].replace("_", "-") for die in range(3)],
    }


def card_uses(s, seat):
    """Return what land cards can do: the total without each white die and with it doubled, and the coloured dice plus
    one."""
    now = total(s, seat)
    return {
        "lawn": [[now - face, now + face] for face in s.white[seat]],
        "plus": [face + 1 for face in s.coloured[seat]],
    }


# --- where the craftsman goes -----------------------------------------------------------------------------------------


def goals(s):
    """Original rules: return the lands on which the player at turn may build."""
    if not all(s.white[s.seat]):
        return []
    return [total(s, s.seat) - 3, *([KING] if king_calls(s, s.seat) else [])]


def steps(s):
    """Original rules: return the lands within reach, with the green pips for each."""
    lands = [X[move] for move in MOVES.listed(legal_walking, s, s.seat) if VERB[move] == MOVES.walk]
    return [[land, s.distance[land]] for land in lands]


def kept(white, rolled):
    """Return the white dice that are not rolled (`rolled` has bits), lowest first."""
    return sorted(face for i, face in enumerate(white) if not rolled >> i & 1)


@cache
def odds(*stay):
    """Return, for each land, the number of throws of the other white dice that lead to it."""
    found = [0] * len(LANDS)
    for throw in product(FACES, repeat=3 - len(stay)):
        found[sum(stay + throw) - 3] += 1
        found[KING] += calls(*stay, *throw)
    return tuple(found)


WAYS = odds()


def counted(s, seat):
    """Return the numbers that players count, in the order of COUNTED; the most important one comes first."""
    return [s.score[seat], s.gems[seat], sum(s.blocks[seat])]
