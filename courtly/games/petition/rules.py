"""To Court the King (Tom Lehmann, 2006): the rules, in the order of the rulebook.

Dice are counted by face, for all dice are alike. Setting several dice aside, and the powers that take several dice, are
made of moves that take one die each; powers that would take a set of dice end with `done`. A roll is one event for each
die.
"""

from courtly.engine.game import CHANCE, EVERYONE, NOBODY
from courtly.games.petition.refusals import Refusal as Refusal
from courtly.games.petition.refusals import refusal as refusal
from courtly.games.petition.table import (
    ADDED,
    ADDER,
    ADDER_COUNT,
    BY_FACES,
    BY_FULL_HOUSE,
    BY_MOST,
    BY_PAIRS,
    BY_SUM,
    BY_TRIPLES,
    CHARLATAN_DICE,
    COPIES,
    FARMER_DICE,
    FIRST_DICE,
    GENERAL_DICE,
    KINDS,
    MOST_ROUNDS,
    MOVES,
    THREE_HIGH,
    THREE_LOW,
    TWO_HIGH,
    TWO_LOW,
    VERB,
    Card,
    Group,
    Phase,
    X,
    Y,
    Z,
    count_active,
)
from courtly.games.petition.table import State as State

# --- what dice are worth ----------------------------------------------------------------------------------------------


def earned(active, aside):
    """Bits of the characters whose requirement these dice meet together, whatever is left of them. Fool and
    charlatan need no dice."""
    most = 0
    pairs = 0
    triples = 0
    total = 0
    faces = 0
    groups_of_2 = 0
    groups_of_3 = 0
    for f in range(6):
        n = active[f] + aside[f]
        faces |= (n > 0) << f
        total += n * (f + 1)
        pairs += n >> 1
        triples += n // 3
        groups_of_2 += n > 1
        groups_of_3 += n > 2
        most = max(most, n)
    bits = BY_MOST[most] | BY_PAIRS[pairs] | BY_TRIPLES[triples] | BY_SUM[total] | BY_FACES[faces]
    if most > 4 or (groups_of_3 and groups_of_2 > 1):
        bits |= BY_FULL_HOUSE
    return bits


def best_face(dice):
    """The index of the face of the best group: the biggest, of equal ones the highest."""
    best = 5
    for f in range(4, -1, -1):
        if dice[f] > dice[best]:
            best = f
    return best


def beats(count, face, other_count, other_face):
    return count > other_count or (count == other_count and face > other_face)


def dice_in_use(s):
    n = s.rolling
    for f in range(6):
        n += s.active[f] + s.aside[f] + s.taken[f]
    return n


# --- rounds -----------------------------------------------------------------------------------------------------------


def setup(s):
    for card in range(KINDS):
        s.supply[card] = COPIES[s.players][card]
    s.supply[Card.CHARLATAN] = 0
    s.king = NOBODY
    s.queen = NOBODY
    s.seat = NOBODY
    s.round = 1
    if s.first_player:
        s.start = (s.first_player - 1) % s.players
        begin_turn(s)
    else:
        s.phase = Phase.STARTING
        s.pending = CHANCE


def chance(s, moves, weights):
    first = MOVES.die
    n = 6
    if s.phase == Phase.STARTING:
        first = MOVES.start
        n = s.players
    for i in range(n):
        moves[i] = first + i
        weights[i] = 1
    return n


def next_seat(s):
    """Clockwise from the start player; in the last round the queen's holder is left out and comes at the end."""
    place = s.turn
    if s.final:
        if place == s.players - 1:
            return s.queen
        if place >= (s.queen - s.start) % s.players:
            place += 1
    return (s.start + place) % s.players


def begin_turn(s):
    seat = next_seat(s)
    if s.final and seat == s.queen and seat == s.king:
        game_over(s)  # nobody took the king from her: nothing she rolls can lose it
        return
    s.seat = seat
    s.rolling = first_dice(s, seat)
    for card in range(KINDS):
        s.used[card] = 0
    for f in range(6):
        s.active[f] = 0
        s.aside[f] = 0
    s.kept = 0
    if s.final or (s.early_powers and can_add(s)):
        s.phase = Phase.BEFORE
        s.pending = 1 << seat
    else:
        s.phase = Phase.ACTING
        s.pending = CHANCE


def first_dice(s, seat):
    """How many dice a seat starts its turns with."""
    own = s.owns[seat]
    return min(
        FIRST_DICE
        + FARMER_DICE * own[Card.FARMER]
        + GENERAL_DICE * own[Card.GENERAL]
        + CHARLATAN_DICE * own[Card.CHARLATAN],
        s.dice_limit,
    )


def end_turn(s):
    s.turn += 1
    if s.turn == s.players:
        end_round(s)
    if s.phase != Phase.OVER:
        begin_turn(s)


def end_round(s):
    """The marker goes to the right: whoever was last is first."""
    if s.final or (s.king == NOBODY and s.round == (s.round_limit or MOST_ROUNDS)):
        game_over(s)
        return
    s.turn = 0
    s.round += 1
    s.start = (s.start - 1) % s.players
    s.final = 1 if s.king != NOBODY else 0


def game_over(s):
    s.phase = Phase.OVER
    s.pending = 0
    s.seat = NOBODY


# --- the turn: rolling and keeping ------------------------------------------------------------------------------------


def roll(s):
    """All active dice, none can stay behind. The dice of the first roll are in the hand already."""
    for f in range(6):
        s.rolling += s.active[f]
        s.active[f] = 0
    s.kept = 0
    s.phase = Phase.ACTING
    s.pending = CHANCE


def fall(s, face):
    s.active[face] += 1
    s.rolling -= 1
    if s.rolling == 0:
        s.pending = 1 << s.seat


def keep(s, face):
    s.active[face] -= 1
    s.aside[face] += 1
    s.kept = 1
    if not count_active(s) and not can_add(s):
        finish(s)


def finish(s):
    """All dice are set aside: they are the result."""
    if s.final:
        record(s)
    else:
        s.phase = Phase.CLAIMING


# --- the turn: powers -------------------------------------------------------------------------------------------------


def can_add(s):
    """Has the active player a card left that adds a die, and is there a die left?"""
    own = s.owns[s.seat]
    for i in range(ADDER_COUNT):
        card = ADDER[i]
        if own[card] and not s.used[card]:
            return dice_in_use(s) < s.dice_limit
    if own[Card.QUEEN] and not s.used[Card.QUEEN]:
        return dice_in_use(s) < s.dice_limit
    return False


def add(s, card, face):
    """Before the first roll the die joins it and its face is lost."""
    s.used[card] = 1
    if s.phase == Phase.BEFORE:
        s.rolling += 1
        if not s.final and not can_add(s):
            roll(s)
    else:
        s.active[face] += 1


def re_roll(s, face):
    """Not an ordinary roll: it neither asks for a die to be set aside nor cancels one that was."""
    s.used[Card.FOOL] = 1
    s.active[face] -= 1
    s.rolling = 1
    s.pending = CHANCE


def change(s, card, face, to):
    s.used[card] = 1
    s.active[face] -= 1
    s.active[to] += 1


def shift(s, giver, receiver, pips):
    s.used[Card.PHILOSOPHER] = 1
    s.active[giver] -= 1
    s.active[giver - pips] += 1
    s.active[receiver] -= 1
    s.active[receiver + pips] += 1


def take(s, card, phase, face, to):
    """One more die for the power in use; a raised one shows its new face at once."""
    s.used[card] = 1
    s.phase = phase
    s.active[face] -= 1
    s.taken[to] += 1


def done(s):
    """The merchant rolls what he took; the noblewoman and the nobleman give their dice back."""
    roll_them = s.phase == Phase.MERCHANT
    s.phase = Phase.ACTING
    for f in range(6):
        if roll_them:
            s.rolling += s.taken[f]
        else:
            s.active[f] += s.taken[f]
        s.taken[f] = 0
    if roll_them:
        s.pending = CHANCE


def turn(s, face):
    """The alchemist gives one die its new face; with the last one the dice go back."""
    s.phase = Phase.TURNING
    s.turned[face] += 1
    s.last_turned = face
    left = 0
    for f in range(6):
        left += s.taken[f] - s.turned[f]
    if left == 0:
        for f in range(6):
            s.active[f] += s.turned[f]
            s.taken[f] = 0
            s.turned[f] = 0
        s.last_turned = 0
        s.phase = Phase.ACTING


# --- the alchemist: which dice, which faces ---------------------------------------------------------------------------


def dice_and_sum(dice):
    """How many of at most three dice there are and their sum, as `count + 16 * sum`."""
    n = 0
    for f in range(6):
        n += dice[f] * (1 + 16 * (f + 1))
    return n


def can_take(s, face):
    """May the alchemist take this die as well, so that the dice he has, or with one more, can be turned into others?"""
    if not s.active[face]:
        return False
    packed = dice_and_sum(s.taken)
    count = (packed & 15) + 1
    total = (packed >> 4) + face + 1
    if count == 3:
        return THREE_LOW <= total <= THREE_HIGH
    if count == 2 and TWO_LOW <= total <= TWO_HIGH:
        return True
    for f in range(6):
        if s.active[f] > (1 if f == face else 0):
            if count == 2:
                if THREE_LOW <= total + f + 1 <= THREE_HIGH:
                    return True
            elif can_take_after(s, face, f, total + f + 1):
                return True
    return False


def can_take_after(s, face, second, total):
    """Do these two dice, or they and a third, do?"""
    if TWO_LOW <= total <= TWO_HIGH:
        return True
    for f in range(6):
        taken = (1 if f == face else 0) + (1 if f == second else 0)
        if s.active[f] > taken and THREE_LOW <= total + f + 1 <= THREE_HIGH:
            return True
    return False


def can_turn(s, face):
    """May the next die get this face, in ascending order, so that the sum comes out and the dice differ from before?"""
    packed = dice_and_sum(s.taken)
    given = dice_and_sum(s.turned)
    left = (packed & 15) - (given & 15) - 1
    rest = (packed >> 4) - (given >> 4) - face - 1
    if face < s.last_turned:
        return False
    if left == 0:
        return rest == 0 and differs(s, face, NOBODY, NOBODY)
    if left == 1:
        return face < rest <= 6 and differs(s, face, rest - 1, NOBODY)
    for second in range(face, 6):
        third = rest - second - 2  # the index of the face that is left
        if second <= third < 6 and differs(s, face, second, third):
            return True
    return False


def differs(s, a, b, c):
    """Are the faces given so far and these (NOBODY: none) other than the dice that were taken?"""
    for f in range(6):
        if s.taken[f] != s.turned[f] + (1 if f == a else 0) + (1 if f == b else 0) + (1 if f == c else 0):
            return True
    return False


def can_start_turning(s):
    count = dice_and_sum(s.taken) & 15
    total = dice_and_sum(s.taken) >> 4
    return (count == 2 and TWO_LOW <= total <= TWO_HIGH) or (count == 3 and THREE_LOW <= total <= THREE_HIGH)


# --- the end of the turn ----------------------------------------------------------------------------------------------


def claimable(s, active, aside):
    """Bits of the characters that the player at turn can claim with these dice. The fool asks for none of them."""
    own = s.owns[s.seat]
    met = earned(active, aside) | 1 << Card.FOOL
    bits = (own[Card.FOOL] > 0) << Card.CHARLATAN
    for card in range(Card.QUEEN):
        bits |= ((met >> card & 1) & (s.supply[card] > 0) & (own[card] == 0)) << card
    return bits


def claim(s, card):
    own = s.owns[s.seat]
    if card == Card.CHARLATAN:
        own[Card.FOOL] = 0  # the fool is flipped
    elif card != Card.FOOL or s.fools:
        s.supply[card] -= 1
    own[card] += 1
    if card == Card.KING:
        s.supply[Card.QUEEN] -= 1
        own[Card.QUEEN] = 1
        s.queen = s.seat
        note(s)
        crown(s)
    end_turn(s)


def note(s):
    """The best group becomes this seat's result, unless a better one is there already (the queen's holder's own)."""
    result = s.results[s.seat]
    face = best_face(s.aside)
    if beats(s.aside[face], face + 1, result[Group.COUNT], result[Group.FACE]):
        result[Group.COUNT] = s.aside[face]
        result[Group.FACE] = face + 1


def crown(s):
    """The king goes to the active player, whose group is now the one to beat."""
    if s.king != NOBODY:
        s.owns[s.king][Card.KING] = 0
    s.owns[s.seat][Card.KING] = 1
    s.king = s.seat
    face = best_face(s.aside)
    s.mark[Group.COUNT] = s.aside[face]
    s.mark[Group.FACE] = face + 1


def record(s):
    """A result in the last round: strictly better takes the king; for the queen's holder equal is enough."""
    face = best_face(s.aside)
    count = s.aside[face]
    if beats(count, face + 1, s.mark[Group.COUNT], s.mark[Group.FACE]) or (
        s.seat == s.queen and count == s.mark[Group.COUNT] and face + 1 == s.mark[Group.FACE]
    ):
        crown(s)
    note(s)
    end_turn(s)


def concede(s):
    s.conceded[s.seat] = 1
    end_turn(s)


def scores(s, out):
    """Three digits: the size of the best group, its face, and who prevails among equals (9: the queen's holder; else
    earlier is higher).

    849 is eight fours by the queen's holder. Who conceded has 0, and so have all when the round limit ended the game.
    """
    for seat in range(s.players):
        out[seat] = 0
        if s.results[seat][Group.COUNT]:
            # at most 4; skipping the queen's holder does not change the order of the others
            place = (seat - s.start) % s.players
            out[seat] = (
                100 * s.results[seat][Group.COUNT]
                + 10 * s.results[seat][Group.FACE]
                + (9 if seat == s.queen else 5 - place)
            )


# --- what may be done -------------------------------------------------------------------------------------------------


def legal(s, seat, moves):
    if not s.pending >> seat & 1:
        return 0
    if s.phase == Phase.ACTING:
        return legal_acts(s, moves)
    if s.phase == Phase.CLAIMING:
        return legal_claims(s, moves)
    if s.phase == Phase.BEFORE:
        return legal_before(s, moves)
    return legal_steps(s, moves)


def legal_before(s, moves):
    moves[0] = MOVES.roll
    n = 1
    if s.final:
        moves[1] = MOVES.concede
        n = 2
    return legal_adds(s, moves, n) if s.early_powers else n


def legal_acts(s, moves):
    active = s.active
    n = 0
    for f in range(6):
        moves[n] = MOVES.keep + f
        n += active[f] > 0
    if n == 0:
        moves[0] = MOVES.finish
        return legal_adds(s, moves, 1)
    if s.kept:
        moves[n] = MOVES.roll
        n += 1
    return legal_powers(s, moves, legal_adds(s, moves, n))


def legal_adds(s, moves, n):
    own = s.owns[s.seat]
    used = s.used
    first = n
    for i in range(ADDER_COUNT):
        card = ADDER[i]
        moves[n] = MOVES.add + i
        n += own[card] > used[card]
    if own[Card.QUEEN] and not used[Card.QUEEN]:
        for f in range(6):
            moves[n] = MOVES.queen + f
            n += 1
    return first if n > first and dice_in_use(s) >= s.dice_limit else n


def legal_powers(s, moves, n):
    """Powers that work on active dice, of which there is at least one."""
    own = s.owns[s.seat]
    used = s.used
    if own[Card.FOOL] and not used[Card.FOOL]:
        n = each_active(s, moves, n, MOVES.fool, 5)
    if own[Card.MERCHANT] and not used[Card.MERCHANT]:
        n = each_active(s, moves, n, MOVES.merchant, 5)
    if own[Card.NOBLEWOMAN] and not used[Card.NOBLEWOMAN]:
        n = each_active(s, moves, n, MOVES.noblewoman, 4)
    if own[Card.NOBLEMAN] and not used[Card.NOBLEMAN]:
        n = each_active(s, moves, n, MOVES.nobleman, 3)
    if own[Card.MAID] and not used[Card.MAID]:
        n = legal_raises(s, moves, n)
    if own[Card.PHILOSOPHER] and not used[Card.PHILOSOPHER]:
        n = legal_shifts(s, moves, n)
    if own[Card.ASTRONOMER] and not used[Card.ASTRONOMER]:
        n = legal_copies(s, moves, n)
    if own[Card.MAGICIAN] and not used[Card.MAGICIAN]:
        n = legal_changes(s, moves, n)
    if own[Card.ALCHEMIST] and not used[Card.ALCHEMIST]:
        n = legal_takes(s, moves, n)
    return n


def each_active(s, moves, n, verb, highest):
    for f in range(highest + 1):
        moves[n] = verb + f
        n += s.active[f] > 0
    return n


def legal_raises(s, moves, n):
    for f in range(5):
        if s.active[f]:
            for plus in range(min(3, 5 - f)):
                moves[n] = MOVES.maid + f * 3 + plus
                n += 1
    return n


def legal_shifts(s, moves, n):
    """Moves that would only swap two faces change nothing and are left out."""
    for giver in range(1, 6):
        if s.active[giver]:
            for receiver in range(5):
                if s.active[receiver] > (1 if receiver == giver else 0):
                    for pips in range(1, min(giver, 5 - receiver) + 1):
                        if pips != giver - receiver:
                            moves[n] = MOVES.philosopher + (giver * 6 + receiver) * 5 + pips - 1
                            n += 1
    return n


def legal_copies(s, moves, n):
    for to in range(6):
        if s.aside[to]:
            for f in range(6):
                moves[n] = MOVES.astronomer + f * 6 + to
                n += (s.active[f] > 0) & (f != to)
    return n


def legal_changes(s, moves, n):
    for f in range(6):
        if s.active[f]:
            for to in range(6):
                if f != to:
                    moves[n] = MOVES.magician + f * 6 + to
                    n += 1
    return n


def legal_takes(s, moves, n):
    for f in range(6):
        if can_take(s, f):
            moves[n] = MOVES.alchemist + f
            n += 1
    return n


def legal_steps(s, moves):
    """In the middle of a power: one more die, or the end of it."""
    if s.phase == Phase.MERCHANT:
        moves[0] = MOVES.done
        return each_active(s, moves, 1, MOVES.merchant, 5)
    if s.phase == Phase.NOBLEWOMAN:
        moves[0] = MOVES.done
        return each_active(s, moves, 1, MOVES.noblewoman, 4)
    if s.phase == Phase.NOBLEMAN:
        moves[0] = MOVES.done
        return each_active(s, moves, 1, MOVES.nobleman, 3)
    n = 0
    if s.phase == Phase.ALCHEMIST:
        n = legal_takes(s, moves, 0) if dice_and_sum(s.taken) & 15 < 3 else 0
    if s.phase == Phase.TURNING or can_start_turning(s):
        for f in range(6):
            if can_turn(s, f):
                moves[n] = MOVES.turn + f
                n += 1
    return n


def legal_claims(s, moves):
    bits = claimable(s, s.active, s.aside)
    moves[0] = MOVES.pass_
    n = 1
    for card in range(Card.QUEEN):
        moves[n] = MOVES.claim + card
        n += bits >> card & 1
    return n


def apply(s, seat, move):
    verb = VERB[move]
    x = X[move]
    y = Y[move]
    if verb == MOVES.die:
        fall(s, x)
    elif verb == MOVES.keep:
        keep(s, x)
    elif verb == MOVES.roll:
        roll(s)
    elif verb == MOVES.claim:
        claim(s, x)
    elif verb == MOVES.pass_:
        end_turn(s)
    elif verb == MOVES.finish:
        finish(s)
    elif verb == MOVES.start:
        s.start = x
        begin_turn(s)
    elif verb == MOVES.concede:
        concede(s)
    else:
        use(s, verb, x, y, Z[move])


def use(s, verb, x, y, z):
    if verb == MOVES.add:
        add(s, ADDER[x], ADDED[x])
    elif verb == MOVES.queen:
        add(s, Card.QUEEN, x)
    elif verb == MOVES.fool:
        re_roll(s, x)
    elif verb == MOVES.merchant:
        take(s, Card.MERCHANT, Phase.MERCHANT, x, x)
    elif verb == MOVES.maid:
        change(s, Card.MAID, x, x + y + 1)
    elif verb == MOVES.philosopher:
        shift(s, x, y, z + 1)
    elif verb == MOVES.astronomer:
        change(s, Card.ASTRONOMER, x, y)
    elif verb == MOVES.magician:
        change(s, Card.MAGICIAN, x, y)
    elif verb == MOVES.noblewoman:
        take(s, Card.NOBLEWOMAN, Phase.NOBLEWOMAN, x, x + 1)
    elif verb == MOVES.nobleman:
        take(s, Card.NOBLEMAN, Phase.NOBLEMAN, x, x + 2)
    elif verb == MOVES.alchemist:
        take(s, Card.ALCHEMIST, Phase.ALCHEMIST, x, x)
    elif verb == MOVES.turn:
        turn(s, x)
    elif verb == MOVES.done:
        done(s)


# --- who sees what: everything is open --------------------------------------------------------------------------------


def audience(s, seat, move):
    return EVERYONE


def reveals(s, seat, move):
    return 0


def determinize(s, seat, rng):
    pass
