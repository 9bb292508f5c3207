"""Text that is cut off, covered, or broken inside a word, in our fonts and in the widest fallback; and headings without
content.
"""

import base64
from functools import cache
from pathlib import Path

from table import DESK, PHONE, TABLET, resize, script

VENDOR = Path(__file__).parent / "vendor"
DEFAULT_SIZES = (DESK, PHONE, TABLET)
EXTRA_SIZES = (
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
WIDEST_FONTS = [
    ("Widest Sans", "400", "wide-sans"),
    ("Widest Sans", "700", "wide-sans-bold"),
    ("Widest Serif", "700", "wide-serif-bold"),
]
LAYOUT_CHECK = script("layout")


def layout_findings(page):
    """Return the layout errors of the visible text, one line each."""
    page.evaluate(FONTS_SETTLED)
    return page.evaluate(f"pageControl.whilePainted({LAYOUT_CHECK})")


def findings_in_every_font(page, sizes=DEFAULT_SIZES):
    """Return the layout errors at each size, in our fonts and in the widest fallback. Restore the page."""
    original_size = page.viewport_size
    findings = []
    for fonts, sizes_in_order in (("our fonts", sizes), ("widest", sizes[::-1])):  # reversed: each size is a change
        use_widest_fonts(page, fonts == "widest")
        for size in sizes_in_order:
            resize(page, size)
            findings += [f"{size[0]} px, {fonts}: {line}" for line in layout_findings(page)]
    use_widest_fonts(page, False)
    page.set_viewport_size(original_size)
    return findings


def elements_too_wide(page):
    """Return elements that are wider than their place, one line each."""
    return page.evaluate(ELEMENTS_TOO_WIDE)


def elements_covered_by(page, selector, others):
    """Return the elements of the selector `others` that are under an element, or partly so."""
    return page.evaluate(ELEMENTS_COVERED, [selector, others])


def use_widest_fonts(page, enabled=True):
    """Replace our Latin fonts by DejaVu, the widest fallback, as if ours did not load. (Japanese has the same width in
    all fonts.)
    """
    page.evaluate(
        SWAP_FONTS, [enabled, widest_font_files() if enabled and not page.evaluate("!!window.wideFonts") else []]
    )


@cache
def widest_font_files():
    return [
        (family, weight, base64.b64encode((VENDOR / f"{file}.woff2").read_bytes()).decode())
        for family, weight, file in WIDEST_FONTS
    ]


SWAP_FONTS = """async ([enabled, fonts]) => {
  for (const [family, weight, data] of fonts) {
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    document.fonts.add(await new FontFace(family, bytes, { weight }).load());
  }
  window.wideFonts ||= fonts.length > 0;
  const style = document.documentElement.style;
  for (const kind of ["Sans", "Serif"]) {
    const name = `--latin-${kind.toLowerCase()}`;
    enabled ? style.setProperty(name, `Widest ${kind}`) : style.removeProperty(name);
  }
}"""
FONTS_SETTLED = """async () => {
  await document.fonts.ready;
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
  await document.fonts.ready;
}"""
ELEMENTS_TOO_WIDE = """() => pageControl.whilePainted(() => [
    ...document.querySelectorAll("html, .stage, .scroll, .bar, .past, dialog")]
    .filter((part) => part.scrollWidth > part.clientWidth + 1)
    .map((part) => `${part.className || part.tagName}: ${part.scrollWidth} in ${part.clientWidth}`))"""
ELEMENTS_COVERED = """([selector, others]) => {
    const upper = document.querySelector(selector).getBoundingClientRect();
    return [...document.querySelectorAll(others)].filter((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return left < upper.right && right > upper.left && top < upper.bottom && bottom > upper.top;
    }).map((element) => element.outerHTML.slice(0, 120));
}"""
