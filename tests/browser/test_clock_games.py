"""Whole games with clocks in the browser, against a player who moves in time and one who never returns. The test
controls the time, so the machine's speed does not matter.
"""

import pytest
from guests import SECRET_BIDS, Server, wait_until
from playwright.sync_api import expect
from table import DESK, MOVE, PHONE, RESULTS, axe_findings_in_both_schemes
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
SEAT_TEXTS = {"en": ("time out ×2", "bot stands in"), "ja": ("時間切れ×2", "ボットが代行")}
PLAYS_IN_TIME, NEVER_RETURNS = "plays in time", "never returns"


@pytest.mark.parametrize(
    ("language", "size", "opponent"),
    [
        ("en", DESK, NEVER_RETURNS),
        ("ja", PHONE, PLAYS_IN_TIME),
        pytest.param("ja", PHONE, NEVER_RETURNS, marks=pytest.mark.long),
        pytest.param("en", DESK, PLAYS_IN_TIME, marks=pytest.mark.long),
    ],
)
def test_a_whole_game_with_clocks(person, tmp_path, language, size, opponent):
    clock_file, now_ms = tmp_path / "hour", 0
    clock_file.write_text("0")

    def advance_clock(seconds):
        nonlocal now_ms
        now_ms += 1000 * seconds
        (tmp_path / "next").write_text(str(now_ms))
        (tmp_path / "next").replace(clock_file)

    with Server(tmp_path / "data", first=FAKE_TIME, FAKE_TIME=str(clock_file), **NO_DELAYS) as server:
        table, ben = person(language, size, url=server.url), server.guest("Ben")
        page, requests = table.page, table.page.request
        requests.get("/api/me")
        request = {"game": "sealed_bids", "players": 2, "options": SECRET_BIDS, "clock": {"minutes": 1, "seconds": 10}}
        table_id = requests.post("/api/tables", data={**request, "seats": [{"kind": "me"}, {"kind": "open"}]}).json()[
            "id"
        ]
        assert ben.command(table_id, "sit").status == 200
        page.goto(f"/t/{table_id}")
        table.plain()
        timeouts = 0

        def count_timeouts():
            """Return how often in a row Ben's time has run out; 3 if a bot has his seat."""
            table_info = ben.table(table_id)
            return (
                3
                if table_info["seats"][1]["substitute"] or not table_info["clocks"]
                else table_info["clocks"]["seats"][1]["timeouts"]
            )

        while not (my_view := requests.get(f"/api/tables/{table_id}/view?seat=0").json())["over"]:
            if my_view["legal"]:
                if table.click(MOVE):  # the page gives an only possible answer itself
                    wait_until(
                        lambda before=my_view: (
                            requests.get(f"/api/tables/{table_id}/view?seat=0").json()["seq"] > before["seq"]
                        )
                    )
                continue
            view = ben.view(table_id, 1)
            if not view["legal"] or ben.table(table_id)["seats"][1]["substitute"]:
                continue
            if opponent == PLAYS_IN_TIME:
                advance_clock(11)  # one second more than the free time
                ben.play(table_id, 1, view["seq"], view["legal"][0]["id"])  # rejected if she has answered meanwhile
                continue
            advance_clock(75)
            timeouts = wait_until(lambda before=timeouts: count if (count := count_timeouts()) > before else None)
            if timeouts == 2:
                expect(page.locator(".seats")).to_contain_text(SEAT_TEXTS[language][0])
        timeout_text, substitute_text = SEAT_TEXTS[language]
        expect(page.locator("#end-heading")).to_have_text(RESULTS[language])
        expect(page.locator(".ranks li")).to_have_count(2)
        seats = page.locator(".seats")
        if opponent == NEVER_RETURNS:
            expect(seats).to_contain_text(substitute_text)
        else:
            expect(seats).not_to_contain_text(substitute_text)
        assert axe_findings_in_both_schemes(page) == []
        page.close()  # before the server stops
