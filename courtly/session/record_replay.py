"""The replay of a record that a guest uploads."""

from __future__ import annotations

from collections.abc import Iterator

from courtly.engine import transcript
from courtly.engine.constants import MAX_SEATS
from courtly.engine.game import UnknownGameError, find_game
from courtly.engine.match import Match
from courtly.engine.position import CommandRefusedError
from courtly.session import schemas
from courtly.session.detached_table import make_detached_table
from courtly.session.text_cleaning import clean_name
from courtly.session.view_history import ViewHistory, Viewpoint


class RecordReplay:
    """The replay of a record from one viewpoint. Raises CommandRefusedError if its game is not installed, or it has no
    such seat."""

    def __init__(self, text: str, viewpoint: Viewpoint):
        self.text = text
        try:
            self.players = _player_count(text)
        except transcript.InvalidRecordError as error:
            raise _record_refusal(error) from None
        check_seat(viewpoint, self.players)
        self.history = ViewHistory(viewpoint)

    def iter_steps(self) -> Iterator[Match]:
        """Yield the match at each step; the caller passes each to `history.record_moment`.

        Raises CommandRefusedError, with the first invalid line, if the record is invalid.
        """
        try:
            yield from transcript.iter_checked(self.text)
        except transcript.InvalidRecordError as error:
            raise _record_refusal(error) from None

    def replay(self) -> schemas.Replay:
        """Return the replay, after all steps."""
        names = [_clean_name_or_empty(name) for name in transcript.read_names(self.text, self.players)]
        return {**self.history.replay(True), "table": make_detached_table(self.history.match, names)}


def check_seat(viewpoint: Viewpoint, players: int) -> None:
    if isinstance(viewpoint, int) and not 0 <= viewpoint < players:
        raise CommandRefusedError("error-unknown-seat", seat=viewpoint)


def _record_refusal(error: transcript.InvalidRecordError) -> CommandRefusedError:
    return CommandRefusedError("error-record", line=error.line, why=_without_surrogates(error.reason))


def _player_count(text: str) -> int:
    """Return the number of players of a record. Raises CommandRefusedError if its game, or its version of the game, is
    not installed."""
    head = transcript.read_head(text)
    name, version = _without_surrogates(str(head.get("game"))[:40]), _without_surrogates(str(head.get("version"))[:40])
    if head.get("courtly") == transcript.RECORD_FORMAT:  # else `iter_steps` reports the fault
        try:
            game = find_game(name)
        except UnknownGameError:
            raise CommandRefusedError("error-record-game", game=name) from None
        if game.replays(head.get("version")) is None:
            raise CommandRefusedError("error-record-version", game=name, played=version, installed=game.version)
    players = head.get("players")
    return players if isinstance(players, int) else MAX_SEATS


def _without_surrogates(text: str) -> str:
    """Return the text without lone surrogates, which JSON can contain but UTF-8 cannot encode."""
    return text.encode(errors="replace").decode()


def _clean_name_or_empty(name: str) -> str:
    try:
        return clean_name(name)
    except CommandRefusedError:
        return ""
