/** The board of Web of Power: the chart, and the cards beside it. */
import { html, nothing } from "lit";
import { renderCards } from "./cards.js";
import { renderChart } from "./chart.js";
import { Position } from "./position.js";
import { renderNote } from "./note.js";
import { renderScores } from "./scores.js";

export { about } from "./about.js";
export { cues } from "./cues.js";
export { outcome, score } from "./scores.js";
export { marks, plain, prompt, seat } from "./say.js";

/** What can be chosen, and what does it: the page brings it into view. */
export const choices = ".card.open, .thing.open, .acts button";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */

/** @param {View} view @param {BoardContext} ui */
export function board(view, ui) {
  const p = new Position(view, ui);
  return html`<div class="cardinal ${p.over ? "over" : ""}">
    <div class="left">${
      isScoreSheetOpen(p) && !p.over
        ? renderScoreSheet(p)
        : html`${renderChart(p)}${renderNote(p)}
          ${
            p.over
              ? nothing
              : html`<button class="icon-button ledger"
                @click=${() => showScores(p, true)}>${ui.t("cardinal-scores")}</button>`
          }`
    }</div>
    ${renderCards(p)}
  </div>`;
}

/**
 * Does the sheet of points lie on the map? After the interim scoring until somebody acts, or as long as it was opened
 * for this decision.
 * @param {Position} p
 */
const isScoreSheetOpen = ({ ui, state }) =>
  ui.local.scores ?? (ui.isStillShown(["interim"]) && ui.pageState.away !== state.scored);

/** All points, in the place of the map. @param {Position} p */
function renderScoreSheet(p) {
  const { ui } = p;
  return html`<section class="sheet-scores" role="region" tabindex="0" aria-label=${ui.t("cardinal-scores")}>
    <header><h2>${ui.t("cardinal-scores")}</h2><button class="button quiet small"
        @click=${() => showScores(p, false)}>${ui.t("cardinal-close")}</button></header>${renderScores(p)}</section>`;
}

/** Opens or closes the sheet; the keyboard goes on from there. @param {Position} p @param {boolean} open */
function showScores(p, open) {
  if (!open) p.ui.pageState.away = p.state.scored;
  p.ui.setLocal({ scores: open });
  queueMicrotask(() =>
    /** @type {HTMLElement | null} */ (document.querySelector(open ? ".sheet-scores" : ".ledger"))?.focus(),
  ); // once it is drawn
}
