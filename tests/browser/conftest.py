"""A real server and a real browser for the tests of the screen."""

import os
import shutil
from collections import defaultdict
from pathlib import Path

import pytest
from layout import EVERY_DAY, OTHERS
from playwright.sync_api import expect, sync_playwright
from serving import serving
from table import DESK, Table, resize

from courtly.server.tables.table_seeds import SEED_HEADER

expect.set_options(timeout=30_000)
IN_THE_PAGE = [Path(__file__).parent / name for name in ("hands.js", "given.js")]
AT_ONCE = "1 - Math.exp(.8)"  # what must be drawn for an answer to wait for no time at all: see response-masking.js
LONG = 1 - 2**-53  # the most that can be drawn
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
# what a browser says of a server or a network, not of a page
AWAY = "Failed to load resource", "net::ERR_CONNECTION_REFUSED", "net::ERR_INTERNET_DISCONNECTED"


@pytest.fixture(scope="session")
def house(tmp_path_factory):
    """The address of a running server with a data folder of its own, in which nobody is waited for long."""
    with serving(tmp_path_factory.mktemp("house"), COURTLY_GRACE="0.5") as address:
        yield address


@pytest.fixture
def sizes(long):
    """At which a layout is looked at."""
    return EVERY_DAY + OTHERS if long else EVERY_DAY


@pytest.fixture(scope="session")
def chromium():
    """The system's Chromium, or else Playwright's own. All pages of a person's browser share a process."""
    found = os.environ.get("COURTLY_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--process-per-site"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def put_back():
    """Browsers that people have put back, by their house and what cannot be changed: each as a page that stays, so that
    what was fetched and compiled is at hand. To open a table in one costs two thirds of what it costs in a new one."""
    return defaultdict(list)


@pytest.fixture
def person(house, chromium, put_back, request):
    """Makes people: `person(language="ja", size=PHONE, scheme="light")` is the browser of a stranger, as a Table.

    Nothing is remembered in it; what was fetched before it may have, unless it is `new`. It `installs` a page for when
    no server can be reached, or does not.
    Nothing takes longer than it must: things do not move (unless at another `speed`), and answers do not wait for a
    time that is drawn (unless `waits`: then nearly a minute, which `page.clock` can skip). What is dealt follows from
    the test's name, which of its people opens the table, and the number given as --tables: the same every time.
    Whatever a page reports as an error fails the test.
    """
    pages, errors = [], []

    def make(
        language="en",
        size=DESK,
        scheme="dark",
        speed="none",
        waits=False,
        touch=False,
        at=house,
        new=False,
        installs=False,
    ):
        kind = (
            None if new or waits or installs or at != house else (at, language, touch)
        )  # some tests have a house of their own
        if put_back[kind]:
            stays = put_back[kind].pop()
        else:
            context = chromium.new_context(
                base_url=at, locale=language, has_touch=touch, service_workers="allow" if installs else "block"
            )
            context.set_default_timeout(60_000)  # a busy machine is slow, not wrong
            for script in IN_THE_PAGE:
                context.add_init_script(path=script)
            stays = context.new_page()
            if kind:
                stays.goto("/openapi.json")  # no page, no guest
        stays.context.set_extra_http_headers(
            {SEED_HEADER: f"{request.config.getoption('--tables')} {request.node.nodeid} {len(pages)}"}
        )
        page = stays.context.new_page()
        pages.append((page, stays, kind))
        resize(page, size)
        page.emulate_media(color_scheme=scheme)
        page.add_init_script(
            f"localStorage.setItem('courtly-speed', '{speed}'); Math.random = () => {LONG if waits else AT_ONCE}"
        )
        if waits:
            page.clock.install()
        page.on("pageerror", lambda error: errors.append(error.stack))
        page.on(
            "console",
            lambda said: (
                errors.append(said.text)
                if said.type == "error" and not any(away in said.text for away in AWAY)
                else None
            ),
        )
        return Table(page)

    yield make
    for page, stays, kind in pages:
        page.close()
        if kind:
            stays.context.set_offline(False)
            stays.context.clear_cookies()
            stays.evaluate("localStorage.clear()")
            put_back[kind].append(stays)
        else:
            stays.context.close()
    assert not errors
