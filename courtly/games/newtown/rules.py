"""The King's New Town (iOP Games, 2018), the simple rules: the course of the game.

Four rounds. In each, everybody throws six dice and places the craftsman where the white ones say; then each player in
turn uses the coloured dice and builds. Dice and the craftsman are in dice.py, building in building.py, the end in
counting.py, the table in table.py.
"""

from courtly.engine.game import EVERYONE
from courtly.games.newtown.building import (
    join,
    lay,
    lay_or_ask,
    legal_building,
    legal_laying,
    refusal_building,
    split,
    start_extension,
    start_house,
    survey,
)
from courtly.games.newtown.counting import (
    can_lodge,
    count_blocks,
    count_gems,
    count_land_cards,
    count_residents,
    gift_sign,
    give_gift,
    house_residents,
    legal_lodging,
    refusal_lodging,
)
from courtly.games.newtown.dice import (
    ALL_WHITE,
    all_used,
    begin_rerolls,
    fall,
    go,
    lawn_open,
    legal_acting,
    legal_placing,
    legal_rerolling,
    legal_taking,
    lift,
    next_die,
    plus,
    refusal_acting,
    refusal_going,
    roll_again,
    swap,
    take_block,
    take_card,
    take_gems,
    throw,
    triple,
    use_black,
    use_lawn,
    use_mud,
)
from courtly.games.newtown.original import (
    again,
    buy,
    cast,
    draft,
    leave_walk,
    legal_drafting,
    legal_managing,
    legal_planting,
    legal_walking,
    pool_colour,
    refusal_original,
    sow,
    take_original_turns,
    walk,
)
from courtly.games.newtown.table import *
from courtly.games.newtown.table import ask, give_land_card, happen, refresh_cards


def setup(s):
    """The King's land in the middle with its tree; roofs; two decks; nothing else yet."""
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
    for seat in range(s.players):
        s.craftsman[seat] = NONE
        for foot in range(4):
            s.roofs[seat][foot] = ROOFS[foot]
    s.first = NONE
    s.seat = NONE
    onward(s)


# --- the course of the game -------------------------------------------------------------------------------------------


def onward(s):
    """Go on until somebody has to decide, chance has to speak, or the game is over."""
    s.pending = 0
    while s.pending == 0 and s.phase != OVER:
        advance(s)


def advance(s):
    """The next thing to happen. What a move has begun comes first: dice in the air, the craftsman's way, blocks,
    cards."""
    if s.falling:
        happen(s, DIE_DUE)
    elif s.step == LAYING_OUT:
        lay_out(s)
    elif s.rerolls:
        ask(s, REROLLING, s.seat)
    elif s.going:
        ask(s, PLACING, s.seat)
    elif s.room:
        lay_or_ask(s)
    elif s.takes:
        if s.land_shown:
            ask(s, TAKING, s.seat)
        else:
            s.takes = 0
    elif s.land_shown < ROW and s.land_left and s.ruleset == SIMPLE:
        happen(s, LAND_CARD_DUE)
    elif bonus_waits(s):
        offer_bonus(s)
    elif s.welcome:
        offer_residents(s)
    elif s.resident_shown < ROW and s.resident_left:
        happen(s, RESIDENT_DUE)
    else:
        take_turns(s)


def lay_out(s):
    """Lands, the two rows, the start player; then trees on the lands of the face-up cards. The original rules have
    no land cards."""
    if s.land_at[KING - 1] == NONE:
        happen(s, TILE_DUE)
    elif s.land_shown < ROW and s.ruleset == SIMPLE:
        happen(s, LAND_CARD_DUE)
    elif s.resident_shown < ROW:
        happen(s, RESIDENT_DUE)
    elif s.first == NONE:
        happen(s, STARTER_DUE)
    elif s.ruleset == SIMPLE:
        for i in range(ROW):
            s.tree[s.land_row[i]] = 1
        s.round = 1
        s.step = THROWING
    else:
        s.round = 1
        s.step = ARRIVING


def take_turns(s):
    """The parts of a round."""
    if s.step == THROWING:
        if s.turn < s.players:
            throw(s)
        else:
            s.turn = 0
            begin_turn(s)
    elif s.step == USING:
        if all_used(s, s.seat) and not lawn_open(s, s.seat):
            s.step = CONSTRUCTION
        else:
            ask(s, ACTING, s.seat)
    elif s.step == CONSTRUCTION:
        survey(s, s.seat)
        ask(s, BUILDING, s.seat)
    elif s.step == COUNTING:
        count(s)
    else:
        take_original_turns(s)


def begin_turn(s):
    s.seat = (s.first + s.turn) % s.players
    s.turns += 1
    s.step = USING
    s.sizes = 0
    s.drawn = 0
    s.built = 0


def end_turn(s):
    if s.ruleset == ORIGINAL:
        s.step = SECOND_WALK
        return
    s.turn += 1
    if s.turn < s.players:
        begin_turn(s)
    else:
        end_round(s)


def end_round(s):
    """The next player clockwise starts."""
    s.turn = 0
    if s.round == ROUNDS:
        s.step = COUNTING
    else:
        s.round += 1
        s.first = (s.first + 1) % s.players
        s.step = THROWING
        refresh_cards(s)


# --- bonus squares and resident cards ---------------------------------------------------------------------------------


def bonus_waits(s):
    waiting = 0
    for seat in range(s.players):
        waiting += s.passed[seat] - s.offered[seat]
    return waiting


def offer_bonus(s):
    """The builder first, then clockwise. Without a card in the row there is nothing to decide."""
    seat = s.seat
    while s.offered[seat] == s.passed[seat]:
        seat = (seat + 1) % s.players
    if card_reward(s, seat) and s.land_shown == 0:
        s.offered[seat] += 1
    else:
        ask(s, BONUS, seat)


def card_reward(s, seat):
    """Is a land card the reward? The original rules have none: it is always a gem."""
    return s.ruleset == SIMPLE and REWARD_IS_CARD[s.offered[seat]]


def legal_bonus(s, seat, moves):
    moves[0] = DECLINE
    if card_reward(s, seat):
        return legal_taking(s, moves, 1)
    moves[1] = ACCEPT
    return 2


def offer_residents(s):
    """From the row, or from whoever lost the house."""
    n = s.resident_shown
    if s.welcome > 1:
        n = 0
        for resident in range(RESIDENT_COUNT):
            n += s.resident_owner[resident] == s.welcome - 2
    if n:
        ask(s, WELCOMING, s.seat)
    else:
        s.welcome = 0


def legal_welcoming(s, moves):
    n = 0
    if s.welcome > 1:
        for resident in range(RESIDENT_COUNT):
            if s.resident_owner[resident] == s.welcome - 2:
                moves[n] = INHERIT + resident
                n += 1
        return n
    for i in range(ROW):
        if s.resident_row[i] != NONE:
            moves[n] = WELCOME + s.resident_row[i]
            n += 1
    return n


def welcome(s, seat, resident):
    if s.welcome == 1:
        for i in range(ROW):
            if s.resident_row[i] == resident:
                s.resident_row[i] = NONE
        s.resident_shown -= 1
    else:
        s.handed = 1 + resident
    s.resident_owner[resident] = seat
    s.welcome = 0


# --- the end ----------------------------------------------------------------------------------------------------------


def begin_counting(s):
    s.counting = 1
    for seat in range(s.players):
        count_blocks(s, seat)
        if s.ruleset == SIMPLE:
            count_land_cards(s, seat)
        if s.residents == 0 and moving_in(s):
            house_residents(s, seat)


def moving_in(s):
    return s.ruleset == SIMPLE or s.move_in


def count(s):
    """Blocks and land cards; residents move in one player after the other; then the special dice, and gems."""
    if s.counting == 0:
        begin_counting(s)
    while moving_in(s) and s.turn < s.players:
        s.seat = (s.first + s.turn) % s.players
        if s.residents and can_lodge(s, s.seat):
            ask(s, LODGING, s.seat)
            return
        close(s)
    while moving_in(s) and s.gifts < 2:
        if gift_sign(s, s.gifts):
            happen(s, GIFT_DUE)
            return
        s.gifts += 1
    count_gems(s)
    s.seat = NONE
    s.phase = OVER


def close(s):
    count_residents(s, s.seat)
    s.turn += 1


# --- the contract -----------------------------------------------------------------------------------------------------


def chance(s, moves, weights):
    """Whatever can happen is equally likely."""
    if s.event == DIE_DUE:
        return in_a_row(DIE + next_die(s) * 6, 6, moves, weights)
    if s.event == GIFT_DUE:
        return in_a_row(GIFT + s.gifts * 6, 6, moves, weights)
    if s.event == SOW_DUE:
        return in_a_row(SOW, 6, moves, weights)
    if s.event == POOL_DUE:
        return in_a_row(POOL_DIE + pool_colour(s) * 6, 6, moves, weights)
    if s.event == STARTER_DUE:
        return in_a_row(STARTER, s.players, moves, weights)
    if s.event == LAND_CARD_DUE:
        return in_deck(s.land_deck, LAND_CARD, moves, weights)
    if s.event == RESIDENT_DUE:
        return in_deck(s.resident_deck, RESIDENT, moves, weights)
    n = 0
    for land in range(KING):
        moves[n] = TILE + land
        weights[n] = 1
        n += s.place[land] == NONE
    return n


def in_deck(deck, first, moves, weights):
    """Cards that have not been turned up. Both decks have as many."""
    n = 0
    for card in range(RESIDENT_COUNT):
        moves[n] = first + card
        weights[n] = 1
        n += deck[card]
    return n


def in_a_row(first, n, moves, weights):
    """So many events with ids that follow each other."""
    for i in range(n):
        moves[i] = first + i
        weights[i] = 1
    return n


def let_happen(s, verb, x, y):
    if verb == TILE:
        lay_tile(s, x)
    elif verb == LAND_CARD:
        turn_up(s.land_row, s.land_deck, x)
        s.land_left -= 1
        s.land_shown += 1
    elif verb == RESIDENT:
        turn_up(s.resident_row, s.resident_deck, x)
        s.resident_left -= 1
        s.resident_shown += 1
    elif verb == STARTER:
        s.first = x
    elif verb == SOW:
        sow(s, x)
    elif verb == POOL_DIE:
        s.pool[x][y] += 1
        s.filling -= 1
    else:
        give_gift(s, x, y)


def turn_up(row, deck, card):
    """Into the first gap of the row."""
    i = 0
    while row[i] != NONE:
        i += 1
    row[i] = card
    deck[card] = 0


def lay_tile(s, land):
    """On the next empty place."""
    place = 0
    while s.land_at[place] != NONE:
        place += 1
    s.land_at[place] = land
    s.place[land] = place


def legal(s, seat, moves):
    if not s.pending >> seat & 1:
        return 0
    if s.phase == ACTING:
        return legal_acting(s, seat, moves)
    if s.phase == BUILDING:
        return legal_building(s, seat, moves)
    if s.phase == LAYING:
        return legal_laying(s, seat, moves)
    if s.phase == PLACING:
        return legal_placing(s, seat, moves)
    if s.phase == WELCOMING:
        return legal_welcoming(s, moves)
    if s.phase == REROLLING:
        return legal_rerolling(moves)
    if s.phase == TAKING:
        return legal_taking(s, moves, 0)
    if s.phase == BONUS:
        return legal_bonus(s, seat, moves)
    if s.phase == LODGING:
        return legal_lodging(s, seat, moves)
    return legal_original(s, seat, moves)


def legal_original(s, seat, moves):
    if s.phase == DRAFTING:
        return legal_drafting(s, seat, moves)
    if s.phase == WALKING:
        return legal_walking(s, seat, moves)
    if s.phase == MANAGING:
        return legal_managing(s, seat, moves)
    if s.phase == PLANTING:
        return legal_planting(moves)
    moves[0] = CAST_VOTE
    moves[1] = CAST_VOTE + 1
    return 2


def apply(s, seat, move):
    verb = VERB[move]
    x = X[move]
    y = Y[move]
    if verb == DIE:
        fall(s, x, y)
        if s.falling:  # the next die is due at once
            return
    elif verb >= TILE:
        let_happen(s, verb, x, y)
    elif verb >= PLANT or (verb == FINISH and s.phase == MANAGING):
        do_original(s, seat, verb, x, y)
    elif verb <= FINISH:
        use_dice(s, seat, verb, x, y)
    else:
        do(s, seat, verb, x, y)
    onward(s)


def use_dice(s, seat, verb, x, y):
    if verb == GO:
        go(s, seat, x)
    elif verb == USE_LAWN:
        use_lawn(s, seat, x, y)
    elif verb == BLOCK:
        take_block(s, seat, x)
    elif verb == GEM:
        s.used[seat][GREEN] = 1
        take_gems(s, seat, s.coloured[seat][GREEN])
    elif verb == REROLL:
        s.used[seat][RED] = 1
        begin_rerolls(s, s.coloured[seat][RED])
    elif verb == TAKE:
        take(s, seat, x)
    elif verb == TRIPLE:
        triple(s, seat, x)
    elif verb == PLUS:
        plus(s, seat, x)
    elif verb == SWAP:
        swap(s, seat)
    elif verb == USE_MUD:
        use_mud(s, seat, x)
    else:
        s.step = CONSTRUCTION


def take(s, seat, card):
    """With the black die, a triple or as the reward of a bonus square."""
    if s.phase == BONUS:
        give_land_card(s, seat, card)
        s.offered[seat] += 1
    else:
        if s.phase == ACTING:
            use_black(s, seat)
        take_card(s, seat, card)


def do(s, seat, verb, x, y):
    if verb == ROLL:
        roll_again(s, x + 1)
    elif verb == STOP:
        s.rerolls = 0
    elif verb == BUILD:
        start_house(s, seat, x)
    elif verb == EXTEND or verb == TAKE_OVER:
        start_extension(s, seat, x, y)
    elif verb == LAY:
        lay(s, seat, x)
    elif verb == MOVE:
        s.gems[seat] -= 1
        lift(s, ALL_WHITE)
        s.going = 1
    elif verb == END:
        end_turn(s)
    elif verb == WELCOME or verb == INHERIT:
        welcome(s, seat, x)
    elif verb == ACCEPT:
        s.gems[seat] += 1
        s.offered[seat] += 1
    elif verb == DECLINE:
        s.offered[seat] += 1
    elif verb == LODGE:
        s.home[x] = y
    else:
        close(s)


def do_original(s, seat, verb, x, y):
    if verb == DRAFT_DIE:
        draft(s, seat, x, y)
    elif verb == WALK_TO:
        walk(s, seat, x)
    elif verb == STAY:
        leave_walk(s)
    elif verb == BUY:
        buy(s, seat, x)
    elif verb == AGAIN:
        again(s, x)
    elif verb == SPLIT:
        split(s, seat, x, y)
    elif verb == JOIN:
        join(s, seat, x, y)
    elif verb == PLANT:
        s.sowing = x + 2
    elif verb == CAST_VOTE:
        cast(s, seat, x)
    else:
        s.step = CONSTRUCTION


def audience(s, seat, move):
    return EVERYONE


def reveals(s, seat, move):
    return 0


def refusal(s, seat, move):
    if s.phase == ACTING:
        return refusal_acting(s, seat, move)
    if s.phase == PLACING:
        return refusal_going(s, seat, move)
    if s.phase == BUILDING:
        return refusal_building(s, seat, move)
    if s.phase == LODGING:
        return refusal_lodging(s, seat, move)
    if (s.phase == TAKING and VERB[move] == TAKE) or (s.phase == WELCOMING and VERB[move] == WELCOME):
        return NOT_IN_ROW
    return refusal_original(s, seat, move)


def scores(s, out):
    for seat in range(s.players):
        out[seat] = s.score[seat]


def determinize(s, seat, rng):
    """Nothing is hidden: cards are drawn when they are turned."""
