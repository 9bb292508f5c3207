"""The inspector of `courtly serve --dev`: a game at any point, with all hidden fields, for requests from this machine.

The server stores nothing: each request contains the start of the game and all moves since, and the server replays them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from pydantic import Field
from starlette.responses import Response
from starlette.routing import Route
from typing_extensions import TypedDict

from courtly.engine import schemas
from courtly.engine.constants import CHANCE, MAX_SEATS, NOBODY
from courtly.engine.game import Game
from courtly.engine.match import Match
from courtly.engine.moves import UnknownMoveError
from courtly.engine.position import Audience, CommandRefusedError
from courtly.engine.rng import SeededChance, make_generator
from courtly.engine.scenarios.files import find_test_folder, read_scenario
from courtly.engine.scenarios.scenario import ScenarioError
from courtly.engine.state import Field as Declared
from courtly.engine.state import StateBase
from courtly.server.actions.seating import find_known_game
from courtly.server.http.dependencies import client_address
from courtly.server.http.routes.pages import app_page
from courtly.server.schemas.requests import RequestModel, SeatNumber, ShortText
from courtly.session.detached_table import make_detached_table
from courtly.session.schemas import TableInfo

DoneMoves = list[Annotated[list[int], Field(min_length=2, max_length=2)]]


class InspectRequest(RequestModel):
    """A request for a point of a game. Moves are pairs of a seat and a move; seat -1 is chance.

    Attributes:
        scenario: The scenario at which the game begins; empty: it begins with `players`, `options` and `seed`.
        done: The moves so far.
        moves: The moves to make now.
        draw: Draw random events until a seat has to decide.
        seat: The audience of the view; None: spectators.
        follow: Show the view of a seat that has to decide instead of `seat`.
        preview_moves: Moves whose outcome to preview.
    """

    scenario: ShortText = ""
    players: int | None = None
    options: dict[ShortText, int] = {}
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0
    done: DoneMoves = []
    moves: DoneMoves = []
    draw: bool = False
    seat: SeatNumber | None = None
    follow: bool = False
    preview_moves: list[int] = []


class FieldRow(TypedDict):
    """A field of the state, or one of its rows. `seen`: whether the audience of the view sees it."""

    field: str
    of: str
    text: str
    seen: bool
    changed: bool


class SeatChoices(TypedDict):
    """A seat that has to decide, and its legal moves. Seat -1 is chance; its outcomes have weights."""

    seat: int
    moves: list[schemas.Move]
    weights: list[int]


class GamePoint(TypedDict):
    """A game at a point: the messages of a table and the complete state. `steps`: the moves of the scenario."""

    done: DoneMoves
    steps: DoneMoves
    table: TableInfo
    view: schemas.View
    preview: schemas.View | None
    rows: list[FieldRow]
    choices: list[SeatChoices]


def require_local(request: Request) -> None:
    """Raise CommandRefusedError unless the request comes from this machine."""
    client_ip = ip_address(client_address(request) or "0.0.0.0")
    if not (getattr(client_ip, "ipv4_mapped", None) or client_ip).is_loopback:
        raise CommandRefusedError("error-unknown-page")


inspector = APIRouter(prefix="/api/dev", dependencies=[Depends(require_local)])


@inspector.get("/{name}")
def scenarios(name: str) -> list[dict[str, str]]:
    """Return the file and the title of each scenario of a game."""
    return [{"file": path.stem, "title": _title(path)} for path in _scenarios(find_known_game(name))]


@inspector.post("/{name}")
def inspect_point(name: str, body: InspectRequest) -> GamePoint:
    """Return a game at a point.

    Moves in `done` from the first one on that is no longer legal, because the rules were changed, are left out.
    """
    game = find_known_game(name)
    match, steps = _start_match(game, body)
    before = match.state
    for seat, move in body.done:
        if move not in match.legal(seat):
            break
        before = match.state.copy()
        match.apply(seat, move)
    before = match.state.copy() if body.moves or body.draw and match.chance else before
    for seat, move in body.moves:
        if move not in match.legal(seat):
            raise CommandRefusedError("error-illegal", move=match.moves.decode(move).as_json())
        match.apply(seat, move)
    while body.draw and match.chance:
        match.happen(make_generator(body.seed, len(match.entries)))
    viewpoint = body.seat if body.seat is None or body.seat < match.players else 0
    if body.follow and match.pending and viewpoint not in match.pending:
        viewpoint = match.pending[0]
    return {
        "done": [[entry.seat, entry.move] for entry in match.entries],
        "steps": steps,
        "table": make_detached_table(match, [""] * match.players, viewpoint),
        "view": {**match.view(viewpoint, 0), "undo": False},
        "preview": None
        if not body.preview_moves or viewpoint is None
        else match.preview(viewpoint, body.preview_moves),
        "rows": [row for field in match.state.stored for row in _rows(field, match.state, before, viewpoint)],
        "choices": list(_choices(match)),
    }


# --- start of a game --------------------------------------------------------------------------------------------------


def _scenarios(game: Game) -> list[Path]:
    folder = find_test_folder(game)
    return sorted(folder.glob("*.toml")) if folder else []


def _title(path: Path) -> str:
    try:
        return str(tomllib.loads(path.read_text(encoding="utf-8")).get("title", path.stem))
    except tomllib.TOMLDecodeError:
        return path.stem


def _start_match(game: Game, body: InspectRequest) -> tuple[Match, DoneMoves]:
    """Return the match at its start, and the moves of its scenario.

    Raises CommandRefusedError if the scenario, the players or the options are invalid.
    """
    state, steps = None, list[list[int]]()
    try:
        if body.scenario:
            state, steps = _load_scenario(game, body.scenario)
        players = state.players if state else body.players
        options = {name: getattr(state, name) for name in game.options} if state else body.options
        return Match(game, players, options, SeededChance(body.seed), start=False, state=state), steps
    except ValueError as error:
        raise CommandRefusedError("error-options", why=str(error)) from None


def _load_scenario(game: Game, name: str) -> tuple[StateBase, DoneMoves]:
    """Return state and moves of a scenario. Raises ValueError if it does not exist or is invalid."""
    for path in _scenarios(game):
        if path.stem == name:
            try:
                scenario = read_scenario(game, path)
                return scenario.state, [[seat, move] for seat, move in scenario.moves_in_order()]
            except (ScenarioError, UnknownMoveError) as error:
                raise ValueError(str(error)) from None
    raise ValueError(f"there is no scenario {name}")


# --- description of a point -------------------------------------------------------------------------------------------


def _choices(match: Match) -> Iterator[SeatChoices]:
    if match.chance:
        outcomes = match.outcomes()
        moves = [move.as_json() for move, _ in outcomes]
        yield {"seat": NOBODY, "moves": moves, "weights": [weight for _, weight in outcomes]}
    for seat in match.pending:
        yield {"seat": seat, "moves": [move.as_json() for move in match.legal(seat)], "weights": []}


def _rows(field: Declared, state: StateBase, before: StateBase, seat: Audience) -> Iterator[FieldRow]:
    new_values, old_values = getattr(state, field.name), getattr(before, field.name)
    if len(field.shape) < 2 and field.visible != "private":
        public = field.visible == "public"
        yield _row(field, "", _value_text(field, new_values, field.axes), new_values != old_values, public)
        return
    axis = field.axes[0]
    for n, (row, row_before) in enumerate(zip(new_values, old_values, strict=True)):
        is_visible = field.visible == "public" or field.visible == "private" and n == seat
        of = str(n if isinstance(axis, int) else axis[n])
        yield _row(field, of, _value_text(field, row, field.axes[1:]), row != row_before, is_visible)


def _row(field: Declared, of: str, text: str, changed: bool, is_visible: bool) -> FieldRow:
    return {"field": field.name, "of": of, "text": text, "seen": is_visible, "changed": changed}


def _value_text(field: Declared, value: Any, axes: tuple[Any, ...]) -> str:
    """Return a value of a field as text, with the declared names of numbers and indices."""
    if not axes:
        if field.name == "pending":
            return "chance" if value == CHANCE else ", ".join(str(n) for n in range(MAX_SEATS) if value >> n & 1) or "–"
        return f"{field.names[value]} ({value})" if 0 <= value < len(field.names) else str(value)
    inner = [_value_text(field, element, axes[1:]) for element in value]
    if isinstance(axes[0], int):
        return " ".join(inner)
    return (
        ", ".join(f"{name} {text}" for name, element, text in zip(axes[0], value, inner, strict=True) if element) or "–"
    )


async def inspector_page(request: Request) -> Response:
    """Return the app page for the inspector of a game."""
    require_local(request)
    find_known_game(request.path_params["name"])
    return await app_page(request)


INSPECTOR_ROUTES = [Route("/dev/{name}", inspector_page)]
