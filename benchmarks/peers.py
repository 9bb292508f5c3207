"""Compares Courtly with other game libraries: random decisions on one core, each library in its own process.

    pip install -e '.[bench]'
    python benchmarks/peers.py [--rounds 7] [--seconds 1] [--only TEXT] [--write]

Each row names what a step provides, since that determines its cost. All processes are pinned to the same core, if the
system supports it, and play in turns, one row after another in every round. Printed are the medians by processor time
and by wall clock; on a busy machine only processor time is meaningful. Libraries that are not installed or fail are
listed. `--write` updates the table in docs/research.md and its picture.

The last column compares with OpenSpiel's C++ in the same run, in processor time: with the same game if OpenSpiel has
it, else with the fastest of its games here.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import io
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

import click

DOCS = Path(__file__).parent.parent / "docs"
BEGIN, END = "<!-- peers: written by benchmarks/peers.py -->", "<!-- /peers -->"
BATCH_GAMES = 1024  # games that vectorized libraries play at the same time
IN_C, RULES, AT_ONCE, AT_ONCE_SHORT, ONE_BY_ONE, OBSERVED = (
    "rules alone, in C++",
    "rules alone, in machine code",
    f"observation, mask, new games; {BATCH_GAMES} at once",
    f"observation as int16, mask, new games; {BATCH_GAMES} at once",
    "rules alone, one by one in Python",
    "observation, mask, one by one in Python",
)
CHART_GROUPS = {  # title -> kinds of rows
    "Rules alone, in machine code or C++": (IN_C, RULES),
    "With observation and mask, many games at once": AT_ONCE,
    "Rules alone, one decision after another from Python": ONE_BY_ONE,
    "With observation and mask, one decision after another in Python": OBSERVED,
}
Play = Callable[[], int]  # plays for a short time and returns the number of decisions


# --- how each library plays -------------------------------------------------------------------------------------------


def openspiel_cpp(name: str) -> Play:
    """Measure the playouts of OpenSpiel's own search from one position. It does not report their decisions, which are
    estimated by the mean of games played one by one."""
    import pyspiel

    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    one_by_one = openspiel_python(game=game, state=state)
    mean = statistics.fmean(one_by_one() for _ in range(1000))
    playouts = round(20_000 / mean)
    search = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(playouts, 1), 2.0, 1, 1, False, 1, False)

    def play() -> int:
        search.mcts_search(state)
        return round(playouts * mean)

    return play


def openspiel_python(name: str = "", game: Any = None, state: Any = None) -> Play:
    """Measure a Python loop over OpenSpiel's states, as its Python algorithms have."""
    import pyspiel

    game = game or pyspiel.load_game(name)
    dice = random.Random(1)

    def play() -> int:
        now, decisions = state.clone() if state else game.new_initial_state(), 0
        while not now.is_terminal():
            if now.is_chance_node():
                now.apply_action(dice.choices(*zip(*now.chance_outcomes(), strict=True))[0])
            else:
                now.apply_action(dice.choice(now.legal_actions()))
                decisions += 1
        return decisions

    return play


def pgx(name: str) -> Play:
    """Measure many games at once through XLA, compiled for the CPU, with Pgx's auto-reset; the same program draws the
    actions."""
    import jax
    import pgx as library
    from pgx.experimental import auto_reset

    env = library.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def play_step(carry: Any, _: Any) -> Any:
        state, key = carry
        key, draw_key, step_key = jax.random.split(key, 3)
        wishes = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        action = jax.random.categorical(draw_key, wishes, axis=-1)
        return (step(state, action, jax.random.split(step_key, BATCH_GAMES)), key), None

    many = jax.jit(lambda state, key: jax.lax.scan(play_step, (state, key), None, length=16)[0])
    start_state = [
        jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), BATCH_GAMES)),
        jax.random.PRNGKey(1),
    ]

    def play() -> int:
        start_state[:] = jax.block_until_ready(many(*start_state))
        return 16 * BATCH_GAMES

    return play


def pettingzoo_loop(env: Any) -> Play:
    """Measure a PettingZoo environment."""
    seeds = iter(range(1 << 60))

    def play() -> int:
        env.reset(seed=next(seeds))
        decisions = 0
        for agent in env.agent_iter():
            observation, _, over, cut, info = env.last()
            mask = observation["action_mask"] if "action_mask" in observation else info["action_mask"]
            env.step(None if over or cut else env.action_space(agent).sample(mask))
            decisions += not (over or cut)
        return decisions

    return play


def pettingzoo_game(name: str) -> Play:
    return pettingzoo_loop(importlib.import_module(f"pettingzoo.classic.{name}").env())


def rlcard(name: str) -> Play:
    import rlcard as library
    from rlcard.agents import RandomAgent

    env = library.make(name, config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def play() -> int:
        before = env.timestep
        env.run(is_training=False)
        return int(env.timestep - before)

    return play


def playouts(name: str) -> Play:
    import numpy as np

    from courtly.engine.constants import MAX_SEATS
    from courtly.engine.game import find_game
    from courtly.engine.native import loader

    game = find_game(name)
    driver = loader.compile_playouts(loader.load_driver(game))
    states, rng, moves, weights = loader.make_arrays(game, 2)
    blank_state = game.State(players=game.players[0]).pack()
    states[1:].view(np.uint8)[: len(blank_state)] = np.frombuffer(blank_state, np.uint8)
    finals, shares, firsts = np.zeros(20, states.dtype), np.zeros(MAX_SEATS, np.int64), iter(range(0, 1 << 31, 20))

    def play() -> int:
        counts = np.zeros(2, np.int64)
        driver.playouts(states, finals, 1, next(firsts), 20, rng, moves, weights, counts, shares)
        return int(counts[0])

    return play


def vector(name: str, players: int | None = None, kind: Literal["float32", "int16"] = "float32") -> Play:
    from courtly.adapters.arrays import BatchedGames
    from courtly.engine.game import find_game

    games = BatchedGames(find_game(name), BATCH_GAMES, players, heroes="all", kind=kind)
    games.reset(seed=1)

    def play() -> int:
        for _ in range(16):
            games.step()
        return 16 * BATCH_GAMES

    return play


def courtly_openspiel(name: str) -> Play:
    importlib.import_module("courtly.adapters.openspiel")  # the import registers the games
    return openspiel_python(f"courtly_{name}")


def courtly_pettingzoo(name: str) -> Play:
    from courtly.adapters import pettingzoo

    return pettingzoo_loop(pettingzoo.env(name))


def courtly_gymnasium(name: str) -> Play:
    """Measure the hero's decisions only; the opponents' are part of a step."""
    from courtly.adapters.gymnasium import HeroEnv

    env, seeds = HeroEnv(name), iter(range(1 << 60))

    def play() -> int:
        decisions, is_over = 0, False
        observation, _ = env.reset(seed=next(seeds))
        while not is_over:
            action = env.action_space.sample(observation["action_mask"])
            observation, _, has_ended, cut, _ = env.step(action)
            decisions, is_over = decisions + 1, has_ended or cut
        return decisions

    return play


def positions(name: str) -> Play:
    from courtly.engine.game import find_game
    from courtly.engine.native.native_position import NativePosition
    from courtly.engine.rng import make_generator

    game, dice, numbers = find_game(name), random.Random(1), iter(range(1 << 60))

    def play() -> int:
        position, rng = NativePosition(game), make_generator(1, next(numbers))
        while not position.over:
            if position.chance:
                position.happen(rng)
            else:
                seat = position.pending[0]
                position.play(seat, dice.choice(position.legal(seat)))
        return int(position.decisions)

    return play


@dataclass
class Row:
    """A measurement. `same`: OpenSpiel's name of the game. `door`: the interface, unless it is the library's own.
    `rates`: decisions per second of processor time and by wall clock, a pair for each round; `error`: why there are
    none."""

    library: str
    game: str
    includes: str
    play: Callable[[], Play]
    same: str = ""
    interface: str = ""
    rates: list[tuple[float, float]] = field(default_factory=list)
    error: str = ""

    @property
    def name(self) -> str:
        return f"{self.library}, {self.game}, {self.gives}"

    @property
    def gives(self) -> str:
        """What a step provides, in words."""
        return f"{self.includes}, as {self.interface}" if self.interface else self.includes

    @property
    def speed(self) -> float:
        return statistics.median(of_processor for of_processor, _ in self.rates)

    @property
    def on_the_clock(self) -> float:
        return statistics.median(clock for _, clock in self.rates)


CLASSICS = {
    "leduc_poker": "Leduc poker",
    "connect_four": "Connect Four",
    "backgammon": "backgammon",
    "gin_rummy": "gin rummy",
}
OURS = {
    "petition": "To Court the King, 2 players",
    "necklace": "Queen's Necklace, 2 players",
    "puppet": "Puppet Kingdom, 2 players",
    "cardinal": "Web of Power, 3 players",
    "newtown": "The King's New Town, 2 players",
}


def all_rows() -> list[Row]:
    """Return all measurements, grouped by library."""
    rows = [
        *(Row("OpenSpiel", title, IN_C, partial(openspiel_cpp, name), name) for name, title in CLASSICS.items()),
        *(
            Row("OpenSpiel", title, ONE_BY_ONE, partial(openspiel_python, name), name)
            for name, title in CLASSICS.items()
        ),
    ]
    for library, includes, play, names in (
        (
            "Pgx",
            AT_ONCE,
            pgx,
            {"leduc_holdem": "leduc_poker", "connect_four": "connect_four", "backgammon": "backgammon"},
        ),
        (
            "PettingZoo",
            OBSERVED,
            pettingzoo_game,
            {"leduc_holdem_v4": "leduc_poker", "connect_four_v3": "connect_four"},
        ),
        ("RLCard", OBSERVED, rlcard, {"leduc-holdem": "leduc_poker", "gin-rummy": "gin_rummy"}),
    ):
        rows += [Row(library, CLASSICS[same], includes, partial(play, name), same) for name, same in names.items()]
    rows += [Row("Courtly", title, RULES, partial(playouts, name)) for name, title in OURS.items()]
    titles = {(name, None): title for name, title in OURS.items()} | {("necklace", 3): "Queen's Necklace, 3 players"}
    for includes, kind in ((AT_ONCE, "float32"), (AT_ONCE_SHORT, "int16")):
        rows += [Row("Courtly", title, includes, partial(vector, *table, kind)) for table, title in titles.items()]
    interfaces = (
        (ONE_BY_ONE, positions, ""),
        (ONE_BY_ONE, courtly_openspiel, "OpenSpiel"),
        (OBSERVED, courtly_pettingzoo, "PettingZoo"),
        (OBSERVED, courtly_gymnasium, "Gymnasium"),
    )
    rows += [
        Row("Courtly", OURS["petition"], includes, partial(play, "petition"), interface=interface)
        for includes, play, interface in interfaces
    ]
    return rows


# --- one process for each library -------------------------------------------------------------------------------------


def serve(library: str) -> None:
    """Serve requests, lines of [row, seconds]: prepare the row if `seconds` is 0, else play it for this time. Output of
    the libraries does not mix with the answers."""
    answer_pipe = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    own_rows, ready = {row.name: row for row in all_rows() if row.library == library}, dict[str, Play]()
    for line in sys.stdin:
        name, seconds = json.loads(line)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                reply = (
                    measure_play(ready[name], seconds)
                    if seconds
                    else ready.setdefault(name, warm_up(own_rows[name])) and {}
                )
        except Exception as error:
            reply = {"wrong": f"{type(error).__name__}: {error}".splitlines()[0]}
        answer_pipe.write(json.dumps(reply) + "\n")
        answer_pipe.flush()


def warm_up(row: Row) -> Play:
    play = row.play()
    play()
    return play


def measure_play(play: Play, seconds: float) -> dict[str, float]:
    """Return the number of decisions, and processor and wall-clock seconds."""
    decisions, processor, clock = 0, time.process_time(), time.perf_counter()
    while time.process_time() - processor < seconds:
        decisions += play()
    return {"decisions": decisions, "processor": time.process_time() - processor, "clock": time.perf_counter() - clock}


class Library:
    """A process in which one library plays."""

    def __init__(self, name: str, core: int | None):
        single_thread = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
        self.process = subprocess.Popen(
            [sys.executable, "-W", "ignore", __file__, "--serve", name],
            env=os.environ | single_thread | {"JAX_PLATFORMS": "cpu", "TQDM_DISABLE": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        if core is not None:
            os.sched_setaffinity(self.process.pid, {core})

    def measure(self, row: Row, seconds: float = 0) -> dict[str, Any]:
        assert self.process.stdin and self.process.stdout
        try:
            self.process.stdin.write(json.dumps([row.name, seconds]) + "\n")
            self.process.stdin.flush()
            reply: dict[str, Any] = json.loads(self.process.stdout.readline() or '{"wrong": "its process ended"}')
        except BrokenPipeError:
            return {"wrong": "its process ended"}
        return reply

    def end(self) -> None:
        assert self.process.stdin
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait()


def measure(rows: list[Row], rounds: int, seconds: float, report: Callable[[str], None]) -> None:
    """Measure all rows, in turns, and store the results in them."""
    core = min(os.sched_getaffinity(0)) if hasattr(os, "sched_setaffinity") else None
    libraries = {name: Library(name, core) for name in dict.fromkeys(row.library for row in rows)}
    try:
        for number in range(rounds + 1):
            for row in rows:
                if row.error:
                    continue
                report(f"{f'round {number}' if number else 'preparing'}: {row.name}")
                reply = libraries[row.library].measure(row, seconds if number else 0)
                row.error = reply.get("wrong", "")
                if number and not row.error:
                    row.rates.append((reply["decisions"] / reply["processor"], reply["decisions"] / reply["clock"]))
    finally:
        for library in libraries.values():
            library.end()


# --- output -----------------------------------------------------------------------------------------------------------


def format_rate(x: float) -> str:
    """Return a rate with two significant digits, in thousands or millions."""
    size, unit = (1e6, "M") if x >= 1e6 else (1e3, "k") if x >= 1e3 else (1, "")
    return f"{x / size:.{0 if x / size >= 10 else 1}f} {unit}".rstrip()


def format_factor(x: float) -> str:
    return f"{x:.0f}×" if x >= 10 else f"{x:.1f}×" if x >= 1 else f"{x:.2f}×" if x >= 0.01 else f"{x:.1g}×"


def relative_speed(row: Row, measured_rows: Iterable[Row]) -> float | None:
    """Return the speed relative to OpenSpiel's C++; None if that was not measured."""
    in_c = {other.same: other.speed for other in measured_rows if other.includes == IN_C}
    base = in_c.get(row.same) or max(in_c.values(), default=0)
    return row.speed / base if base else None


def markdown_table(measured_rows: list[Row]) -> str:
    """Return the results as a Markdown table."""
    cells = [
        ("library", "game", "what a step gives", "a second of the processor", "on the clock", "beside OpenSpiel's C++")
    ]
    for row in measured_rows:
        ratio = relative_speed(row, measured_rows)
        figures = format_rate(row.speed), format_rate(row.on_the_clock), "" if ratio is None else format_factor(ratio)
        cells.append((row.library, row.game, row.gives, *figures))
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    cells.insert(1, ("-" * widths[0], "-" * widths[1], "-" * widths[2], *("-" * (w - 1) + ":" for w in widths[3:])))
    sides = "<<<>>>"
    return "\n".join(
        "| " + " | ".join(f"{x:{side}{w}}" for x, side, w in zip(line, sides, widths, strict=True)) + " |"
        for line in cells
    )


def describe_machine() -> str:
    """Return the CPU and the versions."""
    with contextlib.suppress(OSError, IndexError):
        cpu_info = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        kind = cpu_info.split("model name")[1].split("\n")[0].strip("\t :")
        return f"one core of {kind}; {describe_versions()}"
    return f"one core; {describe_versions()}"


def describe_versions() -> str:
    versions = []
    for title, name in (
        ("OpenSpiel", "open_spiel"),
        ("Pgx", "pgx"),
        ("JAX", "jax"),
        ("PettingZoo", "pettingzoo"),
        ("RLCard", "rlcard"),
        ("Courtly", "courtly"),
        ("llvmlite", "llvmlite"),
        ("NumPy", "numpy"),
    ):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            versions.append(f"{title} {importlib.metadata.version(name)}")
    return ", ".join([f"Python {sys.version.split()[0]}", *versions])


def draw_chart(measured_rows: list[Row], file: Path) -> None:
    """Draw a bar chart, grouped by what a step provides. Its background is opaque, so that it is readable on a dark
    page."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot
    from matplotlib.ticker import FuncFormatter, NullLocator

    paper, ink, faint, ours, others = "#fbf9f4", "#2b2620", "#d9d2c3", "#8c1c2b", "#8a8375"
    groups = {
        title: sorted((row for row in measured_rows if row.includes.startswith(kinds)), key=lambda row: row.speed)
        for title, kinds in CHART_GROUPS.items()
    }
    groups = {title: group for title, group in groups.items() if group}
    figure, panels = pyplot.subplots(
        len(groups),
        sharex=True,
        squeeze=False,
        figsize=(10, 0.6 + sum(0.55 + 0.26 * len(group) for group in groups.values())),
        height_ratios=[1.5 + len(group) for group in groups.values()],
        facecolor=paper,
        layout="constrained",
    )
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.08)
    for axes, (title, group) in zip(panels[:, 0], groups.items(), strict=True):
        speeds, places = [row.speed for row in group], range(len(group))
        axes.set_facecolor(paper)
        axes.barh(places, speeds, color=[ours if row.library == "Courtly" else others for row in group], height=0.76)
        names = [f"{row.library}: {row.game}{f' ({row.interface})' if row.interface else ''}" for row in group]
        axes.set_yticks(places, names, fontsize=9)
        for position, speed in enumerate(speeds):
            axes.text(speed * 1.07, position, format_rate(speed), va="center", fontsize=9, color=ink)
        axes.set_title(title, loc="left", fontsize=10, color=ink, fontweight="bold")
        axes.set_xscale("log")
        axes.set_xlim(min(row.speed for row in measured_rows) / 2, max(row.speed for row in measured_rows) * 2)
        axes.set_ylim(-0.6, len(group) - 0.4)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: format_rate(x).replace(".0", "")))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.tick_params(colors=ink, length=0)
        axes.grid(axis="x", color=faint, linewidth=0.8)
        axes.set_axisbelow(True)
        axes.spines[:].set_visible(False)
        for label, row in zip(axes.get_yticklabels(), group, strict=True):
            label.set_color(ours if row.library == "Courtly" else ink)
    panels[-1, 0].set_xlabel("random decisions in a second of one core", color=ink)
    options = {"pil_kwargs": {"lossless": True}} if file.suffix == ".webp" else {}
    figure.savefig(file, dpi=150, **options)
    pyplot.close(figure)


def write_between_marks(text: str, page: Path) -> None:
    """Replace the text between the marks of a page."""
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")


@click.command()
@click.option("--rounds", default=7, show_default=True, help="Number of rounds.")
@click.option("--seconds", default=1.0, show_default=True, help="Processor time for each row in a round, in seconds.")
@click.option("--only", multiple=True, help="Only rows whose name contains this text; may be repeated.")
@click.option(
    "--picture", "drawn", type=click.Path(path_type=Path), help="Draw the chart into this file (WebP, PNG or SVG)."
)
@click.option("--write", "written", is_flag=True, help="Update docs/research.md and docs/peers.webp.")
@click.option("--serve", "library", hidden=True)
def main(
    rounds: int, seconds: float, only: tuple[str, ...], drawn: Path | None, written: bool, library: str | None
) -> None:
    if library:
        serve(library)
        return
    rows = [row for row in all_rows() if not only or any(text in row.name for text in only)]
    measure(rows, rounds, seconds, lambda progress: click.echo(f"\r\x1b[2K{progress}", nl=False, err=True))
    click.echo("\r\x1b[2K", nl=False, err=True)
    measured_rows = [row for row in rows if not row.error]
    text = f"{markdown_table(measured_rows)}\n\nMedians of {rounds} rounds, on {describe_machine()}."
    click.echo(text)
    for row in rows:
        if row.error:
            click.echo(f"not measured: {row.name}: {row.error}")
    if written:
        write_between_marks(text, DOCS / "research.md")
    for file in [*([drawn] if drawn else []), *([DOCS / "peers.webp"] if written else [])]:
        if measured_rows:
            draw_chart(measured_rows, file)


if __name__ == "__main__":
    main()
