"""The JSON that the server sends, as typed dicts, in addition to that of the engine. requests.py has what clients send.

tools/shapes.py generates `web/core/api-types.js` from them, and `/openapi.json` includes them. Keys stand in the order
in which they are transmitted.
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
    """The bot that plays instead of another one, and why: the other bot is not compiled yet, machine code is not
    installed, or the bot is broken."""

    bot: str
    reason: ReviewObstacle


class BotLevel(TypedDict):
    """A bot that players can choose. `ready`: it can play here; else it needs machine code. `wins`: by the number of
    players, the measured share of games that one of them wins against squires."""

    name: str
    ready: bool
    wins: dict[str, float]


class GameBrief(schemas.GameOutline):
    """The same as GameInfo, without the details that only a table needs."""

    bots: list[BotLevel]
    help_available: bool


class GameInfo(schemas.GameInfo):
    """What is known about a game before play starts, and the bots that can play it, weakest first. `help_available`:
    players can get hints, from the server or from their browsers."""

    bots: list[BotLevel]
    help_available: bool


class OfflineGame(TypedDict):
    """A game that can be played without a server. `titles`: its title in each language. `board_files`: the files of its
    board, from the folder of all files, which a page can load before it needs them."""

    id: str
    lesson: bool
    titles: dict[str, str]
    board_files: list[str]


class Me(TypedDict):
    """The guest who sent the request."""

    id: str
    name: str


class NotificationSettings(TypedDict):
    """How the server notifies me when it is my turn, and the `channels` that it supports: email and webhook.
    `email_confirmed`: the owner of the address has confirmed it. `webhook_format`: the format of its messages.
    `webhook_disabled`: the webhook failed so often that it is switched off."""

    channels: list[str]
    email: str | None
    email_confirmed: bool
    webhook: str | None
    webhook_format: str
    webhook_disabled: bool


class MailLink(TypedDict):
    """What a link in a mail does: confirm the address, or stop the mails."""

    action: str
    email: str


class RunningGame(TypedDict):
    """A table of mine that is not over. `pending`: the seats that must move, `waiting_since` when (milliseconds since
    1970). `due`: I must move."""

    table: TableInfo
    pending: list[int]
    waiting_since: int
    due: bool


class SeatPlace(TypedDict):
    """A seat of a finished game. `place`: 1 is the first, equal scores share one. `points`: as the game counts them.
    Both are null if they are unknown."""

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
    ended_at: str
    seats: list[SeatPlace]
    rematch_id: str | None


class GameTally(TypedDict):
    """The statistics of my finished games of a kind: how many I won, and my mean points. `people`: other players than
    bots took part."""

    game: str
    players: int
    people: bool
    played: int
    won: int
    points: float | None


class MyGames(TypedDict):
    """My games. `after`: the key of the next page of finished games. `units`: by game, the name of its points, if it
    has one."""

    running: list[RunningGame]
    finished: list[FinishedGame]
    after: str | None
    tallies: list[GameTally]
    units: dict[str, str]


class IdentityLink(TypedDict):
    """The owner of a link that moves an identity to another device. `games_left_behind`: the unfinished games of this
    browser that would be left behind. `you`: it is my own identity already."""

    name: str
    games: int
    games_left_behind: int
    you: bool


class OneTimeLink(TypedDict):
    """A link that can be used once."""

    path: str


class SeatTicket(OneTimeLink):
    """A link that moves a seat. `reclaim_token`: the token by which its maker can take the seat back."""

    reclaim_token: str


class SeatLink(TypedDict):
    """The seat that a link moves. `you`: it is mine already."""

    table: str
    name: str
    you: bool


class Problem(TypedDict):
    """A message id, and its parameters."""

    id: str
    args: Args


class Refusal(TypedDict):
    """The reason why a request was refused. Nothing was changed."""

    error: Problem


class Seat(TypedDict):
    """A seat of a table. `grace_seconds`: the seconds in which its absent player may come back. `votes`: the number
    of votes for a substitute. `replacement`: the bot that plays if the seat's own bot cannot. `help_consent`: its
    player agrees to hints at this table. `pledge`: the SHA-256 of its number; empty if it is not sent yet, null if its
    client sends none. `colour`: no other seat has it."""

    seat: int
    kind: Kind
    name: str
    bot: str | None
    you: bool
    connected: bool
    grace_seconds: int
    substitute: str | None
    votes: int
    replacement: Replacement | None
    help_consent: bool
    pledge: str | None
    colour: SeatColor


class LiveClock(TypedDict):
    """The minutes of each player's bank, and the free seconds of each decision."""

    minutes: int
    seconds: int


class DaysClock(TypedDict):
    """The days for a turn."""

    days: int


Clock = LiveClock | DaysClock


class SeatClock(TypedDict):
    """The remaining bank and the remaining free time of this decision, in ms. `runs`: the seat must move. `timeouts`:
    the number of its consecutive timeouts."""

    bank: int
    free: int
    runs: bool
    timeouts: int


class Clocks(TypedDict):
    """All clocks at the moment `now`, in ms since 1970. A seat that a bot plays has none."""

    now: int
    seats: list[SeatClock | None]


class ReviewProgress(TypedDict):
    """The analysis of a finished game. "none": it can be requested. "impossible": it needs machine code. "working":
    `judged` of `total` decisions are judged; `total` is 0 while it waits, and `ahead` is the number of other reviews
    before it. "failed": it could not be made. "ready": it can be read."""

    state: Literal["none", "impossible", "working", "failed", "ready"]
    judged: int
    total: int
    ahead: int


class TableInfo(TypedDict):
    """A table as one guest sees it. `clock`: the agreed terms. `clocks`: the remaining times, while it is played.
    `help`: whether hints are available ("on" if all players have agreed; "missing" if nothing can compute them).
    `chat_muted`: the host has muted the chat. `redraws`: how often the secret and all numbers were replaced before the
    start. `review`: null before the end. `problem`: why a game that has begun cannot be continued."""

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
    chat_muted: bool
    seats: list[Seat]
    commitment: str
    redraws: int
    secret: str | None
    nonces: list[str]
    rematch_id: str | None
    review: ReviewProgress | None
    problem: Problem | None
    created_at: str


class Tables(TypedDict):
    """The lobby: tables that wait for players, tables that others play at, and mine. `due`: those of mine where I must
    move."""

    open: list[TableInfo]
    live: list[TableInfo]
    mine: list[TableInfo]
    due: list[str]


class RandomEvent(TypedDict):
    """A random event, and all events that were possible, with weights. `draw`: the number of its draw, which is that of
    the event, or its ply at tables opened by older versions."""

    ply: int
    draw: int
    move: int
    moves: list[int]
    weights: list[int]


class ReplayMoment(TypedDict):
    """A view in a replay: the differences from the previous one, in `state` and `facts` by key. `ply`: the length of
    the journal, once the game is over."""

    ply: int | None
    changed: dict[str, Any]


class Replay(TypedDict):
    """All views and cues of one viewpoint. `table`: for a record that a guest has uploaded."""

    cues: list[schemas.Cue]
    moments: list[ReplayMoment]
    table: NotRequired[TableInfo]


class ChatMessage(TypedDict):
    """A chat message, and `sent_at` (milliseconds since 1970, unique at the table). `seat`: null for spectators.
    `author`: a pseudonym by which this reader can recognize the sender at every table. `canned_message`: a canned
    message, which the page translates; else `text` is set."""

    sent_at: int
    seat: int | None
    name: str
    author: str
    you: bool
    canned_message: CannedMessage | None
    text: str | None


class ChatPage(TypedDict):
    """The newest chat messages, or the newest before a time, oldest first. `more`: there are older ones."""

    messages: list[ChatMessage]
    more: bool


class LessonStep(TypedDict):
    """A step of a lesson. `done`: the moves made in each step up to this one. `steps`: the number of steps.
    `position_step`: the step that gave the position. `text_key`: the key of its text. `highlights`: the keys of the
    highlighted elements. `expects_move`: the step asks for a move. `off_script`: the learner has made other moves than
    the lesson asks for. `suggested_move`: the move that the text suggests. `table`, `view`, `preview`: as at a
    table."""

    done: list[list[int]]
    steps: int
    position_step: int
    text_key: str
    highlights: list[str]
    expects_move: bool
    off_script: bool
    suggested_move: schemas.Move | None
    table: TableInfo
    view: schemas.View
    preview: schemas.View | None


class TableMessage(TypedDict):
    """The description of the table has changed."""

    type: Literal["table"]
    table: TableInfo


class ViewMessage(TypedDict):
    """The view of one of this client's audiences has changed."""

    type: Literal["view"]
    view: schemas.View


class ClocksMessage(TypedDict):
    """The times of the clocks, after time began to run for other seats."""

    type: Literal["clocks"]
    clocks: Clocks


class ChatPageMessage(TypedDict):
    """The newest chat messages, which replace all earlier ones."""

    type: Literal["chat_page"]
    messages: list[ChatMessage]
    more: bool


class ChatMessageAdded(TypedDict):
    """A new chat message."""

    type: Literal["chat_message"]
    message: ChatMessage


class CommandDone(TypedDict):
    """The command with this key is stored."""

    type: Literal["done"]
    key: str


class MovesPreview(TypedDict):
    """The view that the seat would have after the moves of the request with this key."""

    type: Literal["preview"]
    key: str
    view: schemas.View


class ErrorMessage(TypedDict):
    """A command was refused: the one with this key, if it had any."""

    type: Literal["error"]
    key: NotRequired[str]
    error: Problem


class NewerPage(TypedDict):
    """The page is older than the server's files, which have this hash."""

    type: Literal["page"]
    hash: str


class Pong(TypedDict):
    """The answer to a ping, which shows that the connection is alive."""

    type: Literal["pong"]


class TablesMessage(TypedDict):
    """The tables of the lobby have changed."""

    type: Literal["tables"]
    open: list[TableInfo]
    live: list[TableInfo]
    mine: list[TableInfo]
    due: list[str]


FromServer = (  # all messages that the server sends by WebSocket
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
