"""Operations at a table, for any game."""

import random
import re
from pathlib import Path

from playwright.sync_api import expect

from courtly.engine.game import find_game

DESK, PHONE, TABLET = (1280, 800), (360, 740), (768, 1024)
# without the places of Web of Power that only offer cards: there are many, and a click on one is no move
CLICKABLE = (
    "#board :is(button, [role=button], [tabindex='0'])"
    ":not([disabled], [aria-disabled=true], [tabindex='-1']:not(.open), .payable, .end *)"
)
# imported once the board is shown, which has icons until then
DRAWINGS_AFTER_THE_BOARD = ("petition/board/art/figures.js", "puppet/board/art/buildings.js")
MOVE = ".move:not([aria-disabled=true])"  # in the plain rendering
FOCUS_IS_ON_MOVE = "document.activeElement.matches('.move')"
FOCUS_IS_ON_FILTER = "document.activeElement.matches('.moves input')"
# the heading of a result: the reader's place, or the winner
RESULTS = {
    "en": re.compile(r"You win!|You came \w+|.+ wins|.+ share the victory"),
    "ja": re.compile(r"あなたの勝ちです！|あなたは\d位です|.+の勝ちです|.+の引き分けです"),
}
AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")


def script(name):
    """Return the function in a JavaScript file of this folder."""
    return (Path(__file__).parent / f"{name}.js").read_text(encoding="utf-8").strip().removesuffix(";")


def in_each_scheme(page):
    """Yield "dark" and "light" while the page has that scheme. It is restored afterwards."""
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    for scheme in ("dark", "light") if dark else ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        yield scheme
    page.emulate_media(color_scheme="dark" if dark else "light")


def axe_findings_in_both_schemes(page):
    """Return axe's findings in both colour schemes; in the second, only those about colours."""
    options_by_scheme = ({}, {"runOnly": ["color-contrast", "link-in-text-block"]})
    schemes = zip(in_each_scheme(page), options_by_scheme, strict=True)
    return [f"{scheme}: {line}" for scheme, options in schemes for line in axe_findings(page, **options)]


def axe_findings(page, **options):
    """Wait until the page has its content; return axe's findings, including controls smaller than 24 px, one line each.

    The content follows the load event: modules are loaded and texts are fetched first.
    """
    for content in ("main", "h1"):
        page.locator(content).first.wait_for(state="attached")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    # axe preloads media only for experimental rules and rules about video
    run_axe = """options => pageControl.whilePainted(() => axe.run(document, { preload: false,
        resultTypes: ["violations"], rules: { "target-size": { enabled: true } }, ...options }))"""
    results = page.evaluate(run_axe, options)
    return [
        f"{violation['id']}: {violation['help']} "
        f"{[node['html'][:160] + ' ' + node['failureSummary'][:300] for node in violation['nodes'][:4]]}"
        for violation in results["violations"]
    ]


def resize(page, size):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))


def scroll_findings(page):
    """Return what would have to be scrolled, one line each, at rest; nothing once the game is over."""
    return page.evaluate(
        """async () => await pageControl.waitUntilAtRest() === "nothing" ? []
            : ["html", ".stage"].flatMap((selector) => {
            const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.querySelector(selector);
            return scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1
                ? [`${selector} scrolls: ${scrollWidth} x ${scrollHeight} in ${clientWidth} x ${clientHeight}`]
                : [];
        })"""
    )


def play_pending_moves(requests, table, seat):
    """Make this seat's moves by requests, until only others are pending."""
    while legal := (view := requests.get(f"/api/tables/{table}/view?seat={seat}").json())["legal"]:
        request = {"seat": seat, "seq": view["seq"], "moves": [legal[-1]["id"]]}
        response = requests.post(
            f"/api/tables/{table}/moves", data=request, headers={"idempotency-key": f"k{view['seq']}"}
        )
        assert response.ok, response.text()


class Table:
    """A guest's browser."""

    def __init__(self, page):
        self.page = page

    def start(self, game, players=2, plain=False, help=False):
        """Open a game against bots with the lobby's defaults, as its dialog does (test_lobby.py)."""
        rules, requests = find_game(game), self.page.request
        requests.get("/api/me")
        seats = [{"kind": "me"}] + [{"kind": "bot"}] * (players - 1)
        preset = {"preset": next(iter(rules.presets))} if rules.presets else {}
        table = requests.post(
            "/api/tables", data={"game": game, "players": players, "seats": seats, "help_consent": help, **preset}
        )
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
    def is_my_turn(self):
        return self.page.locator(".now.mine").count() > 0

    def wait_for_me(self):
        """Wait until the game is over, or until only this person is pending and the page is at rest. The result depends
        on the game, not on the machine's speed.
        """
        self.page.evaluate("pageControl.waitUntilAtRest()")

    def click(self, selector, number=0):
        """At rest, click the element with this index among the clickable ones, modulo their number. Return False when
        the game is over.
        """
        position = self.page.evaluate(
            "([selector, number]) => pageControl.findClickable(selector, number)", [selector, number]
        )
        if position:
            self.page.mouse.click(position["x"], position["y"])
        return position is not None

    def play_by_clicking(self, seed=1, max_clicks=6000, check_scrolling=False):
        """Click legal elements until the game is over."""
        assert self.click_randomly(seed, max_clicks, check_scrolling), f"not over after {max_clicks} clicks"

    def click_randomly(self, seed=1, max_clicks=6, check_scrolling=False):
        """Click up to `max_clicks` legal elements, chosen by seed and count. Return whether the game is over.

        `check_scrolling`: check before each click that nothing needs scrolling.
        """
        for clicks in range(max_clicks):
            findings = scroll_findings(self.page) if check_scrolling else []
            assert findings == [], f"before click {clicks}"
            if not self.click(CLICKABLE, random.Random(f"{seed} {clicks}").getrandbits(30)):
                return True
        return False

    def play_by_keyboard(self, seed=1, max_moves=None):
        """In the plain rendering, Tab to a move and press Enter. Repeat until the game is over, then return True; or at
        most `max_moves` times.
        """
        page, moves_made = self.page, 0
        for _ in range(max_moves or 3000):
            self.wait_for_me()
            expect(page.locator(f"{MOVE}, .end").first).to_be_attached()  # the last move has been answered
            if self.over:
                return True
            page.evaluate("document.getElementById('moves-heading').focus()")
            for _ in range(random.Random(f"{seed} {moves_made}").randrange(1, 4)):
                page.keyboard.press("Tab")
                if page.evaluate(FOCUS_IS_ON_FILTER):  # the field that filters the moves
                    page.keyboard.press("Tab")
                if not page.evaluate(FOCUS_IS_ON_MOVE):
                    page.keyboard.press("Shift+Tab")
                    break
            if page.evaluate(FOCUS_IS_ON_MOVE):  # otherwise the page has changed meanwhile
                page.keyboard.press("Enter")
                moves_made += 1
        assert max_moves, f"not over after {moves_made} moves"
        return False
