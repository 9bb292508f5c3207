"""Engines other than Chromium: a whole game by clicking, and the start of every other game, in Firefox, in Debian's
older Firefox ESR and in WebKitGTK, if installed (see CONTRIBUTING.md).
"""

import pytest
from engines import firefox, webkit
from table import DESK, PHONE, RESULTS
from test_whole_games import READY, SHORT_GAMES, min_players

from courtly.bots.browser_files import load_or_compile_files
from courtly.engine.game import find_game, game_ids
from tools import engines

READ_RESULT = "() => document.getElementById('end-heading').textContent.replaceAll('\\u200b', '')"
GAMES = [game for game in READY if (find_game(game).folder / "board" / "board.css").exists()]
NOT_INSTALLED = "is not installed: python tools/engines.py (see CONTRIBUTING.md)"
STYLES_APPLY = r"""() => {
    const places = () => [...document.querySelectorAll(".table, .board *")].map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x, y, width, height];
    }).join();
    const sheets = [...document.styleSheets].filter(({ href }) => /board\.css|table\.css/.test(href));
    return sheets.length === 2 && sheets.every((sheet) => {
        const styled = places();
        sheet.disabled = true;
        const bare = places();
        sheet.disabled = false;
        return styled !== bare;
    });
}"""


def open_browser(name, server_url):
    """Open a browser of this name, or skip the test if it is not installed."""
    if name == "webkit":
        program = engines.find_webkit() or pytest.skip(f"WebKitGTK {NOT_INSTALLED}")
        return webkit(*program, server_url)
    program = (engines.find_firefox if name == "firefox" else engines.find_older_firefox)() or pytest.skip(
        f"{name} {NOT_INSTALLED}"
    )
    return firefox(program, server_url)


@pytest.fixture(scope="module", params=["firefox", "older firefox", "webkit"])
def engine(request, server_url):
    with open_browser(request.param, server_url) as browser:
        browser.name = request.param
        browser.open("/")
        browser.set(speed="none")
        yield browser


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played(engine, game, long):
    language, size = ("ja", PHONE) if GAMES.index(game) % 2 else ("en", DESK)
    engine.set(language=language)
    engine.resize(size)
    engine.start(game, min_players(game))
    assert engine.run(STYLES_APPLY)
    if engine.click_randomly(6000 if long or game in SHORT_GAMES else 6):
        assert RESULTS[language].fullmatch(engine.run(READ_RESULT))
    assert engine.errors == []


BEGIN_OFFLINE = """async (number) => {
    localStorage.removeItem("courtly-offline");
    const find = async (selector) => {
        while (!document.querySelector(selector)) await new Promise((done) => setTimeout(done, 50));
        return document.querySelector(selector);
    };
    (await find(`.offline-games li:nth-child(${number}) button`)).click();
    (await find("dialog .play")).click();
    await find(".board");
    await pageControl.waitUntilAtRest();
}"""


def play_without_a_server(engine, game, language, size, max_clicks):
    load_or_compile_files(find_game(game))
    engine.set(language=language)
    engine.resize(size)
    engine.open("/offline")
    engine.run(BEGIN_OFFLINE, game_ids().index(game) + 1)
    if engine.click_randomly(max_clicks):
        assert RESULTS[language].fullmatch(engine.run(READ_RESULT))
    assert engine.errors == []


def test_a_game_is_played_without_a_server(engine):
    play_without_a_server(engine, "puppet", "en", DESK, 20)


@pytest.mark.parametrize(("language", "size"), [("en", DESK), ("ja", PHONE)], ids=["desk", "phone"])
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_without_a_server(engine, game, language, size, long):
    """To its end in Firefox, if it is a short game; all of them to their ends with --long."""
    is_whole = long or (engine.name == "firefox" and game in SHORT_GAMES)
    play_without_a_server(engine, game, language, size, 6000 if is_whole else 6)
