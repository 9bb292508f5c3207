"""The functions that a game's `rules.py`, and optionally `policy.py`, `facts.py` and `measures.py`, provide. Drivers
import these names from here; the loader (loader.py) replaces them by the functions and numbers of one game."""

# from game.toml: the most decisions, the most random events, the most legal moves of a decision; and how many moves are
# declared, without and with random events
BOUNDS = (0, 0, 0, 0, 0)


def setup(s):
    """Advance a blank state, whose options are set, to the first decision or random event."""


def chance(s, moves, weights):
    """List the random events that are possible now, with their weights in whole numbers. Returns how many there are."""


def legal(s, seat, moves):
    """List the legal moves of this seat. Returns how many there are: 0 if its bit of `pending` is clear."""


def apply(s, seat, move):
    """Make a move, or a random event (seat NOBODY)."""


def audience(s, seat, move):
    """Return, before a move or event, the bits of the seats that will see its arguments, or EVERYONE. If SILENT is
    added, the others receive no cue."""


def reveals(s, seat, move):
    """Return, before a move, the bits of the seats that will learn something hidden from it."""


def scores(s, out):
    """Write each seat's final score to `out`. The highest score wins; equal scores share the victory."""


def determinize(s, seat, rng):
    """Deal again what this seat cannot see, consistent with everything that it knows."""


# --- optional in rules.py ---------------------------------------------------------------------------------------------


def refusal(s, seat, move):
    """Return the number of the reason (a member of Refusal) why a move of a pending seat is not legal, or -1."""
    return -1


def equal_events(s):
    """Return the id of the first random event that is possible now, and how many are, if their ids follow each other
    and `chance` lists all with weight 1. Simulations then draw without the list.

    Returns (0, 0) if it has to be listed.
    """
    return 0, 0


# --- how a good player decides: policy.py, where each function is optional --------------------------------------------


def priors(s, seat, moves, n, out):
    """Write to `out` how strongly this seat should prefer each of its n moves, in whole numbers from 0.

    The preferences must depend only on what the seat sees. Returns their sum, or 0 for no preference. Behind the n
    numbers, `out` has POLICY_NOTES_LENGTH more for intermediate results.
    """
    return 0


def considered(s, seat, moves, n):
    """Return how many of the n legal moves of this seat, from the first on, are worth a simulation. A search tries only
    these."""
    return n


def value(s, out):
    """Write to `out` the placement that each seat can expect, in thousandths: 1000 for a sole winner, 0 for the last.

    Returns 1, or 0 if there is no estimate. Behind the seats, `out` has POLICY_NOTES_LENGTH more numbers for
    intermediate results.
    """
    return 0


def recall(s, seat):
    """Prepare for many calls of `determinize` for this seat from this state: store in scratch fields what each would
    otherwise compute. `determinize` must deal the same worlds without it."""


def belief(s, seat):
    """Return the likelihood, in thousandths, that the other seats made the choices they made, given that this world,
    which `determinize` has just dealt for a seat, is the true one."""
    return 1000


def traits(s, seat, out, at):
    """Write the traits of a seat's position, in whole numbers, to `out[at]` and the following places. Returns how many.

    The weights of the value network are learned from them (courtly.lab.train_value). It is called for each state for
    which `value` has an estimate.
    """
    return 0


def solve(s, seat, moves, n, out, notes):
    """Compute the exact value of each of the n moves, instead of a search.

    Writes to `out`, in units of 1e-9, this seat's chance to win with each move, and behind these n numbers every seat's
    chance after the best move. `notes` is a row of zeros for intermediate results; notes[0] holds its length. Returns
    1. If a policy has this function, the game is not searched.
    """
    return 0


# --- what boards show: facts.py ---------------------------------------------------------------------------------------


def facts(s, seat, out, moves):
    """Write to `out`, the game's Facts, what follows from a state that shows only what this seat sees.

    NOBODY stands for spectators. `s` may be changed; `moves` is a row to work with."""


def counted(s, seat, out):
    """Write to `out` what players count of this seat: a number for each name in COUNTED, then for each in PARTS."""


# --- what is measured: measures.py, where each function is optional ---------------------------------------------------


def points(s, out):
    """Write each seat's points to `out` as players count them, without tie-breakers: the current points, or at the end
    those of the score sheet. Defaults to `scores`."""


def owned(s, seat, out):
    """Write to `out` how many of each component of OWNED (measures.py) this seat owns when the match is over."""


def starter(s):
    """Return, before the first decision, the seat that begins; NOBODY if all seats begin at the same time."""
    for seat in range(s.players):
        if s.pending == 1 << seat:
            return seat
    return -1
