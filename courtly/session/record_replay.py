"""The game of a record that somebody brings, played back."""

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
    """What these eyes saw in it. CommandRefusedError if the game is not installed, or they are nobody's."""

    def __init__(self, text: str, eyes: Viewpoint):
        self.text = text
        try:
            self.players = _player_count(text)
        except transcript.InvalidRecordError as wrong:
            raise _record_refusal(wrong) from None
        check_seat(eyes, self.players)
        self.past = ViewHistory(eyes)

    def steps(self) -> Iterator[Match]:
        """To be followed by `past`. CommandRefusedError, with the first wrong line, if it is not in order."""
        try:
            yield from transcript.iter_checked(self.text)
        except transcript.InvalidRecordError as wrong:
            raise _record_refusal(wrong) from None

    def answer(self) -> schemas.Replay:
        """Once it was followed to the end."""
        names = [_name(name) for name in transcript.read_names(self.text, self.players)]
        return {**self.past.answer(True), "table": make_detached_table(self.past.match, names)}


def check_seat(eyes: Viewpoint, players: int) -> None:
    if isinstance(eyes, int) and not 0 <= eyes < players:
        raise CommandRefusedError("error-unknown-seat", seat=eyes)


def _record_refusal(wrong: transcript.InvalidRecordError) -> CommandRefusedError:
    return CommandRefusedError("error-record", line=wrong.line, why=_without_surrogates(wrong.why))


def _player_count(text: str) -> int:
    """How many play in a record of a game that is installed. CommandRefusedError if it is not."""
    head = transcript.read_head(text)
    name, version = _without_surrogates(str(head.get("game"))[:40]), _without_surrogates(str(head.get("version"))[:40])
    if head.get("courtly") == transcript.RECORD_FORMAT:  # else it is none: told by whoever reads on
        try:
            game = find_game(name)
        except UnknownGameError:
            raise CommandRefusedError("error-record-game", game=name) from None
        if game.replays(head.get("version")) is None:
            raise CommandRefusedError("error-record-version", game=name, played=version, installed=game.version)
    players = head.get("players")
    return players if isinstance(players, int) else MAX_SEATS


def _without_surrogates(text: str) -> str:
    """Without halves of characters, which JSON can write and nothing can send."""
    return text.encode(errors="replace").decode()


def _name(name: str) -> str:
    try:
        return clean_name(name)
    except CommandRefusedError:
        return ""
