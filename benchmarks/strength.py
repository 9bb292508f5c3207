"""Measure the strength of every bot level in every game, and write docs/strength.md and courtly/bots/strength.json.

    python benchmarks/strength.py [--folder benchmarks/ladders] [--write-only] [--again 5] [GAME …]

The lobby reads courtly/bots/strength.json. The program plays the games that the ladders lack, those of `courtly bots
ladder GAME`, most of them with the fewest and the most players, and stores them in benchmarks/ladders. It may be
interrupted at any time and continues from there. Strength does not depend on the machine; times do.

After a change that should leave the bots as they are, `--again` replays some games of each pairing. If all give the
same result, the other games of the pairing count for the new code; otherwise they are dropped.
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
GAMES_PER_PAIRING = {"page": 40, "knight": 300, "master": 100, CHEATER: 40}  # minimum for each pairing
GAMES_PER_MIDDLE_PAIRING = GAMES_PER_PAIRING | {
    "knight": 100
}  # for other numbers of players than the fewest and the most
GAMES_WHERE_SOLVED = {"master": 300}  # games whose turns are solved exactly, in milliseconds
MIN_SHOWN_GAMES = 30  # the lobby shows no share from fewer games
PAGE_HEAD = """# How strong the bots are

`python benchmarks/strength.py` plays the games below, stores them in `benchmarks/ladders` and writes this page. The
same code plays the same games on any machine.

## How to read the tables

Each row is one bot, alone at a table among squires, or among bots of the next weaker level. It plays every deal from
every seat.

| column | meaning |
|---|---|
| par | the share that an equally strong bot would win |
| won | the share of games that it won, with the 95 % interval (Wilson) and the number of games |
| rating | from all games with this number of players; see below |
| mean, slowest decision | on one core of the machine that played, which had other work to do |

The rating follows the model of Plackett and Luce: the squire has 0, and 400 points more mean ten times the odds. Its
interval is from resampling deals.

A page overlooks things. The squire is a program of a few hundred lines that knows the game. Knight and master search
from what their seat sees; each game sets their number of simulations per decision. The *cheater* is a master that sees
all hidden information, in games that have some. It is not available to players, and shows the upper limit.

## How the levels are set

A knight searches just enough to be clearly above the squire. With ten times its simulations in Puppet Kingdom, and
seven times in Web of Power, it won nearly as much as a master. The master won 54.0 % of 100 games against that knight
in Puppet Kingdom for two, and 23.5 % of 100 among four of them in Web of Power.

**Five times the simulations**, 2,000 against 400 (`python benchmarks/growth.py`, 100 games each), won:

| game | fewest players | most players |
|---|---|---|
| Queen's Necklace | 69.0 % [59.4 %, 77.2 %] | 35.5 % [27.3 %, 45.8 %] |
| The King's New Town | 63.5 % [54.2 %, 72.7 %] | 29.8 % [21.9 %, 39.6 %] |
| Puppet Kingdom | 58.0 % [48.2 %, 67.2 %] | 41.2 % [32.1 %, 50.9 %] |
| Web of Power | 41.2 % [32.1 %, 50.9 %] | 30.0 % [21.9 %, 39.6 %] |
| To Court the King (five times the working space for a turn) | 61.0 % [51.2 %, 70.0 %] | 37.0 % [28.2 %, 46.8 %] |

## Speed

Simulations per second on one core of a shared machine (`python benchmarks/search.py`, `--most`):

| game | a simulation ends | fewest players | most players |
|---|---|---|---|
| Queen's Necklace | at the end of the game | 72,000 | 76,000 |
| Puppet Kingdom | where a value estimates the rest | 616,000 | 333,000 |
| The King's New Town | where a value estimates the rest | 364,000 | 160,000 |
| Web of Power | where a value estimates the rest | 158,000 | 157,000 |

In Web of Power, weighing the moves of simulations takes nearly half of the time.

Two masters that think at the same time on two cores take at most 0.23 s for a decision (`--at-once 2`, `--count` as the
level says). One process in which masters of all five games have played uses 86 MB
(`python benchmarks/compiler.py`). Meanwhile the server acknowledges people's moves in 3.2 ms, 99 of 100 within 9.6 ms
(`python benchmarks/thinking.py --masters 2`).

## Experiments

### Values

The benefit of more simulations depends on the value that ends them.

- Web of Power's value, learned from games of the policy alone, let its master win 30.5 % among four squires, no more
  than its knight (35.0 %). Learned from games that the search played against itself, it makes both stronger, and the
  master as strong as shown below.
- To Court the King solves its turns exactly and simulates nothing.
- In Queen's Necklace every simulation runs to the end of the game: a search that stopped at a value won 42 % of 50
  games against one that does not.

**Which seats have yet to move.** The value of Web of Power did not know which seats have yet to move in a round,
although scorings come between rounds. With that feature it ranks 74.5 % of pairs of seats correctly (71.6 % before).
Together with half the exploration (`curiosity`), 600 simulations won 48.0 % [40.2 %, 55.9 %] of 150 games for three and
22.0 % [16.1 %, 29.3 %] of 150 for five against 600 of the earlier search.

**A second generation was not kept.** The value of The King's New Town learned from 16,000 games of its policy. Learning
from 1,500 more games, which the search played with 50 simulations a decision, did not improve it: with those weights
200 simulations won 48.6 % [43.7 %, 53.5 %] of 400 games for two and 23.0 % [19.1 %, 27.4 %] of 400 for four against 200
with the current weights.

### Length of a simulation

Games decide how many choices a simulation makes before a value estimates the rest. In Web of Power, 16 choices without
random moves (`whim`; a playout always takes the better of two moves that the policy draws) are as good in the same time
as 18 choices with them, and each simulation takes a tenth less time. Against 18 choices with random moves:

| variant | three players | five players |
|---|---|---|
| both changes, 1,100 simulations against 1,000 | 34.4 % [29.2 %, 39.9 %] of 300 | |
| both changes, as many simulations | 30.7 % [27.7 %, 33.7 %] of 900 | 21.5 % [17.1 %, 26.3 %] of 300 |
| 16 choices alone | 32.9 % [27.9 %, 38.5 %] of 300 | |
| no random moves alone | 37.0 % [31.7 %, 42.6 %] | 20.2 % [15.9 %, 24.9 %] |

The best of three moves was no better than the better of two (34.5 % [29.5 %, 40.2 %] of 300 for three), and a single
move was weaker (26.7 % [22.0 %, 31.9 %]).

Against 18 choices, all with random moves, and as many simulations as fit into the same time:

| choices | three players | five players |
|---|---|---|
| 15 | 27.2 % [22.6 %, 32.6 %] of 300 | 20.2 % [15.9 %, 24.9 %] of 300 |
| 23 | 34.3 % [29.2 %, 39.9 %] | |
| 27 | 30.3 % [25.4 %, 35.8 %] | 20.5 % [16.5 %, 25.6 %] |
| 36 | 30.0 % [25.1 %, 35.4 %] | |

With the earlier weights:

| choices | three players | five players |
|---|---|---|
| 12 | 24.7 % [20.1 %, 29.8 %] of 300 | 15.5 % [11.8 %, 20.0 %] of 300 |
| until the searching seat is to move again (one round) | | 12.2 % [9.0 %, 16.4 %] of 300 |
| 6, with the same number of simulations | 15.2 % of 99 | |
| none, with the same number of simulations | 11.1 % | |

### Influence of the policy

Games also decide how much a search follows the policy (`pull`).

In The King's New Town the value at the end of a simulation knows more than the policy. With a quarter of the usual pull
and half the curiosity, 2,000 simulations won 64.2 % [57.1 %, 70.3 %] of 200 games for two against 2,000 of the earlier
search; 500 with a quarter of the pull alone won 46.5 % [39.7 %, 53.4 %] of 200 for four. So its knight needs 200
simulations instead of 1,000, and its master 8,000 instead of 16,000, to win as much among squires as before. Half the
curiosity made no difference to that for four (25.2 % of 200). By the original rules, which have neither policy nor
value, full curiosity won 58.9 % [54.4 %, 63.0 %] of 500 against half.

Other games have the pull that suits them:

| game | pull | two players | three players | five players |
|---|---|---|---|---|
| Web of Power | twice | | 31.3 % [26.3 %, 36.8 %] of 300 | 19.7 % [15.6 %, 24.5 %] of 300 |
| Puppet Kingdom | twice | 47.2 % [42.4 %, 52.1 %] of 400 | 27.8 % [23.6 %, 32.3 %] of 400 | |
| Puppet Kingdom | half | 52.8 % [47.9 %, 57.6 %] | 35.2 % [30.7 %, 40.1 %] | |

### Hidden thefts

In Queen's Necklace the search weighs once per decision what thieves took unseen by a seat, for all simulations
together: in how many ways it can have happened, mostly one to some dozens, and how likely the seat's observations are
in each. When every simulation guessed each theft separately, that took up to four fifths of the time of a decision late
in a game for four.

### Changes of rules

- Queen's Necklace allows laying cards openly, which no bot does. Where three Musketeers fetch the Necklace from a
  player only, search and policy play the same games from the same seeds as before (the squire draws its worlds from the
  bytes of a position, so its luck is another). The games below were played by the new rules: for two, a knight won
  87.0 % [82.7 %, 90.3 %] of 300 against a squire, where it had won 85.7 % [81.2 %, 89.2 %].
- In To Court the King a turn is worth the same whether or not the Fool may re-roll an added die. Values of courts that
  were learned again won 49.3 % of 300 games for two against the earlier ones.

### Tried and left out

- Keeping the tree from one decision of a seat to its next, against a new tree: 56.0 % [46.2 %, 65.3 %] of 100 games in
  Puppet Kingdom for two, 32.7 % [25.7 %, 40.5 %] of 150 for three, and in Web of Power 32.3 % [25.1 %, 39.8 %] of 150
  for three. Besides, the same view would no longer get the same answer.
- Where seats choose at once, mixing the root's moves in the proportions of an equilibrium won 43 % of 352 games (The
  King's Levee).
"""


@click.command()
@click.option("--folder", default=LADDER_FOLDER, type=click.Path(path_type=Path), show_default=True)
@click.option("--cores", type=click.IntRange(1), help="Default: all.")
@click.option("--write-only", is_flag=True, help="Play no games; write the page from the stored ones.")
@click.option(
    "--again", type=click.IntRange(3), help="Replay this number of games of each pairing that other code has played."
)
@click.argument("names", nargs=-1, type=click.Choice(game_ids()))
def main(folder: Path, cores: int | None, write_only: bool, again: int | None, names: tuple[str, ...]) -> None:
    folder.mkdir(exist_ok=True)
    pages, shares = [PAGE_HEAD], dict[str, dict[str, dict[str, float]]]()
    for game in map(find_game, game_ids()):
        file, is_selected = folder / f"{game.id}.jsonl", not names or game.id in names
        if is_selected and again:
            adopt_games(game, file, again, cores)
        if is_selected and not write_only:
            for players in sorted(game.players, key=[*player_extremes(game), *game.players].index):
                pairings = list_pairings(game, players)
                with click.progressbar(
                    length=ladder.count_games(pairings), label=f"{game.id}, {players} players"
                ) as bar:
                    ladder.play_ladder(game, pairings, SEED, file, cores, bar.update)
        key = game.id, hash_code(game), SEED
        own_games = [played for played in read_games(file) if played[:3] == key]
        standings = ladder.compute_standings(own_games)
        pages.append(render_page(game, standings))
        strengths = strength_by_bot(standings)
        shares |= {game.id: strengths} if strengths else {}
    STRENGTH_PAGE.write_text("\n".join(pages), "utf-8")
    provenance = "python benchmarks/strength.py; the games are in benchmarks/ladders, the intervals in docs/strength.md"
    STRENGTH_FILE.write_text(json.dumps({"provenance": provenance, "shares": shares}, indent=2) + "\n", "utf-8")


def strength_by_bot(standings: list[LadderStanding]) -> dict[str, dict[str, float]]:
    """Return the share of wins among squires that the lobby shows, by number of players and bot."""
    strengths: dict[str, dict[str, float]] = {}
    for standing in standings:
        among = standing.shares.get(REFERENCE_BOT)
        if among and standing.bot != CHEATER and among.games >= MIN_SHOWN_GAMES:
            strengths.setdefault(str(standing.players), {})[standing.bot] = round(among.won, 3)
    return strengths


def adopt_games(game: Game, file: Path, sample_size: int, cores: int | None) -> None:
    """Replay a sample of each pairing that other code has played.

    If no game of the sample differs, mark all games of the pairing as played by this code; otherwise drop them.
    """
    played, code = read_games(file), hash_code(game)
    valid = {played_game.seating: played_game for played_game in played if played_game.code == code}
    others = defaultdict(dict)
    for played_game in played:
        if played_game.seating not in valid:
            others[tuple(sorted(played_game.bots))][played_game.seating] = played_game
    with tempfile.TemporaryDirectory() as place:
        for pairing, by_seating in others.items():
            prepare_bots(game, set(pairing))
            sample = random.Random(SEED).sample(list(by_seating), min(sample_size, len(by_seating)))
            replayed = run_games(game, dict.fromkeys(sample), SEED, Path(place) / "again", cores)
            differ = sum(
                (played_game.wins, played_game.scores)
                != (by_seating[played_game.seating].wins, by_seating[played_game.seating].scores)
                for played_game in replayed
            )
            click.echo(f"{game.id}, {' '.join(pairing)}: {len(sample)} replayed, {differ} differ")
            if not differ:
                valid |= {seating: played_game._replace(code=code) for seating, played_game in by_seating.items()}
    file.write_text("".join(f"{json.dumps(played_game._asdict())}\n" for played_game in valid.values()), "utf-8")


def player_extremes(game: Game) -> tuple[int, int]:
    """Return the fewest and the most players of a game; these are measured first."""
    return game.players[0], game.players[-1]


def list_pairings(game: Game, players: int) -> list[Pairing]:
    """Return the pairings to play with this number of players, a cheater only in games with hidden information."""
    levels = [level for level in LADDER_BOTS if level != CHEATER or game.about()["hidden"]]
    min_games = (GAMES_PER_PAIRING if players in player_extremes(game) else GAMES_PER_MIDDLE_PAIRING) | (
        GAMES_WHERE_SOLVED if hasattr(game.policy, "solve") else {}
    )
    return [
        pairing._replace(games=min_games[pairing.bot])
        for pairing in ladder.make_pairings(players, levels, 0)
        if pairing.bot != CHEATER or pairing.against == REFERENCE_BOT
    ]


def render_page(game: Game, standings: list[LadderStanding]) -> str:
    counts = ", ".join(f"{name} {game.levels[name]:,}" for name in ("knight", "master"))
    is_solved = hasattr(game.policy, "solve")
    space = "Working space for the exact solution of a turn, in thousands of numbers"
    number_label = space if is_solved else "Simulations per decision"
    lines = [f"## {game.id}", "", f"{number_label}: {counts}.", ""]
    lines += [
        "| players (par) | bot | won among squires | won among the next weaker | rating | mean, slowest decision |"
    ]
    lines += ["|---|---|---|---|---|---|"]
    for standing in standings:
        among = ladder.share_text(standing.shares[REFERENCE_BOT]) if REFERENCE_BOT in standing.shares else ""
        weaker = ", ".join(
            f"{other}s: {ladder.share_text(share)}"
            for other, share in standing.shares.items()
            if other != REFERENCE_BOT
        )
        rating = "0" if standing.bot == REFERENCE_BOT else "{:+.0f} [{:+.0f}, {:+.0f}]".format(*standing.rating)
        times = f"{1000 * standing.mean:.0f} ms, {1000 * standing.slowest:.0f} ms"
        lines.append(
            f"| {standing.players} ({1 / standing.players:.0%}) | {standing.bot} | {among} | {weaker} | {rating} | "
            f"{times} |"
        )
    return "\n".join([*lines, ""]) if standings else f"## {game.id}\n\nNot measured with this code.\n"


if __name__ == "__main__":
    main()
