"""Who is the strongest: bots meet at one table, every deal is played from every seat, and it ends as soon as the order
is certain."""

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
    """Nobody wants to know how many were played."""


class Contest(NamedTuple):
    """What is played, and when it ends: `run_games` at most, but whole deals."""

    game: Game
    bots: tuple[str, ...]
    players: int
    games: int
    asked: EloHypotheses
    seed: int = 0
    options: Mapping[str, int] = {}
    components: Components | None = None


class PairResult(NamedTuple):
    """One and another: how many deals they were in together, what a seat of either had of the victories on average, by
    how many points the first is better and between which this is 95 of 100 times, and what is said of the first."""

    bot: str
    other: str
    deals: int
    won: tuple[float, float]
    elo: tuple[float, float, float]
    verdict: Verdict


class ArenaStanding(NamedTuple):
    """A bot: its seats, its share of their victories, its rating with its interval, its skill by places."""

    bot: str
    seats: int
    won: float
    rating: tuple[float, float, float]
    skill: Skill


class ArenaResult(NamedTuple):
    """The bots, the strongest first; every pair, in the order of the bots; whether all is certain that was asked."""

    deals: int
    games: int
    standings: list[ArenaStanding]
    pairs: list[PairResult]
    certain: bool


class MatchResult(NamedTuple):
    """Of a match: the games, the share of all victories that the first won, alone among others, with its 95 % interval,
    and par; the two; how much likelier it is that it is better."""

    deals: int
    games: int
    won: tuple[float, float, float]
    par: float
    pair: PairResult
    ratio: float


class PairTracker:
    """All that is known of a pair, as deals come in."""

    def __init__(self, bot: str, other: str, asked: EloHypotheses, both: bool):
        """`both`: it may be the other that is better, and by far."""
        self.bot, self.other, self.asked, self.both = bot, other, asked, both
        self.deals, self.turned = DealCounts(), DealCounts()
        self.answers: list[bool | None] = [None, None if both else False]

    def add_deal(self, deal: list[PlayedGame]) -> None:
        met = [played for played in deal if self.bot in played.bots and self.other in played.bots]
        a, b = (_mean_win(met, name) for name in (self.bot, self.other))
        self.deals[a, b] += 1
        self.turned[b, a] += 1

    def update_verdicts(self) -> None:
        """What was certain once remains so."""
        for i, deals in enumerate((self.deals, self.turned)):
            if self.answers[i] is None:
                self.answers[i] = self.asked.decide(deals, soon=self.both)

    @property
    def verdict(self) -> Verdict:
        better, worse = self.answers
        if better or worse:
            return Verdict.BETTER if better else Verdict.WORSE
        return Verdict.OPEN if None in self.answers else Verdict.CLOSE

    def pair_result(self, verdict: Verdict) -> PairResult:
        n = self.deals.total()
        won = tuple(sum(ab[i] * often for ab, often in self.deals.items()) / n for i in (0, 1))
        least, most = self.deals.interval()
        elo = elo_of(self.deals.share()), elo_of(least), elo_of(most)
        return PairResult(self.bot, self.other, n, (won[0], won[1]), elo, verdict)


def _mean_win(met: list[PlayedGame], name: str) -> float:
    """What a seat of this bot has of the victory on average."""
    parts = [won for played in met for won, bot in zip(played.wins, played.bots, strict=True) if bot == name]
    return sum(parts) / len(parts) / WIN_PARTS


# --- who sits where ---------------------------------------------------------------------------------------------------


def mixed_lineups(bots: tuple[str, ...], players: int) -> Lineups:
    """Who sits at a table: each of the bots equally often, as far as can be, and whoever is left over in turn."""
    each, over = divmod(players, len(bots))
    return [tuple(bot for bot in bots for _ in range(each + (bot in more))) for more in combinations(bots, over)]


def solo_lineups(bots: tuple[str, ...], players: int) -> Lineups:
    """The first, alone among others of the second kind."""
    return [(bots[0], *[bots[1]] * (players - 1))]


def rotate_seats(tables: Lineups, deal: int) -> list[Seating]:
    """A deal from every seat: the order round the table changes from deal to deal."""
    found = []
    for first, *others in tables:
        order = next(islice(permutations(others), deal % factorial(len(others)), None))
        round_ = (first, *order)
        found += [(deal, round_[-seat:] + round_[:-seat]) for seat in range(len(round_))]
    return list(dict.fromkeys(found))


def count_deals(tables: Lineups, most: int) -> int:
    """How many deals that many games are, at least one."""
    return max(1, -(-most // len(rotate_seats(tables, 0))))


# --- the two questions ------------------------------------------------------------------------------------------------


def run_arena(
    question: Contest, file: Path | None = None, cores: int | None = None, tell: ReportProgress = ignore_progress
) -> ArenaResult:
    """Let all meet all until it is certain of each pair which is better, or that neither is by as much as was asked, or
    all games are played. With what probability anything of that is said wrongly is shared among the pairs."""
    bots, asked = question.bots, question.asked
    pairs = list(combinations(bots, 2))
    each = asked._replace(alpha=asked.alpha / 2 / len(pairs), beta=asked.beta / len(pairs))
    duels = [PairTracker(bot, other, each, both=True) for bot, other in pairs]
    found = list(_play_deals(question, mixed_lineups(bots, question.players), duels, file, cores, tell))
    rows = zip(bots, estimate_ratings(list(bots), found), estimate_skills(list(bots), found), strict=True)
    standings = []
    for bot, rating, skill in sorted(rows, key=lambda row: -row[1][0]):
        met = [played for played in found if bot in played.bots]
        standings.append(
            ArenaStanding(bot, sum(played.bots.count(bot) for played in met), _mean_win(met, bot), rating, skill)
        )
    order = [standing.bot for standing in standings]
    told = [_stronger_first(duel, order) for duel in duels]
    told.sort(key=lambda pair: (order.index(pair.bot), order.index(pair.other)))
    certain = all(pair.verdict != Verdict.OPEN for pair in told)
    return ArenaResult(1 + found[-1].deal, len(found), standings, told, certain)


def _stronger_first(duel: PairTracker, order: list[str]) -> PairResult:
    """A pair, the stronger first."""
    if order.index(duel.bot) < order.index(duel.other):
        return duel.pair_result(duel.verdict)
    turned = PairTracker(duel.other, duel.bot, duel.asked, both=True)
    turned.deals, turned.turned, turned.answers = duel.turned, duel.deals, duel.answers[::-1]
    return turned.pair_result(turned.verdict)


def run_match(
    question: Contest, file: Path | None = None, cores: int | None = None, tell: ReportProgress = ignore_progress
) -> MatchResult:
    """Is the first of two better than the second?"""
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
    """What one wins alone among others with whom it shares like this two by two."""
    return share / (share + (1 - share) * (players - 1))


def pairwise_share(share: float, players: int) -> float:
    """The other way round: how they share two by two."""
    return share * (players - 1) / (share * (players - 1) + 1 - share)


def _play_deals(
    question: Contest,
    tables: Lineups,
    duels: list[PairTracker],
    file: Path | None,
    cores: int | None,
    tell: ReportProgress,
) -> Iterator[PlayedGame]:
    """The games of whole deals, until all duels are decided."""
    game, most = question.game, count_deals(tables, question.games)
    asked = (seating for deal in range(most) for seating in rotate_seats(tables, deal))
    stream = run_games(game, asked, question.seed, file, cores, question.options, question.components)
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


# --- what is told -----------------------------------------------------------------------------------------------------

VERDICT_MARKS = {Verdict.BETTER: ">", Verdict.WORSE: "<", Verdict.CLOSE: "=", Verdict.OPEN: "?"}


def as_json(question: Contest, found: ArenaResult | MatchResult) -> dict[str, Any]:
    """With the question, and what it was played with."""
    file = question.components and question.components.file
    asked = question._asdict() | {"game": question.game.id, "options": dict(question.options), "components": file}
    made = {"version": question.game.version, "code": hash_code(question.game, question.options)}
    return {"question": _json_value(asked), **made, "found": _json_value(found)}


def _json_value(value: Any) -> Any:
    """Without what JSON has no words for."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {key: _json_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_json_value(item) for item in value]
    if isinstance(value, float):
        return round(value, 6) if isfinite(value) else None
    return value


def _heading(question: Contest, found: ArenaResult | MatchResult) -> str:
    par = f"{1 / question.players:.1%}"
    return (
        f"{question.game.id}, {question.players} players, par {par}: {found.games:,} games, "
        f"{found.deals:,} deals from every seat"
    )


def match_lines(question: Contest, found: MatchResult) -> list[str]:
    """For people."""
    bot, other = question.bots
    low, high, alpha, beta = question.asked
    lower, upper = question.asked.bounds
    won = "{:.1%} [{:.1%}, {:.1%}]".format(*found.won)
    elo = "{:+.0f} [{:+.0f}, {:+.0f}] points".format(*found.pair.elo)
    said = {
        Verdict.BETTER: f"{bot} is better than {other}",
        Verdict.CLOSE: f"{bot} is not better than {other} by {high:g} points",
        Verdict.OPEN: f"not certain yet whether {bot} is better than {other}",
    }[found.pair.verdict]
    return [
        _heading(question, found),
        f"{bot} {'against' if question.players == 2 else 'alone among'} {other}: won {won}, {elo}",
        f"{said} (that is said wrongly at most {alpha:.3g} of times where it is {low:g} points, and missed at most "
        f"{beta:.3g} of times where it is {high:g}; likelihood ratio {found.ratio:+.2f}, bounds {lower:+.2f} and "
        f"{upper:+.2f})",
    ]


def arena_lines(question: Contest, found: ArenaResult) -> list[str]:
    """For people: the bots, what each row wins of what it and a column win, and what is certain of it."""
    names = [standing.bot for standing in found.standings]
    wide = max(8, *map(len, names))
    several = question.players > 2
    lines = [_heading(question, found)]
    skill = f"{'OpenSkill':>14}" if several else ""
    lines.append(
        f"{'':{wide}}  {'rating':>20}{skill}{'games':>8}{'won':>8}  " + "".join(f"{name:>{wide + 2}}" for name in names)
    )
    pairs = {(pair.bot, pair.other): pair for pair in found.pairs}
    for one in found.standings:
        rating = "{:+.0f} [{:+.0f}, {:+.0f}]".format(*one.rating)
        skill = f"{f'{one.skill.mu:.1f} ± {2 * one.skill.sigma:.1f}':>14}" if several else ""
        cells = "".join(f"{_pair_cell(pairs, one.bot, name):>{wide + 2}}" for name in names)
        lines.append(f"{one.bot:{wide}}  {rating:>20}{skill}{one.seats:>8,}{one.won:>8.1%}  {cells}")
    low, high, alpha, beta = question.asked
    order = names[0]
    for before, name in pairwise(names):
        order += f" {VERDICT_MARKS[pairs[before, name].verdict]} {name}"
    unsure = [f"{pair.bot} and {pair.other}" for pair in found.pairs if pair.verdict == Verdict.OPEN]
    lines.append(f"{'not certain of ' + ', '.join(unsure) if unsure else 'all is certain'}: {order}")
    lines.append(
        f"(> better, = neither is better by {high:g} points, ? not certain; that any > is wrong: at most {alpha:.3g}, "
        f"any =: at most {beta:.3g})"
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
