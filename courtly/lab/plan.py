"""Plans of simulations, and results of parts of them."""

from __future__ import annotations

from typing import NamedTuple

from courtly.engine.native.module_loader import PLAYOUT_DRIVER


class Components(NamedTuple):
    """A component file that replaces one of the game's own: its name in the game's folder, and its text."""

    file: str
    text: str


class Plan(NamedTuple):
    """What to simulate.

    `bots`: a bot name for each seat; None for random moves drawn from the game's own random stream. `checked`: play
    with every index, integer range and loop bound checked. `components`: replaces the game's own component file.
    """

    game: str
    players: int
    games: int
    seed: int
    options: dict[str, int]
    bots: tuple[str, ...] | None
    checked: bool = False
    components: Components | None = None

    @property
    def driver(self) -> str | None:
        """The name of the native driver that plays the plan, or None if its bots need Python."""
        return PLAYOUT_DRIVER if self.bots is None else "courtly.bots.policy" if {*self.bots} == {"policy"} else None


class BatchResult(NamedTuple):
    """Results of consecutive games: packed final states in order, the number of decisions and random events, and each
    seat's victories in 60ths."""

    finals: bytes
    decisions: int
    events: int
    shares: list[int]
