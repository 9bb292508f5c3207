"""A table that starts in the middle of a game."""

from pathlib import Path

from playwright.sync_api import expect

from courtly.engine.game import find_game
from courtly.engine.match import Match
from courtly.engine.rng import SeededChance
from courtly.testing.checks import scenario_checks

SCENARIOS = Path(__file__).parent.parent / "games"
NAMES = ("Ada", "Ben", "Cleo", "Dan")


def table_info(match, seat):
    """Return the table's state as a seat, or a spectator, receives it."""
    seats = [
        dict(
            seat=n,
            kind="person",
            name=name,
            bot=None,
            you=n == seat,
            connected=True,
            substitute=None,
            votes=0,
            help_consent=False,
        )
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
        chat_muted=True,
        seats=seats,
        commitment="",
        secret=None,
        nonces=[],
        created_at="",
        rematch_id=None,
    )


def show_scripted_table(page, info, messages, respond=lambda message: []):
    """Show a table that sends these messages, and then the answers of `respond` to each message from the page
    (scripted-table.js).
    """
    page.goto("/t/")  # a page that requests no table from the server
    page.expose_function("respond", respond)
    page.evaluate("([info, messages]) => showScriptedTable(info, messages)", [info, messages])


class LocalTable:
    """A table whose source is the rules in this process, from a given position on. Other seats are not played. `seat`
    None is a spectator.
    """

    def __init__(self, table, game, state, seat, seed=7):
        self.page, self.seat = table.page, seat
        options = {name: getattr(state, name) for name in game.options}
        self.match = Match(game, state.players, options, SeededChance(seed), start=False, state=state)
        show_scripted_table(self.page, self.info, self._messages_since(0), self._respond)
        expect(self.page.locator(f".{game.id}")).to_be_visible()

    @property
    def info(self):
        return table_info(self.match, self.seat)

    def _messages_since(self, since):
        return [{"type": "table", "table": self.info}, {"type": "view", "view": self.match.view(self.seat, since)}]

    def others_play(self, seat, words):
        """Make a move of another seat, in the words of the scenarios."""
        since = self.match.seq(self.seat)
        self.match.play(seat, self.match.game.moves.read(words))
        for message in self._messages_since(since):
            self.page.evaluate("message => receiveMessage(message)", message)

    def _respond(self, message):
        if message["type"] == "preview":
            view = self.match.preview(message["seat"], message["moves"], message["seq"])
            return [{"type": "preview", "key": message["key"], "view": view}]
        since = self.match.seq(self.seat)
        if message["type"] == "undo":
            self.match.undo(message["seat"], seq=message["seq"])
        else:
            self.match.play(message["seat"], message["moves"], seq=message["seq"])
        return [{"type": "done", "key": message["key"]}, *self._messages_since(since)]


def read_scenario(game, name):
    return scenario_checks.read_scenario(find_game(game), SCENARIOS / game / f"{name}.toml")


def load_scenario(game, name, moves=()):
    """Return the position of a scenario after these moves."""
    scenario = read_scenario(game, name)
    scenario.data["step"] = [{"do": list(moves)}]
    scenario.run()
    return scenario
