"""The shapes of what the server answers, as JSON, beside those of the engine. Plain dicts; what is asked is in
requests.py.

`web/core/api-types.js` is made from them (tools/shapes.py), and `/openapi.json` shows them. Keys stand in the order in
which they travel.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from courtly.engine import schemas
from courtly.engine.schemas import Args

Kind = Literal["open", "person", "bot", "local"]
Status = Literal["waiting", "playing", "over"]
ReviewObstacle = Literal["compiling", "missing", "broken"]
SeatColor = Literal["gules", "azure", "vert", "purpure", "tenne", "sable"]
CannedMessage = Literal[
    "hello", "moment", "sorry", "back", "no-hurry", "good-move", "thanks", "luck", "oops", "well-played", "bye", "again"
]


class Replacement(TypedDict):
    """The bot that plays in another's place, and why: that one is not compiled yet, machine code is not installed, or
    something is wrong with it."""

    bot: str
    why: ReviewObstacle


class BotLevel(TypedDict):
    """A bot that can be chosen. `ready`: it can play here; else it needs machine code. `wins`: the measured share of
    victories of one among squires, by the number of players."""

    name: str
    ready: bool
    wins: dict[str, float]


class GameBrief(schemas.GameOutline):
    """The same without what only counts at a table."""

    bots: list[BotLevel]
    help: bool


class GameInfo(schemas.GameInfo):
    """What is known of a game before it starts, and the bots that can play it, the weakest first. `help`: machine code
    is installed here, so that people can be helped."""

    bots: list[BotLevel]
    help: bool


class Me(TypedDict):
    """Who is asking."""

    id: str
    name: str


class NotificationSettings(TypedDict):
    """How I am told that it is my turn, and the `ways` this server has, mail and hook. `confirmed`: whoever reads mail
    at that address has said yes. `form`: of what is sent to the hook. `silent`: the hook failed so often that it is
    switched off."""

    ways: list[str]
    mail: str | None
    confirmed: bool
    hook: str | None
    form: str
    silent: bool


class MailLink(TypedDict):
    """What a link in a mail does: confirm the address, or stop."""

    what: str
    mail: str


class RunningGame(TypedDict):
    """A table of mine that is not over. `pending`: who is waited for, `since` (milliseconds since 1970) when; `due`: I
    am."""

    table: TableInfo
    pending: list[int]
    since: int
    due: bool


class SeatPlace(TypedDict):
    """A seat of a finished game. `place`: 1 is the first, equals share one; `points`: what is counted there; both null
    where nothing is known."""

    seat: int
    kind: Kind
    name: str
    you: bool
    place: int | None
    points: int | None


class FinishedGame(TypedDict):
    """A finished game of mine."""

    table: str
    game: str
    players: int
    ended: str
    seats: list[SeatPlace]
    next: str | None


class GameTally(TypedDict):
    """Of my finished games of a kind: how many I won, and how many points I had on average. `people`: others than bots
    played too."""

    game: str
    players: int
    people: bool
    played: int
    won: int
    points: float | None


class MyGames(TypedDict):
    """My games. `after`: where the list of finished games goes on; `units`: the name of what is counted as points, by
    game, where the game says."""

    running: list[RunningGame]
    finished: list[FinishedGame]
    after: str | None
    tallies: list[GameTally]
    units: dict[str, str]


class IdentityLink(TypedDict):
    """Whose a link to another device is. `yours`: unfinished games that this browser would leave behind; `you`: it is
    mine already."""

    name: str
    games: int
    yours: int
    you: bool


class OneTimeLink(TypedDict):
    """A link that is good once."""

    path: str


class SeatTicket(OneTimeLink):
    """A link that carries a seat. `recall`: by which its maker can take the seat back."""

    recall: str


class SeatLink(TypedDict):
    """The seat that a link carries. `you`: it is mine already."""

    table: str
    name: str
    you: bool


class Problem(TypedDict):
    """A message id, and its parameters."""

    id: str
    args: Args


class Refusal(TypedDict):
    """Why nothing was done."""

    error: Problem


class Seat(TypedDict):
    """A seat of a table. `grace`: seconds in which its player, who has gone, may come back; `votes`: for a bot to
    stand in; `instead`: who plays in the place of its bot, if that cannot; `help`: its player says yes to help at this
    table; `pledge`: SHA-256 of its number, empty: not sent yet, null: its client sends none;
    `colour`: no other seat has it."""

    seat: int
    kind: Kind
    name: str
    bot: str | None
    you: bool
    here: bool
    grace: int
    standin: str | None
    votes: int
    instead: Replacement | None
    help: bool
    pledge: str | None
    colour: SeatColor


class LiveClock(TypedDict):
    """So many minutes for each player, and so many seconds of every decision that cost nothing."""

    minutes: int
    seconds: int


class DaysClock(TypedDict):
    """So many days for a turn."""

    days: int


Clock = LiveClock | DaysClock


class SeatClock(TypedDict):
    """In ms: what is left, and how much more of this decision costs nothing. `runs`: it is to move; `outs`: how often
    in a row its time was out."""

    bank: int
    free: int
    runs: bool
    outs: int


class Clocks(TypedDict):
    """Everybody's clock at the moment `now`, in ms since 1970. A seat that a bot plays has none."""

    now: int
    seats: list[SeatClock | None]


class ReviewProgress(TypedDict):
    """The analysis of a finished game: may be asked for, cannot be made without machine code, is being made (so many
    decisions are judged; `of` 0: it waits, and `ahead` others come first), could not be made, or is there."""

    state: Literal["none", "impossible", "working", "failed", "ready"]
    done: int
    of: int
    ahead: int


class TableInfo(TypedDict):
    """A table as one person is told of it. `clock`: what is agreed, `clocks`: what is left while it is played;
    `help`: is there any, all who play having said yes, or what hinders it; `quiet`: the host wants nothing said;
    `redraws`: how often the secret and all numbers were replaced before the start;
    `review`: null before the end; `problem`: why a game that has begun cannot be played on."""

    id: str
    game: str
    version: int
    options: dict[str, int]
    players: int
    status: Status
    private: bool
    host: bool
    help: Literal["off", "on", "missing"]
    clock: Clock | None
    clocks: Clocks | None
    quiet: bool
    seats: list[Seat]
    commitment: str
    redraws: int
    secret: str | None
    nonces: list[str]
    next: str | None
    review: ReviewProgress | None
    problem: Problem | None
    created: str


class Tables(TypedDict):
    """The lobby: tables that wait for players, those that others play at, and mine; `due`: of mine, those where I am
    waited for."""

    open: list[TableInfo]
    live: list[TableInfo]
    mine: list[TableInfo]
    due: list[str]


class RandomEvent(TypedDict):
    """A random event, and all that could have happened then, with weights. `place`: the number it is drawn by, that of
    the event, or at tables begun by older versions its ply."""

    ply: int
    place: int
    move: int
    moves: list[int]
    weights: list[int]


class ReplayMoment(TypedDict):
    """A view of a game that is played back: what differs from the one before, of `state` and `facts` name by name.
    `ply`: how long the journal was then, once the game is over; `gone`: facts that are no more."""

    ply: int | None
    changed: dict[str, Any]
    gone: NotRequired[list[str]]


class Replay(TypedDict):
    """All that was shown to one audience, and what it was told. `table`: of a record that somebody has brought."""

    cues: list[schemas.Cue]
    moments: list[ReplayMoment]
    table: NotRequired[TableInfo]


class ChatMessage(TypedDict):
    """What somebody said, and when (milliseconds since 1970, no two at the same). `seat`: null for who looked on;
    `by`: whom this reader may know again at every table; `courtesy`: one of those that the reader's page has in words,
    else `text` is there."""

    at: int
    seat: int | None
    name: str
    by: str
    you: bool
    courtesy: CannedMessage | None
    text: str | None


class ChatPage(TypedDict):
    """The last that was said, or the last before a time, the oldest first. `more`: there is something before."""

    sayings: list[ChatMessage]
    more: bool


class LessonStep(TypedDict):
    """A step of a lesson: what was done in each step up to it, how many there are, the step in which its position was
    given, the text that is said and the keys of what is shown, whether something is asked, whether something else was
    done, the move that is suggested, and what the table is told."""

    done: list[list[int]]
    steps: int
    since: int
    say: str
    show: list[str]
    asks: bool
    astray: bool
    next: schemas.Move | None
    table: TableInfo
    view: schemas.View
    foreseen: schemas.View | None


class TableMessage(TypedDict):
    """What is known of the table has changed."""

    type: Literal["table"]
    table: TableInfo


class ViewMessage(TypedDict):
    """What one of the listener's audiences sees has changed."""

    type: Literal["view"]
    view: schemas.View


class ClocksMessage(TypedDict):
    """Time runs for others now."""

    type: Literal["clocks"]
    clocks: Clocks


class ChatPageMessage(TypedDict):
    """The last that was said, in place of what was told before."""

    type: Literal["talk"]
    sayings: list[ChatMessage]
    more: bool


class ChatMessageAdded(TypedDict):
    """Somebody has said something."""

    type: Literal["said"]
    saying: ChatMessage


class CommandDone(TypedDict):
    """The command with this key is kept."""

    type: Literal["done"]
    key: str


class MovesPreview(TypedDict):
    """What the seat would see, had it made the moves it asked about with this key."""

    type: Literal["foreseen"]
    key: str
    view: schemas.View


class ErrorMessage(TypedDict):
    """A command, the one with this key if it had any, was refused."""

    type: Literal["error"]
    key: NotRequired[str]
    error: Problem


class NewerPage(TypedDict):
    """The page is older than the server's files, which have this hash."""

    type: Literal["page"]
    hash: str


class Pong(TypedDict):
    """The answer to a ping: the connection is alive."""

    type: Literal["pong"]


class TablesMessage(TypedDict):
    """The tables of the lobby have changed."""

    type: Literal["tables"]
    open: list[TableInfo]
    live: list[TableInfo]
    mine: list[TableInfo]
    due: list[str]


FromServer = (  # what the sockets say
    TableMessage
    | ViewMessage
    | ClocksMessage
    | ChatPageMessage
    | ChatMessageAdded
    | CommandDone
    | MovesPreview
    | ErrorMessage
    | NewerPage
    | Pong
    | TablesMessage
)
