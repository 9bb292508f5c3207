"""The command line. Each command imports what it needs itself, so that none waits for another's libraries."""

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
from courtly.lab.cli import lab
from courtly.server.cli import backup, doctor, restore

if TYPE_CHECKING:
    from courtly.engine.match import Match
    from courtly.lab.plan import Plan


@click.group(cls=CommandGroup)
@click.version_option(__version__)
def main() -> None:
    """Five games of the royal court at one table."""


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets others in your network join.")
@click.option("--port", type=click.IntRange(0, 65535), help="Default: 8000 if it is free; 0 takes any free port.")
@click.option(
    "--data", type=click.Path(path_type=Path), help="Folder of tables and games; default: your user data folder."
)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option("--log-level", help="debug, info, warning (the default) or error.")
@click.option("--workers", type=int, help="Processes that serve, on PostgreSQL; default: one.")
@click.option("--dev", is_flag=True, help="For authors of games: open pages show at once what is saved.")
def serve(
    host: str,
    port: int | None,
    data: Path | None,
    no_browser: bool,
    log_level: str | None,
    workers: int | None,
    dev: bool,
) -> None:
    """Open the house: play in a browser."""
    from courtly.server.persistence.engine import DatabaseUnusableError
    from courtly.server.process.serve import serve as run

    try:
        again = run(host, port, data, not no_browser, log_level, dev, workers)
    except (DatabaseUnusableError, ValueError) as wrong:
        fail(str(wrong))
    if again is not None:
        _restart_with(["--port", str(again), "--no-browser"])


@main.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def site(folder: Path) -> None:
    """Write games against bots as a FOLDER of files: any web server can host it, and no more is needed to play."""
    from courtly.server.http.static_site import write_site

    size = write_site(folder)
    say(f"{folder}: {size / 1e6:.0f} MB, to be hosted at the root of an address, such as https://games.example/")


def _restart_with(options: list[str]) -> NoReturn:
    """This program, with these options last, which are those that count."""
    asked = sys.orig_argv[1:]
    program = [sys.executable, *asked[: -len(options) if asked[-len(options) :] == options else None], *options]
    if sys.platform == "win32":  # where another program takes another process
        sys.exit(subprocess.call(program))
    os.execv(sys.executable, program)


@main.command()
@json_option
def games(as_json: bool) -> None:
    """What can be played."""
    found = [find_game(name) for name in game_ids()]
    log_warnings()
    if as_json:
        say(json.dumps([game.about() for game in found], indent=1))
        return
    for game in found:
        players = f"{game.players[0]}-{game.players[-1]}"
        say(f"{game.id:12} version {game.version}  {players} players  options: {', '.join(game.options) or 'none'}")


@main.command()
@click.argument("game", type=GameName())
@players_option
@click.option("--games", default=1000, show_default=True, type=click.IntRange(1))
@seed_option
@click.option("--bots", help="A bot for each seat, with commas, such as squire,search:500. Default: random moves.")
@options_option
@cores_option
@click.option("--interpreted", is_flag=True, help="Do not compile.")
@click.option("--checked", is_flag=True, help="Look at every index, number and loop: slower, and nothing is missed.")
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
    """Play many games and say who wins."""
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
        fail("a bot that searches is machine code: leave --interpreted out")
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
            result = lab.simulate(plan, interpreted=interpreted, cores=cores, driver=driver, tell=bar.update)
    except (ValueError, LookupError) as wrong:
        fail(str(wrong))
    if as_json:
        say(json.dumps(result))
        return
    form = "native" if result["native"] else "interpreted"
    say(
        f"{games} games, {result['decisions']} decisions in {result['seconds']} s: "
        f"{result['decisions_per_s']:,} decisions/s ({form})"
    )
    for seat, (bot, wins) in enumerate(zip(result["bots"], result["wins"], strict=True)):
        say(f"seat {seat} ({bot}): {wins:g} victories, {wins / games:.1%}")
    say(f"mean length {result['mean_length']} decisions; digest {result['digest'][:16]}")


def _load_native_driver(game: Game, plan: Plan) -> Any:
    """The game's native driver, with a progress line while it is compiled; None where there is no compiler."""
    from courtly.engine.native import loader
    from courtly.lab.runs.checked_rerun import play_trial_games
    from courtly.lab.runs.simulate import compiled_form, load_plan_driver

    if not loader.is_available():
        say("playing interpreted: install courtly[native] for machine code", err=True)
        return None
    form = compiled_form(game, plan)
    if form.fresh:
        play_trial_games(plan)
    drivers: list[Any] = []
    compile_with_progress(game, lambda: drivers.append(load_plan_driver(game, plan, form)))
    return drivers[0]


@main.command("check")
@click.argument("game", shell_complete=GameName().shell_complete)  # no Game: it may be one that cannot be loaded
@click.option(
    "--tests",
    type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path),
    help="Folder of its tests: scenarios, invariants, records, mistakes. Default: tests/ of its project.",
)
@click.option("--quick", "amount", flag_value="quick", help="Leave out what compiles the game or plays much of it.")
@click.option("--long", "amount", flag_value="long", help="The full number of games and positions.")
def check_game(game: str, tests: Path | None, amount: str | None) -> None:
    """Ask of a game all that is asked of every game, and tell what is wrong, in a line each with its place."""
    from courtly.engine.native import loader

    try:
        from courtly.testing.runner import run_checks
    except ModuleNotFoundError as wrong:
        fail(f'there is no {wrong.name}: pip install "courtly[testing]"')
    if amount != "quick" and not loader.is_available():
        fail('there is no numba: pip install "courtly[testing]", or leave out by --quick what it compiles')
    options = {"quick": ["-m", "not thorough"], "long": ["--long"], None: []}
    try:
        sound = run_checks(game, tests, options[amount])
    except UnknownGameError as wrong:
        fail(str(wrong))
    sys.exit(not sound)


@main.command()
@click.argument("name")
@click.option("--japanese", metavar="TITLE", help="Its title in Japanese; default: the English one, from NAME.")
def new(name: str, japanese: str | None) -> None:
    """Begin a game: a package to change, in a folder NAME."""
    from courtly.scaffold import ScaffoldError, make_game

    try:
        make_game(name, Path(), japanese)
    except ScaffoldError as wrong:
        fail(str(wrong))
    steps = f"cd {name}", "pip install -e '.[test]'", f"courtly check {name}", "courtly serve"
    say("\n  ".join([f"{name} can be played:", *steps]))


@main.group()
def bots() -> None:
    """How strong the bots are."""


@bots.command()
@click.argument("game", type=GameName())
@click.option("--players", type=int, multiple=True, help="May be repeated. Default: the fewest and the most.")
@click.option("--games", default=100, show_default=True, type=click.IntRange(1), help="Of each pairing, at least.")
@click.option("--bots", "names", help="With commas; default: every level, and a master that sees what is hidden.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0, 2**63 - 1))
@click.option("--file", type=click.Path(dir_okay=False, path_type=Path), help="Default: ladder-GAME.jsonl.")
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
    """Let every level play against the squire and the next weaker, each deal from every seat, and say how strong it is.

    What was played is kept in FILE: broken off, the same command goes on where it was.
    """
    from courtly.lab.strength import ladder as lab

    levels = names.split(",") if names else lab.LADDER_BOTS
    if not all(map(find_spec, ("choix", "numba", "scipy"))):
        fail("games and ratings need other libraries: install courtly[lab]")
    tables = sorted(set(players)) or sorted({game.players[0], game.players[-1]})
    for number in tables:
        if number not in game.players:
            fail(f"{game.id} is for {', '.join(map(str, game.players))} players, not {number}")
    wanted = [pairing for number in tables for pairing in lab.make_pairings(number, levels, games)]
    try:
        with click.progressbar(length=lab.count_games(wanted), label=game.id, file=sys.stderr) as bar:
            found = lab.play_ladder(game, wanted, seed, file or Path(f"ladder-{game.id}.jsonl"), cores, bar.update)
    except (ValueError, LookupError) as wrong:
        fail(str(wrong))
    standings = lab.compute_standings(found)
    if as_json:
        say(json.dumps([lab.as_json(standing) for standing in standings]))
        return
    for standing in standings:
        say(lab.standing_line(standing))


@main.group()
def record() -> None:
    """Records of finished games."""


@record.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--receipt",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="What a player's browser kept, saved from the table: proves to that player whether the dice were chosen.",
)
def check(file: Path, receipt: Path | None) -> None:
    """Replay a record strictly and verify every random outcome. Fails if a receipt contradicts it."""
    from courtly.engine import transcript
    from courtly.engine.rng import CommittedChance
    from courtly.session import chance_receipt as receipts

    match, _ = replay_record(file)
    count = len(match.entries)
    say(f"{file}: by the rules: {match.game.id}, {match.players} players, {count} entries, {_points_and_places(match)}")
    try:
        kept = receipts.read_receipt(receipt.read_text(encoding="utf-8-sig", errors="replace")) if receipt else None
    except receipts.ReceiptError as wrong:
        fail(f"{receipt}: {wrong}")
    text = file.read_bytes().decode(errors="replace")  # as a browser reads it
    chance = transcript.read_head(text)["chance"]
    findings = receipts.judge_chance(chance, kept)
    told = isinstance(match.source, CommittedChance) and transcript.lacks_outcomes(text)
    if told:
        findings.append(receipts.ReceiptFinding(None, "the record does not say what else could have happened"))
    for finding in findings:
        say(f"  {'?' if finding.good is None else '+' if finding.good else '!'} {finding.text}")
    if any(finding.good is False for finding in findings):
        fail(receipts.summarize(chance, findings, kept))
    if isinstance(match.source, CommittedChance):
        say(f"  {receipts.summarize(chance, findings, kept)}")
        say("  nobody can know whether games were thrown away, or whether anybody on the server's side looked")


def _points_and_places(match: Match) -> str:
    """Return each seat's points, and its place where the points alone do not give the places."""
    points, scores = match.points, match.scores
    if scores is None:
        return f"points {points}, not over"
    places, by_points = ([1 + sum(other > own for other in row) for own in row] for row in (scores, points))
    return f"points {points}" if places == by_points else f"points {points}, places {places}"


@record.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--simulations", default=1000, show_default=True, type=click.IntRange(20, 100_000), help="Of each move.")
@cores_option
@click.option("--language", type=click.Choice(LANGUAGES), help="Default: yours, if it is one of them.")
@click.option("--json", "as_json", is_flag=True, help="As courtly/review/schemas.py describes it.")
def review(file: Path, simulations: int, cores: int | None, language: str | None, as_json: bool) -> None:
    """Say of a finished game which decisions turned it, what was better, and what was luck."""
    from courtly.engine.native import loader

    if not loader.is_available():
        fail("a review needs machine code: install courtly[native]")
    if not as_json:
        try:
            from courtly.review.text import detect_language, iter_review_lines
        except ModuleNotFoundError as wrong:
            fail(f'there is no {wrong.name}: pip install "courtly[review]", or ask for --json')
    match, names = replay_record(file)
    if not match.over:
        fail(f"{file}: the game is not over")
    from courtly.review.analysis import load_search, make_review
    from courtly.review.parallel import ParallelJudging

    compile_with_progress(match.game, load_search(match.game.id, simulations).warm)
    work = ParallelJudging(match, simulations, cores)
    with click.progressbar(work, length=work.total, label=match.game.id, file=sys.stderr) as bar:
        found = make_review(match, simulations, list(bar))
    if as_json:
        say(json.dumps(found))
        return
    for line in iter_review_lines(found, match.game, names, language or detect_language()):
        say(line)


@main.command()
@json_option
@click.option("--seconds", default=2.0, show_default=True, help="How long to measure each form of each game.")
@click.argument("games", nargs=-1, type=GameName())
def bench(as_json: bool, seconds: float, games: tuple[Game, ...]) -> None:
    """Measure decisions per second of each game, interpreted and native."""
    from courtly.lab.benchmark import measure_speed

    rows = []
    for game in games or [find_game(name) for name in game_ids()]:
        row = measure_speed(game, seconds)
        rows.append(row)
        if not as_json:
            say(" ".join(f"{name} {value}" for name, value in row.items()))
    if as_json:
        say(json.dumps(rows))


for command in (lab, backup, restore, doctor):
    main.add_command(command)
