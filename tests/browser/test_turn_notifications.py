"""Turn notifications for a player who is not looking: in the page, and the settings in its dialog."""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from playwright.sync_api import expect
from table import DESK, PHONE, axe_findings_in_both_schemes, play_pending_moves
from test_dialogs import expect_it_fits
from ui_server import run_server

RECORD_NOTIFICATIONS = """
    window.notifications = [];
    Object.defineProperty(document, "hidden", { get: () => window.away === true });
    window.look = (away) => { window.away = away; document.dispatchEvent(new Event("visibilitychange")); };
    window.Notification = class {
        static permission = "default";
        static requestPermission() { Notification.permission = "granted"; return Promise.resolve("granted"); }
        constructor(title) { notifications.push(title); }
        close() { notifications.push("closed"); }
    };
    window.OscillatorNode = class extends OscillatorNode {
        constructor(...args) { super(...args); notifications.push("note"); }
    };
"""


def recorded_notifications(page):
    return page.evaluate("notifications.splice(0)")


def test_a_turn_that_begins_while_the_player_is_not_looking(person):
    page, other_requests = person().page, person().page.request
    page.add_init_script(RECORD_NOTIFICATIONS)
    page.request.get("/api/me")
    other_requests.get("/api/me")
    seats = [{"kind": "me"}, {"kind": "open"}]
    table_info = page.request.post("/api/tables", data={"game": "petition", "players": 2, "seats": seats}).json()
    table, icon = table_info["id"], page.locator("link[rel=icon]")
    other_requests.post(f"/api/tables/{table}/sit", data={})
    page.goto(f"/t/{table}")

    def play_round(away):
        play_pending_moves(other_requests, table, 1)  # the first player is drawn
        expect(icon).to_have_attribute("href", re.compile("logo-turn.svg$"))
        page.mouse.click(5, 400)  # a user interaction
        play_pending_moves(page.request, table, 0)
        expect(icon).to_have_attribute("href", re.compile("logo.svg$"))
        page.evaluate("away => { notifications.length = 0; look(away); }", away)
        play_pending_moves(other_requests, table, 1)
        expect(icon).to_have_attribute("href", re.compile("logo-turn.svg$"))

    play_round(away=False)
    assert recorded_notifications(page) == []  # no sound right after an own move
    play_round(away=True)
    assert recorded_notifications(page) == ["note"] * 4  # two notes, each with an overtone
    page.evaluate("look(false)")
    page.locator(".offer button").first.click()
    expect(page.locator(".offer")).to_have_count(0)
    play_round(away=True)
    notifications = recorded_notifications(page)
    assert notifications[:4] == ["note"] * 4 and "To Court the King" in notifications[4] and len(notifications) == 5
    page.evaluate("look(false)")
    assert recorded_notifications(page) == ["closed"]
    page.evaluate("localStorage.setItem('courtly-sound', 'off')")
    page.reload()
    play_round(away=True)
    assert "note" not in recorded_notifications(page)


@pytest.fixture(scope="module")
def reachable(tmp_path_factory):
    with run_server(
        tmp_path_factory.mktemp("reachable"),
        COURTLY_ADDRESS="https://games.example",
        COURTLY_MAIL="smtp://127.0.0.1:9",
        COURTLY_MAIL_FROM="house@games.example",
        COURTLY_ALLOW_LOCAL_WEBHOOKS="1",
    ) as address:
        yield address


@pytest.fixture
def hook():
    got = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            got.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", got
    server.shutdown()


@pytest.mark.parametrize(("language", "size"), [("en", DESK), ("ja", PHONE)])
def test_notification_settings(person, reachable, hook, language, size):
    table = person(language, size, url=reachable)
    page, (address, got) = table.page, hook
    table.start("sealed_bids")
    menu, choices = page.locator(".tools button").last, page.locator("dialog.menu .buttons button")
    menu.click()
    choices.filter(has_text="Notifications" if language == "en" else "手番のお知らせ").click()
    form = page.locator("dialog.notification-settings .away")
    expect(form).to_be_visible()
    assert axe_findings_in_both_schemes(page) == []
    form.locator("input[type=email]").fill("nobody")
    form.locator("button").click()
    expect(form.get_by_role("alert")).to_be_visible()
    expect_it_fits(page, "dialog.notification-settings")
    form.locator("input[type=email]").fill("")
    form.locator("input[type=url]").fill(address)
    form.locator("select").select_option("discord")
    form.locator("button").click()
    expect(page.get_by_text("Saved." if language == "en" else "保存しました。")).to_be_visible()
    assert "Courtly" in got[0]["content"]
    page.reload()
    menu.click()
    choices.filter(has_text="Notifications" if language == "en" else "手番のお知らせ").click()
    expect(form.locator("input[type=url]")).to_have_value(address)
    expect(form.locator("select")).to_have_value("discord")


def test_an_invalid_mail_link_gives_an_error(person):
    page = person().page
    page.goto("/mail/false")
    expect(page.get_by_role("alert")).to_contain_text("does nothing")
