"""Games played back: every view that one audience was shown, from the journal of a table or from a record that somebody
brings. What was taken back is left out.

Nothing but what an audience was told decides which of its views are kept: so, while a game is played, a seat learns
nothing here that it was not shown.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Iterator
from itertools import groupby
from typing import Any, Literal, NamedTuple, cast

from courtly.engine import transcript
from courtly.engine.game import MOST_SEATS, NOBODY, UnknownGame, find_game
from courtly.engine.match import Match
from courtly.engine.position import Refused
from courtly.engine.shapes import Cue, Glance
from courtly.server import shapes
from courtly.server.identity import clean_name
from courtly.server.limits import Bucket
from courtly.server.nowhere import nowhere
from courtly.server.settings import Settings
from courtly.server.statics import File, pack
from courtly.server.tables import Table

Eyes = int | None | Literal["all"]  # a seat, a spectator, or everything open
SLICE = 0.002  # seconds of work between which others come in
MOST = 20.0  # seconds of work for a record that somebody brings
KEPT = 64  # finished games that are at hand


class Told(NamedTuple):
    """What has just been shown. `standing`: how many of the cues stand."""

    ply: int
    standing: int
    view: dict[str, Any]


class Past:
    """What these eyes have seen of a match, gathered while it is followed. `match`: as it was followed last."""

    match: Match

    def __init__(self, eyes: Eyes):
        self.eyes = eyes
        self.cues: list[Cue] = []
        self.told: list[Told] = []
        self._standing: list[Cue] = []
        self._entries = 0

    def look(self, match: Match) -> None:
        """Where somebody has to decide, or the game is over: this was shown, if there was anything to notice."""
        self.match, fresh = match, self._fresh(match)
        if self.told and not fresh:
            return
        for cue in fresh:
            if cue["verb"] == "undo":
                self._take_back(cue)
            else:
                self._standing.append(cue)
        self.cues += fresh
        told = Told(len(match.entries), len(self._standing), self._view(match))
        if self.told and self.told[-1].standing == told.standing:
            self.told.pop()
        self.told.append(told)

    def _fresh(self, match: Match) -> list[Cue]:
        if self.eyes != "all":
            return match.cues(self.eyes, len(self.cues))
        entries, fresh = match.entries[self._entries :], list[Cue]()
        audiences = iter(match.audiences(sum(not entry.undo for entry in entries)))
        for ply, seat, move, _, _, undo in entries:
            if undo:
                fresh.append({"n": ply, "seat": seat, "verb": "undo", "args": {"count": undo}})
                continue
            named, audience = match.moves.decode(move), next(audiences)
            cue: Cue = {"n": ply, "seat": seat, "verb": named.verb, "args": dict(named.args)}
            told = [other for other in range(match.players) if audience >= 0 and audience >> other & 1]
            if seat == NOBODY and len(told) == 1:
                cue["to"] = told[0]
            fresh.append(cue)
        self._entries = len(match.entries)
        return fresh

    def _take_back(self, undo: Cue) -> None:
        count = (undo["args"] or {})["count"]
        gone = [cue["n"] for cue in self._standing if cue["seat"] == undo["seat"]][-count:]
        self._standing = [cue for cue in self._standing if cue["n"] not in gone]
        while self.told and self.told[-1].view["seq"] > gone[0]:
            self.told.pop()

    def _view(self, match: Match) -> dict[str, Any]:
        """As `Match.view`, without what can be done: that is past."""
        seat = None if self.eyes == "all" else self.eyes
        state = match.state.view(seat, laid_open=self.eyes == "all")
        view = {
            "seat": seat,
            "state": state,
            "pending": list(match.pending),
            "legal": [],
            "seq": len(self.cues),
            "undo": False,
            "over": match.over,
            "scores": match.scores,
            "cues": [],
        }
        facts = match.game.facts(cast("Glance", view))
        return view if facts is None else {**view, "facts": facts}

    def answer(self, numbered: bool) -> shapes.Replay:
        """`numbered`: with the places in the journal, which tell of what nobody else has noticed."""
        moments: list[shapes.Moment] = []
        before: dict[str, Any] = {}
        for told in self.told:
            moment: shapes.Moment = {"ply": told.ply if numbered else None, "changed": _changes(before, told.view)}
            if gone := list(before.get("facts", {}).keys() - told.view.get("facts", {}).keys()):
                moment["gone"] = sorted(gone)
            moments.append(moment)
            before = told.view
        return {"cues": self.cues, "moments": moments}


def _changes(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """What is otherwise than before; of the state and the facts, name by name."""
    changed = {name: value for name, value in now.items() if name not in before or before[name] != value}
    for name in {"state", "facts"} & changed.keys() & before.keys():
        old = before[name]
        changed[name] = {key: value for key, value in changed[name].items() if key not in old or old[key] != value}
    return changed


def played(past: Match) -> Iterator[Match]:
    """A match, played once more, at each of its decisions."""
    match = Match(past.game, past.players, past.options, past.source, start=False)
    if not match.chance:
        yield match
    for _, entries in groupby(past.entries, key=lambda entry: entry.batch):
        for entry in entries:
            match.follow(entry)
        if not match.chance:
            yield match


class Replays:
    """Made a little at a time, so that nobody's move waits for it. Those of finished games are kept."""

    def __init__(self, settings: Settings):
        self._asked = Bucket(settings.commands_per_second / 10, settings.commands_per_second)
        self._kept: OrderedDict[tuple[str, Eyes], File] = OrderedDict()
        self._tables, self._records = asyncio.Semaphore(1), asyncio.Semaphore(1)  # nobody's record keeps tables waiting

    async def of_table(self, table: Table, guest: str | None, asking: str, eyes: Eyes) -> File:
        """What these eyes saw at a table. Refused before the end, unless they are the guest's own or a spectator's.
        `asking`: whose patience is taken."""
        match = table.playing()  # a move makes another one, so this does not change
        if not match.over and eyes == "all":
            raise Refused("error-not-over")
        if not match.over and isinstance(eyes, int):
            table.own(guest, eyes)
        _check_seat(eyes, match.players)
        known = self._kept.get((table.row.id, eyes))
        if known:
            return known
        self._take(asking)
        past = await self._follow(played(match), Past(eyes), self._tables)
        if not match.over:  # compressed, its length would tell of what it holds
            return File("application/json", _text(past.answer(False)), None)
        made = self._kept[table.row.id, eyes] = pack("application/json", _text(past.answer(True)))
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return made

    async def of_record(self, text: str, asking: str, eyes: Eyes) -> File:
        """What these eyes saw in the game of a record. Refused, with the first wrong line, if it is not in order."""
        self._take(asking)
        try:
            players = _players(text)
            _check_seat(eyes, players)
            past = await self._follow(transcript.followed(text), Past(eyes), self._records)
        except transcript.BadRecord as wrong:
            raise Refused("error-record", line=wrong.line, why=_whole(wrong.why)) from None
        names = [_name(name) for name in transcript.names(text, players)]
        return pack("application/json", _text({**past.answer(True), "table": nowhere(past.match, names)}))

    def _take(self, guest: str) -> None:
        if not self._asked.take(guest):
            raise Refused("error-too-fast")

    async def _follow(self, steps: Iterator[Match], past: Past, one: asyncio.Semaphore) -> Past:
        """To the end, with pauses. Refused if that takes too long."""
        async with one:
            worked, began = 0.0, time.monotonic()
            for match in steps:
                past.look(match)
                if (spent := time.monotonic() - began) > SLICE:
                    worked += spent
                    if worked > MOST:
                        raise Refused("error-too-large", limit=MOST)
                    await asyncio.sleep(0)
                    began = time.monotonic()
        return past


def _check_seat(eyes: Eyes, players: int) -> None:
    if isinstance(eyes, int) and not 0 <= eyes < players:
        raise Refused("error-unknown-seat", seat=eyes)


def _text(told: Any) -> bytes:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def _players(text: str) -> int:
    """How many play in a record of a game that is installed. Refused if it is not."""
    head = transcript.head(text)
    name, version = _whole(str(head.get("game"))[:40]), _whole(str(head.get("version"))[:40])
    if head.get("courtly") == transcript.FORMAT:  # else it is none: told by whoever reads on
        try:
            game = find_game(name)
        except UnknownGame:
            raise Refused("error-record-game", game=name) from None
        if version != str(game.version):
            raise Refused("error-record-version", game=name, played=version, installed=game.version)
    players = head.get("players")
    return players if isinstance(players, int) else MOST_SEATS


def _whole(text: str) -> str:
    """Without halves of characters, which JSON can write and nothing can send."""
    return text.encode(errors="replace").decode()


def _name(name: str) -> str:
    try:
        return clean_name(name)
    except Refused:
        return ""
