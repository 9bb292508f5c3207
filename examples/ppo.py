"""Proximal policy optimization (PPO) in Torch at Queen's Necklace for two: a network of two layers plays and learns by
it, first against random moves, then against the game's own policy, which is machine code, and if it is asked to against
the squire, our heuristic in plain Python, whom it meets in the end. It has each seat in as many games as the other.

    python examples/ppo.py [--random 30] [--policy 720] [--squire 0] [--save FILE] [--start FILE]

It needs courtly[learn]. In seconds of the processor, on one core, without those in which machine code is compiled:

    against random    12    99 % won, and after 30 in 2048 new games 100.0 % (99.8 to 100.0)
    against policy    72    45 %
                     144    51 %
                     468    58 % (57 to 60) of 6265 games, moves still being drawn and the rate of learning not yet low

The squire plays far better than the policy: after three minutes against that it won 10 % (7 to 15) of 200 games
against the squire.

The reward is the place, and on the way the pounds that it is ahead by, so that also from a lost game there is something
to be learned. Moves that only take back what one did oneself are not offered: a loser would do so for ever.
"""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click
import numpy as np
import torch
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from numpy.typing import NDArray
from torch import Tensor, nn

import courtly
from courtly.adapters.gymnasium import Hero
from courtly.adapters.observation import encoder
from courtly.adapters.vector import Games

PLAYERS = 2
GAME = courtly.game("necklace")
SEEN = encoder(GAME, PLAYERS)
SIZE, MINE, THEIRS = SEEN.size, SEEN.names.index("score[me]"), SEEN.names.index("score[+1]")
POUND = SEEN.scale[MINE]
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


def side(n: int, opponents: str, seat: int) -> VectorEnv:
    """So many games with the network in this seat. Random moves and the policy are machine code, other bots Python."""
    if opponents in ("random", "policy"):
        return Games(GAME.id, n, players=PLAYERS, heroes=(seat,), opponents=opponents)
    one = partial(Hero, GAME.id, PLAYERS, opponents, seat)
    return SyncVectorEnv([one] * n, autoreset_mode=AutoresetMode.SAME_STEP)


class Tables:
    """`n` games side by side, half of them with the network in each seat; the opponents play inside."""

    def __init__(self, n: int, opponents: str, seed: int):
        self.n = n // PLAYERS * PLAYERS
        self.sides = [side(n // PLAYERS, opponents, seat) for seat in range(PLAYERS)]
        self.seen = [env.reset(seed=seed * PLAYERS + seat)[0] for seat, env in enumerate(self.sides)]
        self.ahead = [np.zeros(n // PLAYERS, np.float32)] * PLAYERS

    def now(self) -> tuple[Tensor, Tensor]:
        """What is seen, (n, size), and which moves are offered, (n, moves)."""
        seen = np.concatenate([seen["observation"] for seen in self.seen])
        mask = np.concatenate([seen["action_mask"] for seen in self.seen])
        return torch.from_numpy(seen), torch.from_numpy(offered(mask))

    def step(self, moves: Tensor) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.float32]]:
        """Places of what is over, from 1 to -1; what is over; and by how many pounds more the network is ahead."""
        parts = []
        for k, mine in enumerate(np.split(moves.numpy(), PLAYERS)):
            self.seen[k], places, over, _, info = self.sides[k].step(mine)
            now = ahead(self.seen[k]["observation"])
            ended = now.copy()
            for i in np.flatnonzero(over):
                ended[i] = ahead(info["final_obs"][i]["observation"])
            parts.append((places, over, ended - self.ahead[k]))
            self.ahead[k] = now
        places, over, gained = map(np.concatenate, zip(*parts, strict=True))
        return places, over, gained


def ahead(seen: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of observations, (…, size): how many pounds more the network has than the other."""
    return (seen[..., MINE] - seen[..., THEIRS]) / POUND


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
def measured(network: Network, opponents: str, rounds: int, seed: int, n: int) -> list[float]:
    """Places in so many games at each of n tables, which is even, of the moves that the network prefers."""
    tables, left, places = Tables(n, opponents, seed), np.full(n, rounds), []
    while left.any():
        place, over, _ = tables.step(network(*tables.now())[0].argmax(-1))
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


def told(places: Sequence[float]) -> str:
    share, least, most = won(places)
    return f"{share:6.1%}  ({least:.1%} to {most:.1%} of {len(places)} games)"


@click.command()
@click.option("--random", "at_random", default=30.0, show_default=True, help="seconds of the processor against random")
@click.option("--policy", default=720.0, show_default=True, help="and against the policy")
@click.option("--squire", default=0.0, show_default=True, help="and against the squire")
@click.option("--rounds", default=10, show_default=True, help="of 20 games against the squire in the end")
@click.option("--games", default=How.games, show_default=True, help="side by side")
@click.option("--seed", default=1, show_default=True)
@click.option("--start", type=click.Path(exists=True, path_type=Path), help="a network that was saved")
@click.option("--save", type=click.Path(path_type=Path))
def main(
    at_random: float,
    policy: float,
    squire: float,
    rounds: int,
    games: int,
    seed: int,
    start: Path | None,
    save: Path | None,
) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    network, how = Network(), How(games=games)
    if start:
        network.load_state_dict(torch.load(start))
    slow = replace(how, games=min(games, 32), steps=64, batch=512, epochs=4, rate=3e-4)  # what is rare is read oftener
    for opponents, seconds, manner in ("random", at_random, how), ("policy", policy, how), ("squire", squire, slow):
        if seconds > 0:
            print(f"seconds  won against {opponents}, while it learns")
            for passed, places in train(network, opponents, seconds, manner, seed):
                print(f"{passed:7.0f}  {told(places)}", flush=True)
                if save:
                    torch.save(network.state_dict(), save)
            if opponents != "squire":
                print(f"then, in new games: {told(measured(network, opponents, 8, seed + 1, games))}\n", flush=True)
    print(f"against the squire, new games: {told(measured(network, 'squire', rounds, seed + 1, 20))}")


if __name__ == "__main__":
    main()
