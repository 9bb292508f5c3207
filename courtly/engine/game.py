"""What a game is, and the registry that finds games.

A game is a folder with `game.toml` and `rules.py` (see docs/writing-a-game.md). Games of this package are found by
folder; others by the entry point group `courtly.games`, whose values name packages, or by the environment variable
COURTLY_GAMES, a comma-separated list of packages.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import logging
import os
import tomllib
import traceback
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NotRequired, cast, get_origin, get_type_hints

from typing_extensions import is_typeddict

from courtly.engine import schemas
from courtly.engine.constants import LANGUAGES, MAX_SEATS
from courtly.engine.errors import CourtlyError, RulesError, find_bound

if TYPE_CHECKING:
    from courtly.engine.moves import Moves
    from courtly.engine.state import StateBase

RULES_FUNCTIONS = ("setup", "chance", "legal", "apply", "audience", "reveals", "scores", "determinize")
MEASURE_FUNCTIONS = ("points", "owned", "starter")  # of measures.py, where a game has one
POLICY_FUNCTIONS = (
    "priors",
    "considered",
    "value",
    "recall",
    "belief",
    "traits",
    "solve",
)  # of policy.py, where a game has one
GAMES_PACKAGE = "courtly.games"
GAME_COLORS = ("gules", "azure", "vert", "purpure", "tenne", "sable", "or")  # colours that a game may have
EMBLEM_PATH = "board/art/emblem.svg"
log = logging.getLogger("courtly.engine")


class UnknownGameError(CourtlyError, LookupError):
    """No game of that name is installed."""


class BoundsError(RulesError):
    """A game went on for longer, or a decision left more open, than its `game.toml` says there can be: one of them is
    wrong."""


def find_package_folder(package: str) -> Path:
    """Where a package lies. UnknownGameError if there is none of that name."""
    try:
        spec = importlib.util.find_spec(package)
    except ModuleNotFoundError:  # what it would be part of is not there either
        spec = None
    if spec is None or not spec.submodule_search_locations:
        raise UnknownGameError(f"there is no package {package}")
    return Path(spec.submodule_search_locations[0])


class Game:
    """One game: its rules and what is known of it before it starts."""

    def __init__(self, package: str):
        self.package = package
        self.folder = find_package_folder(package)
        self.card = cast(schemas.GameManifest, tomllib.loads((self.folder / "game.toml").read_text(encoding="utf-8")))
        self.card.setdefault("presets", {})
        self.id = self.card["id"]
        self.version = self.card["version"]
        bounds = self.card.get("bounds", {})
        if {k for k, n in bounds.items() if type(n) is int and n > 0} != set(schemas.Bounds.__annotations__):
            raise ValueError(f"{self.id}: [bounds] of game.toml says how many decisions, events and moves there can be")
        self.bounds = bounds
        levels = cast(dict[str, int], self.card.get("levels", {}))
        if not all(k in schemas.Levels.__annotations__ and type(n) is int and n > 0 for k, n in levels.items()):
            raise ValueError(f"{self.id}: [levels] of game.toml has numbers for page, knight and master")
        self.levels = levels

    @cached_property
    def rules(self) -> Any:
        """The module `rules.py`. ValueError if it is for more players than a table has seats."""
        rules = importlib.import_module(f"{self.package}.rules")
        most = max(rules.State.fields["players"].option)
        if most > MAX_SEATS:
            raise ValueError(f"{self.id} is for up to {most} players; a table has at most {MAX_SEATS} seats")
        return rules

    @cached_property
    def shown(self) -> Any:
        """The module `shown.py`; None if the game has none."""
        return importlib.import_module(f"{self.package}.shown") if (self.folder / "shown.py").exists() else None

    @cached_property
    def policy(self) -> Any:
        """The module `policy.py`; None if the game has none."""
        return importlib.import_module(f"{self.package}.policy") if (self.folder / "policy.py").exists() else None

    @cached_property
    def measures(self) -> Any:
        """The module `measures.py`; None if the game has none."""
        return importlib.import_module(f"{self.package}.measures") if (self.folder / "measures.py").exists() else None

    @cached_property
    def owned(self) -> Moves:
        """The components that a seat can have, numbered and named as moves are: OWNED of `measures.py`."""
        from courtly.engine.moves import Moves

        found: Moves = getattr(self.measures, "OWNED", Moves())
        return found

    @cached_property
    def complete(self) -> Any:
        """`complete(state, given)` of `position.py`: fills in what follows from the fields that are given. None if the
        game has no such module."""
        there = (self.folder / "position.py").exists()
        return importlib.import_module(f"{self.package}.position").complete if there else None

    @property
    def State(self) -> type[StateBase]:
        state: type[StateBase] = self.rules.State
        return state

    @property
    def moves(self) -> Moves:
        """Its moves and events, as numbers."""
        moves: Moves = self.rules.MOVES
        return moves

    @cached_property
    def refusals(self) -> tuple[str, ...]:
        """Why a move may not be legal, in the order of the numbers that `refusal` returns, as texts name it."""
        reasons = getattr(self.rules, "Refusal", ())
        return tuple(reason.replace("_", "-") for reason in reasons)

    @property
    def room(self) -> int:
        """How long a list for moves and weights has to be; seats' scores fit in too."""
        return max(self.moves.total, MAX_SEATS)

    @property
    def players(self) -> tuple[int, ...]:
        """How many can play."""
        return tuple(sorted(self.State.fields["players"].option))

    @property
    def options(self) -> dict[str, tuple[int, ...]]:
        """Table options and their values; the first is the default."""
        return {f.name: f.option for f in self.State.options if f.name != "players"}

    @property
    def presets(self) -> dict[str, dict[str, int]]:
        """Named sets of options: those that can be."""
        return {name: preset for name, preset in self.card["presets"].items() if not self.check_options(preset)}

    def replays(self, version: Any) -> dict[str, int] | None:
        """Return the options that a record of this version of the game means where it does not name them. Returns None
        if such a record cannot be replayed."""
        return {} if version == self.version else self.card.get("earlier", {}).get(str(version))

    def check_options(self, preset: Any) -> str:
        """Why there can be no such preset; "": it can be."""
        if not isinstance(preset, dict):
            return "it is no table of options"
        for name, value in preset.items():
            if name not in self.options:
                return f"there is no option {name}; there are {', '.join(self.options) or 'none'}"
            if type(value) is not int or value not in self.options[name]:
                return f"{name} is {', '.join(map(str, self.options[name]))}, not {value!r}"
        return ""

    def list_warnings(self) -> Iterator[tuple[str, str]]:
        """What is not as it should be, and keeps nobody from playing: a file of the folder, and what is wrong there."""
        for language in LANGUAGES:
            if not (self.folder / f"{language}.ftl").exists():
                yield f"{language}.ftl", f"there is no {language}.ftl"
        if (self.folder / "board").exists() and not (self.folder / EMBLEM_PATH).exists():
            yield EMBLEM_PATH, "there is no emblem.svg: the lobby shows the house's own"
        if self.card["colour"] not in GAME_COLORS:
            yield "game.toml", f"the colour {self.card['colour']} is none of {', '.join(GAME_COLORS)}"
        for name, preset in self.card["presets"].items():
            if why := self.check_options(preset):
                yield "game.toml", f"the preset {name} is left out: {why}"
        for version, options in self.card.get("earlier", {}).items():
            if why := self.check_options(options):
                yield "game.toml", f"records of version {version} cannot be replayed: {why}"

    @cached_property
    def hidden(self) -> bool:
        """Is anything hidden from somebody?"""
        return any(f.visible in ("private", "secret") for f in self.State.stored)

    @cached_property
    def components(self) -> dict[str, Any]:
        """The game's component data, with its provenance: its file, or what the rules made of several (COMPONENTS)."""
        toml, plain = self.folder / "components.toml", self.folder / "components.json"
        found: dict[str, Any] = {}
        if hasattr(self.rules, "COMPONENTS"):
            found = self.rules.COMPONENTS
        elif toml.exists():
            found = tomllib.loads(toml.read_text(encoding="utf-8"))
        elif plain.exists():
            found = json.loads(plain.read_text(encoding="utf-8"))
        return found

    def about(self) -> schemas.GameInfo:
        """Everything a browser or a program wants to know before a game starts, as JSON."""
        return {
            **self.card,
            "players": list(self.players),
            "hidden": self.hidden,
            "board": (self.folder / "board" / "board.js").exists(),
            "lesson": (self.folder / "lesson.toml").exists(),
            "presets": self.presets,
            "options": {name: list(values) for name, values in self.options.items()},
            "moves": self.moves.describe(chance=False),
            "events": self.moves.describe(chance=True),
            "fields": _describe_fields(self.State),
            "components": self.components,
        }

    def facts(self, view: schemas.PositionView) -> dict[str, Any] | None:
        """What the rules make of a view, for a board; None if the game has no `shown.py`.

        It works on a state that is made of the view alone, so it cannot tell what the view hides.
        """
        found: dict[str, Any] | None = self.shown and self.shown.facts(
            self.State.from_view(view["state"]), view["seat"]
        )
        return found

    def __repr__(self) -> str:
        return f"<game {self.id} {self.version}>"

    def __deepcopy__(self, memo: Any) -> Game:
        """Return the game itself: it does not change, and its rules are a module."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle_game, (self.package,)


def _describe_fields(state: type[StateBase]) -> dict[str, schemas.Field]:
    """The fields that somebody may see."""
    told: dict[str, schemas.Field] = {}
    for f in state.stored:
        if f.visible in ("public", "private"):
            axes: list[int | list[schemas.Value]] = [a if isinstance(a, int) else list(a) for a in f.axes]
            told[f.name] = {"shape": list(f.shape), "visible": f.visible, "axes": axes}
            if f.names:
                told[f.name]["names"] = list(f.names)
    return told


def find_external_packages() -> dict[str, str]:
    """The packages of games outside of this house, by the name that each goes by."""
    from importlib.metadata import entry_points

    named = {entry.name: entry.value for entry in entry_points(group="courtly.games")}
    return named | {package: package for package in os.environ.get("COURTLY_GAMES", "").split(",") if package}


@cache
def _load_games() -> dict[str, Game]:
    house = importlib.import_module(GAMES_PACKAGE)
    packages = [
        f"{GAMES_PACKAGE}.{f.name}"
        for f in sorted(Path(house.__path__[0]).iterdir())
        if (f / "game.toml").exists() and (f / "rules.py").exists()
    ]
    games = {game.id: game for game in map(Game, packages)}
    for package in find_external_packages().values():
        game = load_game(package)
        if isinstance(game, str):  # whatever is wrong with it, the others can be played
            log.error("the game %s is left out: %s", package, game)
        else:
            games.setdefault(game.id, game)
    return games


def load_game(package: str) -> Game | str:
    """The game of this package, or why it cannot be played."""
    try:
        game = Game(package)
        require_complete_card(game)
        return game
    except Exception as wrong:
        return _describe_failure(wrong, package)


def log_warnings() -> None:
    """Where games are offered: of all of them, what keeps nobody from playing."""
    for game in _load_games().values():
        for file, said in game.list_warnings():
            log.warning("the game %s: %s: %s", game.id, game.folder / file, said)


def require_complete_card(game: Game) -> None:
    """RulesError, or whatever is wrong with its files, if a game cannot be told of."""
    for name, kind in get_type_hints(schemas.GameManifest, include_extras=True).items():
        plain = dict if is_typeddict(kind) else get_origin(kind) or kind
        if plain is not NotRequired and not isinstance(game.card.get(name), plain):
            line = find_bound(game.folder, name)
            raise RulesError(game.id, f"{name} is missing, or not what it should be", line=line)
    json.dumps(game.about())


def _describe_failure(wrong: Exception, package: str) -> str:
    """What went wrong, and in which line of the package."""
    if isinstance(wrong, RulesError):
        return f"{wrong.said} ({wrong.line})"
    inside = f"{os.sep}{package.replace('.', os.sep)}{os.sep}"
    lines = [f"{f.filename}:{f.lineno}" for f in traceback.extract_tb(wrong.__traceback__) if inside in f.filename]
    if isinstance(wrong, SyntaxError) and wrong.filename:
        return f"{type(wrong).__name__}: {wrong.msg} ({wrong.filename}:{wrong.lineno})"
    return " ".join([f"{type(wrong).__name__}: {wrong}", *(f"({line})" for line in lines[-1:])])


def game_ids() -> list[str]:
    """The games that are ready to be played. Those still in the workshop are left out, unless COURTLY_WORKSHOP is
    set; `find_game` finds them."""
    return [
        name
        for name, game in _load_games().items()
        if not game.card.get("workshop") or os.environ.get("COURTLY_WORKSHOP")
    ]


def find_game(name: str) -> Game:
    """A game by its id. UnknownGameError lists those there are."""
    try:
        return _load_games()[name]
    except KeyError:
        raise UnknownGameError(f"there is no game {name!r}; there are {', '.join(_load_games())}") from None


@cache
def _unpickle_game(package: str) -> Game:
    """Return the game of this package: the registered one, or a new one if the package is not registered."""
    return next((game for game in _load_games().values() if game.package == package), None) or Game(package)


def register(game: Game) -> None:
    """Add a game that is not installed."""
    _load_games()[game.id] = game
