"""The shapes of what the engine tells, as JSON: views, cues, moves, and what is known of a game before it starts. Plain
dicts.

`web/core/api-types.js` is made from them (tools/shapes.py), and `/openapi.json` shows them. Keys stand in the order in
which they travel.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict  # Python 3.11's own does not tell pydantic enough

Args = dict[str, Any]  # of a move: names, or the numbers of a range
Value = int | str  # of an argument or an axis


class Move(TypedDict):
    """A move or event: its number, and its words."""

    id: int
    verb: str
    args: Args


class Cue(TypedDict):
    """What an audience noticed: `n` counts its cues, `seat` is -1 for a random event. Of what it may not see, `args`
    has those that are told to everybody, or is null. `to`: where a finished game lies open, the one seat that was told
    of an event."""

    n: int
    seat: int
    verb: str
    args: Args | None
    to: NotRequired[int]


class PositionView(TypedDict):
    """What a position shows to one seat, or to spectators (`seat` null)."""

    seat: int | None
    state: dict[str, Any]
    pending: list[int]
    legal: list[Move]


class View(PositionView):
    """Everything that one seat, or a spectator, may know of a match. `facts`: what follows from it by the rules,
    where a game tells it."""

    seq: int
    undo: bool
    over: bool
    scores: list[int] | None
    cues: list[Cue]
    facts: NotRequired[dict[str, Any]]


class Reason(TypedDict):
    """What is to be said of a move: a message id, and its parameters."""

    id: str
    args: Args


class Hint(TypedDict):
    """A good move: the chance to win with it, and how far that may be from the truth, in thousandths. `wins` None: it
    is the squire's move, of which no chance is known."""

    move: Move
    wins: int | None
    margin: int
    reasons: list[Reason]


class Advice(TypedDict):
    """What a view lets expect: each seat's chance to win, and how far these may be from the truth, in thousandths;
    whether they were counted in simulated games, or worked out and estimated; the best moves, the best first. `wins`
    empty: the chances are not known, and the squire's move is the only hint."""

    wins: list[int]
    margin: int
    counted: bool
    hints: list[Hint]


class Argument(TypedDict):
    """The values that an argument of a verb may have; `seat`: they are seats."""

    values: list[Value]
    seat: bool


class Verb(TypedDict):
    """A move before its arguments are chosen: `first` is its first number, the others follow argument by argument."""

    first: int
    args: dict[str, Argument]


class Field(TypedDict):
    """A field of the state: how long it is along each axis, who sees it, the names along each axis where there are
    any, and the names of its numbers, from 0, where they have any."""

    shape: list[int]
    visible: Literal["public", "private"]
    axes: list[int | list[Value]]
    names: NotRequired[list[str]]


class Bounds(TypedDict):
    """What no game goes beyond, with any options: its decisions, its random events, the legal moves of one decision."""

    decisions: int
    events: int
    moves: int


class Levels(TypedDict):
    """Once in how many decisions the page overlooks something, and with how many simulations the others search."""

    page: NotRequired[int]
    knight: NotRequired[int]
    master: NotRequired[int]


class GameManifest(TypedDict):
    """What `game.toml` says. `presets`: named sets of options. `earlier`: by version, the options that a record of that
    version of the game means where it does not name them."""

    id: str
    version: int
    minutes: int
    colour: str
    designers: list[str]
    publishers: list[str]
    year: int
    bounds: Bounds
    presets: dict[str, dict[str, int]]
    earlier: NotRequired[dict[str, dict[str, int]]]
    levels: NotRequired[Levels]
    workshop: NotRequired[bool]
    test: NotRequired[bool]


class GameOutline(GameManifest):
    """What is known of a game before it starts, but for what only counts at a table."""

    players: list[int]
    hidden: bool
    board: bool
    lesson: bool
    options: dict[str, list[int]]


class GameInfo(GameOutline):
    """What is known of a game before it starts. `hidden`: something is hidden from somebody; `board`: it is drawn, not
    only told in words; `lesson`: there is a first game that teaches it."""

    moves: dict[str, Verb]
    events: dict[str, Verb]
    fields: dict[str, Field]
    components: dict[str, Any]
