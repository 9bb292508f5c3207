"""Each player's colour: chosen at one table, requested at the next, seen by everyone."""

from playwright.sync_api import expect
from table import axe_findings_in_both_schemes


def seat_colour(page, seat):
    return page.locator(f".seats .seat.tint-{seat} .shield .field").evaluate("field => getComputedStyle(field).fill")


def test_a_colour_is_chosen_shown_to_everyone_and_requested_at_the_next_table(person):
    ada, ben = person(), person("ja")
    ada.start("petition", players=3)
    page = ada.page
    red, blue = seat_colour(page, 0), seat_colour(page, 1)
    ben.page.goto(page.url)
    expect(ben.page.locator(".seats .seat")).to_have_count(3)
    page.get_by_role("button", name="Menu").click()
    chooser = page.get_by_role("group", name="My colour")
    chooser.get_by_role("button", name="Blue").click()
    expect(chooser.get_by_role("button", name="Blue")).to_have_attribute("aria-pressed", "true")
    assert axe_findings_in_both_schemes(page) == []
    expect(ben.page.locator(".seat.tint-0 .shield .field")).to_have_css("fill", blue)
    assert [seat_colour(ben.page, seat) for seat in range(2)] == [blue, red]
    ben.page.get_by_role("button", name="メニュー").click()
    expect(ben.page.get_by_role("group", name="自分の色")).to_have_count(0)
    # a table opened in the lobby
    page.goto("/")
    page.locator("[data-game=petition]").click()
    page.locator(".play").click()
    page.wait_for_url("**/t/*")
    expect(page.locator(".seats .seat.me .shield .field")).to_have_css("fill", blue)
