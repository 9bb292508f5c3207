"""A browser that lacks a required feature gets a one-sentence notice in its language."""

import pytest
from playwright.sync_api import expect

from courtly.i18n.catalog import Catalog

MISSING_FEATURES = [
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
    notice = page.locator("#older-browser")
    expect(page.locator(".door").first).to_be_visible()
    expect(notice).to_be_hidden()
    for script in MISSING_FEATURES:
        older_page = page.context.new_page()
        older_page.add_init_script(script)
        older_page.goto("/nowhere")
        sentence = Catalog(language).format("older-browser")
        expect(older_page.locator("#older-browser")).to_have_text(sentence, use_inner_text=True)
        older_page.close()
