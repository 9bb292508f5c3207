"""Many games side by side in native arrays, a decision in each at a time. `vector.py` makes a
`gymnasium.vector.VectorEnv` of them; nothing here needs Gymnasium.

    games = BatchedGames(courtly.game("necklace"), 1024, players=3, heroes=(0,), opponents="policy")
    games.reset(seed=1)
    for _ in range(1000):
        games.step(choose(games.observation, games.mask))     # and games.rewards, games.over

`heroes` are the seats that actions are given for, or "all", which is self-play. The other seats are played inside: at
"random", by the game's own "policy", or by a network, a list of (weights, constants) with `x @ weights + constants` and
max(0, …) between two of them, from the float32 observation to a number for each move. It takes the legal move of the
greatest, or with `sampled` each as likely as softmax says. Of a single pair, it is a table.

Game k of a seed has a random stream of its own. Neither the number of games nor `threads` changes any: with n of them,
place i plays games i, i + n, i + 2n… If all actions are drawn by `sample`, or by a `step` that is given none, and all
opponents are random, these are the games that `courtly simulate` plays under those numbers.

| array | shape, kind | what |
|---|---|---|
| `observation` | n × size, float32 or int16 | what the seat sees that is to move (observation.py) |
| `mask` | n × moves, int8 | 1: it may do this |
| `choices`, `counts` | n × most, int32; n, int64 | the same as a list: the first `counts[i]` of row i |
| `seats` | n, int64 | which seat it is |
| `rewards` | n × players, float32 | 0; of a game that is over each seat's place, from 1 to -1 (`Position.utility`) |
| `over` | n, int8 | RUNNING; or the game has ENDED, was CUT, or the action was ILLEGAL; then another has begun |
| `last_observation` | as `observation` | of a game that is over: what the seat sees of its end that decided last |
| `games` | n, int64 | which game of the seed it is |
| `lengths` | n × 3, int64 | its decisions and events until now, and the decisions of the one before |
| `states` | n + 1 records | the games themselves, as `game.State.pack` has them; the last one is blank. Read-only |

They are always the same arrays, filled anew by each step; what is written into them makes no move legal.
`torch.from_numpy(games.observation)` shares them, and so does `jax.dlpack.from_dlpack(games.observation)`; but of int64
JAX makes int32 unless `jax_enable_x64` is set.

An action that is not legal ends its game: -1 for who chose it, 1 / (players - 1) for each other. After `limit`
decisions a game is cut, with nothing for anybody; that is as many as there can be, unless it is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from operator import index
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

from courtly.adapters import require_research_extra
from courtly.bots.registry import has_move_policy
from courtly.engine.constants import POLICY_NOTES_LENGTH
from courtly.engine.errors import RulesError
from courtly.engine.game import Game
from courtly.engine.native import loader
from courtly.engine.rng import GENERATOR_SIZE

with require_research_extra():
    import numpy as np

    from courtly.adapters.batch_driver import (
        BEGIN,
        BEST,
        CUT,
        DRAW,
        ENDED,
        ILLEGAL,
        MOVE,
        MOVES,
        POLICY,
        RANDOM,
        RUNNING,
        SAMPLED,
    )
    from courtly.adapters.observation import get_encoder
    from courtly.adapters.thread_team import ThreadTeam, make_team_words

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["CUT", "ENDED", "ILLEGAL", "RUNNING", "BatchedGames", "Network"]

Network = Sequence[tuple[Any, Any]]  # of each layer, what multiplies what comes in, and what is added
ObservationKind = Literal["float32", "int16"]


ALIGNMENT_BYTES = 64  # bytes: arrays that lie otherwise JAX copies


def aligned_zeros(shape: tuple[int, ...], kind: Any) -> NDArray[Any]:
    """An array that other libraries share as it is."""
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    room = np.zeros(size + ALIGNMENT_BYTES, np.uint8)
    first = -room.ctypes.data % ALIGNMENT_BYTES
    made: NDArray[Any] = room[first : first + size].view(kind).reshape(shape)
    return made


def require_int(number: SupportsIndex, what: str) -> int:
    """ValueError unless it is one."""
    if not hasattr(number, "__index__"):
        raise ValueError(f"{what} is a whole number, not {number!r}")
    return index(number)


@cache
def load_driver(game: Game) -> Any:
    return loader.load_driver(game, driver="courtly.adapters.batch_driver")


def _layer_numbers(given: Any) -> NDArray[np.float32]:
    """A copy of a layer's, of Torch too, whose tensors do not give themselves away while they learn."""
    return np.array(given.detach() if hasattr(given, "detach") else given, np.float32)


def _restore_games(
    game: Game, arguments: dict[str, Any], kept: list[NDArray[Any]], seed: int, closed: bool
) -> BatchedGames:
    """Return arrays with the contents that a pickle or a copy kept."""
    made = BatchedGames(game, **arguments)
    for mine, theirs in zip(made._changing, kept, strict=True):
        mine[...] = theirs
    if closed:
        made.close()
    made._seed = seed
    return made


class BatchedGames:
    """`n` games. ValueError says what is not offered: a number of players, an option, a seat, a form, a policy, the
    shape of a network."""

    def __init__(
        self,
        game: Game,
        n: int,
        players: int | None = None,
        options: Mapping[str, int] | None = None,
        *,
        heroes: Sequence[int] | Literal["all"] = "all",
        opponents: Literal["random", "policy"] | Network = "random",
        sampled: bool = False,
        kind: ObservationKind = "float32",
        limit: int | None = None,
        threads: int = 1,
    ):
        players = game.players[0] if players is None else require_int(players, "the number of players")
        n, threads = require_int(n, "the number of games"), require_int(threads, "the number of threads")
        if n < 1 or threads < 1:
            raise ValueError(f"at least one game and one thread, not {n} and {threads}")
        if kind not in ("float32", "int16"):
            raise ValueError(f"observations are float32 or int16, not {kind!r}")
        self.game, self.n, self.players, self.kind, self.threads = game, n, players, kind, min(threads, n)
        self.encoder = seen = get_encoder(game, players)
        if isinstance(heroes, str) and heroes == "all":
            self.heroes = tuple(range(players))
        elif isinstance(heroes, Iterable):
            self.heroes = tuple(require_int(seat, "a seat") for seat in heroes)
        else:
            raise ValueError(f'heroes are "all" or some seats, not {heroes!r}')
        if not self.heroes or not set(self.heroes) <= set(range(players)):
            raise ValueError(f"heroes are among the seats 0 to {players - 1}, not {heroes!r}")
        self.limit = game.bounds["decisions"] if limit is None else require_int(limit, "limit")
        if not 0 < self.limit <= game.bounds["decisions"]:
            raise ValueError(f"a game has 1 to {game.bounds['decisions']} decisions, not {limit!r}")
        blank = game.State(players=players, **(options or {})).pack()
        self._states = loader.make_arrays(game, n + 1)[0]
        self._states[n:].view(np.uint8)[: len(blank)] = np.frombuffer(blank, np.uint8)
        self.states = self._states.view()
        self.states.flags.writeable = False
        how, net, layers = self._opponents(opponents, sampled)
        moves = game.moves.count
        self.mask: NDArray[np.int8] = aligned_zeros((n, moves), np.int8)
        self.choices: NDArray[np.int32] = aligned_zeros((n, game.bounds["moves"]), np.int32)
        self.counts: NDArray[np.int64] = aligned_zeros((n,), np.int64)
        self.seats: NDArray[np.int64] = aligned_zeros((n,), np.int64)
        self.rewards: NDArray[np.float32] = aligned_zeros((n, players), np.float32)
        self.over: NDArray[np.int8] = aligned_zeros((n,), np.int8)
        games, lengths = aligned_zeros((n,), np.int64), aligned_zeros((n, 3), np.int64)
        self.games: NDArray[np.int64] = games.view()
        self.lengths: NDArray[np.int64] = lengths.view()
        self.games.flags.writeable = self.lengths.flags.writeable = False
        floats, raws = (n, 0) if kind == "float32" else (0, n)
        self._floats = [aligned_zeros((floats, seen.size), np.float32) for _ in range(2)]
        self._raws = [aligned_zeros((raws, seen.raw_size), np.int16) for _ in range(2)]
        shown: list[NDArray[Any]] = [*(self._floats if kind == "float32" else self._raws)]
        self.observation, self.last_observation = shown
        self._offers = np.zeros((n, MOVES + game.bounds["moves"]), np.int32)
        self._rngs = np.zeros((n, GENERATOR_SIZE), np.int64)
        self._actions = np.zeros(n, np.int64)
        self._driver, told = load_driver(game), make_team_words(n, self.threads)
        bits = sum(1 << seat for seat in self.heroes)
        wide = max(*layers.tolist(), game.bounds["moves"]) if len(layers) else 1

        def given(who: int) -> tuple[Any, ...]:
            own = np.zeros(game.room, np.int64), np.zeros(game.room + POLICY_NOTES_LENGTH, np.int64)
            room = np.zeros((2, wide), np.float32)
            return (
                who, told, bits, how, self.limit, self._actions, self._states, self._rngs, games, lengths,
                *own, self._offers, self.choices, self.counts, self.seats, self.mask,
                self._floats[0], seen.scale, self._raws[0], self._floats[1], self._raws[1],
                self.rewards, self.over, net, layers, room,
            )  # fmt: skip  # in rows of what belongs together: one to a line is as long as what takes them

        door = loader.compile_entry_point(game, self._driver.advance, *given(0))
        self._crew = ThreadTeam([partial(door, *given(who)) for who in range(self.threads)], told)
        self._seed, self._closed = -1, False
        kept = (
            opponents if isinstance(opponents, str) else [(_layer_numbers(w), _layer_numbers(c)) for w, c in opponents]
        )
        self._arguments = {
            "n": n,
            "players": players,
            "options": dict(options or {}),
            "heroes": self.heroes,
            "sampled": sampled,
            "opponents": kept,
            "kind": kind,
            "limit": self.limit,
            "threads": threads,
        }
        self._changing = (
            self._states, self._rngs, games, lengths, self._offers, self._actions, self.choices, self.counts,
            self.seats, self.mask, self.rewards, self.over, *self._floats, *self._raws,
        )  # fmt: skip  # all that differs from new arrays with the same arguments

    def __reduce__(self) -> tuple[Any, ...]:
        kept = [array.copy() for array in self._changing]
        return _restore_games, (self.game, self._arguments, kept, self._seed, self._closed)

    def _opponents(self, wanted: Any, sampled: bool) -> tuple[int, NDArray[np.float32], NDArray[np.int64]]:
        """How opponents choose, the numbers of their network, and how many go in and come out of each layer."""
        none = np.zeros(0, np.float32), np.zeros(0, np.int64)
        if wanted == "random":
            return RANDOM, *none
        if wanted == "policy":
            if not has_move_policy(self.game):
                raise ValueError(f"{self.game.id} has no policy that says what is to be preferred")
            return POLICY, *none
        if not isinstance(wanted, Sequence) or not wanted or isinstance(wanted, str) or isinstance(wanted[0], str):
            raise ValueError(f'opponents are "random", "policy" or a network, not {wanted!r}')
        layers, numbers = [self.encoder.size], []
        for at, (given, added) in enumerate(wanted):
            weights, constants = _layer_numbers(given), _layer_numbers(added)
            last = at + 1 == len(wanted)
            out = self.game.moves.count if last else constants.size
            if weights.shape != (layers[-1], out) or constants.shape != (out,):
                told = f"layer {at} of the network goes from {layers[-1]} to {out} numbers"
                raise ValueError(f"{told}, not {weights.shape} and {constants.shape}")
            numbers += [constants, (weights.T if last else weights).ravel()]
            layers.append(out)
        return SAMPLED if sampled else BEST, np.concatenate(numbers), np.array(layers)

    def reset(self, seed: int = 0) -> None:
        """Begin the first n games of a seed, which is at least 0 and below 2**63. RulesError if the rules fail."""
        number = require_int(seed, "a seed")
        if not 0 <= number < 1 << 63:
            raise ValueError(f"a seed is a whole number from 0 to 2**63 - 1, not {seed}")
        if self._closed:
            raise ValueError("these games are closed")
        self._seed = number
        self.rewards[:] = 0
        self._advance(BEGIN)

    def step(self, actions: ArrayLike | None = None) -> None:
        """Make a move in each game: these, or each a random legal one, as `sample` draws it. ValueError if they are not
        n whole numbers; what else is not legal ends its game. RulesError if the rules fail."""
        if self._seed < 0:
            raise ValueError("reset comes before the first step")
        if actions is None:
            self._advance(DRAW)
            return
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise ValueError(f"actions are {self.n} whole numbers, not {given.dtype} of shape {given.shape}")
        self._actions[:] = given
        self._advance(MOVE)

    def sample(self) -> NDArray[np.int64]:
        """A random legal action for each game, drawn from its own stream. The same array each time."""
        self._driver.sample(0, self.n, self._rngs, self._offers, self._actions)
        return self._actions

    def _advance(self, task: int) -> None:
        stuck = self._crew.step(task, self._seed)
        if stuck >= 0:
            self._seed = -1
            told = f"game {self.games[stuck]} cannot go on, or nobody whom actions are given for decides anything"
            raise RulesError(self.game.id, told)

    def close(self) -> None:
        """End the threads; there is no step after that."""
        self._crew.close()
        self._seed, self._closed = -1, True
