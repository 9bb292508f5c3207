"""The lobby: from a game's door to a game with bots or friends."""

import re

import pytest
from overflow import short_last_lines
from playwright.sync_api import expect
from table import PHONE
from test_whole_games import READY
from ui_server import run_server

from courtly.engine.game import find_game


@pytest.mark.parametrize("game", READY)
def test_two_clicks_start_a_game_against_bots(person, game):
    """A third click chooses the number of players."""
    page, rules = person().page, find_game(game)
    page.goto("/")
    page.locator(f"[data-game={game}]").click()
    if game != "petition":
        page.locator(".new-table .choice button", has_text=re.compile(f"^{rules.players[-1]}$")).first.click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".seats .seat")).to_have_count(3 if game == "petition" else rules.players[-1])
    expect(page.locator(".now")).not_to_be_empty()


def test_the_lobby_waits_for_no_request_that_could_begin_before_its_scripts(person):
    page = person().page
    page.goto("/")
    expect(page.locator("[data-game=petition]")).to_be_visible()
    initiators = page.evaluate("""performance.getEntriesByType("resource")
        .filter(({name}) => /\\.ftl$|\\/api\\//.test(name)).map(({initiatorType}) => initiatorType)""")
    assert len(initiators) > 3 and set(initiators) == {"link"}


def second_seat(page):
    return page.locator(".new-table .seat-list select").nth(1)


def test_squires_are_offered_and_the_last_choice_is_remembered(person):
    page = person().page
    page.goto("/")
    page.locator("[data-game=petition]").click()
    expect(second_seat(page)).to_have_value("bot-squire")
    second_seat(page).select_option("bot-page")
    expect(page.locator(".levels dt")).to_have_text(["Page", "Squire"])
    page.reload()
    page.locator("[data-game=necklace]").click()
    expect(second_seat(page)).to_have_value("bot-page")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".seats .tag", has_text="Page")).to_have_count(2)


@pytest.mark.parametrize("language, missing_program", [("en", "machine code"), ("ja", "コンパイラー")])
def test_without_machine_code_knights_and_masters_cannot_be_chosen(person, language, missing_program):
    page = person(language).page
    page.goto("/")
    page.evaluate("localStorage.setItem('courtly-bot', 'master')")  # stored when machine code was installed
    page.reload()
    page.locator("[data-game=petition]").click()
    expect(second_seat(page)).to_have_value("bot-squire")
    disabled_options = second_seat(page).locator("option[disabled]")
    assert disabled_options.evaluate_all("all => all.map((one) => one.value)") == ["bot-knight", "bot-master"]
    expect(page.locator(".needs")).to_contain_text(missing_program)
    expect(page.locator(".needs")).to_contain_text("pip install 'courtly[native]'")


def test_the_table_says_that_a_squire_plays_until_the_master_is_ready(person, tmp_path):
    with run_server(tmp_path / "data", COURTLY_NATIVE="1", COURTLY_CACHE=str(tmp_path / "cache")) as server_url:
        page = person(url=server_url).page
        page.goto("/")
        page.locator("[data-game=petition]").click()
        expect(page.locator(".needs")).to_have_count(0)
        second_seat(page).select_option("bot-master")
        page.get_by_role("button", name="Play", exact=True).click()
        expect(page.locator(".seats .replacement")).to_have_text("Master is getting ready. Until then Squire plays.")


def test_a_phone_in_landscape_shows_two_games(person, tmp_path):
    with run_server(tmp_path) as server_url:  # without tables of other tests, which are listed first
        page = person("ja", (740, 360), url=server_url).page
        page.goto("/")
        expect(page.locator(".enter")).to_have_count(len(READY))
        for game in range(2):
            expect(page.locator(".door .facts").nth(game)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("module", ["core/service-worker-setup.js", "budoux.js"])
def test_optional_modules_may_fail_to_load(person, module):
    page = person("ja", waits=True).page  # any page error fails the test
    page.route(f"**/{module}", lambda route: route.abort())
    page.add_init_script("CSS.supports = () => false")  # otherwise the browser breaks Japanese between phrases natively
    with page.expect_event("requestfailed", lambda request: request.url.endswith(module)):
        page.goto("/")
        page.clock.run_for(3000)
    page.locator("[data-game=petition]").click()
    expect(page.get_by_role("dialog")).to_be_visible()


def test_an_unfinished_game_waits_in_the_lobby(person):
    table = person()
    table.start("sealed_bids", plain=True)
    table_url = table.page.url
    table.page.get_by_role("link", name="To the lobby").click()
    table.page.get_by_role("region", name="Go on where you stopped").get_by_role("link").first.click()
    table.page.wait_for_url(table_url)
    table.wait_for_me()


def test_the_language_changes_at_once(person):
    page = person("en").page
    page.goto("/")
    page.locator("[data-game=petition]").click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="日本語").click()
    expect(page.locator("[data-game=petition] b")).to_have_text("王への請願")
    assert page.locator("html").get_attribute("lang") == "ja"
    page.reload()
    expect(page.locator("[data-game=petition] b")).to_have_text("王への請願")
    page.get_by_role("button", name="English").click()
    expect(page.locator("[data-game=petition] b")).to_have_text("To Court the King")


@pytest.mark.parametrize("knows_phrases", [True, False])
def test_japanese_breaks_between_phrases_in_every_browser(person, knows_phrases):
    page = person("ja", (320, 640)).page
    loaded = []
    page.on("request", lambda request: loaded.append(request.url.rsplit("/", 1)[-1]))
    if not knows_phrases:
        page.add_init_script("CSS.supports = () => false")
    page.goto("/")
    expect(page.locator(".door").first).to_be_visible()
    tagline = page.locator("[data-game=petition] .tagline")
    if not knows_phrases:
        expect(page.locator("html[data-phrases]")).to_be_attached()
        expect(tagline).to_contain_text("下女から\u200b国王夫妻まで")
    assert ("budoux.js" in loaded) is not knows_phrases
    assert page.evaluate("getComputedStyle(document.body).wordBreak") == (
        "auto-phrase" if knows_phrases else "keep-all"
    )
    page.locator("[data-game=petition]").click()
    page.locator(".more-rules summary").click()
    assert short_last_lines(page, ".new-table") == []
    assert "\u200b" not in page.locator(".new-table").get_attribute("aria-label")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="English").click()
    expect(tagline).to_have_text(re.compile("^Roll, keep"))


@pytest.fixture
def friends(person):
    """A host at an open table, and a friend who has followed the link."""
    host, friend = person(), person("ja", PHONE)
    page = host.page
    page.goto("/")
    page.locator("[data-game=sealed_bids]").click()
    page.locator(".new-table .choice button", has_text=re.compile("^2$")).first.click()
    page.get_by_label("Your name").fill("Ada")
    page.locator(".seat-list select").nth(1).select_option("open")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")
    friend.page.goto(page.get_by_label("Link to this table").input_value())
    return host, friend


def test_a_friend_joins_by_link(friends):
    host, friend = friends
    friend.page.get_by_label("あなたの名前").fill("花子")
    friend.page.get_by_role("button", name="ここに座る").click()
    for table, name in ((host, "花子"), (friend, "Ada")):
        expect(table.page.locator(".seats .seat")).to_have_count(2)
        expect(table.page.locator(".seats")).to_contain_text(name)


@pytest.fixture
def seated(friends):
    host, friend = friends
    friend.page.get_by_role("button", name="ここに座る").click()
    for table in friends:
        expect(table.page.locator(".seats .seat")).to_have_count(2)
    return host, friend


def test_a_player_who_leaves_gets_a_substitute_and_can_return(seated):
    host, friend = seated
    table_url = friend.page.url
    friend.page.locator(".tools button", has_text="メニュー").click()
    friend.page.get_by_role("button", name="席を立つ").click()
    friend.page.get_by_role("dialog").get_by_role("button", name="席を立つ").click()
    expect(host.page.locator(".seats")).to_contain_text("bot stands in")
    friend.page.wait_for_url(lambda url: url.endswith("/"))
    friend.page.goto(table_url)
    friend.page.get_by_role("button", name="自分の席に戻る").click()
    expect(host.page.locator(".seats")).not_to_contain_text("bot stands in")


def test_an_absent_player_can_get_a_substitute(seated):
    host, friend = seated
    friend.page.close()
    host.page.get_by_role("button", name="Let a bot play on").click()
    expect(host.page.locator(".seats")).to_contain_text("bot stands in")


def test_a_seat_is_moved_to_another_device(seated, person):
    host, _ = seated
    host.page.get_by_role("button", name="Menu").click()
    host.page.get_by_role("button", name="Move Ada to another device").click()
    link = host.page.get_by_label("Link for the other device").input_value()
    other_device = person()
    other_device.page.goto(link)
    other_device.page.get_by_role("button", name="Take the seat").click()
    expect(other_device.page.locator(".seat.me .name")).to_have_text("Ada")
    other_device.wait_for_me()
    expect(host.page.get_by_text("You are watching.")).to_be_visible()


def test_a_stranger_watches_and_sees_no_hand(friends, person):
    host, friend = friends
    friend.page.get_by_role("button", name="ここに座る").click()
    expect(host.page.locator(".seats .seat")).to_have_count(2)
    watcher = person()
    watcher.page.goto(host.page.url)
    expect(watcher.page.get_by_text("You are watching.")).to_be_visible()
    expect(watcher.page.locator(".move")).to_have_count(0)
    expect(watcher.page.get_by_text(re.compile(r"^hand: \[null,null"))).to_be_visible()


def test_the_host_can_fill_a_seat_with_a_bot(friends):
    host, _ = friends
    host.page.get_by_role("button", name="Let a bot play").click()
    expect(host.page.locator(".seats .seat")).to_have_count(2)


def test_an_invalid_name_gives_an_error_message(friends):
    _, friend = friends
    friend.page.get_by_label("あなたの名前").fill("\u202eevil")
    friend.page.get_by_role("button", name="ここに座る").click()
    expect(friend.page.get_by_role("alert")).to_have_text("名前は通常の文字で1〜24文字にしてください。")


def test_a_right_to_left_name_is_isolated(friends):
    host, friend = friends
    friend.page.get_by_label("あなたの名前").fill("ליאור")
    friend.page.get_by_role("button", name="ここに座る").click()
    expect(host.page.locator(".seats")).to_contain_text("\u2068ליאור\u2069")


def test_an_unknown_table_gives_an_error_page(person):
    page = person().page
    page.goto("/t/nosuchtable")
    expect(page.get_by_role("alert")).to_have_text("There is no such table.")


def test_the_first_page_is_small(person):
    page = person(uncached=True).page
    sizes = {}
    page.on("response", lambda response: sizes.update({response.url: int(response.headers.get("content-length", 0))}))
    page.goto("/")
    expect(page.locator(".door").first).to_be_visible()
    assert len(sizes) > 20
    excluded_suffixes = (".woff2", "/api/tables")  # fonts: test_fonts.py; tables: as many as other tests have left open
    product = {url: size for url, size in sizes.items() if "/sealed_bids/" not in url}  # a game of the tests
    assert sum(size for url, size in product.items() if not url.endswith(excluded_suffixes)) <= 121 * 1024, product


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_phone_has_one_row_of_header_and_a_button_on_every_door(person, tmp_path, language):
    with run_server(tmp_path) as server_url:  # without tables of other tests
        page = person(language, PHONE, url=server_url).page
        page.goto("/")
        expect(page.locator(".door .to-play")).to_have_count(len(READY))
        assert page.locator(".lobby-head").bounding_box()["height"] < 60
        boxes = [button.bounding_box() for button in page.locator(".door .to-play").all()]
        arches = [arch.bounding_box() for arch in page.locator(".door .arch").all()]
        for button, arch in zip(boxes, arches, strict=True):
            assert button["x"] >= arch["x"] and button["x"] + button["width"] <= arch["x"] + arch["width"]

        # a lesson is offered until the first table
        expect(page.locator(".newcomer a")).to_have_attribute("href", re.compile("^/learn/"))
        page.locator(".enter").first.click()
        expect(second_seat(page).locator("option:checked")).to_have_text(re.compile("^(Bot: |ボット：)"))
        expect(page.locator(".new-table .reading a")).to_have_count(2)
        page.locator(".new-table .play").click()
        expect(page.locator(".seats .seat").first).to_be_visible()
        page.goto("/")
        expect(page.locator(".tables.mine")).to_be_visible()
        expect(page.locator(".newcomer")).to_have_count(0)
