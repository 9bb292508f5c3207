"""Rules with one mistake put in, to see that the properties catch it.

A game's `mistakes.py` (resources.py) lists them as (what is wrong, file, old text, new text): MISTAKES, and RARE for
those that random play comes to so seldom that they are tried in long runs only.
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
from courtly.testing.resources import unseen

_count = itertools.count()


class _MutatedModules:
    """Loads a package's modules with one replacement made."""

    def __init__(self, game: Game, package: str, file: str, old: str, new: str):
        self.game, self.package, self.file, self.old, self.new = game, package, file, old, new
        self.replaced = False

    def module(self, name: str) -> Any:
        full = f"{self.package}.{name}"
        if full in sys.modules:
            return sys.modules[full]
        path = self.game.folder / f"{name}.py"
        text = path.read_text(encoding="utf-8")
        if path.name == self.file:
            assert text.count(self.old) == 1, f"{self.old!r} stands {text.count(self.old)} times in {self.file}"
            text = text.replace(self.old, self.new)
            self.replaced = True
        text = text.replace(f"from {self.game.package}.", f"from {self.package}.")
        made = types.ModuleType(full)
        made.__file__ = str(path)
        sys.modules[full] = made
        for line in text.splitlines():  # the game's own modules first
            if line.startswith(f"from {self.package}."):
                self.module(line.split()[1].removeprefix(f"{self.package}."))
        exec(compile(text, str(path), "exec"), made.__dict__)
        return made


def make_mutant(game: Game, mutant: tuple[str, str, str, str]) -> Game:
    """The game with `old` replaced by `new` in one of its files."""
    _, file, old, new = mutant
    package = f"mutant{next(_count)}"
    source = _MutatedModules(game, package, file, old, new)
    sys.modules[package] = types.ModuleType(package)
    rules = source.module("rules")
    assert source.replaced, f"{file} is not among the rules"
    other = Game(game.package)
    other.package = package
    other.__dict__["rules"] = rules
    for name in ("shown", "policy"):
        other.__dict__[name] = source.module(name) if getattr(game, name) else None
    return other


def tell_everybody(s: Any, seat: int, told: int) -> int:
    return EVERYONE


def tell_one_more(s: Any, seat: int, told: int) -> int:
    """The next seat that is not told."""
    others = ((seat + step) % s.players for step in range(1, s.players + 1))
    return told | next((1 << other for other in others if other != seat and not told >> other & 1), 0)


def tell_if_silent(s: Any, seat: int, told: int) -> int:
    return told if told < 0 else told & ~SILENT


WIDER_AUDIENCES = {
    "everybody were told of": tell_everybody,
    "one seat more were told of": tell_one_more,
    "all noticed": tell_if_silent,
}


def make_leaking_game(game: Game, verb: str, wider: Callable[[Any, int, int], int]) -> Game:
    """The game in which more are told of a verb."""
    other, first = Game(game.package), getattr(game.moves, verb)

    def audience(s: Any, seat: int, move: int) -> int:
        told: int = game.rules.audience(s, seat, move)
        return wider(s, seat, told) if game.moves.columns[0][move] == first else told

    other.__dict__["rules"] = types.SimpleNamespace(**{**vars(game.rules), "audience": audience})
    return other


def find_violation(game: Game, positions_wanted: int) -> Exception | None:
    """What the properties say of a mutant; None if they notice nothing within that many position-seat pairs."""
    r = random.Random(1)
    seen = 0
    try:
        while seen < positions_wanted:
            first = not seen
            for players in game.players:
                if seen >= positions_wanted:
                    break
                before = seen
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
                    seen += 1
                check_twins_indistinguishable(game, players, r, min(seen - before, 300))
            if first and game.hidden:  # it takes long
                skip = set(unseen(game.id))
                check_worlds_match_beliefs(game, players, r, games=2, count=500, steps=200, skip=skip)
    except (AssertionError, ValueError, IndexError, OverflowError, RuntimeError, RulesError) as wrong:
        if isinstance(wrong.__cause__, NameError | TypeError | AttributeError):
            raise  # it is the mistake that is mistaken
        return wrong
    return None


def find_hidden_verbs(game: Game) -> dict[str, bool]:
    """The verbs that are not always told to everybody, in a few random games; is one of them ever silent?"""
    found: dict[str, bool] = {}
    r = random.Random(1)
    for _ in range(5 if game.hidden else 1):
        for players in game.players:
            for play in random_positions(game, players, r):
                for actor in play.actors:
                    for move in play.legal(actor):
                        audience = play.audience(actor, move)
                        if audience != EVERYONE:
                            found[move.verb] = found.get(move.verb, False) or bool(audience & SILENT)
        if found:
            break
    return dict(sorted(found.items()))


def find_unnoticed_leaks(game: Game) -> Iterator[str]:
    """Of whom more might be told than should be, and nothing would notice, in words."""
    for verb, silent in find_hidden_verbs(game).items():
        for words, wider in WIDER_AUDIENCES.items():
            if (silent or wider is not tell_if_silent) and not is_leak_noticed(
                make_leaking_game(game, verb, wider), verb
            ):
                yield f"{words} {verb}"


def is_leak_noticed(game: Game, verb: str, most: int = 500) -> bool:
    """Does "what is told is seen" notice something within so many positions in which this can be done or happen?"""
    r, looked = random.Random(2), 0
    try:
        while looked < most:
            for players in game.players:
                for play in random_positions(game, players, r):
                    if any(move.verb == verb for actor in play.actors for move in play.legal(actor)):
                        check_cues_are_visible(play, r.randrange(-1, players))
                        looked += 1
    except AssertionError:
        return True
    return False
