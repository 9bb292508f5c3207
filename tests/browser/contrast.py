"""Text with too little contrast."""

import re

from table import in_each_scheme, script

CONTRAST_CHECK = script("contrast")
FADE_IN_FINISHED = """Promise.all(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime < Infinity)
    .map((one) => one.finished.catch(() => 0)))"""


def low_contrast_texts(page):
    """Return texts with too little contrast in both colour schemes, one line each."""
    return [
        f"{scheme}: {element}: {contrast}"
        for scheme in in_each_scheme(page)
        for element, contrast in low_contrast_texts_now(page).items()
    ]


def low_contrast_texts_now(page):
    page.evaluate(f"async () => {{ await {FADE_IN_FINISHED}; }}")  # wait for elements that are fading in
    result = page.evaluate(f"pageControl.whilePainted({CONTRAST_CHECK})")
    assert result["texts"] > 20
    return result["findings"]


def brightest_channel(element):
    """Return the largest of the red, green and blue of an element's background, from 0 to 255."""
    return max(map(int, re.findall(r"\d+", element.evaluate("each => getComputedStyle(each).backgroundColor"))[:3]))
