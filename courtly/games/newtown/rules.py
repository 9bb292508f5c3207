"""The King's New Town (iOP Games, 2018), the simple rules: the course of the game.

There are four rounds. In each, all players throw six dice and place the craftsman on the land of the white ones; then
each player in turn uses the coloured dice and builds. dice.py has the dice and the craftsman, building.py the building,
counting.py the final scoring, table.py the state.
"""

from courtly.engine.constants import EVERYONE
from courtly.engine.rng import draw_below
from courtly.games.newtown.building import lay, lay_or_ask, legal_building, legal_laying, start
from courtly.games.newtown.components import KING
from courtly.games.newtown.counting import close, count, give_gift, legal_lodging
from courtly.games.newtown.dice import (
    ALL_WHITE,
    aim,
    arrive,
    arriving,
    begin_placement,
    fall,
    has_aimed,
    lawn_open,
    legal_acting,
    legal_aiming,
    legal_placing,
    legal_rerolling,
    legal_taking,
    lift,
    next_die,
    roll_again,
    throw,
    total,
    unused,
    use_dice,
    waits,
)
from courtly.games.newtown.holdings import ask, happen, leave_row, refresh_cards
from courtly.games.newtown.original import do_original, legal_original, pool_colour, sow, take_original_turns
from courtly.games.newtown.refusals import Refusal, refusal
from courtly.games.newtown.table import (
    LAND_COUNT,
    MOVES,
    NONE,
    RESIDENT_COUNT,
    REWARD_IS_CARD,
    ROOFS,
    ROUNDS,
    ROW,
    SUPPLY,
    VERB,
    DicePhase,
    Event,
    Going,
    Lands,
    Markers,
    Phase,
    Ruleset,
    State,
    Step,
    Welcome,
    X,
    Y,
)

__all__ = ["MOVES", "Refusal", "State", "refusal"]  # names from other modules that belong to the interface of the rules


def setup(s):
    """Set up the King's land in the middle with its tree, the roofs and the decks."""
    for land in range(KING):
        s.place[land] = NONE
        s.land_at[land] = NONE
        s.land_deck[land] = 1
        s.land_owner[land] = NONE
    s.place[KING] = KING
    s.land_at[KING] = KING
    s.tree[KING] = 1
    for resident in range(RESIDENT_COUNT):
        s.resident_deck[resident] = 1
        s.resident_owner[resident] = NONE
        s.home[resident] = NONE
    s.land_left = KING
    s.resident_left = RESIDENT_COUNT
    for i in range(ROW):
        s.land_row[i] = NONE
        s.resident_row[i] = NONE
    for size in range(6):
        s.supply[size] = SUPPLY[size]
    s.picked = NONE
    for seat in range(s.players):
        s.craftsman[seat] = NONE
        s.aim[seat] = NONE
        for foot in range(4):
            s.roofs[seat][foot] = ROOFS[foot]
    s.first = NONE
    s.seat = NONE
    onward(s)


# --- the course of the game -------------------------------------------------------------------------------------------


def onward(s):
    """Continue until a player has to decide, a random event is due, or the game is over."""
    s.pending = 0
    while s.pending == 0 and s.phase != Phase.OVER:
        advance(s)


def advance(s):
    """Do the next thing. What a move has begun comes first: dice in the air, the craftsman's way, blocks, cards."""
    if s.falling:
        happen(s, Event.DIE)
    elif s.step == Step.LAYING_OUT:
        lay_out(s)
    elif s.rerolls:
        ask(s, Phase.REROLLING, s.seat)
    elif s.going:
        ask(s, Phase.PLACING, s.seat)
    elif s.room:
        lay_or_ask(s)
    elif s.takes:
        if s.land_shown:
            ask(s, Phase.TAKING, s.seat)
        else:
            s.takes = 0
    elif s.land_shown < ROW and s.land_left and s.ruleset == Ruleset.SIMPLE:
        happen(s, Event.LAND_CARD)
    elif bonus_waits(s):
        offer_bonus(s)
    elif s.welcome:
        offer_residents(s)
    elif s.resident_shown < ROW and s.resident_left:
        happen(s, Event.RESIDENT)
    else:
        take_turns(s)


def lay_out(s):
    """Lay the lands, the rows and the start player; then trees on the lands of the face-up cards. The original rules
    have no land cards."""
    if s.lands == Lands.IN_TURN and s.turn < KING:
        lay_in_turn(s)
    elif s.land_at[KING - 1] == NONE:
        happen(s, Event.TILE)
    elif s.land_shown < ROW and s.ruleset == Ruleset.SIMPLE:
        happen(s, Event.LAND_CARD)
    elif s.resident_shown < ROW:
        happen(s, Event.RESIDENT)
    elif s.first == NONE:
        happen(s, Event.STARTER)
    else:
        s.seat = NONE
        s.turn = 0
        s.round = 1
        s.step = Step.ARRIVING
        if s.ruleset == Ruleset.SIMPLE:
            for i in range(ROW):
                s.tree[s.land_row[i]] = 1
            s.step = Step.THROWING


def lay_in_turn(s):
    """Let the players lay the lands, the start player first: each picks a land and an empty place."""
    if s.first == NONE:
        happen(s, Event.STARTER)
    else:
        s.seat = (s.first + s.turn) % s.players
        ask(s, Phase.PICKING if s.picked == NONE else Phase.SETTLING, s.seat)


def legal_picking(s, moves):
    n = 0
    for land in range(KING):
        if s.place[land] == NONE:
            moves[n] = MOVES.pick + land
            n += 1
    return n


def legal_settling(s, moves):
    n = 0
    for place in range(KING):
        if s.land_at[place] == NONE:
            moves[n] = MOVES.settle + place
            n += 1
    return n


def settle(s, place):
    s.land_at[place] = s.picked
    s.place[s.picked] = place
    s.picked = NONE
    s.turn += 1


def take_turns(s):
    """Continue the parts of a round."""
    if s.step == Step.THROWING:
        if s.turn < s.players:
            throw(s)
        elif s.dice_phase == DicePhase.TOGETHER:
            begin_placement(s)
        else:
            s.turn = 0
            begin_turn(s)
    elif s.step == Step.PLACEMENT:
        if s.turn < s.players:
            happen(s, Event.ARRIVAL)
        else:
            s.turn = 0
            begin_turn(s)
    elif s.step == Step.USING:
        if unused(s, s.seat) == 0 and not lawn_open(s, s.seat):
            s.step = Step.CONSTRUCTION
        else:
            ask(s, Phase.ACTING, s.seat)
    elif s.step == Step.CONSTRUCTION:
        ask(s, Phase.BUILDING, s.seat)
    elif s.step == Step.COUNTING:
        count(s)
    else:
        take_original_turns(s)


def begin_turn(s):
    s.seat = (s.first + s.turn) % s.players
    s.turns += 1
    s.step = Step.USING
    s.sizes = 0
    s.drawn = 0
    s.built = 0


def end_turn(s):
    if s.ruleset == Ruleset.ORIGINAL:
        s.step = Step.SECOND_WALK
        return
    s.turn += 1
    if s.turn < s.players:
        begin_turn(s)
    else:
        end_round(s)


def end_round(s):
    s.turn = 0
    if s.round == ROUNDS:
        s.step = Step.COUNTING
    else:
        s.round += 1
        s.first = next_starter(s)
        s.step = Step.THROWING
        refresh_cards(s)


def next_starter(s):
    """Return the start player of the next round: the one whose marker is leftmost on the four squares of the King's
    land. With two players, the first one's marker goes from square 1 to square 4, so that the other's moves from square
    2 to 3 and is leftmost again."""
    if s.players == 2 and s.markers == Markers.LAST and s.round == 3:
        return s.first
    return (s.first + 1) % s.players


# --- bonus squares and resident cards ---------------------------------------------------------------------------------


def bonus_waits(s):
    waiting = 0
    for seat in range(s.players):
        waiting += s.passed[seat] - s.offered[seat]
    return waiting


def offer_bonus(s):
    """Ask for the next bonus square: the builder first, then clockwise. Without a card in the row there is nothing to
    decide."""
    seat = s.seat
    while s.offered[seat] == s.passed[seat]:
        seat = (seat + 1) % s.players
    if card_reward(s, seat) and s.land_shown == 0:
        s.offered[seat] += 1
    else:
        ask(s, Phase.BONUS, seat)


def card_reward(s, seat):
    """Return True if the reward is a land card. With the original rules it is always a gem."""
    return s.ruleset == Ruleset.SIMPLE and REWARD_IS_CARD[s.offered[seat]]


def legal_bonus(s, seat, moves):
    moves[0] = MOVES.decline
    if card_reward(s, seat):
        return legal_taking(s, moves, 1)
    moves[1] = MOVES.accept
    return 2


def offer_residents(s):
    """Offer resident cards: from the row, or those of the player who lost the house."""
    n = s.resident_shown
    if s.welcome >= Welcome.PLAYER:
        n = 0
        for resident in range(RESIDENT_COUNT):
            n += s.resident_owner[resident] == s.welcome - Welcome.PLAYER
    if n:
        ask(s, Phase.WELCOMING, s.seat)
    else:
        s.welcome = Welcome.NOWHERE


def legal_welcoming(s, moves):
    n = 0
    if s.welcome >= Welcome.PLAYER:
        for resident in range(RESIDENT_COUNT):
            if s.resident_owner[resident] == s.welcome - Welcome.PLAYER:
                moves[n] = MOVES.inherit + resident
                n += 1
        return n
    for i in range(ROW):
        if s.resident_row[i] != NONE:
            moves[n] = MOVES.welcome + s.resident_row[i]
            n += 1
    return n


def welcome(s, seat, resident):
    if s.welcome == Welcome.ROW:
        leave_row(s.resident_row, resident)
        s.resident_shown -= 1
    else:
        s.handed = 1 + resident
    s.resident_owner[resident] = seat
    s.welcome = Welcome.NOWHERE


# --- interface of the rules -------------------------------------------------------------------------------------------


def chance(s, moves, weights):
    """List the possible events, all with the same probability. The land of an arrival is already decided."""
    if s.event == Event.DIE:
        return in_a_row(MOVES.die + next_die(s) * 6, 6, moves, weights)
    if s.event == Event.GIFT:
        return in_a_row(MOVES.gift + s.gifts * 6, 6, moves, weights)
    if s.event == Event.ARRIVAL:
        return in_a_row(MOVES.arrive + arriving(s) * LAND_COUNT + s.aim[arriving(s)], 1, moves, weights)
    if s.event == Event.SOW:
        return in_a_row(MOVES.sow, 6, moves, weights)
    if s.event == Event.POOL:
        return in_a_row(MOVES.pool + pool_colour(s) * 6, 6, moves, weights)
    if s.event == Event.STARTER:
        return in_a_row(MOVES.starter, s.players, moves, weights)
    if s.event == Event.LAND_CARD:
        return unturned(s.land_deck, 1, MOVES.land_card, moves, weights)
    if s.event == Event.RESIDENT:
        return unturned(s.resident_deck, 1, MOVES.resident, moves, weights)
    return unturned(s.place, NONE, MOVES.tile, moves, weights)


def unturned(places, where, first, moves, weights):
    """List the lands or cards that have not been turned up; there is one of each."""
    n = 0
    for i in range(KING):
        moves[n] = first + i
        weights[n] = 1
        n += places[i] == where
    return n


def in_a_row(first, n, moves, weights):
    """List n events with consecutive ids."""
    for i in range(n):
        moves[i] = first + i
        weights[i] = 1
    return n


def let_happen(s, verb, x, y):
    if verb == MOVES.tile:
        lay_tile(s, x)
    elif verb == MOVES.land_card:
        turn_up(s.land_row, s.land_deck, x)
        s.land_left -= 1
        s.land_shown += 1
    elif verb == MOVES.resident:
        turn_up(s.resident_row, s.resident_deck, x)
        s.resident_left -= 1
        s.resident_shown += 1
    elif verb == MOVES.starter:
        s.first = x
    elif verb == MOVES.arrive:
        arrive(s, x, y)
    elif verb == MOVES.sow:
        sow(s, x)
    elif verb == MOVES.pool:
        s.pool[x][y] += 1
        s.filling -= 1
    else:
        give_gift(s, x, y)


def turn_up(row, deck, card):
    """Put a card into the first gap of the row."""
    i = 0
    while row[i] != NONE:
        i += 1
    row[i] = card
    deck[card] = 0


def lay_tile(s, land):
    """Lay a land on the next empty place."""
    place = 0
    while s.land_at[place] != NONE:
        place += 1
    s.land_at[place] = land
    s.place[land] = place


def legal(s, seat, moves):
    if not s.pending >> seat & 1:
        return 0
    if s.phase == Phase.ACTING:
        return legal_acting(s, seat, moves)
    if s.phase == Phase.BUILDING:
        return legal_building(s, seat, moves)
    if s.phase == Phase.LAYING:
        return legal_laying(s, seat, moves)
    if s.phase == Phase.PLACING:
        return legal_placing(s, seat, moves)
    if s.phase == Phase.AIMING:
        return legal_aiming(s, seat, moves)
    if s.phase == Phase.WELCOMING:
        return legal_welcoming(s, moves)
    if s.phase == Phase.REROLLING:
        return legal_rerolling(moves)
    if s.phase == Phase.TAKING:
        return legal_taking(s, moves, 0)
    if s.phase == Phase.BONUS:
        return legal_bonus(s, seat, moves)
    if s.phase == Phase.LODGING:
        return legal_lodging(s, seat, moves)
    if s.phase == Phase.PICKING:
        return legal_picking(s, moves)
    if s.phase == Phase.SETTLING:
        return legal_settling(s, moves)
    return legal_original(s, seat, moves)


def apply(s, seat, move):
    verb = VERB[move]
    x = X[move]
    y = Y[move]
    if verb == MOVES.die:
        fall(s, x, y)
        if s.falling:  # the next die is due at once
            return
    elif verb >= MOVES.tile:
        let_happen(s, verb, x, y)
    elif verb == MOVES.aim:
        aim(s, seat, x)
        if s.pending:  # other seats still choose
            return
    elif verb == MOVES.pick:
        s.picked = x
    elif verb == MOVES.settle:
        settle(s, x)
    elif verb >= MOVES.plant:
        do_original(s, seat, verb, x, y)
    elif verb <= MOVES.finish:
        use_dice(s, seat, verb, x, y)
    else:
        do(s, seat, verb, x, y)
    onward(s)


def do(s, seat, verb, x, y):
    if verb == MOVES.roll:
        roll_again(s, x + 1)
    elif verb == MOVES.stop:
        s.rerolls = 0
    elif verb == MOVES.build:
        start(s, seat, s.houses[s.craftsman[seat]], x)
    elif verb == MOVES.extend or verb == MOVES.take_over:
        start(s, seat, x, y)
    elif verb == MOVES.lay:
        lay(s, seat, x)
    elif verb == MOVES.move:
        s.gems[seat] -= 1
        lift(s, ALL_WHITE)
        s.going = Going.ON
    elif verb == MOVES.end:
        end_turn(s)
    elif verb == MOVES.welcome or verb == MOVES.inherit:
        welcome(s, seat, x)
    elif verb == MOVES.accept:
        s.gems[seat] += 1
        s.offered[seat] += 1
    elif verb == MOVES.decline:
        s.offered[seat] += 1
    elif verb == MOVES.lodge:
        s.home[x] = y
    else:
        close(s)


def audience(s, seat, move):
    """Return the audience. Simultaneous choices stay private until the craftsmen are placed."""
    return 1 << seat if VERB[move] == MOVES.aim else EVERYONE


def reveals(s, seat, move):
    return 0


def scores(s, out):
    for seat in range(s.players):
        out[seat] = s.score[seat]


def determinize(s, seat, rng):
    """Guess what is hidden: the simultaneous choices of other seats. Decks have no order."""
    for other in range(s.players):
        if other != seat:
            s.aim[other] = NONE
            if s.step == Step.PLACEMENT and waits(s, other):
                s.aim[other] = KING if has_aimed(s, other) and draw_below(rng, 2) else total(s, other) - 3
