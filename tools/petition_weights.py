"""Learns courtly/games/petition/weights.json by self-play: the value of each character and die for the chance to win.

`python tools/petition_weights.py` needs courtly[train] and some minutes.

The first weights come from the bot's estimates. The policy then plays itself, now and then claiming a random character,
and the state at the beginning of each turn before the king is taken is recorded. The weights are fitted to the winners
by a softmax: each seat's logit is the sum of the weights of its court. This is repeated with the new weights and all
games so far.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax

from courtly.engine.constants import CHANCE, NOBODY
from courtly.engine.game import find_game
from courtly.engine.native import loader
from courtly.engine.rng import draw_below, pick_weighted, seed_generator
from courtly.engine.rules_interface import apply, chance, legal, scores, setup, solve
from courtly.games.petition.bot import WORTH
from courtly.games.petition.policy import dice_in_all, dice_to_begin
from courtly.games.petition.table import CHARACTERS, KINDS, Card, Phase
from courtly.lab.provenance import source_commit

ENTRY_POINTS = ("play",)
LOWEST_BIT = tuple((mask & -mask).bit_length() - 1 for mask in range(CHANCE << 1))
SEATS, MOST = 5, 12
COURT = KINDS + 2 * (MOST + 1) + 1  # features of a seat: characters, initial dice, all dice, whether its turn comes
WIDTH = SEATS * COURT + 1  # and the winner
GAMES = {2: 1000, 4: 250}  # games per round, by number of players
ROUNDS = 3
SEED = 11
NOTES_SIZE = 480_000  # working memory of the policy, in numbers
RANDOM_CLAIMS_PERCENT = 15  # share of claims that are random
PRIOR_STRENGTH = 8.0  # L2 penalty on the distance from the initial weights
POINTS, DIE, DIE_TO_BEGIN = 12, 0.7, 0.2  # initial weights: the bot's points per logit, a die, an initial die
FILE = Path(__file__).parents[1] / "courtly" / "games" / "petition" / "weights.json"


def play(states, number, first, rng, moves, out, notes, log):
    """Play one game of a seed. Write the features at the beginning of each turn and the winner to `log`, and return the
    number of turns."""
    s = states[0]
    states[0] = states[1]
    seed_generator(rng, number, first)
    setup(s)
    turns = 0
    started_at = -1
    while s.pending > 0:
        if s.pending == CHANCE:
            n = chance(s, moves, out)
            apply(s, NOBODY, moves[pick_weighted(rng, out, n)])
            continue
        if started_at != s.round * SEATS + s.turn and s.king == NOBODY and (turns + 1) * WIDTH <= len(log):
            started_at = s.round * SEATS + s.turn
            log_court(s, log, turns * WIDTH)
            turns += 1
        seat = LOWEST_BIT[s.pending]
        n = legal(s, seat, moves)
        best = 0
        if s.phase == Phase.CLAIMING and draw_below(rng, 100) < RANDOM_CLAIMS_PERCENT:
            best = draw_below(rng, n)
        elif n > 1:
            notes[0] = len(notes)
            solve(s, seat, moves, n, out, notes)
            for i in range(n):
                if out[i] > out[best]:
                    best = i
        apply(s, seat, moves[best])
    for seat in range(s.players):
        out[seat] = 0
    scores(s, out)
    best = 0
    for seat in range(1, s.players):
        if out[seat] > out[best]:
            best = seat
    for i in range(turns):
        log[i * WIDTH + WIDTH - 1] = best if out[best] else NOBODY
    return turns


def log_court(s, log, at):
    for i in range(WIDTH):
        log[at + i] = 0
    for seat in range(s.players):
        own_place = at + seat * COURT
        for card in range(KINDS):
            log[own_place + card] = s.owns[seat][card]
        for dice in range(4, MOST + 1):
            log[own_place + KINDS + dice] = 1 if dice_to_begin(s, seat) >= dice else 0
            log[own_place + KINDS + MOST + 1 + dice] = 1 if dice_in_all(s, seat) >= dice else 0
        log[own_place + COURT - 1] = 1 if (seat - s.start) % s.players >= s.turn else 0


def play_games(players: int, games: int, round_: int) -> Any:
    """Return a row of features and the winner for each turn of some games."""
    game = find_game("petition")
    driver = loader.load_driver(game, driver="petition_weights")
    states, rng, moves, _ = loader.make_arrays(game, 2)
    out, notes, log = np.zeros(game.room + 6, np.int64), np.zeros(NOTES_SIZE, np.int64), np.zeros(WIDTH * 600, np.int64)
    blank_state = game.State(players=players).pack()
    states[1:].view("u1")[: len(blank_state)] = list(blank_state)
    logs = []
    for first in range(games):
        turns = driver.play(states, SEED + round_, first * SEATS + players - 1, rng, moves, out, notes, log)
        logs.append(log[: turns * WIDTH].reshape(turns, WIDTH).copy())
    rows = np.concatenate(logs)
    return rows[rows[:, -1] != NOBODY]


def initial_weights() -> Any:
    """Return weights from the bot's estimates, which include a character's dice."""
    guess = np.zeros(COURT)
    for card, points in WORTH.items():
        dice = 2 if card == Card.GENERAL else 1 if CHARACTERS[card]["family"] in ("start", "adds") else 0
        begin = 0 if CHARACTERS[card]["family"] == "adds" else DIE_TO_BEGIN
        guess[card] = max(points / POINTS - dice * (DIE + begin), 0.1 if points else 0)
    guess[KINDS + 4 : KINDS + MOST + 1] = DIE_TO_BEGIN
    guess[KINDS + MOST + 5 : KINDS + 2 * MOST + 2] = DIE
    return guess


def fit_weights(tables: dict[int, Any]) -> tuple[Any, float]:
    """Return the fitted weights and the mean negative log likelihood of the winners, in nats."""
    guess = initial_weights()
    parts = [
        (rows[:, :-1].reshape(-1, SEATS, COURT)[:, :players].astype(float), rows[:, -1])
        for players, rows in tables.items()
    ]

    def predict(weights: Any) -> list[Any]:
        return [(courts, winner, log_softmax(courts @ weights, 1)) for courts, winner in parts]

    def loss(weights: Any) -> tuple[float, Any]:
        off, slope = PRIOR_STRENGTH / 2 * (weights - guess) @ (weights - guess), PRIOR_STRENGTH * (weights - guess)
        for courts, winner, chances in predict(weights):
            won = np.arange(len(winner)), winner
            off -= chances[won].sum()
            slope += np.einsum("np,npk->k", np.exp(chances), courts) - courts[won].sum(0)
        return off, slope

    def bend(weights: Any) -> Any:
        all_ = PRIOR_STRENGTH * np.eye(COURT)
        for courts, _, chances in predict(weights):
            mean = np.einsum("np,npk->nk", np.exp(chances), courts)
            all_ += np.einsum("np,npk,npl->kl", np.exp(chances), courts, courts, optimize=True) - mean.T @ mean
        return all_

    weights = minimize(loss, guess, jac=True, hess=bend, method="trust-exact").x
    return weights, np.mean(
        [-chances[np.arange(len(winner)), winner].mean() for _, winner, chances in predict(weights)]
    )


def write(weights: Any, sources: str, report: str) -> None:
    thousandths = [round(1000 * weight) for weight in weights]
    begin, every = KINDS + MOST + 1, KINDS + 2 * (MOST + 1)
    content = {
        "made": "python tools/petition_weights.py",
        "seed": SEED,
        "games": ROUNDS * sum(GAMES.values()),
        "commit": sources,
        "version": find_game("petition").version,
        "told": report,
        "card": thousandths[:KINDS],
        "start": thousandths[KINDS:begin],
        "total": thousandths[begin:every],
        "to_come": thousandths[every:],
    }
    FILE.write_text(json.dumps(content, indent=1).replace("\n  ", " ").replace("\n ]", "]") + "\n", encoding="utf-8")


def main() -> None:
    sources = source_commit()
    write(initial_weights(), sources, "by hand")
    tables = {players: np.zeros((0, WIDTH), np.int64) for players in GAMES}
    for round_ in range(ROUNDS):
        start_time = time.time()
        for players, games in GAMES.items():
            tables[players] = np.concatenate([tables[players], play_games(players, games, round_)])
        weights, likelihood = fit_weights(tables)
        turns = sum(map(len, tables.values()))
        write(weights, sources, f"{turns} turns, {likelihood:.4f} nats")
        print(f"round {round_ + 1}: {turns} turns, {likelihood:.4f} nats, {time.time() - start_time:.0f} s", flush=True)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    main()
