"""The record of a game as a text file, JSON Lines: what was agreed, every move and event, the scores.

{"courtly": 1, "game": "petition", "version": 1, "players": 2, "options": {…}, "chance": {"commitment": …, "secret":
…, …}, "seats": [names]} {"ply": 0, "event": "start seat=1"} {"ply": 1, "seat": 1, "moves": ["roll"], "at": …}
{"ply": 9, "seat": 1, "undo": 2} {"over": true, "scores": [120, 80]}

Where the server had promised its secret, each event says what could have happened, with weights, so that whoever knows
no rules can draw again: {"ply": 0, "event": "start seat=1", "of": {"start seat=0": 1, "start seat=1": 1}}. Such draws
are numbered by events, "counted": "events" in "chance"; where that is missing, by entries of the journal.
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
from courtly.engine.rng import ChanceSource, CommittedChance, SeededChance, SimulatedChance

RECORD_FORMAT = 1
BYTE_ORDER_MARK = "\ufeff"
JSON_WHITESPACE = " \t\r"  # what JSON allows around a value, and no line feed


class InvalidRecordError(CourtlyError):
    """A record that is not in order. `line` is the first line that is wrong, counted from 1."""

    def __init__(self, line: int, why: str):
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


def write_record(match: Match, **about: Any) -> str:
    """Return the game so far as JSON Lines.

    Args:
        match: The game.
        about: What is added to the first line, such as `seats`, their names, or `table`.
    """
    return "".join(iter_record_lines(match, about))


def iter_record_lines(match: Match, about: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of that record, each with its end."""
    options = {f.name: getattr(match.state, f.name) for f in match.game.State.options if f.name != "players"}
    yield _json_line(
        {
            "courtly": RECORD_FORMAT,
            "game": match.game.id,
            "version": match.game.version,
            "players": match.players,
            "options": options,
            "chance": match.source.describe(),
            **about,
        }
    )
    chances = iter_outcomes(match) if isinstance(match.source, CommittedChance) else None
    for _, together in groupby(match.entries, key=lambda e: e.batch):
        entries = list(together)
        could = [next(chances) for _ in entries] if chances else [[]]
        yield _json_line(_command_line(match, entries, could[0]))
    yield _json_line({"over": match.over, "scores": match.scores})


def _json_line(line: dict[str, Any]) -> str:
    return json.dumps(line, ensure_ascii=False) + "\n"


def iter_outcomes(match: Match) -> Iterator[list[tuple[Move, int]]]:
    """Yield for each entry of the journal what could have happened instead, each with its weight; nothing where it is
    no random event."""
    again = Match(match.game, match.players, match.options, match.source, start=False)
    for entry in match.entries:
        yield again.outcomes() if entry.seat == NOBODY else []
        again.follow(entry)


def _outcome_weights(match: Match, outcomes: list[tuple[Move, int]]) -> dict[str, int]:
    return {match.moves.words(move): weight for move, weight in outcomes}


def _command_line(match: Match, entries: list[Entry], could: list[tuple[Move, int]]) -> dict[str, Any]:
    ply, seat, move, at, _, undo = entries[0]
    line: dict[str, Any] = {"ply": ply}
    if undo:
        line |= {"seat": seat, "undo": undo}
    elif seat < 0:
        line["event"] = match.moves.words(move)
        if could:
            line["of"] = _outcome_weights(match, could)
    else:
        line |= {"seat": seat, "moves": [match.moves.words(e.move) for e in entries]}
    return line if at is None else line | {"at": at}


def check(text: str) -> Match:
    """Replay a record strictly: legality, the fairness of undo, every random outcome against what was committed to, and
    the scores.

    InvalidRecordError names the first line that is wrong.
    """
    return deque(iter_checked(text), 1).pop()


def iter_checked(text: str) -> Iterator[Match]:
    """The match of a record, checked as it goes on, wherever somebody has to decide, and at its end. Each line is read
    when it is due, so the first that is wrong ends all."""
    lines = iter_numbered_lines(text)
    number, head = next(lines, (0, {}))
    if not number:
        raise InvalidRecordError(1, "the file is empty")
    game = _find_game(head, number)
    chance = _read_source(head.get("chance"), number)
    try:
        options = (game.replays(head["version"]) or {}) | (head.get("options") or {})
        match = Match(game, head.get("players") or 0, options, chance, start=False)  # checked there
    except (ValueError, TypeError, AttributeError) as wrong:
        raise InvalidRecordError(number, str(wrong)) from None
    if not match.chance:
        yield match
    last: dict[str, Any] = {}
    for number, line in lines:
        if "over" in line and "ply" not in line:
            last = line
            break
        try:
            if "of" in line and line["of"] != _outcome_weights(match, match.outcomes()):
                raise InvalidRecordError(number, "by the rules something else could have happened, or as likely")
            for entry in _read_entries(match, line):
                match.follow(entry, within_limit=True)
        except JournalCorruptedError as wrong:
            raise InvalidRecordError(number, wrong.why) from None
        except (UnknownMoveError, KeyError, TypeError, ValueError, AttributeError, BoundsError) as wrong:
            raise InvalidRecordError(number, f"cannot be read: {wrong}") from None
        if not match.chance:
            yield match
    if last.get("over") is not match.over or last.get("scores") != match.scores:
        raise InvalidRecordError(
            number, f"the game gives over: {match.over}, scores: {match.scores}; the record ends otherwise"
        )
    for number, _ in lines:
        raise InvalidRecordError(number, "follows the line that ends the record")
    yield match


def read_head(text: str) -> dict[str, Any]:
    """What the first line of a record says. InvalidRecordError if it cannot be read."""
    return next((line for _, line in iter_numbered_lines(text)), {})


def lacks_outcomes(text: str) -> bool:
    """True if some random event of a record does not say what could have happened."""
    return any("event" in line and "of" not in line for _, line in iter_numbered_lines(text))


def read_names(text: str, players: int) -> list[str]:
    """What the seats of a record are called, "" where it tells nothing. `check` looks at the rest."""
    told = read_head(text).get("seats")
    told = told if isinstance(told, list) else []
    return [name if isinstance(name, str) else "" for name in [*told, *[""] * players][:players]]


def iter_numbered_lines(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the lines of a record as JSON objects, with their numbers in the file, counted from 1.

    A byte order mark and blank lines are skipped. Only a line feed ends a line: other separators may be part of a name.
    InvalidRecordError names the first line that is not a JSON object.
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
            found = decode(line)
        except (ValueError, RecursionError):
            raise InvalidRecordError(number, "is not JSON") from None
        if not isinstance(found, dict):
            raise InvalidRecordError(number, "is not a JSON object")
        yield number, found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")  # Python reads NaN and Infinity, browsers do not


def _find_game(head: dict[str, Any], number: int) -> Game:
    if head.get("courtly") != RECORD_FORMAT:
        raise InvalidRecordError(
            number, f"is not a record of form {RECORD_FORMAT}: its form is {head.get('courtly')!r}"
        )
    try:
        game = find_game(str(head.get("game")))
    except UnknownGameError as wrong:
        raise InvalidRecordError(number, str(wrong)) from None
    if game.replays(head.get("version")) is None:
        raise InvalidRecordError(
            number, f"was played by version {head.get('version')!r} of {game.id}; installed is version {game.version}"
        )
    return game


def _read_source(chance: Any, number: int) -> ChanceSource:
    try:
        if "game" in chance:
            return SimulatedChance(chance["seed"], chance["game"], chance["moves"])
        if "seed" in chance:
            return SeededChance(chance["seed"])
        secret = bytes.fromhex(chance["secret"])
        nonces = [str(nonce) for nonce in chance["nonces"]]
        source = CommittedChance(secret, str(chance["table"]), nonces, chance.get("counted", "entries"))
    except (TypeError, KeyError, ValueError) as wrong:
        raise InvalidRecordError(number, f"the source of chance cannot be read: {wrong}") from None
    if CommittedChance.commitment(secret) != chance.get("commitment"):
        raise InvalidRecordError(number, "the secret is not the one that was committed to")
    return source


def _read_entries(match: Match, line: dict[str, Any]) -> Iterable[Entry]:
    ply, at = line["ply"], line.get("at")
    if "undo" in line:
        return [Entry(ply, line["seat"], -1, at, ply, line["undo"])]
    if "event" in line:
        return [Entry(ply, -1, match.moves.read(line["event"]), at, ply, 0)]
    return (Entry(ply + i, line["seat"], match.moves.read(move), at, ply, 0) for i, move in enumerate(line["moves"]))
