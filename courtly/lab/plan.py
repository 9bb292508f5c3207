"""What is to be simulated, and what a part of it gave."""

from __future__ import annotations

from typing import NamedTuple

from courtly.engine.native.loader import PLAYOUT_DRIVER


class Components(NamedTuple):
    """A file of a game's folder, by name, and the text that takes its place."""

    file: str
    text: str


class Plan(NamedTuple):
    """What to simulate. `bots`: a name for each seat; None: everybody moves at random. `checked`: every index, number
    and loop is looked at. `components`: what the game is played with instead of its own."""

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
        """What plays it as machine code, the name of a driver; None where the bots are not such."""
        return PLAYOUT_DRIVER if self.bots is None else "courtly.bots.policy" if {*self.bots} == {"policy"} else None


class BatchResult(NamedTuple):
    """What a run of consecutive games gave: packed final states in order, decisions, random events, victories in
    60ths."""

    finals: bytes
    decisions: int
    events: int
    shares: list[int]
