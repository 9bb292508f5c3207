"""Checks `determinize` against a particle filter: what a seat can infer from everything that it saw.

A particle is a history of the game, represented by its state. What the seat saw happens in every history; histories in
which it is impossible are dropped. Where the seat did not see the move, each history draws one that looks the same:
random events by their weights, choices of others uniformly. A public move of another seat is evidence only of its
legality. After each step, histories that show the seat something else are dropped and the rest is resampled by weight.
The worlds of `determinize` must have the same distribution.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from courtly.engine.constants import NOBODY
from courtly.engine.game import Game
from courtly.engine.position import Position
from courtly.testing.checks.properties import RandomGame, audience_of, cue_for, other_world
from courtly.testing.failure_location import PropertyFailedError


class Histories:
    """The histories of one game as `seat` saw it: `positions`, and in `roots` the index of the initial particle of
    each."""

    def __init__(self, play: RandomGame, seat: int, count: int):
        self.play, self.seat, self.r = play, seat, play.r
        self.audience = audience_of(seat)
        self.positions = [play.now() for _ in range(count)]
        self.roots = list(range(count))

    def step(self) -> bool:
        """Apply one random move or event of the game. Return False if too few independent histories remain."""
        play, seat = self.play, self.seat
        actor, move = play.next()
        cue = cue_for(play, actor, move, seat)
        play.apply(actor, move)
        continuations: list[tuple[Position, int]] = []
        weights = []
        for position, root in zip(self.positions, self.roots, strict=True):
            weight = self._follow(position, actor, move, cue)
            if weight and position.state.looks_like(play.state, self.audience):
                continuations.append((position, root))
                weights.append(weight)
        if not continuations:
            return False
        if len(continuations) < len(self.positions) or min(weights) < max(weights):
            chosen_indices = self.r.choices(range(len(continuations)), weights, k=len(self.positions))
            self.roots = [continuations[i][1] for i in chosen_indices]
            left = {
                i: continuations[i][0] for i in chosen_indices
            }  # the first choice of a history reuses its position, further ones copy it
            self.positions = [left.pop(i) if i in left else continuations[i][0].copy() for i in chosen_indices]
        return self.independent >= len(self.positions) // 5

    def _follow(self, position: Position, actor: int, move: int, cue: Any) -> int:
        """Apply a move that looks the same to the seat to one history. Return its weight, 0 if there is none."""
        if actor not in position.actors:
            return 0
        choices = position.outcomes() if actor == NOBODY else [(m, 1) for m in position.legal(actor)]
        consistent = [(m, w) for m, w in choices if m == move or cue != (actor, move)]
        consistent = [(m, w) for m, w in consistent if cue_for(position, actor, m, self.seat) == cue]
        if not consistent:
            return 0
        chosen_move = self.r.choices([m for m, _ in consistent], [w for _, w in consistent])[0]
        position.apply(actor, chosen_move)
        return 720720 * sum(w for _, w in consistent) // sum(w for _, w in choices) if actor == NOBODY else 1

    @property
    def independent(self) -> int:
        """The number of initial particles that have descendants."""
        return len(set(self.roots))


def hidden_cells(state: Any, seat: int, skip: set[str]) -> dict[tuple[Any, ...], int]:
    """Return every number that the seat cannot see, by its place."""
    cells: dict[tuple[Any, ...], int] = {}

    def add(place: tuple[Any, ...], value: Any) -> None:
        if isinstance(value, list):
            for i, v in enumerate(value):
                add((*place, i), v)
        else:
            cells[place] = value

    for f in state.stored:
        if f.name in skip or f.visible == "public":
            continue
        value = getattr(state, f.name)
        if f.visible == "secret":
            add((f.name,), value)
        else:
            for row in range(state.players):
                if row != seat:
                    add((f.name, row), value[row])
    return cells


def count_hidden_values(positions: list[Position], seat: int, skip: set[str]) -> dict[tuple[Any, ...], Counter[int]]:
    """Return the distribution of every number that the seat cannot see, by its place."""
    counters: dict[tuple[Any, ...], Counter[int]] = {}
    for position in positions:
        for place, value in hidden_cells(position.state, seat, skip).items():
            counters.setdefault(place, Counter())[value] += 1
    return counters


def total_variation(first: Counter[int], second: Counter[int]) -> float:
    """Return the total variation distance of two distributions, from 0 to 1."""
    n, m = first.total(), second.total()
    return sum(abs(first[k] / n - second[k] / m) for k in first.keys() | second.keys()) / 2


def check_worlds_match_beliefs(
    game: Game, players: int, r: random.Random, games: int, count: int, steps: int, skip: set[str]
) -> tuple[int, float]:
    """Compare `determinize` with the histories at some steps of random games.

    Args:
        game: The game.
        players: Number of players.
        r: Random generator.
        games: Number of games.
        count: Number of histories.
        steps: Largest number of steps in each game.
        skip: Names of fields to leave out.

    Returns:
        The number of comparisons and the mean total variation distance.

    Raises:
        PropertyFailedError: A distance is 0.25 or more.
    """
    compared, total = 0, 0.0
    for _ in range(games):
        play = RandomGame(game, players, r)
        histories = Histories(play, r.randrange(-1, players), count)
        for number in range(steps):
            if play.over or not histories.step():
                break
            if r.random() < 8 / 9:  # at random: a fixed interval could coincide with the length of turns
                continue
            worlds = [other_world(play, histories.seat, r.randrange(1 << 30)) for _ in range(count)]
            believed_counts = count_hidden_values(histories.positions, histories.seat, skip)
            for place, sampled_counts in count_hidden_values(worlds, histories.seat, skip).items():
                apart = total_variation(believed_counts[place], sampled_counts)
                compared, total = compared + 1, total + apart
                if apart >= 0.25:
                    raise PropertyFailedError(
                        play.rules.determinize,
                        f"step {number}: seat {histories.seat} can infer {place} as {dict(believed_counts[place])}, "
                        f"but determinize gives {dict(sampled_counts)}",
                    )
    return compared, total / max(compared, 1)
