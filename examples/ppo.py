"""Proximal policy optimization (PPO) in Torch at Queen's Necklace for two: a network of two layers plays, first against
random moves, then against the game's own policy, and learns from it; in the end it meets the squire, our heuristic in
plain Python. It has each seat in as many games as the other.

    python examples/ppo.py [--random 30] [--policy 720] [--squire 100] [--save FILE] [--start FILE]

It needs courtly[learn]. In seconds of the processor, on one core, without those in which machine code is compiled:

    against random    12    99 % won, and after 30 in 2048 new games 100.0 % (99.8 to 100.0)
    against policy    72    45 %

The reward is the place, and on the way the pounds that it is ahead by, so that also from a lost game there is something
to be learned. Moves that only take back what one did oneself are not offered: a loser would do so for ever.
"""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import gymnasium
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

import courtly
from courtly.adapters.arrays import Arrays
from courtly.adapters.gymnasium import name_of
from courtly.adapters.observation import encoder

PLAYERS = 2
GAME = courtly.game("necklace")
SIZE = encoder(GAME, PLAYERS).size
TAKEN_BACK = [move for move in range(GAME.moves.count) if GAME.moves.decode(move).verb in ("clear", "cancel")]
LINES = 20  # of a curve


@dataclass(frozen=True)
class How:
    """What is learned from at once, and how."""

    games: int = 256  # side by side
    steps: int = 32  # decisions in each before the network is changed
    batch: int = 2048  # decisions for one change
    epochs: int = 2
    rate: float = 1e-3  # of Adam; it falls to a tenth
    discount: float = 1.0  # every game ends
    trace: float = 0.95  # GAE's lambda
    clip: float = 0.2
    entropy: float = 0.01
    value: float = 0.5
    pound: float = 0.002  # what a pound more than the other has is worth; a victory is 1


class Network(nn.Module):
    """From observations, (n, size), what is thought of each move, (n, moves), and of the position, (n,)."""

    def __init__(self, hidden: tuple[int, int] = (256, 128)):
        super().__init__()
        first, second = nn.Linear(SIZE, hidden[0]), nn.Linear(hidden[0], hidden[1])
        self.moves, self.worth = nn.Linear(hidden[1], GAME.moves.count), nn.Linear(hidden[1], 1)
        self.body = nn.Sequential(first, nn.ReLU(), second, nn.ReLU())
        for layer, gain in (first, 2**0.5), (second, 2**0.5), (self.moves, 0.01), (self.worth, 1.0):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)

    def forward(self, seen: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """The logarithm of each move's chance, which is none where the mask is 0; and the worths."""
        inside = self.body(seen)
        return self.moves(inside).masked_fill(mask == 0, -1e9).log_softmax(-1), self.worth(inside).squeeze(-1)


def offered(mask: NDArray[np.int8]) -> NDArray[np.int8]:
    """Of legal moves, (n, moves), those that the network may choose among."""
    out = mask.copy()
    out[:, TAKEN_BACK] = 0
    return np.where(out.any(-1, keepdims=True), out, mask)


class Tables:
    """`n` games side by side, half of them with the network in each seat; the opponents play inside."""

    def __init__(self, n: int, opponents: str, seed: int):
        self.n = n // PLAYERS * PLAYERS
        self.parts = [Arrays(GAME, n // PLAYERS, PLAYERS, heroes=(k,), opponents=opponents) for k in range(PLAYERS)]
        for seat, part in enumerate(self.parts):
            part.reset(seed * PLAYERS + seat)
        names = self.parts[0].encoder.names
        self.mine, self.theirs = names.index("score[me]"), names.index("score[+1]")
        self.pound = self.parts[0].encoder.scale[self.mine]
        self.ahead = np.zeros(self.n, np.float32)

    def now(self) -> tuple[Tensor, Tensor]:
        """What is seen, (n, size), and which moves are offered, (n, moves)."""
        mask = offered(np.concatenate([part.mask for part in self.parts]))
        return torch.from_numpy(np.concatenate([part.observation for part in self.parts])), torch.from_numpy(mask)

    def step(self, moves: Tensor) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.float32]]:
        """Places of what is over, from 1 to -1; what is over; and by how many pounds more the network is ahead."""
        for part, chosen in zip(self.parts, np.split(moves.numpy(), PLAYERS), strict=True):
            part.step(chosen)
        over = np.concatenate([part.over > 0 for part in self.parts])
        places = np.concatenate([part.rewards[:, seat] for seat, part in enumerate(self.parts)])
        ahead = self._ahead([part.observation for part in self.parts])
        gained = np.where(over, self._ahead([part.last_observation for part in self.parts]), ahead) - self.ahead
        self.ahead = ahead
        return places, over, gained

    def _ahead(self, seen: list[NDArray[np.float32]]) -> NDArray[np.float32]:
        return np.concatenate([rows[:, self.mine] - rows[:, self.theirs] for rows in seen]) / self.pound


def drawn(chances: Tensor) -> Tensor:
    """A move from each row of logarithms: the greatest, once each has been moved by chance (Gumbel)."""
    return (chances - torch.empty_like(chances).exponential_().log()).argmax(-1)


def advantages(rewards: Tensor, over: Tensor, worth: Tensor, last: Tensor, how: How) -> Tensor:
    """By how much more than expected each decision, (steps, n), led to (GAE). `last`, (n,): what the positions after
    them are worth. Where a game was over, what follows belongs to the next one."""
    out, following, carried = torch.zeros_like(rewards), last, torch.zeros_like(last)
    for t in reversed(range(len(rewards))):
        goes_on = how.discount * ~over[t]
        carried = rewards[t] + goes_on * (following + how.trace * carried) - worth[t]
        out[t], following = carried, worth[t]
    return out


class Learner:
    """Plays at tables and changes its network by what came of it."""

    def __init__(self, network: Network, tables: Tables, how: How):
        self.network, self.tables, self.how = network, tables, how
        self.optimizer = torch.optim.Adam(network.parameters(), how.rate, eps=1e-5)
        shape = how.steps, tables.n
        self.seen, self.mask = torch.zeros(*shape, SIZE), torch.zeros(*shape, GAME.moves.count, dtype=torch.int8)
        self.moves, self.over = torch.zeros(shape, dtype=torch.int64), torch.zeros(shape, dtype=torch.bool)
        self.rewards, self.worth, self.chance = torch.zeros(shape), torch.zeros(shape), torch.zeros(shape)

    @torch.no_grad()
    def play(self) -> list[float]:
        """Some decisions in each game; the places in those that are over."""
        places: list[float] = []
        for t in range(self.how.steps):
            self.seen[t], self.mask[t] = self.tables.now()
            chances, self.worth[t] = self.network(self.seen[t], self.mask[t])
            self.moves[t] = drawn(chances)
            self.chance[t] = chances.gather(-1, self.moves[t, :, None]).squeeze(-1)
            place, over, gained = self.tables.step(self.moves[t])
            self.rewards[t], self.over[t] = torch.from_numpy(place + self.how.pound * gained), torch.from_numpy(over)
            places += place[over].tolist()
        return places

    def learn(self, rate: float) -> float:
        """From what was played, as far as there was a choice; the mean loss."""
        how = self.how
        with torch.no_grad():
            last = self.network(*self.tables.now())[1]
        better = advantages(self.rewards, self.over, self.worth, last, how)
        kept = self.seen, self.mask, self.moves, self.chance, better, better + self.worth
        seen, mask, moves, chance, better, goal = (each.flatten(0, 1) for each in kept)
        free = (mask.sum(-1) > 1).nonzero().squeeze(-1)
        self.optimizer.param_groups[0]["lr"] = rate
        losses = []
        for _ in range(how.epochs):
            for rows in free[torch.randperm(len(free))].split(how.batch):
                chances, worth = self.network(seen[rows], mask[rows])
                ratio = (chances.gather(-1, moves[rows, None]).squeeze(-1) - chance[rows]).exp()
                gain = (better[rows] - better[rows].mean()) / (better[rows].std(correction=0) + 1e-8)
                policy = torch.min(ratio * gain, ratio.clamp(1 - how.clip, 1 + how.clip) * gain).mean()
                entropy = -(chances.exp() * chances).sum(-1).mean()
                loss = how.value * (worth - goal[rows]).square().mean() - policy - how.entropy * entropy
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
                self.optimizer.step()
                losses.append(loss.item())
        return float(np.mean(losses))


def train(network: Network, opponents: str, seconds: float, how: How, seed: int) -> Iterator[tuple[float, list[float]]]:
    """Now and then: seconds of the processor that have passed, and the places since, moves being drawn."""
    learner = Learner(network, Tables(how.games, opponents, seed), how)  # with it machine code is compiled
    begun, lines, passed, places = time.process_time(), 0, 0.0, []
    while passed < seconds:
        places += learner.play()
        learner.learn(how.rate * (1 - 0.9 * passed / seconds))
        passed = time.process_time() - begun
        if places and passed >= seconds * (lines + 1) / LINES:
            yield passed, places
            lines, places = int(passed / seconds * LINES), []


@torch.no_grad()
def measured(network: Network, opponents: str, rounds: int, seed: int, n: int = 512) -> list[float]:
    """Places in so many games at each of n tables, of the moves that the network prefers."""
    tables, left, places = Tables(n, opponents, seed), np.full(n, rounds), []
    while left.any():
        place, over, _ = tables.step(network(*tables.now())[0].argmax(-1))
        places += place[over & (left > 0)].tolist()
        left -= over & (left > 0)
    return places


@torch.no_grad()
def met(network: Network, bot: str, games: int, seed: int) -> Iterator[float]:
    """The same against a bot of courtly.bots, one game after another, each seat in turn."""
    envs = [gymnasium.make(name_of(GAME.id), players=PLAYERS, opponents=bot, seat=seat) for seat in range(PLAYERS)]
    for number in range(games):
        env, over, place = envs[number % PLAYERS], False, 0.0
        seen, _ = env.reset(seed=seed + number // PLAYERS)
        while not over:
            mask = torch.from_numpy(offered(seen["action_mask"][None]))
            move = int(network(torch.from_numpy(seen["observation"][None]), mask)[0].argmax())
            seen, place, over, _, _ = env.step(move)
        yield float(place)


def won(places: Sequence[float]) -> tuple[float, float, float]:
    """The share of games won, a shared victory counted half, and Wilson's interval of 95 %."""
    n, z = len(places), 1.96
    if not n:
        return math.nan, 0.0, 1.0
    share = sum((1 + place) / 2 for place in places) / n
    middle, wide = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return share, (middle - wide) / (1 + z * z / n), (middle + wide) / (1 + z * z / n)


def told(places: Sequence[float]) -> str:
    share, least, most = won(places)
    return f"{share:6.1%}  ({least:.1%} to {most:.1%} of {len(places)} games)"


@click.command()
@click.option("--random", "at_random", default=30.0, show_default=True, help="seconds of the processor against random")
@click.option("--policy", default=720.0, show_default=True, help="and against the policy")
@click.option("--squire", default=100, show_default=True, help="games against the squire in the end")
@click.option("--games", default=How.games, show_default=True, help="side by side")
@click.option("--seed", default=1, show_default=True)
@click.option("--start", type=click.Path(exists=True, path_type=Path), help="a network that was saved")
@click.option("--save", type=click.Path(path_type=Path))
def main(
    at_random: float, policy: float, squire: int, games: int, seed: int, start: Path | None, save: Path | None
) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    network = Network()
    if start:
        network.load_state_dict(torch.load(start))
    for opponents, seconds in ("random", at_random), ("policy", policy):
        if seconds > 0:
            print(f"seconds  won against {opponents}, while it learns")
            for passed, places in train(network, opponents, seconds, How(games=games), seed):
                print(f"{passed:7.0f}  {told(places)}", flush=True)
            if save:
                torch.save(network.state_dict(), save)
            print(f"\nthen, new games: {told(measured(network, opponents, 8, seed + 1, games))}\n")
    if squire:
        print(f"against the squire: {told(list(met(network, 'squire', squire, seed)))}")


if __name__ == "__main__":
    main()
