"""The guest's page, and a link that gives another browser the guest's identity."""

import re

import pytest
from layout import layout_findings
from playwright.sync_api import expect
from table import DESK, PHONE, axe_findings_in_both_schemes
from test_dialogs import expect_it_fits


def finish(requests, table):
    """Play the game to its end by requests."""
    while not (view := requests.get(f"/api/tables/{table}/view?seat=0").json())["over"]:
        if view["legal"]:
            request = {"seat": 0, "seq": view["seq"], "moves": [view["legal"][0]["id"]]}
            requests.post(f"/api/tables/{table}/moves", data=request, headers={"idempotency-key": f"k{view['seq']}"})


def with_help(games):
    return [{**game, "help_available": True} for game in games]


@pytest.mark.parametrize(("language", "size"), [("en", DESK), ("ja", PHONE)])
def test_the_guest_page_lists_the_guests_games(person, language, size):
    page = person(language, size).page
    requests = page.request
    requests.get("/api/me")
    page.goto("/me")
    expect(page.locator(".none a")).to_be_visible()
    ids = []
    for _ in range(3):
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
        ids.append(
            requests.post("/api/tables", data={"game": "sealed_bids", "players": 2, "seats": seats}).json()["id"]
        )
    for table in ids[:2]:
        finish(requests, table)
    page.reload()
    expect(page.locator(".finished > li")).to_have_count(2)
    expect(page.locator(".tallies tbody tr")).to_have_count(1)
    expect(page.locator(".table-link.due")).to_have_attribute("href", f"/t/{ids[2]}")
    assert axe_findings_in_both_schemes(page) == []
    expect_it_fits(page, ".me")
    page.locator(".self input").fill("Ada")
    page.locator(".self form button").click()
    page.reload()
    expect(page.locator(".self input")).to_have_value("Ada")
    page.goto("/")
    expect(page.locator(".table-link.due")).to_have_attribute("href", f"/t/{ids[2]}")
    finish(requests, ids[2])
    expect(page.locator(".table-link.due")).to_have_count(0)  # updated at once
    page.locator("a[href='/me']").click()
    watch = page.locator(".finished a[href*=ply]").first
    expect(watch).to_have_attribute("href", f"/t/{ids[2]}?ply=0&seat=0")  # as the guest saw it
    watch.click()
    expect(page).to_have_url(re.compile(f"/t/{ids[2]}"))
    page.go_back()
    reviews = page.locator(".finished a[href*=review]")
    expect(page.locator(".finished > li")).to_have_count(3)
    expect(reviews).to_have_count(0)  # without machine code there are none
    page.route("**/api/games?brief=true", lambda route: route.fulfill(json=with_help(route.fetch().json())))
    page.reload()
    expect(reviews).to_have_count(3)
    expect(reviews.first).to_have_attribute("href", f"/t/{ids[2]}?ply=0&review")


def test_points_are_listed_only_if_they_are_the_result(person):
    """In To Court the King the result is the best group of dice, and the points are a number of characters."""
    page = person().page
    page.request.get("/api/me")
    seat = {"kind": "person", "name": "", "you": True, "place": 1, "points": 7}
    game = {"table": "x", "ended_at": "2026-11-30T12:00:00Z", "rematch_id": None}
    games = [{**game, "game": name, "seats": [{**seat, "seat": 0}]} for name in ("petition", "puppet")]
    answer = {"running": [], "finished": games, "after": None, "tallies": []}
    units = {"petition": "characters", "puppet": "points"}
    page.route("**/api/me/games", lambda route: route.fulfill(json={**answer, "units": units}))
    page.goto("/me")
    expect(page.locator(".finished > li").nth(1)).to_contain_text("7 points")
    expect(page.locator(".finished > li").first).not_to_contain_text("characters")


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("width", [360, 390, 560])
def test_on_a_phone_the_whole_table_of_statistics_is_in_view(person, language, width):
    page = person(language, (width, 740)).page
    tallies = [
        dict(game=game, players=players, people=people, played=128, won=128, points=points)
        for game, points in (("newtown", 104.5), ("petition", 12.5), ("necklace", 238.5), ("puppet", None))
        for players, people in ((2, False), (5, True))
    ]
    page.route("**/api/me/games", lambda route: route.fulfill(json={**route.fetch().json(), "tallies": tallies}))
    page.goto("/me")
    expect(page.locator(".tallies tbody tr")).to_have_count(len(tallies))
    right, cells = page.evaluate("""() => pageControl.whilePainted(() => {
        const cells = [...document.querySelectorAll(".tallies :is(th, td)")].map((cell) => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            return [cell.textContent, range.getBoundingClientRect().right];
        });
        return [document.querySelector(".wide").getBoundingClientRect().right, cells];
    })""")
    assert [cell for cell in cells if cell[1] > right] == []
    assert page.evaluate("(wide => wide.scrollWidth - wide.clientWidth)(document.querySelector('.wide'))") <= 0
    assert layout_findings(page) == [] and axe_findings_in_both_schemes(page) == []


def test_no_line_breaks_within_a_japanese_word(person):
    page = person("ja", PHONE).page
    page.goto("/me")
    lines = page.locator(".self > p").evaluate("""text => {
        const node = [...text.childNodes].find(({ data }) => data?.includes("ブラウザー"));
        const range = document.createRange();
        range.setStart(node, node.data.indexOf("ブラウザー"));
        range.setEnd(node, range.startOffset + 5);
        return range.getClientRects().length;
    }""")
    assert lines == 1


def test_another_browser_gets_the_identity_and_all_data_is_deleted(person):
    page, other_page = person().page, person("ja", PHONE).page
    requests = page.request
    requests.get("/api/me")
    requests.put("/api/me", data={"name": "Ada"})
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    table = requests.post("/api/tables", data={"game": "sealed_bids", "players": 2, "seats": seats}).json()["id"]
    other_page.goto("/")
    other_page.request.post("/api/tables", data={"game": "sealed_bids", "players": 2, "seats": seats})
    page.goto("/me")
    page.locator(".self .buttons button").first.click()
    expect(page.locator("dialog .qr")).to_be_visible()
    expect_it_fits(page)
    link = page.locator("dialog input").input_value()
    other_page.goto(link)
    expect(other_page.get_by_role("alert")).to_be_visible()  # the other browser would lose a game of its own
    assert axe_findings_in_both_schemes(other_page) == []
    expect_it_fits(other_page, "main")
    other_page.locator("main button").click()
    expect(other_page.locator(".table-link")).to_have_attribute("href", f"/t/{table}")
    page.goto(link)
    expect(page.get_by_role("alert")).to_contain_text("used")
    other_page.locator(".self .buttons button").last.click()
    other_page.locator("dialog .buttons button").first.click()
    expect(other_page).to_have_url(re.compile("/$"))
    other_page.goto("/me")
    expect(other_page.locator(".none")).to_be_visible()


def test_a_guest_signs_out_everywhere_else(person):
    """The other browser, with its table open, becomes a spectator; this one plays on."""
    my_page, other_page = person().page, person("ja", PHONE).page
    requests = my_page.request
    requests.get("/api/me")
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    table = requests.post("/api/tables", data={"game": "sealed_bids", "players": 2, "seats": seats}).json()["id"]
    ticket = requests.post("/api/me/identity-link").json()["path"].rpartition("/")[2]
    assert other_page.request.post(f"/api/identity-link/{ticket}").ok
    for page in (my_page, other_page):
        page.goto(f"/t/{table}")
        expect(page.locator("[data-move]").first).to_be_attached()
    my_page.goto("/me")
    my_page.locator(".self .buttons button").nth(2).click()
    expect_it_fits(my_page)
    my_page.locator("dialog .buttons button").first.click()
    expect(my_page.locator(".note")).to_be_visible()
    expect(other_page.locator("[data-move]")).to_have_count(0)
    assert other_page.request.get("/api/me/games").status == 401
    my_page.goto(f"/t/{table}")
    expect(my_page.locator("[data-move]").first).to_be_attached()
