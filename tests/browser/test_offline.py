"""Installed like an app; and where no server can be reached, a page says so."""

import json
import struct
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest
from layout import findings_in_every_font
from playwright.sync_api import expect
from serving import serving
from table import PHONE, findings

HASH = "document.querySelector('link[rel=manifest]').href.split('/')[4]"
KEPT = """async hash => {
    await (await navigator.serviceWorker.ready).update();
    while ((await caches.keys()).join() !== `/s/${hash}`) await new Promise(requestAnimationFrame);
}"""


def installed(person, language="en", **more):
    """The page of a browser that keeps what it is given to keep."""
    page = person(language, PHONE, installs=True, **more).page
    page.goto("/")
    expect(page.locator(".door").first).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    return page


def test_it_can_be_installed(person, house):
    page = installed(person)
    tools = page.context.new_cdp_session(page)
    told = tools.send("Page.getAppManifest")
    assert told["errors"] == [] and tools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    manifest = json.loads(told["data"])
    assert {icon.get("purpose", "any") for icon in manifest["icons"]} == {"any", "maskable"}
    icons = [(icon["src"], icon["sizes"]) for icon in manifest["icons"] if icon["type"] == "image/png"]
    for source, sizes in [*icons, ("icons/apple-180.png", "180x180")]:
        answer = page.request.get(f"{told['url'].rpartition('/')[0]}/{source}")
        assert "{}x{}".format(*struct.unpack(">II", answer.body()[16:24])) == sizes
    # what the system draws around the page is what lies behind it, in either light
    theme = page.locator("meta[name=theme-color]")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    seen = {manifest["theme_color"], manifest["background_color"]}
    for scheme in ("light", "dark"):
        page.evaluate(f"localStorage.setItem('courtly-scheme', '{scheme}')")
        page.reload()
        expect(theme).to_have_attribute("content", page.evaluate(ground))
    assert seen == {"#{:02x}{:02x}{:02x}".format(*map(int, page.evaluate(ground)[4:-1].split(",")))}


@pytest.mark.parametrize(
    ("language", "says", "again"), [("en", "No connection", "Try again"), ("ja", "接続していません", "もう一度試す")]
)
def test_without_a_connection_a_page_says_so(person, house, language, says, again):
    page = installed(person, language)
    page.context.set_offline(True)
    page.goto("/t/whatever")
    expect(page.get_by_role("heading")).to_have_text(says)
    assert findings(page) == [] and findings_in_every_font(page) == []
    asked = "fetch('/api/games').then(answer => answer.status, () => 'nobody')"
    assert page.evaluate(asked) == "nobody"
    with page.expect_navigation():
        page.get_by_role("button", name=again).click()
    expect(page.get_by_role("heading")).to_have_text(says)
    page.context.set_offline(False)  # and it finds out by itself
    expect(page.get_by_role("button", name=again)).to_have_count(0)
    expect(page.locator(".nowhere a.button")).to_be_visible()
    expect(page).to_have_url(f"{house}/t/whatever")


def test_what_is_kept_does_not_outlive_the_files_it_came_with(person, tmp_path):
    """Another server at the same address has other files: its pages are its own, and soon what is kept is too."""
    with ExitStack() as open_one:
        house = open_one.enter_context(serving(tmp_path))
        page = installed(person, at=house)
        first = page.evaluate(HASH)
        page.evaluate(KEPT, first)
        open_one.close()
        with serving(tmp_path, urlsplit(house).port, COURTLY_GAMES=""):
            page.goto("/")
            expect(page.locator(".door").first).to_be_visible()
            second = page.evaluate(HASH)
            assert second != first
            page.evaluate(KEPT, second)
        page.goto("/rules/petition")  # and now there is no server at all
        expect(page.get_by_role("heading")).to_have_text("No connection")
        assert page.evaluate(HASH) == second
