"""A game of those who sit at one browser, against bots, where no server is reached: `web/offline/python-worker.js`
runs this in a worker.

It goes by the same rules, views and bots as a table. `text` is all that has to be kept to go on with it another day.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from courtly.bots.registry import RANDOM, find_bot, list_bots, load_win_rates
from courtly.engine import schemas as engine_shapes
from courtly.engine.game import Game, find_external_packages, find_game, game_ids, load_game
from courtly.engine.match import Entry, Match
from courtly.engine.position import Audience, CommandRefusedError
from courtly.engine.rng import CommittedChance, DrawNumbering, make_generator
from courtly.engine.transcript import write_record
from courtly.session import schemas
from courtly.session.detached_table import make_detached_table
from courtly.session.record_replay import RecordReplay
from courtly.session.view_history import ViewHistory, Viewpoint, replay_decisions

TABLE_ID = "offline"
COMMANDS = ("table", "text", "views", "play", "undo", "foresee", "past", "record", "think")
AVAILABLE_BOTS = ("page", "squire")  # who can play without machine code, if the game has a `bot.py`


def describe_games(game: Game) -> schemas.GameInfo:
    able, measured = [name for name in list_bots(game) if name in AVAILABLE_BOTS] or [RANDOM], load_win_rates(game)
    bots: list[schemas.BotLevel] = [{"name": name, "ready": True, "wins": measured.get(name, {})} for name in able]
    return {**game.about(), "bots": bots, "help": False}


class OfflineSeat(TypedDict):
    """Who takes a seat: a bot, or somebody here."""

    bot: NotRequired[str]
    name: NotRequired[str]


class LocalGame:
    """The game that is played."""

    def __init__(
        self,
        game: str,
        chairs: Sequence[OfflineSeat],
        options: Mapping[str, int],
        secret: str,
        counted: DrawNumbering = "events",
    ):
        self.chairs, self.secret, self.counted = chairs, secret, counted
        self.match = Match(
            find_game(game), len(chairs), options, CommittedChance(bytes.fromhex(secret), TABLE_ID, [], counted)
        )
        self.here = [seat for seat, chair in enumerate(chairs) if "bot" not in chair]

    @classmethod
    def kept(cls, text: str) -> LocalGame:
        """As it was. ValueError if it was begun under other rules, JournalCorruptedError if it is not in order."""
        head, *entries = json.loads(text)
        self = cls(*head[1:5], *head[5:] or ["entries"])  # older versions did not say it
        match = self.match
        if head[0] != match.game.version:
            raise ValueError("these are other rules")
        self.match = Match.replay(
            match.game, match.players, match.options, match.source, (Entry(*entry) for entry in entries)
        )
        return self

    def text(self) -> str:
        match = self.match
        head = [match.game.version, match.game.id, self.chairs, match.options, self.secret, self.counted]
        return json.dumps([head, *match.entries], separators=(",", ":"))

    def table(self) -> schemas.TableInfo:
        table = make_detached_table(self.match, [chair.get("name", "") for chair in self.chairs])
        for seat, chair in zip(table["seats"], self.chairs, strict=True):
            if "bot" in chair:
                seat["kind"], seat["bot"] = "bot", chair["bot"]
            else:
                seat["kind"], seat["you"] = "person" if seat["seat"] == self.here[0] else "local", True
        return table

    def views(self) -> list[engine_shapes.View]:
        """What each sees who is here; where nobody plays, what spectators do."""
        eyes: Sequence[Audience] = self.here or [None]
        return [self.match.view(seat, 0) for seat in eyes]

    def play(self, seat: int, moves: Sequence[int], seq: int) -> None:
        self.match.play(seat, list(moves), seq=seq)

    def undo(self, seat: int, seq: int) -> None:
        self.match.undo(seat, seq=seq)

    def foresee(self, seat: int, moves: Sequence[int], seq: int) -> engine_shapes.View:
        return self.match.foresee(seat, list(moves), seq)

    def past(self, eyes: Viewpoint) -> schemas.Replay:
        """What these eyes have seen, from the beginning."""
        past = ViewHistory(eyes)
        for match in replay_decisions(self.match):
            past.look(match)
        return past.answer(self.match.over)

    def record(self) -> str:
        return write_record(self.match, seats=[chair.get("name") or chair.get("bot", "") for chair in self.chairs])

    def think(self) -> bool:
        """The next bot's move. False: none is to be made."""
        match = self.match
        seat = next((seat for seat in match.pending if seat not in self.here), None)
        if match.over or seat is None:
            return False
        made = match.made(seat)
        whim = hmac.digest(bytes.fromhex(self.secret), f"{TABLE_ID}|bot|{seat}|{made}".encode(), "sha256")[:7]
        choose = find_bot(match.game, self.chairs[seat]["bot"])
        match.play(seat, [int(choose(match.game, match.view(seat, 0), make_generator(int.from_bytes(whim, "big"))))])
        return True


def replay_record(text: str, eyes: Viewpoint) -> schemas.Replay:
    """What these eyes saw in the game of a record. CommandRefusedError, with the first wrong line, if it is not in
    order, and with the reason, if the game is there but cannot be loaded."""
    try:
        brought = RecordReplay(text, eyes)
    except CommandRefusedError as refused:
        package = find_external_packages().get(str(refused.args_.get("game")))
        why = load_game(package) if package and refused.id == "error-record-game" else None
        if isinstance(why, str):
            raise CommandRefusedError("error-here", why=why) from None
        raise
    for match in brought.steps():
        brought.past.look(match)
    return brought.answer()


class CommandDispatcher:
    """What the page asks for, by name, in JSON, and its answer."""

    def __init__(self) -> None:
        self.local: LocalGame | None = None

    def answer(self, question: str) -> str:
        wish = json.loads(question)
        try:
            return json.dumps({"answer": self._answer(wish["what"], wish["with"])}, ensure_ascii=False)
        except CommandRefusedError as refused:
            return json.dumps({"error": {"id": refused.id, "args": refused.args_}}, ensure_ascii=False)

    def _answer(self, what: str, args: list[Any]) -> Any:
        if what == "games":
            return [describe_games(game) for game in map(find_game, game_ids())]
        if what == "about":
            return describe_games(find_game(args[0]))
        if what == "replay":
            return replay_record(*args)
        if what in ("open", "kept"):
            self.local = LocalGame(*args) if what == "open" else LocalGame.kept(*args)
        elif what in COMMANDS and self.local:
            return getattr(self.local, what)(*args)
        return None
