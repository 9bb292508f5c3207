"""Whole games with clocks in the browser, against a player who moves in time and one who never returns. The test
controls the time, so the machine's speed does not matter.
"""

import pytest
from guests import SECRET_BIDS, Server, until
from playwright.sync_api import expect
from table import DESK, MOVE, PHONE, axe_findings_in_both_schemes
from ui_server import NO_DELAYS

# a file contains the server's time, in ms since its start
FAKE_TIME = """
import asyncio, os, time
from pathlib import Path
hour = Path(os.environ["FAKE_TIME"])
time.time_ns = lambda: (1_700_000_000_000 + int(hour.read_text())) * 1_000_000
from courtly.server.actions import flag_timers as flags; from courtly.server import timekeeping
timekeeping.TIMEKEEPER = timekeeping.Timekeeper(*[timekeeping.wall_ms] * 2)
timekeeping.GAP_MS = float("inf")  # it jumps
def later(seconds, call):
    due = time.time_ns() + seconds * 1_000_000_000
    async def wait():
        while time.time_ns() < due:
            await asyncio.sleep(0.02)
        call()
    return asyncio.get_running_loop().create_task(wait())
flags.call_later = later
"""
OUT = {"en": ("time out ×2", "bot stands in", "The game is over"), "ja": ("時間切れ×2", "ボットが代行", "ゲーム終了")}
STAYS, LEAVES = "plays in time", "never returns"


@pytest.mark.parametrize(
    ("language", "size", "other"),
    [
        ("en", DESK, LEAVES),
        ("ja", PHONE, STAYS),
        pytest.param("ja", PHONE, LEAVES, marks=pytest.mark.long),
        pytest.param("en", DESK, STAYS, marks=pytest.mark.long),
    ],
)
def test_a_whole_game_with_clocks(person, tmp_path, language, size, other):
    hour, now = tmp_path / "hour", 0
    hour.write_text("0")

    def passes(seconds):
        nonlocal now
        now += 1000 * seconds
        (tmp_path / "next").write_text(str(now))
        (tmp_path / "next").replace(hour)

    with Server(tmp_path / "data", first=FAKE_TIME, FAKE_TIME=str(hour), **NO_DELAYS) as server:
        table, ben = person(language, size, url=server.url), server.guest("Ben")
        page, ask = table.page, table.page.request
        ask.get("/api/me")
        wish = {"game": "sealed_bids", "players": 2, "options": SECRET_BIDS, "clock": {"minutes": 1, "seconds": 10}}
        made = ask.post("/api/tables", data={**wish, "seats": [{"kind": "me"}, {"kind": "open"}]}).json()["id"]
        assert ben.command(made, "sit").status == 200
        page.goto(f"/t/{made}")
        table.plain()
        outs = 0

        def charged():
            """Return how often in a row Ben's time has run out; 3 if a bot has his seat."""
            told = ben.table(made)
            return 3 if told["seats"][1]["standin"] or not told["clocks"] else told["clocks"]["seats"][1]["outs"]

        while not (mine := ask.get(f"/api/tables/{made}/view?seat=0").json())["over"]:
            if mine["legal"]:
                if table.click(MOVE):  # the page gives an only possible answer itself
                    until(lambda before=mine: ask.get(f"/api/tables/{made}/view?seat=0").json()["seq"] > before["seq"])
                continue
            view = ben.view(made, 1)
            if not view["legal"] or ben.table(made)["seats"][1]["standin"]:
                continue
            if other == STAYS:
                passes(11)  # one second more than the free time
                ben.play(made, 1, view["seq"], view["legal"][0]["id"])  # rejected if she has answered meanwhile
                continue
            passes(75)
            outs = until(lambda before=outs: found if (found := charged()) > before else None)
            if outs == 2:
                expect(page.locator(".seats")).to_contain_text(OUT[language][0])
        twice, standing_in, over = OUT[language]
        expect(page.locator("#end-heading")).to_have_text(over)
        expect(page.locator(".ranks li")).to_have_count(2)
        seats = page.locator(".seats")
        if other == LEAVES:
            expect(seats).to_contain_text(standing_in)
        else:
            expect(seats).not_to_contain_text(standing_in)
        assert axe_findings_in_both_schemes(page) == []
        page.close()  # before the server stops
