"""Draws the icons of the installed app (courtly/web/icons/) from courtly/web/logo.svg, with the tests' Chromium.

The results are committed, so playing does not need this.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parent))
from chromium import find_chromium

WEB = Path(__file__).parent.parent / "courtly" / "web"
BACKGROUND_COLOR = "#2b1d14"
# name -> (side in pixels, share of the side that the shield takes, background); maskable icons are cropped
ICONS = {
    "icon-192.png": (192, 0.94, "transparent"),
    "icon-512.png": (512, 0.94, "transparent"),
    "maskable-512.png": (512, 0.6, BACKGROUND_COLOR),
    "apple-180.png": (180, 0.76, BACKGROUND_COLOR),
}


def main() -> None:
    logo = (WEB / "logo.svg").read_text(encoding="utf-8")
    (WEB / "icons").mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium())
        for name, (side, share, ground) in ICONS.items():
            page = browser.new_page(viewport={"width": side, "height": side})
            page.set_content(
                f"<style>body {{ margin: 0; height: 100vh; display: grid; place-items: center; background: {ground} }}"
                f"svg {{ width: {share * side}px }}</style>{logo}"
            )
            page.screenshot(path=WEB / "icons" / name, omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
