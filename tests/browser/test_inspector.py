"""The inspector of `courtly serve --dev`: any position, from any seat, with all hidden information; and pages that
reload when their author saves.
"""

import os

import pytest
from playwright.sync_api import expect
from ui_server import run_server

from courtly.scaffold import make_game

NAME = "tulip_fever"


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    return make_game(NAME, tmp_path_factory.mktemp("new")) / NAME


@pytest.fixture(scope="module")
def dev_server_url(package, tmp_path_factory):
    path = os.pathsep.join([str(package.parent), os.environ["PYTHONPATH"]])
    with run_server(tmp_path_factory.mktemp("data"), COURTLY_DEV="1", COURTLY_GAMES=NAME, PYTHONPATH=path) as address:
        yield address


def state_row(page, field, index=""):
    """Return the row of a field in the state table."""
    return page.locator(f".state tr[data-row='{field} {index}']")


def test_a_scenario_is_stepped_through_and_seen_from_all_seats(person, dev_server_url):
    page = person(url=dev_server_url).page
    page.goto("/")
    page.locator(f"[data-game={NAME}] a[href='/dev/{NAME}']").click()
    expect(page.locator(".is-pictured .own button").first).to_be_visible()
    page.locator(".inspector select").first.select_option("drives-away")
    expect(state_row(page, "given", "1")).to_contain_text("page 1, heir 2")
    page.locator(".forth").click()
    expect(state_row(page, "given", "1").locator("td").last).to_have_text("page 1")
    expect(state_row(page, "gone")).to_have_class("changed")
    expect(page.locator(".forth")).to_be_disabled()
    page.locator(".inspector .back").click()
    expect(state_row(page, "given", "1")).to_contain_text("page 1, heir 2")
    viewpoint_buttons = page.locator(".eyes button")
    viewpoint_buttons.last.click()  # the spectator's view
    expect(state_row(page, "hand", "0")).to_have_class("unseen-by")
    expect(page.locator(".spectating")).to_be_visible()
    viewpoint_buttons.nth(1).click()
    expect(state_row(page, "hand", "0")).not_to_have_class("unseen-by")
    page.locator(".inspector details:not(.beginning) summary").click()
    page.locator(".inspector .acts button").first.click()
    expect(page.locator(".forth")).to_be_disabled()  # it took another path
    page.reload()
    expect(state_row(page, "given", "0")).not_to_contain_text("–")  # the moves made are kept


def test_random_events_can_be_chosen(person, dev_server_url):
    page = person(url=dev_server_url).page
    page.goto(f"/dev/{NAME}")
    page.locator(".inspector [type=checkbox]").uncheck()
    page.locator(".inspector .first").click()
    expect(page.locator("p.now")).to_have_text("Chance decides")
    outcome = page.locator(".inspector .acts button").nth(1)
    expect(outcome).to_contain_text("×")
    outcome.click()
    expect(state_row(page, "left")).to_have_class("changed")
    page.locator(".inspector .acts button").first.click()  # at random, until a player decides
    expect(page.locator(".own button").first).to_be_visible()


def test_moves_are_undone_and_redone(person, dev_server_url):
    page = person(url=dev_server_url).page
    page.goto(f"/dev/{NAME}")
    expect(page.locator(".inspector .forth")).to_be_disabled()
    before = state_row(page, "size").inner_text(), state_row(page, "left").inner_text()
    page.locator(".inspector details:not(.beginning) summary").click()
    page.locator(".inspector .acts button").first.click()
    expect(state_row(page, "left")).not_to_have_text(
        before[1], use_inner_text=True
    )  # the next player draws automatically
    after = state_row(page, "size").inner_text(), state_row(page, "left").inner_text()
    page.locator(".inspector .back").click()
    expect(state_row(page, "left")).to_have_text(before[1], use_inner_text=True)
    expect(state_row(page, "size")).to_have_text(before[0], use_inner_text=True)
    page.locator(".inspector .forth").click()
    expect(state_row(page, "left")).to_have_text(after[1], use_inner_text=True)
    expect(page.locator(".inspector .forth")).to_be_disabled()


def test_saved_files_are_shown(person, dev_server_url, package):
    page = person(url=dev_server_url).page
    page.request.get("/api/me")
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    table_info = page.request.post("/api/tables", data={"game": NAME, "players": 2, "seats": seats}).json()
    page.goto(f"/t/{table_info['id']}")
    expect(page.locator(".own h2")).to_be_visible()
    texts_file = package / "en.ftl"
    texts_file.write_text(texts_file.read_text(encoding="utf-8").replace("Your hand", "Held by you"), encoding="utf-8")
    expect(page.locator(".own h2")).to_have_text("Held by you")


def test_saved_rules_take_effect_at_once(person, dev_server_url, package):
    page = person(url=dev_server_url).page
    page.goto(f"/dev/{NAME}")
    expect(state_row(page, "size")).to_contain_text("3 3")
    table_file = package / "table.py"
    text = table_file.read_text(encoding="utf-8")
    table_file.write_text(text.replace("HAND = 3", "HAND = = 3"), encoding="utf-8")
    expect(page.locator(".note")).to_contain_text("table.py:")
    table_file.write_text(text.replace("HAND = 3", "HAND = 2"), encoding="utf-8")
    expect(state_row(page, "size")).to_contain_text("2 0", timeout=30_000)  # the first hand has lost its third card
    page.locator(".inspector .acts button").first.click()
    expect(state_row(page, "size")).to_contain_text("2 2")
