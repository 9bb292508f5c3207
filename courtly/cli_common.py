"""What commands have in common: how they are asked, and how they say what is wrong."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click
from click.shell_completion import CompletionItem

from courtly.engine.errors import RulesError
from courtly.engine.game import Game, UnknownGameError, find_game, game_ids
from courtly.visible import escape_invisible

if TYPE_CHECKING:
    from courtly.engine.match import Match


def say(text: object, err: bool = False) -> None:
    """Print a line of a command's output or, with `err`, on stderr; see `escape_invisible`. Ends the command if the
    output cannot be written."""
    try:
        click.echo(escape_invisible(str(text)), err=err)
    except BrokenPipeError:  # click ends the command
        raise
    except OSError as wrong:
        # what is buffered would be written once more when Python ends, and fail again
        with open(os.devnull, "wb") as nothing:
            os.dup2(nothing.fileno(), (sys.stderr if err else sys.stdout).fileno())
        fail(f"the output cannot be written: {wrong.strerror}")


def fail(message: str) -> NoReturn:
    """Say what is wrong in one line and stop."""
    raise click.ClickException(escape_invisible(message))


def describe_os_error(wrong: OSError) -> str:
    """Return what the system refused, after the file that it is about if there is one."""
    if wrong.filename and wrong.strerror:
        return f"{wrong.filename}: {wrong.strerror}"
    return wrong.strerror or str(wrong) or type(wrong).__name__


class GameName(click.ParamType[Game]):
    """A game's id, as a Game."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game:
        try:
            return value if isinstance(value, Game) else find_game(value)
        except UnknownGameError as wrong:
            self.fail(str(wrong), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(name) for name in game_ids() if name.startswith(incomplete)]


class CommandGroup(click.Group):
    """What the rules of a game do wrong, or the system refuses, is said in a line, by whatever command; with
    COURTLY_DEBUG, as a traceback."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run as click does. A character that the output's encoding lacks is written as an escape."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        return super().main(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except click.ClickException as wrong:
            vars(wrong).update(message=escape_invisible(wrong.message))  # click declares it final
            raise
        except (RulesError, OSError) as wrong:
            # click itself ends a command whose output nobody reads any more
            if os.environ.get("COURTLY_DEBUG") or isinstance(wrong, BrokenPipeError):
                raise
            fail(describe_os_error(wrong) if isinstance(wrong, OSError) else str(wrong))


# what several commands are asked
players_option = click.option("--players", type=int, help="Default: the fewest.")
seed_option = click.option("--seed", default=0, show_default=True, type=click.IntRange(0, 2**63 - 1))
options_option = click.option(
    "--option", "options", multiple=True, help="A table option, NAME=NUMBER; may be repeated."
)
cores_option = click.option("--cores", type=click.IntRange(1), help="Default: all.")
json_option = click.option("--json", "as_json", is_flag=True)


def parse_option(value: str) -> tuple[str, int]:
    name, _, number = value.partition("=")
    if not number.lstrip("-").isdigit():
        raise click.BadParameter(f"{value!r} is not NAME=NUMBER")
    return name, int(number)


def compile_with_progress(game: Game, work: Callable[[], object]) -> None:
    """Have something compiled, with a line that tells how long it takes."""
    from courtly.engine.native import loader

    told = False

    def tell(seconds: float) -> None:
        nonlocal told
        if told and not sys.stderr.isatty():
            return  # a log is told once
        told = True
        click.echo(f"\rcompiling {game.id}: {seconds:.0f} s", nl=False, err=True)

    try:
        loader.run_with_progress(work, tell)
    finally:
        if told:
            click.echo(err=True)


def replay_record(file: Path) -> tuple[Match, list[str]]:
    """The match that a record tells, and the names of its seats, "" where it tells none."""
    from courtly.engine import transcript

    try:
        text = file.read_bytes().decode(errors="replace")  # as a browser reads it
        match = transcript.check(text)
        return match, transcript.read_names(text, match.players)
    except transcript.InvalidRecordError as wrong:
        fail(f"{file}: {wrong}")
