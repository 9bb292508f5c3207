"""A player who closes the page has a grace period to return, and everyone sees it count down."""

import re

import pytest
from local_table import LocalTable, load_scenario
from playwright.sync_api import expect
from ui_server import run_server


@pytest.fixture(scope="module")
def server_url(tmp_path_factory):
    """A server with the default grace period, unlike the one of conftest.py."""
    with run_server(tmp_path_factory.mktemp("data")) as address:
        yield address


def test_a_player_may_come_back_within_the_grace_period(person):
    ada, ben = person(), person()
    page = ada.page
    page.goto("/")
    page.locator("[data-game=sealed_bids]").click()
    page.locator(".seat-list select").nth(1).select_option("open")
    page.locator(".play").click()
    page.wait_for_url("**/t/*")
    ben.page.goto(page.url)
    ben.page.get_by_role("button", name="Sit here").first.click()
    expect(page.locator(".seats .seat")).to_have_count(3)
    expect(page.get_by_role("timer")).to_have_count(0)
    ben.page.goto("/")
    timer = page.get_by_role("timer")
    expect(timer).to_have_text(re.compile(r"away · \d+\ss. A bot may play on in \d+\ss"))
    expect(timer).not_to_have_text(timer.text_content())  # it counts down
    expect(page.get_by_role("button", name="Let a bot play on")).to_have_count(0)


class TwoPlayersAway(LocalTable):
    """The second player has just left; the third left long ago."""

    @property
    def info(self):
        info = super().info
        for seat, grace in ((1, 50), (2, 0)):
            info["seats"][seat] |= {"connected": False, "grace_seconds": grace}
        return info


def test_a_timer_counts_down_beside_a_seat_whose_grace_period_is_over(person):
    table, scenario = person(), load_scenario("puppet", "v16-names-on-offer")
    TwoPlayersAway(table, scenario.game, scenario.state, 0)
    timer = table.page.get_by_role("timer")
    for _ in range(4):  # longer than the page takes to come to rest
        expect(timer).not_to_have_text(timer.text_content())
