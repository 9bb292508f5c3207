"""How each character can be used now."""

from itertools import combinations_with_replacement

from courtly.engine.constants import NOBODY
from courtly.games.petition.rules import legal
from courtly.games.petition.table import ADDER, FACES, MOVES, VERB, Card, Phase, X, Y, Z

USING = tuple(
    {
        Phase.MERCHANT: Card.MERCHANT,
        Phase.NOBLEWOMAN: Card.NOBLEWOMAN,
        Phase.NOBLEMAN: Card.NOBLEMAN,
        Phase.ALCHEMIST: Card.ALCHEMIST,
        Phase.TURNING: Card.ALCHEMIST,
    }.get(phase, NOBODY)
    for phase in range(len(Phase))
)  # by phase: the character in use
NO_FACE = 0

# --- ways of one move -------------------------------------------------------------------------------------------------


def _way(move):
    """Return the character that a move uses, the picked dice, and their resulting faces; None for other moves.

    The alchemist's moves are not listed one by one."""
    x, y, z = X[move], Y[move], Z[move]
    ways = {
        MOVES.add: (ADDER[x % len(ADDER)], (), ()),
        MOVES.queen: (Card.QUEEN, (), (x + 1,)),
        MOVES.fool: (Card.FOOL, (x + 1,), ()),
        MOVES.merchant: (Card.MERCHANT, (x + 1,), ()),
        MOVES.maid: (Card.MAID, (x + 1,), (x + y + 2,)),
        MOVES.philosopher: (Card.PHILOSOPHER, (x + 1, y + 1), (x - z, y + z + 2)),
        MOVES.astronomer: (Card.ASTRONOMER, (x + 1,), (y + 1,)),
        MOVES.magician: (Card.MAGICIAN, (x + 1,), (y + 1,)),
        MOVES.noblewoman: (Card.NOBLEWOMAN, (x + 1,), (x + 2,)),
        MOVES.nobleman: (Card.NOBLEMAN, (x + 1,), (x + 3,)),
    }
    return ways.get(VERB[move])


def _list_ways():
    """Return the way of each move, None if it is never listed: moves that nothing would come of, and pips moved between
    two dice with the same outcome as an earlier move."""
    found, outcomes = [], set()
    for move in range(len(VERB)):
        way = _way(move)
        if way:
            card, dice, to = way
            outcome = sorted(dice), sorted(to)
            seen = card == Card.PHILOSOPHER and str(outcome) in outcomes
            outcomes.add(str(outcome))
            if seen or dice and outcome[0] == outcome[1] or not all(face in FACES for face in to):
                way = None
        found.append(way)
    return found


def _pad(faces, length):
    return (*faces, *[NO_FACE] * (length - len(faces)))


_WAYS = _list_ways()
CARDS_OF_MOVES = tuple(way[0] if way else NOBODY for way in _WAYS)
DICE_OF_MOVES = tuple(_pad(way[1] if way else (), 2) for way in _WAYS)
FACES_OF_MOVES = tuple(_pad(way[2] if way else (), 2) for way in _WAYS)

# --- the alchemist ----------------------------------------------------------------------------------------------------

# Sets of two or three dice, by face and as counts, and for each the sets that it can become: those with the same sum.
_SETS = [dice for n in (2, 3) for dice in combinations_with_replacement(FACES, n)]
_OTHERS = [
    [i for i, to in enumerate(_SETS) if to != dice and len(to) == len(dice) and sum(to) == sum(dice)] for dice in _SETS
]
MOST_OTHERS = max(map(len, _OTHERS))
SET_COUNT = len(_SETS)
FACES_OF_SETS = tuple(_pad(dice, 3) for dice in _SETS)
DICE_OF_SETS = tuple(tuple(dice.count(face) for face in FACES) for dice in _SETS)
OTHERS = tuple((*others, *[NOBODY] * (MOST_OTHERS - len(others))) for others in _OTHERS)

# The most ways in one position: those of one move, and all of the alchemist.
MOST_WAYS = sum(way is not None for way in _WAYS) + sum(map(len, _OTHERS))


def list_ways(s, seat, out, moves):
    """List how each character can be used now."""
    n = 0
    alchemist = s.phase == Phase.ALCHEMIST
    for i in range(legal(s, seat, moves)):
        move = moves[i]
        alchemist = alchemist or VERB[move] == MOVES.alchemist
        if CARDS_OF_MOVES[move] != NOBODY:
            show_way(out.ways[n], move)
            n += 1
        elif move == MOVES.done:
            out.ways[n].card = USING[s.phase]
            out.ways[n].moves[0] = move
            n += 1
    if alchemist:
        list_turned(s, out, n)


def show_way(way, move):
    """Show the use of a character by one move."""
    way.card = CARDS_OF_MOVES[move]
    way.moves[0] = move
    for i in range(2):
        if DICE_OF_MOVES[move][i] != NO_FACE:
            way.dice[i] = DICE_OF_MOVES[move][i]
        if FACES_OF_MOVES[move][i] != NO_FACE:
            way.to[i] = FACES_OF_MOVES[move][i]
    if way.card == Card.MERCHANT or way.card == Card.NOBLEWOMAN or way.card == Card.NOBLEMAN:
        way.then[0] = MOVES.done  # they take any number of dice, with a move for each


def list_turned(s, out, n):
    """List all that the alchemist can make of sets of two or three dice that include the taken ones."""
    for dice in range(SET_COUNT):
        if is_there(s, dice):
            for i in range(MOST_OTHERS):
                if OTHERS[dice][i] != NOBODY:
                    show_turned(s, out.ways[n], dice, OTHERS[dice][i])
                    n += 1


def is_there(s, dice):
    """Return True if a set includes the taken dice, and the others are active."""
    for f in range(6):
        more = DICE_OF_SETS[dice][f] - s.taken[f]
        if more < 0 or more > s.active[f]:
            return False
    return True


def show_turned(s, way, dice, to):
    """Show how one set of dice becomes another: the moves take the rest of the set, then give all new faces."""
    way.card = Card.ALCHEMIST
    n = 0
    for f in range(6):
        for _ in range(DICE_OF_SETS[dice][f] - s.taken[f]):
            way.dice[n] = f + 1
            way.moves[n] = MOVES.alchemist + f
            n += 1
    for i in range(3):
        face = FACES_OF_SETS[to][i]
        if face != NO_FACE:
            way.to[i] = face
            way.moves[n] = MOVES.turn + face - 1
            n += 1
