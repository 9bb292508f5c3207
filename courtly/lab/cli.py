"""`courtly lab`: the commands of the laboratory. Each command imports what it needs inside its function."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial, reduce
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from courtly.cli_common import (
    GameName,
    compile_with_progress,
    cores_option,
    fail,
    json_option,
    options_option,
    parse_option,
    players_option,
    replay_record,
    say,
    seed_option,
)
from courtly.engine.constants import LANGUAGES
from courtly.engine.game import Game, find_game

if TYPE_CHECKING:
    from courtly.lab.plan import Components, Plan
    from courtly.lab.strength.arena import Contest


MAX_GAMES_PER_SEED = 1 << 28  # game numbers are below this, since random streams of seats use the bits above


class LabGroup(click.Group):
    """A group that reports missing libraries and clusters as one line."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. Raises ClickException if a library is missing or the cluster is unavailable."""
        from courtly.lab.execution.ray_cluster import ClusterUnavailableError

        try:
            return super().invoke(ctx)
        except ClusterUnavailableError as error:
            fail(str(error))
        except ModuleNotFoundError as error:
            if not error.name or error.name.startswith("courtly"):
                raise
            fail(f'{error.name} is not installed: pip install "courtly[lab]"')


@click.group(cls=LabGroup)
def lab() -> None:
    """Play many games and measure balance, length, luck and strategy."""


@contextmanager
def exit_with_message(out: Path | None = None, describe_saved: Callable[[], str] | None = None) -> Iterator[None]:
    """Report errors and interruptions of a command as one line, with what the folder `out` keeps.
    `describe_saved` describes it."""
    from concurrent.futures.process import BrokenProcessPool

    from courtly.lab.execution.ray_cluster import ClusterUnavailableError

    def saved_work() -> str:
        has_files = out and any(path.is_file() for path in out.rglob("*"))
        return (
            f"; {describe_saved() if describe_saved else f'progress is saved in {out}'}: the same command resumes"
            if has_files
            else ""
        )

    try:
        yield
    except KeyboardInterrupt:
        fail(f"stopped{saved_work()}")
    except BrokenProcessPool:
        fail(f"a worker process was killed{saved_work()}")
    except ClusterUnavailableError as error:
        fail(f"{error}{saved_work()}")
    except OSError as error:
        fail(f"{error.filename or out}: {error.strerror or error}{saved_work()}")
    except (ValueError, LookupError) as error:
        fail(str(error))


def _choose_cluster(ctx: click.Context, param: click.Parameter, address: str | None) -> None:
    from courtly.lab.execution.ray_cluster import choose_cluster

    choose_cluster(address)


# options of several commands
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
game_argument = click.argument("game", type=GameName())
cluster_option = click.option(
    "--on",
    metavar="CLUSTER",
    expose_value=False,
    is_eager=True,
    callback=_choose_cluster,
    help="Ray cluster to play on: ray starts one on this machine, ray://host:port joins one.",
)
components_option = click.option(
    "--components",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Component file to use instead of the game's own, with the same structure.",
)


def count_option(name: str, default: int, limits: click.IntRange, text: str) -> Decorator:
    """Return an option for a number. `text`: its help."""
    return click.option(*name.split(), default=default, show_default=True, type=limits, help=text)


def out_option(text: str, **settings: Any) -> Decorator:
    """Return the option for the folder of the results. `text`: its help."""
    return click.option("--out", type=click.Path(file_okay=False, path_type=Path), help=text, **settings)


def language_option(text: str) -> Decorator:
    """Return the option for a language. `text`: the beginning of its help."""
    return click.option("--language", type=click.Choice(LANGUAGES), help=f"{text} Default: your locale's, or English.")


def join_options(*options: Decorator) -> Decorator:
    """Return a decorator that adds several options."""
    return lambda command: reduce(lambda decorated, option: option(decorated), reversed(options), command)


# the options that define a plan; they arrive as the arguments of `make_plan`, except the last two
plan_options = join_options(
    players_option,
    count_option("--games", 1000, click.IntRange(1, MAX_GAMES_PER_SEED), "Number of games."),
    seed_option,
    click.option(
        "--bots", help="Comma-separated bots, one per seat; a single one plays every seat. Default: random moves."
    ),
    options_option,
    cores_option,
    cluster_option,
)


def make_plan(
    game: Game,
    players: int | None,
    games: int,
    seed: int,
    bots: str | None,
    options: tuple[str, ...],
    components: Path | None = None,
) -> Plan:
    """Return the plan for these options, checked and compiled. Ends the command if the plan is not valid."""
    from courtly.engine.native import loader
    from courtly.lab.plan import Plan
    from courtly.lab.runs.batch_runner import check_plan
    from courtly.lab.runs.component_override import load_components, name_file_in_errors

    number = players or game.players[0]
    names = tuple(bots.split(",")) if bots else None
    names = names * number if names and len(names) == 1 else names
    plan = Plan(
        game.id,
        number,
        games,
        seed,
        dict(map(parse_option, options)),
        None if names and {*names} == {"random"} else names,
    )
    try:
        if components:
            plan = plan._replace(components=load_components(game, components))
        with name_file_in_errors(components):
            compile_with_progress(game, lambda: check_plan(plan))
        slow_bots = warn_of_slow_bots(game, plan.bots or ())
    except (ValueError, LookupError) as error:
        fail(str(error))
    if not slow_bots and (obstacle := loader.find_obstacle(loads_llvm=True)):
        say(f"playing interpreted (slow): {obstacle}", err=True)
    return plan


def warn_of_slow_bots(game: Game, bots: Iterable[str]) -> bool:
    """Print a warning if some of these bots are not compiled. Return whether there are any."""
    from courtly.lab.strength.match_runner import python_bots

    slow_bots = python_bots(game, dict.fromkeys(bots))
    if slow_bots:
        say(f"slow, because not compiled: {', '.join(slow_bots)}", err=True)
    return bool(slow_bots)


def require_modules(*names: str) -> None:
    """End the command if one of these modules cannot be imported."""
    for name in names:
        try:
            is_installed = find_spec(name) is not None
        except ModuleNotFoundError:  # the parent package is missing
            is_installed = False
        if not is_installed:
            fail(f'{name} is not installed: pip install "courtly[lab]"')


@lab.command()
@game_argument
@plan_options
@components_option
@out_option("Folder of the data set. Default: games-GAME.")
@click.option("--decisions", is_flag=True, help="Store every decision, too.")
@json_option
def play(
    game: Game,
    games: int,
    cores: int | None,
    components: Path | None,
    out: Path | None,
    decisions: bool,
    as_json: bool,
    **plan_args: Any,
) -> None:
    """Play many games and write a data set (Parquet files).

    After an interruption the same command resumes.
    """
    from courtly.lab.dataset import DataSet, summarize
    from courtly.lab.runs.batch_runner import run_logged_batches

    plan = make_plan(game, games=games, components=components, **plan_args)
    out = out or Path(f"games-{game.id}")
    data = None
    with exit_with_message(out, lambda: f"{data.games if data else 0} of {games} games are saved"):
        data = DataSet.create_or_resume(out, plan, decisions)
        with click.progressbar(length=games - data.games, label=game.id, file=sys.stderr) as bar:
            for batch, log in run_logged_batches(plan, decisions, cores=cores, skipped=data.complete_parts):
                data.write_batch(batch, log)
                bar.update(batch.games)
        summary = summarize(data)
    if as_json:
        say(json.dumps(summary))
        return
    say(f"{out}: {games} games, {summary['decisions'] / games:.1f} decisions on average")
    for seat, (bot, wins, points) in enumerate(zip(summary["bots"], summary["wins"], summary["points"], strict=True)):
        say(f"seat {seat} ({bot}): {wins / games:.1%} wins, {points:.1f} points on average")


@lab.command()
@click.argument("games", nargs=-1, required=True, type=GameName(), metavar="GAME…")
@click.option(
    "--players", type=int, multiple=True, help="Number of players; may be repeated. Default: every possible number."
)
@count_option(
    "--games number", 10_000, click.IntRange(2, MAX_GAMES_PER_SEED), "Number of games for each number of players."
)
@seed_option
@click.option("--bots", help="The bot that plays every seat. Default: policy, or random if a game has no policy.")
@click.option(
    "--levels",
    help="Comma-separated bots for the analysis of luck and skill, weakest first. "
    "Default: random,policy:2,policy:8,policy, or random,squire if a game has no policy.",
)
@options_option
@components_option
@out_option("Folder of the report.", default=Path("report"), show_default=True)
@click.option(
    "--server", default="http://127.0.0.1:8000", show_default=True, help="URL of the server that replays games."
)
@language_option("Language shown first.")
@cluster_option
@cores_option
@click.option("--json", "as_json", is_flag=True, help="Print every figure as JSON.")
def report(
    games: tuple[Game, ...],
    players: tuple[int, ...],
    number: int,
    seed: int,
    bots: str | None,
    levels: str | None,
    options: tuple[str, ...],
    components: Path | None,
    out: Path,
    server: str,
    language: str | None,
    cores: int | None,
    as_json: bool,
) -> None:
    """Play many games and write a report, OUT/report.html.

    After an interruption the same command resumes.
    """
    from courtly.lab.report import collect
    from courtly.lab.report.game_report import GameReport
    from courtly.lab.report.game_report import as_json as figures_as_json
    from courtly.lab.runs.batch_runner import with_components
    from courtly.lab.runs.checkpoint import SUMS_FOLDER, write_atomically
    from courtly.review.text import detect_language

    if components and len(games) > 1:
        fail(f"--components fits a single game, not {', '.join(game.id for game in games)}")
    with exit_with_message(out), with_components(games[0], components) as (first, file):
        (out / SUMS_FOLDER).mkdir(parents=True, exist_ok=True)
        option_values = dict(map(parse_option, options))
        requests = [
            collect.make_request(game, players, number, seed, bots, option_values, levels, file)
            for game in (first, *games[1:])
        ]
        results = []
        for request in requests:
            compile_with_progress(find_game(request.game), partial(collect.check_request, request))
            with click.progressbar(length=collect.count_games(request), label=request.game, file=sys.stderr) as bar:
                results.append((request, list(collect.collect_report(request, cores, bar.update, out))))
        figures = figures_as_json(results)
        write_atomically(
            out / "report.html", GameReport(results, language or detect_language(), server).html().encode()
        )
        write_atomically(out / "report.json", figures.encode())
        for request, tables in results:
            for name, text in collect.record_files(request, tables):
                write_atomically(out / name, text.encode())
    say(figures.rstrip("\n") if as_json else out / "report.html")


# --- contests between bots --------------------------------------------------------------------------------------------


ERROR_PROBABILITIES = click.FloatRange(0, 0.5, min_open=True, max_open=True)
# the options of contests; they arrive as the arguments of `_run_contest`
contest_options = join_options(
    players_option,
    count_option("--games", 10_000, click.IntRange(1), "Largest number of games."),
    click.option("--elo", default="0,30", show_default=True, help="Elo bounds of the two hypotheses, as LOW,HIGH."),
    click.option(
        "--alpha", default=0.05, show_default=True, type=ERROR_PROBABILITIES, help="Type I error probability."
    ),
    click.option(
        "--beta", default=0.05, show_default=True, type=ERROR_PROBABILITIES, help="Type II error probability."
    ),
    seed_option,
    options_option,
    components_option,
    cores_option,
    cluster_option,
    out_option("Folder of the games and results; games in it are not played again."),
    json_option,
)


def make_contest(
    game: Game,
    bots: Sequence[str],
    players: int | None,
    games: int,
    elo: tuple[float, float],
    alpha: float,
    beta: float,
    seed: int,
    options: tuple[str, ...],
    components: Components | None,
) -> Contest:
    """Return the contest for these options, checked and compiled. Ends the command if it is not valid."""
    from courtly.lab.statistics.sprt import EloHypotheses
    from courtly.lab.strength.arena import Contest
    from courtly.lab.strength.match_runner import prepare_bots

    number = players or game.players[0]
    if number not in game.players:
        fail(f"{game.id} is for {', '.join(map(str, game.players))} players, not {number}")
    for name in bots:
        if bots.count(name) > 1:
            fail(f"{name} is named twice: name different bots")
    if elo[0] >= elo[1]:
        fail(f"--elo {elo[0]:g},{elo[1]:g}: the first bound must be less than the second")
    option_values = dict(map(parse_option, options))
    contest = Contest(
        game, tuple(bots), number, games, EloHypotheses(*elo, alpha, beta), seed, option_values, components
    )
    game.State(players=number, **contest.options)
    compile_with_progress(game, lambda: prepare_bots(game, bots))
    warn_of_slow_bots(game, bots)
    return contest


def _parse_bounds(value: str) -> tuple[float, float]:
    """Parse LOW,HIGH. Raises click.BadParameter."""
    try:
        low, high = map(float, value.split(","))
    except ValueError:
        raise click.BadParameter(f"{value!r} is not LOW,HIGH, such as 0,30") from None
    return low, high


def _run_contest(
    game: Game,
    bots: Sequence[str],
    elo: tuple[float, float],
    all_pairs: bool,
    out: Path | None,
    components: Path | None,
    cores: int | None,
    as_json: bool,
    **contest_args: Any,
) -> None:
    """Run a contest with a progress bar and print its result. With `all_pairs` every bot meets every other, else the
    first bot plays alone among copies of the second."""
    require_modules("choix", "llvmlite", "openskill", "scipy")
    from courtly.lab.runs.batch_runner import with_components
    from courtly.lab.runs.checkpoint import write_atomically
    from courtly.lab.strength import arena

    with exit_with_message(out), with_components(game, components) as (changed_game, file):
        contest = make_contest(changed_game, bots, elo=elo, components=file, **contest_args)
        if out:
            out.mkdir(parents=True, exist_ok=True)
        games_file = out / "games.jsonl" if out else None
        with click.progressbar(length=contest.games, label=game.id, file=sys.stderr) as bar:
            run: Callable[..., Any] = arena.run_arena if all_pairs else arena.run_match
            result = run(contest, games_file, cores, bar.update)
        text = json.dumps(arena.as_json(contest, result))
        if out:
            write_atomically(out / "result.json", f"{text}\n".encode())
        lines: Callable[..., list[str]] = arena.arena_lines if all_pairs else arena.match_lines
        for line in [text] if as_json else lines(contest, result):
            say(line)


@lab.command()
@game_argument
@click.argument("bot")
@click.argument("other")
@contest_options
@click.option("--share", help="Win shares of the two hypotheses in percent, as LOW,HIGH; replaces --elo.")
def match(
    game: Game, bot: str, other: str, elo: str, share: str | None, players: int | None, **contest_args: Any
) -> None:
    """Test whether BOT is better than OTHER.

    BOT plays alone among copies of OTHER, each deal from every seat. A sequential probability ratio test (SPRT, as in
    chess engine testing) decides between the two bounds of --elo.
    """
    bounds = _parse_bounds(elo)
    if share:
        from courtly.lab.statistics.sprt import elo_of
        from courtly.lab.strength.arena import pairwise_share

        low, high = (part / 100 for part in _parse_bounds(share))
        if not 0 < low < high < 1:
            fail(f"--share {share}: expected LOW,HIGH with 0 < LOW < HIGH < 100")
        number = players or game.players[0]
        bounds = elo_of(pairwise_share(low, number)), elo_of(pairwise_share(high, number))
    _run_contest(game, (bot, other), bounds, all_pairs=False, players=players, **contest_args)


@lab.command()
@game_argument
@click.option("--bots", required=True, help="Two or more comma-separated bots, such as random,policy,squire,knight.")
@contest_options
def arena(game: Game, bots: str, elo: str, **contest_args: Any) -> None:
    """Rank bots by playing until their order is decided.

    Every deal is played from every seat. It is decided for each pair which is better, or that neither is better by HIGH
    Elo points. --alpha and --beta apply to the whole table: the probability that any of its verdicts is wrong.
    """
    names = bots.split(",")
    if len(names) < 2:
        fail(f"--bots {bots}: name at least two bots")
    _run_contest(game, names, _parse_bounds(elo), all_pairs=True, **contest_args)


# --- designing --------------------------------------------------------------------------------------------------------


@lab.command()
@game_argument
@plan_options
@click.option(
    "--components",
    "files",
    type=click.Path(path_type=Path),
    metavar="FILE",
    multiple=True,
    help="Component file to compare with the game's own; may be repeated.",
)
@out_option("Folder of the page and its figures.")
@language_option("Language shown first.")
@json_option
def compare(
    game: Game,
    games: int,
    options: tuple[str, ...],
    cores: int | None,
    files: tuple[Path, ...],
    out: Path | None,
    language: str | None,
    as_json: bool,
    **plan_args: Any,
) -> None:
    """Compare variants of GAME, played with the same seeds.

    An --option given several times makes a variant for each value; each component file makes one besides the game's
    own. Later variants are compared with the first; * marks differences whose 95 % interval excludes 0. With --out the
    comparison is also a page, OUT/comparison.html, and after an interruption the same command resumes.
    """
    from courtly.lab.design import compare as work
    from courtly.lab.report.comparison_report import ComparisonReport
    from courtly.lab.runs.checkpoint import accumulate, write_atomically
    from courtly.lab.runs.component_override import name_file_in_errors
    from courtly.lab.statistics.game_measures import GameMeasures
    from courtly.review.text import detect_language

    plan = make_plan(game, games=games, options=(), **plan_args)
    with exit_with_message(out):
        if out:
            out.mkdir(parents=True, exist_ok=True)
        compared, outcomes = work.make_variants(plan, map(parse_option, options), files), list[GameMeasures]()
        for variant in compared:
            with name_file_in_errors(variant.file):
                names = work.plan_component_names(variant.plan)
                outcomes.append(GameMeasures(variant.plan.players, names, games))
        for variant, outcome in zip(compared, outcomes, strict=True):
            with click.progressbar(length=games, label=variant.name, file=sys.stderr) as bar:
                accumulate(outcome, variant.plan, folder=out, cores=cores, report_progress=bar.update)
        comparison = work.Comparison(compared, outcomes)
        text = json.dumps(comparison.as_json(), indent=1)
        if out:
            page = ComparisonReport(comparison, outcomes, language or detect_language())
            write_atomically(out / "comparison.json", f"{text}\n".encode())
            write_atomically(out / "comparison.html", page.html().encode())
    if as_json:
        say(text)
        return
    for line in work.comparison_lines(comparison):
        say(line)
    if out:
        say(out / "comparison.html")


@lab.command()
@game_argument
@plan_options
@components_option
@click.option(
    "--parameter",
    "apart",
    multiple=True,
    metavar="PATH",
    help='Numbers to search, each place on its own, such as "cards.*.cost"; a suffix "=0.5..2" limits the factors.',
)
@click.option("--together", multiple=True, metavar="PATH", help="Numbers to search, all places scaled by one factor.")
@click.option(
    "--goal",
    "goals",
    multiple=True,
    required=True,
    help='Measure and range, such as "length 60..90" or "seats within 1%"; may be repeated.',
)
@count_option("--trials", 150, click.IntRange(1), "Number of trials.")
@out_option("Folder of the trials and results.", required=True)
@json_option
def tune(
    game: Game,
    cores: int | None,
    components: Path | None,
    apart: tuple[str, ...],
    together: tuple[str, ...],
    goals: tuple[str, ...],
    trials: int,
    out: Path,
    as_json: bool,
    **plan_args: Any,
) -> None:
    """Search for component numbers of GAME that meet goals.

    The best are written as a component file. After an interruption the same command resumes.
    """
    from courtly.lab.design import tune as work
    from courtly.lab.design.compare import plan_component_names
    from courtly.lab.design.goals import parse_goal
    from courtly.lab.design.parameters import ComponentNumbers
    from courtly.lab.runs.batch_runner import is_native
    from courtly.lab.runs.component_override import load_components, name_file_in_errors, own_components

    selected = (
        [f'--parameter "{p}"' for p in apart]
        + [f'--together "{p}"' for p in together]
        + [f'--goal "{g}"' for g in goals]
    )
    command = " ".join([f"courtly lab tune {game.id}", *selected])
    plan = make_plan(game, **plan_args)
    if not is_native(plan):
        fail('a search needs compiled bots (random or policy) and llvmlite: pip install "courtly[lab]"')
    with exit_with_message(out):
        component_file = load_components(game, components) if components else own_components(game)
        numbers = ComponentNumbers(component_file)
        parameters = numbers.parameters(apart, together)
        with name_file_in_errors(components):
            names = plan_component_names(plan._replace(components=component_file if components else None))
        aims = [parse_goal(text, names) for text in goals]
        with work.TuneSearch(plan, numbers, parameters, aims, out, command) as search:
            with click.progressbar(length=trials, label=f"{game.id}: trials", file=sys.stderr) as bar:
                result = search.run(trials, cores, bar.update)
            file = search.write(result)
    if as_json:
        say(json.dumps(search.as_json(result)))
        return
    for line in search.result_lines(result):
        say(line)
    say(f"wrote {file}")


# --- one position ----------------------------------------------------------------------------------------------------


@lab.command()
@game_argument
@click.option(
    "--record",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Record of a game. Default: a game is simulated as by courtly lab play.",
)
@click.option("--ply", required=True, type=click.IntRange(0), help="Number of earlier moves and random events.")
@click.option("--seat", type=click.IntRange(0), help="Seat that examines the position. Default: the seat to move.")
@click.option(
    "--bots", help="Comma-separated bots that play on, one per seat or one for all. Default: policy, or random."
)
@count_option("--worlds", 1000, click.IntRange(2), "Number of worlds; each move is played in each.")
@seed_option
@count_option("--number", 0, click.IntRange(0, MAX_GAMES_PER_SEED - 1), "Number of the simulated game.")
@click.option("--players", type=int, help="Number of players of the simulated game. Default: the fewest.")
@click.option("--played", help="Bots that played the simulated game, as --bots of courtly lab play.")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=NUMBER",
    help="Table option of the simulated game; may be repeated.",
)
@components_option
@cluster_option
@cores_option
@language_option("Language of the output.")
@out_option("Folder of the results.")
@json_option
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
    components: Path | None,
    cores: int | None,
    language: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Measure what each move of one position wins.

    Every move is played to the end in many worlds that the seat cannot tell apart. With --out, after an interruption
    the same command resumes.
    """
    require_modules("fluent.runtime", "llvmlite", "scipy")
    if components and record:
        fail("--components applies to a simulated game: use it without --record")
    from courtly.lab import position_probe
    from courtly.lab.report.collect import default_bot
    from courtly.lab.runs.batch_runner import with_components
    from courtly.lab.runs.checkpoint import write_atomically
    from courtly.lab.runs.record_game import play_recorded
    from courtly.lab.strength.match_runner import prepare_bots
    from courtly.review.text import SEAT_DEVICES, GameTexts, detect_language

    spoken, names, lines = language or detect_language(), list[str](), list[str]()
    with exit_with_message(out), with_components(game, components) as (changed_game, file):
        if record:
            match, names = replay_record(record)
            if match.game is not game:
                fail(f"{record}: this is a game of {match.game.id}, not of {game.id}")
        else:
            match = play_recorded(make_plan(changed_game, players, 1, seed, played, options, components), number)
        bot_names = (bots or default_bot(changed_game)).split(",")
        bot_names *= match.players if len(bot_names) == 1 else 1
        if len(bot_names) != match.players:
            fail(f"{match.players} players need one bot or {match.players}, not {len(bot_names)}")
        view = position_probe.view_of(position_probe.position_at(match, ply), seat)
        compile_with_progress(changed_game, lambda: prepare_bots(changed_game, dict.fromkeys(bot_names)))
        warn_of_slow_bots(changed_game, bot_names)
        if out:
            out.mkdir(parents=True, exist_ok=True)
        many = worlds * max(1, len(view["legal"]))
        with click.progressbar(length=many, label=game.id, file=sys.stderr) as bar:
            result = position_probe.probe(
                changed_game, view, ply, tuple(bot_names), worlds, seed, cores, bar.update, out, file
            )
        text = json.dumps(position_probe.as_json(changed_game, result))
        if out:
            write_atomically(out / "probe.json", f"{text}\n".encode())
        words = GameTexts(changed_game, spoken)
        command = [
            name or words.format(f"device-{SEAT_DEVICES[i]}") for i, name in enumerate(names or [""] * match.players)
        ]
        lines = [text] if as_json else list(position_probe.probe_lines(changed_game, result, command, spoken))
    for line in lines:
        say(line)
