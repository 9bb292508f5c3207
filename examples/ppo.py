"""Proximal policy optimization (PPO) in Torch at Queen's Necklace for two: a network of two layers plays against itself
and learns by both seats. Now and then it plays against random moves, against the game's own policy, which is machine
code, and against the squire, our heuristic in plain Python. From these it learns nothing: it has never met them before.

    python examples/ppo.py [--seconds 180] [--rounds 20] [--save FILE] [--start FILE]

In seconds of the processor, on one core, without those in which it is measured or machine code is compiled, its share
of games won in such a run, 128 where no number stands, and between which shares it lies with 95 %:

            random   policy                      squire
     19     100 %    13 %
     36     100 %    18 %
     55     100 %    68 %                        60 % (54 to 67) of 200
     72     100 %    72 %                        72 % (65 to 77) of 200
    109     100 %    75 %                        63 % (56 to 70) of 200
    180     100 %    70 % (68 to 71) of 3840     60 % (57 to 64) of 600

A run of `--seconds 600` won 76 % (72 to 79) of 500 new games against the squire after 91 seconds, and then, until it
was stopped after 300, 58 to 69 % of 100 each: it goes on learning what is good against itself, and what is good against
others comes and goes with it.

The reward is the place, and on the way the pounds that it is ahead by, so that also from a lost game there is something
to be learned. What one wins the other loses, so a position is worth to the one what it is not to the other. Each number
is seen by how much it varies, and a move is thought of by its words: what is learned of a card in one place of the row
holds in all of them. Taking back what one did oneself is not offered: a loser would do so for ever.
"""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click
import numpy as np
import torch
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from numpy.typing import NDArray
from torch import Tensor, nn

import courtly
from courtly.adapters.arrays import BatchedGames
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
PAST = ("looked", "loot", "fresh", "shown", "changed", "income")  # fields that the network does not look at
KEPT = [i for i, name in enumerate(SEEN.names) if not name.startswith(PAST)]
TABLES = {"random": 128, "policy": 128, "squire": 20}  # whom it is measured against, and at how many tables
LINES = 10  # of a curve


@dataclass(frozen=True)
class How:
    """What is learned from at once, and how."""

    games: int = 256  # side by side
    steps: int = 64  # decisions in each before the network is changed
    batch: int = 2048  # decisions for one change
    epochs: int = 3
    rate: float = 1e-3  # of Adam; it falls to a twentieth
    trace: float = 0.95  # GAE's lambda
    clip: float = 0.2
    entropy: float = 0.01  # it falls to a third
    value: float = 0.5
    pound: float = 0.002  # what a pound more than the other has is worth; a victory is 1


def words() -> Tensor:
    """Of what each move consists, (words, moves): its verb, and each argument but who it is aimed at."""
    numbers: dict[tuple[object, ...], int] = {}
    parts = []
    for move in map(GAME.moves.decode, range(MOVES)):
        told = [(move.verb,), *((move.verb, *arg) for arg in move.args.items() if arg[0] != "target")]
        parts.append([numbers.setdefault(word, len(numbers)) for word in told])
    out = torch.zeros(len(numbers), MOVES)
    for move, found in enumerate(parts):
        out[found, move] = 1
    return out


class Network(nn.Module):
    """From observations, (n, size), what is thought of each move, (n, moves), and of the position, (n,)."""

    def __init__(self, hidden: int = 256):
        super().__init__()
        self.register_buffer("middle", torch.zeros(len(KEPT)))
        self.register_buffer("spread", torch.ones(len(KEPT)))
        self.register_buffer("words", words())
        first, second = nn.Linear(len(KEPT), hidden), nn.Linear(hidden, hidden)
        self.said, self.worth = nn.Linear(hidden, len(self.words)), nn.Linear(hidden, 1)
        self.body = nn.Sequential(first, nn.ReLU(), second, nn.ReLU())
        for layer, gain in (first, 2**0.5), (second, 2**0.5), (self.said, 0.01), (self.worth, 1.0):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)

    def accustom(self, seen: Tensor) -> None:
        """To so much change of each number as there is in these observations, (n, size)."""
        self.middle[:], self.spread[:] = seen.mean(0), seen.std(0).clamp(min=0.02)

    def forward(self, seen: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """The logarithm of each move's chance, which is none where the mask is 0; and the worths."""
        inside = self.body(((seen - self.middle) / self.spread).clamp(-6, 6))
        thought = (self.said(inside) @ self.words).masked_fill(mask == 0, -1e9)
        return thought.log_softmax(-1), self.worth(inside).squeeze(-1)


def drawn(chances: Tensor) -> Tensor:
    """A move from each row of logarithms: the greatest, once each has been moved by chance (Gumbel)."""
    return (chances - torch.empty_like(chances).exponential_().log()).argmax(-1)


def offered(mask: NDArray[np.int8]) -> Tensor:
    """Of legal moves, (n, moves), those that the network may choose among."""
    out = torch.from_numpy(mask.copy())
    out[:, TAKEN_BACK] = 0
    return out


def shown(seen: NDArray[np.float32]) -> Tensor:
    """Of observations, (n, size), what the network looks at."""
    return torch.from_numpy(seen[:, KEPT])


def ahead(seen: NDArray[np.float32]) -> Tensor:
    """Of observations, (n, size): how many pounds more who sees has than the other."""
    return torch.from_numpy((seen[:, MINE] - seen[:, THEIRS]) / POUND)


def advantages(rewards: Tensor, goes_on: Tensor, worth: Tensor, how: How) -> Tensor:
    """By how much more than expected each decision, (steps, n), led to (GAE). `worth`, (steps + 1, n): what positions
    are worth to who decides in them. `goes_on`: 1, whoever decided decides next; -1, the other does, to whom the
    opposite is worth as much; 0, the game is over, and what follows belongs to another."""
    out, carried = torch.zeros_like(rewards), torch.zeros_like(rewards[0])
    for t in reversed(range(len(rewards))):
        carried = rewards[t] + goes_on[t] * (worth[t + 1] + how.trace * carried) - worth[t]
        out[t] = carried
    return out


class Learner:
    """Plays against itself and changes its network by what came of it."""

    def __init__(self, network: Network, how: How, seed: int):
        self.network, self.how = network, how
        self.games = BatchedGames(GAME, how.games, PLAYERS)
        self.games.reset(seed)
        self.optimizer = torch.optim.Adam(network.parameters(), how.rate, eps=1e-5)
        n, shape = how.games, (how.steps, how.games)
        self.seen = torch.zeros(*shape, len(KEPT))
        self.mask = torch.zeros(*shape, MOVES, dtype=torch.int8)
        self.moves = torch.zeros(shape, dtype=torch.int64)
        self.rewards, self.goes_on, self.chance = torch.zeros(shape), torch.zeros(shape), torch.zeros(shape)
        self.worth = torch.zeros(how.steps + 1, n)

    @torch.no_grad()
    def play(self) -> None:
        """Some decisions in each game."""
        games = self.games
        for t in range(self.how.steps):
            self.seen[t], self.mask[t] = shown(games.observation), offered(games.mask)
            chances, self.worth[t] = self.network(self.seen[t], self.mask[t])
            self.moves[t] = drawn(chances)
            self.chance[t] = chances.gather(-1, self.moves[t, :, None]).squeeze(-1)
            seats, before = games.seats.copy(), ahead(games.observation)
            games.step(self.moves[t].numpy())
            over = torch.from_numpy(games.over > 0)
            same = torch.from_numpy(np.where(games.seats == seats, 1.0, -1.0).astype(np.float32))
            after = torch.where(over, ahead(games.last_observation), same * ahead(games.observation))
            places = torch.from_numpy(games.rewards[np.arange(games.n), seats])
            self.rewards[t], self.goes_on[t] = places + self.how.pound * (after - before), same * ~over
        self.worth[-1] = self.network(shown(games.observation), offered(games.mask))[1]

    def learn(self, left: float) -> float:
        """From what was played, as far as there was a choice; the mean loss. `left`: how much of the time."""
        how = self.how
        better = advantages(self.rewards, self.goes_on, self.worth, how)
        kept = self.seen, self.mask, self.moves, self.chance, better, better + self.worth[:-1]
        seen, mask, moves, chance, better, goal = (each.flatten(0, 1) for each in kept)
        free = (mask.sum(-1) > 1).nonzero().squeeze(-1)
        self.optimizer.param_groups[0]["lr"] = how.rate * max(left, 0.05)
        daring, losses = how.entropy * max(left, 0.3), []
        for _ in range(how.epochs):
            for rows in free[torch.randperm(len(free))].split(how.batch):
                chances, worth = self.network(seen[rows], mask[rows])
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


def train(network: Network, seconds: float, how: How, seed: int) -> Iterator[float]:
    """Now and then: seconds of the processor that have passed, without those that the caller takes."""
    learner = Learner(network, how, seed)  # with it machine code is compiled
    begun, lines = time.process_time(), 0
    while (passed := time.process_time() - begun) < seconds:
        learner.play()
        learner.learn(1 - passed / seconds)
        passed = time.process_time() - begun
        if passed >= seconds * (lines + 1) / LINES:
            lines = int(passed / seconds * LINES)
            yield passed
            begun = time.process_time() - passed


def side(n: int, opponents: str, seat: int) -> VectorEnv:
    """So many games with the network in this seat. Random moves and the policy are machine code, other bots Python."""
    if opponents in ("random", "policy"):
        return CourtlyVectorEnv(GAME, n, PLAYERS, heroes=(seat,), opponents=opponents)
    one = partial(HeroEnv, GAME.id, PLAYERS, opponents, seat)
    return SyncVectorEnv([one] * n, autoreset_mode=AutoresetMode.SAME_STEP)


@torch.no_grad()
def measured(network: Network, opponents: str, rounds: int, seed: int, n: int) -> list[float]:
    """Places, from 1 to -1, of the moves that the network prefers, in so many games at each of n tables, as many in one
    seat as in the other."""
    places: list[float] = []
    for seat in range(PLAYERS):
        env, left = side(n // PLAYERS, opponents, seat), np.full(n // PLAYERS, rounds)
        seen, _ = env.reset(seed=(seed * PLAYERS + seat) * 10**6)
        while left.any():
            chances, _ = network(shown(seen["observation"]), offered(seen["action_mask"]))
            seen, place, over, _, _ = env.step(chances.argmax(-1).numpy())
            places += place[over & (left > 0)].tolist()
            left -= over & (left > 0)
    return places


def won(places: Sequence[float]) -> tuple[float, float, float]:
    """The share of games won, a shared victory counted half, and Wilson's interval of 95 %."""
    n, z = len(places), 1.96
    if not n:
        return math.nan, 0.0, 1.0
    share = sum((1 + place) / 2 for place in places) / n
    middle, wide = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return share, (middle - wide) / (1 + z * z / n), (middle + wide) / (1 + z * z / n)


def random_play(seed: int) -> Tensor:
    """Some of what is seen in games of random moves."""
    games = BatchedGames(GAME, 128, PLAYERS)
    games.reset(seed)
    seen = []
    for step in range(400):
        games.step()
        if step % 8 == 0:
            seen.append(shown(games.observation))
    return torch.cat(seen)


@click.command()
@click.option("--seconds", default=180.0, show_default=True, help="of the processor in which it learns")
@click.option("--rounds", default=20, show_default=True, help="of games in the end at each table; a fifth on the way")
@click.option("--games", default=How.games, show_default=True, help="side by side")
@click.option("--seed", default=1, show_default=True)
@click.option("--start", type=click.Path(exists=True, path_type=Path), help="a network that was saved")
@click.option("--save", type=click.Path(path_type=Path))
def main(seconds: float, rounds: int, games: int, seed: int, start: Path | None, save: Path | None) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    network = Network()
    if start:
        network.load_state_dict(torch.load(start))
    else:
        network.accustom(random_play(seed))
    if seconds > 0:
        print(f"seconds  {'  '.join(TABLES)}")
        for passed in train(network, seconds, How(games=games), seed):
            shares = [won(measured(network, opponents, -(-rounds // 5), seed, n))[0] for opponents, n in TABLES.items()]
            print(f"{passed:7.0f}  {'  '.join(f'{share:6.1%}' for share in shares)}", flush=True)
            if save:
                torch.save(network.state_dict(), save)
        print()
    for opponents, n in TABLES.items():
        share, least, most = won(places := measured(network, opponents, rounds, seed + 1, n))
        print(f"against {opponents}, new games: {share:.1%}  ({least:.1%} to {most:.1%} of {len(places)})", flush=True)


if __name__ == "__main__":
    main()
