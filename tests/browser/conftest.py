"""A real server and a real browser for the tests of the screen."""

import os
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright
from serving import serving
from table import DESK, Table

from courtly.server.predictable import HEADER

expect.set_options(timeout=30_000)
IN_THE_PAGE = [Path(__file__).parent / name for name in ("hands.js", "given.js")]
AT_ONCE = "1 - Math.exp(.8)"  # what must be drawn for an answer to wait for no time at all: see replies.js
LONG = 1 - 2**-53  # the most that can be drawn
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def house(tmp_path_factory):
    """The address of a running server with a data folder of its own, in which nobody is waited for long."""
    with serving(tmp_path_factory.mktemp("house"), COURTLY_GRACE="0.5") as address:
        yield address


@pytest.fixture(scope="session")
def chromium():
    """The system's Chromium, or else Playwright's own."""
    found = os.environ.get("COURTLY_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found)
        yield browser
        browser.close()


@pytest.fixture
def person(house, chromium, request):
    """Makes people: `person(language="ja", size=PHONE, scheme="light")` is a fresh browser of a stranger, as a Table.

    Nothing takes longer than it must: things do not move (unless at another `speed`), and answers do not wait for a
    time that is drawn (unless `waits`: then nearly a minute, which `page.clock` can skip). What is dealt follows from
    the test's name, which of its people opens the table, and the number given as --tables: the same every time.
    Whatever a page reports as an error fails the test.
    """
    contexts, errors = [], []

    def make(language="en", size=DESK, scheme="dark", speed="none", waits=False, touch=False, at=house):
        name = f"{request.config.getoption('--tables')} {request.node.nodeid} {len(contexts)}"
        context = chromium.new_context(
            base_url=at,
            extra_http_headers={HEADER: name},
            locale=language,
            color_scheme=scheme,
            has_touch=touch,
            viewport=dict(zip(("width", "height"), size, strict=True)),
        )
        context.set_default_timeout(60_000)  # a busy machine is slow, not wrong
        context.add_init_script(
            f"localStorage.setItem('courtly-speed', '{speed}'); Math.random = () => {LONG if waits else AT_ONCE}"
        )
        for script in IN_THE_PAGE:
            context.add_init_script(path=script)
        page = context.new_page()
        if waits:
            page.clock.install()
        page.on("pageerror", lambda error: errors.append(error.stack))
        page.on(
            "console",
            lambda said: (
                errors.append(said.text)
                if said.type == "error" and "Failed to load resource" not in said.text
                else None
            ),
        )
        contexts.append(context)
        return Table(page)

    yield make
    for context in contexts:
        context.close()
    assert not errors
