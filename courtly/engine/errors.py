"""The base class of all errors of this project, and the error that reports faulty rules with the author's file and
line."""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class CourtlyError(Exception):
    """Base of all errors that this project defines.

    Rules: RulesError, with BoundsError (a game exceeds the bounds in its `game.toml`) and DialectError (rules use
    Python that cannot be compiled). UnknownGameError, UnknownMoveError. ScenarioError. InvalidWeightsError,
    InvalidCalibrationError. InvalidBoardError, InvalidCardsError and InvalidTownDataError for the data of single games.

    The compiler: CompilerUnavailableError; ObjectFileError (an object file cannot become a WebAssembly module); within
    itself CompileError, RetryError, FaultError.

    Play: CommandRefusedError (the command changed nothing; its message id and arguments are meant for players).
    JournalCorruptedError, InvalidRecordError, ReceiptError.

    Bots: UnknownBotError; BotError, with BotTimeoutError.

    Laboratory: DatasetError, InvalidGoalError, InvalidParameterError, SearchMismatchError, ClusterUnavailableError,
    InvalidPositionError, UnknownMeasureError; InvalidComponentsError, with ComponentsRejectedError.

    Server: DatabaseUnusableError, AnswerTimeoutError, ChangedFileError, CommitUncertainError, RevisionConflictError,
    DeliveryError; DamagedRowError, which is a CommandRefusedError.

    Tools for authors: ScaffoldError; CheckFailedError and PropertyFailedError of `courtly.testing`.
    """


class RulesError(CourtlyError):
    """A fault in the rules of a game.

    Attributes:
        game: The id of the game.
        problem: What is wrong.
        ply: How many moves and random events came before; None if unknown.
        activity: The call of the rules that failed, such as "apply, seat 1, keep face=4"; "" if unknown.
        line: The line in the author's source, as "file:line"; "" if unknown.
        run: Which of several games failed, such as "game 3 of seed 7"; "" for a single game.
    """

    def __init__(
        self, game: str, problem: str, ply: int | None = None, activity: str = "", line: str = "", run: str = ""
    ):
        super().__init__(game, problem, ply, activity, line, run)  # the arguments from which pickle rebuilds it
        self.game, self.problem, self.ply, self.activity, self.line, self.run = game, problem, ply, activity, line, run

    @property
    def description(self) -> str:
        """The message without the game and the line: where in the game, and what is wrong."""
        ply = "" if self.ply is None else f"ply {self.ply}"
        occasion = ", ".join(filter(None, [self.run, ply, self.activity]))
        return f"{occasion}{': ' if occasion else ''}{self.problem}"

    def __str__(self) -> str:
        return f"{self.game}: {self.description}{f' ({self.line})' if self.line else ''}"


def find_author_line(error: BaseException, folder: Path) -> str:
    """Return the innermost line of this folder in the traceback of an exception, as "file:line"; "" if there is
    none."""
    folder_prefix = f"{folder}{os.sep}"
    frames = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    return next((f"{file}:{line}" for file, line in reversed(frames) if file.startswith(folder_prefix)), "")


def find_definition(function: Any) -> str:
    """Return the place where a function of the rules is defined, as "file:line"; "" for other callables."""
    code = getattr(function, "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else ""


def find_bound(folder: Path, key: str) -> str:
    """Return the line of `game.toml` that assigns this key, as "file:line"; its first line if no line does."""
    card = folder / "game.toml"
    lines = card.read_text(encoding="utf-8").splitlines()
    line_number = next((n for n, line in enumerate(lines, 1) if line.partition("=")[0].strip() == key), 1)
    return f"{card}:{line_number}"


@contextmanager
def errors_name_game(number: int, seed: int) -> Iterator[None]:
    """Context manager: add the game's number and the seed to a RulesError that is raised inside."""
    try:
        yield
    except RulesError as error:
        error.run = f"game {number} of seed {seed}"
        raise
