"""What web/local/command-dispatcher.js must answer: the same commands for a match without a server, in Python."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from courtly.bots.registry import BOT_LEVELS, SQUIRE, find_bot
from courtly.engine import schemas as engine_shapes
from courtly.engine.game import find_game
from courtly.engine.match import Entry, Match
from courtly.engine.position import Audience, CommandRefusedError
from courtly.engine.rng import ChanceSource, CommittedChance, DrawNumbering, SuccessiveChance, make_generator
from courtly.engine.transcript import _read_source as read_source
from courtly.engine.transcript import check, write_record
from courtly.session import schemas
from courtly.session.detached_table import make_detached_table
from courtly.session.record_replay import RecordReplay
from courtly.session.view_history import ViewHistory, Viewpoint, replay_decisions

TABLE_ID = "offline"
COMMANDS = ("table", "text", "views", "play", "undo", "preview", "history", "record", "play_next_bot")


class LocalGame:
    """The game in progress."""

    def __init__(
        self,
        game: str,
        occupants: Sequence[Mapping[str, str]],
        options: Mapping[str, int],
        secret: str,
        counted: DrawNumbering = "events",
        origin: Mapping[str, Any] | None = None,
    ):
        self.occupants, self.secret, self.counted, self.origin = occupants, secret, counted, origin
        source: ChanceSource = CommittedChance(bytes.fromhex(secret), TABLE_ID, [], counted)
        if origin:
            earlier = read_source(json.loads(origin["chance"]), 1)
            parts = earlier.parts if isinstance(earlier, SuccessiveChance) else [(0, earlier)]
            source = SuccessiveChance([*(part for part in parts if part[0] < origin["ply"]), (origin["ply"], source)])
        self.match = Match(find_game(game), len(occupants), options, source)
        self.human_seats = [seat for seat, occupant in enumerate(occupants) if "bot" not in occupant]

    @classmethod
    def restore(cls, text: str) -> LocalGame:
        """Restore a game from its text. Raises ValueError if it was begun with another version of the rules,
        JournalCorruptedError if the journal is not valid."""
        head, *entries = json.loads(text)
        self = cls(*head[1:5], *head[5:] or ["entries"])  # texts of older versions lack `counted`
        match = self.match
        if head[0] != match.game.version:
            raise ValueError(
                f"the game was begun with version {head[0]} of the rules; installed is {match.game.version}"
            )
        self._follow(Entry(*entry) for entry in entries)
        return self

    @classmethod
    def play_on(
        cls, game: str, record: str, ply: int, seat: int, seats: Sequence[Mapping[str, Any]], secret: str
    ) -> LocalGame:
        """Begin a game at a decision of another game."""
        past = check(record)
        entries = past.entries[:ply]
        before = Match.replay(past.game, past.players, past.options, past.source, entries)
        if seat not in before.pending:
            raise CommandRefusedError("error-stale")
        levels = [next((word for word in (s["bot"], s["name"]) if word in BOT_LEVELS), None) for s in seats]
        occupants = [{"bot": level or SQUIRE} for level in levels]
        occupants[seat] = {"name": "" if levels[seat] else seats[seat]["name"]}
        move = sum(entry.seat >= 0 for entry in entries if not entry.undo) - sum(entry.undo for entry in entries) + 1
        origin = {"ply": ply, "move": move, "chance": json.dumps(past.source.describe())}
        fields = past.game.State.options
        options = {field.name: getattr(past.state, field.name) for field in fields if field.name != "players"}
        self = cls(game, occupants, options, secret, "events", origin)
        self._follow(entries)
        return self

    def _follow(self, entries: Iterable[Entry]) -> None:
        match = self.match
        self.match = Match.replay(match.game, match.players, match.options, match.source, entries)

    def text(self) -> str:
        """Return the game as JSON text, to be restored by `restore`."""
        match = self.match
        head = [match.game.version, match.game.id, self.occupants, match.options, self.secret, self.counted]
        return json.dumps([head + [self.origin] * bool(self.origin), *match.entries], separators=(",", ":"))

    def table(self) -> schemas.TableInfo:
        """Return the table as the web client expects it from a server."""
        table = make_detached_table(self.match, [occupant.get("name", "") for occupant in self.occupants])
        table["help"] = "on"
        for seat, occupant in zip(table["seats"], self.occupants, strict=True):
            if "bot" in occupant:
                seat["kind"], seat["bot"] = "bot", occupant["bot"]
            else:
                seat["kind"], seat["you"] = "person" if seat["seat"] == self.human_seats[0] else "local", True
        return table

    def views(self) -> list[engine_shapes.View]:
        """Return the view of each person at this browser, or the spectators' view if only bots play."""
        audiences: Sequence[Audience] = self.human_seats or [None]
        return [{**self.match.view(seat, 0), "undo": self._can_undo(seat)} for seat in audiences]

    def play(self, seat: int, moves: Sequence[int], seq: int) -> None:
        """Make moves for a seat. Raises CommandRefusedError if they are not legal or `seq` is outdated."""
        self.match.play(seat, list(moves), seq=seq)

    def undo(self, seat: int, seq: int) -> None:
        """Take back a seat's last moves. Raises CommandRefusedError if that is not possible."""
        if seq == self.match.seq(seat) and not self._can_undo(seat):
            raise CommandRefusedError("error-no-undo")
        self.match.undo(seat, seq=seq)

    def _can_undo(self, seat: Audience) -> bool:
        """Return whether a seat can take back moves of its own that it made here, not in another game."""
        if seat is None or not self.match.can_undo(seat):
            return False
        batch, _ = self.match._find_undo(seat)
        return self.match._done_moves[batch.start].batch >= (self.origin["ply"] if self.origin else 0)

    def preview(self, seat: int, moves: Sequence[int], seq: int) -> engine_shapes.View:
        """Return the view of a seat after these moves, without making them. Raises CommandRefusedError."""
        return self.match.preview(seat, list(moves), seq)

    def history(self, viewpoint: Viewpoint) -> schemas.Replay:
        """Return everything that a viewpoint has seen from the beginning."""
        history = ViewHistory(viewpoint)
        for match in replay_decisions(self.match):
            history.record_moment(match)
        return history.replay(self.match.over)

    def record(self) -> str:
        """Return the record of the game."""
        return write_record(
            self.match, seats=[occupant.get("name") or occupant.get("bot", "") for occupant in self.occupants]
        )

    def play_next_bot(self) -> bool:
        """Make the next bot's move. Return False if no bot is to move."""
        match = self.match
        seat = next((seat for seat in match.pending if seat not in self.human_seats), None)
        if match.over or seat is None:
            return False
        entry_count = match.count_entries(seat)
        bot_seed = hmac.digest(bytes.fromhex(self.secret), f"{TABLE_ID}|bot|{seat}|{entry_count}".encode(), "sha256")[
            :7
        ]
        choose = find_bot(match.game, self.occupants[seat]["bot"])
        match.play(
            seat, [int(choose(match.game, match.view(seat, 0), make_generator(int.from_bytes(bot_seed, "big"))))]
        )
        return True


def replay_record(text: str, viewpoint: Viewpoint) -> schemas.Replay:
    """Return what a viewpoint saw in the game of a record.

    Raises CommandRefusedError if the record is not valid (with its first wrong line), or the game is not installed.
    """
    record_replay = RecordReplay(text, viewpoint)
    for match in record_replay.iter_steps():
        record_replay.history.record_moment(match)
    return record_replay.replay()


class CommandDispatcher:
    """Runs the web client's commands: JSON in, JSON out."""

    def __init__(self) -> None:
        self.local: LocalGame | None = None

    def answer(self, question: str) -> str:
        """Run a command, {"what": name, "with": arguments}, and return {"answer": …} or {"error": …} as JSON."""
        command = json.loads(question)
        try:
            return json.dumps({"answer": self._run(command["what"], command["with"])}, ensure_ascii=False)
        except CommandRefusedError as refused:
            return json.dumps({"error": {"id": refused.id, "args": refused.args_}}, ensure_ascii=False)

    def _run(self, name: str, args: list[Any]) -> Any:
        if name == "replay":
            return replay_record(*args)
        if name in ("open", "restore"):
            self.local = LocalGame(*args) if name == "open" else LocalGame.restore(*args)
        elif name == "play_on":
            self.local = LocalGame.play_on(*args)
        elif name in COMMANDS and self.local:
            return getattr(self.local, name)(*args)
        return None
