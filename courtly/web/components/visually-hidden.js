/** Text for screen readers only, for what is drawn beside it. */
import { html } from "lit";

/** @param {string} words */
export const hideVisually = (words) => html`<span class="unseen">${words}</span>`;
