"""What a game's policy learns by playing itself: the weights of `courtly.engine.learned`.

    python -m courtly.lab.train newtown --generations 0:16000,50:1500

A generation is so many games, of searches with so many simulations; in the first the policy plays without any. Where
the policy tells a value, what it notices about each seat is kept with the scores at the end of the game, and from this
the weights are found that tell best who will be placed before whom. They replace those in the game's `learned.json`,
and the next generation searches by them. The same command finds the same weights, but for what machines make of
fractions.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from courtly.bots.search import DEPTH, LENGTH, ONE, _worlds, dials_of
from courtly.bots.search.tree import EDGE, TALLIES
from courtly.engine import native
from courtly.engine.chance import SIZE
from courtly.engine.game import MOST_SEATS, NOTES, find_game
from courtly.engine.learned import FINE

DRIVER = "courtly.bots.search.selfplay"
CHUNK = 50  # games at a time
AT_MOST = 40  # positions of a game
HOW = ("generations", "players", "seed", "hidden", "rounds", "whim", "decay")  # what the weights depend on


def _row(n: int) -> Any:
    return np.zeros(n, np.int64)


def play(name: str, players: int, count: int, first: int, games: int, seed: int, whim: float) -> tuple[Any, Any]:
    """Whole games: of each seat at each position its game, itself and its traits; the scores of each game."""
    game = find_game(name)
    driver, row = native.load(game, driver=DRIVER), _row
    states, words, masks = _worlds(game, game.State(players=players), 4)
    states[3] = states[0]
    noted, finals = (
        np.zeros((games * players * AT_MOST, 2 + game.policy.TRAITS), np.int64),
        np.zeros((games, MOST_SEATS), np.int64),
    )
    n = driver.play(
        states, words, masks, seed, first, games, int(whim * ONE), noted, finals, count, game.moves.count, row(SIZE),
        row(game.room), row(game.room + NOTES), row(MOST_SEATS), row(4 << (2 * max(1, count) + 1).bit_length()),
        row(EDGE * max(1, count) * game.bounds["moves"]), row(3 * MOST_SEATS * game.moves.count), row(2 * DEPTH),
        row(LENGTH), row(TALLIES), row(MOST_SEATS + game.bounds["moves"]), np.array(dials_of(game), np.int64),
    )  # fmt: skip  # as in the lines of `play` in selfplay.py
    return noted[:n].astype(np.int32), finals[:, :players]


def pairs(noted: Any, finals: Any, first: int) -> tuple[Any, Any, Any, Any]:
    """Of every two seats of a position: what was noticed of either, by how much the first was ahead, the game."""
    players = finals.shape[1]
    rows = noted.reshape(-1, players, noted.shape[1])
    found = []
    for i in range(players):
        for j in range(i + 1, players):
            number = rows[:, i, 0]
            ahead = finals[number - first, i] - finals[number - first, j]
            found.append((rows[:, i, 2:], rows[:, j, 2:], ahead / finals.std(), number * 8 + players))
    ones, others, aheads, games = (np.concatenate(part) for part in zip(*found, strict=True))
    return ones, others, aheads, games


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-np.clip(x, -30, 30)))


class Net:
    """A layer of hidden numbers beside the direct way, of traits by how far they are from what is usual; Adam."""

    def __init__(self, noticed: Any, hidden: int, rng: Any):
        n = noticed.shape[1]
        self.mean, self.spread = noticed.mean(0), noticed.std(0)
        self.spread[self.spread < 1e-6] = 1.0
        into = rng.normal(0, 1 / np.sqrt(n), (n, hidden))
        self.w = [rng.normal(0, 0.01, n), into, np.zeros(hidden), rng.normal(0, 0.1, hidden)]
        self.m = [np.zeros_like(w) for w in self.w]
        self.v = [np.zeros_like(w) for w in self.w]
        self.t = 0

    def __call__(self, x: Any) -> Any:
        direct, into, constant, counts = self.w
        return x @ direct + np.maximum(x @ into + constant, 0) @ counts

    def step(self, a: Any, b: Any, target: Any, rate: float, decay: float) -> None:
        direct, into, constant, counts = self.w
        grads = [np.zeros_like(w) for w in self.w]
        ha, hb = np.maximum(a @ into + constant, 0), np.maximum(b @ into + constant, 0)
        d = (sigmoid(a @ direct - b @ direct + (ha - hb) @ counts) - target) / len(a)
        grads[0] = (a - b).T @ d
        grads[3] = (ha - hb).T @ d
        da, db = np.outer(d, counts) * (ha > 0), np.outer(d, counts) * (hb > 0)
        grads[1] = a.T @ da - b.T @ db
        grads[2] = (da - db).sum(0)
        self.t += 1
        for k, (w, g) in enumerate(zip(self.w, grads, strict=True)):
            self.m[k] = 0.9 * self.m[k] + 0.1 * g
            self.v[k] = 0.999 * self.v[k] + 0.001 * g * g
            w -= rate * (
                self.m[k] / (1 - 0.9**self.t) / (np.sqrt(self.v[k] / (1 - 0.999**self.t)) + 1e-8)
                + (decay * w if k != 2 else 0)
            )


def loss(p: Any, y: Any) -> float:
    p = np.clip(p, 1e-6, 1 - 1e-6)
    return float(-np.mean(y * np.log(p) + (1 - y) * np.log(1 - p)))


def learn(net: Net, data: Any, rng: Any, rounds: int, fast: float, decay: float) -> tuple[float, str]:
    """The net learns what it can of games but for those kept apart. By how much its odds are to be stretched, and how
    well it tells who is ahead in those."""
    a, b, ahead, which = data
    a, b = (((noticed - net.mean) / net.spread).astype(np.float32) for noticed in (a, b))
    won, soft = (np.sign(ahead) + 1) / 2, sigmoid(2 * ahead)
    kept = which // 8 % 10 == 9
    x, y, t = a[~kept], b[~kept], soft[~kept]
    best: tuple[float, list[Any]] = (9.0, [])
    for done in range(rounds):
        order = rng.permutation(len(x))
        for start in range(0, len(x), 512):
            i = order[start : start + 512]
            net.step(x[i], y[i], t[i], fast * (1 - done / rounds) + 0.0001, decay)
        apart = loss(sigmoid(net(a[kept]) - net(b[kept])), soft[kept])
        if apart < best[0]:
            best = (apart, [w.copy() for w in net.w])
    net.w = best[1]
    d = net(x) - net(y)
    scale = float(min(np.linspace(0.3, 4, 75), key=lambda k: loss(sigmoid(k * d), won[~kept])))
    d = net(a[kept]) - net(b[kept])
    return scale, (
        f"{len(a)} pairs of {len(set(which))} games; of those kept apart {np.mean((d > 0) == (ahead[kept] > 0)):.3f} "
        f"right, {loss(sigmoid(scale * d), won[kept]):.4f} nats, {best[0]:.4f} of the margin; scale {scale:.2f}"
    )


def weights_of(net: Net, scale: float) -> list[int]:
    """As `strength` wants them."""
    direct, into, constant, counts = net.w
    direct, into, counts = direct / net.spread * scale, into / net.spread[:, None], counts * scale
    constant = constant - net.mean @ into
    hidden = [[constant[k], counts[k], *into[:, k]] for k in range(len(counts))]
    return [round(float(w) * FINE) for w in [*direct, *sum(hidden, [])]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--generations", default="0:16000,50:1500", help="simulations of a decision : games, …")
    parser.add_argument("--players", default="", help="how many play, in turn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hidden", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=10, help="how often each pair is learned from")
    parser.add_argument("--whim", type=float, default=0.03, help="share of moves made at random")
    parser.add_argument("--decay", type=float, default=0.02)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="a folder for what was played")
    asked = parser.parse_args()
    game = find_game(asked.game)
    players = [int(n) for n in asked.players.split(",")] if asked.players else [*game.players]
    rng, net = np.random.default_rng(asked.seed), None
    for number, generation in enumerate(asked.generations.split(",")):
        count, wanted = (int(n) for n in generation.split(":"))
        played = []
        play(game.id, players[0], count, 0, 0, 0, 0.0)  # compiled once, for all workers
        with ProcessPoolExecutor(asked.workers) as pool:
            chunk, seed = CHUNK * (1 if count else 20), asked.seed * 100 + number
            jobs = []
            for k, first in enumerate(range(0, wanted, chunk)):
                many = (first, min(chunk, wanted - first), seed, asked.whim)
                jobs.append((first, pool.submit(play, game.id, players[k % len(players)], count, *many)))
            for first, job in jobs:
                played.append(pairs(*job.result(), first))
                print(f"{count}: {first} games", file=sys.stderr)
        data = tuple(np.concatenate(part) for part in zip(*played, strict=True))
        net = net or Net(np.concatenate(data[:2]), asked.hidden, rng)
        if asked.keep:
            asked.keep.mkdir(exist_ok=True)
            np.savez_compressed(asked.keep / f"{game.id}-{number}-{count}-{asked.seed}", *data)
        scale, told = learn(net, data, rng, asked.rounds, 0.001 if number else 0.003, asked.decay)
        print(f"{count}: {told}", flush=True)
        said = " ".join(f"--{k} {v}" for k, v in vars(asked).items() if k in HOW and v != parser.get_default(k))
        made = {"made": f"make train GAME={game.id}" + (f' ARGS="{said}"' if said else ""), "told": f"{count}: {told}"}
        lines = json.dumps({**made, "weights": []}, indent=1).replace("[]", json.dumps(weights_of(net, scale)))
        (game.folder / "learned.json").write_text(lines + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
