"""Our fonts load, their downloads stay small, and without them the page works."""

import pytest
from playwright.sync_api import expect

MAX_BYTES = {"en": 250_000, "ja": 700_000}
ALLOWED_FONTS = {
    "en": {"signs.woff2", "sans.woff2", "sans-bold.woff2", "serif-bold.woff2"},
    "ja": {
        "sans.woff2",
        "sans-bold.woff2",
        "serif-bold.woff2",
        "gothic.woff2",
        "gothic-bold.woff2",
        "mincho-bold.woff2",
    },
}


GAMES = {"/": "[data-game]", "/offline": ".offline-games button"}  # of each page on which one chooses a game


def open_lobby(page, path="/"):
    page.goto(path, wait_until="networkidle")
    expect(page.locator(GAMES[path])).not_to_have_count(0)
    page.evaluate("document.fonts.ready")


@pytest.mark.parametrize("path", GAMES)
@pytest.mark.parametrize("language", MAX_BYTES)
def test_the_first_page_fetches_little(person, language, path):
    page = person(language, uncached=True).page
    requests = []
    page.on("requestfinished", lambda request: requests.append(request))
    open_lobby(page, path)
    sizes = {request.url.rpartition("/")[2]: request.sizes()["responseBodySize"] for request in requests}
    assert {name for name in sizes if name.endswith(".woff2")} <= ALLOWED_FONTS[language]
    assert sum(sizes.values()) < MAX_BYTES[language], sizes


def test_a_name_fetches_the_slices_that_it_needs(person):
    page = person("en", uncached=True).page
    open_lobby(page)
    faces = "[...document.fonts].filter((face) => face.status === 'loaded' && face.family === 'Courtly Mincho').length"
    faces_before = page.evaluate(faces)
    page.evaluate(
        "document.querySelector('h1').append(Object.assign(document.createElement('small'), { textContent: '鷲' }))"
    )
    page.evaluate("document.fonts.ready")
    assert page.evaluate(faces) == faces_before + 1


def test_the_page_works_without_our_fonts(person):
    page = person("ja", uncached=True).page
    page.route("**/*.woff2", lambda route: route.abort())
    open_lobby(page)
    expect(page.locator("h1").first).to_be_visible()
    assert "loaded" not in page.evaluate(
        "[...document.fonts].filter((face) => /^Courtly [A-Z]\\w+$/.test(face.family)).map((face) => face.status)"
    )
