"""Draws the preview images of shared links: a door with each game's emblem, and one with the logo.

`python tools/previews.py` writes preview.png beside each emblem and in courtly/web. It needs Chromium.
"""

from __future__ import annotations

import re
from pathlib import Path

from chromium import find_chromium
from playwright.sync_api import sync_playwright

from courtly.engine.game import find_game, game_ids

WEB = Path(__file__).parent.parent / "courtly" / "web"
COLORS = dict(re.findall(r"--(\w+): (#\w+);", (WEB / "style" / "tokens.css").read_text(encoding="utf-8")))
PAGE = """<body style="margin:0;height:315px;display:grid;place-items:center;background:#2b2018">
<div style="width:236px;height:275px;margin-bottom:-40px;display:grid;place-items:center;border:11px solid #6b523c;
border-bottom:0;border-radius:999px 999px 0 0;background:{colour}">{emblem}</div></body>"""


def main() -> None:
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=find_chromium()).new_page(
            viewport={"width": 600, "height": 315}
        )
        drawings = [(WEB / "logo.svg", WEB / "preview.png", COLORS["gules"])]
        for game in map(find_game, game_ids()):
            emblem = game.folder / "board" / "art" / "emblem.svg"
            if emblem.exists():
                drawings.append((emblem, emblem.with_name("preview.png"), COLORS[str(game.about()["colour"])]))
        for emblem, picture, colour in drawings:
            text = emblem.read_text(encoding="utf-8").replace("<svg", '<svg width="150" height="150"', 1)
            page.set_content(PAGE.format(colour=colour, emblem=text))
            page.screenshot(path=picture)


main()
