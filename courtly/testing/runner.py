"""`courtly check`: runs GameTests on one game with pytest and prints a line for each finding."""

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

GAME: Game  # the game to check, read by pytest_entry.py
PROGRESS_DELAY_S = 2  # time after which the progress line shows how long a check takes
ENTRY_FILE = Path(__file__).with_name("pytest_entry.py")
DISABLED_PLUGINS = [option for name in ("terminal", "cacheprovider", "warnings") for option in ("-p", f"no:{name}")]
# ignore the configuration of the current project, and installed plug-ins
ISOLATION_OPTIONS = ["-c", os.devnull, "--rootdir", str(ENTRY_FILE.parent), "--noconftest", "--disable-plugin-autoload"]


def run_checks(name: str, tests: Path | None, options: list[str]) -> bool:
    """Run the standard test suite on a game and print the findings.

    Args:
        name: The game's id or package.
        tests: Folder of the game's tests. Default: `tests` of its project.
        options: Further options for pytest.

    Returns:
        Whether all checks passed.

    Raises:
        UnknownGameError: There is no such game.
    """
    global GAME
    reporter = CheckReporter()
    try:
        GAME = load_checked_game(name)
    except CheckFailedError as error:
        reporter.report(error.findings)
        return False
    folder = resources.TEST_FOLDERS[GAME.id] = tests or find_test_folder(GAME)
    reporter.begin(GAME, folder)
    os.environ.pop("PYTEST_ADDOPTS", None)
    arguments = [
        str(ENTRY_FILE),
        "--import-mode",
        "importlib",
        "--capture",
        "sys",
        *ISOLATION_OPTIONS,
        *DISABLED_PLUGINS,
        *options,
    ]
    with reporter.report_progress():
        code = pytest.main(arguments, plugins=[pytest_plugin, reporter])
    if code == pytest.ExitCode.INTERRUPTED and not reporter.failed_count:
        raise click.Abort
    return reporter.end()


def load_checked_game(name: str) -> Game:
    """Return the game of this name.

    Raises:
        CheckFailedError: It is in another package and cannot be loaded.
        UnknownGameError: There is no such game.
    """
    package = next(
        (
            package
            for entry_name, package in find_external_packages().items()
            if name in (entry_name, package, _game_id(package))
        ),
        None,
    )
    if package is None:
        return find_game(name)
    folder = find_package_folder(package)
    try:
        game = Game(package)
    except Exception as error:
        raise CheckFailedError([_load_finding(folder / "game.toml", error)]) from error
    try:
        require_complete_card(game)
    except Exception as error:
        raise CheckFailedError(locate_findings(error, [folder])) from error
    return game


def _game_id(package: str) -> str | None:
    try:
        return Game(package).id
    except Exception:  # a broken package is not the game that was named, or it was named by its package
        return None


def _load_finding(card: Path, error: Exception) -> Finding:
    line_match = re.search(r"at line (\d+)", str(error))
    return Finding(card, int(line_match[1]) if line_match else find_line(card, r"^\[bounds\]"), one_line_message(error))


class CheckReporter:
    """Reports progress and findings as a pytest plug-in: findings on stdout, everything else on stderr."""

    def __init__(self) -> None:
        self.out, self.err = sys.stdout, sys.stderr  # pytest replaces both while tests run
        self.started = time.perf_counter()
        self.done_count = self.test_count = self.failed_count = 0
        self.current_test, self.since, self.stop_reason = "", 0.0, ""
        self.findings: set[Finding] = set()
        self.folders: list[Path] = []

    def begin(self, game: Game, tests: Path | None) -> None:
        """Print which game and tests are checked."""
        self.game, self.folders = game, [game.folder, *filter(None, [tests])]
        where = f"tests in {relative_path(tests)}" if tests else "no tests of its own"
        click.echo(f"{game.id} in {relative_path(game.folder)}, {where}", file=self.err)

    def end(self) -> bool:
        """Print a summary and return whether all checks passed."""
        self._progress("")
        seconds = time.perf_counter() - self.started
        if not self.done_count:
            summary = click.style("no checks could run", fg="red")
        elif self.failed_count:
            summary = click.style(f"{self.failed_count} of {self.done_count} checks failed", fg="red")
        else:
            summary = click.style(f"all {self.done_count} checks passed", fg="green")
        click.echo(f"{self.game.id}: {summary} in {seconds:.0f} s", file=self.err)
        if self.stop_reason:
            click.echo(
                f"{self.test_count - self.done_count} more checks did not run: {self.stop_reason}", file=self.err
            )
        return bool(self.done_count) and not self.failed_count

    def report(self, findings: Iterable[Finding]) -> None:
        """Print findings, a line each."""
        self.current_test = ""
        self._progress("")
        for finding in findings:
            place = click.style(f"{relative_path(finding.file)}:{finding.line}:", bold=True)
            click.echo(f"{place} {finding.text}", file=self.out)

    def _progress(self, text: str) -> None:
        """Replace the progress line, if stderr is a terminal."""
        if self.err.isatty():
            width = shutil.get_terminal_size().columns - 1
            click.echo(f"\r\x1b[K{text[:width]}", nl=False, file=self.err)

    @contextmanager
    def report_progress(self) -> Iterator[None]:
        """Show how long the current check takes, within the `with` block, once it exceeds PROGRESS_DELAY_S."""
        is_over = threading.Event()

        def tick() -> None:
            while not is_over.wait(1):
                seconds = time.perf_counter() - self.since
                if self.current_test and seconds > PROGRESS_DELAY_S:
                    self._progress(f"{self.current_test}, {seconds:.0f} s")

        clock = threading.Thread(target=tick, daemon=True)
        if self.err.isatty():
            clock.start()
        try:
            yield
        finally:
            is_over.set()
            self.current_test = ""
            if clock.is_alive():
                clock.join()

    # --- pytest hooks -------------------------------------------------------------------------------------------------

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Run quick tests before thorough ones."""
        items.sort(key=lambda item: bool(item.get_closest_marker("thorough")))  # quick tests first
        self.test_count = len(items)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Show the check that begins."""
        _, _, name = nodeid.rpartition("::test_")
        title, _, of = name.replace("_", " ").partition("[")
        self.current_test, self.since = (
            f"{self.done_count + 1} of {self.test_count}: {title}{of and f' ({of[:-1]})'}",
            time.perf_counter(),
        )
        self._progress(self.current_test)

    def pytest_runtest_logfinish(self) -> None:
        """Count a finished check."""
        self.current_test = ""
        self.done_count += 1

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Remember why the session stopped early."""
        self.stop_reason = str(session.shouldfail or "")

    def pytest_exception_interact(self, call: pytest.CallInfo[object]) -> None:
        """Report a failure, once for each place."""
        assert call.excinfo is not None
        self.failed_count += 1
        error = call.excinfo.value
        if isinstance(error, pytest.Collector.CollectError) and error.__cause__:
            error = error.__cause__  # the exception of __init_subclass__
        findings = locate_findings(error, self.folders)
        if isinstance(error, CheckFailedError):
            unreported = [finding for finding in findings if finding not in self.findings]
        else:  # one mistake breaks many properties: report each place once
            places = {(finding.file, finding.line) for finding in self.findings}
            unreported = [finding for finding in findings if (finding.file, finding.line) not in places]
        self.findings |= set(findings)
        self.report(sorted(unreported))

    def pytest_internalerror(self, excrepr: object) -> None:
        """Report an internal error of pytest."""
        self.failed_count += 1
        click.echo(str(excrepr), file=self.err)


def relative_path(path: Path) -> str:
    """Return a path relative to the current folder if it is inside."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
