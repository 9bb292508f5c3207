/** Text for screen readers only, for what is drawn beside it. */
import { html } from "lit";

/** @param {string} text */
export const hideVisually = (text) => html`<span class="unseen">${text}</span>`;
