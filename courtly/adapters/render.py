"""What environments render: a game as spectators or one seat see it, as sentences of its catalogue or as a picture in
the page's fonts."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from courtly.engine.constants import NOBODY, SILENT
from courtly.engine.game import Game, find_game
from courtly.engine.position import Audience, Position
from courtly.engine.rng import Row
from courtly.i18n.catalog import SHELL_FOLDER
from courtly.rendering.share_image import GameMoment, PlayerLine, paint_moment, points_of, points_text
from courtly.review.text import GameTexts
from courtly.session.seat_colors import SEAT_COLORS

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_SENTENCES = 8  # latest cues that a text contains
RENDER_MODES = ("ansi", "rgb_array")


class SceneRenderer:
    """Renders a game for one audience as text or as a picture."""

    def __init__(self, game: Game, names: Sequence[str], audience: Audience = None, language: str = "en"):
        """Start without cues.

        Args:
            game: The game.
            names: The players' names by seat.
            audience: The seat that sees the picture, or None for spectators.
            language: The catalogue's language, "en" or "ja".
        """
        self.game, self.names, self.audience = game, names, audience
        self.language = language
        self.sentences: deque[str] = deque(maxlen=MAX_SENTENCES)

    @property
    def words(self) -> GameTexts:
        """The game's texts in the renderer's language."""
        return _load_words(self.game, self.language)

    def begin(self) -> None:
        """Forget the cues of the previous game."""
        self.sentences.clear()

    def before(self, position: Position, seat: int, move: int) -> None:
        """Record a sentence for a move or event, as far as the watcher may know it.

        Args:
            position: The position before it.
            seat: The seat that moves; NOBODY for a random event.
            move: The id of the move or event.
        """
        audience, watcher = position.audience(seat, move), self.audience
        if watcher == seat or audience < 0 or watcher is not None and audience >> watcher & 1:
            text = self.words.log(seat, self.game.moves.decode(move).as_json(), self.names)
        elif audience & SILENT:
            text = ""
        else:
            verb, public_args = self.game.moves.unseen(move)
            text = self.words.describe_hidden_move(seat, verb, public_args or {}, self.names)
        if text:
            self.sentences.append(text)

    def happen(self, position: Position, rng: Row) -> None:
        """Call `position.happen` and record a sentence for the event."""
        self.before(position, NOBODY, position.copy().happen([*rng]))
        position.happen(rng)

    def players(self, position: Position) -> Iterator[PlayerLine]:
        """Yield each player's standing, as far as the watcher can see it."""
        all_points = points_of(Position.from_view(self.game, position.view(self.audience)))
        ranks = position.scores or all_points
        for name, colour, points, rank in zip_longest(self.names, SEAT_COLORS[: len(self.names)], all_points, ranks):
            yield PlayerLine(name, colour, points_text(self.words, points), bool(ranks) and rank == max(ranks))

    def status_text(self, position: Position) -> str:
        """Return a sentence that names the players to move, or the winners."""
        scores = position.scores
        if scores is None:
            deciding_names = [self.names[seat] for seat in position.pending]
            text = "turn-of" if len(deciding_names) == 1 else "turn-of-several"
            return self.words.format(text, name=" · ".join(deciding_names), names=" · ".join(deciding_names))
        winners = [name for name, score in zip(self.names, scores, strict=True) if score == max(scores)]
        return (
            self.words.format("draw", names=" · ".join(winners))
            if len(winners) > 1
            else self.words.format("won", name=winners[0])
        )

    def text(self, position: Position) -> str:
        """Return the game's title, each player's standing, the latest cues, whose turn it is, and the watcher's legal
        moves, a line each."""
        title, colon = self.words.format(self.game.id), self.words.format("colon")
        standings = [f"{player.name}{colon}{player.points}" for player in self.players(position) if player.points]
        move_lines = [
            f"  {move.id} {self.words.move(move.as_json(), self.names)}" for move in position.legal(self.audience)
        ]
        return "\n".join([title, *standings, *self.sentences, self.status_text(position), *move_lines])

    def picture(self, position: Position, max_decisions: int) -> NDArray[np.uint8]:
        """Draw a picture.

        Args:
            position: The position.
            max_decisions: The largest number of decisions of the whole game, for the progress bar.

        Returns:
            RGB image: uint8, shape (height, width, 3).
        """
        sentence = self.sentences[-1] if self.sentences and not position.over else self.status_text(position)
        progress = 1.0 if position.over else min(1.0, position.decisions / max_decisions)
        players = list(self.players(position))
        moment = GameMoment(self.game.id, self.words.format(self.game.id), sentence, players, progress)
        return np.array(paint_moment(_load_page(), moment))


class PageFile(NamedTuple):
    """The bytes of one of the page's files."""

    plain: bytes


class PageFiles(Mapping[str, PageFile]):
    """The page's files by name, read on first access."""

    def __init__(self) -> None:
        self.files = self
        self._read: dict[str, PageFile] = {}

    def __getitem__(self, name: str) -> PageFile:
        if name not in self._read:
            package, _, rest = name.partition("/")
            path = SHELL_FOLDER / rest if package == "web" else _game_folder(rest)
            if not path.is_file():
                raise KeyError(name)
            self._read[name] = PageFile(path.read_bytes())
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read)

    def __len__(self) -> int:
        return len(self._read)


def _game_folder(name: str) -> Path:
    game, _, rest = name.partition("/")
    return find_game(game).folder / rest


@cache
def _load_words(game: Game, language: str) -> GameTexts:
    return GameTexts(game, language)


@cache
def _load_page() -> PageFiles:
    return PageFiles()
