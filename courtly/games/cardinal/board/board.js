/** The board of Web of Power: the chart, and the cards beside it. */
import { html, nothing } from "lit";
import { cards } from "./cards.js";
import { chart } from "./chart.js";
import { Position } from "./position.js";
import { note } from "./note.js";
import { table } from "./scores.js";

export { about } from "./about.js";
export { cues } from "./cues.js";
export { outcome, score } from "./scores.js";
export { marks, plain, prompt, seat } from "./say.js";

/** What can be chosen, and what does it: the page brings it into view. */
export const choices = ".card.open, .thing.open, .acts button";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/board-context.js").Ui} Ui
 */

/** @param {View} view @param {Ui} ui */
export function board(view, ui) {
  const p = new Position(view, ui);
  return html`<div class="cardinal ${p.over ? "over" : ""}">
    <div class="left">${
      lies(p) && !p.over
        ? points(p)
        : html`${chart(p)}${note(p)}
          ${
            p.over
              ? nothing
              : html`<button class="icon-button ledger"
                @click=${() => turn(p, true)}>${ui.t("cardinal-scores")}</button>`
          }`
    }</div>
    ${cards(p)}
  </div>`;
}

/**
 * Does the sheet of points lie on the map? After the interim scoring until somebody acts, or as long as it was opened
 * for this decision.
 * @param {Position} p
 */
const lies = ({ ui, s }) => ui.local.scores ?? (ui.open(["interim"]) && ui.kept.away !== s.scored);

/** All points, in the place of the map. @param {Position} p */
function points(p) {
  const { ui } = p;
  return html`<section class="sheet-scores" role="region" tabindex="0" aria-label=${ui.t("cardinal-scores")}>
    <header><h2>${ui.t("cardinal-scores")}</h2><button class="button quiet small"
        @click=${() => turn(p, false)}>${ui.t("cardinal-close")}</button></header>${table(p)}</section>`;
}

/** Opens or closes the sheet; the keyboard goes on from there. @param {Position} p @param {boolean} open */
function turn(p, open) {
  if (!open) p.ui.kept.away = p.s.scored;
  p.ui.set({ scores: open });
  queueMicrotask(() =>
    /** @type {HTMLElement | null} */ (document.querySelector(open ? ".sheet-scores" : ".ledger"))?.focus(),
  ); // once it is drawn
}
