import { html, keyed } from "lit";

/**
 * A text that changes, and that a browser's translator may replace: then nothing can be written into it any more, so
 * that it is drawn anew when it changes. What is live otherwise is not to be translated.
 * @param {string} text
 */
export const renderTranslatable = (text) => keyed(text, html`<span translate="yes">${text}</span>`);
