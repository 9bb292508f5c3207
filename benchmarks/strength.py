"""How strong every level is in every game: plays what the ladders lack, then writes docs/strength.md for people and
courtly/bots/strength.json for the lobby.

    python benchmarks/strength.py [--folder benchmarks/ladders] [--write-only] [--again 5] [GAME …]

It may be broken off at any time; called again it goes on. The games are those of `courtly bots ladder GAME`, most of
them with the fewest and the most players; all that were played are kept in benchmarks/ladders. Strength depends on no
machine; times do. After a change that should leave the bots as they are, `--again` plays some games of each pairing
anew: where all go as they did, the others need not be played, and else they are dropped.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections import defaultdict
from pathlib import Path

import click

from courtly.bots.registry import STRENGTH_FILE
from courtly.engine.game import Game, find_game, game_ids
from courtly.lab.strength import ladder
from courtly.lab.strength.ladder import LADDER_BOTS, REFERENCE_BOT, LadderStanding, Pairing
from courtly.lab.strength.match_runner import CHEATER, hash_code, prepare_bots, read_games, run_games

STRENGTH_PAGE = Path(__file__).parent.parent / "docs" / "strength.md"
LADDER_FOLDER = Path(__file__).parent / "ladders"
SEED = 1
GAMES_PER_PAIRING = {"page": 40, "knight": 300, "master": 100, CHEATER: 40}  # of each pairing, at least
GAMES_PER_MIDDLE_PAIRING = GAMES_PER_PAIRING | {"knight": 100}  # where neither the fewest nor the most play
GAMES_WHERE_SOLVED = {"master": 300}  # where turns are worked out in a moment
MIN_SHOWN_GAMES = 30  # games, for people to be told
PAGE_HEAD = """# How strong the bots are

Each row is a bot that sat alone among squires, or among bots of the next weaker level, in every seat of every deal in
turn: how many of so many games it won, with the 95 % interval (Wilson). *Par* is what an equal would win. The rating
counts all games at such a table (the model of Plackett and Luce; the squire has 0, 400 points more are ten times the
chances; the interval is from deals drawn again).

A page overlooks things; the squire is a program of a few hundred lines that knows the game; knight and master search
from what their seat sees, with so many simulations of each decision as the game says. The *cheater* is a master that
sees all that is hidden, where something is: nobody can play it, it is the upper mark. Times are of one core of the
machine that played, which had other things to do.

What more simulations are good for depends on the value at their ends. Web of Power's, learned from games of the policy
alone, let its master win 30.5 % among four squires, no more than its knight (35.0 %); learned from games that the
search played against itself, both win more, and the master as much as stands below. To Court the King works its turns
out and simulates nothing; in Queen's Necklace every simulation is played to the end, since a search that stopped at a
value won 42 % of 50 games against one that does not.

**The levels stand apart.** A knight searches as much as it takes to be clearly above the squire, and no more: with ten
times its simulations in Puppet Kingdom, and seven times in Web of Power, it won nearly as much as a master, who won
54.0 % of 100 games against it in Puppet Kingdom for two, and 23.5 % of 100 among four of them in Web of Power.

**Five times the simulations** (`python benchmarks/growth.py`: 2,000 among 400, of 100 games each, with the fewest and
the most players) win 69.0 % [59.4 %, 77.2 %] and 35.5 % [27.3 %, 45.8 %] in Queen's Necklace, 63.5 % [54.2 %, 72.7 %]
and 29.8 % [21.9 %, 39.6 %] in The King's New Town, 58.0 % [48.2 %, 67.2 %] and 41.2 % [32.1 %, 50.9 %] in Puppet
Kingdom, 41.2 % [32.1 %, 50.9 %] and 30.0 % [21.9 %, 39.6 %] in Web of Power; five times the room to work a turn out in
wins 61.0 % [51.2 %, 70.0 %] and 37.0 % [28.2 %, 46.8 %] in To Court the King.

**What a value must notice.** Web of Power's did not know who has yet to move in a round, though scorings come between
rounds. With that it tells 74.5 % of pairs of seats right, 71.6 % before, and it looks half as much into moves made
seldom (`curiosity`): 600 simulations won 48.0 % [40.2 %, 55.9 %] of 150 games for three and 22.0 % [16.1 %, 29.3 %] of
150 for five against 600 of the search as it was.

**How far a simulation goes** before a value tells the rest is settled by games. In Web of Power 16 choices and no
whims (playouts never take any move that the policy names, but the better of two) are as good in the same time as 18
choices with whims were, and each simulation takes a tenth less: 1,100 won 34.4 % [29.2 %, 39.9 %] of 300 games for
three against 1,000 of those; as many won 30.7 % [27.7 %, 33.7 %] of 900 for three and 21.5 % [17.1 %, 26.3 %] of 300
for five. Of the two changes the first alone won 32.9 % [27.9 %, 38.5 %] of 300 for three, the second 37.0 % [31.7 %,
42.6 %] for three and 20.2 % [15.9 %, 24.9 %] for five. The best of three was no better than the better of two (34.5 %
[29.5 %, 40.2 %] of 300 for three), only one weaker (26.7 % [22.0 %, 31.9 %]). Against 18 choices, as many simulations
as fit into the same time, all with whims: 15 choices won 27.2 % [22.6 %, 32.6 %] of 300 games for three and 20.2 %
[15.9 %, 24.9 %] of 300 for five, 23 choices 34.3 % [29.2 %, 39.9 %] for three, 27 choices 30.3 % [25.4 %, 35.8 %] and
20.5 % [16.5 %, 25.6 %], 36 choices 30.0 % [25.1 %, 35.4 %] for three. With what it had learned before, 12 choices won
24.7 % [20.1 %, 29.8 %] of 300 for three and 15.5 % [11.8 %, 20.0 %] of 300 for five; until the searcher is to move
again, which is one round, won 12.2 % [9.0 %, 16.4 %] of 300 for five; with the same number of simulations 6 choices won
15.2 % of 99 for three, and none 11.1 %.

**How much a search follows the policy** (`pull`) is settled so, too. In The King's New Town the value at the end of a
simulation knows more than the policy: with a quarter of the usual pull and half the curiosity 2,000 simulations won
64.2 % [57.1 %, 70.3 %] of 200 games for two against 2,000 of the search as it was, and 500 with a quarter of the pull
alone 46.5 % [39.7 %, 53.4 %] of 200 for four. So its knight needs 200 simulations, where it needed 1,000, and its
master 8,000 instead of 16,000, to win as much among squires as before. Half the curiosity made no difference to
that for four (25.2 % of 200), and by the original rules, where there is neither policy nor value, all of it won 58.9 %
[54.4 %, 63.0 %] of 500 against half. Others have the pull that serves them: twice as much won 31.3 % [26.3 %, 36.8 %]
of 300 games for three and 19.7 % [15.6 %, 24.5 %] of 300 for five in Web of Power, and 47.2 % [42.4 %, 52.1 %] of 400
for two and 27.8 % [23.6 %, 32.3 %] of 400 for three in Puppet Kingdom, where half as much won 52.8 % [47.9 %, 57.6 %]
and 35.2 % [30.7 %, 40.1 %].

**A second generation was not kept.** What The King's New Town's value learned from 16,000 games of its policy is played
with. From 1,500 more games, which the search played with 50 simulations a decision, it learned nothing better: with
those weights 200 simulations won 48.6 % [43.7 %, 53.5 %] of 400 games for two and 23.0 % [19.1 %, 27.4 %] of 400 for
four against 200 with the weights that are kept.

**What thieves took** in Queen's Necklace and a seat did not see is weighed once for all simulations of a decision: in
how many ways it can have been, mostly one to some dozens, and how likely what was seen is in each. When every
simulation guessed it anew, theft by theft, that took up to four fifths of the time of a decision late in a game for
four.

**Rules that follow their words.** Queen's Necklace lets cards be laid openly, which no bot does: where three Musketeers
fetch the Necklace from a player only, search and policy play the same games from the same seeds as before (the squire
draws its worlds from the bytes of a position, so its luck is another). With the row as well a knight won
84.7 % [72.1 %, 92.2 %] of 49 games for two against a squire, where it had won 85.7 %; the games below were played
before. In To Court the King a turn is worth as much whether or not the Fool may re-roll an added die, and what courts
were found to be worth anew won 49.3 % of 300 games for two against what had been found.

**Tried, and left out.** A tree that is kept from one decision of a seat to its next, against one that begins anew:
56.0 % [46.2 %, 65.3 %] of 100 games in Puppet Kingdom for two, 32.7 % [25.7 %, 40.5 %] of 150 for three, in Web of
Power 32.3 % [25.1 %, 39.8 %] of 150 for three; and the same view would no longer have the same answer. Where seats
choose at once, to mix the root's moves as a game in itself would have it won 43 % of 352 games (The King's Levee).

`python benchmarks/strength.py` plays these games, keeps them in `benchmarks/ladders` and writes this page. The same
code plays the same games on any machine.

**How fast.** Simulations a second on one core of a shared machine, with the fewest and the most players (`python
benchmarks/search.py`, `--most`): to the end of the game Queen's Necklace 72,000 and 76,000; as far as a value tells the
rest Puppet Kingdom 616,000 and 333,000, The King's New Town 364,000 and 160,000, Web of Power 158,000 and 157,000,
where weighing the moves of simulations takes nearly half of the time. Two masters that think at the same time on two
cores take at most 0.23 s for a decision (`--at-once 2`, `--count` as the level says), and one process in which masters
of all five games have played holds 234 MB. People's moves beside them are acknowledged in 3.2 ms, 99 of 100 within
9.6 ms (`python benchmarks/thinking.py --masters 2`).
"""


@click.command()
@click.option("--folder", default=LADDER_FOLDER, type=click.Path(path_type=Path), show_default=True)
@click.option("--cores", type=click.IntRange(1), help="Default: all.")
@click.option("--write-only", is_flag=True, help="Play nothing more.")
@click.option("--again", type=click.IntRange(3), help="Play so many of each pairing anew that other code has played.")
@click.argument("names", nargs=-1, type=click.Choice(game_ids()))
def main(folder: Path, cores: int | None, write_only: bool, again: int | None, names: tuple[str, ...]) -> None:
    folder.mkdir(exist_ok=True)
    pages, shares = [PAGE_HEAD], dict[str, dict[str, dict[str, float]]]()
    for game in map(find_game, game_ids()):
        file, asked = folder / f"{game.id}.jsonl", not names or game.id in names
        if asked and again:
            adopt_games(game, file, again, cores)
        if asked and not write_only:
            for players in sorted(game.players, key=[*player_extremes(game), *game.players].index):
                wanted = wanted_pairings(game, players)
                with click.progressbar(length=ladder.count_games(wanted), label=f"{game.id}, {players} players") as bar:
                    ladder.play_ladder(game, wanted, SEED, file, cores, bar.update)
        mine = [played for played in read_games(file) if played[:3] == (game.id, hash_code(game), SEED)]
        found = ladder.compute_standings(mine)
        pages.append(render_page(game, found))
        shown = shown_strength(found)
        shares |= {game.id: shown} if shown else {}
    STRENGTH_PAGE.write_text("\n".join(pages), "utf-8")
    provenance = "python benchmarks/strength.py; the games are in benchmarks/ladders, the intervals in docs/strength.md"
    STRENGTH_FILE.write_text(json.dumps({"provenance": provenance, "shares": shares}, indent=2) + "\n", "utf-8")


def shown_strength(found: list[LadderStanding]) -> dict[str, dict[str, float]]:
    """What people are told of each bot, by the number of players: its share of the victories among squires."""
    shown: dict[str, dict[str, float]] = {}
    for one in found:
        among = one.shares.get(REFERENCE_BOT)
        if among and one.bot != CHEATER and among.games >= MIN_SHOWN_GAMES:
            shown.setdefault(str(one.players), {})[one.bot] = round(among.won, 3)
    return shown


def adopt_games(game: Game, file: Path, some: int, cores: int | None) -> None:
    """Games of other code become this code's, pairing by pairing, where some that are played anew go as they did; the
    others are dropped."""
    played, code = read_games(file), hash_code(game)
    kept = {one.seating: one for one in played if one.code == code}
    others = defaultdict(dict)
    for one in played:
        if one.seating not in kept:
            others[tuple(sorted(one.bots))][one.seating] = one
    with tempfile.TemporaryDirectory() as place:
        for pairing, those in others.items():
            prepare_bots(game, set(pairing))
            sample = random.Random(SEED).sample(list(those), min(some, len(those)))
            anew = run_games(game, dict.fromkeys(sample), SEED, Path(place) / "again", cores)
            differ = sum((one.wins, one.scores) != (those[one.seating].wins, those[one.seating].scores) for one in anew)
            click.echo(f"{game.id}, {' '.join(pairing)}: {len(sample)} played anew, {differ} go otherwise")
            if not differ:
                kept |= {seating: one._replace(code=code) for seating, one in those.items()}
    file.write_text("".join(f"{json.dumps(one._asdict())}\n" for one in kept.values()), "utf-8")


def player_extremes(game: Game) -> tuple[int, int]:
    """The fewest and the most players, who are measured first."""
    return game.players[0], game.players[-1]


def wanted_pairings(game: Game, players: int) -> list[Pairing]:
    """The games to be played at such a table. A cheater is measured where there is something to see, by squires."""
    levels = [level for level in LADDER_BOTS if level != CHEATER or game.about()["hidden"]]
    least = (GAMES_PER_PAIRING if players in player_extremes(game) else GAMES_PER_MIDDLE_PAIRING) | (
        GAMES_WHERE_SOLVED if hasattr(game.policy, "solve") else {}
    )
    return [
        pairing._replace(games=least[pairing.bot])
        for pairing in ladder.make_pairings(players, levels, 0)
        if pairing.bot != CHEATER or pairing.against == REFERENCE_BOT
    ]


def render_page(game: Game, found: list[LadderStanding]) -> str:
    counts = ", ".join(f"{name} {game.levels[name]:,}" for name in ("knight", "master"))
    solved = hasattr(game.policy, "solve")
    what = "A turn is worked out, with room for so many thousand numbers" if solved else "Simulations of a decision"
    lines = [f"## {game.id}", "", f"{what}: {counts}.", ""]
    lines += [
        "| players (par) | bot | won among squires | won among the next weaker | rating | mean, slowest decision |"
    ]
    lines += ["|---|---|---|---|---|---|"]
    for one in found:
        among = ladder.share_text(one.shares[REFERENCE_BOT]) if REFERENCE_BOT in one.shares else ""
        weaker = ", ".join(
            f"{other}s: {ladder.share_text(share)}" for other, share in one.shares.items() if other != REFERENCE_BOT
        )
        rating = "0" if one.bot == REFERENCE_BOT else "{:+.0f} [{:+.0f}, {:+.0f}]".format(*one.rating)
        times = f"{1000 * one.mean:.0f} ms, {1000 * one.slowest:.0f} ms"
        lines.append(f"| {one.players} ({1 / one.players:.0%}) | {one.bot} | {among} | {weaker} | {rating} | {times} |")
    return "\n".join([*lines, ""]) if found else f"## {game.id}\n\nNot measured with this code.\n"


if __name__ == "__main__":
    main()
