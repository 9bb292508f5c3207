"""Arenas and matches: bots play until their order is certain. Every deal is played from every seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, groupby, islice, pairwise, permutations
from math import factorial, isfinite
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from courtly.engine.game import Game
from courtly.lab.plan import Components
from courtly.lab.statistics.sprt import DealCounts, EloHypotheses, Verdict, elo_of, is_look_due, share_of
from courtly.lab.strength.match_runner import WIN_PARTS, PlayedGame, Seating, hash_code, run_games
from courtly.lab.strength.ratings import Skill, estimate_ratings, estimate_skills

Lineups = list[tuple[str, ...]]
ReportProgress = Callable[[int], None]


def ignore_progress(games: int) -> None:
    """Do nothing: the default for progress callbacks."""


class Contest(NamedTuple):
    """What to play. `games`: the largest number of games, rounded up to whole deals. `hypotheses`: those that end
    it."""

    game: Game
    bots: tuple[str, ...]
    players: int
    games: int
    hypotheses: EloHypotheses
    seed: int = 0
    options: Mapping[str, int] = {}
    components: Components | None = None


class PairResult(NamedTuple):
    """A pair of bots: deals in which they met, mean share of the victory per seat of either, Elo difference with its 95
    % interval, and the verdict on the first."""

    bot: str
    other: str
    deals: int
    won: tuple[float, float]
    elo: tuple[float, float, float]
    verdict: Verdict


class ArenaStanding(NamedTuple):
    """A bot: its number of seats, mean share of the victory, rating with its interval, and skill by places."""

    bot: str
    seats: int
    won: float
    rating: tuple[float, float, float]
    skill: Skill


class ArenaResult(NamedTuple):
    """The bots, strongest first; every pair, in the order of the bots; and whether every pair is decided."""

    deals: int
    games: int
    standings: list[ArenaStanding]
    pairs: list[PairResult]
    all_decided: bool


class MatchResult(NamedTuple):
    """A match: number of deals and games, win share of the first bot alone among copies of the second with its 95 %
    interval, par, the pair, and the log likelihood ratio."""

    deals: int
    games: int
    won: tuple[float, float, float]
    par: float
    pair: PairResult
    ratio: float


class PairTracker:
    """The state of one pair while deals come in."""

    def __init__(self, bot: str, other: str, hypotheses: EloHypotheses, two_sided: bool):
        """Start without deals. `two_sided`: test in both directions, and also against larger differences."""
        self.bot, self.other, self.hypotheses, self.two_sided = bot, other, hypotheses, two_sided
        self.deals, self.reversed_deals = DealCounts(), DealCounts()
        self.decisions: list[bool | None] = [None, None if two_sided else False]

    def add_deal(self, deal: list[PlayedGame]) -> None:
        """Add the games of one deal."""
        pair_games = [played for played in deal if self.bot in played.bots and self.other in played.bots]
        a, b = (_mean_win(pair_games, name) for name in (self.bot, self.other))
        self.deals[a, b] += 1
        self.reversed_deals[b, a] += 1

    def update_verdicts(self) -> None:
        """Test again. A direction that was decided once remains decided."""
        for i, deals in enumerate((self.deals, self.reversed_deals)):
            if self.decisions[i] is None:
                self.decisions[i] = self.hypotheses.decide(deals, use_mixture=self.two_sided)

    @property
    def verdict(self) -> Verdict:
        """The current verdict on the first bot."""
        better, worse = self.decisions
        if better or worse:
            return Verdict.BETTER if better else Verdict.WORSE
        return Verdict.OPEN if None in self.decisions else Verdict.CLOSE

    def pair_result(self, verdict: Verdict) -> PairResult:
        """Return the result of the pair with this verdict."""
        n = self.deals.total()
        won = tuple(sum(ab[i] * often for ab, often in self.deals.items()) / n for i in (0, 1))
        low, high = self.deals.interval()
        elo = elo_of(self.deals.share()), elo_of(low), elo_of(high)
        return PairResult(self.bot, self.other, n, (won[0], won[1]), elo, verdict)


def _mean_win(games: list[PlayedGame], name: str) -> float:
    """Return the mean share of the victory per seat of this bot."""
    parts = [won for played in games for won, bot in zip(played.wins, played.bots, strict=True) if bot == name]
    return sum(parts) / len(parts) / WIN_PARTS


# --- seatings ---------------------------------------------------------------------------------------------------------


def mixed_lineups(bots: tuple[str, ...], players: int) -> Lineups:
    """Return tables at which each bot has the same number of seats, and the remaining seats go to every combination of
    bots."""
    seats_per_bot, extra_seats = divmod(players, len(bots))
    return [
        tuple(bot for bot in bots for _ in range(seats_per_bot + (bot in extra_bots)))
        for extra_bots in combinations(bots, extra_seats)
    ]


def solo_lineups(bots: tuple[str, ...], players: int) -> Lineups:
    """Return one table: the first bot alone among copies of the second."""
    return [(bots[0], *[bots[1]] * (players - 1))]


def rotate_seats(tables: Lineups, deal: int) -> list[Seating]:
    """Return the seatings of a deal: every table in every rotation.

    Args:
        tables: The bots of each table.
        deal: Number of the deal, by which the order round the table changes.
    """
    seatings = []
    for first, *others in tables:
        order = next(islice(permutations(others), deal % factorial(len(others)), None))
        round_ = (first, *order)
        seatings += [(deal, round_[-seat:] + round_[:-seat]) for seat in range(len(round_))]
    return list(dict.fromkeys(seatings))


def count_deals(tables: Lineups, max_games: int) -> int:
    """Return the number of deals for this many games, at least one."""
    return max(1, -(-max_games // len(rotate_seats(tables, 0))))


# --- arena and match --------------------------------------------------------------------------------------------------


def run_arena(
    contest: Contest,
    file: Path | None = None,
    cores: int | None = None,
    report_progress: ReportProgress = ignore_progress,
) -> ArenaResult:
    """Let all bots play each other until every pair is decided or all games are played.

    The error probabilities of the contest apply to the whole table: they are divided among the pairs.

    Args:
        contest: The contest.
        file: File of games, which is created or extended. Games in it are not played again.
        cores: Number of processes. Default: all cores.
        report_progress: Called with the number of games of each deal.

    Raises:
        LookupError: The game has no such bot.
        RulesError: The rules or a bot fail.
    """
    bots, hypotheses = contest.bots, contest.hypotheses
    pairs = list(combinations(bots, 2))
    pair_hypotheses = hypotheses._replace(alpha=hypotheses.alpha / 2 / len(pairs), beta=hypotheses.beta / len(pairs))
    trackers = [PairTracker(bot, other, pair_hypotheses, two_sided=True) for bot, other in pairs]
    games = list(_play_deals(contest, mixed_lineups(bots, contest.players), trackers, file, cores, report_progress))
    rows = zip(bots, estimate_ratings(list(bots), games), estimate_skills(list(bots), games), strict=True)
    standings = []
    for bot, rating, skill in sorted(rows, key=lambda row: -row[1][0]):
        bot_games = [played for played in games if bot in played.bots]
        standings.append(
            ArenaStanding(
                bot, sum(played.bots.count(bot) for played in bot_games), _mean_win(bot_games, bot), rating, skill
            )
        )
    order = [standing.bot for standing in standings]
    results = [_stronger_first(tracker, order) for tracker in trackers]
    results.sort(key=lambda pair: (order.index(pair.bot), order.index(pair.other)))
    all_decided = all(pair.verdict != Verdict.OPEN for pair in results)
    return ArenaResult(1 + games[-1].deal, len(games), standings, results, all_decided)


def _stronger_first(tracker: PairTracker, order: list[str]) -> PairResult:
    """Return a pair's result with the stronger bot first."""
    if order.index(tracker.bot) < order.index(tracker.other):
        return tracker.pair_result(tracker.verdict)
    reversed_tracker = PairTracker(tracker.other, tracker.bot, tracker.hypotheses, two_sided=True)
    reversed_tracker.deals, reversed_tracker.reversed_deals, reversed_tracker.decisions = (
        tracker.reversed_deals,
        tracker.deals,
        tracker.decisions[::-1],
    )
    return reversed_tracker.pair_result(reversed_tracker.verdict)


def run_match(
    contest: Contest,
    file: Path | None = None,
    cores: int | None = None,
    report_progress: ReportProgress = ignore_progress,
) -> MatchResult:
    """Test whether the first of two bots is better than the second.

    Args:
        contest: The contest.
        file: File of games, which is created or extended. Games in it are not played again.
        cores: Number of processes. Default: all cores.
        report_progress: Called with the number of games of each deal.

    Raises:
        LookupError: The game has no such bot.
        RulesError: The rules or a bot fail.
    """
    bot, other = contest.bots
    tracker = PairTracker(bot, other, contest.hypotheses, two_sided=False)
    played = sum(
        1
        for _ in _play_deals(
            contest, solo_lineups(contest.bots, contest.players), [tracker], file, cores, report_progress
        )
    )
    n = contest.players
    shares = [_solo_share(share, n) for share in (tracker.deals.share(), *tracker.deals.interval())]
    pair, ratio = tracker.pair_result(tracker.verdict), contest.hypotheses.log_ratio(tracker.deals)
    return MatchResult(pair.deals, played, (shares[0], shares[1], shares[2]), 1 / n, pair, ratio)


def _solo_share(share: float, players: int) -> float:
    """Return what a bot wins alone among copies of another, given how the two share victories in pairs."""
    return share / (share + (1 - share) * (players - 1))


def pairwise_share(share: float, players: int) -> float:
    """Return how two bots share victories in pairs, as the first bot's share from 0 to 1.

    Args:
        share: What the first wins alone among copies of the second, from 0 to 1.
        players: Number of players.
    """
    return share * (players - 1) / (share * (players - 1) + 1 - share)


def _play_deals(
    contest: Contest,
    tables: Lineups,
    trackers: list[PairTracker],
    file: Path | None,
    cores: int | None,
    report_progress: ReportProgress,
) -> Iterator[PlayedGame]:
    """Yield the games of whole deals until all pairs are decided."""
    game, max_deals = contest.game, count_deals(tables, contest.games)
    seatings = (seating for deal in range(max_deals) for seating in rotate_seats(tables, deal))
    stream = run_games(game, seatings, contest.seed, file, cores, contest.options, contest.components)
    for number, (_, deal) in enumerate(groupby(stream, key=attrgetter("deal")), 1):
        deal_games = list(deal)
        for tracker in trackers:
            tracker.add_deal(deal_games)
        yield from deal_games
        report_progress(len(deal_games))
        if is_look_due(number):
            for tracker in trackers:
                tracker.update_verdicts()
            if all(tracker.verdict != Verdict.OPEN for tracker in trackers):
                stream.close()
                return


# --- output -----------------------------------------------------------------------------------------------------------

VERDICT_MARKS = {Verdict.BETTER: ">", Verdict.WORSE: "<", Verdict.CLOSE: "=", Verdict.OPEN: "?"}


def as_json(contest: Contest, result: ArenaResult | MatchResult) -> dict[str, Any]:
    """Return a result as JSON, with the contest and the versions of the game and its code."""
    file = contest.components and contest.components.file
    fields = contest._asdict() | {"game": contest.game.id, "options": dict(contest.options), "components": file}
    versions = {"version": contest.game.version, "code": hash_code(contest.game, contest.options)}
    return {"contest": _json_value(fields), **versions, "result": _json_value(result)}


def _json_value(value: Any) -> Any:
    """Return a value as JSON: infinite numbers become null, tuples lists."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {key: _json_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_json_value(item) for item in value]
    if isinstance(value, float):
        return round(value, 6) if isfinite(value) else None
    return value


def _heading(contest: Contest, result: ArenaResult | MatchResult) -> str:
    par = f"{1 / contest.players:.1%}"
    return (
        f"{contest.game.id}, {contest.players} players, par {par}: {result.games:,} games, "
        f"{result.deals:,} deals from every seat"
    )


def match_lines(contest: Contest, result: MatchResult) -> list[str]:
    """Return a match as lines of text."""
    bot, other = contest.bots
    low, high, alpha, beta = contest.hypotheses
    lower, upper = contest.hypotheses.bounds
    won = "{:.1%} [{:.1%}, {:.1%}]".format(*result.won)
    elo = "{:+.0f} [{:+.0f}, {:+.0f}] Elo".format(*result.pair.elo)
    sentence = {
        Verdict.BETTER: f"{bot} is better than {other}",
        Verdict.CLOSE: f"{bot} is not better than {other} by {high:g} Elo points",
        Verdict.OPEN: f"undecided whether {bot} is better than {other}",
    }[result.pair.verdict]
    return [
        _heading(contest, result),
        f"{bot} {'against' if contest.players == 2 else 'alone among'} {other}: won {won}, {elo}",
        f"{sentence} (type I error at most {alpha:.3g} at {low:g} Elo, type II error at most {beta:.3g} at {high:g} "
        f"Elo; log likelihood ratio {result.ratio:+.2f}, bounds {lower:+.2f} and {upper:+.2f})",
    ]


def arena_lines(contest: Contest, result: ArenaResult) -> list[str]:
    """Return an arena as lines of text: the bots, their pairwise win shares, and the order with its certainty."""
    names = [standing.bot for standing in result.standings]
    name_width = max(8, *map(len, names))
    has_skill = contest.players > 2
    lines = [_heading(contest, result)]
    skill = f"{'OpenSkill':>14}" if has_skill else ""
    lines.append(
        f"{'':{name_width}}  {'rating':>20}{skill}{'games':>8}{'won':>8}  "
        + "".join(f"{name:>{name_width + 2}}" for name in names)
    )
    pairs = {(pair.bot, pair.other): pair for pair in result.pairs}
    for entry in result.standings:
        rating = "{:+.0f} [{:+.0f}, {:+.0f}]".format(*entry.rating)
        skill = f"{f'{entry.skill.mu:.1f} ± {2 * entry.skill.sigma:.1f}':>14}" if has_skill else ""
        cells = "".join(f"{_pair_cell(pairs, entry.bot, name):>{name_width + 2}}" for name in names)
        lines.append(f"{entry.bot:{name_width}}  {rating:>20}{skill}{entry.seats:>8,}{entry.won:>8.1%}  {cells}")
    low, high, alpha, beta = contest.hypotheses
    order = names[0]
    for before, name in pairwise(names):
        order += f" {VERDICT_MARKS[pairs[before, name].verdict]} {name}"
    undecided = [f"{pair.bot} and {pair.other}" for pair in result.pairs if pair.verdict == Verdict.OPEN]
    lines.append(f"{'undecided: ' + ', '.join(undecided) if undecided else 'every pair is decided'}: {order}")
    lines.append(
        f"(> better, = neither is better by {high:g} Elo points, ? undecided; probability that any > is wrong at most "
        f"{alpha:.3g}, that any = is wrong at most {beta:.3g})"
    )
    return lines


def _pair_cell(pairs: dict[tuple[str, str], PairResult], bot: str, name: str) -> str:
    if bot == name:
        return "·"
    pair = pairs.get((bot, name))
    if pair:
        return f"{VERDICT_MARKS[pair.verdict]} {share_of(pair.elo[0]):.1%}"
    pair = pairs[name, bot]
    reversed_verdicts = {Verdict.BETTER: Verdict.WORSE, Verdict.WORSE: Verdict.BETTER}
    return f"{VERDICT_MARKS[reversed_verdicts.get(pair.verdict, pair.verdict)]} {share_of(-pair.elo[0]):.1%}"
