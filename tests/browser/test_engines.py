"""Engines other than Chromium: a whole game by clicking, and the start of every other game, in Firefox, in Debian's
older Firefox ESR and in WebKitGTK, if installed (see CONTRIBUTING.md).
"""

import pytest
from engines import firefox, webkit
from table import DESK, PHONE
from test_whole_games import READY, SHORT, WORDS, fewest

from courtly.engine.game import find_game
from tools import engines

GAMES = [game for game in READY if (find_game(game).folder / "board" / "board.css").exists()]
INSTALL = "is not installed: python tools/engines.py (see CONTRIBUTING.md)"
STYLED = r"""() => {
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


def opened(name, at):
    """Open a browser of this name, or skip the test if it is not installed."""
    if name == "webkit":
        found = engines.find_webkit() or pytest.skip(f"WebKitGTK {INSTALL}")
        return webkit(*found, at)
    found = (engines.find_firefox if name == "firefox" else engines.find_older_firefox)() or pytest.skip(
        f"{name} {INSTALL}"
    )
    return firefox(found, at)


@pytest.fixture(scope="module", params=["firefox", "older firefox", "webkit"])
def engine(request, server_url):
    with opened(request.param, server_url) as browser:
        browser.open("/")
        browser.set(speed="none")
        yield browser


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played(engine, game, long):
    language, size = ("ja", PHONE) if GAMES.index(game) % 2 else ("en", DESK)
    engine.set(language=language)
    engine.resize(size)
    engine.start(game, fewest(game))
    assert engine.run(STYLED)
    if engine.click_randomly(6000 if long or game in SHORT else 6):
        assert engine.run("() => document.getElementById('end-heading').textContent") == WORDS[language][0]
    assert engine.errors == []
