"""The guest's page, and a link that gives another browser the guest's identity."""

import re

import pytest
from playwright.sync_api import expect
from table import DESK, PHONE, axe_findings_in_both_schemes
from test_dialogs import expect_it_fits


def finish(ask, table):
    """Play the game to its end by requests."""
    while not (view := ask.get(f"/api/tables/{table}/view?seat=0").json())["over"]:
        if view["legal"]:
            wish = {"seat": 0, "seq": view["seq"], "moves": [view["legal"][0]["id"]]}
            ask.post(f"/api/tables/{table}/moves", data=wish, headers={"idempotency-key": f"k{view['seq']}"})


@pytest.mark.parametrize(("language", "size"), [("en", DESK), ("ja", PHONE)])
def test_my_games(person, language, size):
    page = person(language, size).page
    ask = page.request
    ask.get("/api/me")
    page.goto("/me")
    expect(page.locator(".none a")).to_be_visible()
    ids = []
    for _ in range(3):
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
        ids.append(ask.post("/api/tables", data={"game": "sealed_bids", "players": 2, "seats": seats}).json()["id"])
    for table in ids[:2]:
        finish(ask, table)
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
    finish(ask, ids[2])
    expect(page.locator(".table-link.due")).to_have_count(0)  # updated at once
    page.locator("a[href='/me']").click()
    page.locator(".finished a[href*=ply]").first.click()
    expect(page).to_have_url(re.compile(f"/t/{ids[2]}"))


def test_another_browser_gets_the_identity_and_all_data_is_deleted(person):
    mine, other = person().page, person("ja", PHONE).page
    ask = mine.request
    ask.get("/api/me")
    ask.put("/api/me", data={"name": "Ada"})
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    table = ask.post("/api/tables", data={"game": "sealed_bids", "players": 2, "seats": seats}).json()["id"]
    other.goto("/")
    other.request.post("/api/tables", data={"game": "sealed_bids", "players": 2, "seats": seats})
    mine.goto("/me")
    mine.locator(".self .buttons button").first.click()
    expect(mine.locator("dialog .qr")).to_be_visible()
    expect_it_fits(mine)
    link = mine.locator("dialog input").input_value()
    other.goto(link)
    expect(other.get_by_role("alert")).to_be_visible()  # the other browser would lose a game of its own
    assert axe_findings_in_both_schemes(other) == []
    expect_it_fits(other, "main")
    other.locator("main button").click()
    expect(other.locator(".table-link")).to_have_attribute("href", f"/t/{table}")
    mine.goto(link)
    expect(mine.get_by_role("alert")).to_contain_text("used")
    other.locator(".self .buttons button").last.click()
    other.locator("dialog .buttons button").first.click()
    expect(other).to_have_url(re.compile("/$"))
    other.goto("/me")
    expect(other.locator(".none")).to_be_visible()


def test_signing_out_ends_the_access_of_other_devices(person):
    """The other browser, with its table open, becomes a spectator; this one plays on."""
    mine, other = person().page, person("ja", PHONE).page
    ask = mine.request
    ask.get("/api/me")
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    table = ask.post("/api/tables", data={"game": "sealed_bids", "players": 2, "seats": seats}).json()["id"]
    ticket = ask.post("/api/me/carry").json()["path"].rpartition("/")[2]
    assert other.request.post(f"/api/carry/{ticket}").ok
    for page in (mine, other):
        page.goto(f"/t/{table}")
        expect(page.locator("[data-move]").first).to_be_attached()
    mine.goto("/me")
    mine.locator(".self .buttons button").nth(2).click()
    expect_it_fits(mine)
    mine.locator("dialog .buttons button").first.click()
    expect(mine.locator(".note")).to_be_visible()
    expect(other.locator("[data-move]")).to_have_count(0)
    assert other.request.get("/api/me/games").status == 401
    mine.goto(f"/t/{table}")
    expect(mine.locator("[data-move]").first).to_be_attached()
