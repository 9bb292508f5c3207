"""Small features of a table: a QR code for its link, private notes, a move that waits for the connection."""

import re

from layout import layout_findings
from playwright.sync_api import expect
from table import PHONE, axe_findings_in_both_schemes

CORNER = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]


def squares(page):
    """Return the dark modules of the QR code, and their number per side without the quiet zone."""
    size = int(page.locator(".qr").get_attribute("viewBox").split()[-1])
    path = page.locator(".qr path").last.get_attribute("d")
    dark = {(int(x) - 4, int(y) - 4) for x, y in re.findall(r"M(\d+) (\d+)", path)}
    return dark, size - 8


def test_a_link_is_shown_as_a_qr_code(person):
    table = person("ja", PHONE)
    table.start("petition")
    page = table.page
    page.get_by_role("button", name="メニュー").click()
    page.get_by_role("button", name="QRコード").click()
    expect(page.locator(".qr")).to_have_attribute("aria-label", page.url)
    dark, size = squares(page)
    assert (size - 17) % 4 == 0 and size >= 21
    for left, top in ((0, 0), (size - 7, 0), (0, size - 7)):
        assert ["".join("01"[(left + x, top + y) in dark] for x in range(7)) for y in range(7)] == CORNER, (
            "a finder pattern"
        )
    assert layout_findings(page) == [] and axe_findings_in_both_schemes(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="別の端末へ移す").click()
    expect(page.locator(".qr")).to_have_attribute("aria-label", re.compile("/j/"))


def test_a_guest_sees_who_is_waiting_and_the_terms_before_taking_a_seat(person):
    host, guest = person().page, person("ja", PHONE).page
    host.goto("/")
    host.locator("[data-game=sealed_bids]").click()
    host.locator(".seat-list select").nth(1).select_option("open")
    host.locator(".play").click()
    expect(host.locator(".waiting.sheet")).to_be_visible()
    guest.goto(host.url)
    expect(guest.locator(".waiting .present")).to_have_text("獅子が待っています。")
    expect(guest.locator(".options")).to_contain_text(re.compile("持ち時間\\s*なし\\s*ヒントと勝率\\s*使わない"))
    assert layout_findings(guest) == [] and axe_findings_in_both_schemes(guest) == []
    guest.get_by_role("button", name="メニュー").click()
    expect(guest.locator("dialog .languages")).to_contain_text("言語")


def test_notes_stay_in_this_browser(person):
    table = person()
    table.start("petition", players=3)
    page, notes, request_log = table.page, table.page.get_by_role("textbox", name="My notes"), "requests"
    page.locator(".own-notes summary").click()
    page.evaluate(
        "window.requests = []; const { fetch } = window; window.fetch = (...a) => (requests.push(a), fetch(...a))"
    )
    notes.fill("<b>Lily</b> keeps sixes. زهرة")
    table.click_randomly(max_clicks=2)
    expect(notes).to_have_value("<b>Lily</b> keeps sixes. زهرة")
    assert "Lily" not in str(page.evaluate(request_log))
    page.reload()
    expect(notes).to_have_value("<b>Lily</b> keeps sixes. زهرة")
    assert axe_findings_in_both_schemes(page) == []
    other_browser = person()
    other_browser.page.goto(page.url)
    expect(other_browser.page.locator(".own-notes")).to_have_count(1)
    assert "sixes" not in other_browser.page.content()
    table.start("petition", players=3)
    expect(page.locator(".own-notes textarea")).to_have_value("")


def test_a_move_without_a_connection_is_shown_as_waiting_and_survives_a_reload(person):
    table = person()
    page, offline = table.page, []

    def connect(socket):
        if offline:
            socket.close(code=1011)
        else:
            server = socket.connect_to_server()
            sockets.append((socket, server))

    sockets = []
    page.route_web_socket(re.compile("/ws/tables/"), connect)
    table.start("petition")
    table.wait_for_me()
    offline.append(True)
    for side in sockets[-1]:
        side.close(code=1011)
    notice = page.locator(".lost")
    expect(notice).to_be_visible()
    page.get_by_role("button", name="Keep all").click()
    expect(notice).to_contain_text("will be sent when you are back online")
    expect(page.locator(".now")).not_to_contain_text("Claim")
    offline.clear()
    page.reload()
    expect(page.locator(".now")).to_contain_text("Claim")
    expect(page.locator(".sending, .lost")).to_have_count(0)
    assert page.evaluate("Object.values(JSON.parse(localStorage['courtly-tables'])).every(({ sent }) => !sent)")
