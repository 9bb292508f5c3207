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
from courtly.lab.statistics.sprt import Asked, Deals, Verdict, elo_of, looked_at, share_of
from courtly.lab.strength.match_runner import VICTORY, Played, Seating, code_of, games
from courtly.lab.strength.ratings import Skill, ratings, skills

Tables = list[tuple[str, ...]]
Tell = Callable[[int], None]


def silent(games: int) -> None:
    """Nobody wants to know how many were played."""


class Question(NamedTuple):
    """What is played, and when it ends: `games` at most, but whole deals."""

    game: Game
    bots: tuple[str, ...]
    players: int
    games: int
    asked: Asked
    seed: int = 0
    options: Mapping[str, int] = {}
    components: Components | None = None


class Pair(NamedTuple):
    """One and another: how many deals they were in together, what a seat of either had of the victories on average, by
    how many points the first is better and between which this is 95 of 100 times, and what is said of the first."""

    bot: str
    other: str
    deals: int
    won: tuple[float, float]
    elo: tuple[float, float, float]
    verdict: Verdict


class Standing(NamedTuple):
    """A bot: its seats, its share of their victories, its rating with its interval, its skill by places."""

    bot: str
    seats: int
    won: float
    rating: tuple[float, float, float]
    skill: Skill


class Found(NamedTuple):
    """The bots, the strongest first; every pair, in the order of the bots; whether all is certain that was asked."""

    deals: int
    games: int
    standings: list[Standing]
    pairs: list[Pair]
    certain: bool


class Matched(NamedTuple):
    """Of a match: the games, the share of all victories that the first won, alone among others, with its 95 % interval,
    and par; the two; how much likelier it is that it is better."""

    deals: int
    games: int
    won: tuple[float, float, float]
    par: float
    pair: Pair
    ratio: float


class Duel:
    """All that is known of a pair, as deals come in."""

    def __init__(self, bot: str, other: str, asked: Asked, both: bool):
        """`both`: it may be the other that is better, and by far."""
        self.bot, self.other, self.asked, self.both = bot, other, asked, both
        self.deals, self.turned = Deals(), Deals()
        self.answers: list[bool | None] = [None, None if both else False]

    def meet(self, deal: list[Played]) -> None:
        met = [played for played in deal if self.bot in played.bots and self.other in played.bots]
        a, b = (_won(met, name) for name in (self.bot, self.other))
        self.deals[a, b] += 1
        self.turned[b, a] += 1

    def look(self) -> None:
        """What was certain once remains so."""
        for i, deals in enumerate((self.deals, self.turned)):
            if self.answers[i] is None:
                self.answers[i] = self.asked.answer(deals, soon=self.both)

    @property
    def verdict(self) -> Verdict:
        better, worse = self.answers
        if better or worse:
            return Verdict.BETTER if better else Verdict.WORSE
        return Verdict.OPEN if None in self.answers else Verdict.CLOSE

    def told(self, verdict: Verdict) -> Pair:
        n = self.deals.total()
        won = tuple(sum(ab[i] * often for ab, often in self.deals.items()) / n for i in (0, 1))
        least, most = self.deals.interval()
        elo = elo_of(self.deals.share()), elo_of(least), elo_of(most)
        return Pair(self.bot, self.other, n, (won[0], won[1]), elo, verdict)


def _won(met: list[Played], name: str) -> float:
    """What a seat of this bot has of the victory on average."""
    parts = [won for played in met for won, bot in zip(played.wins, played.bots, strict=True) if bot == name]
    return sum(parts) / len(parts) / VICTORY


# --- who sits where ---------------------------------------------------------------------------------------------------


def together(bots: tuple[str, ...], players: int) -> Tables:
    """Who sits at a table: each of the bots equally often, as far as can be, and whoever is left over in turn."""
    each, over = divmod(players, len(bots))
    return [tuple(bot for bot in bots for _ in range(each + (bot in more))) for more in combinations(bots, over)]


def alone(bots: tuple[str, ...], players: int) -> Tables:
    """The first, alone among others of the second kind."""
    return [(bots[0], *[bots[1]] * (players - 1))]


def seatings(tables: Tables, deal: int) -> list[Seating]:
    """A deal from every seat: the order round the table changes from deal to deal."""
    found = []
    for first, *others in tables:
        order = next(islice(permutations(others), deal % factorial(len(others)), None))
        round_ = (first, *order)
        found += [(deal, round_[-seat:] + round_[:-seat]) for seat in range(len(round_))]
    return list(dict.fromkeys(found))


def deals_of(tables: Tables, most: int) -> int:
    """How many deals that many games are, at least one."""
    return max(1, -(-most // len(seatings(tables, 0))))


# --- the two questions ------------------------------------------------------------------------------------------------


def arena(question: Question, file: Path | None = None, cores: int | None = None, tell: Tell = silent) -> Found:
    """Let all meet all until it is certain of each pair which is better, or that neither is by as much as was asked, or
    all games are played. With what probability anything of that is said wrongly is shared among the pairs."""
    bots, asked = question.bots, question.asked
    pairs = list(combinations(bots, 2))
    each = asked._replace(alpha=asked.alpha / 2 / len(pairs), beta=asked.beta / len(pairs))
    duels = [Duel(bot, other, each, both=True) for bot, other in pairs]
    found = list(_played(question, together(bots, question.players), duels, file, cores, tell))
    rows = zip(bots, ratings(list(bots), found), skills(list(bots), found), strict=True)
    standings = []
    for bot, rating, skill in sorted(rows, key=lambda row: -row[1][0]):
        met = [played for played in found if bot in played.bots]
        standings.append(Standing(bot, sum(played.bots.count(bot) for played in met), _won(met, bot), rating, skill))
    order = [standing.bot for standing in standings]
    told = [_seen_from(duel, order) for duel in duels]
    told.sort(key=lambda pair: (order.index(pair.bot), order.index(pair.other)))
    certain = all(pair.verdict != Verdict.OPEN for pair in told)
    return Found(1 + found[-1].deal, len(found), standings, told, certain)


def _seen_from(duel: Duel, order: list[str]) -> Pair:
    """A pair, the stronger first."""
    if order.index(duel.bot) < order.index(duel.other):
        return duel.told(duel.verdict)
    turned = Duel(duel.other, duel.bot, duel.asked, both=True)
    turned.deals, turned.turned, turned.answers = duel.turned, duel.deals, duel.answers[::-1]
    return turned.told(turned.verdict)


def match(question: Question, file: Path | None = None, cores: int | None = None, tell: Tell = silent) -> Matched:
    """Is the first of two better than the second?"""
    bot, other = question.bots
    duel = Duel(bot, other, question.asked, both=False)
    played = sum(1 for _ in _played(question, alone(question.bots, question.players), [duel], file, cores, tell))
    n = question.players
    shares = [_alone(share, n) for share in (duel.deals.share(), *duel.deals.interval())]
    pair, ratio = duel.told(duel.verdict), question.asked.ratio(duel.deals)
    return Matched(pair.deals, played, (shares[0], shares[1], shares[2]), 1 / n, pair, ratio)


def _alone(share: float, players: int) -> float:
    """What one wins alone among others with whom it shares like this two by two."""
    return share / (share + (1 - share) * (players - 1))


def between_two(share: float, players: int) -> float:
    """The other way round: how they share two by two."""
    return share * (players - 1) / (share * (players - 1) + 1 - share)


def _played(
    question: Question, tables: Tables, duels: list[Duel], file: Path | None, cores: int | None, tell: Tell
) -> Iterator[Played]:
    """The games of whole deals, until all duels are decided."""
    game, most = question.game, deals_of(tables, question.games)
    asked = (seating for deal in range(most) for seating in seatings(tables, deal))
    stream = games(game, asked, question.seed, file, cores, question.options, question.components)
    for number, (_, deal) in enumerate(groupby(stream, key=attrgetter("deal")), 1):
        met = list(deal)
        for duel in duels:
            duel.meet(met)
        yield from met
        tell(len(met))
        if looked_at(number):
            for duel in duels:
                duel.look()
            if all(duel.verdict != Verdict.OPEN for duel in duels):
                stream.close()
                return


# --- what is told -----------------------------------------------------------------------------------------------------

MARKS = {Verdict.BETTER: ">", Verdict.WORSE: "<", Verdict.CLOSE: "=", Verdict.OPEN: "?"}


def as_json(question: Question, found: Found | Matched) -> dict[str, Any]:
    """With the question, and what it was played with."""
    file = question.components and question.components.file
    asked = question._asdict() | {"game": question.game.id, "options": dict(question.options), "components": file}
    made = {"version": question.game.version, "code": code_of(question.game, question.options)}
    return {"question": _plain(asked), **made, "found": _plain(found)}


def _plain(value: Any) -> Any:
    """Without what JSON has no words for."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return round(value, 6) if isfinite(value) else None
    return value


def _head(question: Question, found: Found | Matched) -> str:
    par = f"{1 / question.players:.1%}"
    return (
        f"{question.game.id}, {question.players} players, par {par}: {found.games:,} games, "
        f"{found.deals:,} deals from every seat"
    )


def match_lines(question: Question, found: Matched) -> list[str]:
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
        _head(question, found),
        f"{bot} {'against' if question.players == 2 else 'alone among'} {other}: won {won}, {elo}",
        f"{said} (that is said wrongly at most {alpha:.3g} of times where it is {low:g} points, and missed at most "
        f"{beta:.3g} of times where it is {high:g}; likelihood ratio {found.ratio:+.2f}, bounds {lower:+.2f} and "
        f"{upper:+.2f})",
    ]


def arena_lines(question: Question, found: Found) -> list[str]:
    """For people: the bots, what each row wins of what it and a column win, and what is certain of it."""
    names = [standing.bot for standing in found.standings]
    wide = max(8, *map(len, names))
    several = question.players > 2
    lines = [_head(question, found)]
    skill = f"{'OpenSkill':>14}" if several else ""
    lines.append(
        f"{'':{wide}}  {'rating':>20}{skill}{'games':>8}{'won':>8}  " + "".join(f"{name:>{wide + 2}}" for name in names)
    )
    pairs = {(pair.bot, pair.other): pair for pair in found.pairs}
    for one in found.standings:
        rating = "{:+.0f} [{:+.0f}, {:+.0f}]".format(*one.rating)
        skill = f"{f'{one.skill.mu:.1f} ± {2 * one.skill.sigma:.1f}':>14}" if several else ""
        cells = "".join(f"{_cell(pairs, one.bot, name):>{wide + 2}}" for name in names)
        lines.append(f"{one.bot:{wide}}  {rating:>20}{skill}{one.seats:>8,}{one.won:>8.1%}  {cells}")
    low, high, alpha, beta = question.asked
    order = names[0]
    for before, name in pairwise(names):
        order += f" {MARKS[pairs[before, name].verdict]} {name}"
    unsure = [f"{pair.bot} and {pair.other}" for pair in found.pairs if pair.verdict == Verdict.OPEN]
    lines.append(f"{'not certain of ' + ', '.join(unsure) if unsure else 'all is certain'}: {order}")
    lines.append(
        f"(> better, = neither is better by {high:g} points, ? not certain; that any > is wrong: at most {alpha:.3g}, "
        f"any =: at most {beta:.3g})"
    )
    return lines


def _cell(pairs: dict[tuple[str, str], Pair], bot: str, name: str) -> str:
    if bot == name:
        return "·"
    pair = pairs.get((bot, name))
    if pair:
        return f"{MARKS[pair.verdict]} {share_of(pair.elo[0]):.1%}"
    pair = pairs[name, bot]
    turned = {Verdict.BETTER: Verdict.WORSE, Verdict.WORSE: Verdict.BETTER}
    return f"{MARKS[turned.get(pair.verdict, pair.verdict)]} {share_of(-pair.elo[0]):.1%}"
