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
from typing import TYPE_CHECKING, Any

from courtly.engine.game import NOBODY, BeyondBounds, Game, UnknownGame, find_game
from courtly.engine.moves import Move, UnknownMove
from courtly.engine.rng import Sealed, Seeded, Simulated, Source

if TYPE_CHECKING:
    from courtly.engine.match import Entry, Match

FORMAT = 1
BYTE_ORDER_MARK = "\ufeff"
BLANK = " \t\r"  # what JSON allows around a value, and no line feed


class BadRecord(Exception):
    """A record that is not in order. `line` is the first line that is wrong, counted from 1."""

    def __init__(self, line: int, why: str):
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


def write(match: Match, about: dict[str, Any]) -> str:
    """The record of a match. `about` is added to the first line."""
    return "".join(written(match, about))


def written(match: Match, about: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of that record, each with its end."""
    options = {f.name: getattr(match.state, f.name) for f in match.game.State.options if f.name != "players"}
    yield _text(
        {
            "courtly": FORMAT,
            "game": match.game.id,
            "version": match.game.version,
            "players": match.players,
            "options": options,
            "chance": match.source.describe(),
            **about,
        }
    )
    chances = possible(match) if isinstance(match.source, Sealed) else None
    for _, together in groupby(match.entries, key=lambda e: e.batch):
        entries = list(together)
        could = [next(chances) for _ in entries] if chances else [[]]
        yield _text(_line(match, entries, could[0]))
    yield _text({"over": match.over, "scores": match.scores})


def _text(line: dict[str, Any]) -> str:
    return json.dumps(line, ensure_ascii=False) + "\n"


def possible(match: Match) -> Iterator[list[tuple[Move, int]]]:
    """Yield for each entry of the journal what could have happened instead, each with its weight; nothing where it is
    no random event."""
    from courtly.engine.match import Match

    again = Match(match.game, match.players, match.options, match.source, start=False)
    for entry in match.entries:
        yield again.outcomes() if entry.seat == NOBODY else []
        again.follow(entry)


def _of(match: Match, outcomes: list[tuple[Move, int]]) -> dict[str, int]:
    return {match.moves.words(move): weight for move, weight in outcomes}


def _line(match: Match, entries: list[Entry], could: list[tuple[Move, int]]) -> dict[str, Any]:
    ply, seat, move, at, _, undo = entries[0]
    line: dict[str, Any] = {"ply": ply}
    if undo:
        line |= {"seat": seat, "undo": undo}
    elif seat < 0:
        line["event"] = match.moves.words(move)
        if could:
            line["of"] = _of(match, could)
    else:
        line |= {"seat": seat, "moves": [match.moves.words(e.move) for e in entries]}
    return line if at is None else line | {"at": at}


def check(text: str) -> Match:
    """Replay a record strictly: legality, the fairness of undo, every random outcome against what was committed to, and
    the scores.

    BadRecord names the first line that is wrong.
    """
    return deque(followed(text), 1).pop()


def followed(text: str) -> Iterator[Match]:
    """The match of a record, checked as it goes on, wherever somebody has to decide, and at its end. Each line is read
    when it is due, so the first that is wrong ends all."""
    from courtly.engine.match import Damaged, Match

    lines = numbered(text)
    number, head = next(lines, (0, {}))
    if not number:
        raise BadRecord(1, "the file is empty")
    game = _game(head, number)
    chance = _source(head.get("chance"), number)
    try:
        options = (game.replays(head["version"]) or {}) | (head.get("options") or {})
        match = Match(game, head.get("players") or 0, options, chance, start=False)  # checked there
    except (ValueError, TypeError, AttributeError) as wrong:
        raise BadRecord(number, str(wrong)) from None
    if not match.chance:
        yield match
    last: dict[str, Any] = {}
    for number, line in lines:
        if "over" in line and "ply" not in line:
            last = line
            break
        try:
            if "of" in line and line["of"] != _of(match, match.outcomes()):
                raise BadRecord(number, "by the rules something else could have happened, or as likely")
            for entry in _entries(match, line):
                match.follow(entry, within_limit=True)
        except Damaged as wrong:
            raise BadRecord(number, wrong.why) from None
        except (UnknownMove, KeyError, TypeError, ValueError, AttributeError, BeyondBounds) as wrong:
            raise BadRecord(number, f"cannot be read: {wrong}") from None
        if not match.chance:
            yield match
    if last.get("over") is not match.over or last.get("scores") != match.scores:
        raise BadRecord(number, f"the game gives over: {match.over}, scores: {match.scores}; the record ends otherwise")
    for number, _ in lines:
        raise BadRecord(number, "follows the line that ends the record")
    yield match


def head(text: str) -> dict[str, Any]:
    """What the first line of a record says. BadRecord if it cannot be read."""
    return next((line for _, line in numbered(text)), {})


def lacks_outcomes(text: str) -> bool:
    """True if some random event of a record does not say what could have happened."""
    return any("event" in line and "of" not in line for _, line in numbered(text))


def names(text: str, players: int) -> list[str]:
    """What the seats of a record are called, "" where it tells nothing. `check` looks at the rest."""
    told = head(text).get("seats")
    told = told if isinstance(told, list) else []
    return [name if isinstance(name, str) else "" for name in [*told, *[""] * players][:players]]


def numbered(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the lines of a record as JSON objects, with their numbers in the file, counted from 1.

    A byte order mark and blank lines are skipped. Only a line feed ends a line: other separators may be part of a name.
    BadRecord names the first line that is not a JSON object.
    """
    start = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
    number, decode = 0, json.JSONDecoder(parse_constant=_not_json).decode
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end].strip(BLANK)
        start, number = end + 1, number + 1
        if not line:
            continue
        try:
            found = decode(line)
        except (ValueError, RecursionError):
            raise BadRecord(number, "is not JSON") from None
        if not isinstance(found, dict):
            raise BadRecord(number, "is not a JSON object")
        yield number, found


def _not_json(name: str) -> None:
    raise ValueError(f"{name} is not JSON")  # Python reads NaN and Infinity, browsers do not


def _game(head: dict[str, Any], number: int) -> Game:
    if head.get("courtly") != FORMAT:
        raise BadRecord(number, f"is not a record of form {FORMAT}: its form is {head.get('courtly')!r}")
    try:
        game = find_game(str(head.get("game")))
    except UnknownGame as wrong:
        raise BadRecord(number, str(wrong)) from None
    if game.replays(head.get("version")) is None:
        raise BadRecord(
            number, f"was played by version {head.get('version')!r} of {game.id}; installed is version {game.version}"
        )
    return game


def _source(chance: Any, number: int) -> Source:
    try:
        if "game" in chance:
            return Simulated(chance["seed"], chance["game"], chance["moves"])
        if "seed" in chance:
            return Seeded(chance["seed"])
        secret = bytes.fromhex(chance["secret"])
        nonces = [str(nonce) for nonce in chance["nonces"]]
        source = Sealed(secret, str(chance["table"]), nonces, chance.get("counted", "entries"))
    except (TypeError, KeyError, ValueError) as wrong:
        raise BadRecord(number, f"the source of chance cannot be read: {wrong}") from None
    if Sealed.commitment(secret) != chance.get("commitment"):
        raise BadRecord(number, "the secret is not the one that was committed to")
    return source


def _entries(match: Match, line: dict[str, Any]) -> Iterable[Entry]:
    from courtly.engine.match import Entry

    ply, at = line["ply"], line.get("at")
    if "undo" in line:
        return [Entry(ply, line["seat"], -1, at, ply, line["undo"])]
    if "event" in line:
        return [Entry(ply, -1, match.moves.read(line["event"]), at, ply, 0)]
    return (Entry(ply + i, line["seat"], match.moves.read(move), at, ply, 0) for i, move in enumerate(line["moves"]))
