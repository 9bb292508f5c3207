"""Proximal policy optimization (PPO) in Torch for Queen's Necklace with two players.

A network with two hidden layers learns by self-play from both seats. At intervals it is evaluated against random moves,
the game's compiled policy, and the squire, a heuristic in plain Python. It does not train against them.

    python examples/ppo.py [--seconds 180] [--rounds 20] [--save FILE] [--start FILE] [--card]

With `--card`, the games are played and the network learns on a graphics card (`courtly[cuda]`); evaluations stay on the
processor, and seconds are those of the clock. Use many games then, such as `--games 8192`.

Share of games won, by seconds of training on one core (processor time, without evaluation and compilation). Evaluations
are 128 games unless stated, with 95 % intervals:

            random   policy                      squire
     19     100 %    13 %
     36     100 %    18 %
     55     100 %    68 %                        60 % (54 to 67) of 200
     72     100 %    72 %                        72 % (65 to 77) of 200
    109     100 %    75 %                        63 % (56 to 70) of 200
    180     100 %    70 % (68 to 71) of 3840     60 % (57 to 64) of 600

A run with `--seconds 600` won 76 % (72 to 79) of 500 new games against the squire after 91 seconds, and 58 to 69 % of
100 games each until it was stopped after 300: self-play continues to improve against itself, but its strength against
other opponents fluctuates.

The reward is the final place, plus a small reward for the change of the lead in pounds, so that lost games are
informative, too. The game is zero-sum, so the value of a position for one player is the negative of that for the other.
Inputs are normalized. Move logits are sums over the words of a move (its verb and arguments), so that what is learned
about a card in one place of the row applies to all places. Taking back one's own action is masked, because a losing
player would repeat it for ever.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from torch import Tensor, nn

import courtly
from courtly.adapters.arrays import BatchedGames
from courtly.adapters.cuda_vector import CudaGames
from courtly.adapters.gymnasium import HeroEnv
from courtly.adapters.observation import get_encoder
from courtly.adapters.vector import CourtlyVectorEnv

PLAYERS = 2
GAME = courtly.game("necklace")
MOVES = GAME.moves.count
SEEN = get_encoder(GAME, PLAYERS)
MINE, THEIRS = SEEN.names.index("score[me]"), SEEN.names.index("score[+1]")
POUND = SEEN.scale[MINE]
TAKEN_BACK = [move for move in range(MOVES) if GAME.moves.decode(move).verb == "clear"]
PAST = ("looked", "loot", "fresh", "shown", "changed", "income")  # fields that are not inputs of the network
KEPT = [i for i, name in enumerate(SEEN.names) if not name.startswith(PAST)]
TABLES = {"random": 128, "policy": 128, "squire": 20}  # opponents of the evaluation, and games played at a time
LINES = 10  # evaluations during training


@dataclass(frozen=True)
class How:
    """Hyperparameters."""

    games: int = 256  # played at the same time
    steps: int = 64  # decisions in each game between updates
    batch: int = 2048  # decisions in a minibatch
    epochs: int = 3
    rate: float = 1e-3  # learning rate of Adam; decays to a twentieth
    trace: float = 0.95  # lambda of GAE
    clip: float = 0.2
    entropy: float = 0.01  # decays to a third
    value: float = 0.5
    pound: float = 0.002  # reward for a lead of one pound; a victory is 1


def words() -> Tensor:
    """Return which words each move consists of, 0 or 1, (words, moves): its verb and its arguments, without its
    target."""
    numbers: dict[tuple[object, ...], int] = {}
    parts = []
    for move in map(GAME.moves.decode, range(MOVES)):
        spelled = [(move.verb,), *((move.verb, *arg) for arg in move.args.items() if arg[0] != "target")]
        parts.append([numbers.setdefault(word, len(numbers)) for word in spelled])
    out = torch.zeros(len(numbers), MOVES)
    for move, numbers_of_words in enumerate(parts):
        out[numbers_of_words, move] = 1
    return out


class Network(nn.Module):
    """Maps observations, (n, size), to log probabilities of moves, (n, moves), and values of positions, (n,)."""

    def __init__(self, hidden: int = 256):
        super().__init__()
        self.register_buffer("middle", torch.zeros(len(KEPT)))
        self.register_buffer("spread", torch.ones(len(KEPT)))
        self.register_buffer("words", words())
        first, second = nn.Linear(len(KEPT), hidden), nn.Linear(hidden, hidden)
        self.word_scores, self.worth = nn.Linear(hidden, len(self.words)), nn.Linear(hidden, 1)
        self.body = nn.Sequential(first, nn.ReLU(), second, nn.ReLU())
        for layer, gain in (first, 2**0.5), (second, 2**0.5), (self.word_scores, 0.01), (self.worth, 1.0):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)

    def accustom(self, inputs: Tensor) -> None:
        """Set the normalization from the mean and standard deviation of these observations, (n, size)."""
        self.middle[:], self.spread[:] = inputs.mean(0), inputs.std(0).clamp(min=0.02)

    def forward(self, inputs: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the log probability of each move, -1e9 or less where the mask is 0, and the values."""
        inside = self.body(((inputs - self.middle) / self.spread).clamp(-6, 6))
        thought = (self.word_scores(inside) @ self.words).masked_fill(mask == 0, -1e9)
        return thought.log_softmax(-1), self.worth(inside).squeeze(-1)


def drawn(chances: Tensor) -> Tensor:
    """Sample a move from each row of log probabilities, by the Gumbel-max trick."""
    return (chances - torch.empty_like(chances).exponential_().log()).argmax(-1)


def offered(mask: Any) -> Tensor:
    """Return the mask of legal moves, int8, (n, moves), without the moves that the network may not choose."""
    out = torch.from_dlpack(mask).clone(memory_format=torch.contiguous_format)
    out[:, TAKEN_BACK] = 0
    return out


def shown(observations: Any) -> Tensor:
    """Return the inputs of the network from observations, float32, (n, size)."""
    return torch.from_dlpack(observations)[:, KEPT]


def ahead(observations: Any) -> Tensor:
    """Return the observer's lead in pounds from observations, float32, (n, size)."""
    seen = torch.from_dlpack(observations)
    return (seen[:, MINE] - seen[:, THEIRS]) / float(POUND)


def advantages(rewards: Tensor, goes_on: Tensor, worth: Tensor, how: How) -> Tensor:
    """Return the generalized advantage estimates (GAE), (steps, n).

    `worth`, (steps + 1, n): values for the seat to move. `goes_on`: 1 if the same seat moves next, -1 if the other one
    does, 0 if the game is over.
    """
    out, carried = torch.zeros_like(rewards), torch.zeros_like(rewards[0])
    for t in reversed(range(len(rewards))):
        carried = rewards[t] + goes_on[t] * (worth[t + 1] + how.trace * carried) - worth[t]
        out[t] = carried
    return out


class Learner:
    """Plays against itself and updates its network."""

    def __init__(self, network: Network, how: How, seed: int, games: BatchedGames | CudaGames):
        self.network, self.how, self.games = network, how, games
        self.games.reset(seed)
        self.optimizer = torch.optim.Adam(network.parameters(), how.rate, eps=1e-5)
        n, shape = how.games, (how.steps, how.games)
        zeros = partial(torch.zeros, device=network.middle.device)
        self.seen = zeros(*shape, len(KEPT))
        self.mask = zeros(*shape, MOVES, dtype=torch.int8)
        self.moves = zeros(shape, dtype=torch.int64)
        self.rewards, self.goes_on, self.chance = zeros(shape), zeros(shape), zeros(shape)
        self.worth = zeros(how.steps + 1, n)

    @torch.no_grad()
    def play(self) -> None:
        """Play some decisions in each game and record them."""
        games = self.games
        for t in range(self.how.steps):
            self.seen[t], self.mask[t] = shown(games.observation), offered(games.mask)
            chances, self.worth[t] = self.network(self.seen[t], self.mask[t])
            self.moves[t] = drawn(chances)
            self.chance[t] = chances.gather(-1, self.moves[t, :, None]).squeeze(-1)
            seats, before = torch.from_dlpack(games.seats).clone(), ahead(games.observation)
            games.step(self.moves[t])
            over = torch.from_dlpack(games.over) > 0
            same = (torch.from_dlpack(games.seats) == seats) * 2.0 - 1
            after = torch.where(over, ahead(games.last_observation), same * ahead(games.observation))
            places = torch.from_dlpack(games.rewards).gather(1, seats[:, None]).squeeze(-1)
            self.rewards[t], self.goes_on[t] = places + self.how.pound * (after - before), same * ~over
        self.worth[-1] = self.network(shown(games.observation), offered(games.mask))[1]

    def learn(self, left: float) -> float:
        """Update the network from the recorded decisions among several moves; return the mean loss. `left`: remaining
        share of the training time."""
        how = self.how
        better = advantages(self.rewards, self.goes_on, self.worth, how)
        recorded = self.seen, self.mask, self.moves, self.chance, better, better + self.worth[:-1]
        inputs, mask, moves, chance, better, goal = (values.flatten(0, 1) for values in recorded)
        free = (mask.sum(-1) > 1).nonzero().squeeze(-1)
        self.optimizer.param_groups[0]["lr"] = how.rate * max(left, 0.05)
        daring, losses = how.entropy * max(left, 0.3), []
        for _ in range(how.epochs):
            for rows in free[torch.randperm(len(free))].split(how.batch):
                chances, worth = self.network(inputs[rows], mask[rows])
                ratio = (chances.gather(-1, moves[rows, None]).squeeze(-1) - chance[rows]).exp()
                gain = (better[rows] - better[rows].mean()) / (better[rows].std(correction=0) + 1e-8)
                policy = torch.min(ratio * gain, ratio.clamp(1 - how.clip, 1 + how.clip) * gain).mean()
                entropy = -(chances.exp() * chances).sum(-1).mean()
                loss = how.value * (worth - goal[rows]).square().mean() - policy - daring * entropy
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
                self.optimizer.step()
                losses.append(loss.item())
        return float(np.mean(losses))


def train(learner: Learner, seconds: float, clock: Callable[[], float]) -> Iterator[float]:
    """Train, and yield the seconds so far at LINES points. Time that the caller spends does not count."""
    begun, lines = clock(), 0
    while (passed := clock() - begun) < seconds:
        learner.play()
        learner.learn(1 - passed / seconds)
        passed = clock() - begun
        if passed >= seconds * (lines + 1) / LINES:
            lines = int(passed / seconds * LINES)
            yield passed
            begun = clock() - passed


def side(n: int, opponents: str, seat: int) -> VectorEnv:
    """Return n games with the network in this seat, compiled if the opponents are."""
    if opponents in ("random", "policy"):
        return CourtlyVectorEnv(GAME, n, PLAYERS, heroes=(seat,), opponents=opponents)
    make_env = partial(HeroEnv, GAME.id, PLAYERS, opponents, seat)
    return SyncVectorEnv([make_env] * n, autoreset_mode=AutoresetMode.SAME_STEP)


@torch.no_grad()
def measured(network: Network, opponents: str, rounds: int, seed: int, n: int) -> list[float]:
    """Return the places, from 1 to -1, of the network's preferred moves: `rounds` games at each of n tables, half of
    them in either seat."""
    places: list[float] = []
    for seat in range(PLAYERS):
        env, left = side(n // PLAYERS, opponents, seat), np.full(n // PLAYERS, rounds)
        observation, _ = env.reset(seed=(seed * PLAYERS + seat) * 10**6)
        while left.any():
            chances, _ = network(shown(observation["observation"]), offered(observation["action_mask"]))
            observation, place, over, _, _ = env.step(chances.argmax(-1).numpy())
            places += place[over & (left > 0)].tolist()
            left -= over & (left > 0)
    return places


def won(places: Sequence[float]) -> tuple[float, float, float]:
    """Return the share of games won, ties counting half, with its 95 % Wilson interval."""
    n, z = len(places), 1.96
    if not n:
        return math.nan, 0.0, 1.0
    share = sum((1 + place) / 2 for place in places) / n
    middle, wide = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return share, (middle - wide) / (1 + z * z / n), (middle + wide) / (1 + z * z / n)


def random_play(seed: int) -> Tensor:
    """Return network inputs from random games."""
    games = BatchedGames(GAME, 128, PLAYERS)
    games.reset(seed)
    inputs = []
    for step in range(400):
        games.step()
        if step % 8 == 0:
            inputs.append(shown(games.observation))
    return torch.cat(inputs)


@click.command()
@click.option("--seconds", default=180.0, show_default=True, help="Training time, in seconds of processor time.")
@click.option(
    "--rounds",
    default=20,
    show_default=True,
    help="Games per table in the final evaluation; a fifth of it during training.",
)
@click.option("--games", default=How.games, show_default=True, help="Games played at the same time.")
@click.option("--seed", default=1, show_default=True, help="Seed of all random numbers.")
@click.option("--card", is_flag=True, help="Play and learn on a graphics card.")
@click.option("--start", type=click.Path(exists=True, path_type=Path), help="Saved network to start from.")
@click.option("--save", type=click.Path(path_type=Path), help="File to save the network to.")
def main(seconds: float, rounds: int, games: int, seed: int, card: bool, start: Path | None, save: Path | None) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    network = Network()
    if start:
        network.load_state_dict(torch.load(start, map_location="cpu"))
    else:
        network.accustom(random_play(seed))
    if seconds > 0:
        print(f"seconds  {'  '.join(TABLES)}")
        learned = deepcopy(network).to("cuda" if card else "cpu")
        vector = CudaGames(GAME, games, PLAYERS) if card else BatchedGames(GAME, games, PLAYERS)
        learner = Learner(learned, How(games=games), seed, vector)
        for passed in train(learner, seconds, time.perf_counter if card else time.process_time):
            network.load_state_dict(learned.state_dict())
            shares = [won(measured(network, opponents, -(-rounds // 5), seed, n))[0] for opponents, n in TABLES.items()]
            print(f"{passed:7.0f}  {'  '.join(f'{share:6.1%}' for share in shares)}", flush=True)
            if save:
                torch.save(network.state_dict(), save)
        network.load_state_dict(learned.state_dict())
        print()
    for opponents, n in TABLES.items():
        share, least, most = won(places := measured(network, opponents, rounds, seed + 1, n))
        print(f"against {opponents}, new games: {share:.1%}  ({least:.1%} to {most:.1%} of {len(places)})", flush=True)


if __name__ == "__main__":
    main()
