"""Checks that the interpreted and the native form of a game agree."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from courtly.engine.constants import MAX_SEATS, NOBODY
from courtly.engine.errors import find_bound
from courtly.engine.game import BoundsError, Game
from courtly.engine.native import loader
from courtly.engine.native.native_position import NativePosition
from courtly.engine.position import CommandRefusedError, Position
from courtly.engine.rng import make_generator, seed_generator
from courtly.testing.failure_location import PropertyFailedError


class LockstepGames:
    """One game in both forms, compared after every move. `copy` and `row` make states and buffers of the interpreted
    form."""

    def __init__(
        self,
        interpreted: Any,
        compiled: Any,
        state: Any,
        number: int = 0,
        copy: Callable[[Any], Any] = lambda state: state.copy(),
        row: Callable[[list[int]], list[int]] = list,
    ):
        self.interpreted, self.compiled, self.state = interpreted, compiled, copy(state)
        self.size, self.copy, self.row = state.packing.size, copy, row
        self.rng, self.moves, self.weights = map(row, loader.make_rows(interpreted.game))
        self.records, self.wide_rng, self.wide_moves, self.wide_weights = loader.make_arrays(interpreted.game, 1)
        self.wide = self.records[0]
        self.records.view("u1")[: self.size] = list(state.pack())
        seed_generator(self.rng, number, 0)
        self.wide_rng[:] = self.rng
        interpreted.begin(self.state)
        compiled.begin(self.wide)
        self.compare()

    def compare(self) -> None:
        """Raise PropertyFailedError if the states differ."""
        if self.state.pack() != self.records.view("u1")[: self.size].tobytes():
            raise PropertyFailedError(self.interpreted.game.rules.apply, "interpreted and native states differ")

    def peek_move(self) -> int:
        """Return the move or event of the next step."""
        return self._draw_move(self.copy(self.state), self.row(self.rng))

    def force_draw(self, number: int, total: int) -> None:
        """Make both generators draw the number `number` out of `total` next."""
        for rng in (self.rng, self.wide_rng):
            rng[0] = 0
            rng[4] = -(-(number << 32) // total)

    def step(self) -> int:
        """Apply the next move or event in both forms and return it."""
        move = self._draw_move(self.state, self.rng)
        assert self.compiled.step(self.wide, self.wide_rng, self.wide_moves, self.wide_weights) == move
        self.compare()
        return move

    def _draw_move(self, state: Any, rng: Any) -> int:
        move: int = self.interpreted.step(state, rng, self.moves, self.weights)
        if move < 0:
            raise PropertyFailedError(
                self.interpreted.game.rules.legal, "the game is not over, but no move or event is possible"
            )
        return move

    def look(self, actor: int, move: int, seat: int) -> None:
        """Compare the functions that do not change the state: audience, reveals, scores and determinize."""
        description, wide_description = self.row([0] * MAX_SEATS), self.wide_moves[:1].repeat(MAX_SEATS)
        wide_description[:] = 0
        self.interpreted.describe_move(self.state, actor, move, description)
        self.compiled.describe_move(self.wide, actor, move, wide_description)
        game = self.interpreted.game
        if description != wide_description.tolist():
            difference = (
                f"audience, reveals or scores of {game.moves.words(move)} differ between interpreted and native"
            )
            raise PropertyFailedError(game.rules.audience, difference)
        world, wide_world = self.copy(self.state), self.records.copy()
        wide_world.view("u1")[:] = self.records.view("u1")  # including padding
        rng, wide_rng_copy = self.row(make_generator(seat + 1)), self.wide_rng.copy()
        wide_rng_copy[:] = rng
        self.interpreted.imagine_world(world, seat, rng)
        self.compiled.imagine_world(wide_world[0], seat, wide_rng_copy)
        if world.pack() != wide_world.view("u1")[: self.size].tobytes():
            difference = f"determinize for seat {seat} differs between interpreted and native"
            raise PropertyFailedError(game.rules.determinize, difference)

    def play_at_random(self) -> int:
        """Play to the end and return the number of moves and events."""
        game: Game = self.interpreted.game
        position, length = Position(game, state=self.state), 0
        while not position.over:
            if length % 16 == 0:
                self.look(position.actors[0], self.peek_move(), length // 16 % (position.players + 1) - 1)
            self.step()
            length += 1
            if length > game.bounds["decisions"] + game.bounds["events"]:
                raise BoundsError(game.id, "it does not end", length, line=find_bound(game.folder, "decisions"))
        self.look(0, 0, NOBODY)
        return length


def compare_random_games(
    both: tuple[Any, Any],
    players: int,
    games: int,
    options: Callable[[], dict[str, int]],
    max_moves: int = 1 << 60,
    **kind: Any,
) -> None:
    """Compare random games in both forms, until `games` or `max_moves` moves are played. `options` draws the options of
    each game. Errors carry a note with the game."""
    moves = 0
    for number in range(games):
        state = both[0].game.State(players=players, **(drawn_options := options()))
        try:
            moves += LockstepGames(*both, state, number, **kind).play_at_random()
        except Exception as error:
            error.add_note(f"in game {number}: {players} players, {drawn_options}")
            raise
        if moves > max_moves:
            break


def ask_position(position: Position, method: str, *args: Any) -> Any:
    """Return a position's answer, or its refusal."""
    try:
        return getattr(position, method)(*args)
    except CommandRefusedError as refused:
        return refused.id, refused.args_


def check_positions_agree(game: Game, players: int, options: dict[str, int], r: random.Random, max_moves: int) -> None:
    """Play one random game, or `max_moves` moves of it, in a position of each form. Raises PropertyFailedError if an
    answer differs."""
    interpreted_position, native_position = Position(game, players, options), NativePosition(game, players, options)
    number = r.randrange(1 << 30)
    luck = make_generator(number), make_generator(number)

    def same(method: str, *args: Any) -> Any:
        interpreted, native = (
            ask_position(interpreted_position, method, *args),
            ask_position(native_position, method, *args),
        )
        if interpreted != native:
            raise PropertyFailedError(
                game.rules.apply, f"{method}{args} is {interpreted} interpreted and {native} native"
            )
        return interpreted

    while not interpreted_position.over and interpreted_position.decisions < max_moves:
        assert (
            native_position.pending == interpreted_position.pending
            and native_position.chance == interpreted_position.chance
            and not native_position.over
        )
        if interpreted_position.chance:
            same("outcomes")
            same("outcome_ids")
            assert interpreted_position.happen(luck[0]) == native_position.happen(luck[1])
            continue
        if r.random() < 0.1:
            audience = r.choice((*range(players), None))
            same("view", audience)
            same("key", audience)
            same("standing")
            number = r.randrange(1 << 30)
            interpreted, native = (
                position.imagine(audience, make_generator(number))
                for position in (interpreted_position, native_position)
            )
            assert interpreted.state == native.state and type(native) is NativePosition
            for seat in range(-1, players):
                same("legal", seat)
            same("play", r.randrange(-1, players + 1), r.randrange(-1, game.moves.total + 1))
            interpreted_position, native_position = interpreted_position.copy(), native_position.copy()
        if interpreted_position.over or interpreted_position.chance:
            continue
        seat = r.choice(interpreted_position.pending)
        move = r.choice(same("legal", seat))
        same("audience", seat, move)
        same("reveals", seat, move)
        same("play", seat, move if r.random() < 0.9 else str(move))
        if interpreted_position.packed != native_position.packed:
            raise PropertyFailedError(
                game.rules.apply, f"after {move} of seat {seat} the interpreted and native positions differ"
            )
    assert (
        native_position.over == interpreted_position.over
        and native_position.scores == interpreted_position.scores
        and native_position.utility == interpreted_position.utility
    )
    assert (native_position.decisions, native_position.events) == (
        interpreted_position.decisions,
        interpreted_position.events,
    ) and luck[0] == luck[1]
