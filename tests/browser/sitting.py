"""A table that begins in the middle of a game."""

import json
import re
from pathlib import Path

import scenario
from playwright.sync_api import expect

from courtly.engine.chance import Seeded
from courtly.engine.match import Match

SCENARIOS = Path(__file__).parent.parent / "games"
NAMES = ("Ada", "Ben", "Cleo", "Dan")


class Sitting:
    """The socket is answered here, by the rules, from a given position on; nobody plays the other seats. `seat`
    None: a spectator."""

    def __init__(self, table, game, state, seat, seed=7):
        self.page, self.seat, self.sent = table.page, seat, 0
        self.options = {name: getattr(state, name) for name in game.options}
        self.match = Match(game, state.players, self.options, Seeded(seed), start=False, state=state)
        self.page.route("**/api/tables/middle", lambda route: route.fulfill(json=self.info))
        self.page.route_web_socket(re.compile("/ws/tables/middle"), self._answer)
        self.page.goto("/t/middle")
        expect(self.page.locator(f".{game.id}")).to_be_visible()

    @property
    def info(self):
        seats = [
            dict(seat=n, kind="person", name=name, bot=None, you=n == self.seat, here=True, standin=None, votes=0)
            for n, name in enumerate(NAMES[: self.match.players])
        ]
        return dict(
            id="middle",
            game=self.match.game.id,
            version=1,
            options=self.options,
            players=self.match.players,
            private=False,
            status="over" if self.match.over else "playing",
            host=self.seat is not None,
            seats=seats,
            commitment="",
            secret=None,
            nonces=[],
            created="",
            next=None,
        )

    def _answer(self, socket):
        def hear(text):
            said = json.loads(text)
            if said["type"] == "play":
                self.match.play(said["seat"], said["moves"], seq=said["seq"])
                socket.send(json.dumps({"type": "done", "key": said["key"]}))
            view = self.match.view(self.seat, self.sent)
            self.sent = view["seq"]
            socket.send(json.dumps({"type": "table", "table": self.info}))
            socket.send(json.dumps({"type": "view", "view": view}))

        socket.on_message(hear)


def read(game, name, do=()):
    """The position of a scenario, after these moves."""
    found = scenario.read(SCENARIOS / game / f"{name}.toml")
    found.data["step"] = [{"do": list(do)}]
    found.run()
    return found
