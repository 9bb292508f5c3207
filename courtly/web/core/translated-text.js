import { html, keyed } from "lit";

/**
 * Render a text that changes so that a browser's translator may replace it. The translator replaces the text node,
 * which lit can then no longer update, so a changed text gets a new element. Other live parts of a page are marked as
 * not to be translated.
 * @param {string} text
 */
export const renderTranslatable = (text) => keyed(text, html`<span translate="yes">${text}</span>`);
