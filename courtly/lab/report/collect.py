"""Collects the data of a report: plays the games and measures them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from scipy.stats import false_discovery_control, norm

from courtly.bots.registry import POLICY, RANDOM, SQUIRE, list_bots
from courtly.engine.constants import LANGUAGES
from courtly.engine.game import Game, find_game
from courtly.engine.transcript import write_record
from courtly.lab.plan import Components, Plan
from courtly.lab.runs.batch_runner import check_plan as checked
from courtly.lab.runs.batch_runner import is_native
from courtly.lab.runs.checkpoint import accumulate
from courtly.lab.runs.record_game import play_recorded
from courtly.lab.statistics.game_measures import CONFIDENCE_LEVEL, EXTREME_KINDS, Estimate, ExtremeGame, GameMeasures
from courtly.lab.statistics.named_measures import component_names
from courtly.lab.statistics.variance_decomposition import MirroredDeals, VarianceParts, cumulate_ratings, seat_turns
from courtly.review.text import SEAT_DEVICES, GameTexts

LAB_FOLDER = Path(__file__).parents[1]
LADDER_DEALS = 2_000  # deals in each step of the ladder, each played in every rotation
LADDER_DEALS_INTERPRETED = 40  # the same for bots that are not machine code
VARIANT_GAMES_DIVISOR = 20  # each variant plays the report's games divided by this
MIN_VARIANT_GAMES, MAX_VARIANT_GAMES = 500, 20_000  # limits of that number
MAX_LOG_LINES = 400  # last lines of a game's log that are shown
FALSE_DISCOVERY_RATE = 0.05  # expected share of false positives among the marked differences


def load_words(game: str, language: str) -> GameTexts:
    """Return the texts of the web interface, the laboratory and a game."""
    return _load_words(find_game(game), language)


@cache
def _load_words(game: Game, language: str) -> GameTexts:
    return GameTexts(game, language, LAB_FOLDER)


class NotableGame(NamedTuple):
    """A notable game: its record, and its log in each language as (seat, text) pairs; the seat of a random event is
    -1."""

    extreme: ExtremeGame
    scores: list[int]
    record: str
    log: dict[str, list[tuple[int, str]]]
    left_out: int  # number of earlier lines that the log leaves out


class OptionVariant(NamedTuple):
    """Results with other options: those of `preset`, or `option` set to `value`. `figures`: see `variant_estimates`.
    `different`: the names of the figures that differ significantly from those of the report's options."""

    preset: str
    option: str
    value: int
    figures: dict[str, Estimate]
    different: frozenset[str]


class PlayerCountReport(NamedTuple):
    """The results for one number of players. `ladder`: the bots and their ratings, weakest first."""

    plan: Plan
    measures: GameMeasures
    parts: VarianceParts | None
    ladder: list[tuple[str, Estimate]]
    stories: list[NotableGame]
    variants: list[OptionVariant]


class ReportRequest(NamedTuple):
    """What to report on a game. `levels`: the bots for the analysis of luck and skill, weakest first."""

    game: str
    players: tuple[int, ...]
    games: int  # for each number of players
    seed: int
    bots: str
    options: dict[str, int]
    levels: tuple[str, ...]
    components: Components | None = None

    @property
    def command(self) -> str:
        """The command line that makes the same report."""
        words = ["courtly", "lab", "report", self.game]
        for players in self.players:
            words += ["--players", str(players)]
        words += ["--games", str(self.games), "--seed", str(self.seed), "--bots", self.bots]
        words += ["--levels", ",".join(self.levels)]
        for name, value in self.options.items():
            words += ["--option", f"{name}={value}"]
        words += ["--components", self.components.file] if self.components else []
        return " ".join(words)

    def plan(self, players: int) -> Plan:
        """Return the plan for a number of players."""
        bots = None if self.bots == RANDOM else (self.bots,) * players
        return Plan(self.game, players, self.games, self.seed, self.options, bots, components=self.components)


def make_request(
    game: Game,
    players: tuple[int, ...],
    games: int,
    seed: int,
    bots: str | None,
    options: dict[str, int],
    levels: str | None,
    components: Components | None = None,
) -> ReportRequest:
    """Return a request, with defaults where an argument is None or empty."""
    return ReportRequest(
        game.id,
        tuple(sorted({*players})) or game.players,
        games,
        seed,
        bots or default_bot(game),
        options,
        tuple(levels.split(",")) if levels else default_levels(game),
        components,
    )


def check_request(request: ReportRequest) -> None:
    """Check all plans of a request and compile what they need. Raises ValueError if an option, number of players or bot
    is not offered."""
    for players in request.players:
        plan = request.plan(players)
        checked(plan)
        for step in _ladder_steps(plan, request.levels):
            checked(step[0])


def record_files(request: ReportRequest, tables: Sequence[PlayerCountReport]) -> Iterator[tuple[str, str]]:
    """Yield name and content of the record of each notable game; none with other components, because no server could
    replay them."""
    for table in tables if not request.components else ():
        for notable_game in table.stories:
            yield record_file_name(request, table, notable_game), notable_game.record


def record_file_name(request: ReportRequest, table: PlayerCountReport, notable_game: NotableGame) -> str:
    """Return the file name of a notable game's record."""
    return f"{request.game}-{table.plan.players}-{notable_game.extreme.kind}.jsonl"


def default_bot(game: Game) -> str:
    """Return the bot that plays if none is chosen: the game's policy, or random if it has none."""
    return POLICY if hasattr(game.policy, "priors") else RANDOM


def default_levels(game: Game) -> tuple[str, ...]:
    """Return the bots for the analysis of luck and skill if none are chosen, weakest first."""
    if default_bot(game) == POLICY:
        return RANDOM, f"{POLICY}:2", f"{POLICY}:8", POLICY
    return (RANDOM, SQUIRE) if SQUIRE in list_bots(game) else (RANDOM,)


def variant_estimates(measures: GameMeasures) -> dict[str, Estimate]:
    """Return the figures by which variants are compared."""
    return {
        "decisions": measures.mean("decisions"),
        "minutes": _scale_estimate(measures.seconds(), 1 / 60),
        "first": measures.mean_by_seat("place")[0],
        "margin": measures.mean("margin"),
        "tied": measures.share_of_games("tied"),
        "decided": _scale_estimate(measures.mean("decided"), 1e-4),
        "forced": measures.ratio("forced", "decisions"),
    }


def _scale_estimate(estimate: Estimate, factor: float) -> Estimate:
    return Estimate(estimate.value * factor, estimate.low * factor, estimate.high * factor, estimate.sample)


def count_games(request: ReportRequest) -> int:
    """Return the number of games that a report plays."""
    game = find_game(request.game)
    total = 0
    for players in request.players:
        plan = request.plan(players)
        total += plan.games + sum(p.games for pair in _ladder_steps(plan, request.levels) for p in pair)
        total += sum(p.games for _, _, _, p in _option_variants(game, plan))
    return total


def collect_report(
    request: ReportRequest,
    cores: int | None = None,
    report_progress: Callable[[int], None] = lambda games: None,
    folder: Path | None = None,
) -> Iterator[PlayerCountReport]:
    """Play and measure the games of a report.

    Args:
        request: The request.
        cores: Number of threads or processes. Default: all cores.
        report_progress: Called with the number of games of each finished batch.
        folder: Folder of checkpoints; None saves nothing.

    Yields:
        The results for each number of players.

    Raises:
        ValueError: An option, number of players or bot is not offered.
        RulesError: The rules fail, or a bot chooses an illegal move.
    """

    def measure_plan(plan: Plan, components: tuple[str, ...]) -> GameMeasures:
        measures = GameMeasures(plan.players, components, plan.games)
        accumulate(measures, plan, folder=folder, cores=cores, report_progress=report_progress)
        return measures

    game = find_game(request.game)
    for players in request.players:
        plan = request.plan(players)
        measures = measure_plan(plan, component_names(game))
        base = variant_estimates(measures)
        parts, steps = None, []
        for step in _ladder_steps(plan, request.levels):
            mirrored = MirroredDeals(players, step[0].games)
            accumulate(mirrored, *step, folder=folder, cores=cores, report_progress=report_progress)
            parts = mirrored.estimate()
            steps.append(parts.rating)
        ladder = list(zip(request.levels, cumulate_ratings(steps), strict=True)) if steps else []
        variants = [
            OptionVariant(preset, option, value, variant_estimates(measure_plan(other, ())), frozenset())
            for preset, option, value, other in _option_variants(game, plan)
        ]
        notable_games = [
            make_notable_game(plan, measures.extremes[kind]) for kind in EXTREME_KINDS if kind in measures.extremes
        ]
        yield PlayerCountReport(plan, measures, parts, ladder, notable_games, _mark_differences(base, variants))


def _ladder_steps(plan: Plan, levels: Sequence[str]) -> Iterator[list[Plan]]:
    """Yield the plans of each step of the ladder: the stronger bot in each seat in turn, among copies of the next
    weaker one."""
    for weak, strong in zip(levels, levels[1:], strict=False):
        step = seat_turns(plan, strong, weak)
        max_deals = LADDER_DEALS if is_native(step[0]) else LADDER_DEALS_INTERPRETED
        yield [seat_plan._replace(games=min(max_deals, plan.games)) for seat_plan in step]


def _option_variants(game: Game, plan: Plan) -> Iterator[tuple[str, str, int, Plan]]:
    """Yield every preset and every other value of an option: preset, option, value, plan."""
    games = min(plan.games, MAX_VARIANT_GAMES, max(MIN_VARIANT_GAMES, plan.games // VARIANT_GAMES_DIVISOR))
    usual = {name: values[0] for name, values in game.options.items()} | plan.options
    variants = [(name, "", 0, usual | preset) for name, preset in game.presets.items()]
    variants += [("", name, value, usual | {name: value}) for name, values in game.options.items() for value in values]
    for preset, option, value, options in variants:
        if options != usual and _is_possible(game, plan.players, options):
            yield preset, option, value, plan._replace(games=games, options=options)


def _is_possible(game: Game, players: int, options: dict[str, int]) -> bool:
    try:
        game.State(players=players, **options)
    except ValueError:
        return False
    return True


def _mark_differences(base: dict[str, Estimate], variants: list[OptionVariant]) -> list[OptionVariant]:
    """Return the variants with their significant differences marked, by the Benjamini-Hochberg procedure over all of
    them."""
    places = [(i, name) for i, variant in enumerate(variants) for name in variant.figures]
    chances = [_p_value(base[name], variants[i].figures[name]) for i, name in places]
    significant = false_discovery_control(chances) < FALSE_DISCOVERY_RATE if chances else []
    different: list[set[str]] = [set() for _ in variants]
    for (i, name), is_different in zip(places, significant, strict=True):
        if is_different:
            different[i].add(name)
    return [variant._replace(different=frozenset(names)) for variant, names in zip(variants, different, strict=True)]


def _p_value(estimate: Estimate, other: Estimate) -> float:
    """Return the two-sided p-value of the difference between two estimates."""
    reach = ((estimate.high - estimate.low) ** 2 + (other.high - other.low) ** 2) ** 0.5 / 2
    difference = abs(estimate.value - other.value)
    if not reach < float("inf") or reach == 0:
        return 0.0 if difference and reach == 0 else 1.0
    return float(2 * norm.sf(difference / reach * norm.isf((1 - CONFIDENCE_LEVEL) / 2)))


def make_notable_game(plan: Plan, extreme: ExtremeGame) -> NotableGame:
    """Replay a game and return its record and logs."""
    match = play_recorded(plan, extreme.game)
    logs: dict[str, list[tuple[int, str]]] = {}
    for language in LANGUAGES:
        words = load_words(plan.game, language)
        names = [words.format(f"device-{device}") for device in SEAT_DEVICES[: plan.players]]
        lines = ((entry.seat, words.log(entry.seat, _json(match, entry.move), names)) for entry in match.entries)
        logs[language] = [(seat, text) for seat, text in lines if text]
    left_out = max(0, max(map(len, logs.values())) - MAX_LOG_LINES)
    logs = {language: log[left_out:] for language, log in logs.items()}
    return NotableGame(extreme, [int(score) for score in match.scores or []], write_record(match), logs, left_out)


def _json(match: Any, move: int) -> Any:
    return match.moves.decode(move).as_json()
