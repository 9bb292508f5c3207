"""Trains the value network of a game's policy by self-play: the weights of `courtly.engine.stdlib.value_network`.

    python -m courtly.lab.train_value newtown --generations 0:16000,50:1500

A generation is a number of games, played by searches with a number of simulations per decision; with 0 simulations the
policy plays alone. At positions where the policy evaluates, the traits of each seat are recorded with the final scores.
The weights are then fitted to predict which of two seats finishes ahead. They replace those in the game's
`learned.json`, and the next generation searches with them. The same command finds the same weights, up to
floating-point differences between machines.
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
GAMES_PER_BATCH = 50  # games in a batch of work
MAX_POSITIONS_PER_GAME = 40  # positions recorded in a game
EARLY_STOP_STEPS = 20  # optimizer steps without improvement after which training stops
TRAINING_KEYS = ("generations", "seed", "hidden", "rounds", "whim", "decay")  # options that the weights depend on


def _row(n: int) -> Any:
    return np.zeros(n, np.int64)


def play_games(
    name: str, players: int, count: int, first: int, games: int, seed: int, random_share: float
) -> tuple[Any, Any]:
    """Play games of self-play and record the traits of every seat.

    Args:
        name: The game's id.
        players: Number of players.
        count: Simulations per decision; 0 lets the policy play alone.
        first: Number of the first game.
        games: Number of games.
        seed: Seed of the games.
        random_share: Share of moves made at random.

    Returns:
        Records, int32, shape (records, 2 + traits): game, seat and traits, a row for each seat of each position. Final
            scores, int64, shape (games, players).

    Raises:
        RulesError: A game does not end within its bounds.
    """
    game = find_game(name)
    driver, row = loader.load_driver(game, driver=DRIVER), _row
    states, words, masks = _make_worlds(game, game.State(players=players), 4)
    rows = np.asarray(words)  # the same memory
    rows[3] = rows[0]
    positions, finals = (
        np.zeros((games * players * MAX_POSITIONS_PER_GAME, 2 + game.policy.TRAITS), np.int64),
        np.zeros((games, MAX_SEATS), np.int64),
    )
    n = driver.play_games(
        states, words, masks, seed, first, games, int(random_share * REWARD_SCALE), positions, finals, count,
        game.moves.count, row(GENERATOR_SIZE), row(game.room), row(game.room + POLICY_NOTES_LENGTH), row(MAX_SEATS),
        row(4 << (2 * max(1, count) + 1).bit_length()), row(EDGE_WIDTH * max(1, count) * game.bounds["moves"]),
        row(3 * MAX_SEATS * game.moves.count), row(2 * MAX_TREE_DEPTH), row(MAX_LEARNED_DECISIONS), row(TALLIES),
        row(MAX_SEATS + game.bounds["moves"]), np.array(load_search_settings(game), np.int64),
    )  # fmt: skip  # in the order of `play_games` in selfplay.py
    if n < 0:
        raise RulesError(name, "a native game does not end within its bounds", run=f"from game {first} of seed {seed}")
    return positions[:n].astype(np.int32), finals[:, :players]


def seat_pairs(positions: Any, finals: Any, first: int) -> tuple[Any, Any, Any, Any]:
    """Return every pair of seats of each position: the traits of both (float, shape (pairs, traits)), the first seat's
    lead in standard deviations of the scores (float32), and a number for the game and its players.

    Args:
        positions: Records as `play_games` returns them.
        finals: Final scores as `play_games` returns them.
        first: Number of the first game.
    """
    players = finals.shape[1]
    rows = positions.reshape(-1, players, positions.shape[1])
    pairs = []
    for i in range(players):
        for j in range(i + 1, players):
            number = rows[:, i, 0]
            margin = finals[number - first, i] - finals[number - first, j]
            pairs.append(
                (rows[:, i, 2:], rows[:, j, 2:], (margin / finals.std()).astype(np.float32), number * 8 + players)
            )
    first_inputs, second_inputs, margins, games = (np.concatenate(part) for part in zip(*pairs, strict=True))
    return first_inputs, second_inputs, margins, games


def log_loss(log_odds: Any, outcomes: Any) -> float:
    """Return the mean log loss in nats.

    Args:
        log_odds: Predicted log odds, shape (pairs,).
        outcomes: Outcomes from 0 to 1, shape (pairs,).
    """
    return float(np.mean(np.logaddexp(0, log_odds) - outcomes * log_odds))


def evaluate_loss(weights: Any, x: Any, outcomes: Any) -> tuple[Any, float, Any]:
    """Return the predicted log odds, the log loss and its gradient.

    Args:
        weights: Weights in the order of `strength` in value_network.py, shape (weights,).
        x: Traits, shape (2 × pairs, traits): the first seats of all pairs, then the second seats.
        outcomes: Outcomes from 0 to 1, shape (pairs,).
    """
    n, weights = x.shape[1], weights.astype(x.dtype)
    direct, hidden = weights[:n], weights[n:].reshape(-1, n + 2)
    numbers = np.maximum(x @ hidden[:, 2:].T + hidden[:, 0], 0)
    log_odds = np.subtract(*np.split(x @ direct + numbers @ hidden[:, 1], 2))
    residuals = (expit(log_odds) - outcomes) / len(outcomes)
    residuals = np.concatenate([residuals, -residuals])
    backpropagated = np.outer(residuals, hidden[:, 1]) * (numbers > 0)
    gradient = np.column_stack([backpropagated.sum(0), residuals @ numbers, backpropagated.T @ x])
    return log_odds, log_loss(log_odds, outcomes), np.concatenate([residuals @ x, gradient.ravel()])


def train_weights(weights: Any, data: Any, rounds: int, decay: float) -> tuple[Any, float, str]:
    """Fit weights by L-BFGS; one game in ten is held out, for early stopping.

    Args:
        weights: Initial weights.
        data: What `seat_pairs` returns, with normalized traits.
        rounds: Largest number of optimizer steps.
        decay: L2 regularization.

    Returns:
        The weights with the lowest loss on held-out games, the factor that calibrates their log odds, and a line on
            their accuracy.
    """
    first_inputs, second_inputs, margins, game_numbers = data
    is_held_out = game_numbers // 8 % 10 == 9
    (x, outcomes, soft_outcomes), (validation_inputs, validation_outcomes, validation_soft_outcomes) = (
        (
            np.concatenate([first_inputs[part], second_inputs[part]]),
            (np.sign(margins[part]) + 1) / 2,
            expit(2 * margins[part]),
        )
        for part in (~is_held_out, is_held_out)
    )
    steps: list[tuple[float, Any]] = []  # held-out loss and weights of each step

    def regularized_loss(weights: Any) -> tuple[float, Any]:
        _, nats, gradient = evaluate_loss(weights, x, soft_outcomes)
        return nats + decay / 2 * weights @ weights, gradient + decay * weights

    def check_validation(weights: Any) -> None:
        steps.append((evaluate_loss(weights, validation_inputs, validation_soft_outcomes)[1], weights.copy()))
        if steps.index(min(steps, key=itemgetter(0))) < len(steps) - EARLY_STOP_STEPS:
            raise StopIteration

    check_validation(weights)
    minimize(
        regularized_loss, weights, jac=True, method="L-BFGS-B", callback=check_validation, options={"maxiter": rounds}
    )
    nats, weights = min(steps, key=itemgetter(0))
    log_odds = evaluate_loss(weights, x, soft_outcomes)[0]
    scale = minimize_scalar(lambda k: log_loss(k * log_odds, outcomes), bounds=(0.3, 4)).x
    log_odds = evaluate_loss(weights, validation_inputs, validation_soft_outcomes)[0]
    right = np.mean((log_odds > 0) == validation_outcomes)
    summary = (
        f"{len(first_inputs)} pairs of {len(set(game_numbers))} games; held out: accuracy {right:.3f}, "
        f"log loss {log_loss(scale * log_odds, validation_outcomes):.4f} nats, of the margin {nats:.4f}; "
        f"scale {scale:.2f}"
    )
    return weights, scale, summary


def initial_weights(traits: int, hidden: int, rng: Any) -> Any:
    """Return random initial weights, float64, in the order of `strength` in value_network.py.

    Args:
        traits: Number of traits of a seat.
        hidden: Number of hidden units.
        rng: A NumPy generator.
    """
    rows = rng.normal(0, 1 / np.sqrt(traits), (hidden, traits + 2))
    rows[:, 0], rows[:, 1] = 0, rng.normal(0, 0.1, hidden)
    return np.concatenate([rng.normal(0, 0.01, traits), rows.ravel()])


def quantize_weights(weights: Any, usual: Any, spread: Any, scale: float) -> list[int]:
    """Return integer weights for `strength` in value_network.py, which takes unnormalized traits.

    Args:
        weights: Weights for normalized traits.
        usual: Mean of each trait.
        spread: Standard deviation of each trait.
        scale: Factor that calibrates the log odds.
    """
    n = len(usual)
    direct, hidden = weights[:n] / spread * scale, weights[n:].reshape(-1, n + 2).copy()
    hidden[:, 2:] /= spread
    hidden[:, 0] -= hidden[:, 2:] @ usual
    hidden[:, 1] *= scale
    return [round(float(w) * WEIGHT_SCALE) for w in [*direct, *hidden.ravel()]]


def main() -> None:
    """Train a game's value network, as the command line asks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="id of the game")
    parser.add_argument(
        "--generations", default="0:16000,50:1500", help="generations, each SIMULATIONS:GAMES, comma-separated"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the games and the initial weights")
    parser.add_argument("--hidden", type=int, default=16, help="hidden units")
    parser.add_argument("--rounds", type=int, default=100, help="optimizer steps per generation, at most")
    parser.add_argument("--whim", type=float, default=0.03, help="share of moves made at random")
    parser.add_argument("--decay", type=float, default=0.0001, help="L2 regularization")
    parser.add_argument("--workers", type=int, default=2, help="processes that play")
    parser.add_argument("--keep", type=Path, help="folder in which to store the training data (default: not stored)")
    args = parser.parse_args()
    game = find_game(args.game)
    generations = [[*map(int, generation.split(":"))] for generation in args.generations.split(",")]
    arguments = " ".join(
        f"--{k} {v}" for k, v in vars(args).items() if k in TRAINING_KEYS and v != parser.get_default(k)
    )
    metadata = {
        "made": f"make train GAME={game.id}" + (f' ARGS="{arguments}"' if arguments else ""),
        "seed": args.seed,
        "games": sum(games for _, games in generations),
        "commit": source_commit(),
        "version": game.version,
    }
    rng = np.random.default_rng(args.seed)
    weights = usual = spread = None
    for number, (count, game_count) in enumerate(generations):
        played = []
        play_games(game.id, game.players[0], count, 0, 0, 0, 0.0)  # fill the compile cache before the workers start
        with ProcessPool(args.workers) as pool:
            chunk, seed = GAMES_PER_BATCH * (1 if count else 20), args.seed * 100 + number
            jobs = []
            for k, first in enumerate(range(0, game_count, chunk)):
                many = (first, min(chunk, game_count - first), seed, args.whim)
                jobs.append(
                    (first, pool.submit(play_games, game.id, game.players[k % len(game.players)], count, *many))
                )
            for first, job in jobs:
                played.append(seat_pairs(*job.result(), first))
                print(f"{count}: {first} games", file=sys.stderr)
        first_inputs, second_inputs, *margins_and_games = (np.concatenate(part) for part in zip(*played, strict=True))
        if args.keep:
            args.keep.mkdir(exist_ok=True)
            np.savez_compressed(
                args.keep / f"{game.id}-{number}-{count}-{args.seed}", first_inputs, second_inputs, *margins_and_games
            )
        if weights is None:
            inputs = np.concatenate([first_inputs, second_inputs])
            weights, usual = initial_weights(inputs.shape[1], args.hidden, rng), inputs.mean(0)
            spread = np.where(inputs.std(0) > 0, inputs.std(0), 1)
        first_inputs, second_inputs = (
            ((traits - usual) / spread).astype(np.float32) for traits in (first_inputs, second_inputs)
        )
        weights, scale, summary = train_weights(
            weights, (first_inputs, second_inputs, *margins_and_games), args.rounds, args.decay
        )
        print(f"{count}: {summary}", flush=True)
        lines = json.dumps({**metadata, "told": f"{count}: {summary}", "weights": []}, indent=1)
        lines = lines.replace("[]", json.dumps(quantize_weights(weights, usual, spread, scale)))
        (game.folder / "learned.json").write_text(lines + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
