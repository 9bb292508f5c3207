"""How strong the bots of a game are: each deal is played from every seat, one of them against others of one kind.

Every game that was played is a line of a file, written when it is over, so that a run can be broken off and gone on
with at any time, on any number of cores: the games do not depend on each other.

    {"game": "puppet", "code": "3c1f…", "seed": 1, "deal": 0, "bots": ["knight", "squire"], "wins": [60, 0],
     "thinking": [[52, 1.93, 0.081], [47, 0.02, 0.001]]}

`code` is a hash of the game's sources and the bots': what others played is left alone. `wins` are 60ths of a victory by
seat; `thinking`: decisions with a choice, seconds of processor time in all, and those of the slowest.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from courtly import bots as offered
from courtly.bots import find_bot, make_ready
from courtly.bots.search.trust import FILE as CHANCES
from courtly.engine.chance import Row, generator, word
from courtly.engine.game import Game, find_game
from courtly.engine.lesson import FILE as LESSON
from courtly.engine.position import Position
from courtly.lab.played import APART

CHEATER = "cheater"  # a master that sees everything: the upper mark
FROZEN = "squire"  # whom all others are measured against
LEVELS = ("page", FROZEN, "knight", "master", CHEATER)
WORSE = 400  # points by which a player is better who is ten times as likely to win
RESAMPLES = 200
VICTORY = 60


class Pairing(NamedTuple):
    """One bot against others of one kind, in all other seats; at least so many games, whole deals."""

    players: int
    bot: str
    against: str
    games: int


class Played(NamedTuple):
    """One game: see above."""

    game: str
    code: str
    seed: int
    deal: int
    bots: tuple[str, ...]
    wins: tuple[int, ...]
    thinking: tuple[tuple[int, float, float], ...]

    @property
    def seating(self) -> tuple[int, tuple[str, ...]]:
        return self.deal, self.bots


class Standing(NamedTuple):
    """Of a bot at a table of so many: what it won against each other kind that it met alone; its rating, by which the
    squire has 0, with its interval; mean and longest time of a decision in seconds."""

    players: int
    bot: str
    games: int
    shares: dict[str, Share]
    rating: tuple[float, float, float]
    mean: float
    slowest: float


class Share(NamedTuple):
    """The share of victories in so many games, and its 95 % interval."""

    games: int
    won: float
    low: float
    high: float


def pairings(players: int, levels: Iterable[str], games: int) -> list[Pairing]:
    """Each against the squire, and each that thinks against the one before it."""
    levels = list(dict.fromkeys(levels))
    found = [Pairing(players, level, FROZEN, games) for level in levels if level != FROZEN]
    for weaker, level in zip(levels, levels[1:], strict=False):
        if weaker != FROZEN and level != FROZEN:
            found.append(Pairing(players, level, weaker, games))
    return found


def games_of(wanted: Iterable[Pairing]) -> int:
    """How many games these are: each deal is played from every seat."""
    return sum(-(-pairing.games // pairing.players) * pairing.players for pairing in wanted)


def read(file: Path) -> list[Played]:
    """The games of a file. A last line that was broken off is left out; ValueError names one that is no game."""
    lines = file.read_text("utf-8").splitlines(keepends=True) if file.exists() else []
    found = []
    for number, line in enumerate(lines, 1):
        if not line.endswith("\n"):
            break
        try:
            row = json.loads(line)
            thinking = tuple((int(n), float(all_), float(longest)) for n, all_, longest in row["thinking"])
            found.append(
                Played(row["game"], row["code"], row["seed"], row["deal"], (*row["bots"],), (*row["wins"],), thinking)
            )
        except (ValueError, KeyError, TypeError) as wrong:
            raise ValueError(f"{file}, line {number} is no game of a ladder: {wrong}") from wrong
    return found


def climb(
    game: Game,
    wanted: Iterable[Pairing],
    seed: int,
    file: Path,
    cores: int | None = None,
    tell: Callable[[int], None] = lambda games: None,
) -> list[Played]:
    """Play what is not in the file yet. `tell` gets 1 for each that is over. LookupError if the game has no such
    bot."""
    wanted = list(wanted)
    for bot in {name for pairing in wanted for name in (pairing.bot, pairing.against)}:
        make_ready(_bot(game, bot))
    before, code = read(file), code_of(game)
    file.write_text("".join(f"{json.dumps(played._asdict())}\n" for played in before), "utf-8")  # none broken off
    mine = {played.seating: played for played in before if played[:3] == (game.id, code, seed)}
    asked = list(_seatings(wanted))
    found = [mine[seating] for seating in asked if seating in mine]
    tell(len(found))
    due = [seating for seating in asked if seating not in mine]
    with ProcessPoolExecutor(cores or os.cpu_count() or 1) as workers, file.open("a", encoding="utf-8") as out:
        for future in as_completed([workers.submit(play, game.id, code, bots, deal, seed) for deal, bots in due]):
            played = future.result()
            out.write(f"{json.dumps(played._asdict())}\n")
            out.flush()
            found.append(played)
            tell(1)
    return found


def code_of(game: Game) -> str:
    """What tells these rules and players from others. How far chances are to be believed no player asks, nor how the
    game is taught."""
    home = Path(offered.__file__).parent
    h = hashlib.sha256()
    for file in sorted([*game.folder.iterdir(), *(home / "search").iterdir(), home / "page.py"]):
        if file.suffix in (".py", ".toml", ".json") and file.name not in (CHANCES, LESSON):
            h.update(file.read_bytes())
    return h.hexdigest()[:16]


def _seatings(wanted: list[Pairing]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Deal by deal, so that what is done at any time is alike for all pairings."""
    for deal in range(max(pairing.games for pairing in wanted)):
        for players, bot, against, games in wanted:
            if deal * players < games:
                for seat in range(players):
                    yield deal, tuple(bot if k == seat else against for k in range(players))


def _bot(game: Game, name: str) -> Any:
    if name == CHEATER:
        from courtly.bots.search import Search, dials_of

        master = find_bot(game, "master")
        assert isinstance(master, Search)
        return Search(game, master.count, dials=dials_of(game)._replace(peeks=1), trees=master.trees)
    return find_bot(game, name)


def play(name: str, code: str, bots: tuple[str, ...], deal: int, seed: int) -> Played:
    """One game to its end. The same deal has the same luck, whoever sits where."""
    game = find_game(name)
    choosers = [_bot(game, bot) for bot in bots]
    position = Position(game, len(bots))
    luck = generator(seed, deal)
    minds = [generator(seed, (seat + 1 << APART) + deal) for seat in range(len(bots))]
    thinking = [[0, 0.0, 0.0] for _ in bots]
    while not position.over:
        if position.chance:
            position.happen(luck)
            continue
        seat = position.pending[0]
        legal = position.legal(seat)
        started = time.process_time()
        move = _choice(position, seat, bots[seat], choosers[seat], minds[seat]) if len(legal) > 1 else legal[0]
        if len(legal) > 1:
            seconds = time.process_time() - started
            spent = thinking[seat]
            thinking[seat] = [spent[0] + 1, spent[1] + seconds, max(spent[2], seconds)]
        position.play(seat, move)
    scores = position.scores
    assert scores is not None
    best = max(scores)
    return Played(
        name,
        code,
        seed,
        deal,
        bots,
        tuple(VICTORY // scores.count(best) if score == best else 0 for score in scores),
        tuple((int(n), round(all_, 4), round(longest, 4)) for n, all_, longest in thinking),
    )


def _choice(position: Position, seat: int, name: str, chooser: Any, mind: Row) -> int:
    if name == CHEATER:  # the one that gets a state
        number = word(mind) << 31 ^ word(mind)
        return int(chooser.ponder(position.state, seat, position.legal(seat), number).lines[0].move)
    return int(chooser(position.game, position.view(seat), mind))


def standings(found: Iterable[Played]) -> list[Standing]:
    """What the games tell, by number of players, the strongest first."""
    by_players = sorted(found, key=lambda played: len(played.bots))
    return [
        standing
        for players, games in groupby(by_players, key=lambda played: len(played.bots))
        for standing in _standings(players, list(games))
    ]


def _standings(players: int, games: list[Played]) -> list[Standing]:
    from scipy.stats import binomtest

    names = [name for name in LEVELS if any(name in played.bots for played in games)]
    names += sorted({name for played in games for name in played.bots} - set(names))
    rows = []
    for name, rating in zip(names, ratings(names, games), strict=True):
        shares = {}
        for other in [FROZEN, *names[: names.index(name)]] if name != FROZEN else []:
            met = [played for played in games if set(played.bots) == {name, other} and played.bots.count(name) == 1]
            if met:
                won = sum(played.wins[played.bots.index(name)] for played in met) / VICTORY
                interval = binomtest(round(won), len(met)).proportion_ci(method="wilson")
                shares[other] = Share(len(met), won / len(met), interval.low, interval.high)
        thought = [played.thinking[seat] for played in games for seat, bot in enumerate(played.bots) if bot == name]
        decisions = sum(n for n, _, _ in thought)
        mean = sum(seconds for _, seconds, _ in thought) / max(1, decisions)
        slowest = max((longest for _, _, longest in thought), default=0.0)
        rows.append(Standing(players, name, len(thought), shares, rating, mean, slowest))
    return sorted(rows, key=lambda row: -row.rating[0])


def as_json(of: Standing) -> dict[str, Any]:
    return {**of._asdict(), "shares": {other: share._asdict() for other, share in of.shares.items()}}


def line(of: Standing) -> str:
    """What is told of it in a line."""
    rating = "rating {:+.0f} [{:+.0f}, {:+.0f}]".format(*of.rating)
    shares = "".join(f"; against {other} {told(share)}" for other, share in of.shares.items())
    times = f"{1000 * of.mean:.1f} ms, slowest {1000 * of.slowest:.0f} ms"
    return f"{of.players} players  {of.bot:<12} {rating}  {times}{shares}"


def told(share: Share) -> str:
    """The same for people."""
    return f"{share.won:.1%} [{share.low:.1%}, {share.high:.1%}] of {share.games}"


def ratings(names: list[str], games: list[Played]) -> list[tuple[float, float, float]]:
    """Each one's rating and its 95 % interval, by how often it wins at tables with which others (Plackett and Luce's
    model); the deals are drawn again for the intervals."""
    import numpy as np
    from scipy.stats import bootstrap

    deals = [list(of) for _, of in groupby(sorted(games), key=lambda played: played.deal)]

    def fit(chosen: Any) -> Any:
        return _strengths(names, [played for i in np.asarray(chosen, int) for played in deals[i]])

    middle = fit(range(len(deals)))
    if len(deals) < 2:
        return [(float(x), float("-inf"), float("inf")) for x in middle]
    made = bootstrap(
        (np.arange(len(deals)),), fit, vectorized=False, n_resamples=RESAMPLES, method="percentile", rng=1
    ).confidence_interval
    return [(float(x), float(low), float(high)) for x, low, high in zip(middle, made.low, made.high, strict=True)]


def _strengths(names: list[str], games: list[Played]) -> Any:
    import choix
    import numpy as np

    place = {name: i for i, name in enumerate(names)}
    data = []
    for played in games:
        by_name: dict[str, int] = {}
        for name, won in zip(played.bots, played.wins, strict=True):
            by_name[name] = by_name.get(name, 0) + won
        # a seat is a player: several of one kind are as many chances to win
        for name, won in by_name.items():
            others = list(played.bots)
            others.remove(name)
            data += [(place[name], tuple(place[other] for other in others))] * round(2 * won / VICTORY)
    found = choix.ilsr_top1(len(names), data, alpha=0.01)
    return (found - found[place[FROZEN]]) * WORSE / np.log(10)
