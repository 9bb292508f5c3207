"""Plots of distributions: SVG by Matplotlib in the page's colours, without text, so that all languages share them."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure as Drawing
from matplotlib.ticker import FuncFormatter, MaxNLocator

from courtly.lab.statistics.game_measures import Histogram

# unique colours, and the CSS variables that replace them
COLOR_PLACEHOLDERS = {
    "#010203": "var(--word)",
    "#020304": "var(--word-soft)",
    "#030405": "var(--tint)",
    "#040506": "var(--rule)",
}
INK, SOFT, TINT, RULE = COLOR_PLACEHOLDERS
MATPLOTLIB_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "courtly",
    "path.simplify": False,
    "font.size": 9,
}
MAX_BARS = 40
MIN_BAR_SLOTS = 8  # with fewer bars, the axis leaves room for this many
FIGURE_SIZE_IN = 3.5, 1.55  # inches
# markup that a page does not need: headers, ids, sizes and fonts
REMOVED_MARKUP = re.compile(
    r"""<\?xml.*?\?>|<!DOCTYPE.*?>|<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->
    |\ id="[^"]*"|\ xmlns:xlink="[^"]*"|\ (?:width|height)="[^"]*pt"
    |\ font-family:[^;]*;|\ transform="rotate\(-0[^"]*\)"|\ version="[^"]*" """,
    re.S | re.X,
)


def draw_histogram(histogram: Histogram, unit: float = 1, cut: float = 0.001, is_integer: bool = True) -> str:
    """Return a histogram as SVG; "" without data. The middle half of the data is darker, and a line marks the median.

    `unit`: divisor of the numbers. `cut`: share of the data to leave out at either end. `is_integer`: the numbers are
    counts.
    """
    if not histogram.sample:
        return ""
    low, high = (histogram.quantile(share).value for share in (cut, 1 - cut))
    quarter, median, rest = (histogram.quantile(share).value for share in (0.25, 0.5, 0.75))
    values = histogram.first + histogram.width * np.arange(len(histogram.counts))
    step = max(histogram.width, _round_step((high - low + histogram.width) / MAX_BARS, histogram.width))
    start = low - low % step
    edges = np.arange(start, high + step + 1, step)
    inside = (values >= edges[0]) & (values < edges[-1])
    heights = np.bincount(
        ((values[inside] - edges[0]) // step).astype(int), histogram.counts[inside], minlength=len(edges) - 1
    )
    with rc_context(MATPLOTLIB_SETTINGS):
        drawing, axes = _make_axes()
        # centre the bar of a single number on it
        shift = -0.5 if step == 1 and is_integer else 0.0
        left = (edges[:-1] + shift) / unit
        is_middle = (edges[:-1] + step > quarter) & (edges[:-1] <= rest)
        width = step / unit * 0.92
        for selection, alpha in ((is_middle, 0.95), (~is_middle, 0.45)):
            axes.bar(
                left[selection],
                heights[selection] / histogram.sample,
                width,
                align="edge",
                color=TINT,
                alpha=alpha,
                linewidth=0,
                clip_on=False,
            )
        middle = (median + 0.5 + shift if step == 1 else median) / unit
        axes.axvline(middle, color=INK, linewidth=1.2, dashes=(2, 2), clip_on=False)
        if len(edges) <= MIN_BAR_SLOTS:
            margin = (MIN_BAR_SLOTS - len(edges) + 1) / 2 * step / unit
            axes.set_xlim(left[0] - margin, left[-1] + step / unit + margin)
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=is_integer and unit == 1))
        return _render_svg(drawing)


def _round_step(step: float, minimum: int) -> int:
    """Return the first of 1, 2, 5, 10, 20, … times `minimum` that is not below `step`."""
    ten = 1
    while True:
        for digit in (1, 2, 5):
            if digit * ten * minimum >= step:
                return digit * ten * minimum
        ten *= 10


def _make_axes() -> tuple[Drawing, Any]:
    drawing = Drawing(FIGURE_SIZE_IN)
    axes = drawing.add_axes((0.105, 0.16, 0.885, 0.8))
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(RULE)
    axes.tick_params(labelcolor=SOFT, length=0)
    axes.grid(axis="y", color=RULE, linewidth=0.6, clip_on=False)
    axes.set_axisbelow(True)
    axes.patch.set_visible(False)
    drawing.patch.set_visible(False)
    axes.yaxis.set_major_locator(MaxNLocator(3))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:g} %"))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}".replace("-", "\N{MINUS SIGN}")))
    return drawing, axes


def _render_svg(drawing: Drawing) -> str:
    """Return the drawing as an SVG element for an HTML page."""
    file = io.StringIO()
    drawing.savefig(file, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = REMOVED_MARKUP.sub("", file.getvalue())
    for colour, name in COLOR_PLACEHOLDERS.items():
        text = text.replace(colour, name)
    return re.sub(r"\n\s*", "\n", text).strip().replace("<svg ", '<svg aria-hidden="true" ', 1)
