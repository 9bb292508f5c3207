"""A real server and a real browser for tests of the user interface."""

import os
import shutil
from collections import defaultdict
from pathlib import Path

import pytest
from layout import EVERY_DAY, OTHERS
from playwright.sync_api import expect, sync_playwright
from predictable import SEED_HEADER
from serving import serving
from table import DESK, Table, resize

expect.set_options(timeout=30_000)
IN_THE_PAGE = [Path(__file__).parent / name for name in ("hands.js", "given.js")]
AT_ONCE = "1 - Math.exp(.8)"  # the random number for which an answer is not delayed: see response-masking.js
LONG = 1 - 2**-53  # the largest random number
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
# browser messages about a server or the network, not about a page
AWAY = "Failed to load resource", "net::ERR_CONNECTION_REFUSED", "net::ERR_INTERNET_DISCONNECTED"


@pytest.fixture(scope="session")
def house(tmp_path_factory):
    """The address of a running server with its own data folder and a short grace period."""
    with serving(tmp_path_factory.mktemp("house"), COURTLY_GRACE="0.5") as address:
        yield address


@pytest.fixture
def sizes(long):
    """The screen sizes at which layouts are checked."""
    return EVERY_DAY + OTHERS if long else EVERY_DAY


@pytest.fixture(scope="session")
def chromium():
    """The system's Chromium, or Playwright's. All pages of a browser context share a process."""
    found = os.environ.get("COURTLY_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--process-per-site"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def put_back():
    """Reusable browser contexts, by server and fixed settings. Each keeps a page open, so that its caches stay warm:
    opening a table in a used context takes a third of the time of a new one.
    """
    return defaultdict(list)


@pytest.fixture
def person(house, chromium, put_back, request):
    """Return a function that creates browsers: `person(language="ja", size=PHONE, scheme="light")` is a new guest's
    browser, as a Table.

    It has no stored data. Its HTTP cache may be warm, unless it is `new`. With `installs` it registers the service
    worker. To save time, animations are off (unless another `speed` is given), and answers are not delayed (unless
    `waits`: then by nearly a minute, which `page.clock` can skip). The deal follows from the test's name, the index of
    the person who opens the table, and the number given as --tables, so it is the same every time. Any error that a
    page reports fails the test.
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
        )  # some tests have their own server
        if put_back[kind]:
            stays = put_back[kind].pop()
        else:
            context = chromium.new_context(
                base_url=at, locale=language, has_touch=touch, service_workers="allow" if installs else "block"
            )
            context.set_default_timeout(60_000)  # on a busy machine slowness is not an error
            for script in IN_THE_PAGE:
                context.add_init_script(path=script)
            stays = context.new_page()
            if kind:
                stays.goto("/openapi.json")  # neither a page of ours nor a guest
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
