"""The installed app; and the offline page without a server."""

import json
import re
import struct
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from layout import findings_in_every_font
from playwright.sync_api import expect
from table import DESK, DRAWINGS_AFTER_THE_BOARD, MOVE, PHONE, RESULTS, Table, axe_findings
from test_whole_games import READY
from ui_server import run_server

from courtly.bots.browser_files import load_or_compile_files
from courtly.engine import transcript
from courtly.engine.game import find_game, game_ids

ASSET_HASH = "document.querySelector('link[rel=manifest]').href.split('/')[4]"
GAMES_WITH_BOARDS = [game for game in READY if (find_game(game).folder / "board" / "board.css").exists()]
KEPT_TEXTS = {
    "en": "Saved on this device. From now on you can play here without a connection.",
    "ja": "この端末に保存しました。これからは接続がなくても遊べます。",
}
PRELOADED_FILES = """
    [...document.querySelectorAll("head > link:is([rel=modulepreload], [as=style])")].map(({ href }) => href)"""
REQUESTED_SCRIPTS = (
    "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))"
)
CLASSIC_SCRIPTS = "[...document.querySelectorAll('script[src]:not([type=module])')].map(({ src }) => src)"
CACHED_FILES = """async hash => {
    await (await navigator.serviceWorker.ready).update();
    while ((await caches.keys()).join() !== `/s/${hash}`) await new Promise(requestAnimationFrame);
}"""


@pytest.fixture(scope="module")
def compiled_games():
    """Servers of these tests find compiled games on disk, since they do not compile themselves."""
    for game in ("necklace", "puppet", "petition"):
        load_or_compile_files(find_game(game))


def open_installed_app(person, language="en", **browser_options):
    """Return a page of a browser with the service worker installed."""
    page = person(language, PHONE, installs=True, **browser_options).page
    page.goto("/")
    expect(page.locator(".door").first).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    return page


def test_the_app_can_be_installed(person, server_url):
    page = open_installed_app(person)
    devtools = page.context.new_cdp_session(page)
    manifest_info = devtools.send("Page.getAppManifest")
    assert manifest_info["errors"] == [] and devtools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    manifest = json.loads(manifest_info["data"])
    assert {icon.get("purpose", "any") for icon in manifest["icons"]} == {"any", "maskable"}
    icons = [(icon["src"], icon["sizes"]) for icon in manifest["icons"] if icon["type"] == "image/png"]
    for source, sizes in [*icons, ("icons/apple-180.png", "180x180")]:
        response = page.request.get(f"{manifest_info['url'].rpartition('/')[0]}/{source}")
        assert "{}x{}".format(*struct.unpack(">II", response.body()[16:24])) == sizes
    # the theme colour equals the page's background in either colour scheme
    theme = page.locator("meta[name=theme-color]")
    background = "getComputedStyle(document.documentElement).backgroundColor"
    colours = {manifest["theme_color"], manifest["background_color"]}
    for scheme in ("light", "dark"):
        page.evaluate(f"localStorage.setItem('courtly-scheme', '{scheme}')")
        page.reload()
        expect(theme).to_have_attribute("content", page.evaluate(background))
    assert colours == {"#{:02x}{:02x}{:02x}".format(*map(int, page.evaluate(background)[4:-1].split(",")))}


@pytest.mark.parametrize(
    ("language", "heading", "retry_label"),
    [("en", "No connection", "Try again"), ("ja", "接続していません", "もう一度試す")],
)
def test_the_offline_page_is_shown_without_a_connection(person, server_url, language, heading, retry_label):
    page = open_installed_app(person, language)
    page.context.set_offline(True)
    page.goto("/t/whatever")
    expect(page.get_by_role("heading")).to_have_text(heading)
    assert axe_findings(page) == [] and findings_in_every_font(page) == []
    fetch_status = "fetch('/api/games').then(answer => answer.status, () => 'nobody')"
    assert page.evaluate(fetch_status) == "nobody"
    with page.expect_navigation():
        page.get_by_role("button", name=retry_label).click()
    expect(page.get_by_role("heading")).to_have_text(heading)
    page.context.set_offline(False)  # it notices by itself
    expect(page.get_by_role("button", name=retry_label)).to_have_count(0)
    expect(page.locator(".nowhere a.button")).to_be_visible()
    expect(page).to_have_url(f"{server_url}/t/whatever")


def test_a_game_is_played_to_the_end_without_a_server(person, compiled_games):
    """The game continues after a reload; at the end it can be replayed, its record saved, and another one
    started.
    """
    page = open_installed_app(person)
    page.goto("/offline")
    expect(page.get_by_text("Saved on this device")).to_be_visible(timeout=60_000)
    assert axe_findings(page) == [] and findings_in_every_font(page) == []
    page.context.set_offline(True)
    page.get_by_role("button", name="Puppet Kingdom", exact=True).click()
    page.get_by_role("button", name="2", exact=True).click()
    expect(page.locator(".seat-list li")).to_have_count(2)
    page.locator(".more-rules summary").click()
    option_button = page.locator(".more-rules .choice").last.get_by_role("button").last
    option_button.click()
    assert axe_findings(page) == []
    page.get_by_role("button", name="Play", exact=True).click()
    table = Table(page)
    expect(page.locator(".is-pictured")).to_be_visible()
    table.plain()
    table.wait_for_me()
    page.locator(MOVE).first.click()
    table.wait_for_me()
    log_before = log_text(page)
    page.reload()
    page.get_by_role("button", name="Puppet Kingdom", exact=True).click()
    expect(page.get_by_role("dialog")).to_have_text(re.compile("The one you left here will be lost"))  # confirmation
    assert axe_findings(page) == []
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Go on: Puppet Kingdom").click()
    expect(page.locator(".is-plain")).to_be_visible()
    table.wait_for_me()
    assert log_text(page) == log_before
    table.play_by_keyboard()
    expect(page.locator("#end-heading")).to_have_text(RESULTS["en"])
    expect(page.locator(".ranks li")).to_have_count(2)
    assert axe_findings(page) == []
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the record").click()
    match = transcript.check(Path(download.value.path()).read_text(encoding="utf-8"))
    assert match.over and match.players == 2 and set(match.options.values()) != {0}
    page.get_by_role("button", name="Review this game").click()
    expect(page.locator("dialog.review .chances")).to_be_visible(timeout=120_000)  # games differ in length
    assert axe_findings(page) == []
    page.locator("dialog.review").get_by_role("button", name="See it on the board").click()
    expect(page.locator(".side.review .chances")).to_be_attached()
    page.get_by_role("button", name="Back to the review").click()
    page.locator("dialog.review").get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Watch the replay").click()
    slider = page.locator(".past input[type=range]")
    expect(slider).to_have_js_property("value", "0")
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_js_property("value", "1")
    page.locator(".past .eyes").select_option("1")
    expect(page.locator(".seat.me")).to_have_count(1)
    assert axe_findings(page) == []
    page.get_by_role("button", name="Back to the game").click()
    expect(page.locator("#end-heading")).to_be_visible()
    page.get_by_role("button", name="Play again").click()  # nothing is loaded again
    expect(page.get_by_role("button", name="Queen’s Necklace")).to_be_visible()
    assert page.locator(".table").count() == 0 and axe_findings(page) == []
    expect(page.get_by_role("button", name="Go on")).to_have_count(0)

    # a saved record can be replayed, also on a page opened only for that
    record = Path(download.value.path()).read_text(encoding="utf-8")
    with page.expect_file_chooser() as file_chooser:
        page.get_by_role("button", name="Open a saved record").click()
    file_chooser.value.set_files({"name": "a.jsonl", "mimeType": "application/x-ndjson", "buffer": record.encode()})
    expect_playback(page)
    page.locator(".home").click()
    page.get_by_role("button", name="Queen’s Necklace").click()
    page.get_by_role("button", name="Play", exact=True).click()
    table.wait_for_me()
    head, *lines = record.splitlines()
    drop_record(page, "\n".join([json.dumps({**json.loads(head), "version": 999}), *lines]))
    expect(page.get_by_role("alert")).to_contain_text("999")
    expect(page.locator(".record .log li").first).to_be_visible()
    drop_record(page, "\n".join([head, "{"]))
    expect(page.get_by_role("alert")).to_contain_text("Line 2")
    assert axe_findings(page) == []
    page.get_by_role("button", name="Play offline").click()
    page.get_by_role("button", name="Go on").click()  # with the game that was left for the record
    table.wait_for_me()
    page.evaluate("text => sessionStorage.setItem('courtly-record', text)", record)
    page.goto("/replay")  # the lobby opens it with a record
    expect_playback(page)


@pytest.mark.parametrize(("language", "size"), [("en", DESK), ("ja", PHONE)], ids=["desk", "phone"])
@pytest.mark.parametrize("game", GAMES_WITH_BOARDS)
def test_a_whole_game_is_played_without_a_connection(person, game, language, size):
    load_or_compile_files(find_game(game))
    table = person(language, size, installs=True)
    page = table.page
    page.goto("/offline")
    expect(page.get_by_role("status")).to_have_text(KEPT_TEXTS[language], timeout=60_000)
    page.context.set_offline(True)
    page.locator(".offline-games li").nth(game_ids().index(game)).get_by_role("button").click()
    page.locator("dialog .play").click()
    expect(page.locator(".is-pictured")).to_be_visible()
    table.play_by_clicking()
    expect(page.locator("#end-heading")).to_have_text(RESULTS[language])
    assert axe_findings(page) == []


def log_text(page):
    page.keyboard.press("l")
    text = page.locator("ol.log").inner_text()
    page.keyboard.press("Escape")
    return text


def drop_record(page, text):
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "game.jsonl"));
            dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        text,
    )


def expect_playback(page):
    """A record of two players is replayed, from either seat."""
    slider = page.locator(".past input[type=range]")
    expect(slider).to_have_js_property("value", "0", timeout=120_000)
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_js_property("value", "1")
    page.locator(".past .eyes").select_option("1")
    expect(page.locator(".seat.me")).to_have_count(1)
    assert axe_findings(page) == []


def test_the_first_visit_caches_everything(person, compiled_games):
    """Two people can play in one browser."""
    page = person("en", PHONE, installs=True).page
    page.goto("/offline")
    expect(page.get_by_text("Saved on this device")).to_be_visible(timeout=60_000)
    page.context.set_offline(True)
    page.reload()
    page.get_by_role("button", name="Puppet Kingdom", exact=True).click()
    page.get_by_role("button", name="2", exact=True).click()
    page.locator(".seat-list select").nth(1).select_option("local")
    page.locator(".seat-list input").nth(1).fill("Anna")
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator(".curtain button").click()  # each player sees their own cards
    expect(page.locator(".is-pictured .board")).to_be_visible()
    expect(page.locator(".seat.me")).to_have_count(1)
    expect(page.locator(".seats")).to_contain_text("Anna")


def test_rules_and_lessons_are_there_without_a_connection(person, compiled_games):
    page = person("en", DESK, installs=True).page
    page.goto("/rules/petition")  # of the server; a page of the app does not cache the games
    expect(page.locator(".example .die").first).to_be_attached()
    page.goto("/offline")
    expect(page.get_by_role("status")).to_have_text(KEPT_TEXTS["en"], timeout=60_000)
    page.context.set_offline(True)
    page.get_by_role("link", name="Rules of To Court the King").click()
    page.wait_for_url("**/rules/petition")
    expect(page.locator(".example .die").first).to_be_attached()
    page.get_by_role("link", name="Try it").first.click()
    page.wait_for_url("**/learn/petition?at=*")
    expect(page.locator("#lesson-words .tag")).to_contain_text("2 of")
    page.goto("/rules/whist")
    expect(page.get_by_role("heading")).to_have_text("No connection")


def test_the_page_preloads_all_its_modules(person, compiled_games):
    """Those of the game's board when the game is chosen."""
    page = person("en", PHONE, uncached=True).page
    page.goto("/offline")
    page.get_by_role("button", name="To Court the King").click()
    board_files = page.evaluate(PRELOADED_FILES)
    assert [path for path in board_files if "/games/" in path and "/games/petition/" not in path] == []
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".is-pictured .board")).to_be_visible()
    requested, classic_scripts = page.evaluate(REQUESTED_SCRIPTS), page.evaluate(CLASSIC_SCRIPTS)
    preloaded = page.evaluate(PRELOADED_FILES)
    scripts = {path for path in requested if not path.endswith(DRAWINGS_AFTER_THE_BOARD)}
    assert {path for path in preloaded if path.endswith(".js")} == scripts - set(classic_scripts)
    assert [path for path in preloaded if path.endswith("petition/board/board.css")]
    assert preloaded == board_files


def test_what_cannot_be_loaded_is_said(person, compiled_games):
    """Without a connection before anything was cached, in a browser that stores nothing, and without WebAssembly."""
    page = person("en", PHONE).page
    page.route("**/offline/games.json", lambda route: route.abort())
    page.goto("/offline")
    expect(page.get_by_role("alert")).to_contain_text("could not be loaded")
    assert axe_findings(page) == []
    page.unroute("**/offline/games.json")
    page.get_by_role("button", name="Try again").click()
    page.route("**/puppet.wasm", lambda route: route.abort())
    page.get_by_role("button", name="Puppet Kingdom", exact=True).click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("could not be loaded")
    page.unroute("**/puppet.wasm")
    page.evaluate("void (Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') })")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert").first).to_contain_text("does not let the page save")
    expect(page.locator(".now")).to_be_visible()  # once the message is gone


def test_a_form_that_cannot_be_loaded_is_said(person, compiled_games):
    page = person("en", PHONE).page
    page.goto("/offline")
    page.route("**/offline/puppet.json", lambda route: route.abort())
    page.get_by_role("button", name="Puppet Kingdom", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("could not be loaded")
    page.unroute("**/offline/puppet.json")
    page.get_by_role("button", name="Puppet Kingdom", exact=True).click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_worker_that_fails_says_how_to_go_on(person, compiled_games):
    page = person("en", PHONE).page
    page.add_init_script(
        "const Original = Worker;"
        "globalThis.Worker = class extends Original { constructor(...all) { super(...all); globalThis.made = this; } };"
    )
    page.goto("/offline")
    page.get_by_role("button", name="Puppet Kingdom", exact=True).click()
    page.get_by_role("button", name="Play", exact=True).click()
    table = Table(page)
    expect(page.locator(".is-pictured")).to_be_visible()
    table.plain()
    table.wait_for_me()
    page.evaluate("made.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }))")
    page.locator(MOVE).first.click()
    expect(page.get_by_role("alert").first).to_contain_text("it goes on from the last move")
    page.reload()
    page.get_by_role("button", name="Go on").click()
    table.wait_for_me()


def test_a_stored_game_of_other_rules_is_kept(person, compiled_games):
    page = person("en", PHONE).page
    page.goto("/offline")
    text = json.dumps([[999, "puppet", [{}, {"bot": "page"}], {}, "5a" * 32, "events"]])
    page.evaluate("text => localStorage.setItem('courtly-offline', text)", text)
    page.reload()
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("alert")).to_contain_text("version 999")
    assert page.evaluate("localStorage.getItem('courtly-offline')") == text


def test_the_cache_follows_the_servers_files(person, tmp_path):
    """Another server at the same address has other files: its own pages are shown, and soon the cache has its files."""
    with ExitStack() as server_stack:
        server_url = server_stack.enter_context(run_server(tmp_path))
        page = open_installed_app(person, url=server_url)
        first_hash = page.evaluate(ASSET_HASH)
        page.evaluate(CACHED_FILES, first_hash)
        server_stack.close()
        with run_server(tmp_path, urlsplit(server_url).port, COURTLY_GAMES=""):
            page.goto("/")
            expect(page.locator(".door").first).to_be_visible()
            second_hash = page.evaluate(ASSET_HASH)
            assert second_hash != first_hash
            page.evaluate(CACHED_FILES, second_hash)
        page.goto("/rules/petition")  # now without any server
        expect(page.get_by_role("heading")).to_have_text("No connection")
        assert page.evaluate(ASSET_HASH) == second_hash
