"""What a game's policy learns by playing itself: the weights of `courtly.engine.stdlib.value_network`.

    python -m courtly.lab.train_value newtown --generations 0:16000,50:1500

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
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize, minimize_scalar
from scipy.special import expit

from courtly.bots.search.search import (
    MAX_LEARNED_DECISIONS,
    MAX_TREE_DEPTH,
    REWARD_SCALE,
    _make_worlds,
    load_search_settings,
)
from courtly.bots.search.tree import EDGE_WIDTH, TALLIES
from courtly.engine.constants import MAX_SEATS, POLICY_NOTES_LENGTH
from courtly.engine.errors import RulesError
from courtly.engine.game import find_game
from courtly.engine.native import loader
from courtly.engine.rng import GENERATOR_SIZE
from courtly.engine.stdlib.value_network import WEIGHT_SCALE
from courtly.lab.provenance import source_commit
from courtly.runtime.process_pool import ProcessPool

DRIVER = "courtly.bots.search.selfplay"
GAMES_PER_BATCH = 50  # games at a time
MAX_POSITIONS_PER_GAME = 40  # positions of a game
EARLY_STOP_STEPS = 20  # steps of learning without a better one
TRAINING_KEYS = ("generations", "seed", "hidden", "rounds", "whim", "decay")  # what the weights depend on


def _row(n: int) -> Any:
    return np.zeros(n, np.int64)


def play_games(name: str, players: int, count: int, first: int, games: int, seed: int, whim: float) -> tuple[Any, Any]:
    """Whole games: of each seat at each position its game, itself and its traits; the scores of each game.
    RulesError if one does not end as it must."""
    game = find_game(name)
    driver, row = loader.load_driver(game, driver=DRIVER), _row
    states, words, masks = _make_worlds(game, game.State(players=players), 4)
    states[3] = states[0]
    noted, finals = (
        np.zeros((games * players * MAX_POSITIONS_PER_GAME, 2 + game.policy.TRAITS), np.int64),
        np.zeros((games, MAX_SEATS), np.int64),
    )
    n = driver.play_games(
        states, words, masks, seed, first, games, int(whim * REWARD_SCALE), noted, finals, count, game.moves.count,
        row(GENERATOR_SIZE), row(game.room), row(game.room + POLICY_NOTES_LENGTH), row(MAX_SEATS),
        row(4 << (2 * max(1, count) + 1).bit_length()), row(EDGE_WIDTH * max(1, count) * game.bounds["moves"]),
        row(3 * MAX_SEATS * game.moves.count), row(2 * MAX_TREE_DEPTH), row(MAX_LEARNED_DECISIONS), row(TALLIES),
        row(MAX_SEATS + game.bounds["moves"]), np.array(load_search_settings(game), np.int64),
    )  # fmt: skip  # in the order of `play_games` in selfplay.py
    if n < 0:
        raise RulesError(
            name, "a game does not end as it must, in machine code", run=f"from game {first} of seed {seed}"
        )
    return noted[:n].astype(np.int32), finals[:, :players]


def seat_pairs(noted: Any, finals: Any, first: int) -> tuple[Any, Any, Any, Any]:
    """Of every two seats of a position: what was noticed of either, by how much the first was ahead, the game."""
    players = finals.shape[1]
    rows = noted.reshape(-1, players, noted.shape[1])
    found = []
    for i in range(players):
        for j in range(i + 1, players):
            number = rows[:, i, 0]
            ahead = finals[number - first, i] - finals[number - first, j]
            found.append(
                (rows[:, i, 2:], rows[:, j, 2:], (ahead / finals.std()).astype(np.float32), number * 8 + players)
            )
    ones, others, aheads, games = (np.concatenate(part) for part in zip(*found, strict=True))
    return ones, others, aheads, games


def log_loss(said: Any, came: Any) -> float:
    """In nats, on average, for whoever believed these log odds."""
    return float(np.mean(np.logaddexp(0, said) - came * said))


def evaluate_loss(weights: Any, x: Any, came: Any) -> tuple[Any, float, Any]:
    """By how much seats, the first half of x, are stronger than the others, weights standing as `strength` has them;
    how surprising what came is then, and how that grows with each weight."""
    n, weights = x.shape[1], weights.astype(x.dtype)
    direct, hidden = weights[:n], weights[n:].reshape(-1, n + 2)
    numbers = np.maximum(x @ hidden[:, 2:].T + hidden[:, 0], 0)
    said = np.subtract(*np.split(x @ direct + numbers @ hidden[:, 1], 2))
    wrong = (expit(said) - came) / len(came)
    wrong = np.concatenate([wrong, -wrong])
    through = np.outer(wrong, hidden[:, 1]) * (numbers > 0)
    grows = np.column_stack([through.sum(0), wrong @ numbers, through.T @ x])
    return said, log_loss(said, came), np.concatenate([wrong @ x, grows.ravel()])


def train_weights(weights: Any, data: Any, rounds: int, decay: float) -> tuple[Any, float, str]:
    """Better weights than these, from all games but some that are kept apart, for which they are the best on the way.
    By how much their odds are to be stretched, and how well they tell who is ahead in the games kept apart."""
    one, other, ahead, which = data
    kept = which // 8 % 10 == 9
    (x, won, soft), (apart, won_apart, soft_apart) = (
        (np.concatenate([one[part], other[part]]), (np.sign(ahead[part]) + 1) / 2, expit(2 * ahead[part]))
        for part in (~kept, kept)
    )
    found: list[tuple[float, Any]] = []  # on the way

    def wrong(weights: Any) -> tuple[float, Any]:
        _, nats, grows = evaluate_loss(weights, x, soft)
        return nats + decay / 2 * weights @ weights, grows + decay * weights

    def look(weights: Any) -> None:
        found.append((evaluate_loss(weights, apart, soft_apart)[1], weights.copy()))
        if found.index(min(found, key=itemgetter(0))) < len(found) - EARLY_STOP_STEPS:
            raise StopIteration

    look(weights)
    minimize(wrong, weights, jac=True, method="L-BFGS-B", callback=look, options={"maxiter": rounds})
    nats, weights = min(found, key=itemgetter(0))
    said = evaluate_loss(weights, x, soft)[0]
    scale = minimize_scalar(lambda k: log_loss(k * said, won), bounds=(0.3, 4)).x
    said = evaluate_loss(weights, apart, soft_apart)[0]
    right = np.mean((said > 0) == won_apart)
    told = (
        f"{len(one)} pairs of {len(set(which))} games; of those kept apart {right:.3f} right, "
        f"{log_loss(scale * said, won_apart):.4f} nats, {nats:.4f} of the margin; scale {scale:.2f}"
    )
    return weights, scale, told


def initial_weights(traits: int, hidden: int, rng: Any) -> Any:
    """Weights that know nothing yet."""
    rows = rng.normal(0, 1 / np.sqrt(traits), (hidden, traits + 2))
    rows[:, 0], rows[:, 1] = 0, rng.normal(0, 0.1, hidden)
    return np.concatenate([rng.normal(0, 0.01, traits), rows.ravel()])


def quantize_weights(weights: Any, usual: Any, spread: Any, scale: float) -> list[int]:
    """As `strength` wants them, of traits as they are noticed."""
    n = len(usual)
    direct, hidden = weights[:n] / spread * scale, weights[n:].reshape(-1, n + 2).copy()
    hidden[:, 2:] /= spread
    hidden[:, 0] -= hidden[:, 2:] @ usual
    hidden[:, 1] *= scale
    return [round(float(w) * WEIGHT_SCALE) for w in [*direct, *hidden.ravel()]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--generations", default="0:16000,50:1500", help="simulations of a decision : games, …")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hidden", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=100, help="steps of learning from a generation, at most")
    parser.add_argument("--whim", type=float, default=0.03, help="share of moves made at random")
    parser.add_argument("--decay", type=float, default=0.0001, help="how much large weights are held against")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="a folder for what was played")
    asked = parser.parse_args()
    game = find_game(asked.game)
    generations = [[*map(int, generation.split(":"))] for generation in asked.generations.split(",")]
    said = " ".join(f"--{k} {v}" for k, v in vars(asked).items() if k in TRAINING_KEYS and v != parser.get_default(k))
    made = {
        "made": f"make train GAME={game.id}" + (f' ARGS="{said}"' if said else ""),
        "seed": asked.seed,
        "games": sum(games for _, games in generations),
        "commit": source_commit(),
        "version": game.version,
    }
    rng = np.random.default_rng(asked.seed)
    weights = usual = spread = None
    for number, (count, wanted) in enumerate(generations):
        played = []
        play_games(game.id, game.players[0], count, 0, 0, 0, 0.0)  # compiled once, for all workers
        with ProcessPool(asked.workers) as pool:
            chunk, seed = GAMES_PER_BATCH * (1 if count else 20), asked.seed * 100 + number
            jobs = []
            for k, first in enumerate(range(0, wanted, chunk)):
                many = (first, min(chunk, wanted - first), seed, asked.whim)
                jobs.append(
                    (first, pool.submit(play_games, game.id, game.players[k % len(game.players)], count, *many))
                )
            for first, job in jobs:
                played.append(seat_pairs(*job.result(), first))
                print(f"{count}: {first} games", file=sys.stderr)
        one, other, *came = (np.concatenate(part) for part in zip(*played, strict=True))
        if asked.keep:
            asked.keep.mkdir(exist_ok=True)
            np.savez_compressed(asked.keep / f"{game.id}-{number}-{count}-{asked.seed}", one, other, *came)
        if weights is None:
            noticed = np.concatenate([one, other])
            weights, usual = initial_weights(noticed.shape[1], asked.hidden, rng), noticed.mean(0)
            spread = np.where(noticed.std(0) > 0, noticed.std(0), 1)
        one, other = (((traits - usual) / spread).astype(np.float32) for traits in (one, other))
        weights, scale, told = train_weights(weights, (one, other, *came), asked.rounds, asked.decay)
        print(f"{count}: {told}", flush=True)
        lines = json.dumps({**made, "told": f"{count}: {told}", "weights": []}, indent=1)
        lines = lines.replace("[]", json.dumps(quantize_weights(weights, usual, spread, scale)))
        (game.folder / "learned.json").write_text(lines + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
