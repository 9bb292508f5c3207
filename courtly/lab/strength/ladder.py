"""The ladder: the strength of a game's bots. Each deal is played from every seat, by one bot against copies of another.
match_runner.py describes the file of games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from courtly.engine.game import Game
from courtly.lab.strength.match_runner import CHEATER, WIN_PARTS, PlayedGame, Seating, prepare_bots, run_games
from courtly.lab.strength.ratings import estimate_ratings

REFERENCE_BOT = "squire"  # all others play against it; its rating is 0
LADDER_BOTS = ("page", REFERENCE_BOT, "knight", "master", CHEATER)


class Pairing(NamedTuple):
    """One bot against copies of another in all other seats. `games`: the least number of games, rounded up to whole
    deals."""

    players: int
    bot: str
    against: str
    games: int


class LadderStanding(NamedTuple):
    """A bot's results with this many players: its win share against each opponent, its rating relative to the squire
    with its interval, and the mean and longest time of a decision in seconds."""

    players: int
    bot: str
    games: int
    shares: dict[str, WinShare]
    rating: tuple[float, float, float]
    mean: float
    slowest: float


class WinShare(NamedTuple):
    """The share of victories in some games, with its 95 % interval."""

    games: int
    won: float
    low: float
    high: float


def make_pairings(players: int, levels: Iterable[str], games: int) -> list[Pairing]:
    """Return the pairings: each bot against the squire, and each against the one before it.

    Args:
        players: Number of players.
        levels: The bots, weakest first.
        games: Least number of games of each pairing.
    """
    levels = list(dict.fromkeys(levels))
    pairings = [Pairing(players, level, REFERENCE_BOT, games) for level in levels if level != REFERENCE_BOT]
    for weaker, level in zip(levels, levels[1:], strict=False):
        if weaker != REFERENCE_BOT and level != REFERENCE_BOT:
            pairings.append(Pairing(players, level, weaker, games))
    return pairings


def count_games(pairings: Iterable[Pairing]) -> int:
    """Return the number of games of some pairings. Each deal is played from every seat."""
    return sum(-(-pairing.games // pairing.players) * pairing.players for pairing in pairings)


def play_ladder(
    game: Game,
    pairings: Iterable[Pairing],
    seed: int,
    file: Path,
    cores: int | None = None,
    report_progress: Callable[[int], None] = lambda games: None,
) -> list[PlayedGame]:
    """Play all games that are not in the file yet.

    Args:
        game: The game.
        pairings: The pairings.
        seed: Seed of the deals.
        file: File of games, which is created or extended.
        cores: Number of processes. Default: all cores.
        report_progress: Called with 1 after each game.

    Returns:
        All games, including those that were in the file.

    Raises:
        LookupError: The game has no such bot.
        RulesError: The rules or a bot fail.
    """
    pairings, results = list(pairings), []
    prepare_bots(game, {name for pairing in pairings for name in (pairing.bot, pairing.against)})
    for played in run_games(game, dict.fromkeys(_interleave_seatings(pairings)), seed, file, cores):
        results.append(played)
        report_progress(1)
    return results


def _interleave_seatings(pairings: list[Pairing]) -> Iterator[Seating]:
    """Yield seatings deal by deal, so that all pairings progress equally."""
    for deal in range(max(pairing.games for pairing in pairings)):
        for players, bot, against, min_games in pairings:
            if deal * players < min_games:
                for seat in range(players):
                    yield deal, tuple(bot if k == seat else against for k in range(players))


def compute_standings(results: Iterable[PlayedGame]) -> list[LadderStanding]:
    """Return the standings by number of players, strongest first."""
    by_players = sorted(results, key=lambda played: len(played.bots))
    return [
        standing
        for players, games in groupby(by_players, key=lambda played: len(played.bots))
        for standing in _compute_table_standings(players, list(games))
    ]


def _compute_table_standings(players: int, games: list[PlayedGame]) -> list[LadderStanding]:
    from scipy.stats import binomtest

    names = [name for name in LADDER_BOTS if any(name in played.bots for played in games)]
    names += sorted({name for played in games for name in played.bots} - set(names))
    rows = []
    for name, rating in zip(names, estimate_ratings(names, games, REFERENCE_BOT), strict=True):
        shares = {}
        for other in [REFERENCE_BOT, *names[: names.index(name)]] if name != REFERENCE_BOT else []:
            pair_games = [
                played for played in games if set(played.bots) == {name, other} and played.bots.count(name) == 1
            ]
            if pair_games:
                won = sum(played.wins[played.bots.index(name)] for played in pair_games) / WIN_PARTS
                interval = binomtest(round(won), len(pair_games)).proportion_ci(method="wilson")
                shares[other] = WinShare(len(pair_games), won / len(pair_games), interval.low, interval.high)
        thinking_times = [
            played.thinking[seat] for played in games for seat, bot in enumerate(played.bots) if bot == name
        ]
        decisions = sum(n for n, _, _ in thinking_times)
        mean = sum(seconds for _, seconds, _ in thinking_times) / max(1, decisions)
        slowest = max((longest for _, _, longest in thinking_times), default=0.0)
        rows.append(LadderStanding(players, name, len(thinking_times), shares, rating, mean, slowest))
    return sorted(rows, key=lambda row: -row.rating[0])


def as_json(standing: LadderStanding) -> dict[str, Any]:
    """Return a standing as JSON."""
    return {**standing._asdict(), "shares": {other: share._asdict() for other, share in standing.shares.items()}}


def standing_line(standing: LadderStanding) -> str:
    """Return a standing as a line of text."""
    rating = "rating {:+.0f} [{:+.0f}, {:+.0f}]".format(*standing.rating)
    shares = "".join(f"; against {other} {share_text(share)}" for other, share in standing.shares.items())
    times = f"{1000 * standing.mean:.1f} ms, slowest {1000 * standing.slowest:.0f} ms"
    return f"{standing.players} players  {standing.bot:<12} {rating}  {times}{shares}"


def share_text(share: WinShare) -> str:
    """Return a win share with its interval as text."""
    return f"{share.won:.1%} [{share.low:.1%}, {share.high:.1%}] of {share.games}"
