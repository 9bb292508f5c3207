"""Makes a page with pictures of every game at every moment, to be looked at after a change.

    make gallery [ARGS="newtown --size phone --language ja"]

For each game: the first decision at which each kind of move is offered, the result, the board after the end, the middle
of the replay, the review, the lesson and the rules; also the lobby, the offline page, the record page and one's
account. Each in both languages, at every size, light, dark and in forced colours. What is dealt is the same every time,
so the pictures of two commits can be compared. It takes about a quarter of an hour on two processors. It needs Chromium
and `courtly[dev]`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

import click
from playwright.sync_api import APIRequestContext, Browser, Error, Page, ViewportSize, sync_playwright

from courtly.bots.registry import find_bot
from courtly.engine.game import Game, find_game, game_ids
from courtly.engine.rng import make_generator

sys.path.append(str(Path(__file__).parents[1]))
sys.path.append(str(Path(__file__).parents[2] / "tests"))
sys.path.append(str(Path(__file__).parents[2] / "tests" / "browser"))
from chromium import find_chromium
from predictable import SEED_HEADER
from ui_server import run_server

GALLERY = Path(__file__).parents[2] / "docs" / "_build" / "gallery"
LANGUAGES = ("en", "ja")
SIZES = {
    "desk": ViewportSize(width=1280, height=800),
    "wide": ViewportSize(width=2560, height=1440),
    "tablet": ViewportSize(width=820, height=1180),
    "phone": ViewportSize(width=390, height=844),
    "landscape": ViewportSize(width=844, height=390),
    "zoom 400 %": ViewportSize(width=320, height=640),
}
COLORS: dict[str, tuple[Literal["light", "dark"], Literal["active", "none"]]] = {
    "light": ("light", "none"),
    "dark": ("dark", "none"),
    "forced": ("dark", "active"),
}
PAGES = {"lobby": "/", "record": "/replay", "account": "/me", "offline": "/offline"}
GAME_PAGES = {"lesson": "/learn/{game}", "rules": "/rules/{game}"}
REVIEW_BUTTON = "text=/^(Review this game|このゲームを振り返る)$/"
SETTLING_MS = 300
REVIEW_TIMEOUT_MS = 240_000
JPEG_QUALITY = 72


class Picture(NamedTuple):
    """One picture. `file` is relative to the page."""

    game: str
    moment: str
    language: str
    size: str
    colors: str
    file: str


class Photographer:
    """Takes the pictures of one moment after another, in every language, size and colour scheme."""

    def __init__(self, browser: Browser, url: str, folder: Path, languages: tuple[str, ...], sizes: tuple[str, ...]):
        self.folder, self.sizes = folder, sizes
        self.pictures: list[Picture] = []
        self.pages: dict[str, Page] = {}
        state = None  # all contexts have the cookie of one guest
        for language in languages:
            context = browser.new_context(
                base_url=url,
                locale=language,
                reduced_motion="reduce",
                extra_http_headers={SEED_HEADER: "gallery"},
                service_workers="block",
                storage_state=state,
            )
            if not state:
                context.request.get("/api/me")
                state = context.storage_state()
            self.pages[language] = context.new_page()
        self.request: APIRequestContext = self.pages[languages[0]].request

    def take(self, game: str, moment: str, path: str | None, ready: str, press: str = "", whole: bool = False) -> None:
        """Take all pictures of a moment.

        Args:
            game: The game, or "".
            moment: Its name in the gallery.
            path: The page to open; None stays on the open one.
            ready: A selector of what is there once the page is ready.
            press: A selector of a button to press first.
            whole: The pictures show the whole page, not only what fits on the screen.
        """
        for language, page in self.pages.items():
            page.set_viewport_size(SIZES["desk"])
            if path:
                page.goto(path)
            if press:
                page.click(press)
            page.wait_for_selector(ready, timeout=REVIEW_TIMEOUT_MS)
            for size in self.sizes:
                page.set_viewport_size(SIZES[size])
                for colors, (scheme, forced) in COLORS.items():
                    page.emulate_media(color_scheme=scheme, forced_colors=forced)
                    self._shoot(page, Picture(game, moment, language, size, colors, ""), whole)
        print(f"{game} {moment}".strip(), flush=True)

    def _shoot(self, page: Page, picture: Picture, whole: bool) -> None:
        name = "-".join(filter(None, picture)).replace(" ", "_").replace("%", "")
        page.wait_for_timeout(SETTLING_MS)
        page.screenshot(
            path=self.folder / f"{name}.jpg", type="jpeg", quality=JPEG_QUALITY, full_page=whole, caret="hide"
        )
        self.pictures.append(picture._replace(file=f"{name}.jpg"))


class GalleryTable:
    """A table of the gallery's guest against squires."""

    def __init__(self, request: APIRequestContext, game: Game):
        players = game.players[0]
        seats = [{"kind": "me"}, *[{"kind": "bot", "bot": "squire"}] * (players - 1)]
        body = {"game": game.id, "players": players, "seats": seats}
        self.request, self.game = request, game
        self.id = request.post("/api/tables", data=body).json()["id"]
        self.choose, self.rng = find_bot(game, "squire"), make_generator(1)

    def iter_decisions(self) -> Iterator[dict[str, Any]]:
        """Yield the view at each of the guest's decisions, then play as a squire; ends with the game."""
        while not (view := self.request.get(f"/api/tables/{self.id}/view?seat=0").json())["over"]:
            if view["legal"]:
                yield view
                move = {"seat": 0, "seq": view["seq"], "moves": [int(self.choose(self.game, view, self.rng))]}
                key = {"idempotency-key": f"gallery-{view['seq']}"}
                self.request.post(f"/api/tables/{self.id}/moves", data=move, headers=key)  # refused: another was first


def photograph_game(photographer: Photographer, game: Game) -> None:
    """Take the pictures of a whole game."""
    table, seen = GalleryTable(photographer.request, game), set[str]()
    for view in table.iter_decisions():
        new = [verb for verb in dict.fromkeys(move["verb"] for move in view["legal"]) if verb not in seen]
        if new:
            photographer.take(game.id, " or ".join(new), f"/t/{table.id}", ".now.mine")
            seen.update(new)
    photographer.take(game.id, "result", f"/t/{table.id}", ".end")
    photographer.take(game.id, "replay", f"/t/{table.id}?ply={view['seq'] // 2}", ".is-pictured")
    with suppress(Error):  # without machine code there is no review
        photographer.take(game.id, "review", f"/t/{table.id}", ".side.review details", REVIEW_BUTTON)
    for moment, path in GAME_PAGES.items():
        photographer.take(game.id, moment, path.format(game=game.id), "h1", whole=moment == "rules")


def write_page(folder: Path, pictures: list[Picture]) -> Path:
    """Write the page that shows the pictures, and return its path."""
    template = (Path(__file__).with_name("gallery.html")).read_text(encoding="utf-8")
    page = folder / "index.html"
    data = json.dumps([picture._asdict() for picture in pictures]).replace("<", "\\u003c")
    page.write_text(template.replace("/* pictures */ []", data), encoding="utf-8")
    return page


@click.command(help=__doc__)
@click.argument("games", nargs=-1, type=click.Choice([*game_ids()]))
@click.option("--folder", type=click.Path(path_type=Path), default=GALLERY)
@click.option("--language", "languages", multiple=True, type=click.Choice(LANGUAGES), default=LANGUAGES)
@click.option("--size", "sizes", multiple=True, type=click.Choice([*SIZES]), default=[*SIZES])
def main(games: tuple[str, ...], folder: Path, languages: tuple[str, ...], sizes: tuple[str, ...]) -> None:
    chromium = find_chromium()
    if not chromium:
        raise click.ClickException("no Chromium was found; set COURTLY_CHROMIUM to its path")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, run_server(data, COURTLY_NATIVE="1") as url, sync_playwright() as play:
        photographer = Photographer(play.chromium.launch(executable_path=chromium), url, folder, languages, sizes)
        for moment, path in {} if games else PAGES.items():
            photographer.take("", moment, path, "h1", whole=True)
        for game in map(find_game, games or game_ids()):
            photograph_game(photographer, game)
        print(write_page(folder, photographer.pictures))


if __name__ == "__main__":
    main()
