"""`courtly site`: a folder of files, in a subfolder of a server that knows few content types, and then without it."""

import base64
import zlib
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner
from layout import findings_in_every_font
from lessons import GAMES_WITH_LESSONS, NEXT_BUTTON, expect_step, play_lesson
from playwright.sync_api import expect
from table import DESK, PHONE, axe_findings

from courtly.cli import main
from courtly.engine.game import find_game
from courtly.engine.scenarios.lesson import load_lesson

FOLDER = "/our/games/"
RECORD = Path(__file__).parents[1] / "games" / "puppet" / "golden" / "2-players-fewest-honour.jsonl"
LOADED_FONTS = (
    "[...document.fonts].filter(face => face.status === 'loaded').map(face => face.family.replaceAll('\"', ''))"
)

KEPT_TEXTS = {"en": "Saved on this device", "ja": "この端末に保存しました"}


class QuietHandler(SimpleHTTPRequestHandler):
    TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}

    def guess_type(self, path):
        return self.TYPES.get(Path(path).suffix, "application/octet-stream")

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The root of a web server, with the site in a subfolder."""
    root = tmp_path_factory.mktemp("root")
    folder = root / FOLDER.strip("/")
    result = CliRunner().invoke(main, ["site", str(folder)])
    assert result.exit_code == 0 and str(folder) in result.output
    assert CliRunner().invoke(main, ["site", str(folder)]).exit_code == 1  # it is not empty
    return root


@contextmanager
def serve_site(root):
    """Serve the files of a folder, and yield the address."""
    with ThreadingHTTPServer(("localhost", 0), partial(QuietHandler, directory=root)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


def open_without_connection(person, site, language, size):
    """Return a page that has kept the site's files, and whose server has stopped since."""
    with serve_site(site) as address:
        page = person(language, size, installs=True, url=address).page
        page.goto(FOLDER)
        expect(page.get_by_text(KEPT_TEXTS[language])).to_be_visible(timeout=60_000)
        assert axe_findings(page) == [] and findings_in_every_font(page) == []
        paths = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)")
        assert [path for path in paths if not path.startswith(FOLDER)] == []
    page.reload()
    return page


def test_a_static_site_is_sufficient(person, site):
    page = open_without_connection(person, site, "ja", PHONE)
    page.get_by_role("button", name="王への請願").click()
    assert "Courtly Gothic" in page.evaluate(LOADED_FONTS)
    page.get_by_role("button", name="ゲーム開始").click()
    expect(page.locator(".seats .seat")).to_have_count(3)
    expect(page.locator(".now.mine")).to_be_visible()
    page.goto(f"{FOLDER}?learn=petition&at=keep")
    expect(page.locator("#lesson-words .tag")).to_contain_text("2")


def test_the_site_can_be_installed(person, site):
    with serve_site(site) as address:
        page = person("en", DESK, installs=True, url=address).page
        page.goto(FOLDER)
        expect(page.get_by_text(KEPT_TEXTS["en"])).to_be_visible(timeout=60_000)
        devtools = page.context.new_cdp_session(page)
        assert devtools.send("Page.getAppManifest")["errors"] == []
        assert devtools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []


def test_rules_have_live_boards_without_a_server(person, site):
    page = open_without_connection(person, site, "en", DESK)
    for game in GAMES_WITH_LESSONS:
        page.get_by_role("link", name="Rules").nth(GAMES_WITH_LESSONS.index(game)).click()
        text = (find_game(game).folder / "rules.en.md").read_text(encoding="utf-8")
        frames = page.locator(".example .frame")
        expect(frames).to_have_count(text.count("](lesson:"))
        for board in page.locator(".example .board").all():
            expect(board.locator("[data-key], [data-at]").first).to_be_visible()
        assert axe_findings(page) == []
        page.locator(".home").click()
    page.get_by_role("link", name="Rules").first.click()
    page.get_by_role("link", name="Try it").first.click()
    expect(page.locator("#lesson-words .tag")).to_contain_text("of")
    page.goto(f"{FOLDER}?rules=whist")
    expect(page.get_by_role("alert")).to_contain_text("no such game")


@pytest.mark.parametrize("number, game", list(enumerate(GAMES_WITH_LESSONS)))
def test_a_lesson_is_played_without_a_server(person, site, number, game):
    """It ends at the form for a game against bots."""
    language, size = (("ja", DESK), ("en", PHONE))[number % 2]
    page, lesson = open_without_connection(person, site, language, size), load_lesson(find_game(game))
    page.locator(".offline-games li").nth(number).get_by_role("link").first.click()
    play_lesson(page, game)
    page.reload()  # the position in the lesson is stored
    expect_step(page, lesson, len(lesson.steps))
    page.locator(NEXT_BUTTON).click()
    page.locator("dialog .play").click()
    expect(page.locator(".is-pictured")).to_be_visible()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_record_is_replayed_and_reviewed_without_a_server(person, site, size):
    """It is opened as a file, or is in the address."""
    page = open_without_connection(person, site, "en", size)
    record = RECORD.read_bytes()
    with page.expect_file_chooser() as file_chooser:
        page.get_by_role("button", name="Open a saved record").click()
    file_chooser.value.set_files({"name": "a.jsonl", "mimeType": "application/x-ndjson", "buffer": record})
    slider = page.locator(".past input[type=range]")
    expect(slider).to_have_js_property("value", "0")
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_js_property("value", "1")
    page.locator(".home").click()
    expect(page.locator(".offline-games")).to_be_visible()
    page.goto(f"{FOLDER}index.html#record={pack_record(record)}")
    expect(slider).to_have_js_property("value", "0")
    assert axe_findings(page) == []
    page.get_by_role("button", name="Review", exact=True).click()
    expect(page.locator(".side .chances")).to_be_visible(timeout=180_000)


def pack_record(record):
    """Return a record as addresses contain it."""
    packer = zlib.compressobj(wbits=-15)
    return base64.urlsafe_b64encode(packer.compress(record) + packer.flush()).decode().rstrip("=")
