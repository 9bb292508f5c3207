"""Browsers of other engines, each driven by its own protocol: Firefox of any version by WebDriver BiDi, WebKitGTK by
its WebDriver. Both have `open(path)`, `run(function, *args)`, `click(x, y)` and `errors`.
"""

import itertools
import json
import os
import random
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from table import DESK, THING
from websockets.sync.client import connect

PATIENCE_S = 180  # on a busy machine slowness is not an error
LEFT = "downloadable font: download failed"  # the page was left while a font was loading
LISTENS = "WebDriver BiDi listening on "
HANDS = (Path(__file__).parent / "hands.js").read_text(encoding="utf-8")
OPEN = """async (game, players, name) => {
    await fetch("/api/me");
    const seats = Array.from({ length: players }, (_, seat) => ({ kind: seat ? "bot" : "me" }));
    const headers = { "content-type": "application/json", "courtly-secret": name };
    const body = JSON.stringify({ game, players, seats });
    const answer = await fetch("/api/tables", { method: "POST", headers, body });
    return (await answer.json()).id;
}"""


class Engine:
    """A page in a browser, at a server's address."""

    def __init__(self, at):
        self.at, self.errors = at, []

    def set(self, **settings):
        """Store these settings as the page does."""
        self.run("(all) => Object.entries(all).forEach(([k, v]) => localStorage.setItem(`courtly-${k}`, v))", settings)

    def start(self, game, players):
        """Open a table with bots, and wait until it is at rest."""
        self.open(f"/t/{self.run(OPEN, game, players, f'engines {game}')}")
        self.run("() => hands.rest()")

    def click_about(self, most, seed=1):
        """Click up to `most` legal elements. Return whether the game is over."""
        for clicks in range(most):
            there = self.run(
                "(what, n) => hands.pick(what, n)", THING, random.Random(f"{seed} {clicks}").getrandbits(30)
            )
            if there is None:
                return True
            self.click(round(there["x"]), round(there["y"]))
        return False


class Firefox(Engine):
    """A tab of Firefox: https://w3c.github.io/webdriver-bidi."""

    def __init__(self, at, socket):
        super().__init__(at)
        self._socket, self._ids = socket, itertools.count(1)
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._ask("script.addPreloadScript", functionDeclaration=f"() => {{ {HANDS} }}")
        self._tab = self._ask("browsingContext.getTree")["contexts"][0]["context"]
        self.resize(DESK)

    def _ask(self, method, **params):
        number = next(self._ids)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            said = json.loads(self._socket.recv(PATIENCE_S))
            if said.get("method") == "log.entryAdded" and said["params"]["level"] == "error":
                if LEFT not in said["params"]["text"]:
                    self.errors.append(said["params"]["text"])
            if said.get("id") == number:
                assert said["type"] == "success", f"{method}: {said}"
                return said["result"]

    def resize(self, size):
        viewport = dict(zip(("width", "height"), size, strict=True))
        self._ask("browsingContext.setViewport", context=self._tab, viewport=viewport)

    def open(self, path):
        self._ask("browsingContext.navigate", context=self._tab, url=self.at + path, wait="complete")

    def run(self, function, *args):
        told = f"JSON.stringify((await ({function})(...{json.dumps(args)})) ?? null)"
        asked = {"expression": f"(async () => {told})()", "awaitPromise": True, "target": {"context": self._tab}}
        said = self._ask("script.evaluate", **asked)
        assert said["type"] == "success", said["exceptionDetails"]["text"]
        return json.loads(said["result"]["value"])

    def click(self, x, y):
        steps = [
            {"type": "pointerMove", "x": x, "y": y},
            *({"type": f"pointer{way}", "button": 0} for way in ("Down", "Up")),
        ]
        mouse = {"type": "pointer", "id": "mouse", "actions": steps}
        self._ask("input.performActions", context=self._tab, actions=[mouse])


class WebKit(Engine):
    """The window of WebKitGTK, driven by Selenium."""

    def __init__(self, at, driver):
        super().__init__(at)
        self._driver = driver
        driver.set_script_timeout(PATIENCE_S)
        self.resize(DESK)

    def resize(self, size):
        self._driver.set_window_size(*size)

    def open(self, path):
        self._driver.get(self.at + path)
        self._driver.execute_script(HANDS)

    def run(self, function, *args):
        done = "(found) => arguments[0](JSON.stringify(found ?? null)), (wrong) => arguments[0](String(wrong))"
        return json.loads(
            self._driver.execute_async_script(f"(async () => ({function})(...{json.dumps(args)}))().then({done})")
        )

    def click(self, x, y):
        from selenium.webdriver.common.action_chains import ActionBuilder

        steps = ActionBuilder(self._driver)
        steps.pointer_action.move_to_location(x, y).click()
        steps.perform()


@contextmanager
def firefox(program, at):
    """A Firefox with its own profile."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [program, "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", profile]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            address = next(line.split(LISTENS)[1].strip() for line in process.stderr if LISTENS in line)
            with connect(f"{address}/session", max_size=None) as socket:
                yield Firefox(at, socket)
        finally:
            process.terminate()
            process.communicate(timeout=30)


@contextmanager
def webkit(browser, driver, at):
    """A WebKitGTK on its own display."""
    from selenium import webdriver
    from selenium.webdriver.webkitgtk.options import Options
    from selenium.webdriver.webkitgtk.service import Service

    ours, theirs = os.pipe()
    screen = ["Xvfb", "-displayfd", str(theirs), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    process = subprocess.Popen(screen, pass_fds=[theirs], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        os.close(theirs)
        with os.fdopen(ours) as told:
            display = f":{told.readline().strip()}"
        options = Options()
        options.binary_location = browser
        options.add_argument("--automation")
        opened = webdriver.WebKitGTK(options, Service(driver, env={**os.environ, "DISPLAY": display}))
        try:
            yield WebKit(at, opened)
        finally:
            opened.quit()
    finally:
        process.terminate()
        process.wait(10)
