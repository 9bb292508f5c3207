"""Operations at a table, for any game."""

import random
from pathlib import Path

from playwright.sync_api import expect

from courtly.engine.game import find_game

DESK, PHONE, TABLET = (1280, 800), (360, 740), (768, 1024)
THING = (
    "#board :is(button, [role=button], [tabindex='0']):not([disabled], [aria-disabled=true], [tabindex='-1'], .end *)"
)
MOVE = ".move:not([aria-disabled=true])"  # in the plain rendering
ON_A_MOVE = "document.activeElement.matches('.move')"
ON_THE_FIELD = "document.activeElement.matches('.moves input')"
AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")


def script(name):
    """Return the function in a JavaScript file of this folder."""
    return (Path(__file__).parent / f"{name}.js").read_text(encoding="utf-8").strip().removesuffix(";")


def in_each_light(page):
    """Yield "dark" and "light" while the page has that scheme. It is restored afterwards."""
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    for light in ("dark", "light") if dark else ("light", "dark"):
        page.emulate_media(color_scheme=light)
        yield light
    page.emulate_media(color_scheme="dark" if dark else "light")


def findings_in_any_light(page):
    """Return axe's findings in both colour schemes; in the second, only those about colours."""
    asked = ({}, {"runOnly": ["color-contrast", "link-in-text-block"]})
    lights = zip(in_each_light(page), asked, strict=True)
    return [f"{light}: {line}" for light, only in lights for line in findings(page, **only)]


def findings(page, **asked):
    """Wait until the page has its content; return axe's findings, including controls smaller than 24 px, one line each.

    The content follows the load event: modules are loaded and texts are fetched first.
    """
    for content in ("main", "h1"):
        page.locator(content).first.wait_for(state="attached")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    # axe preloads media only for experimental rules and rules about video
    find = """asked => hands.seen(() => axe.run(document, { preload: false,
        resultTypes: ["violations"], rules: { "target-size": { enabled: true } }, ...asked }))"""
    found = page.evaluate(find, asked)
    return [
        f"{v['id']}: {v['help']} {[n['html'][:160] + ' ' + n['failureSummary'][:300] for n in v['nodes'][:4]]}"
        for v in found["violations"]
    ]


def resize(page, size):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))


def beyond(page):
    """Return what would have to be scrolled, one line each, at rest; nothing once the game is over."""
    return page.evaluate(
        """async () => await hands.rest() === "nothing" ? [] : ["html", ".stage"].flatMap((selector) => {
            const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.querySelector(selector);
            return scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1
                ? [`${selector} scrolls: ${scrollWidth} x ${scrollHeight} in ${clientWidth} x ${clientHeight}`]
                : [];
        })"""
    )


class Table:
    """A guest's browser."""

    def __init__(self, page):
        self.page = page

    def start(self, game, players=2, plain=False, help=False):
        """Open a game against bots with the lobby's defaults, as its dialog does (test_lobby.py)."""
        rules, ask = find_game(game), self.page.request
        ask.get("/api/me")
        seats = [{"kind": "me"}] + [{"kind": "bot"}] * (players - 1)
        preset = {"preset": next(iter(rules.presets))} if rules.presets else {}
        table = ask.post("/api/tables", data={"game": game, "players": players, "seats": seats, "help": help, **preset})
        self.page.goto(f"/t/{table.json()['id']}")
        expect(self.page.locator(".seats .seat")).to_have_count(players)
        if plain:
            self.plain()
        elif (rules.folder / "board" / "board.js").exists():
            expect(self.page.locator(".is-pictured")).to_be_visible()

    def plain(self):
        if not self.page.locator(".is-plain").count():
            self.page.keyboard.press("p")
        expect(self.page.locator(".is-plain")).to_be_visible()

    @property
    def pictured(self):
        return self.page.locator(".is-pictured").count() > 0

    @property
    def over(self):
        return self.page.locator(".end").count() > 0

    @property
    def mine(self):
        return self.page.locator(".now.mine").count() > 0

    def wait_for_me(self):
        """Wait until the game is over, or until only this person is pending and the page is at rest. The result depends
        on the game, not on the machine's speed.
        """
        self.page.evaluate("hands.rest()")

    def click(self, what, number=0):
        """At rest, click the element with this index among the clickable ones, modulo their number. Return False when
        the game is over.
        """
        there = self.page.evaluate("([what, number]) => hands.pick(what, number)", [what, number])
        if there:
            self.page.mouse.click(there["x"], there["y"])
        return there is not None

    def play_by_clicking(self, seed=1, most=6000, fits=False):
        """Click legal elements until the game is over."""
        assert self.click_about(seed, most, fits), f"not over after {most} clicks"

    def click_about(self, seed=1, most=6, fits=False):
        """Click up to `most` legal elements, chosen by seed and count. Return whether the game is over. `fits`: check
        before each click that nothing needs scrolling.
        """
        for clicks in range(most):
            found = beyond(self.page) if fits else []
            assert found == [], f"before click {clicks}"
            if not self.click(THING, random.Random(f"{seed} {clicks}").getrandbits(30)):
                return True
        return False

    def play_by_keyboard(self, seed=1, most=None):
        """In the plain rendering, Tab to a move and press Enter. Repeat until the game is over, then return True; or at
        most `most` times.
        """
        page, made = self.page, 0
        for _ in range(most or 3000):
            self.wait_for_me()
            expect(page.locator(f"{MOVE}, .end").first).to_be_attached()  # the last move has been answered
            if self.over:
                return True
            page.evaluate("document.getElementById('moves-heading').focus()")
            for _ in range(random.Random(f"{seed} {made}").randrange(1, 4)):
                page.keyboard.press("Tab")
                if page.evaluate(ON_THE_FIELD):  # the field that filters the moves
                    page.keyboard.press("Tab")
                if not page.evaluate(ON_A_MOVE):
                    page.keyboard.press("Shift+Tab")
                    break
            if page.evaluate(ON_A_MOVE):  # otherwise the page has changed meanwhile
                page.keyboard.press("Enter")
                made += 1
        assert most, f"not over after {made} moves"
        return False
