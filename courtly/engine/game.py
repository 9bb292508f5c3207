"""The description of a game, and the registry that finds games.

A game is a folder with `game.toml` and `rules.py` (see docs/writing-a-game.md). The games of this package are found by
folder. Other games are found by the entry point group `courtly.games`, whose values name packages, or by the
environment variable COURTLY_GAMES, a comma-separated list of packages.
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
from courtly.engine.constants import LANGUAGES, MAX_SEATS, NOBODY
from courtly.engine.errors import CourtlyError, RulesError, find_bound
from courtly.engine.logged import check_logged

if TYPE_CHECKING:
    from courtly.engine.facts import FactsBase, Logged
    from courtly.engine.moves import Moves
    from courtly.engine.state import StateBase

RULES_FUNCTIONS = ("setup", "chance", "legal", "apply", "audience", "reveals", "scores", "determinize")
OPTIONAL_RULES_FUNCTIONS = ("equal_events", "refusal")
FACTS_FUNCTIONS = ("facts", "counted")  # of facts.py, which is optional
MEASURE_FUNCTIONS = ("points", "owned", "starter")  # of measures.py, which is optional
POLICY_FUNCTIONS = (
    "priors",
    "considered",
    "value",
    "recall",
    "belief",
    "traits",
    "solve",
)  # of policy.py, which is optional
GAMES_PACKAGE = "courtly.games"
GAME_COLORS = ("gules", "azure", "vert", "purpure", "tenne", "sable", "or")  # the colours that `game.toml` may name
EMBLEM_PATH = "board/art/emblem.svg"
log = logging.getLogger("courtly.engine")


class UnknownGameError(CourtlyError, LookupError):
    """No game with this id is installed."""


class BoundsError(RulesError):
    """A game had more decisions or random events, or one decision more legal moves, than the bounds in its `game.toml`
    allow: either the rules or the bounds are wrong."""


def find_package_folder(package: str) -> Path:
    """Return the folder of a package. Raises UnknownGameError if there is no such package."""
    try:
        spec = importlib.util.find_spec(package)
    except ModuleNotFoundError:  # a parent package is missing
        spec = None
    if spec is None or not spec.submodule_search_locations:
        raise UnknownGameError(f"there is no package {package}")
    return Path(spec.submodule_search_locations[0])


class Game:
    """A game: its rules, and what is known about it before play starts.

    Attributes:
        package: The dotted name of its package.
        folder: The folder of the package.
        card: The content of `game.toml`.
        id: Its id, such as "petition".
        version: The version of its rules; a record names the version that it was played with.
        bounds: The most decisions, random events and legal moves, from `game.toml`.
        levels: The strengths of its bots, from `game.toml`.
    """

    def __init__(self, package: str):
        self.package = package
        self.folder = find_package_folder(package)
        self.card = cast(schemas.GameManifest, tomllib.loads((self.folder / "game.toml").read_text(encoding="utf-8")))
        self.card.setdefault("presets", {})
        self.id = self.card["id"]
        self.version = self.card["version"]
        bounds = self.card.get("bounds", {})
        if {k for k, n in bounds.items() if type(n) is int and n > 0} != set(schemas.Bounds.__annotations__):
            raise ValueError(f"{self.id}: [bounds] of game.toml needs decisions, events and moves, whole numbers > 0")
        self.bounds = bounds
        levels = cast(dict[str, int], self.card.get("levels", {}))
        if not all(k in schemas.Levels.__annotations__ and type(n) is int and n > 0 for k, n in levels.items()):
            raise ValueError(f"{self.id}: [levels] of game.toml may have page, knight and master, whole numbers > 0")
        self.levels = levels

    @cached_property
    def rules(self) -> Any:
        """The module `rules.py`. Raises ValueError if it allows more players than a table has seats."""
        rules = importlib.import_module(f"{self.package}.rules")
        max_players = max(rules.State.fields["players"].option)
        if max_players > MAX_SEATS:
            raise ValueError(f"{self.id} is for up to {max_players} players; a table has at most {MAX_SEATS} seats")
        return rules

    @cached_property
    def facts_module(self) -> Any:
        """The module `facts.py`; None if the game has none."""
        return importlib.import_module(f"{self.package}.facts") if (self.folder / "facts.py").exists() else None

    @property
    def Facts(self) -> type[FactsBase] | None:
        """The class of its facts; None if the game has none."""
        facts: type[FactsBase] | None = getattr(self.facts_module, "Facts", None)
        return facts

    @property
    def counted(self) -> tuple[str, ...]:
        """The names of what players count, such as points, with the goal of the game first: COUNTED of `facts.py`."""
        names: tuple[str, ...] = getattr(self.facts_module, "COUNTED", ())
        return names

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of what the first number that players count consists of: PARTS of `facts.py`."""
        names: tuple[str, ...] = getattr(self.facts_module, "PARTS", ())
        return names

    @cached_property
    def logged(self) -> tuple[Logged, ...]:
        """The numbers of the state that the log names when they change: LOGGED of `facts.py`. Raises ValueError if they
        do not fit the state."""
        logged: tuple[Logged, ...] = getattr(self.facts_module, "LOGGED", ())
        check_logged(logged, self.State, tuple(self.moves.first))
        return logged

    @property
    def aim(self) -> str | None:
        """The verb of the moves that a turn is played for, and that end it: AIM of `facts.py`."""
        verb: str | None = getattr(self.facts_module, "AIM", None)
        return verb

    @property
    def secret_phases(self) -> tuple[int, ...]:
        """The values of the state's `phase` in which all seats decide at the same time, unseen: SECRET_PHASES of
        `facts.py`."""
        phases: tuple[int, ...] = getattr(self.facts_module, "SECRET_PHASES", ())
        return phases

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
        """The components that a seat can own, numbered and named like moves: OWNED of `measures.py`."""
        from courtly.engine.moves import Moves

        owned_moves: Moves = getattr(self.measures, "OWNED", Moves())
        return owned_moves

    @cached_property
    def complete(self) -> Any:
        """The function `complete(state, given)` of `position.py`, which fills in the fields that follow from the given
        ones. None if the game has no such module."""
        has_module = (self.folder / "position.py").exists()
        return importlib.import_module(f"{self.package}.position").complete if has_module else None

    @property
    def State(self) -> type[StateBase]:
        """The class of its states."""
        state: type[StateBase] = self.rules.State
        return state

    @property
    def moves(self) -> Moves:
        """Its moves and random events, as numbers."""
        moves: Moves = self.rules.MOVES
        return moves

    @cached_property
    def refusals(self) -> tuple[str, ...]:
        """The names of the reasons why a move is not legal, by the number that `refusal` of the rules returns."""
        reasons = getattr(self.rules, "Refusal", ())
        return tuple(reason.replace("_", "-") for reason in reasons)

    @property
    def room(self) -> int:
        """The length of a list that can hold all moves or weights, or the scores of all seats."""
        return max(self.moves.total, MAX_SEATS)

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players that the game allows, in ascending order."""
        return tuple(sorted(self.State.fields["players"].option))

    @property
    def options(self) -> dict[str, tuple[int, ...]]:
        """The table options and their values, without the number of players; the first value is the default."""
        return {f.name: f.option for f in self.State.options if f.name != "players"}

    @property
    def presets(self) -> dict[str, dict[str, int]]:
        """Named sets of options, without those that `check_options` rejects."""
        return {name: preset for name, preset in self.card["presets"].items() if not self.check_options(preset)}

    def replays(self, version: Any) -> dict[str, int] | None:
        """Return the options that a record of this version implies where it does not name them; None if this version of
        the game cannot replay such a record."""
        return {} if version == self.version else self.card.get("earlier", {}).get(str(version))

    def check_options(self, preset: Any) -> str:
        """Return why this cannot be a preset of the game; "" if it can."""
        if not isinstance(preset, dict):
            return "it must be a table of options"
        for name, value in preset.items():
            if name not in self.options:
                return f"there is no option {name}; there are {', '.join(self.options) or 'none'}"
            if type(value) is not int or value not in self.options[name]:
                return f"{name} is {', '.join(map(str, self.options[name]))}, not {value!r}"
        return ""

    def list_warnings(self) -> Iterator[tuple[str, str]]:
        """Yield the file (a name within the game's folder) and a description for each problem that does not prevent
        play."""
        for language in LANGUAGES:
            if not (self.folder / f"{language}.ftl").exists():
                yield f"{language}.ftl", f"there is no {language}.ftl"
        if (self.folder / "board").exists() and not (self.folder / EMBLEM_PATH).exists():
            yield EMBLEM_PATH, "there is no emblem.svg: the lobby shows the default emblem"
        if self.card["colour"] not in GAME_COLORS:
            yield "game.toml", f"the colour {self.card['colour']} is not one of {', '.join(GAME_COLORS)}"
        for name, preset in self.card["presets"].items():
            if problem := self.check_options(preset):
                yield "game.toml", f"the preset {name} is left out: {problem}"
        for version, options in self.card.get("earlier", {}).items():
            if problem := self.check_options(options):
                yield "game.toml", f"records of version {version} cannot be replayed: {problem}"

    @cached_property
    def hidden(self) -> bool:
        """True if the state has a field that not every audience may see."""
        return any(f.visible in ("private", "secret") for f in self.State.stored)

    @cached_property
    def components(self) -> dict[str, Any]:
        """The component data of the game with its provenance: COMPONENTS of the rules, or else the content of
        components.toml or components.json; empty if there is none."""
        toml, plain = self.folder / "components.toml", self.folder / "components.json"
        components: dict[str, Any] = {}
        if hasattr(self.rules, "COMPONENTS"):
            components = self.rules.COMPONENTS
        elif toml.exists():
            components = tomllib.loads(toml.read_text(encoding="utf-8"))
        elif plain.exists():
            components = json.loads(plain.read_text(encoding="utf-8"))
        return components

    def about(self) -> schemas.GameInfo:
        """Return everything that a browser or a program needs to know before play starts, as JSON."""
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
        """Return what the rules derive from a view, for a board, as JSON; None if the game has no facts.

        The rules work on a state that is built from the view alone, so the facts cannot disclose anything that the view
        hides.

        Args:
            view: What `Position.view` returns for a seat or for spectators.
        """
        if self.Facts is None:
            return None
        state, facts, seat = self.State.from_view(view["state"]), self.Facts(), view["seat"]
        self.facts_module.facts(state, NOBODY if seat is None else seat, facts, [0] * self.room)
        return facts.as_json(state.players)

    def count(self, state: StateBase, seat: int) -> list[int]:
        """Return what players count of a seat: a number for each name in `counted`, then for each in `parts`."""
        numbers = [0] * len(self.counted + self.parts)
        if numbers:
            self.facts_module.counted(state, seat, numbers)
        return numbers

    def __repr__(self) -> str:
        return f"<game {self.id} {self.version}>"

    def __deepcopy__(self, memo: Any) -> Game:
        """Return the game itself: it is immutable, and its rules are a module."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle_game, (self.package,)


def _describe_fields(state: type[StateBase]) -> dict[str, schemas.Field]:
    """Return the descriptions of the fields that at least one seat may see."""
    descriptions: dict[str, schemas.Field] = {}
    for f in state.stored:
        if f.visible in ("public", "private"):
            axes: list[int | list[schemas.Value]] = [a if isinstance(a, int) else list(a) for a in f.axes]
            descriptions[f.name] = {"shape": list(f.shape), "visible": f.visible, "axes": axes}
            if f.names:
                descriptions[f.name]["names"] = list(f.names)
    return descriptions


def find_external_packages() -> dict[str, str]:
    """Return the packages of games outside of this project, by the name of their entry point."""
    from importlib.metadata import entry_points

    packages = {entry.name: entry.value for entry in entry_points(group="courtly.games")}
    return packages | {package: package for package in os.environ.get("COURTLY_GAMES", "").split(",") if package}


@cache
def _load_games() -> dict[str, Game]:
    games_package = importlib.import_module(GAMES_PACKAGE)
    packages = [
        f"{GAMES_PACKAGE}.{f.name}"
        for f in sorted(Path(games_package.__path__[0]).iterdir())
        if (f / "game.toml").exists() and (f / "rules.py").exists()
    ]
    games = {game.id: game for game in map(Game, packages)}
    for package in find_external_packages().values():
        game = load_game(package)
        if isinstance(game, str):  # a faulty game does not prevent play of the others
            log.error("skipping game %s: %s", package, game)
        else:
            games.setdefault(game.id, game)
    return games


def load_game(package: str) -> Game | str:
    """Return the game of this package, or a description of the fault that prevents its use."""
    try:
        game = Game(package)
        require_complete_card(game)
        return game
    except Exception as error:
        return _describe_failure(error, package)


def log_warnings() -> None:
    """Log the warnings of all installed games (`Game.list_warnings`)."""
    for game in _load_games().values():
        for file, text in game.list_warnings():
            log.warning("game %s: %s: %s", game.id, game.folder / file, text)


def require_complete_card(game: Game) -> None:
    """Raise RulesError if `game.toml` lacks a required key or has a value of a wrong type.

    Any other exception that the rules or component data raise while the game describes itself passes through.
    """
    for name, kind in get_type_hints(schemas.GameManifest, include_extras=True).items():
        plain = dict if is_typeddict(kind) else get_origin(kind) or kind
        if plain is not NotRequired and not isinstance(game.card.get(name), plain):
            line = find_bound(game.folder, name)
            raise RulesError(game.id, f"{name} is missing, or has a wrong type", line=line)
    json.dumps(game.about())


def _describe_failure(error: Exception, package: str) -> str:
    """Return a description of an exception with the line of the package where it was raised."""
    if isinstance(error, RulesError):
        return f"{error.description} ({error.line})"
    inside = f"{os.sep}{package.replace('.', os.sep)}{os.sep}"
    lines = [f"{f.filename}:{f.lineno}" for f in traceback.extract_tb(error.__traceback__) if inside in f.filename]
    if isinstance(error, SyntaxError) and error.filename:
        return f"{type(error).__name__}: {error.msg} ({error.filename}:{error.lineno})"
    return " ".join([f"{type(error).__name__}: {error}", *(f"({line})" for line in lines[-1:])])


def game_ids() -> list[str]:
    """Return the ids of the installed games. Games marked `workshop` in `game.toml` are unfinished: they are included
    only if COURTLY_WORKSHOP is set, but `find_game` always finds them."""
    return [
        name
        for name, game in _load_games().items()
        if not game.card.get("workshop") or os.environ.get("COURTLY_WORKSHOP")
    ]


def find_game(name: str) -> Game:
    """Return a game by its id. Raises UnknownGameError, which lists the known ids, if there is none."""
    try:
        return _load_games()[name]
    except KeyError:
        raise UnknownGameError(f"there is no game {name!r}; there are {', '.join(_load_games())}") from None


@cache
def _unpickle_game(package: str) -> Game:
    """Return the game of this package: the registered one, or a new one if the package is not registered."""
    return next((game for game in _load_games().values() if game.package == package), None) or Game(package)


def register(game: Game) -> None:
    """Add a game that is not installed, for this process only."""
    _load_games()[game.id] = game
