"""The command line.

Each command imports what it needs inside its function, so that no command waits for the libraries of another.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from courtly import __version__
from courtly.cli_common import (
    CommandGroup,
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
from courtly.engine.game import Game, UnknownGameError, find_game, game_ids, log_warnings
from courtly.i18n.titles import read_title
from courtly.lab.cli import lab
from courtly.server.cli import backup, doctor, restore

if TYPE_CHECKING:
    from courtly.engine.match import Match
    from courtly.lab.plan import Plan


@click.group(cls=CommandGroup, invoke_without_command=True)
@click.version_option(__version__)
@click.pass_context
def main(context: click.Context) -> None:
    """Five games of the royal court at one table.

    Without a command: start the server and open the lobby in a browser, as `courtly serve` does.
    """
    if context.invoked_subcommand is None:
        context.invoke(serve)


@main.command()
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 admits your whole network."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="Port to listen on; 0 picks any free port. Default: 8000, or another if it is in use.",
)
@click.option(
    "--data", type=click.Path(path_type=Path), help="Folder of the server's data. Default: your user data folder."
)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option("--log-level", help="Least severe level to log: debug, info, warning (default) or error.")
@click.option("--workers", type=int, help="Number of worker processes; more than one needs PostgreSQL. Default: 1.")
@click.option("--dev", is_flag=True, help="Reload open pages when a game's source files change.")
def serve(
    host: str,
    port: int | None,
    data: Path | None,
    no_browser: bool,
    log_level: str | None,
    workers: int | None,
    dev: bool,
) -> None:
    """Start the server and open the lobby in a browser."""
    from courtly.server.persistence.engine import DatabaseUnusableError
    from courtly.server.process.serve import serve as run

    try:
        restart_port = run(host, port, data, not no_browser, log_level, dev, workers)
    except (DatabaseUnusableError, ValueError) as error:
        fail(str(error))
    if restart_port is not None:
        command = click.get_current_context().find_root()
        _restart_with([*([] if command.invoked_subcommand else ["serve"]), "--port", str(restart_port), "--no-browser"])


@main.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def site(folder: Path) -> None:
    """Write a static website with games against bots, lessons, rules and replays.

    The games run in the browser; any web server can host the FOLDER.
    """
    from courtly.server.http.static_site import write_site

    size = write_site(folder)
    say(f"{folder}: {size / 1e6:.0f} MB; any web server can host it at any address")


def _restart_with(options: list[str]) -> NoReturn:
    """Replace this process by the same command with these options appended, which override earlier ones."""
    arguments = sys.orig_argv[1:]
    program = [sys.executable, *arguments[: -len(options) if arguments[-len(options) :] == options else None], *options]
    if sys.platform == "win32":  # Windows cannot replace a process
        sys.exit(subprocess.call(program))
    os.execv(sys.executable, program)


@main.command()
@json_option
def games(as_json: bool) -> None:
    """List the installed games with their titles and options."""
    installed = [find_game(name) for name in game_ids()]
    log_warnings()
    if as_json:
        say(json.dumps([game.about() for game in installed], indent=1))
        return
    titles = [read_title(game.folder, game.id, LANGUAGES[0]) for game in installed]
    for game, title in zip(installed, titles, strict=True):
        players = f"{game.players[0]}-{game.players[-1]}"
        say(
            f"{game.id:12} {title:{max(map(len, titles))}}  version {game.version}  {players} players  "
            f"options: {', '.join(game.options) or 'none'}"
        )


@main.command()
@click.argument("game", type=GameName())
@players_option
@click.option("--games", default=1000, show_default=True, type=click.IntRange(1), help="Number of games.")
@seed_option
@click.option("--bots", help="Comma-separated bots, one per seat, such as squire,search:500. Default: random moves.")
@options_option
@cores_option
@click.option("--interpreted", is_flag=True, help="Do not compile the rules (slow).")
@click.option("--checked", is_flag=True, help="Check every index, integer range and loop bound at run time (slow).")
@json_option
def simulate(
    game: Game,
    players: int | None,
    games: int,
    seed: int,
    bots: str | None,
    options: tuple[str, ...],
    cores: int | None,
    interpreted: bool,
    checked: bool,
    as_json: bool,
) -> None:
    """Play many games and print who wins."""
    from courtly.bots.registry import find_bot, is_search_bot, warm_up_bot
    from courtly.lab.plan import Plan
    from courtly.lab.runs import simulate as lab
    from courtly.lab.runs.checked_rerun import play_trial_games

    plan = Plan(
        game.id,
        players or game.players[0],
        games,
        seed,
        dict(map(parse_option, options)),
        tuple(bots.split(",")) if bots else None,
        checked,
    )
    if interpreted and any(is_search_bot(game, name) for name in plan.bots or ()):
        fail("searching bots need compiled rules: remove --interpreted")
    if plan.bots and set(plan.bots) == {"random"} and len(plan.bots) == plan.players:
        plan = plan._replace(bots=None)
    try:
        for name in plan.bots or ():
            bot = find_bot(game, name)
            compile_with_progress(game, partial(warm_up_bot, bot))
        driver = None if interpreted or not plan.driver else _load_native_driver(game, plan)
        if not driver and not plan.bots:
            play_trial_games(plan)
        with click.progressbar(length=games, label=game.id, file=sys.stderr) as bar:
            result = lab.simulate(plan, interpreted=interpreted, cores=cores, driver=driver, report_progress=bar.update)
    except (ValueError, LookupError) as error:
        fail(str(error))
    if as_json:
        say(json.dumps(result))
        return
    form = "native" if result["native"] else "interpreted"
    say(
        f"{games} games, {result['decisions']} decisions in {result['seconds']} s: "
        f"{result['decisions_per_s']:,} decisions/s ({form})"
    )
    for seat, (bot, wins) in enumerate(zip(result["bots"], result["wins"], strict=True)):
        say(f"seat {seat} ({bot}): {wins:g} wins, {wins / games:.1%}")
    say(f"mean length {result['mean_length']} decisions; digest {result['digest'][:16]}")


def _load_native_driver(game: Game, plan: Plan) -> Any:
    """Return the plan's native driver, compiled with a progress line; None if the compiler is not installed."""
    from courtly.engine.native import loader
    from courtly.lab.runs.checked_rerun import play_trial_games
    from courtly.lab.runs.simulate import load_plan_driver, make_backend

    if obstacle := loader.find_obstacle(loads_llvm=True):
        say(f"playing interpreted (slow): {obstacle}", err=True)
        return None
    form = make_backend(game, plan)
    if form.fresh:
        play_trial_games(plan)
    drivers: list[Any] = []
    compile_with_progress(game, lambda: drivers.append(load_plan_driver(game, plan, form)))
    return drivers[0]


@main.command("check")
@click.argument("game", shell_complete=GameName().shell_complete)  # not a GameName: the game may fail to load
@click.option(
    "--tests",
    type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path),
    help="Folder with the game's scenarios, invariants, records and mistakes. Default: tests/ of its project.",
)
@click.option("--quick", "amount", flag_value="quick", help="Skip tests that compile the game or play many games.")
@click.option("--long", "amount", flag_value="long", help="Test the full number of games and positions.")
def check_game(game: str, tests: Path | None, amount: str | None) -> None:
    """Run the standard test suite on a game package.

    Prints one line per failure, with its file and line.
    """
    from courtly.engine.native import loader

    try:
        from courtly.testing.runner import run_checks
    except ModuleNotFoundError as error:
        fail(f'{error.name} is not installed: pip install "courtly[testing]"')
    if amount != "quick" and (obstacle := loader.find_obstacle(loads_llvm=True)):
        fail(f"{obstacle}, or use --quick to skip the tests that need machine code")
    options = {"quick": ["-m", "not thorough"], "long": ["--long"], None: []}
    try:
        sound = run_checks(game, tests, options[amount])
    except UnknownGameError as error:
        fail(str(error))
    sys.exit(not sound)


@main.command()
@click.argument("name")
@click.option("--japanese", metavar="TITLE", help="Japanese title. Default: the English title, derived from NAME.")
def new(name: str, japanese: str | None) -> None:
    """Create a package with a new game, in a folder NAME."""
    from courtly.scaffold import ScaffoldError, make_game

    try:
        make_game(name, Path(), japanese)
    except ScaffoldError as error:
        fail(str(error))
    steps = f"cd {name}", "pip install -e '.[test]'", f"courtly check {name}", "courtly serve"
    say("\n  ".join([f"created {name}; next:", *steps]))


@main.group()
def bots() -> None:
    """Measure the strength of bots."""


@bots.command()
@click.argument("game", type=GameName())
@click.option(
    "--players", type=int, multiple=True, help="Number of players; may be repeated. Default: the fewest and the most."
)
@click.option("--games", default=100, show_default=True, type=click.IntRange(1), help="Least number per pairing.")
@click.option(
    "--bots", "names", help="Comma-separated bots. Default: every level, and a master that sees hidden information."
)
@click.option(
    "--seed", default=1, show_default=True, type=click.IntRange(0, 2**63 - 1), help="Seed of all random numbers."
)
@click.option(
    "--file", type=click.Path(dir_okay=False, path_type=Path), help="File of games. Default: ladder-GAME.jsonl."
)
@cores_option
@json_option
def ladder(
    game: Game,
    players: tuple[int, ...],
    games: int,
    names: str | None,
    seed: int,
    file: Path | None,
    cores: int | None,
    as_json: bool,
) -> None:
    """Measure the strength of every bot level by playing many games.

    Every level plays against the squire and against the next weaker level, each deal from every seat. Games are
    appended to FILE; after an interruption the same command resumes.
    """
    from courtly.lab.strength import ladder as lab

    levels = names.split(",") if names else lab.LADDER_BOTS
    if not all(map(find_spec, ("choix", "llvmlite", "scipy"))):
        fail('choix, llvmlite and scipy are required: pip install "courtly[lab]"')
    tables = sorted(set(players)) or sorted({game.players[0], game.players[-1]})
    for number in tables:
        if number not in game.players:
            fail(f"{game.id} is for {', '.join(map(str, game.players))} players, not {number}")
    pairings = [pairing for number in tables for pairing in lab.make_pairings(number, levels, games)]
    try:
        with click.progressbar(length=lab.count_games(pairings), label=game.id, file=sys.stderr) as bar:
            played_games = lab.play_ladder(
                game, pairings, seed, file or Path(f"ladder-{game.id}.jsonl"), cores, bar.update
            )
    except (ValueError, LookupError) as error:
        fail(str(error))
    standings = lab.compute_standings(played_games)
    if as_json:
        say(json.dumps([lab.as_json(standing) for standing in standings]))
        return
    for standing in standings:
        say(lab.standing_line(standing))


@main.group()
def record() -> None:
    """Verify and review records of finished games."""


@record.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--receipt",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Receipt that a player saved from the table: proves to that player whether the server chose the dice.",
)
def check(file: Path, receipt: Path | None) -> None:
    """Replay a record and verify every random outcome. Fails if a receipt contradicts it."""
    from courtly.engine import transcript
    from courtly.engine.rng import CommittedChance
    from courtly.session import chance_receipt as receipts

    match, _ = replay_record(file)
    count = len(match.entries)
    say(f"{file}: legal: {match.game.id}, {match.players} players, {count} entries, {_points_and_places(match)}")
    try:
        parsed_receipt = (
            receipts.read_receipt(receipt.read_text(encoding="utf-8-sig", errors="replace")) if receipt else None
        )
    except receipts.ReceiptError as error:
        fail(f"{receipt}: {error}")
    text = file.read_bytes().decode(errors="replace")  # decoded as in a browser
    chance = transcript.read_head(text)["chance"]
    findings = receipts.judge_chance(chance, parsed_receipt)
    if isinstance(match.source, CommittedChance) and transcript.lacks_outcomes(text):
        findings.append(receipts.ReceiptFinding(None, "the record does not list the other possible outcomes"))
    for finding in findings:
        say(f"  {'?' if finding.good is None else '+' if finding.good else '!'} {finding.text}")
    if any(finding.good is False for finding in findings):
        fail(receipts.summarize(chance, findings, parsed_receipt))
    if isinstance(match.source, CommittedChance):
        say(f"  {receipts.summarize(chance, findings, parsed_receipt)}")
        say("  not provable: whether the server discarded earlier games, or used hidden information")


def _points_and_places(match: Match) -> str:
    """Return each seat's points, and its place if points alone do not determine the places."""
    points, scores = match.points, match.scores
    if scores is None:
        return f"points {points}, not over"
    places, by_points = ([1 + sum(other > own for other in row) for own in row] for row in (scores, points))
    return f"points {points}" if places == by_points else f"points {points}, places {places}"


@record.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--simulations", default=1000, show_default=True, type=click.IntRange(20, 100_000), help="Simulations per move."
)
@cores_option
@click.option(
    "--language", type=click.Choice(LANGUAGES), help="Language of the review. Default: your locale's, or English."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, as described in courtly/review/schemas.py.")
def review(file: Path, simulations: int, cores: int | None, language: str | None, as_json: bool) -> None:
    """Print the turning points, better moves and luck of a finished game."""
    from courtly.engine.native import loader

    if obstacle := loader.find_obstacle(loads_llvm=True):
        fail(obstacle)
    if not as_json:
        try:
            from courtly.review.text import detect_language, iter_review_lines
        except ModuleNotFoundError as error:
            fail(f'{error.name} is not installed: pip install "courtly[review]", or use --json')
    match, names = replay_record(file)
    if not match.over:
        fail(f"{file}: the game is not over; only finished games can be reviewed")
    from courtly.review.analysis import load_search, make_review
    from courtly.review.parallel import ParallelJudging

    compile_with_progress(match.game, load_search(match.game.id, simulations).warm)
    work = ParallelJudging(match, simulations, cores)
    with click.progressbar(work, length=work.total, label=match.game.id, file=sys.stderr) as bar:
        game_review = make_review(match, simulations, list(bar))
    if as_json:
        say(json.dumps(game_review))
        return
    for line in iter_review_lines(game_review, match.game, names, language or detect_language()):
        say(line)


@main.command()
@json_option
@click.option("--seconds", default=2.0, show_default=True, help="Time for each measurement, in seconds.")
@click.argument("games", nargs=-1, type=GameName())
def bench(as_json: bool, seconds: float, games: tuple[Game, ...]) -> None:
    """Measure decisions per second, interpreted and native."""
    from courtly.lab.benchmark import measure_speed

    rows = []
    for game in games or [find_game(name) for name in game_ids()]:
        row = measure_speed(game, seconds)
        rows.append(row)
        if not as_json:
            say(" ".join(f"{name} {value}" for name, value in row.items()))
    if as_json:
        say(json.dumps(rows))


@main.command()
@click.argument("game", type=GameName())
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def webassembly(game: Game, folder: Path) -> None:
    """Compile a game to WebAssembly, for programs in JavaScript.

    Writes GAME.wasm (its rules and the search of its bots) and GAME.json (how to call them) to the FOLDER.
    """
    from courtly.bots.webassembly import compile_with_search
    from courtly.engine.native.webassembly.module_compiler import WebAssemblyModule
    from courtly.engine.native.webassembly.object_file import ObjectFileError

    folder.mkdir(parents=True, exist_ok=True)
    modules: list[WebAssemblyModule] = []
    try:
        compile_with_progress(game, lambda: modules.append(compile_with_search(game)))
    except ObjectFileError as error:
        fail(str(error))
    [module] = modules
    code, description = folder / f"{game.id}.wasm", folder / f"{game.id}.json"
    code.write_bytes(module.code)
    description.write_text(json.dumps(module.description), encoding="utf-8")
    say(f"{code}: {len(module.code) / 1000:.0f} kB; {description} describes it")


for command in (lab, backup, restore, doctor):
    main.add_command(command)
