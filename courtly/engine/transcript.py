"""Records: finished or running games as text files, in JSON Lines. They hold the options, every move and event, and the
scores.

    {"courtly": 1, "game": "petition", "version": 1, "players": 2, "options": {…},
     "chance": {"commitment": …, "secret": …, …}, "seats": [names]}           (one line)
    {"ply": 0, "event": "start seat=1"}
    {"ply": 1, "seat": 1, "moves": ["roll"], "at": …}
    {"ply": 9, "seat": 1, "undo": 2}
    {"over": true, "scores": [120, 80]}

If the server had committed to a secret, each event lists the possible outcomes with their weights, so that a program
without the rules can repeat the draws: {"ply": 0, "event": "start seat=1", "of": {"start seat=0": 1, "start seat=1":
1}}. These draws are numbered by events if "chance" has "counted": "events", otherwise by entries of the journal.

The record of a game that was played on from a position of another game begins with the entries of that game. Its chance
has several sources, each but the first with the ply from which it gives the outcomes:
"chance": {"sources": [{"seed": 7}, {"from": 41, "commitment": …, "secret": …, …}]}.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from courtly.engine.constants import NOBODY
from courtly.engine.errors import CourtlyError
from courtly.engine.game import BoundsError, Game, UnknownGameError, find_game
from courtly.engine.match import Entry, JournalCorruptedError, Match
from courtly.engine.moves import Move, UnknownMoveError
from courtly.engine.rng import ChanceSource, CommittedChance, SeededChance, SimulatedChance, SuccessiveChance

RECORD_FORMAT = 1
BYTE_ORDER_MARK = "\ufeff"
MAX_PLY = 1 << 53  # JavaScript has no larger whole numbers
JSON_WHITESPACE = " \t\r"  # whitespace that JSON allows around a value, without the line feed


class InvalidRecordError(CourtlyError):
    """A record that is invalid. `line` is the first invalid line, counted from 1."""

    def __init__(self, line: int, reason: str):
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


def write_record(match: Match, **extra_keys: Any) -> str:
    """Return the game so far as JSON Lines.

    Args:
        match: The game.
        extra_keys: Additional keys of the first line, such as `seats` (the names of the players) or `table`.
    """
    return "".join(iter_record_lines(match, extra_keys))


def iter_record_lines(match: Match, extra_keys: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of that record, each with its line feed."""
    options = {f.name: getattr(match.state, f.name) for f in match.game.State.options if f.name != "players"}
    yield _json_line(
        {
            "courtly": RECORD_FORMAT,
            "game": match.game.id,
            "version": match.game.version,
            "players": match.players,
            "options": options,
            "chance": match.source.describe(),
            **extra_keys,
        }
    )
    chances = iter_outcomes(match) if isinstance(match.source, CommittedChance | SuccessiveChance) else None
    for _, together in groupby(match.entries, key=lambda e: e.batch):
        entries = list(together)
        possible_outcomes = [next(chances) for _ in entries] if chances else [[]]
        yield _json_line(_command_line(match, entries, possible_outcomes[0]))
    yield _json_line({"over": match.over, "scores": match.scores})


def _json_line(line: dict[str, Any]) -> str:
    return json.dumps(line, ensure_ascii=False) + "\n"


def iter_outcomes(match: Match) -> Iterator[list[tuple[Move, int]]]:
    """Yield, for each entry of the journal, the possible random events with their weights; an empty list for other
    entries."""
    replay = Match(match.game, match.players, match.options, match.source, start=False)
    for entry in match.entries:
        yield replay.outcomes() if entry.seat == NOBODY else []
        replay.follow(entry)


def _outcome_weights(match: Match, outcomes: list[tuple[Move, int]]) -> dict[str, int]:
    return {match.moves.words(move): weight for move, weight in outcomes}


def _command_line(match: Match, entries: list[Entry], possible_outcomes: list[tuple[Move, int]]) -> dict[str, Any]:
    ply, seat, move, at, _, undo = entries[0]
    line: dict[str, Any] = {"ply": ply}
    if undo:
        line |= {"seat": seat, "undo": undo}
    elif seat < 0:
        line["event"] = match.moves.words(move)
        if possible_outcomes:
            line["of"] = _outcome_weights(match, possible_outcomes)
    else:
        line |= {"seat": seat, "moves": [match.moves.words(e.move) for e in entries]}
    return line if at is None else line | {"at": at}


def check(text: str) -> Match:
    """Replay a record and check everything: the legality of moves and undos, every random outcome, and the scores.

    Raises InvalidRecordError, which names the first invalid line.
    """
    return deque(iter_checked(text), 1).pop()


def iter_checked(text: str) -> Iterator[Match]:
    """Yield the match of a record at each decision and at its end.

    A line is read only when the caller asks for the next match. Raises InvalidRecordError at the first invalid line.
    """
    lines = iter_numbered_lines(text)
    number, head = next(lines, (0, {}))
    if not number:
        raise InvalidRecordError(1, "the file is empty")
    game = _find_game(head, number)
    chance = _read_source(head.get("chance"), number)
    try:
        options = (game.replays(head["version"]) or {}) | (head.get("options") or {})
        match = Match(game, head.get("players") or 0, options, chance, start=False)  # Match checks these values
    except (ValueError, TypeError, AttributeError) as error:
        raise InvalidRecordError(number, str(error)) from None
    if not match.chance:
        yield match
    last: dict[str, Any] = {}
    for number, line in lines:
        if "over" in line and "ply" not in line:
            last = line
            break
        try:
            if "of" in line and line["of"] != _outcome_weights(match, match.outcomes()):
                raise InvalidRecordError(number, 'the rules give other possible events or weights than "of"')
            for entry in _read_entries(match, line):
                match.follow(entry, within_limit=True)
        except JournalCorruptedError as error:
            raise InvalidRecordError(number, error.reason) from None
        except (UnknownMoveError, KeyError, TypeError, ValueError, AttributeError, BoundsError) as error:
            raise InvalidRecordError(number, f"cannot be read: {error}") from None
        if not match.chance:
            yield match
    if last.get("over") is not match.over or last.get("scores") != match.scores:
        raise InvalidRecordError(
            number, f"the replay ends with over: {match.over}, scores: {match.scores}, but the record ends otherwise"
        )
    for number, _ in lines:
        raise InvalidRecordError(number, "follows the line that ends the record")
    yield match


def read_head(text: str) -> dict[str, Any]:
    """Return the first line of a record; {} if the record is empty. Raises InvalidRecordError if it is not JSON."""
    return next((line for _, line in iter_numbered_lines(text)), {})


def lacks_outcomes(text: str) -> bool:
    """Return True if a random event of the record does not list the possible outcomes."""
    return any("event" in line and "of" not in line for _, line in iter_numbered_lines(text))


def read_names(text: str, players: int) -> list[str]:
    """Return the names of the seats; "" for a seat without a name. This does not check the record."""
    names = read_head(text).get("seats")
    names = names if isinstance(names, list) else []
    return [name if isinstance(name, str) else "" for name in [*names, *[""] * players][:players]]


def iter_numbered_lines(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the lines of a record as JSON objects, with their numbers in the file, counted from 1.

    A byte order mark and blank lines are skipped. Only a line feed ends a line, because other separators may be part of
    a name. Raises InvalidRecordError at the first line that is not a JSON object.
    """
    start = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
    number, decode = 0, json.JSONDecoder(parse_constant=_refuse_constant).decode
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end].strip(JSON_WHITESPACE)
        start, number = end + 1, number + 1
        if not line:
            continue
        try:
            line_object = decode(line)
        except (ValueError, RecursionError):
            raise InvalidRecordError(number, "is not JSON") from None
        if not isinstance(line_object, dict):
            raise InvalidRecordError(number, "is not a JSON object")
        yield number, line_object


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")  # Python's parser accepts NaN and Infinity, browsers do not


def _find_game(head: dict[str, Any], number: int) -> Game:
    if head.get("courtly") != RECORD_FORMAT:
        raise InvalidRecordError(
            number, f'is not a record of format {RECORD_FORMAT}: "courtly" is {head.get("courtly")!r}'
        )
    try:
        game = find_game(str(head.get("game")))
    except UnknownGameError as error:
        raise InvalidRecordError(number, str(error)) from None
    if game.replays(head.get("version")) is None:
        raise InvalidRecordError(
            number, f"needs version {head.get('version')!r} of {game.id}, but version {game.version} is installed"
        )
    return game


def _read_source(chance: Any, number: int) -> ChanceSource:
    try:
        if "sources" in chance:
            return SuccessiveChance(
                [(_read_first_ply(part), _read_single_source(part, number)) for part in chance["sources"]]
            )
    except (TypeError, ValueError, AttributeError) as error:
        raise InvalidRecordError(number, f"the source of chance cannot be read: {error}") from None
    return _read_single_source(chance, number)


def _read_first_ply(part: dict[str, Any]) -> int:
    """Return the ply from which a source gives the outcomes."""
    ply = part.get("from", 0)
    if type(ply) not in (int, float) or abs(ply) >= MAX_PLY or ply % 1:
        raise ValueError(f'"from" is not a whole number: {ply!r}')
    return int(ply)


def _read_single_source(chance: Any, number: int) -> ChanceSource:
    try:
        if "game" in chance:
            return SimulatedChance(chance["seed"], chance["game"], chance["moves"])
        if "seed" in chance:
            return SeededChance(chance["seed"])
        secret = bytes.fromhex(chance["secret"])
        nonces = [str(nonce) for nonce in chance["nonces"]]
        source = CommittedChance(secret, str(chance["table"]), nonces, chance.get("counted", "entries"))
    except (TypeError, KeyError, ValueError) as error:
        raise InvalidRecordError(number, f"the source of chance cannot be read: {error}") from None
    if CommittedChance.commitment(secret) != chance.get("commitment"):
        raise InvalidRecordError(number, "the secret does not match the commitment")
    return source


def _read_entries(match: Match, line: dict[str, Any]) -> Iterable[Entry]:
    ply, at = line["ply"], line.get("at")
    if "undo" in line:
        return [Entry(ply, line["seat"], -1, at, ply, line["undo"])]
    if "event" in line:
        return [Entry(ply, -1, match.moves.read(line["event"]), at, ply, 0)]
    return (Entry(ply + i, line["seat"], match.moves.read(move), at, ply, 0) for i, move in enumerate(line["moves"]))
