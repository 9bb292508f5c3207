"""The base of all errors of this project, and the error of rules that are wrong, with the game, the move and the
author's file and line."""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class CourtlyError(Exception):
    """Base of all errors that this project defines.

    Rules: RulesError, with BoundsError (a game exceeds the bounds in its `game.toml`) and DialectError (rules use what
    cannot be compiled). UnknownGameError, UnknownMoveError. ScenarioError. InvalidWeightsError,
    InvalidCalibrationError. InvalidBoardError, InvalidCardsError and InvalidTownDataError for the data of single games.

    Play: CommandRefusedError (a command that changes nothing; its message id and arguments are for people).
    JournalCorruptedError, InvalidRecordError, ReceiptError.

    Bots: UnknownBotError; BotError, with BotTimeoutError.

    Laboratory: DatasetError, InvalidGoalError, InvalidParameterError, SearchMismatchError, ClusterUnavailableError,
    InvalidPositionError, UnknownMeasureError; InvalidComponentsError, with ComponentsRejectedError.

    Server: DatabaseUnusableError, ChangedFileError, CommitUncertainError, RevisionConflictError, DeliveryError;
    DamagedRowError, which is a CommandRefusedError.

    Tools for authors: ScaffoldError; CheckFailedError and PropertyFailedError of `courtly.testing`.
    """


class RulesError(CourtlyError):
    """`what` is wrong; `ply` says after how many moves and events, `doing` what was asked of the rules, `line` where.
    `run` is which of many games it was."""

    def __init__(self, game: str, what: str, ply: int | None = None, doing: str = "", line: str = "", run: str = ""):
        super().__init__(game, what, ply, doing, line, run)  # as it comes back from another process
        self.game, self.what, self.ply, self.doing, self.line, self.run = game, what, ply, doing, line, run

    @property
    def said(self) -> str:
        """What is wrong, and when."""
        ply = "" if self.ply is None else f"ply {self.ply}"
        when = ", ".join(filter(None, [self.run, ply, self.doing]))
        return f"{when}{': ' if when else ''}{self.what}"

    def __str__(self) -> str:
        return f"{self.game}: {self.said}{f' ({self.line})' if self.line else ''}"


def find_author_line(wrong: BaseException, folder: Path) -> str:
    """The last line in this folder on the way to an exception; empty if there is none."""
    within = f"{folder}{os.sep}"
    frames = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(wrong.__traceback__)]
    return next((f"{file}:{line}" for file, line in reversed(frames) if file.startswith(within)), "")


def find_definition(function: Any) -> str:
    """Where a function of the rules begins."""
    code = getattr(function, "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else ""


def find_bound(folder: Path, what: str) -> str:
    """Where `game.toml` says this; its beginning, if nowhere. The bounds are how many decisions, events and moves there
    can be."""
    card = folder / "game.toml"
    lines = card.read_text(encoding="utf-8").splitlines()
    at = next((n for n, line in enumerate(lines, 1) if line.partition("=")[0].strip() == what), 1)
    return f"{card}:{at}"


@contextmanager
def errors_name_game(number: int, seed: int) -> Iterator[None]:
    """Whatever is wrong with the rules in here is wrong in this game of this seed."""
    try:
        yield
    except RulesError as wrong:
        wrong.run = f"game {number} of seed {seed}"
        raise
