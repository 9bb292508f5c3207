"""Many games stepped together in NumPy arrays by compiled code, one decision per game and step.

This module does not need Gymnasium; `vector.py` wraps it as a `gymnasium.vector.VectorEnv`.

    games = BatchedGames(courtly.game("necklace"), 1024, players=3, heroes=(0,), opponents="policy")
    games.reset(seed=1)
    for _ in range(1000):
        games.step(choose(games.observation, games.mask))     # and games.rewards, games.over

The caller chooses the actions of the `heroes`: a list of seats, or "all" for self-play. Compiled opponents play the
other seats: "random" draws legal moves uniformly, "policy" follows the game's own policy, and a network maps the
float32 observation to one score per move. A network is a list of (weights, biases) layers: each computes
`x @ weights + biases`, with ReLU between layers. It plays the legal move with the highest score, or with `sampled`
draws from the softmax of the scores of the legal moves. A network of one layer is a linear table.

Each game k of a seed has its own random stream, so neither the number of games nor `threads` changes a game. With n
games, row i plays games i, i + n, i + 2n and so on. If `sample`, or `step` without actions, chooses all actions and all
opponents are random, they are the games that `courtly simulate` plays for that seed.

| array | shape, dtype | content |
|---|---|---|
| `observation` | (n, size), float32 or int16 | what the seat to move sees (observation.py) |
| `mask` | (n, moves), int8 | 1 for each legal move of that seat |
| `choices`, `counts` | (n, max), int32; (n,), int64 | the legal moves as a list: the first `counts[i]` of row i |
| `seats` | (n,), int64 | the seat to move |
| `rewards` | (n, players), float32 | 0; after a game's last step each seat's place, from 1 to -1 (`Position.utility`) |
| `over` | (n,), int8 | RUNNING, ENDED, CUT (at `limit`) or ILLEGAL; unless RUNNING, the next game has begun |
| `last_observation` | as `observation` | the end of a game, as seen by the seat that decided last |
| `games` | (n,), int64 | the game's number within the seed |
| `lengths` | (n, 3), int64 | decisions and events so far, and the decisions of the previous game |
| `states` | n + 1 records | the states, packed as by `game.State.pack`; the last record is blank. Read-only |

The array objects stay the same; each step overwrites their contents. Writing into `mask` or `choices` does not make a
move legal. `torch.from_numpy(games.observation)` and `jax.dlpack.from_dlpack(games.observation)` share the memory; JAX
converts int64 to int32 unless `jax_enable_x64` is set.

An illegal action ends its game with reward -1 for the seat that chose it and 1 / (players - 1) for each other seat.
After `limit` decisions (default: the maximum that the game declares) a game is cut with all rewards 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
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

    import_module("llvmlite")  # machine code steps the games
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

Network = Sequence[tuple[Any, Any]]  # (weights, biases) of each layer
ObservationKind = Literal["float32", "int16"]


ALIGNMENT_BYTES = 64  # JAX copies arrays that are aligned less strictly


def aligned_zeros(shape: tuple[int, ...], kind: Any) -> NDArray[Any]:
    """Return zeros of this shape and dtype, aligned so that JAX and Torch share the memory instead of copying it."""
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    buffer = np.zeros(size + ALIGNMENT_BYTES, np.uint8)
    first = -buffer.ctypes.data % ALIGNMENT_BYTES
    zeros: NDArray[Any] = buffer[first : first + size].view(kind).reshape(shape)
    return zeros


def require_int(number: SupportsIndex, name: str) -> int:
    """Return `number` as an int. Raises ValueError, naming it `name`, if it is not an integer."""
    if not hasattr(number, "__index__"):
        raise ValueError(f"{name} must be a whole number, not {number!r}")
    return index(number)


def require_seed(seed: SupportsIndex) -> int:
    """Return a seed as an int. Raises ValueError if it is none."""
    number = require_int(seed, "a seed")
    if not 0 <= number < 1 << 63:
        raise ValueError(f"a seed must be a whole number from 0 to 2**63 - 1, not {seed}")
    return number


def require_seats(heroes: Sequence[int] | Literal["all"], players: int) -> tuple[int, ...]:
    """Return the heroes as a tuple of seats. Raises ValueError if there is none, or one that does not exist."""
    if isinstance(heroes, str) and heroes == "all":
        return tuple(range(players))
    if not isinstance(heroes, Iterable):
        raise ValueError(f'heroes must be "all" or a list of seats, not {heroes!r}')
    seats = tuple(require_int(seat, "a seat") for seat in heroes)
    if not seats or not set(seats) <= set(range(players)):
        raise ValueError(f"heroes must be seats from 0 to {players - 1}, not {heroes!r}")
    return seats


def require_limit(game: Game, limit: int | None) -> int:
    """Return the decisions after which a game is cut. Raises ValueError if the game does not allow them."""
    decisions = game.bounds["decisions"]
    number = decisions if limit is None else require_int(limit, "limit")
    if not 0 < number <= decisions:
        raise ValueError(f"limit must be from 1 to {decisions} decisions, not {limit!r}")
    return number


def require_kind(kind: str) -> None:
    """Check the form of observations. Raises ValueError if there is no such form."""
    if kind not in ("float32", "int16"):
        raise ValueError(f"kind must be 'float32' or 'int16', not {kind!r}")


def require_policy(game: Game) -> None:
    """Check that a game has a policy. Raises ValueError if it has none."""
    if not has_move_policy(game):
        raise ValueError(f"{game.id} has no policy; use 'random' or a network as opponents")


@cache
def load_driver(game: Game) -> Any:
    """Return the compiled `batch_driver` of a game."""
    return loader.load_driver(game, driver="courtly.adapters.batch_driver")


def _layer_numbers(values: Any) -> NDArray[np.float32]:
    """Return a float32 copy of a layer's weights or biases. Torch tensors are detached first, because a tensor that
    requires grad cannot be converted."""
    return np.array(values.detach() if hasattr(values, "detach") else values, np.float32)


def _restore_games(
    game: Game, arguments: dict[str, Any], contents: list[NDArray[Any]], seed: int, closed: bool
) -> BatchedGames:
    """Rebuild `BatchedGames` from what `__reduce__` stored, with the same array contents."""
    batch = BatchedGames(game, **arguments)
    for target, content in zip(batch._state_arrays, contents, strict=True):
        target[...] = content
    if closed:
        batch.close()
    batch._seed = seed
    return batch


class BatchedGames:
    """`n` games of one kind, stepped together. The module documentation describes the arrays."""

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
        """Allocate the arrays and compile the driver. No game begins before `reset`.

        Args:
            game: The game to play.
            n: Number of games stepped together, at least 1.
            players: Players of each game. Default: the fewest that the game allows.
            options: Table options by name. Default: the game's defaults.
            heroes: Seats that the caller plays, or "all".
            opponents: How the other seats choose: "random", "policy", or a network as (weights, biases) pairs. Hidden
                layer k has weights of shape (inputs, outputs) and biases of shape (outputs,); the last layer has one
                output per move.
            sampled: Draw a network's moves from their softmax instead of taking the best.
            kind: Form and dtype of the observations, "float32" or "int16".
            limit: Decisions after which a game is cut. Default: the maximum that the game declares.
            threads: Threads that share each step, at least 1.

        Raises:
            ValueError: A number, option, seat, observation kind, opponent or network shape is not supported.
        """
        players = game.players[0] if players is None else require_int(players, "the number of players")
        n, threads = require_int(n, "the number of games"), require_int(threads, "the number of threads")
        if n < 1 or threads < 1:
            raise ValueError(f"n and threads must be at least 1, not {n} and {threads}")
        require_kind(kind)
        self.game, self.n, self.players, self.kind, self.threads = game, n, players, kind, min(threads, n)
        self.encoder = encoder = get_encoder(game, players)
        self.heroes, self.limit = require_seats(heroes, players), require_limit(game, limit)
        blank_state = game.State(players=players, **(options or {})).pack()
        self._states = loader.make_arrays(game, n + 1)[0]
        self._states[n:].view(np.uint8)[: len(blank_state)] = np.frombuffer(blank_state, np.uint8)
        self.states = self._states.view()
        self.states.flags.writeable = False
        choice_mode, net, layers = self._opponents(opponents, sampled)
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
        self._floats = [aligned_zeros((floats, encoder.size), np.float32) for _ in range(2)]
        self._raws = [aligned_zeros((raws, encoder.raw_size), np.int16) for _ in range(2)]
        buffers: list[NDArray[Any]] = [*(self._floats if kind == "float32" else self._raws)]
        self.observation, self.last_observation = buffers
        self._offers = np.zeros((n, MOVES + game.bounds["moves"]), np.int32)
        self._rngs = np.zeros((n, GENERATOR_SIZE), np.int64)
        self._actions = np.zeros(n, np.int64)
        self._driver, words = load_driver(game), make_team_words(n, self.threads)
        bits = sum(1 << seat for seat in self.heroes)
        layer_width = max(*layers.tolist(), game.bounds["moves"]) if len(layers) else 1

        def advance_arguments(thread: int) -> tuple[Any, ...]:
            move_buffers = np.zeros(game.room, np.int64), np.zeros(game.room + POLICY_NOTES_LENGTH, np.int64)
            layer_buffers = np.zeros((2, layer_width), np.float32)
            return (
                thread, words, bits, choice_mode, self.limit, self._actions, self._states, self._rngs, games, lengths,
                *move_buffers, self._offers, self.choices, self.counts, self.seats, self.mask,
                self._floats[0], encoder.scale, self._raws[0], self._floats[1], self._raws[1],
                self.rewards, self.over, net, layers, layer_buffers,
            )  # fmt: skip  # grouped by meaning; one argument per line would be as long as the signature of `advance`

        self._threads = ThreadTeam(
            [self._driver.advance.bind(*advance_arguments(thread)) for thread in range(self.threads)], words
        )
        self._seed, self._closed = -1, False
        opponent_spec = (
            opponents if isinstance(opponents, str) else [(_layer_numbers(w), _layer_numbers(c)) for w, c in opponents]
        )
        self._arguments = {
            "n": n,
            "players": players,
            "options": dict(options or {}),
            "heroes": self.heroes,
            "sampled": sampled,
            "opponents": opponent_spec,
            "kind": kind,
            "limit": self.limit,
            "threads": threads,
        }
        self._state_arrays = (
            self._states, self._rngs, games, lengths, self._offers, self._actions, self.choices, self.counts,
            self.seats, self.mask, self.rewards, self.over, *self._floats, *self._raws,
        )  # fmt: skip  # everything that steps change: what a pickle has to store

    def __reduce__(self) -> tuple[Any, ...]:
        contents = [array.copy() for array in self._state_arrays]
        return _restore_games, (self.game, self._arguments, contents, self._seed, self._closed)

    def _opponents(self, opponents: Any, sampled: bool) -> tuple[int, NDArray[np.float32], NDArray[np.int64]]:
        """Return how opponents choose, their network's numbers in one array, and the sizes of its layers from input to
        output.

        Raises ValueError if the game has no policy, or a layer has the wrong shape.
        """
        no_network = np.zeros(0, np.float32), np.zeros(0, np.int64)
        if opponents == "random":
            return RANDOM, *no_network
        if opponents == "policy":
            require_policy(self.game)
            return POLICY, *no_network
        if (
            not isinstance(opponents, Sequence)
            or not opponents
            or isinstance(opponents, str)
            or isinstance(opponents[0], str)
        ):
            raise ValueError(f'opponents must be "random", "policy" or a network, not {opponents!r}')
        layers, numbers = [self.encoder.size], []
        for layer, (layer_weights, layer_biases) in enumerate(opponents):
            weights, constants = _layer_numbers(layer_weights), _layer_numbers(layer_biases)
            last = layer + 1 == len(opponents)
            out = self.game.moves.count if last else constants.size
            if weights.shape != (layers[-1], out) or constants.shape != (out,):
                expected = f"layer {layer} of the network must have shapes ({layers[-1]}, {out}) and ({out},)"
                raise ValueError(f"{expected}, not {weights.shape} and {constants.shape}")
            numbers += [constants, (weights.T if last else weights).ravel()]
            layers.append(out)
        return SAMPLED if sampled else BEST, np.concatenate(numbers), np.array(layers)

    def reset(self, seed: int = 0) -> None:
        """Begin games 0 to n - 1 of a seed, up to the first decision of a hero.

        Args:
            seed: From 0 to 2**63 - 1.

        Raises:
            ValueError: The seed is out of range, or the games are closed.
            RulesError: The rules fail.
        """
        number = require_seed(seed)
        if self._closed:
            raise ValueError("these games are closed")
        self._seed = number
        self.rewards[:] = 0
        self._advance(BEGIN)

    def step(self, actions: ArrayLike | None = None) -> None:
        """Apply one action in each game and advance each to the next decision of a hero. Games that are over begin
        again.

        Args:
            actions: Move ids, shape (n,), any integer dtype. None draws a random legal move for each game, as `sample`
                does. An illegal action ends its game.

        Raises:
            ValueError: `actions` has another shape or dtype, or `reset` was not called.
            RulesError: The rules fail.
        """
        if self._seed < 0:
            raise ValueError("call reset before the first step")
        if actions is None:
            self._advance(DRAW)
            return
        action_array = np.asarray(actions)
        if action_array.shape != (self.n,) or action_array.dtype.kind not in "iu":
            raise ValueError(
                f"actions must be {self.n} whole numbers, not {action_array.dtype} of shape {action_array.shape}"
            )
        self._actions[:] = action_array
        self._advance(MOVE)

    def sample(self) -> NDArray[np.int64]:
        """Draw a random legal action for each game, from the game's own random stream.

        Returns:
            Move ids, shape (n,), int64. Each call overwrites and returns the same array.
        """
        self._driver.sample(0, self.n, self._rngs, self._offers, self._actions)
        return self._actions

    def _advance(self, task: int) -> None:
        stuck = self._threads.step(task, self._seed)
        if stuck >= 0:
            self._seed = -1
            raise RulesError(self.game.id, f"game {self.games[stuck]} cannot go on, or no hero ever has a decision")

    def close(self) -> None:
        """End the threads. After that, `reset` and `step` raise ValueError."""
        self._threads.close()
        self._seed, self._closed = -1, True
