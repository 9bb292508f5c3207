"""A table that starts in the middle of a game."""

from pathlib import Path

from playwright.sync_api import expect

from courtly.engine.game import find_game
from courtly.engine.match import Match
from courtly.engine.rng import SeededChance
from courtly.testing.checks import scenario_checks

SCENARIOS = Path(__file__).parent.parent / "games"
NAMES = ("Ada", "Ben", "Cleo", "Dan")


def info(match, seat):
    """Return the table's state as a seat, or a spectator, receives it."""
    seats = [
        dict(seat=n, kind="person", name=name, bot=None, you=n == seat, here=True, standin=None, votes=0, help=False)
        for n, name in enumerate(NAMES[: match.players])
    ]
    return dict(
        id="middle",
        game=match.game.id,
        version=1,
        options=match.options,
        players=match.players,
        private=False,
        status="over" if match.over else "playing",
        host=seat is not None,
        help="off",
        quiet=True,
        seats=seats,
        commitment="",
        secret=None,
        nonces=[],
        created="",
        next=None,
    )


def give(page, info, messages, answer=lambda said: []):
    """Show a table that sends these messages, and then the answers of `answer` to each message from the page
    (given.js).
    """
    page.goto("/t/")  # a page that requests no table from the server
    page.expose_function("answer", answer)
    page.evaluate("([info, messages]) => given(info, messages)", [info, messages])


class LocalTable:
    """A table whose source is the rules in this process, from a given position on. Other seats are not played. `seat`
    None is a spectator.
    """

    def __init__(self, table, game, state, seat, seed=7):
        self.page, self.seat = table.page, seat
        options = {name: getattr(state, name) for name in game.options}
        self.match = Match(game, state.players, options, SeededChance(seed), start=False, state=state)
        give(self.page, self.info, self._told(0), self._answer)
        expect(self.page.locator(f".{game.id}")).to_be_visible()

    @property
    def info(self):
        return info(self.match, self.seat)

    def _told(self, since):
        return [{"type": "table", "table": self.info}, {"type": "view", "view": self.match.view(self.seat, since)}]

    def _answer(self, said):
        if said["type"] == "foresee":
            view = self.match.foresee(said["seat"], said["moves"], said["seq"])
            return [{"type": "foreseen", "key": said["key"], "view": view}]
        since = self.match.seq(self.seat)
        if said["type"] == "undo":
            self.match.undo(said["seat"], seq=said["seq"])
        else:
            self.match.play(said["seat"], said["moves"], seq=said["seq"])
        return [{"type": "done", "key": said["key"]}, *self._told(since)]


def read(game, name, do=()):
    """Return the position of a scenario after these moves."""
    found = scenario_checks.read_scenario(find_game(game), SCENARIOS / game / f"{name}.toml")
    found.data["step"] = [{"do": list(do)}]
    found.run()
    return found
