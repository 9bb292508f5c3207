"""Measures how much more simulations strengthen a search: one with five times the simulations plays alone among copies
with fewer, in every seat of every deal.

    python benchmarks/growth.py [--folder benchmarks/ladders] [--count 400] [--games 100] [GAME …]

It plays with the fewest and the most players, and prints the win share with its 95 % interval (Wilson) and that of an
equal bot. It may be interrupted at any time; the same command resumes. For games whose policy solves turns exactly, the
count is the working memory in thousands of numbers instead.
"""

from __future__ import annotations

from pathlib import Path

import click
from scipy.stats import binomtest

from courtly.engine.game import find_game, game_ids
from courtly.lab.strength import ladder
from courtly.lab.strength.ladder import WIN_PARTS, Pairing, WinShare

SEED = 2


@click.command()
@click.option(
    "--folder",
    default=Path(__file__).parent / "ladders",
    type=click.Path(path_type=Path),
    show_default=True,
    help="Folder of the games.",
)
@click.option("--count", default=400, show_default=True, help="Simulations per decision of the weaker search.")
@click.option("--times", default=5, show_default=True, help="Factor of the stronger search.")
@click.option("--games", default=100, show_default=True, help="Least number of games for each number of players.")
@click.option("--cores", type=click.IntRange(1), help="Number of processes. Default: all cores.")
@click.argument("names", nargs=-1)
def main(folder: Path, count: int, times: int, games: int, cores: int | None, names: tuple[str, ...]) -> None:
    folder.mkdir(exist_ok=True)
    stronger, weaker = f"search:{times * count}", f"search:{count}"
    for game in map(find_game, names or game_ids()):
        for players in sorted({game.players[0], game.players[-1]}):
            pairings = [Pairing(players, stronger, weaker, games)]
            with click.progressbar(length=ladder.count_games(pairings), label=f"{game.id}, {players} players") as bar:
                played_games = ladder.play_ladder(
                    game, pairings, SEED, folder / f"growth-{game.id}.jsonl", cores, bar.update
                )
            wins = sum(played.wins[played.bots.index(stronger)] for played in played_games) / WIN_PARTS
            interval = binomtest(round(wins), len(played_games)).proportion_ci(method="wilson")
            share = WinShare(len(played_games), wins / len(played_games), interval.low, interval.high)
            click.echo(
                f"{game.id}, {players} players: {stronger} among {weaker} {ladder.share_text(share)}; "
                f"par {1 / players:.1%}"
            )


if __name__ == "__main__":
    main()
