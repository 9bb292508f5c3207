"""`courtly check`: GameTests asked of one game by pytest, and told in a line for each finding."""

from __future__ import annotations

import os
import re
import shutil
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import pytest

from courtly.engine.finding import Finding
from courtly.engine.game import Game, find_external_packages, find_game, find_package_folder, require_complete_card
from courtly.engine.scenarios.files import find_test_folder
from courtly.testing import pytest_plugin, resources
from courtly.testing.failure_location import CheckFailedError, find_line, locate_findings, one_line_message

GAME: Game  # the one that is asked
PROGRESS_DELAY_S = 2  # seconds after which a check says how long it takes
ENTRY_FILE = Path(__file__).with_name("pytest_entry.py")
DISABLED_PLUGINS = [option for name in ("terminal", "cacheprovider", "warnings") for option in ("-p", f"no:{name}")]
# nothing of the project in whose folder it is called, and nothing that is installed for other tests
ISOLATION_OPTIONS = ["-c", os.devnull, "--rootdir", str(ENTRY_FILE.parent), "--noconftest", "--disable-plugin-autoload"]


def run_checks(name: str, tests: Path | None, options: list[str]) -> bool:
    """Is all as it should be with the game of this name? `tests` is the folder of its tests, if not the usual one;
    `options` are for pytest. UnknownGameError if there is no such game."""
    global GAME
    told = CheckReporter()
    try:
        GAME = load_checked_game(name)
    except CheckFailedError as wrong:
        told.tell(wrong.found)
        return False
    folder = resources.TEST_FOLDERS[GAME.id] = tests or find_test_folder(GAME)
    told.begin(GAME, folder)
    os.environ.pop("PYTEST_ADDOPTS", None)
    asked = [
        str(ENTRY_FILE),
        "--import-mode",
        "importlib",
        "--capture",
        "sys",
        *ISOLATION_OPTIONS,
        *DISABLED_PLUGINS,
        *options,
    ]
    with told.report_progress():
        code = pytest.main(asked, plugins=[pytest_plugin, told])
    if code == pytest.ExitCode.INTERRUPTED and not told.failed:
        raise click.Abort
    return told.end()


def load_checked_game(name: str) -> Game:
    """The game; CheckFailedError if it is one of another package that cannot be loaded."""
    package = next(
        (package for known, package in find_external_packages().items() if name in (known, package, _game_id(package))),
        None,
    )
    if package is None:
        return find_game(name)
    folder = find_package_folder(package)
    try:
        game = Game(package)
    except Exception as wrong:
        raise CheckFailedError([_load_finding(folder / "game.toml", wrong)]) from wrong
    try:
        require_complete_card(game)
    except Exception as wrong:
        raise CheckFailedError(locate_findings(wrong, [folder])) from wrong
    return game


def _game_id(package: str) -> str | None:
    try:
        return Game(package).id
    except Exception:  # whatever is wrong with it, another game is wanted, or it is asked for by its other name
        return None


def _load_finding(card: Path, wrong: Exception) -> Finding:
    at = re.search(r"at line (\d+)", str(wrong))
    return Finding(card, int(at[1]) if at else find_line(card, r"^\[bounds\]"), one_line_message(wrong))


class CheckReporter:
    """Tells how far it is and what was found: findings on standard output, all else beside it."""

    def __init__(self) -> None:
        self.out, self.beside = sys.stdout, sys.stderr  # as they are now: pytest keeps what tests print to itself
        self.started = time.perf_counter()
        self.done = self.all = self.failed = 0
        self.asking, self.since, self.why = "", 0.0, ""
        self.found: set[Finding] = set()
        self.folders: list[Path] = []

    def begin(self, game: Game, tests: Path | None) -> None:
        self.game, self.folders = game, [game.folder, *filter(None, [tests])]
        where = f"tests in {relative_path(tests)}" if tests else "no tests of its own"
        click.echo(f"{game.id} in {relative_path(game.folder)}, {where}", file=self.beside)

    def end(self) -> bool:
        self._progress("")
        seconds = time.perf_counter() - self.started
        if not self.done:
            said = click.style("nothing could be asked", fg="red")
        elif self.failed:
            said = click.style(f"{self.failed} of {self.done} checks failed", fg="red")
        else:
            said = click.style(f"all {self.done} checks passed", fg="green")
        click.echo(f"{self.game.id}: {said} in {seconds:.0f} s", file=self.beside)
        if self.why:
            click.echo(f"{self.all - self.done} more were not asked: {self.why}", file=self.beside)
        return bool(self.done) and not self.failed

    def tell(self, found: Iterable[Finding]) -> None:
        self.asking = ""
        self._progress("")
        for finding in found:
            place = click.style(f"{relative_path(finding.file)}:{finding.line}:", bold=True)
            click.echo(f"{place} {finding.said}", file=self.out)

    def _progress(self, text: str) -> None:
        """One line, over and over, where somebody is watching."""
        if self.beside.isatty():
            width = shutil.get_terminal_size().columns - 1
            click.echo(f"\r\x1b[K{text[:width]}", nl=False, file=self.beside)

    @contextmanager
    def report_progress(self) -> Iterator[None]:
        """Says how long what is asked takes, where it takes long."""
        over = threading.Event()

        def tick() -> None:
            while not over.wait(1):
                seconds = time.perf_counter() - self.since
                if self.asking and seconds > PROGRESS_DELAY_S:
                    self._progress(f"{self.asking}, {seconds:.0f} s")

        clock = threading.Thread(target=tick, daemon=True)
        if self.beside.isatty():
            clock.start()
        try:
            yield
        finally:
            over.set()
            self.asking = ""
            if clock.is_alive():
                clock.join()

    # --- what pytest calls --------------------------------------------------------------------------------------------

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: bool(item.get_closest_marker("thorough")))  # what is quick first
        self.all = len(items)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        _, _, name = nodeid.rpartition("::test_")
        what, _, of = name.replace("_", " ").partition("[")
        self.asking, self.since = f"{self.done + 1} of {self.all}: {what}{of and f' ({of[:-1]})'}", time.perf_counter()
        self._progress(self.asking)

    def pytest_runtest_logfinish(self) -> None:
        self.asking = ""
        self.done += 1

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self.why = str(session.shouldfail or "")

    def pytest_exception_interact(self, call: pytest.CallInfo[object]) -> None:
        assert call.excinfo is not None
        self.failed += 1
        wrong = call.excinfo.value
        if isinstance(wrong, pytest.Collector.CollectError) and wrong.__cause__:
            wrong = wrong.__cause__  # why the class could not be made
        found = locate_findings(wrong, self.folders)
        if isinstance(wrong, CheckFailedError):
            new = [finding for finding in found if finding not in self.found]
        else:  # one mistake breaks many properties: each place is told once
            places = {(finding.file, finding.line) for finding in self.found}
            new = [finding for finding in found if (finding.file, finding.line) not in places]
        self.found |= set(found)
        self.tell(sorted(new))

    def pytest_internalerror(self, excrepr: object) -> None:
        self.failed += 1
        click.echo(str(excrepr), file=self.beside)


def relative_path(path: Path) -> str:
    """As somebody here would name it."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
