"""How strong the bots of a game are: each deal is played from every seat, one of them against others of one kind. The
games are kept in a file: see match_runner.py."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from courtly.engine.game import Game
from courtly.lab.strength.match_runner import CHEATER, WIN_PARTS, PlayedGame, Seating, prepare_bots, run_games
from courtly.lab.strength.ratings import estimate_ratings

REFERENCE_BOT = "squire"  # whom all others are measured against
LADDER_BOTS = ("page", REFERENCE_BOT, "knight", "master", CHEATER)


class Pairing(NamedTuple):
    """One bot against others of one kind, in all other seats; at least so many games, whole deals."""

    players: int
    bot: str
    against: str
    games: int


class LadderStanding(NamedTuple):
    """Of a bot at a table of so many: what it won against each other kind that it met alone; its rating, by which the
    squire has 0, with its interval; mean and longest time of a decision in seconds."""

    players: int
    bot: str
    games: int
    shares: dict[str, WinShare]
    rating: tuple[float, float, float]
    mean: float
    slowest: float


class WinShare(NamedTuple):
    """The share of victories in so many games, and its 95 % interval."""

    games: int
    won: float
    low: float
    high: float


def make_pairings(players: int, levels: Iterable[str], games: int) -> list[Pairing]:
    """Each against the squire, and each that thinks against the one before it."""
    levels = list(dict.fromkeys(levels))
    found = [Pairing(players, level, REFERENCE_BOT, games) for level in levels if level != REFERENCE_BOT]
    for weaker, level in zip(levels, levels[1:], strict=False):
        if weaker != REFERENCE_BOT and level != REFERENCE_BOT:
            found.append(Pairing(players, level, weaker, games))
    return found


def count_games(wanted: Iterable[Pairing]) -> int:
    """How many games these are: each deal is played from every seat."""
    return sum(-(-pairing.games // pairing.players) * pairing.players for pairing in wanted)


def play_ladder(
    game: Game,
    wanted: Iterable[Pairing],
    seed: int,
    file: Path,
    cores: int | None = None,
    tell: Callable[[int], None] = lambda games: None,
) -> list[PlayedGame]:
    """Play what is not in the file yet. `tell` gets 1 for each that is over. LookupError if the game has no such
    bot."""
    wanted, found = list(wanted), []
    prepare_bots(game, {name for pairing in wanted for name in (pairing.bot, pairing.against)})
    for played in run_games(game, dict.fromkeys(_interleave_seatings(wanted)), seed, file, cores):
        found.append(played)
        tell(1)
    return found


def _interleave_seatings(wanted: list[Pairing]) -> Iterator[Seating]:
    """Deal by deal, so that what is done at any time is alike for all pairings."""
    for deal in range(max(pairing.games for pairing in wanted)):
        for players, bot, against, least in wanted:
            if deal * players < least:
                for seat in range(players):
                    yield deal, tuple(bot if k == seat else against for k in range(players))


def compute_standings(found: Iterable[PlayedGame]) -> list[LadderStanding]:
    """What the games tell, by number of players, the strongest first."""
    by_players = sorted(found, key=lambda played: len(played.bots))
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
            met = [played for played in games if set(played.bots) == {name, other} and played.bots.count(name) == 1]
            if met:
                won = sum(played.wins[played.bots.index(name)] for played in met) / WIN_PARTS
                interval = binomtest(round(won), len(met)).proportion_ci(method="wilson")
                shares[other] = WinShare(len(met), won / len(met), interval.low, interval.high)
        thought = [played.thinking[seat] for played in games for seat, bot in enumerate(played.bots) if bot == name]
        decisions = sum(n for n, _, _ in thought)
        mean = sum(seconds for _, seconds, _ in thought) / max(1, decisions)
        slowest = max((longest for _, _, longest in thought), default=0.0)
        rows.append(LadderStanding(players, name, len(thought), shares, rating, mean, slowest))
    return sorted(rows, key=lambda row: -row.rating[0])


def as_json(of: LadderStanding) -> dict[str, Any]:
    return {**of._asdict(), "shares": {other: share._asdict() for other, share in of.shares.items()}}


def standing_line(of: LadderStanding) -> str:
    """What is told of it in a line."""
    rating = "rating {:+.0f} [{:+.0f}, {:+.0f}]".format(*of.rating)
    shares = "".join(f"; against {other} {share_text(share)}" for other, share in of.shares.items())
    times = f"{1000 * of.mean:.1f} ms, slowest {1000 * of.slowest:.0f} ms"
    return f"{of.players} players  {of.bot:<12} {rating}  {times}{shares}"


def share_text(share: WinShare) -> str:
    """The same for people."""
    return f"{share.won:.1%} [{share.low:.1%}, {share.high:.1%}] of {share.games}"
