"""A browser that lacks a required feature gets a one-sentence notice in its language."""

import pytest
from playwright.sync_api import expect

from courtly.i18n.catalog import Catalog

LACKS = [
    "delete Array.prototype.toSorted",
    "delete window.CSSStyleSheet",
    "CSSStyleSheet.prototype.replaceSync = () => {}",
    "CSS.supports = () => false",
    "delete HTMLScriptElement.supports",
    "Object.defineProperty(window, 'localStorage', { get() { throw Error(); } }); delete CSS.supports",
]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_an_older_browser_gets_a_notice(person, language):
    page = person(language, uncached=True).page
    page.goto("/")
    told = page.locator("#older-browser")
    expect(page.locator(".door").first).to_be_visible()
    expect(told).to_be_hidden()
    for lack in LACKS:
        other = page.context.new_page()
        other.add_init_script(lack)
        other.goto("/nowhere")
        sentence = Catalog(language).say("older-browser")
        expect(other.locator("#older-browser")).to_have_text(sentence, use_inner_text=True)
        other.close()
