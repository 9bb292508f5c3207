"""Mutation testing of rules: the properties must detect a mistake that is inserted into the rules.

A game's `mistakes.py` (resources.py) lists mutations as (what is wrong, file, old text, new text): MISTAKES, and RARE
for those that random play reaches so seldom that only long runs try them.
"""

from __future__ import annotations

import itertools
import random
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

from courtly.engine.constants import EVERYONE, SILENT
from courtly.engine.errors import RulesError
from courtly.engine.game import Game
from courtly.testing.checks.belief_check import check_worlds_match_beliefs
from courtly.testing.checks.noninterference import check_twins_indistinguishable
from courtly.testing.checks.properties import (
    check_choices_commute,
    check_copies_independent,
    check_cues_are_visible,
    check_position_keeps_secrets,
    check_transition_keeps_secrets,
    random_positions,
)
from courtly.testing.resources import uninferable_fields

_count = itertools.count()


class _MutatedModules:
    """Loads a package's modules with one replacement."""

    def __init__(self, game: Game, package: str, file: str, original: str, replacement: str):
        self.game, self.package, self.file, self.original, self.replacement = game, package, file, original, replacement
        self.replaced = False

    def module(self, name: str) -> Any:
        full_name = f"{self.package}.{name}"
        if full_name in sys.modules:
            return sys.modules[full_name]
        path = self.game.folder / f"{name}.py"
        text = path.read_text(encoding="utf-8")
        if path.name == self.file:
            assert text.count(self.original) == 1, (
                f"{self.original!r} must occur once in {self.file}, not {text.count(self.original)} times"
            )
            text = text.replace(self.original, self.replacement)
            self.replaced = True
        text = text.replace(f"from {self.game.package}.", f"from {self.package}.")
        module = types.ModuleType(full_name)
        module.__file__ = str(path)
        sys.modules[full_name] = module
        for line in text.splitlines():  # the game's own modules first
            if line.startswith(f"from {self.package}."):
                self.module(line.split()[1].removeprefix(f"{self.package}."))
        exec(compile(text, str(path), "exec"), module.__dict__)
        return module


def make_mutant(game: Game, mutant: tuple[str, str, str, str]) -> Game:
    """Return the game with `original` replaced by `replacement` in one of its files. Raises AssertionError if the text
    does not occur exactly once in the rules."""
    _, file, original, replacement = mutant
    package = f"mutant{next(_count)}"
    source = _MutatedModules(game, package, file, original, replacement)
    sys.modules[package] = types.ModuleType(package)
    rules = source.module("rules")
    assert source.replaced, f"the rules do not import {file}"
    other = Game(game.package)
    other.package = package
    other.__dict__["rules"] = rules
    other.__dict__["facts_module"] = source.module("facts") if game.facts_module else None
    other.__dict__["policy"] = source.module("policy") if game.policy else None
    return other


def tell_everybody(s: Any, seat: int, audience: int) -> int:
    """Return an audience of all seats."""
    return EVERYONE


def tell_one_more(s: Any, seat: int, audience: int) -> int:
    """Return the audience with the next seat added that is not part of it."""
    others = ((seat + step) % s.players for step in range(1, s.players + 1))
    return audience | next((1 << other for other in others if other != seat and not audience >> other & 1), 0)


def tell_if_silent(s: Any, seat: int, audience: int) -> int:
    """Return the audience with silent moves noticed by all."""
    return audience if audience < 0 else audience & ~SILENT


WIDER_AUDIENCES = {
    "all seats see": tell_everybody,
    "one more seat sees": tell_one_more,
    "all seats notice": tell_if_silent,
}


def make_leaking_game(game: Game, verb: str, wider: Callable[[Any, int, int], int]) -> Game:
    """Return the game with a wider audience for one verb."""
    other, first = Game(game.package), getattr(game.moves, verb)

    def audience(s: Any, seat: int, move: int) -> int:
        bits: int = game.rules.audience(s, seat, move)
        return wider(s, seat, bits) if game.moves.columns[0][move] == first else bits

    other.__dict__["rules"] = types.SimpleNamespace(**{**vars(game.rules), "audience": audience})
    return other


def find_violation(game: Game, positions_wanted: int) -> Exception | None:
    """Return the exception that a property raises for a game, or None if none does within this many position-seat
    pairs."""
    r = random.Random(1)
    pair_count = 0
    try:
        while pair_count < positions_wanted:
            first = not pair_count
            for players in game.players:
                if pair_count >= positions_wanted:
                    break
                before = pair_count
                for play in random_positions(game, players, r):
                    play.state.pack()
                    seat = r.randrange(-1, players)
                    world = check_position_keeps_secrets(play, seat, r.randrange(1 << 30))
                    check_transition_keeps_secrets(play, world, seat)
                    if game.hidden:
                        check_cues_are_visible(play, seat)
                    check_choices_commute(play)
                    if r.random() < 0.1:
                        check_copies_independent(play)
                    pair_count += 1
                check_twins_indistinguishable(game, players, r, min(pair_count - before, 300))
            if first and game.hidden:  # once, because it is slow
                skip = set(uninferable_fields(game.id))
                check_worlds_match_beliefs(game, players, r, games=2, count=500, steps=200, skip=skip)
    except (AssertionError, ValueError, IndexError, OverflowError, RuntimeError, RulesError) as error:
        if isinstance(error.__cause__, NameError | TypeError | AttributeError):
            raise  # the mutation itself is faulty
        return error
    return None


def find_hidden_verbs(game: Game) -> dict[str, bool]:
    """Return the verbs that some seat does not see completely, found in random games, and whether each is ever
    silent."""
    is_silent: dict[str, bool] = {}
    r = random.Random(1)
    for _ in range(5 if game.hidden else 1):
        for players in game.players:
            for play in random_positions(game, players, r):
                for actor in play.actors:
                    for move in play.legal(actor):
                        audience = play.audience(actor, move)
                        if audience != EVERYONE:
                            is_silent[move.verb] = is_silent.get(move.verb, False) or bool(audience & SILENT)
        if is_silent:
            break
    return dict(sorted(is_silent.items()))


def find_unnoticed_leaks(game: Game) -> Iterator[str]:
    """Yield descriptions of wider audiences that no property detects."""
    for verb, silent in find_hidden_verbs(game).items():
        for words, wider in WIDER_AUDIENCES.items():
            if (silent or wider is not tell_if_silent) and not is_leak_noticed(
                make_leaking_game(game, verb, wider), verb
            ):
                yield f"{words} {verb}"


def is_leak_noticed(game: Game, verb: str, max_positions: int = 500) -> bool:
    """Return whether `check_cues_are_visible` detects a leak within this many positions in which the verb is legal."""
    r, position_count = random.Random(2), 0
    try:
        while position_count < max_positions:
            for players in game.players:
                for play in random_positions(game, players, r):
                    if any(move.verb == verb for actor in play.actors for move in play.legal(actor)):
                        check_cues_are_visible(play, r.randrange(-1, players))
                        position_count += 1
    except AssertionError:
        return True
    return False
