"""What a game's `rules.py` provides, and its `policy.py` and `measures.py` where there are such. Drivers import these
names from here; the loader (loader.py) puts one game's functions and numbers in their place."""

BOUNDS = (0, 0, 0)  # of game.toml: the most decisions and random events of a game, the most legal moves of a decision


def setup(s):
    """From a blank state with its options set to the first decision or random event."""


def chance(s, moves, weights):
    """A random event is due: what may happen and how likely, in whole numbers. Returns how many."""


def legal(s, seat, moves):
    """The moves open to this seat. Returns how many; 0 if its bit of `pending` is clear."""


def apply(s, seat, move):
    """Make a move, or let a random event happen (seat is NOBODY)."""


def audience(s, seat, move):
    """Before a move or event: the bits of the seats that see its arguments, EVERYONE for all; with SILENT the others
    notice nothing."""


def reveals(s, seat, move):
    """Before a move: the bits of the seats that will learn something hidden by it."""


def scores(s, out):
    """Each seat's final score; the highest wins, equals share."""


def determinize(s, seat, rng):
    """Deal anew what this seat cannot see, consistent with all it knows."""


# --- how a good player plays: of policy.py, which may leave out any ----------------------------------------


def priors(s, seat, moves, n, out):
    """How much this seat is to prefer each of its n moves, in whole numbers from 0, by what it sees and nothing else.
    Returns their sum, 0 where there is nothing to say. Behind the n numbers `out` has room for NOTES more."""
    return 0


def considered(s, seat, moves, n):
    """Of this seat's n legal moves the first so many are worth a simulation: a policy that returns fewer keeps a search
    from trying the rest."""
    return n


def value(s, out):
    """The placement that each seat may expect, in thousandths: 1000 is to win alone, 0 to be last. Returns 1, or 0
    where there is nothing to say. Behind the seats `out` has room for NOTES more."""
    return 0


def recall(s, seat):
    """Many worlds will be dealt anew from this one for this seat: work out once, into scratch fields, what
    `determinize` would work out for each. It deals the same worlds without."""


def belief(s, seat):
    """How likely it is, in thousandths, that the others chose what they have chosen in this world, which was just dealt
    anew for a seat."""
    return 1000


def traits(s, seat, out, at):
    """What to notice of a seat's prospects wherever `value` has something to say, in whole numbers, from `out[at]` on:
    what its weights are learned from (courtly.lab.train_value). Returns how many."""
    return 0


def solve(s, seat, moves, n, out, notes):
    """The chance to win that each of its n moves gives this seat, worked out rather than tried, and behind these every
    seat's if it makes the best, of 1,000,000,000. Returns 1. `notes` is a row of zeros to think with; how long it is
    stands in notes[0]. A game whose policy has it is not searched."""
    return 0


# --- what is measured: of measures.py, which may leave out any -----------------------------------------------------


def points(s, out):
    """Each seat's points as players count them, without what breaks ties: at any time how it stands, in the end what
    the score sheet says. The scores, where a game does not tell."""


def owned(s, seat, out):
    """How many this seat has of each component that OWNED of measures.py names, when the game is over."""


def starter(s):
    """Asked before the first decision: the seat that begins; NOBODY where all begin at once."""
    for seat in range(s.players):
        if s.pending == 1 << seat:
            return seat
    return -1
