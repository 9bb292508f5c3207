"""`courtly lab`: what a designer, a player or a reviewer wants to know about a game. Each command imports what it needs
itself."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from courtly.asked import GameName, compiled, fail, option
from courtly.engine.game import Game

if TYPE_CHECKING:
    from courtly.lab.plan import Plan


MOST = 1 << 28  # games of a seed, each with random streams of its own


class Laboratory(click.Group):
    """Commands that need libraries of their own."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as wrong:
            if not wrong.name or wrong.name.startswith("courtly"):
                raise
            fail(f'there is no {wrong.name}: pip install "courtly[lab]"')


@click.group(cls=Laboratory)
def lab() -> None:
    """Play by the thousand and ask: balance, length, luck, strategy."""


def of_plan(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say what is played. They arrive as what `planned` takes."""
    options = (
        click.option("--players", type=int, help="Default: the fewest."),
        click.option("--games", default=1000, show_default=True, type=click.IntRange(1, MOST), help="How many."),
        click.option("--seed", default=0, show_default=True, type=click.IntRange(0, 2**63 - 1)),
        click.option(
            "--bots", help="A bot for each seat, with commas; one alone plays every seat. Default: random moves."
        ),
        click.option("--option", "options", multiple=True, help="A table option, NAME=NUMBER; may be repeated."),
        click.option("--cores", type=click.IntRange(1), help="Default: all."),
    )
    for given in reversed(options):
        command = given(command)
    return command


of_components = click.option(
    "--components",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Numbers to play with: of the form of the game's own file, whose place it takes.",
)


def planned(
    game: Game,
    players: int | None,
    games: int,
    seed: int,
    bots: str | None,
    options: tuple[str, ...],
    components: Path | None = None,
) -> Plan:
    """The plan that these options ask for, looked through and compiled."""
    from courtly.lab.components import given
    from courtly.lab.pieces import check
    from courtly.lab.plan import Plan

    number = players or game.players[0]
    names = tuple(bots.split(",")) if bots else None
    names = names * number if names and len(names) == 1 else names
    plan = Plan(
        game.id, number, games, seed, dict(map(option, options)), None if names and {*names} == {"random"} else names
    )
    try:
        if components:
            plan = plan._replace(components=given(game, components))
        compiled(game, lambda: check(plan))
    except (ValueError, LookupError) as wrong:
        fail(str(wrong))
    return plan


@lab.command()
@click.argument("game", type=GameName())
@of_plan
@of_components
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder. Default: games-GAME.")
@click.option("--decisions", is_flag=True, help="Every decision too.")
@click.option("--json", "as_json", is_flag=True)
def play(
    game: Game,
    players: int | None,
    games: int,
    seed: int,
    bots: str | None,
    options: tuple[str, ...],
    cores: int | None,
    components: Path | None,
    out: Path | None,
    decisions: bool,
    as_json: bool,
) -> None:
    """Play many games of GAME and keep what they gave as a data set, in Parquet files.

    Broken off, the same command goes on where it was.
    """
    from courtly.lab.dataset import DataSet, NotThis, summary
    from courtly.lab.pieces import work

    plan = planned(game, players, games, seed, bots, options, components)
    out = out or Path(f"games-{game.id}")
    data = None
    try:
        data = DataSet.begun(out, plan, decisions)
        with click.progressbar(length=games - data.games, label=game.id, file=sys.stderr) as bar:
            for piece, log in work(plan, decisions, cores=cores, done=data.done):
                data.keep(piece, log)
                bar.update(piece.games)
        told = summary(data)
    except NotThis as wrong:
        fail(str(wrong))
    except (OSError, KeyboardInterrupt) as wrong:
        said = f"{wrong.filename or out}: {wrong.strerror or wrong}" if isinstance(wrong, OSError) else "stopped"
        fail(said + (f"; {data.games} of {games} games are kept, the same command goes on" if data else ""))
    if as_json:
        click.echo(json.dumps(told))
        return
    click.echo(f"{out}: {games} games, {told['decisions'] / games:.1f} decisions on average")
    for seat, (bot, wins, points) in enumerate(zip(told["bots"], told["wins"], told["points"], strict=True)):
        click.echo(f"seat {seat} ({bot}): {wins / games:.1%} of the victories, {points:.1f} points on average")
