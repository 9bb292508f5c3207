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
    """What to play. `games`: the largest number of games, rounded up to whole deals. `asked`: the hypotheses that end
    it."""

    game: Game
    bots: tuple[str, ...]
    players: int
    games: int
    asked: EloHypotheses
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
    certain: bool


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

    def __init__(self, bot: str, other: str, asked: EloHypotheses, both: bool):
        """Start without deals. `both`: test in both directions, and also against larger differences."""
        self.bot, self.other, self.asked, self.both = bot, other, asked, both
        self.deals, self.turned = DealCounts(), DealCounts()
        self.answers: list[bool | None] = [None, None if both else False]

    def add_deal(self, deal: list[PlayedGame]) -> None:
        """Add the games of one deal."""
        met = [played for played in deal if self.bot in played.bots and self.other in played.bots]
        a, b = (_mean_win(met, name) for name in (self.bot, self.other))
        self.deals[a, b] += 1
        self.turned[b, a] += 1

    def update_verdicts(self) -> None:
        """Test again. A direction that was decided once remains decided."""
        for i, deals in enumerate((self.deals, self.turned)):
            if self.answers[i] is None:
                self.answers[i] = self.asked.decide(deals, soon=self.both)

    @property
    def verdict(self) -> Verdict:
        """The current verdict on the first bot."""
        better, worse = self.answers
        if better or worse:
            return Verdict.BETTER if better else Verdict.WORSE
        return Verdict.OPEN if None in self.answers else Verdict.CLOSE

    def pair_result(self, verdict: Verdict) -> PairResult:
        """Return the result of the pair with this verdict."""
        n = self.deals.total()
        won = tuple(sum(ab[i] * often for ab, often in self.deals.items()) / n for i in (0, 1))
        low, high = self.deals.interval()
        elo = elo_of(self.deals.share()), elo_of(low), elo_of(high)
        return PairResult(self.bot, self.other, n, (won[0], won[1]), elo, verdict)


def _mean_win(met: list[PlayedGame], name: str) -> float:
    """Return the mean share of the victory per seat of this bot."""
    parts = [won for played in met for won, bot in zip(played.wins, played.bots, strict=True) if bot == name]
    return sum(parts) / len(parts) / WIN_PARTS


# --- seatings ---------------------------------------------------------------------------------------------------------


def mixed_lineups(bots: tuple[str, ...], players: int) -> Lineups:
    """Return tables at which each bot has the same number of seats, and the remaining seats go to every combination of
    bots."""
    each, over = divmod(players, len(bots))
    return [tuple(bot for bot in bots for _ in range(each + (bot in more))) for more in combinations(bots, over)]


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
    question: Contest, file: Path | None = None, cores: int | None = None, tell: ReportProgress = ignore_progress
) -> ArenaResult:
    """Let all bots play each other until every pair is decided or all games are played.

    The error probabilities of the contest apply to the whole table: they are divided among the pairs.

    Args:
        question: The contest.
        file: File of games, which is created or extended. Games in it are not played again.
        cores: Number of processes. Default: all cores.
        tell: Called with the number of games of each deal.

    Raises:
        LookupError: The game has no such bot.
        RulesError: The rules or a bot fail.
    """
    bots, asked = question.bots, question.asked
    pairs = list(combinations(bots, 2))
    each = asked._replace(alpha=asked.alpha / 2 / len(pairs), beta=asked.beta / len(pairs))
    duels = [PairTracker(bot, other, each, both=True) for bot, other in pairs]
    games = list(_play_deals(question, mixed_lineups(bots, question.players), duels, file, cores, tell))
    rows = zip(bots, estimate_ratings(list(bots), games), estimate_skills(list(bots), games), strict=True)
    standings = []
    for bot, rating, skill in sorted(rows, key=lambda row: -row[1][0]):
        met = [played for played in games if bot in played.bots]
        standings.append(
            ArenaStanding(bot, sum(played.bots.count(bot) for played in met), _mean_win(met, bot), rating, skill)
        )
    order = [standing.bot for standing in standings]
    results = [_stronger_first(duel, order) for duel in duels]
    results.sort(key=lambda pair: (order.index(pair.bot), order.index(pair.other)))
    certain = all(pair.verdict != Verdict.OPEN for pair in results)
    return ArenaResult(1 + games[-1].deal, len(games), standings, results, certain)


def _stronger_first(duel: PairTracker, order: list[str]) -> PairResult:
    """Return a pair's result with the stronger bot first."""
    if order.index(duel.bot) < order.index(duel.other):
        return duel.pair_result(duel.verdict)
    turned = PairTracker(duel.other, duel.bot, duel.asked, both=True)
    turned.deals, turned.turned, turned.answers = duel.turned, duel.deals, duel.answers[::-1]
    return turned.pair_result(turned.verdict)


def run_match(
    question: Contest, file: Path | None = None, cores: int | None = None, tell: ReportProgress = ignore_progress
) -> MatchResult:
    """Test whether the first of two bots is better than the second.

    Args:
        question: The contest.
        file: File of games, which is created or extended. Games in it are not played again.
        cores: Number of processes. Default: all cores.
        tell: Called with the number of games of each deal.

    Raises:
        LookupError: The game has no such bot.
        RulesError: The rules or a bot fail.
    """
    bot, other = question.bots
    duel = PairTracker(bot, other, question.asked, both=False)
    played = sum(
        1 for _ in _play_deals(question, solo_lineups(question.bots, question.players), [duel], file, cores, tell)
    )
    n = question.players
    shares = [_solo_share(share, n) for share in (duel.deals.share(), *duel.deals.interval())]
    pair, ratio = duel.pair_result(duel.verdict), question.asked.log_ratio(duel.deals)
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
    question: Contest,
    tables: Lineups,
    duels: list[PairTracker],
    file: Path | None,
    cores: int | None,
    tell: ReportProgress,
) -> Iterator[PlayedGame]:
    """Yield the games of whole deals until all pairs are decided."""
    game, max_deals = question.game, count_deals(tables, question.games)
    seatings = (seating for deal in range(max_deals) for seating in rotate_seats(tables, deal))
    stream = run_games(game, seatings, question.seed, file, cores, question.options, question.components)
    for number, (_, deal) in enumerate(groupby(stream, key=attrgetter("deal")), 1):
        met = list(deal)
        for duel in duels:
            duel.add_deal(met)
        yield from met
        tell(len(met))
        if is_look_due(number):
            for duel in duels:
                duel.update_verdicts()
            if all(duel.verdict != Verdict.OPEN for duel in duels):
                stream.close()
                return


# --- output -----------------------------------------------------------------------------------------------------------

VERDICT_MARKS = {Verdict.BETTER: ">", Verdict.WORSE: "<", Verdict.CLOSE: "=", Verdict.OPEN: "?"}


def as_json(question: Contest, result: ArenaResult | MatchResult) -> dict[str, Any]:
    """Return a result as JSON, with the contest and the versions of the game and its code."""
    file = question.components and question.components.file
    contest = question._asdict() | {"game": question.game.id, "options": dict(question.options), "components": file}
    versions = {"version": question.game.version, "code": hash_code(question.game, question.options)}
    return {"question": _json_value(contest), **versions, "found": _json_value(result)}


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


def _heading(question: Contest, result: ArenaResult | MatchResult) -> str:
    par = f"{1 / question.players:.1%}"
    return (
        f"{question.game.id}, {question.players} players, par {par}: {result.games:,} games, "
        f"{result.deals:,} deals from every seat"
    )


def match_lines(question: Contest, result: MatchResult) -> list[str]:
    """Return a match as lines of text."""
    bot, other = question.bots
    low, high, alpha, beta = question.asked
    lower, upper = question.asked.bounds
    won = "{:.1%} [{:.1%}, {:.1%}]".format(*result.won)
    elo = "{:+.0f} [{:+.0f}, {:+.0f}] Elo".format(*result.pair.elo)
    sentence = {
        Verdict.BETTER: f"{bot} is better than {other}",
        Verdict.CLOSE: f"{bot} is not better than {other} by {high:g} Elo points",
        Verdict.OPEN: f"undecided whether {bot} is better than {other}",
    }[result.pair.verdict]
    return [
        _heading(question, result),
        f"{bot} {'against' if question.players == 2 else 'alone among'} {other}: won {won}, {elo}",
        f"{sentence} (type I error at most {alpha:.3g} at {low:g} Elo, type II error at most {beta:.3g} at {high:g} "
        f"Elo; log likelihood ratio {result.ratio:+.2f}, bounds {lower:+.2f} and {upper:+.2f})",
    ]


def arena_lines(question: Contest, result: ArenaResult) -> list[str]:
    """Return an arena as lines of text: the bots, their pairwise win shares, and the order with its certainty."""
    names = [standing.bot for standing in result.standings]
    wide = max(8, *map(len, names))
    several = question.players > 2
    lines = [_heading(question, result)]
    skill = f"{'OpenSkill':>14}" if several else ""
    lines.append(
        f"{'':{wide}}  {'rating':>20}{skill}{'games':>8}{'won':>8}  " + "".join(f"{name:>{wide + 2}}" for name in names)
    )
    pairs = {(pair.bot, pair.other): pair for pair in result.pairs}
    for one in result.standings:
        rating = "{:+.0f} [{:+.0f}, {:+.0f}]".format(*one.rating)
        skill = f"{f'{one.skill.mu:.1f} ± {2 * one.skill.sigma:.1f}':>14}" if several else ""
        cells = "".join(f"{_pair_cell(pairs, one.bot, name):>{wide + 2}}" for name in names)
        lines.append(f"{one.bot:{wide}}  {rating:>20}{skill}{one.seats:>8,}{one.won:>8.1%}  {cells}")
    low, high, alpha, beta = question.asked
    order = names[0]
    for before, name in pairwise(names):
        order += f" {VERDICT_MARKS[pairs[before, name].verdict]} {name}"
    unsure = [f"{pair.bot} and {pair.other}" for pair in result.pairs if pair.verdict == Verdict.OPEN]
    lines.append(f"{'undecided: ' + ', '.join(unsure) if unsure else 'every pair is decided'}: {order}")
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
    turned = {Verdict.BETTER: Verdict.WORSE, Verdict.WORSE: Verdict.BETTER}
    return f"{VERDICT_MARKS[turned.get(pair.verdict, pair.verdict)]} {share_of(-pair.elo[0]):.1%}"
