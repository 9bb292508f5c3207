"""Ratings and skills of bots, estimated from whole games."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any, NamedTuple

from courtly.lab.statistics.sprt import ELO_SCALE
from courtly.lab.strength.match_runner import WIN_PARTS, PlayedGame

BOOTSTRAP_RESAMPLES = 200
PRIOR_WEIGHT = 0.01  # regularization: keeps the strength of a bot that won or lost everything finite


def estimate_ratings(
    names: list[str], games: Iterable[PlayedGame], zero: str | None = None
) -> list[tuple[float, float, float]]:
    """Estimate Elo ratings from victories by the Plackett-Luce model (for two players, Bradley-Terry).

    Args:
        names: The bots.
        games: The games.
        zero: The bot whose rating is 0. Default: the mean rating is 0.

    Returns:
        Each bot's rating and its 95 % interval, by bootstrap over deals; (-inf, inf) with fewer than two deals.
    """
    import numpy as np
    from scipy.stats import bootstrap

    deals = [
        list(played_games)
        for _, played_games in groupby(sorted(games, key=lambda played: played.deal), key=lambda played: played.deal)
    ]

    def fit(sample: Any) -> Any:
        return _fit_strengths(names, [played for i in np.asarray(sample, int) for played in deals[i]], zero)

    middle = fit(range(len(deals)))
    if len(deals) < 2:
        return [(float(x), float("-inf"), float("inf")) for x in middle]
    interval = bootstrap(
        (np.arange(len(deals)),), fit, vectorized=False, n_resamples=BOOTSTRAP_RESAMPLES, method="percentile", rng=1
    ).confidence_interval
    return [
        (float(x), float(low), float(high)) for x, low, high in zip(middle, interval.low, interval.high, strict=True)
    ]


def _fit_strengths(names: list[str], games: list[PlayedGame], zero: str | None) -> Any:
    import choix
    import numpy as np

    place = {name: i for i, name in enumerate(names)}
    data = []
    for played in games:
        by_name: dict[str, int] = {}
        for name, won in zip(played.bots, played.wins, strict=True):
            by_name[name] = by_name.get(name, 0) + won
        # each seat is a competitor: a bot in several seats has several chances to win
        for name, won in by_name.items():
            others = list(played.bots)
            others.remove(name)
            data += [(place[name], tuple(place[other] for other in others))] * round(2 * won / WIN_PARTS)
    strengths = choix.ilsr_top1(len(names), data, alpha=PRIOR_WEIGHT)
    return (strengths - (strengths[place[zero]] if zero else strengths.mean())) * ELO_SCALE / np.log(10)


class Skill(NamedTuple):
    """An OpenSkill rating: mean and standard deviation."""

    mu: float
    sigma: float


def estimate_skills(names: list[str], games: Iterable[PlayedGame]) -> list[Skill]:
    """Estimate OpenSkill ratings (Plackett-Luce), updated game after game by the final places.

    Args:
        names: The bots.
        games: The games. The changes of all seats of a bot add up.

    Returns:
        Each bot's skill.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0)  # bots do not improve between games
    skills = {name: model.rating() for name in names}
    for played in games:
        before = [skills[name] for name in played.bots]
        teams = [[model.create_rating([rating.mu, rating.sigma])] for rating in before]
        after = model.rate(teams, scores=[*(played.scores or played.wins)])
        for name, rating, (now,) in zip(played.bots, before, after, strict=True):
            mu, sigma = skills[name].mu, skills[name].sigma
            skills[name] = model.create_rating([mu + now.mu - rating.mu, sigma * now.sigma / rating.sigma])
    return [Skill(skills[name].mu, skills[name].sigma) for name in names]
