"""Text that is cut off, covered, or broken inside a word, in our fonts and in the widest fallback; and headings without
content.
"""

import base64
from functools import cache
from pathlib import Path

from table import DESK, PHONE, TABLET, resize, script

VENDOR = Path(__file__).parent / "vendor"
EVERY_DAY = (DESK, PHONE, TABLET)
OTHERS = (
    (320, 640),
    (600, 900),
    (740, 360),
    (844, 390),
    (961, 700),
    (1100, 620),
    (1024, 768),
    (1180, 820),
    (1920, 1080),
)
WIDE = [
    ("Widest Sans", "400", "wide-sans"),
    ("Widest Sans", "700", "wide-sans-bold"),
    ("Widest Serif", "700", "wide-serif-bold"),
]
FINDER = script("layout")


def layout_findings(page):
    """Return the layout errors of the visible text, one line each."""
    page.evaluate(SETTLED)
    return page.evaluate(f"hands.seen({FINDER})")


def findings_in_every_font(page, sizes=EVERY_DAY):
    """Return the layout errors at each size, in our fonts and in the widest fallback. Restore the page."""
    before = page.viewport_size
    found = []
    for fonts, there in (("our fonts", sizes), ("widest", sizes[::-1])):  # reversed: each size is a change
        widest_fonts(page, fonts == "widest")
        for size in there:
            resize(page, size)
            found += [f"{size[0]} px, {fonts}: {line}" for line in layout_findings(page)]
    widest_fonts(page, False)
    page.set_viewport_size(before)
    return found


def pushed_out(page):
    """Return elements that are wider than their place, one line each."""
    return page.evaluate(PUSHED_OUT)


def widest_fonts(page, wanted=True):
    """Replace our Latin fonts by DejaVu, the widest fallback, as if ours did not load. (Japanese has the same width in
    all fonts.)
    """
    page.evaluate(SWAP, [wanted, loaded() if wanted and not page.evaluate("!!window.wideFonts") else []])


@cache
def loaded():
    return [
        (family, weight, base64.b64encode((VENDOR / f"{file}.woff2").read_bytes()).decode())
        for family, weight, file in WIDE
    ]


SWAP = """async ([wanted, loaded]) => {
  for (const [family, weight, data] of loaded) {
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    document.fonts.add(await new FontFace(family, bytes, { weight }).load());
  }
  window.wideFonts ||= loaded.length > 0;
  const style = document.documentElement.style;
  for (const kind of ["Sans", "Serif"]) {
    const name = `--latin-${kind.toLowerCase()}`;
    wanted ? style.setProperty(name, `Widest ${kind}`) : style.removeProperty(name);
  }
}"""
SETTLED = """async () => {
  await document.fonts.ready;
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
  await document.fonts.ready;
}"""
PUSHED_OUT = """() => hands.seen(() => [...document.querySelectorAll("html, .stage, .scroll, .bar, .past, dialog")]
    .filter((part) => part.scrollWidth > part.clientWidth + 1)
    .map((part) => `${part.className || part.tagName}: ${part.scrollWidth} in ${part.clientWidth}`))"""
