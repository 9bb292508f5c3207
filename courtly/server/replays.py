"""Games played back, from the journal of a table or from a record that somebody brings."""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from courtly.engine import transcript
from courtly.engine.game import MOST_SEATS, UnknownGame, find_game
from courtly.engine.match import Match
from courtly.engine.position import Refused
from courtly.server.identity import clean_name
from courtly.server.limits import Bucket
from courtly.server.nowhere import nowhere
from courtly.server.past import Eyes, Past, played
from courtly.server.settings import Settings
from courtly.server.statics import File, pack
from courtly.server.tables import Table

SLICE = 0.002  # seconds of work between which others come in
MOST = 20.0  # seconds of work for a record that somebody brings
KEPT = 64  # finished games that are at hand


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
