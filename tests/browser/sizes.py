"""Text that is too small to read on a phone."""

from table import script

SIZES = script("sizes")
LEAST = 12  # px


def small(page):
    """Return texts that are too small, by the element that contains them."""
    return page.evaluate(f"hands.seen(() => ({SIZES})({LEAST}))")
