"""`courtly lab`: what a designer, a player or a reviewer wants to know about a game. Each command imports what it needs
itself."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from courtly.asked import GameName, compiled, fail, of_cores, of_json, of_options, of_players, of_seed, option, replayed
from courtly.engine.game import LANGUAGES, Game, find_game

if TYPE_CHECKING:
    from courtly.lab.arena import Question
    from courtly.lab.plan import Plan


MOST = 1 << 28  # games of a seed, each with random streams of its own


class Laboratory(click.Group):
    """Commands that need libraries of their own."""

    def invoke(self, ctx: click.Context) -> Any:
        from courtly.lab.cluster import NoCluster

        try:
            return super().invoke(ctx)
        except NoCluster as wrong:
            fail(str(wrong))
        except ModuleNotFoundError as wrong:
            if not wrong.name or wrong.name.startswith("courtly"):
                raise
            fail(f'there is no {wrong.name}: pip install "courtly[lab]"')


@click.group(cls=Laboratory)
def lab() -> None:
    """Play by the thousand and ask: balance, length, luck, strategy."""


def _chosen(ctx: click.Context, param: click.Parameter, address: str | None) -> None:
    from courtly.lab.cluster import choose

    choose(address)


on_cluster = click.option(
    "--on",
    metavar="CLUSTER",
    expose_value=False,
    is_eager=True,
    callback=_chosen,
    help="Play on a Ray cluster: ray for one on this machine, ray://host:port.",
)


def of_plan(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say what is played. They arrive as what `planned` takes."""
    options = (
        of_players,
        click.option("--games", default=1000, show_default=True, type=click.IntRange(1, MOST), help="How many."),
        of_seed,
        click.option(
            "--bots", help="A bot for each seat, with commas; one alone plays every seat. Default: random moves."
        ),
        of_options,
        of_cores,
        on_cluster,
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
    from courtly.engine import native
    from courtly.lab.components import given
    from courtly.lab.contest import plain
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
        slow = plain(game, dict.fromkeys(plan.bots or ()))
    except (ValueError, LookupError) as wrong:
        fail(str(wrong))
    if slow:
        click.echo(f"in plain Python, and so slow: {', '.join(slow)}", err=True)
    elif not native.available():
        click.echo("in plain Python, and so slow: install courtly[native] for machine code", err=True)
    return plan


@lab.command()
@click.argument("game", type=GameName())
@of_plan
@of_components
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder. Default: games-GAME.")
@click.option("--decisions", is_flag=True, help="Every decision too.")
@of_json
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
    from courtly.lab.cluster import NoCluster
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
    except (OSError, NoCluster, KeyboardInterrupt) as wrong:
        said = str(wrong) or "stopped"
        if isinstance(wrong, OSError):
            said = f"{wrong.filename or out}: {wrong.strerror or wrong}"
        kept = f"; {data.games} of {games} games are kept, the same command goes on" if data and data.games else ""
        fail(said + kept)
    if as_json:
        click.echo(json.dumps(told))
        return
    click.echo(f"{out}: {games} games, {told['decisions'] / games:.1f} decisions on average")
    for seat, (bot, wins, points) in enumerate(zip(told["bots"], told["wins"], told["points"], strict=True)):
        click.echo(f"seat {seat} ({bot}): {wins / games:.1%} of the victories, {points:.1f} points on average")


@lab.command()
@click.argument("games", nargs=-1, required=True, type=GameName(), metavar="GAME…")
@click.option("--players", type=int, multiple=True, help="May be repeated. Default: every number that can play.")
@click.option(
    "--games",
    "many",
    default=10_000,
    show_default=True,
    type=click.IntRange(2, MOST),
    help="At each number of players.",
)
@of_seed
@click.option("--bots", help="The bot that plays every seat. Default: policy, or random where a game has none.")
@click.option("--levels", help="For luck against skill, the weakest first. Default: random,policy:2,policy:8,policy.")
@of_options
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path("report"), show_default=True)
@click.option("--house", default="http://127.0.0.1:8000", show_default=True, help="Where games are played back.")
@click.option("--language", type=click.Choice(LANGUAGES), help="Shown first. Default: yours, if it is one of them.")
@on_cluster
@of_cores
@click.option("--json", "as_json", is_flag=True, help="Print every figure, too.")
def report(
    games: tuple[Game, ...],
    players: tuple[int, ...],
    many: int,
    seed: int,
    bots: str | None,
    levels: str | None,
    options: tuple[str, ...],
    out: Path,
    house: str,
    language: str | None,
    cores: int | None,
    as_json: bool,
) -> None:
    """Play many games of each GAME and write what they tell as one page, OUT/report.html."""
    from courtly.lab.report import gathered
    from courtly.lab.report.page import Page
    from courtly.lab.report.page import as_json as told
    from courtly.review.said import reader

    wanted = [gathered.wished(game, players, many, seed, bots, dict(map(option, options)), levels) for game in games]
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / "report.html").touch()
    except OSError as wrong:
        fail(f"{out}: {wrong.strerror}")
    found = []
    try:
        for asked in wanted:
            compiled(find_game(asked.game), partial(gathered.check, asked))
            with click.progressbar(length=gathered.work(asked), label=asked.game, file=sys.stderr) as bar:
                found.append((asked, list(gathered.gather(asked, cores, bar.update))))
    except (ValueError, LookupError) as wrong:
        fail(str(wrong))
    figures = told(found)
    try:
        (out / "report.html").write_text(Page(found, language or reader(), house).html(), encoding="utf-8")
        (out / "report.json").write_text(figures, encoding="utf-8")
        for asked, tables in found:
            for name, text in gathered.records(asked, tables):
                (out / name).write_text(text, encoding="utf-8")
    except OSError as wrong:
        fail(f"{out}: {wrong.strerror}")
    click.echo(figures if as_json else out / "report.html", nl=not as_json)


# --- bots beside each other -------------------------------------------------------------------------------------------


def of_contest(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of what bots are asked by playing each other. They arrive as what `questioned` takes."""
    odds = click.FloatRange(0, 0.5, min_open=True, max_open=True)
    options = (
        of_players,
        click.option("--games", default=10_000, show_default=True, type=click.IntRange(1), help="At most."),
        click.option("--elo", default="0,30", show_default=True, help="By so many points, or by so many: LOW,HIGH."),
        click.option("--alpha", default=0.05, show_default=True, type=odds, help="How often it may be said wrongly."),
        click.option("--beta", default=0.05, show_default=True, type=odds, help="How often it may be missed."),
        of_seed,
        of_options,
        of_cores,
        on_cluster,
        click.option(
            "--out", type=click.Path(file_okay=False, path_type=Path), help="Keep the games; go on with those there."
        ),
        of_json,
    )
    for given in reversed(options):
        command = given(command)
    return command


def questioned(
    game: Game,
    bots: Sequence[str],
    players: int | None,
    games: int,
    elo: tuple[float, float],
    alpha: float,
    beta: float,
    seed: int,
    options: tuple[str, ...],
) -> Question:
    """The question that these options ask, looked through and compiled."""
    if missing := [name for name in ("choix", "numba", "openskill", "scipy") if not _found(name)]:
        fail(f'there is no {missing[0]}: pip install "courtly[lab]"')
    from courtly.lab.arena import Question
    from courtly.lab.contest import plain, prepare
    from courtly.lab.sprt import Asked

    number = players or game.players[0]
    if number not in game.players:
        fail(f"{game.id} is for {', '.join(map(str, game.players))} players, not {number}")
    for name in bots:
        if bots.count(name) > 1:
            fail(f"{name} is named twice: what is the same need not be compared")
    if elo[0] >= elo[1]:
        fail(f"{elo[0]:g} points are not less than {elo[1]:g}")
    asked = Question(game, tuple(bots), number, games, Asked(*elo, alpha, beta), seed, dict(map(option, options)))
    try:
        game.State(players=number, **asked.options)
        compiled(game, lambda: prepare(game, bots))
    except (ValueError, LookupError) as wrong:
        fail(str(wrong))
    if slow := plain(game, bots):
        click.echo(f"in plain Python, and so slow: {', '.join(slow)}", err=True)
    return asked


def _two(value: str) -> tuple[float, float]:
    """LOW,HIGH as numbers."""
    try:
        low, high = map(float, value.split(","))
    except ValueError:
        raise click.BadParameter(f"{value!r} is not LOW,HIGH, such as 0,30") from None
    return low, high


def _asked(
    question: Question,
    of: Callable[..., Any],
    lines: Callable[..., list[str]],
    out: Path | None,
    cores: int | None,
    as_json: bool,
) -> None:
    """Have it answered, and tell it."""
    from concurrent.futures.process import BrokenProcessPool

    from courtly.lab.arena import as_json as told

    try:
        if out:
            out.mkdir(parents=True, exist_ok=True)
        with click.progressbar(length=question.games, label=question.game.id, file=sys.stderr) as bar:
            found = of(question, out / "games.jsonl" if out else None, cores, bar.update)
        text = json.dumps(told(question, found))
        if out:
            (out / "result.json").write_text(text + "\n", encoding="utf-8")
    except OSError as wrong:
        fail(f"{wrong.filename or out}: {wrong.strerror}")
    except ValueError as wrong:
        fail(str(wrong))
    except BrokenProcessPool:
        fail("a process that played was ended; what it had not finished can be played again")
    for line in [text] if as_json else lines(question, found):
        click.echo(line)


@lab.command()
@click.argument("game", type=GameName())
@click.argument("bot")
@click.argument("other")
@of_contest
@click.option("--share", help="Instead of --elo: so much of the victories, or so much, such as 50,52 of 100.")
def match(
    game: Game,
    bot: str,
    other: str,
    elo: str,
    share: str | None,
    out: Path | None,
    cores: int | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Is BOT better than OTHER? They play until that is certain: BOT alone among OTHERs, every deal from every seat.

    Asked is whether it is better by the HIGH number of points of --elo rather than the LOW one, as those who develop
    engines ask it (SPRT on paired games).
    """
    points = _two(elo)
    if share:
        from courtly.lab.arena import between_two
        from courtly.lab.sprt import elo_of

        players = options["players"] or game.players[0]
        low, high = (part / 100 for part in _two(share))
        if not 0 < low < high < 1:
            fail(f"{share} are not two shares of 100, the lower one first")
        points = elo_of(between_two(low, players)), elo_of(between_two(high, players))
    question = questioned(game, (bot, other), elo=points, **options)
    from courtly.lab.arena import match as of
    from courtly.lab.arena import match_lines

    _asked(question, of, match_lines, out, cores, as_json)


@lab.command()
@click.argument("game", type=GameName())
@click.option("--bots", required=True, help="Two or more, with commas, such as random,policy,squire,knight.")
@of_contest
def arena(game: Game, bots: str, elo: str, out: Path | None, cores: int | None, as_json: bool, **options: Any) -> None:
    """Let bots meet each other until the order is certain: who is better than whom, or that neither is by HIGH points.

    Every deal is played from every seat. --alpha and --beta are of the whole table: how often anything of the order may
    be told wrongly.
    """
    names = bots.split(",")
    if len(names) < 2:
        fail(f"{bots} would be alone: name two bots or more")
    question = questioned(game, names, elo=_two(elo), **options)
    from courtly.lab.arena import arena as of
    from courtly.lab.arena import arena_lines

    _asked(question, of, arena_lines, out, cores, as_json)


# --- other numbers ----------------------------------------------------------------------------------------------------


@lab.command()
@click.argument("game", type=GameName())
@of_plan
@click.option(
    "--components",
    "files",
    type=click.Path(path_type=Path),
    metavar="FILE",
    multiple=True,
    help="A component file to compare with the game's own; may be repeated.",
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for what was found.")
@of_json
def compare(
    game: Game,
    players: int | None,
    games: int,
    seed: int,
    bots: str | None,
    options: tuple[str, ...],
    cores: int | None,
    files: tuple[Path, ...],
    out: Path | None,
    as_json: bool,
) -> None:
    """Play variants of GAME with the same seeds and say what differs.

    An --option that is named several times makes a variant of each value, a component file one besides the game's own.
    The others are compared with the first; * marks what can be told from no difference, by 95 % intervals.
    """
    from courtly.lab import compare as work

    plan = planned(game, players, games, seed, bots, ())
    try:
        compared = work.variants(plan, map(option, options), files)
        tallies = []
        for variant in compared:
            with click.progressbar(length=games, label=variant.name, file=sys.stderr) as bar:
                tallies.append(work.tallied(variant.plan, cores, bar.update))
    except (ValueError, LookupError) as wrong:
        fail(str(wrong))
    comparison = work.Comparison(compared, tallies)
    if out or as_json:
        told = json.dumps(comparison.as_json(), indent=1)
    if out:
        kept(out, "comparison.json", told)
    if as_json:
        click.echo(told)
        return
    for line in work.lines(comparison):
        click.echo(line)


@lab.command()
@click.argument("game", type=GameName())
@of_plan
@of_components
@click.option(
    "--parameter",
    "apart",
    multiple=True,
    metavar="PATH",
    help='Numbers to search, each place by itself, such as "cards.*.cost"; "=0.5..2" behind it: how far they may go.',
)
@click.option("--together", multiple=True, metavar="PATH", help="The same, but all that is named grows by one factor.")
@click.option("--goal", "goals", multiple=True, required=True, help='Such as "length 60..90" or "seats within 1%".')
@click.option("--trials", default=150, show_default=True, type=click.IntRange(1))
@click.option(
    "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder for what is tried and found."
)
@of_json
def tune(
    game: Game,
    players: int | None,
    games: int,
    seed: int,
    bots: str | None,
    options: tuple[str, ...],
    cores: int | None,
    components: Path | None,
    apart: tuple[str, ...],
    together: tuple[str, ...],
    goals: tuple[str, ...],
    trials: int,
    out: Path,
    as_json: bool,
) -> None:
    """Search numbers of GAME's component file toward goals, and write a file with the best.

    Broken off, the same command goes on where it was.
    """
    from courtly.lab import tune as work
    from courtly.lab.components import given, own
    from courtly.lab.goals import goal
    from courtly.lab.parameters import Numbers
    from courtly.lab.pieces import is_native
    from courtly.lab.tally import component_names

    named = (
        [f'--parameter "{p}"' for p in apart]
        + [f'--together "{p}"' for p in together]
        + [f'--goal "{g}"' for g in goals]
    )
    command = " ".join([f"courtly lab tune {game.id}", *named])
    plan = planned(game, players, games, seed, bots, options)
    if not is_native(plan):
        fail("a search needs bots that play as machine code: random or policy, and courtly[native]")
    try:
        numbers = Numbers(given(game, components) if components else own(game))
        parameters = numbers.parameters(apart, together)
        aims = [goal(text, component_names(game)) for text in goals]
        with work.Search(plan, numbers, parameters, aims, out, command) as search:
            with click.progressbar(length=trials, label=f"{game.id}: trials", file=sys.stderr) as bar:
                found = search.run(trials, cores, bar.update)
            written = search.write(found)
    except KeyboardInterrupt:
        fail(f"stopped; {out} keeps what was tried, the same command goes on")
    except OSError as wrong:
        fail(f"{wrong.filename or out}: {wrong.strerror}")
    except ValueError as wrong:
        fail(str(wrong))
    if as_json:
        click.echo(json.dumps(search.as_json(found)))
        return
    for line in search.told(found):
        click.echo(line)
    click.echo(f"{written} holds these numbers")


def kept(out: Path, name: str, text: str) -> None:
    """Write a file of what was found, whole or not at all."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        half = out / f"{name}.part"
        half.write_text(text + "\n", encoding="utf-8")
        half.replace(out / name)
    except OSError as wrong:
        fail(f"{out / name}: {wrong.strerror}")


# --- one position ----------------------------------------------------------------------------------------------------


@lab.command()
@click.argument("game", type=GameName())
@click.option(
    "--record",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A game that was played. Without it one is simulated, as courtly lab play has it.",
)
@click.option("--ply", required=True, type=click.IntRange(0), help="How many moves and random events were made before.")
@click.option("--seat", type=click.IntRange(0), help="Who looks at it. Default: who is to decide.")
@click.option("--bots", help="Who plays on: one for all seats, or one for each. Default: policy, or random.")
@click.option("--worlds", default=1000, show_default=True, type=click.IntRange(2), help="Each move is tried in each.")
@of_seed
@click.option("--number", default=0, show_default=True, type=click.IntRange(0, 2**28 - 1), help="Of a seed's games.")
@click.option("--players", type=int, help="Of a simulated game. Default: the fewest.")
@click.option("--played", help="Who played a simulated game, as in courtly lab play.")
@click.option("--option", "options", multiple=True, help="Of a simulated game: a table option, NAME=NUMBER.")
@on_cluster
@of_cores
@click.option("--language", type=click.Choice(LANGUAGES), help="Default: yours, if it is one of them.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="A file for what --json tells.")
@of_json
def probe(
    game: Game,
    record: Path | None,
    ply: int,
    seat: int | None,
    bots: str | None,
    worlds: int,
    seed: int,
    number: int,
    players: int | None,
    played: str | None,
    options: tuple[str, ...],
    cores: int | None,
    language: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Examine one position: what each move wins, in many worlds that its seat cannot tell apart."""
    if missing := [name for name in ("fluent.runtime", "numba", "scipy") if not _found(name)]:
        fail(f'there is no {missing[0]}: pip install "courtly[lab]"')
    from courtly.lab import probe as of
    from courtly.lab.contest import plain, prepare
    from courtly.lab.recorded import recorded
    from courtly.lab.report.gathered import usual_bot
    from courtly.review.said import DEVICES, Words, reader

    names: list[str] = []
    if record:
        match, names = replayed(record)
        if match.game is not game:
            fail(f"{record}: this is a game of {match.game.id}, not of {game.id}")
    else:
        match = recorded(planned(game, players, 1, seed, played, options), number)
    playing = (bots or usual_bot(game)).split(",")
    playing *= match.players if len(playing) == 1 else 1
    if len(playing) != match.players:
        fail(f"{match.players} players need one bot or {match.players}, not {len(playing)}")
    try:
        view = of.view_of(of.position_at(match, ply), seat)
        compiled(game, lambda: prepare(game, dict.fromkeys(playing)))
    except (ValueError, LookupError) as wrong:
        fail(str(wrong))
    if slow := plain(game, dict.fromkeys(playing)):
        click.echo(f"in plain Python, and so slow: {', '.join(slow)}", err=True)
    many = worlds * max(1, len(view["legal"]))
    with click.progressbar(length=many, label=game.id, file=sys.stderr) as bar:
        found = of.probe(game, view, ply, tuple(playing), worlds, seed, cores, bar.update)
    told = json.dumps(of.as_json(game, found))
    try:
        if out:
            out.write_text(told + "\n", encoding="utf-8")
    except OSError as wrong:
        fail(f"{out}: {wrong.strerror}")
    if as_json:
        click.echo(told)
        return
    spoken = language or reader()
    words = Words(game, spoken)
    called = [name or words.say(f"device-{DEVICES[i]}") for i, name in enumerate(names or [""] * match.players)]
    for line in of.lines(game, found, called, spoken):
        click.echo(line)


def _found(module: str) -> bool:
    """Can it be imported?"""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # what it would be part of is not there either
        return False
