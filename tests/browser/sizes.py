"""Text that is drawn smaller than anybody can read on a phone."""

from table import script

SIZES = script("sizes")
LEAST = 12  # px


def small(page):
    """What is smaller, by the element it stands in."""
    return page.evaluate(f"hands.seen(() => ({SIZES})({LEAST}))")
