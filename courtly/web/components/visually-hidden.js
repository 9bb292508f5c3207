/** What a screen reader tells, and nobody sees: the words for what is drawn beside them. */
import { html } from "lit";

/** @param {string} words */
export const hideVisually = (words) => html`<span class="unseen">${words}</span>`;
