"""A real server and a real browser for tests of the user interface."""

import os
import shutil
from collections import defaultdict
from pathlib import Path

import pytest
from layout import DEFAULT_SIZES, EXTRA_SIZES
from playwright.sync_api import expect, sync_playwright
from predictable import SEED_HEADER
from table import DESK, Table, resize
from ui_server import run_server

expect.set_options(timeout=30_000)
PAGE_SCRIPTS = [Path(__file__).parent / name for name in ("page-control.js", "scripted-table.js")]
UNDELAYED_RANDOM = "1 - Math.exp(.8)"  # the random number for which an answer is not delayed: see response-masking.js
LARGEST_RANDOM = 1 - 2**-53
CHROMIUM_PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
# browser messages about a server or the network, not about a page
EXPECTED_ERRORS = "Failed to load resource", "net::ERR_CONNECTION_", "net::ERR_INTERNET_DISCONNECTED"


@pytest.fixture(scope="session")
def server_url(tmp_path_factory):
    """The address of a running server with its own data folder and a short grace period."""
    with run_server(tmp_path_factory.mktemp("data"), COURTLY_GRACE="0.5") as address:
        yield address


@pytest.fixture
def sizes(long):
    """The screen sizes at which layouts are checked."""
    return DEFAULT_SIZES + EXTRA_SIZES if long else DEFAULT_SIZES


@pytest.fixture(scope="session")
def chromium():
    """The system's Chromium, or Playwright's. All pages of a browser context share a process."""
    program = os.environ.get("COURTLY_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM_PROGRAMS)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--process-per-site"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def idle_contexts():
    """Reusable browser contexts, by server and fixed settings. Each keeps a page open, so that its caches stay warm:
    opening a table in a used context takes a third of the time of a new one.
    """
    return defaultdict(list)


@pytest.fixture
def person(server_url, chromium, idle_contexts, request):
    """Return a function that creates browsers: `person(language="ja", size=PHONE, scheme="light")` is a new guest's
    browser, as a Table.

    It has no stored data. Its HTTP cache may be warm, and other tests use it later, unless it is `uncached`: a test
    that controls the clock needs that. With `installs` it registers the service worker. To save time, animations are
    off (unless another `speed` is given), and answers are not delayed (unless `waits`: then by nearly a minute, which
    `page.clock` can skip). The deal follows from the test's name, the index of the person who opens the table, and the
    number given as --tables, so it is the same every time. Any error that a page reports fails the test.
    """
    pages, errors = [], []

    def open_browser(
        language="en",
        size=DESK,
        scheme="dark",
        speed="none",
        waits=False,
        touch=False,
        url=server_url,
        uncached=False,
        installs=False,
    ):
        reuse_key = (
            None if uncached or waits or installs or url != server_url else (url, language, touch)
        )  # some tests have their own server
        if idle_contexts[reuse_key]:
            idle_page = idle_contexts[reuse_key].pop()
        else:
            context = chromium.new_context(
                base_url=url, locale=language, has_touch=touch, service_workers="allow" if installs else "block"
            )
            context.set_default_timeout(60_000)  # on a busy machine slowness is not an error
            for script in PAGE_SCRIPTS:
                context.add_init_script(path=script)
            idle_page = context.new_page()
            if reuse_key:
                idle_page.goto("/openapi.json")  # neither a page of ours nor a guest
        idle_page.context.set_extra_http_headers(
            {SEED_HEADER: f"{request.config.getoption('--tables')} {request.node.nodeid} {len(pages)}"}
        )
        page = idle_page.context.new_page()
        pages.append((page, idle_page, reuse_key))
        resize(page, size)
        page.emulate_media(color_scheme=scheme)
        random = LARGEST_RANDOM if waits else UNDELAYED_RANDOM
        page.add_init_script(f"localStorage.setItem('courtly-speed', '{speed}'); Math.random = () => {random}")
        if waits:
            page.clock.install()
        page.on("pageerror", lambda error: errors.append(error.stack))
        page.on(
            "console",
            lambda message: (
                errors.append(message.text)
                if message.type == "error" and not any(expected in message.text for expected in EXPECTED_ERRORS)
                else None
            ),
        )
        return Table(page)

    yield open_browser
    for page, idle_page, reuse_key in pages:
        page.close()
        if reuse_key:
            idle_page.context.set_offline(False)
            idle_page.context.clear_cookies()
            idle_page.evaluate("localStorage.clear()")
            has_real_clock = idle_page.evaluate("performance.getEntriesByType('navigation').length > 0")
            assert has_real_clock, "a test that installs a clock needs person(uncached=True), not to pass it on"
            idle_contexts[reuse_key].append(idle_page)
        else:
            idle_page.context.close()
    assert not errors
