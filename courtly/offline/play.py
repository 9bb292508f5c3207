"""One person's game against bots, in a browser that reaches no server: `web/offline/python.js` runs this in a worker.

It goes by the same rules, views and bots as a table. `text` is all that has to be kept to go on with it another day.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Any

from courtly.bots import bot_names, find_bot, wins
from courtly.engine import shapes as engine_shapes
from courtly.engine.chance import Sealed, generator
from courtly.engine.game import Game, find_game, game_ids
from courtly.engine.match import Entry, Match
from courtly.engine.position import Refused
from courtly.server import shapes
from courtly.server.nowhere import nowhere

YOU = 0  # the seat of whoever plays
TABLE = "offline"
LEVELS = ("page", "squire")  # who can play without machine code, if the game has a `bot.py`


def about(game: Game) -> shapes.About:
    able, measured = bot_names(game), wins(game)
    bots: list[shapes.Level] = [
        {"name": name, "ready": True, "wins": measured.get(name, {})} for name in able if name in LEVELS
    ]
    return {**game.about(), "bots": bots, "help": False}


class Local:
    """The game that is played."""

    def __init__(self, game: str, players: int, options: Mapping[str, int], bot: str, secret: str):
        self.bot, self.secret = bot, secret
        self.match = Match(find_game(game), players, options, Sealed(bytes.fromhex(secret), TABLE, []))

    @classmethod
    def kept(cls, text: str) -> Local:
        """As it was. ValueError if it was begun under other rules, Damaged if it is not in order."""
        head, *entries = json.loads(text)
        self = cls(*head[1:])
        match = self.match
        if head[0] != match.game.version:
            raise ValueError("these are other rules")
        self.match = Match.replay(
            match.game, match.players, match.options, match.source, (Entry(*entry) for entry in entries)
        )
        return self

    def text(self) -> str:
        match = self.match
        head = [match.game.version, match.game.id, match.players, match.options, self.bot, self.secret]
        return json.dumps([head, *match.entries], separators=(",", ":"))

    def table(self) -> shapes.TableInfo:
        table = nowhere(self.match, [""] * self.match.players, YOU)
        for seat in table["seats"][YOU + 1 :]:
            seat["kind"], seat["bot"] = "bot", self.bot
        return table

    def view(self, since: int) -> engine_shapes.View:
        return self.match.view(YOU, since)

    def play(self, moves: Sequence[int], seq: int) -> None:
        self.match.play(YOU, list(moves), seq=seq)

    def undo(self, seq: int) -> None:
        self.match.undo(YOU, seq=seq)

    def foresee(self, moves: Sequence[int], seq: int) -> engine_shapes.View:
        return self.match.foresee(YOU, list(moves), seq)

    def think(self) -> bool:
        """The next bot's move. False: none is to be made."""
        match = self.match
        seat = next((seat for seat in match.pending if seat != YOU), None)
        if match.over or seat is None:
            return False
        made = sum(entry.seat == seat for entry in match.entries)
        whim = hmac.digest(bytes.fromhex(self.secret), f"{TABLE}|bot|{seat}|{made}".encode(), "sha256")[:7]
        choose = find_bot(match.game, self.bot)
        match.play(seat, [int(choose(match.game, match.view(seat, 0), generator(int.from_bytes(whim, "big"))))])
        return True


class Desk:
    """What the page asks for, by name, in JSON, and its answer."""

    def __init__(self) -> None:
        self.local: Local | None = None

    def answer(self, question: str) -> str:
        wish = json.loads(question)
        try:
            return json.dumps({"answer": self._answer(wish["what"], wish["with"])}, ensure_ascii=False)
        except Refused as refused:
            return json.dumps({"error": {"id": refused.id, "args": refused.args_}}, ensure_ascii=False)

    def _answer(self, what: str, args: list[Any]) -> Any:
        if what == "games":
            return [about(game) for game in map(find_game, game_ids())]
        if what == "about":
            return about(find_game(args[0]))
        if what in ("open", "kept"):
            self.local = Local(*args) if what == "open" else Local.kept(*args)
        elif what in ("table", "text", "view", "play", "undo", "foresee", "think") and self.local:
            return getattr(self.local, what)(*args)
        return None
