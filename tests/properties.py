"""Properties that every game must have, over random positions. Each function raises AssertionError where one is broken.

A *position* is a state reached by random play; a *world* is a state that one seat cannot tell from another: `determinize` makes it.
A game's own invariants stand in `tests/games/<game>/invariants.py`: `check(state)`, called for every position and every world.
"""
from __future__ import annotations

import importlib.util
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from courtly.engine.chance import generator
from courtly.engine.game import CHANCE, NOBODY, SILENT, Game
from courtly.engine.match import Refused, glance

CONTROL = {"pending", "phase"}          # fields that say whose decision it is, and must follow from what is shown


def beside(game: str, module: str) -> Any:
    """A module that stands with a game's tests; None if there is none."""
    here = Path(__file__).parent
    for file in (here / "games" / game / f"{module}.py", here / game / f"{module}.py"):
        if file.exists():
            spec = importlib.util.spec_from_file_location(f"{module}_{game}", file)
            assert spec is not None and spec.loader is not None
            made = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(made)
            return made
    return None


@cache
def invariants(name: str) -> Callable[[Any], None]:
    """`check(state)` of a game, or a function that finds nothing wrong."""
    return getattr(beside(name, "invariants"), "check", lambda state: None)


def random_options(game: Game, r: random.Random) -> dict[str, int]:
    """Options of a random table: half of the time the defaults."""
    if r.random() < 0.5:
        return {}
    return {name: r.choice(values) for name, values in game.options.items()}


class Play:
    """One random game, a position at a time, with the buffers that rules write to."""

    def __init__(self, game: Game, players: int, r: random.Random, options: dict[str, int] | None = None):
        self.game = game
        self.r = r
        self.moves = [0] * game.room
        self.weights = [0] * game.room
        self.state = game.State(players=players, **(random_options(game, r) if options is None else options))
        game.rules.setup(self.state)

    def open(self, state: Any, seat: int) -> list[int]:
        """The moves open to a seat; what may happen, for NOBODY."""
        if seat == NOBODY:
            n = self.game.rules.chance(state, self.moves, self.weights)
            assert n > 0, "a random event is due, but nothing can happen"
            assert all(w > 0 for w in self.weights[:n])
            return self.moves[:n]
        return self.moves[:self.game.rules.legal(state, seat, self.moves)]

    def actors(self) -> list[int]:
        if self.state.pending == CHANCE:
            return [NOBODY]
        return [seat for seat in range(self.state.players) if self.state.pending >> seat & 1]

    def next(self) -> tuple[int, int]:
        """A random (seat, move) that may come next."""
        seat = self.r.choice(self.actors())
        found = self.open(self.state, seat)
        assert found, f"seat {seat} is to move but has no move"
        assert len(set(found)) == len(found), "a move is offered twice"
        if seat == NOBODY:
            return seat, self.r.choices(found, self.weights[:len(found)])[0]
        return seat, self.r.choice(found)

    def apply(self, seat: int, move: int) -> None:
        self.game.rules.apply(self.state, seat, move)


def positions(game: Game, players: int, r: random.Random, limit: int = 200_000) -> Iterator[Play]:
    """Every position of one random game before its end; the caller may look and copy, but not play."""
    play = Play(game, players, r)
    count = 0
    while play.state.pending:
        assert not play.state.pending & CHANCE or play.state.pending == CHANCE, "a random event and a seat are due at once"
        assert play.state.pending < 1 << players or play.state.pending == CHANCE, "a seat that nobody sits on is to move"
        invariants(game.id)(play.state)
        yield play
        seat, move = play.next()
        play.apply(seat, move)
        count += 1
        assert count < limit, "the game does not end"
    invariants(game.id)(play.state)


def cue(game: Game, state: Any, actor: int, move: int, seat: int) -> tuple[Any, ...] | None:
    """What a seat (NOBODY: a spectator) notices of a move that is about to be made."""
    audience = game.rules.audience(state, actor, move)
    if seat == actor != NOBODY or audience < 0 or seat != NOBODY and audience >> seat & 1:
        return actor, move
    if audience & SILENT:
        return None
    return actor, game.moves.unseen(move)


def sight(game: Game, state: Any, seat: int) -> str:
    """Everything a seat is told of a state, as the message that carries it."""
    return json.dumps(glance(game, state, None if seat == NOBODY else seat))


def other_world(game: Game, state: Any, seat: int, number: int) -> Any:
    world = state.copy()
    game.rules.determinize(world, seat, generator(number))
    return world


def position_keeps_secrets(game: Game, state: Any, seat: int, number: int) -> Any:
    """What the seat cannot see changes neither its view, nor its legal moves, nor the size of any message. Returns the other world."""
    world = other_world(game, state, seat, number)
    world.pack()
    invariants(game.id)(world)
    assert sight(game, world, seat) == sight(game, state, seat), f"determinize changed what seat {seat} sees"
    again = other_world(game, world, seat, number)
    assert again == world, f"determinize used what seat {seat} cannot see: {difference(again, world)}"
    return world


def difference(a: Any, b: Any) -> list[str]:
    return [f.name for f in a.stored if getattr(a, f.name) != getattr(b, f.name)]


def transition_keeps_secrets(play: Play, world: Any, seat: int) -> bool:
    """What looks the same to the seat in both worlds leads to the same next view, except for what `reveals` declares. Was there anything to compare?"""
    game, state = play.game, play.state
    actor, move = play.next()
    seen = cue(game, state, actor, move, seat)
    matching = [m for m in play.open(world, actor) if cue(game, world, actor, m, seat) == seen]
    if not matching:
        return False                                # in the other world this could not happen: a secret of the actor's decides
    twin = move if move in matching else play.r.choice(matching)
    told = game.rules.reveals(state, actor, move)
    before = sight(game, state, seat)
    a, b = state.copy(), world.copy()
    game.rules.apply(a, actor, move)
    game.rules.apply(b, actor, twin)
    if seen is None:
        assert sight(game, a, seat) == before, f"{game.moves.words(move)} of seat {actor} is silent, but seat {seat} sees {difference(a, state)} change"
    if told < 0 or seat != NOBODY and told >> seat & 1:
        differs = {name for name, value in a.view(seat).items() if b.view(seat)[name] != value}
        assert not differs or differs - CONTROL, \
            f"after {game.moves.words(move)} of seat {actor} it depends on what seat {seat} cannot see who is asked: {differs}"
        return False
    assert sight(game, a, seat) == sight(game, b, seat), \
        f"{game.moves.words(move)} of seat {actor} tells seat {seat} something that reveals() does not declare: {difference(a, b)}"
    return True


def choices_commute(play: Play) -> bool:
    """Two seats that may move at once: their order makes no difference. Was there anything to compare?"""
    game = play.game
    actors = play.actors()
    if len(actors) < 2:
        return False
    first, second = play.r.sample(actors, 2)
    a = play.r.choice(play.open(play.state, first))
    b = play.r.choice(play.open(play.state, second))
    one, other = play.state.copy(), play.state.copy()
    game.rules.apply(one, first, a)
    assert b in play.open(one, second), f"{game.moves.words(b)} was open to seat {second} until seat {first} did {game.moves.words(a)}"
    game.rules.apply(one, second, b)
    game.rules.apply(other, second, b)
    game.rules.apply(other, first, a)
    assert one == other, f"{game.moves.words(a)} and {game.moves.words(b)} do not commute: {difference(one, other)}"
    return True


def copies_are_independent(play: Play) -> None:
    """A copy is equal, survives packing, and what happens to it does not touch the original."""
    before = play.state.pack()
    twin = play.state.copy()
    assert twin == play.state and type(twin).unpack(before) == play.state
    seat, move = play.next()
    play.game.rules.apply(twin, seat, move)
    twin.pack()
    assert play.state.pack() == before, "a copy shares something with the original, or legal() and chance() change the state"


def illegal_is_refused(match: Any, seat: int, move: int) -> None:
    """A move that is not open is refused, and nothing changes."""
    state, entries, seqs = match.state.pack(), len(match.entries), [match.seq(s) for s in range(match.players)]
    try:
        match.play(seat, move)
    except Refused as refused:
        json.dumps(refused.args_)
    else:
        raise AssertionError(f"{match.table.words(move)} of seat {seat} was accepted but not offered")
    assert (state, entries, seqs) == (match.state.pack(), len(match.entries), [match.seq(s) for s in range(match.players)])
