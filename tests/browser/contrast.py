"""Text with too little contrast."""

from table import in_each_light, script

CONTRAST = script("contrast")
FADED_IN = """Promise.all(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime < Infinity)
    .map((one) => one.finished.catch(() => 0)))"""


def faint(page):
    """Return texts with too little contrast in both colour schemes, one line each."""
    return [f"{light}: {what}: {how}" for light in in_each_light(page) for what, how in faint_now(page).items()]


def faint_now(page):
    page.evaluate(f"async () => {{ await {FADED_IN}; }}")  # wait for elements that are fading in
    looked = page.evaluate(f"hands.seen({CONTRAST})")
    assert looked["texts"] > 20
    return looked["found"]
