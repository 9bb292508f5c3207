"""Many games stepped together on a graphics card, one game per thread, for training there.

    games = CudaGames(courtly.game("necklace"), 1 << 16, players=3)
    games.reset(seed=1)
    seen, legal = torch.from_dlpack(games.observation), torch.from_dlpack(games.mask)
    for _ in range(1000):
        games.step(choose(seen, legal))          # int64 on the card; then games.rewards, games.over

Everything stays on the card. The arrays below are shared with PyTorch, JAX and others by DLPack without a copy; each
step overwrites their contents. Element k of all games lies side by side, so they are transposed: an array of shape
(n, size) has the strides (1, n).

| array | shape, dtype | content |
|---|---|---|
| `observation` | (n, size), float32 or int16 | what the seat to move sees (observation.py) |
| `mask` | (n, moves), int8 | 1 for each legal move of that seat |
| `seats` | (n,), int64 | the seat to move |
| `rewards` | (n, players), float32 | 0; after a game's last step each seat's place, from 1 to -1 |
| `over` | (n,), int8 | RUNNING, ENDED, CUT (at `limit`), ILLEGAL or STUCK; unless RUNNING, the next game has begun |
| `last_observation` | as `observation` | the end of a game, as seen by the seat that decided last |
| `games` | (n,), int64 | the game's number within the seed |
| `lengths` | (n, 3), int64 | decisions and events so far, and the decisions of the previous game |

Games, heroes, opponents, limits, rewards and illegal actions are those of arrays.py: with the same actions, both give
the same numbers. Opponents are random or follow the game's policy. If the rules fail,
`over` is STUCK, and the row's next game begins with the next step.

Work is queued in the card's default stream, as PyTorch's is. Another stream gets finished contents when it imports an
array; before it reads one again, call `synchronize`. Arrays of actions are read in the default stream, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, SupportsIndex

from courtly.adapters.arrays import (
    CUT,
    ENDED,
    ILLEGAL,
    RUNNING,
    ObservationKind,
    require_int,
    require_kind,
    require_limit,
    require_policy,
    require_seats,
    require_seed,
)
from courtly.adapters.batch_driver import BEGIN, DRAW, MOVE, POLICY, RANDOM
from courtly.adapters.cuda import DRIVER, StateColumns
from courtly.adapters.cuda_device import CudaDevice, Device
from courtly.adapters.cuda_driver import STUCK
from courtly.adapters.observation import Encoder, get_encoder
from courtly.engine.constants import POLICY_NOTES_LENGTH
from courtly.engine.game import Game
from courtly.engine.native.compiler.cuda_kernel import KernelParameters, LocalRow
from courtly.engine.native.compiler.types import FLOAT32, INT, UNKNOWN_LENGTH, RecordType, RowType
from courtly.engine.rng import GENERATOR_HEAD

__all__ = ["CUT", "ENDED", "ILLEGAL", "RUNNING", "STUCK", "CudaGames", "step_parameters"]


def _columns(element: str | RecordType, size: int) -> RowType:
    return RowType(element, (size, UNKNOWN_LENGTH))


def step_parameters(
    columns: StateColumns,
    encoder: Encoder,
    kind: ObservationKind,
    *,
    heroes: tuple[int, ...],
    opponents: Literal["random", "policy"],
    limit: int,
) -> KernelParameters:
    """Return the parameters of the kernel that steps games."""
    game, players = columns.game, encoder.players
    floats, raws = (encoder.size, 0) if kind == "float32" else (0, encoder.raw_size)
    has_policy = opponents == "policy"
    local = columns.local_rows(game.room + POLICY_NOTES_LENGTH * has_policy)
    return {
        "heroes": sum(1 << seat for seat in heroes),
        "opponents": POLICY if has_policy else RANDOM,
        "limit": limit,
        "task": INT,
        "number": INT,
        "actions": RowType("i64", (UNKNOWN_LENGTH,)),
        "blank": RowType("i32", (columns.words,)),
        "columns": _columns("i32", columns.words),
        "generators": _columns("i64", GENERATOR_HEAD),
        "games": RowType("i64", (UNKNOWN_LENGTH,)),
        "lengths": _columns("i64", 3),
        "offers": _columns(local["moves"].row.element, game.bounds["moves"]),
        "counts": RowType("i64", (UNKNOWN_LENGTH,)),
        "seats": RowType("i64", (UNKNOWN_LENGTH,)),
        "mask": _columns("i8", game.moves.count),
        "scale": RowType(FLOAT32, (len(encoder.scale),)),
        "floats": _columns(FLOAT32, floats),
        "raws": _columns("i16", raws),
        "last_floats": _columns(FLOAT32, floats),
        "last_raws": _columns("i16", raws),
        "rewards": _columns(FLOAT32, players),
        "over": RowType("i8", (UNKNOWN_LENGTH,)),
        **{name: local[name] for name in ("words", "states", "rng")},
        "length": LocalRow(RowType("i64", (2,))),
        **{name: local[name] for name in ("moves", "weights")},
        "places": LocalRow(RowType("i64", (players,))),
        "float_view": LocalRow(RowType(FLOAT32, (floats,))),
        "raw_view": LocalRow(RowType("i16", (raws,))),
    }


class CudaGames:
    """`n` games of one kind, stepped together on a card. The module documentation describes the arrays."""

    def __init__(
        self,
        game: Game,
        n: int,
        players: int | None = None,
        options: Mapping[str, int] | None = None,
        *,
        heroes: Sequence[int] | Literal["all"] = "all",
        opponents: Literal["random", "policy"] = "random",
        kind: ObservationKind = "float32",
        limit: int | None = None,
        device: Device | None = None,
    ):
        """Allocate the arrays and compile the kernel. No game begins before `reset`.

        Args:
            game: The game to play.
            n: Number of games stepped together, at least 1.
            players: Players of each game. Default: the fewest that the game allows.
            options: Table options by name. Default: the game's defaults.
            heroes: Seats that the caller plays, or "all".
            opponents: How the other seats choose: "random" or "policy".
            kind: Form and dtype of the observations, "float32" or "int16".
            limit: Decisions after which a game is cut. Default: the maximum that the game declares.
            device: Where the games are played; None for the current graphics card.

        Raises:
            ValueError: A number, option, seat, observation kind or opponent is not supported.
            RuntimeError: CUDA is unavailable; the message says why.
            DialectError: The rules use Python outside of the dialect.
            RulesError: A line of the rules cannot be compiled.
        """
        players = game.players[0] if players is None else require_int(players, "the number of players")
        n = require_int(n, "the number of games")
        if n < 1:
            raise ValueError(f"n must be at least 1, not {n}")
        require_kind(kind)
        if opponents == "policy":
            require_policy(game)
        elif opponents != "random":
            raise ValueError(f'opponents on a graphics card must be "random" or "policy", not {opponents!r}')
        self.game, self.n, self.players, self.kind = game, n, players, kind
        self.encoder = encoder = get_encoder(game, players)
        self.heroes, self.limit = require_seats(heroes, players), require_limit(game, limit)
        columns = StateColumns(game)
        blank = columns.pack(game.State(players=players, **(options or {})))
        self.device: Device = CudaDevice() if device is None else device
        parameters = step_parameters(columns, encoder, kind, heroes=self.heroes, opponents=opponents, limit=self.limit)
        self._kernel = self.device.load_kernel(game, DRIVER, "step_column", parameters)
        rows = {
            name: self.device.zeros(tuple(n if size == UNKNOWN_LENGTH else size for size in row.lengths), _dtype(row))
            for name, row in parameters.items()
            if isinstance(row, RowType) and name != "actions"
        }
        rows["blank"].write(blank)
        rows["scale"].write(encoder.scale)
        self._rows = rows
        self._random_actions = self.device.zeros((n,), "i8")
        form = "floats" if kind == "float32" else "raws"
        self.observation, self.last_observation = rows[form].transposed(), rows[f"last_{form}"].transposed()
        self.mask, self.rewards = rows["mask"].transposed(), rows["rewards"].transposed()
        self.seats, self.over, self.games = rows["seats"], rows["over"], rows["games"]
        self.lengths = rows["lengths"].transposed()
        self._seed = -1

    def reset(self, seed: SupportsIndex = 0) -> None:
        """Begin games 0 to n - 1 of a seed, up to the first decision of a hero.

        Args:
            seed: From 0 to 2**63 - 1.

        Raises:
            ValueError: The seed is out of range.
        """
        self._seed = require_seed(seed)
        self._start(BEGIN, self._random_actions)

    def step(self, actions: Any = None) -> None:
        """Apply one action in each game and advance each to the next decision of a hero. Games that are over begin
        again.

        Args:
            actions: Move ids, int64, shape (n,), on the card: an object with `__dlpack__` or
                `__cuda_array_interface__`, such as a tensor. None draws a random legal move for each game. An illegal
                action ends its game.

        Raises:
            ValueError: `actions` has another shape or dtype or is not on the card, or `reset` was not called.
        """
        if self._seed < 0:
            raise ValueError("call reset before the first step")
        if actions is None:
            self._start(DRAW, self._random_actions)
        else:
            self._start(MOVE, self.device.import_integers(actions, self.n))

    def _start(self, task: int, actions: Any) -> None:
        self._kernel(self.n, task, self._seed, actions, *self._rows.values())

    def synchronize(self) -> None:
        """Wait until the card has done all steps."""
        self.device.synchronize()


def _dtype(row: RowType) -> str:
    """Return the NumPy dtype of a row's elements."""
    return {"i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", FLOAT32: "f4"}[str(row.element)]
