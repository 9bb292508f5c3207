"""Text that is too small to read on a phone."""

from table import script

TEXT_SIZE_CHECK = script("text-sizes")
MIN_SIZE_PX = 12  # px


def small_texts(page):
    """Return texts that are too small, by the element that contains them."""
    return page.evaluate(f"pageControl.whilePainted(() => ({TEXT_SIZE_CHECK})({MIN_SIZE_PX}))")
