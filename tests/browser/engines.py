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

from table import CLICKABLE, DESK
from websockets.sync.client import connect

PATIENCE_S = 180  # on a busy machine slowness is not an error
LOADING_ABANDONED = (  # the page was left while a font or another file was loading
    "downloadable font: download failed",
    "A ServiceWorker intercepted the request and encountered an unexpected error",
)
LISTENING_ON = "WebDriver BiDi listening on "
PAGE_CONTROL = (Path(__file__).parent / "page-control.js").read_text(encoding="utf-8")
OPEN_TABLE = """async (game, players, name) => {
    await fetch("/api/me");
    const seats = Array.from({ length: players }, (_, seat) => ({ kind: seat ? "bot" : "me" }));
    const headers = { "content-type": "application/json", "courtly-secret": name };
    const body = JSON.stringify({ game, players, seats });
    const answer = await fetch("/api/tables", { method: "POST", headers, body });
    return (await answer.json()).id;
}"""


class Engine:
    """A page in a browser, at a server's address."""

    def __init__(self, server_url):
        self.server_url, self.errors = server_url, []

    def set(self, **settings):
        """Store these settings as the page does."""
        self.run("(all) => Object.entries(all).forEach(([k, v]) => localStorage.setItem(`courtly-${k}`, v))", settings)

    def start(self, game, players):
        """Open a table with bots, and wait until it is at rest."""
        self.open(f"/t/{self.run(OPEN_TABLE, game, players, f'engines {game}')}")
        self.run("() => pageControl.waitUntilAtRest()")

    def click_randomly(self, max_clicks, seed=1):
        """Click up to `max_clicks` legal elements. Return whether the game is over."""
        for clicks in range(max_clicks):
            position = self.run(
                "(what, n) => pageControl.findClickable(what, n)",
                CLICKABLE,
                random.Random(f"{seed} {clicks}").getrandbits(30),
            )
            if position is None:
                return True
            self.click(round(position["x"]), round(position["y"]))
        return False


class Firefox(Engine):
    """A tab of Firefox: https://w3c.github.io/webdriver-bidi."""

    def __init__(self, server_url, socket):
        super().__init__(server_url)
        self._socket, self._ids = socket, itertools.count(1)
        self._send_command("session.new", capabilities={})
        self._send_command("session.subscribe", events=["log.entryAdded"])
        self._send_command("script.addPreloadScript", functionDeclaration=f"() => {{ {PAGE_CONTROL} }}")
        self._tab = self._send_command("browsingContext.getTree")["contexts"][0]["context"]
        self.resize(DESK)

    def _send_command(self, method, **params):
        message_id = next(self._ids)
        self._socket.send(json.dumps({"id": message_id, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv(PATIENCE_S))
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                if not any(text in message["params"]["text"] for text in LOADING_ABANDONED):
                    self.errors.append(message["params"]["text"])
            if message.get("id") == message_id:
                assert message["type"] == "success", f"{method}: {message}"
                return message["result"]

    def resize(self, size):
        viewport = dict(zip(("width", "height"), size, strict=True))
        self._send_command("browsingContext.setViewport", context=self._tab, viewport=viewport)

    def open(self, path):
        self._send_command("browsingContext.navigate", context=self._tab, url=self.server_url + path, wait="complete")

    def run(self, function, *args):
        expression = f"JSON.stringify((await ({function})(...{json.dumps(args)})) ?? null)"
        parameters = {
            "expression": f"(async () => {expression})()",
            "awaitPromise": True,
            "target": {"context": self._tab},
        }
        response = self._send_command("script.evaluate", **parameters)
        assert response["type"] == "success", response["exceptionDetails"]["text"]
        return json.loads(response["result"]["value"])

    def click(self, x, y):
        steps = [
            {"type": "pointerMove", "x": x, "y": y},
            *({"type": f"pointer{direction}", "button": 0} for direction in ("Down", "Up")),
        ]
        mouse = {"type": "pointer", "id": "mouse", "actions": steps}
        self._send_command("input.performActions", context=self._tab, actions=[mouse])


class WebKit(Engine):
    """The window of WebKitGTK, driven by Selenium."""

    def __init__(self, server_url, driver):
        super().__init__(server_url)
        self._driver = driver
        driver.set_script_timeout(PATIENCE_S)
        self.resize(DESK)

    def resize(self, size):
        self._driver.set_window_size(*size)

    def open(self, path):
        self._driver.get(self.server_url + path)
        self._driver.execute_script(PAGE_CONTROL)

    def run(self, function, *args):
        callbacks = "(value) => arguments[0](JSON.stringify(value ?? null)), (error) => arguments[0](String(error))"
        return json.loads(
            self._driver.execute_async_script(f"(async () => ({function})(...{json.dumps(args)}))().then({callbacks})")
        )

    def click(self, x, y):
        from selenium.webdriver.common.action_chains import ActionBuilder

        steps = ActionBuilder(self._driver)
        steps.pointer_action.move_to_location(x, y).click()
        steps.perform()


@contextmanager
def firefox(program, server_url):
    """A Firefox with its own profile."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [program, "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", profile]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            address = next(line.split(LISTENING_ON)[1].strip() for line in process.stderr if LISTENING_ON in line)
            with connect(f"{address}/session", max_size=None) as socket:
                yield Firefox(server_url, socket)
        finally:
            process.terminate()
            process.communicate(timeout=30)


@contextmanager
def webkit(browser, driver, server_url):
    """A WebKitGTK on its own display."""
    from selenium import webdriver
    from selenium.webdriver.webkitgtk.options import Options
    from selenium.webdriver.webkitgtk.service import Service

    read_fd, write_fd = os.pipe()
    xvfb_command = ["Xvfb", "-displayfd", str(write_fd), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    process = subprocess.Popen(xvfb_command, pass_fds=[write_fd], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        os.close(write_fd)
        with os.fdopen(read_fd) as display_pipe:
            display = f":{display_pipe.readline().strip()}"
        options = Options()
        options.binary_location = browser
        options.add_argument("--automation")
        web_driver = webdriver.WebKitGTK(options, Service(driver, env={**os.environ, "DISPLAY": display}))
        try:
            yield WebKit(server_url, web_driver)
        finally:
            web_driver.quit()
    finally:
        process.terminate()
        process.wait(10)
