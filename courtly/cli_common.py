"""What commands have in common: shared options, output, error messages, and compilation with progress."""

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
from courtly.engine.native.compiler.installation import CompilerUnavailableError
from courtly.visible import escape_invisible

if TYPE_CHECKING:
    from courtly.engine.match import Match


def say(text: object, err: bool = False) -> None:
    """Print a line of a command's output, on stderr with `err`. Invisible characters are escaped (see
    `escape_invisible`). Raises ClickException, which ends the command, if the output cannot be written."""
    try:
        click.echo(escape_invisible(str(text)), err=err)
    except BrokenPipeError:  # click ends the command quietly
        raise
    except OSError as error:
        # discard the buffer, which Python would otherwise try to write again at exit
        with open(os.devnull, "wb") as devnull:
            os.dup2(devnull.fileno(), (sys.stderr if err else sys.stdout).fileno())
        fail(f"cannot write the output: {error.strerror}")


def fail(message: str) -> NoReturn:
    """End the command with this one-line error message."""
    raise click.ClickException(escape_invisible(message))


def describe_os_error(error: OSError) -> str:
    """Return the system's error message, preceded by the file if there is one."""
    if error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return error.strerror or str(error) or type(error).__name__


if TYPE_CHECKING:
    GameParameter = click.ParamType[Game]
else:
    GameParameter = click.ParamType  # is generic in the newest versions only


class GameName(GameParameter):
    """A click parameter type: a game's id, converted to a Game."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game:
        try:
            return value if isinstance(value, Game) else find_game(value)
        except UnknownGameError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(name) for name in game_ids() if name.startswith(incomplete)]


class CommandGroup(click.Group):
    """A group that reports RulesError, CompilerUnavailableError and OSError of any command as one line, or with
    COURTLY_DEBUG as a traceback."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line. Characters that the output's encoding lacks are written as escapes."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        return super().main(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except click.ClickException as error:
            vars(error).update(message=escape_invisible(error.message))  # `message` is declared final
            raise
        except (RulesError, CompilerUnavailableError, OSError) as error:
            # click handles a closed pipe itself
            if os.environ.get("COURTLY_DEBUG") or isinstance(error, BrokenPipeError):
                raise
            fail(describe_os_error(error) if isinstance(error, OSError) else str(error))


# options of several commands
players_option = click.option("--players", type=int, help="Number of players. Default: the fewest.")
seed_option = click.option(
    "--seed",
    default=0,
    show_default=True,
    type=click.IntRange(0, 2**63 - 1),
    help="Seed of all random numbers; the same seed gives the same result.",
)
options_option = click.option(
    "--option", "options", multiple=True, metavar="NAME=NUMBER", help="Table option; may be repeated."
)
cores_option = click.option(
    "--cores", type=click.IntRange(1), help="Number of CPU cores to use. Default: all. Results do not depend on it."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")


def parse_option(value: str) -> tuple[str, int]:
    """Parse a table option, NAME=NUMBER. Raises click.BadParameter."""
    name, _, number = value.partition("=")
    if not number.lstrip("-").isdigit():
        raise click.BadParameter(f"{value!r} is not NAME=NUMBER, where NUMBER is a whole number")
    return name, int(number)


def compile_with_progress(game: Game, work: Callable[[], object]) -> None:
    """Run work that compiles a game, with a line on stderr that shows the elapsed seconds if it takes long."""
    from courtly.engine.native import loader

    is_shown = False

    def show(seconds: float) -> None:
        nonlocal is_shown
        if is_shown and not sys.stderr.isatty():
            return  # once in a log file
        is_shown = True
        click.echo(f"\rcompiling {game.id}: {seconds:.0f} s", nl=False, err=True)

    try:
        loader.run_with_progress(work, show)
    finally:
        if is_shown:
            click.echo(err=True)


def replay_record(file: Path) -> tuple[Match, list[str]]:
    """Replay a record file. Return the match and the names of its seats, "" for seats without a name. Ends the command
    if the record is not valid."""
    from courtly.engine import transcript

    try:
        text = file.read_bytes().decode(errors="replace")  # decoded as in a browser
        match = transcript.check(text)
        return match, transcript.read_names(text, match.players)
    except transcript.InvalidRecordError as error:
        fail(f"{file}: {error}")
