"""Clocks on the screen: chosen in the lobby, shown to guests who join, counted down by the server's time, announced
twice.
"""

import re

import pytest
from local_table import LocalTable, load_scenario
from playwright.sync_api import expect
from table import DESK, PHONE, axe_findings_in_both_schemes

from courtly.session.clocks import Clocks

LIVE_CLOCK, DAYS_CLOCK = {"minutes": 2, "seconds": 15}, {"days": 3}
BEGIN_MS = 1_700_000_000_000


class Clocked(LocalTable):
    """A table at which the test controls the time."""

    def __init__(self, table, clock, seat=0):
        self.clock, self.started_clocks, self.now = clock, None, BEGIN_MS
        table.page.clock.install(time=0)
        table.page.clock.pause_at(1)
        scenario = load_scenario("petition", "w05-three-fives")
        super().__init__(table, scenario.game, scenario.state, seat)

    @property
    def clocks(self):
        self.started_clocks = self.started_clocks or Clocks.start(self.clock, (), self.match, BEGIN_MS)
        return self.started_clocks.describe(self.now)

    @property
    def info(self):
        return super().info | {"clock": self.clock, "clocks": self.clocks}

    def advance(self, seconds):
        self.now += round(1000 * seconds)
        self.page.clock.run_for(round(1000 * seconds))

    def receive_clocks(self, clocks):
        self.page.evaluate("clocks => receiveMessage({ type: 'clocks', clocks })", clocks)

    def time(self, seat):
        return self.page.locator(f"[data-clock='{seat}']")


@pytest.mark.parametrize(
    "language, size, accessible_name, minute_warning, seconds_warning, timeout_note",
    [
        ("en", DESK, "15 s free, then 2 min 0 s left", "One minute left.", "15 seconds left.", "Ben"),
        ("ja", PHONE, "あと15秒は減らず、残り2分0秒", "残り1分です。", "残り15秒です。", "Benの時間が切れた"),
    ],
)
def test_the_remaining_time_counts_down_and_is_announced_twice(
    person, language, size, accessible_name, minute_warning, seconds_warning, timeout_note
):
    table = Clocked(person(language, size, uncached=True), LIVE_CLOCK)
    page, my_clock, announcement = table.page, table.time(0), table.page.locator(".time-said")
    assert table.match.pending == (0,)
    expect(my_clock).to_have_text("2:00 +15")
    expect(my_clock).to_have_accessible_name(accessible_name)
    expect(table.time(1)).to_have_text("2:00")
    box = my_clock.bounding_box()
    table.advance(14.5)
    expect(my_clock).to_have_text("2:00 +1")
    table.advance(1)
    expect(my_clock).to_have_text("2:00")
    table.advance(1)
    expect(my_clock).to_have_text("1:59")
    assert my_clock.bounding_box() == box, "the layout does not move"
    expect(announcement).to_be_empty()
    table.advance(60)
    expect(my_clock).to_have_text("0:59")
    expect(announcement).to_have_text(minute_warning)
    expect(my_clock).not_to_have_class(re.compile("low"))
    table.advance(30)
    expect(my_clock).to_have_class(re.compile("low"))
    delayed_clocks = table.clocks
    table.advance(5)
    table.receive_clocks(delayed_clocks)  # a delayed message
    expect(my_clock).to_have_text("0:24")
    table.advance(9)
    expect(announcement).to_have_text(seconds_warning)
    table.advance(60)
    expect(my_clock).to_have_text("0:00")
    clocks = table.clocks
    clocks["seats"][1] |= {"timeouts": 2}
    table.receive_clocks(clocks)
    expect(page.locator(".note")).to_contain_text(timeout_note)
    expect(table.time(1).locator("xpath=..").locator(".tag", has_text="×2")).to_be_visible()
    page.clock.resume()
    assert axe_findings_in_both_schemes(page) == []


@pytest.mark.parametrize(
    "language, text_at_start, text_later", [("en", "3 days left", "47 h left"), ("ja", "残り3日", "残り47時間")]
)
def test_days_are_counted_in_days(person, language, text_at_start, text_later):
    table = Clocked(person(language, PHONE, uncached=True), DAYS_CLOCK, seat=None)
    expect(table.time(0)).to_have_text(text_at_start)
    expect(table.time(1)).to_be_empty()
    clocks = table.clocks
    clocks["seats"][0]["free"] = 48 * 3_600_000 - 1
    table.receive_clocks(clocks)
    expect(table.time(0)).to_have_text(text_later)
    expect(table.page.locator(".time-said")).to_be_empty()


def test_a_clock_is_chosen_among_people_and_remembered(person):
    ada, ben = person().page, person("ja", PHONE).page
    ada.goto("/")
    ada.locator("[data-game=sealed_bids]").click()
    clock = ada.get_by_role("group", name="Clock")
    expect(clock).to_have_count(0)  # against bots
    ada.locator(".seat-list select").nth(1).select_option("open")
    expect(clock.locator("[aria-pressed=true]")).to_have_text("none")
    clock.get_by_role("button", name="5 min + 15 s").click()
    expect(clock).to_contain_text("the first 15 seconds of every decision are free")
    assert axe_findings_in_both_schemes(ada) == []
    ada.reload()
    ada.locator("[data-game=sealed_bids]").click()
    ada.locator(".seat-list select").nth(1).select_option("open")
    expect(clock.locator("[aria-pressed=true]")).to_have_text("5 min + 15 s")
    ada.locator(".play").click()
    ada.wait_for_url("**/t/*")
    expect(ada.locator(".options")).to_contain_text("5 min + 15 s")
    ben.goto("/")
    table = ben.locator(f".open a[href='{ada.url[ada.url.index('/t/') :]}']")
    expect(table.locator(".clock")).to_have_text("5分+15秒")
    table.click()
    ben.get_by_role("button", name="ここに座る").first.click()
    expect(ben.locator(".time")).to_have_count(2)  # a bot has none
    expect(ben.locator(".seat.me .time")).to_have_text("5:00")
    expect(ada.locator(".seat.me .time")).to_have_text(re.compile(r"5:00 \+\d+|4:\d\d"))
