"""Sounds of the board: when they are on, and that they are synthesized."""

import pytest
from playwright.sync_api import expect

IMPORT = """const web = document.querySelector("script[type=module]").src.replace("router.js", "");
    const sounds = await import(web + "core/game-sounds.js");"""


@pytest.mark.parametrize(("touch", "expected"), [(False, [True, True]), (True, [True, False])])
def test_a_phone_in_a_quiet_hour_is_silent_by_default(person, touch, expected):
    page = person(touch=touch, size=(390, 844)).page
    page.goto("/")
    at_hour = f"""async (hour) => {{ {IMPORT}
        Date.prototype.getHours = () => hour;
        return sounds.areSoundsOn(); }}"""
    is_touch_only = page.evaluate("matchMedia('(hover: none)').matches")
    assert [page.evaluate(at_hour, hour) for hour in (12, 23)] == (expected if is_touch_only else [True, True])


def test_sounds_are_heard_until_they_are_switched_off(person):
    table = person()
    table.start("sealed_bids")
    page = table.page
    page.evaluate("""() => {
        window.started = 0;
        const start = AudioScheduledSourceNode.prototype.start;
        AudioScheduledSourceNode.prototype.start = function (...at) { window.started++; return start.apply(this, at); };
        const startBuffer = AudioBufferSourceNode.prototype.start;
        AudioBufferSourceNode.prototype.start = function (...at) {
            window.started++; return startBuffer.apply(this, at); };
    }""")
    play = f"""async () => {{ {IMPORT}
        for (const name of ["dice", "card", "coin", "fanfare"]) await sounds.playSound(name);
        return started; }}"""
    page.get_by_role("button", name="Menu").click()
    heard = page.evaluate(play)
    assert heard >= 4
    page.get_by_role("group", name="Sounds").get_by_role("button", name="off").click()
    expect(page.get_by_role("group", name="Sounds").get_by_role("button", name="off")).to_have_attribute(
        "aria-pressed", "true"
    )
    page.wait_for_timeout(100)  # longer than the gap between two equal sounds
    assert page.evaluate(play) == heard
