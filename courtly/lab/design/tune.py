"""Search for component numbers that meet goals.

Each trial plays the same games with other numbers as machine code; Optuna's CMA-ES proposes the numbers. Trials are
appended to a file, so an interrupted search can be resumed; proposals depend only on that file and the seed. The best
trials are then replayed with more games and another seed, because some were lucky. The reported figures of the final
choice come from a third set of games, which no choice was based on.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable
from math import log2
from pathlib import Path
from typing import Any, NamedTuple

from courtly import __version__
from courtly.engine.errors import CourtlyError, RulesError
from courtly.lab.batch import Batch
from courtly.lab.design.goals import Goal
from courtly.lab.design.parameters import ComponentNumbers, NumberPath, Parameter
from courtly.lab.execution import ray_cluster
from courtly.lab.plan import Plan
from courtly.lab.provenance import source_commit
from courtly.lab.runs.checkpoint import write_atomically
from courtly.lab.runs.component_override import InvalidComponentsError
from courtly.lab.statistics.game_measures import Estimate, Tally
from courtly.runtime.process_pool import ProcessPool

DISTANCE_COST = 0.02  # cost of doubling or halving the numbers: among solutions that meet the goals, prefer the nearest
FINAL_SEED_OFFSET = 1 << 32  # distance between the seeds of trials, of the replay and of the final figures
FINAL_GAMES_FACTOR = 5  # games of the replay and of the final figures, as a multiple of a trial's
SHORTLIST_SIZE = 6  # number of best trials to replay
REJECTED_TRIAL_COST = 1e6  # cost of numbers that the rules reject


class TuneResult(NamedTuple):
    """The best numbers, and what the goals measure before and after, in games that the search did not use."""

    trials: int
    refused: int  # trials whose numbers the rules rejected
    values: dict[str, int]
    text: str
    before: list[Estimate]
    after: list[Estimate]


class Trial(NamedTuple):
    """A trial: its numbers, and what the goals measure; None if the rules rejected the numbers."""

    values: dict[str, int]
    figures: list[float] | None


class SearchMismatchError(CourtlyError, ValueError):
    """The folder contains another search, or the rules reject the original numbers."""


class TuneSearch:
    """One search."""

    def __init__(
        self,
        plan: Plan,
        numbers: ComponentNumbers,
        parameters: list[Parameter],
        goals: list[Goal],
        out: Path,
        command: str = "",
    ):
        """Start the worker process.

        Args:
            plan: The games of a trial.
            numbers: The component file.
            parameters: The parameters to search.
            goals: The goals to meet.
            out: Folder for trials, results and sums.
            command: The command line, recorded in the result.
        """
        self.plan, self.numbers, self.parameters, self.goals, self.out = plan, numbers, parameters, goals, out
        self.command = command
        # a process of its own: a trial whose games fail counts as rejected and does not end the search
        self.executor = ProcessPool(1, inherit_state=False)

    def __enter__(self) -> TuneSearch:
        return self

    def __exit__(self, *_: object) -> None:
        self.executor.shutdown()

    @property
    def name(self) -> str:
        """A hash of everything that the trials depend on."""
        inputs = [self.plan, self.parameters, self.goals, self.numbers.text, __version__]
        return hashlib.sha256(repr(inputs).encode()).hexdigest()[:16]

    def run(
        self, trials: int, cores: int | None, report_progress: Callable[[int], None] = lambda trials: None
    ) -> TuneResult:
        """Run the search.

        Args:
            trials: Total number of trials, including those already in the file.
            cores: Number of threads, or of processes on a cluster. Default: all cores.
            report_progress: Called with 1 after each trial.

        Raises:
            SearchMismatchError: The file belongs to another search, or the rules reject the original numbers.
        """
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        with warnings.catch_warnings():  # `with_margin` is marked experimental
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            sampler = optuna.samplers.CmaEsSampler(seed=self.plan.seed % 2**32, with_margin=True)
        study = optuna.create_study(sampler=sampler)
        study.enqueue_trial({p.name: p.now for p in self.parameters})
        recorded = self._load_trials()
        refused = 0
        with self.file.open("a", encoding="utf-8") as file:
            for number in range(trials):
                trial = study.ask()
                values = {p.name: trial.suggest_int(p.name, p.low, p.high, step=p.step) for p in self.parameters}
                if number < len(recorded):
                    current_trial = recorded[number]
                else:
                    tally = self._play(self.plan, values, cores)
                    current_trial = Trial(values, self.figures(tally) if tally else None)
                    file.write(json.dumps(current_trial._asdict()) + "\n")
                    file.flush()
                    recorded.append(current_trial)
                if current_trial.values != values:
                    raise SearchMismatchError(
                        f"{self.file}, line {number + 2}: the trial differs from the one that this search proposes"
                    )
                refused += current_trial.figures is None
                study.tell(trial, self.cost(current_trial) if current_trial.figures else REJECTED_TRIAL_COST)
                report_progress(1)
        return self._finish(recorded[:trials], refused, cores)

    @property
    def file(self) -> Path:
        """The file of trials: a line with the search's hash, then a line for each trial."""
        return self.out / "trials.jsonl"

    def _load_trials(self) -> list[Trial]:
        """Return the trials of the file, which is created if it does not exist. An incomplete last line is removed."""
        self.out.mkdir(parents=True, exist_ok=True)
        first = json.dumps({"search": self.name}) + "\n"
        text = self.file.read_text(encoding="utf-8") if self.file.exists() else first
        complete_text = text[: text.rfind("\n") + 1]
        lines = complete_text.splitlines(keepends=True) or [first]
        if lines[0] != first:
            raise SearchMismatchError(
                f"{self.out} contains another search, or one by another version: choose another folder"
            )
        self.file.write_text("".join(lines), encoding="utf-8")
        return [Trial(**json.loads(line)) for line in lines[1:]]

    def figures(self, tally: Tally) -> list[float]:
        """Return what the goals measure."""
        sums = tally.sums()
        return [goal.request.figure(sums, tally.components) for goal in self.goals]

    def cost(self, trial: Trial) -> float:
        """Return the squared shortfall of all goals, plus a small cost for the distance from the original numbers."""
        shortfall = sum(goal.shortfall(value) ** 2 for goal, value in zip(self.goals, trial.figures or (), strict=True))
        return shortfall + DISTANCE_COST * self.distance(trial.values)

    def distance(self, values: dict[str, int]) -> float:
        """Return the mean distance from the original numbers, in doublings."""
        return sum(abs(log2((values[p.name] + 1) / (p.now + 1))) for p in self.parameters) / len(self.parameters)

    def changed_numbers(self, values: dict[str, int]) -> dict[NumberPath, int]:
        """Return the numbers of the file, by path, that these parameter values make."""
        changed: dict[NumberPath, int] = {}
        for parameter in self.parameters:
            changed |= parameter.scaled_numbers(self.numbers.numbers, values[parameter.name])
        return changed

    def _play(self, plan: Plan, values: dict[str, int], cores: int | None) -> Tally | None:
        """Play a plan with these values and return the sums; None if the rules reject them or a game fails."""
        text = self.numbers.changed_text(self.changed_numbers(values))
        cluster = ray_cluster.make_executor(plan.game, cores)
        if not cluster:
            return self.executor.submit(_play_trial, plan, self.numbers.file, text, cores).result()
        from courtly.lab.design.component_swap import batch_ranges

        tally = None
        try:
            for part in [
                cluster.submit(_play_batch, plan, self.numbers.file, text, *span) for span in batch_ranges(plan)
            ]:
                names, batch = part.result()
                tally = tally or Tally(plan.players, names, plan.games)
                tally.add(batch)
        except (InvalidComponentsError, RulesError):
            return None
        finally:
            cluster.shutdown()
        return tally

    def _finish(self, trials: list[Trial], refused: int, cores: int | None) -> TuneResult:
        """Replay the best trials with more games, choose the best, and measure it and the original numbers in further
        games."""
        final_plans = [
            self.plan._replace(seed=self.plan.seed + FINAL_SEED_OFFSET * n, games=self.plan.games * FINAL_GAMES_FACTOR)
            for n in (1, 2)
        ]
        best = sorted((trial for trial in trials if trial.figures), key=self.cost)[:SHORTLIST_SIZE]
        replayed = []
        for trial in best:
            if tally := self._play(final_plans[0], trial.values, cores):
                replayed.append(trial._replace(figures=self.figures(tally)))
        values = min(replayed, key=self.cost).values if replayed else {p.name: p.now for p in self.parameters}
        tallies = [
            self._play(final_plans[1], numbers, cores) for numbers in ({p.name: p.now for p in self.parameters}, values)
        ]
        if None in tallies:
            raise SearchMismatchError(f"the rules reject the original numbers of {self.numbers.file}")
        before, after = ([goal.request.estimate(tally) for goal in self.goals] for tally in tallies if tally)
        result = TuneResult(len(trials), refused, values, "", before, after)
        text = self.numbers.changed_text(self.changed_numbers(values), "\n".join(self.result_lines(result)))
        return result._replace(text=text)

    def result_lines(self, result: TuneResult) -> list[str]:
        """Return lines that document the result: how it was found, and which goals it reaches."""
        plan, bots = self.plan, ",".join(self.plan.bots or ["random"])
        origin = f"courtly {__version__}" + (f" ({origin})" if (origin := source_commit()) else "")
        changed = [p for p in self.parameters if result.values[p.name] != p.now]
        return [
            f"tuned: numbers found by a search toward goals, not taken from a source. {origin}",
            *([self.command] if self.command else []),
            f"{result.trials} trials of {plan.games} games, {plan.players} players ({bots}), seed {plan.seed}; "
            f"measured in {plan.games * FINAL_GAMES_FACTOR} games of seed {plan.seed + 2 * FINAL_SEED_OFFSET}",
            *(
                f"{goal.text}: {format_estimate(before)} before, {format_estimate(after)} now: "
                f"{judge_goal(goal, after)}"
                for goal, before, after in zip(self.goals, result.before, result.after, strict=True)
            ),
            *(f"{p.name}: {p.now} before, {result.values[p.name]} now" for p in changed),
        ]

    def as_json(self, result: TuneResult) -> dict[str, Any]:
        """Return the result as JSON."""
        return {
            "game": self.plan.game,
            "players": self.plan.players,
            "games": self.plan.games,
            "seed": self.plan.seed,
            "bots": list(self.plan.bots or ["random"] * self.plan.players),
            "options": self.plan.options,
            "trials": result.trials,
            "refused": result.refused,
            "goals": [
                {
                    "goal": goal.text,
                    "unit": goal.request.measure.unit,
                    "before": before._asdict(),
                    "after": after._asdict(),
                    "reached": goal.shortfall(after.value) == 0,
                }
                for goal, before, after in zip(self.goals, result.before, result.after, strict=True)
            ],
            "parameters": {
                p.name: {"before": p.now, "after": result.values[p.name], "low": p.low, "high": p.high}
                for p in self.parameters
            },
        }

    def write(self, result: TuneResult) -> Path:
        """Write the component file and report.json, and return the path of the component file."""
        file = self.out / f"tuned{Path(self.numbers.file).suffix}"
        write_atomically(file, result.text.encode())
        write_atomically(self.out / "report.json", (json.dumps(self.as_json(result), indent=1) + "\n").encode())
        return file


def format_estimate(figure: Estimate) -> str:
    """Return a figure with its interval as text."""
    return f"{figure.value:.2f} ({figure.low:.2f} to {figure.high:.2f})"


def judge_goal(goal: Goal, figure: Estimate) -> str:
    """Return in words whether a goal is reached, and with its whole interval."""
    if goal.shortfall(figure.value):
        return "not reached"
    return "reached" if goal.low <= figure.low and figure.high <= goal.high else "reached, if barely"


def _play_trial(plan: Plan, file: str, text: str, cores: int | None) -> Tally | None:
    """Run a trial in the worker process."""
    try:
        tally: Tally = _get_swapper(plan.game, file, cores).play(plan, text)
    except (InvalidComponentsError, RulesError):
        return None
    return tally


def _play_batch(plan: Plan, file: str, text: str, first: int, games: int) -> tuple[tuple[str, ...], Batch]:
    """Run a batch of a trial on a cluster node."""
    outcome: tuple[tuple[str, ...], Batch] = _get_swapper(plan.game, file, 1).play_batch(plan, text, first, games)
    return outcome


def _get_swapper(game: str, file: str, cores: int | None) -> Any:
    from courtly.lab.design import component_swap

    if not _swappers:
        _swappers.append(component_swap.ComponentSwapper(game, file, cores))
    return _swappers[0]


_swappers: list[Any] = []
