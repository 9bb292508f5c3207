"""The JSON that the engine produces, as typed dicts: views, cues, moves, and what is known about a game before play
starts.

`tools/shapes.py` generates `courtly/web/core/api-types.js` from them, and `/openapi.json` includes them. Keys stand in
the order in which they are transmitted.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

Args = dict[str, Any]  # arguments of a move: names, or the numbers of a range
Value = int | str  # a value of an argument or an axis


class Move(TypedDict):
    """A move or random event: its number, its verb and its arguments."""

    id: int
    verb: str
    args: Args


class Change(TypedDict):
    """By how much a move or event changed something that a seat counts, such as its points: see LOGGED of `facts.py`.
    `revealed`: `n` is not a change but the number itself, which became known."""

    seat: int
    name: str
    n: int
    revealed: NotRequired[bool]


class Cue(TypedDict):
    """A notification that an audience received. `n` is its number for this audience, from 0; `seat` is -1 for a random
    event. If the audience may not see the move, `args` has the public arguments only, or is null. `changes`: what the
    log says about amounts; missing if there is nothing. `to`: in the replay of a finished game, the only seat that
    received the cue of an event."""

    n: int
    seat: int
    verb: str
    args: Args | None
    changes: NotRequired[list[Change]]
    to: NotRequired[int]


class PositionView(TypedDict):
    """What a position shows to one seat, or to spectators (`seat` is null)."""

    seat: int | None
    state: dict[str, Any]
    pending: list[int]
    legal: list[Move]


class View(PositionView):
    """Everything that one seat, or a spectator, may know about a match. `seq`: how many cues the audience has received.
    `undo`: the seat can take back its last moves. `facts`: what the rules derive from the view, if the game has a
    `facts.py`."""

    seq: int
    undo: bool
    over: bool
    scores: list[int] | None
    cues: list[Cue]
    facts: NotRequired[dict[str, Any]]


class Reason(TypedDict):
    """A message about a move: its id, and its parameters."""

    id: str
    args: Args


class Hint(TypedDict):
    """A good move, with the estimated chance to win after it and the margin of error, both in thousandths. `wins` is
    None if no chance is known: then the hint is the squire's move."""

    move: Move
    wins: int | None
    margin: int
    reasons: list[Reason]


class Advice(TypedDict):
    """An evaluation of a view: each seat's estimated chance to win and the margin of error, in thousandths, and the
    best moves, best first. `counted`: the chances were counted in simulated games; else they were computed. If `wins`
    is empty, the chances are unknown and the squire's move is the only hint."""

    wins: list[int]
    margin: int
    counted: bool
    hints: list[Hint]


class Argument(TypedDict):
    """The values that an argument of a verb may have. `seat`: the values are seats."""

    values: list[Value]
    seat: bool


class Verb(TypedDict):
    """A verb of the game: `first` is the number of its first move; the others follow, argument by argument."""

    first: int
    args: dict[str, Argument]


class Field(TypedDict):
    """A field of the state: its length along each axis, its visibility, the axes (a length or the names), and the names
    of its numbers, from 0, if they have names."""

    shape: list[int]
    visible: Literal["public", "private"]
    axes: list[int | list[Value]]
    names: NotRequired[list[str]]


class Bounds(TypedDict):
    """Upper bounds for any match with any options: its decisions, its random events, the legal moves of one
    decision."""

    decisions: int
    events: int
    moves: int


class Levels(TypedDict):
    """The strengths of the bots: the page overlooks a move once in `page` decisions; the others are the numbers of
    simulations of their search."""

    page: NotRequired[int]
    knight: NotRequired[int]
    master: NotRequired[int]


class GameManifest(TypedDict):
    """The content of `game.toml`. `presets`: named sets of options. `earlier`: for each earlier version of the game
    that can be replayed, the options that its records imply where they do not name them."""

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
    """What is known about a game before play starts, without the details that only a table needs."""

    players: list[int]
    hidden: bool
    board: bool
    lesson: bool
    options: dict[str, list[int]]


class GameInfo(GameOutline):
    """What is known about a game before play starts. `hidden`: some fields are hidden from some audience. `board`: the
    game has a drawn board, not only the text interface. `lesson`: the game has a lesson."""

    moves: dict[str, Verb]
    events: dict[str, Verb]
    fields: dict[str, Field]
    components: dict[str, Any]
