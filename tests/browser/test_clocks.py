"""Clocks on the screen: chosen in the lobby, shown to guests who join, counted down by the server's time, announced
twice.
"""

import re

import pytest
from local_table import LocalTable, load_scenario
from playwright.sync_api import expect
from table import DESK, PHONE, axe_findings_in_both_schemes

from courtly.session.clocks import Clocks

LIVE, DAYS = {"minutes": 2, "seconds": 15}, {"days": 3}
BEGIN = 1_700_000_000_000


class Clocked(LocalTable):
    """A table at which the test controls the time."""

    def __init__(self, table, clock, seat=0):
        self.clock, self.begun, self.now = clock, None, BEGIN
        table.page.clock.install(time=0)
        table.page.clock.pause_at(1)
        found = load_scenario("petition", "w05-three-fives")
        super().__init__(table, found.game, found.state, seat)

    @property
    def clocks(self):
        self.begun = self.begun or Clocks.begin(self.clock, (), self.match, BEGIN)
        return self.begun.show(self.now)

    @property
    def info(self):
        return super().info | {"clock": self.clock, "clocks": self.clocks}

    def passes(self, seconds):
        self.now += round(1000 * seconds)
        self.page.clock.run_for(round(1000 * seconds))

    def hear(self, clocks):
        self.page.evaluate("clocks => receiveMessage({ type: 'clocks', clocks })", clocks)

    def time(self, seat):
        return self.page.locator(f"[data-clock='{seat}']")


@pytest.mark.parametrize(
    "language, size, words, minute, soon, out",
    [
        ("en", DESK, "15 s free, then 2 min 0 s left", "One minute left.", "15 seconds left.", "Ben"),
        ("ja", PHONE, "あと15秒は減らず、残り2分0秒", "残り1分です。", "残り15秒です。", "Benの時間が切れた"),
    ],
)
def test_the_remaining_time_counts_down_and_is_announced_twice(person, language, size, words, minute, soon, out):
    table = Clocked(person(language, size, uncached=True), LIVE)
    page, mine, said = table.page, table.time(0), table.page.locator(".time-said")
    assert table.match.pending == (0,)
    expect(mine).to_have_text("2:00 +15")
    expect(mine).to_have_accessible_name(words)
    expect(table.time(1)).to_have_text("2:00")
    place = mine.bounding_box()
    table.passes(14.5)
    expect(mine).to_have_text("2:00 +1")
    table.passes(1)
    expect(mine).to_have_text("2:00")
    table.passes(1)
    expect(mine).to_have_text("1:59")
    assert mine.bounding_box() == place, "the layout does not move"
    expect(said).to_be_empty()
    table.passes(60)
    expect(mine).to_have_text("0:59")
    expect(said).to_have_text(minute)
    expect(mine).not_to_have_class(re.compile("low"))
    table.passes(30)
    expect(mine).to_have_class(re.compile("low"))
    late = table.clocks
    table.passes(5)
    table.hear(late)  # a delayed message
    expect(mine).to_have_text("0:24")
    table.passes(9)
    expect(said).to_have_text(soon)
    table.passes(60)
    expect(mine).to_have_text("0:00")
    told = table.clocks
    told["seats"][1] |= {"outs": 2}
    table.hear(told)
    expect(page.locator(".note")).to_contain_text(out)
    expect(table.time(1).locator("xpath=..").locator(".tag", has_text="×2")).to_be_visible()
    page.clock.resume()
    assert axe_findings_in_both_schemes(page) == []


@pytest.mark.parametrize(
    "language, begun, later", [("en", "3 days left", "47 h left"), ("ja", "残り3日", "残り47時間")]
)
def test_days_are_counted_in_days(person, language, begun, later):
    table = Clocked(person(language, PHONE, uncached=True), DAYS, seat=None)
    expect(table.time(0)).to_have_text(begun)
    expect(table.time(1)).to_be_empty()
    told = table.clocks
    told["seats"][0]["free"] = 48 * 3_600_000 - 1
    table.hear(told)
    expect(table.time(0)).to_have_text(later)
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
    expect(table.locator(".clock")).to_have_text("5分＋15秒")
    table.click()
    ben.get_by_role("button", name="ここに座る").first.click()
    expect(ben.locator(".time")).to_have_count(2)  # a bot has none
    expect(ben.locator(".seat.me .time")).to_have_text("5:00")
    expect(ada.locator(".seat.me .time")).to_have_text(re.compile(r"5:00 \+\d+|4:\d\d"))
