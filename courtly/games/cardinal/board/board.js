/** The board of Web of Power: the chart, and the cards beside it. */
import { html, nothing } from "lit";
import { isSmallScreen } from "../../../web/core/user-settings.js";
import { renderCards } from "./cards.js";
import { renderChart } from "./chart.js";
import { Position } from "./position.js";
import { renderNote } from "./note.js";
import { renderScores } from "./scores.js";
import { renderTrack } from "./tally.js";

export { about } from "./about.js";
export { cues } from "./cues.js";
export { outcome, score } from "./scores.js";
export { marks, plain, prompt, seat } from "./say.js";

/** The choices and their buttons, which the page brings into view. */
export const choices = ".card.open, .thing.open, .acts button, .pays button";
/** What the selected cards make choosable. */
export const targets = ".thing.open";
/** The map needs the height that narrow seats would take. */
export const wideSeats = true;
/** What tells most about a turn, first. */
export const headlines = ["cloister", "cardinal", "discard", "take", "draw", "drawn"];
/** The events that the log puts into one sentence with the move before them. */
export const completes = { drawn: "draw" };

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */

/** @param {View} view @param {BoardContext} ui */
export function board(view, ui) {
  const p = new Position(view, ui);
  const closeSheet = () => ui.local.scores && isSmallScreen() && ui.setLocal({ scores: false });
  return html`<div class="cardinal ${p.over ? "over" : ""}" @reveal=${closeSheet}>
    <div class="left">${
      ui.local.scores && !p.over
        ? renderScoreSheet(p)
        : html`${renderChart(p)}${renderTrack(p)}${renderNote(p)}
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

/** Render all points, in place of the map. @param {Position} p */
function renderScoreSheet(p) {
  const { ui } = p;
  return html`<section class="sheet-scores reading" role="region" tabindex="0" aria-label=${ui.t("cardinal-scores")}
      @keydown=${(/** @type {KeyboardEvent} */ { key }) => key === "Escape" && showScores(p, false)}>
    <header><h2>${ui.t("cardinal-scores")}</h2><button class="button quiet small"
        @click=${() => showScores(p, false)}>${ui.t("cardinal-close")}</button></header>${renderScores(p)}</section>`;
}

/**
 * Open or close the score sheet and move the focus to the button that reverses this.
 * @param {Position} p @param {boolean} open
 */
function showScores(p, open) {
  p.ui.setLocal({ scores: open });
  queueMicrotask(() =>
    /** @type {HTMLElement | null} */ (document.querySelector(open ? ".sheet-scores" : ".ledger"))?.focus(),
  ); // once it is rendered
}
