/** The board of Queen's Necklace: the jeweller's counter, the sale, my hand. */
import { html } from "lit";
import { closeOnOutsideTap } from "../../../web/board-sdk/tooltips.js";
import { renderLedger, renderOverview, renderPeekedHand, renderRow, renderShelf } from "./counter.js";
import { renderMyCards } from "./hand.js";
import { Position, SALE_VERBS } from "./position.js";
import { renderResults, renderTray } from "./sale.js";

export { about } from "./about.js";
export { cues } from "./cues.js";
export { outcome, plain, prompt, score, seat } from "./say.js";

/**
 * What can be chosen, and what does it: the page brings it into view. Where a card goes to is asked without the cards
 * that could have been chosen.
 */
export const choices =
  ".necklace:not(.placing) :is(.nk-card, .nk-small, .tile).can, .acts button, .trays footer button, .nk-detail button";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */

/** What answers a question that only some hands can answer. */
export const replies = [
  "cancel",
  "discard",
  "show_hand",
  "take",
  "decline",
  "cardinal",
  "no_cardinal",
  "alchemist",
  "no_alchemist",
];

/** @param {View} view @param {BoardContext} ui */
export function board(view, ui) {
  const p = new Position(view, ui);
  const { panel } = ui.local;
  const sale = isSaleShown(p) || panel === "sale";
  const laying = p.phase === "show" && p.me !== null;
  return html`<div class="necklace ${p.phase} ${laying && ui.local.use ? "placing" : ""}"
      @click=${closeOnOutsideTap(ui, ".nk-cell")}>
    ${renderShelf(p, sale)}
    <div class="counter ${sale || panel === "cards" || laying ? "selling" : ""}">
      ${renderRow(p)}
      ${
        panel === "cards"
          ? renderOverview(p)
          : sale
            ? renderResults(p)
            : laying
              ? renderTray(p)
              : html`${renderLedger(p)}${renderPeekedHand(p)}`
      }
    </div>
    ${renderMyCards(p)}
  </div>`;
}

/**
 * Does the outcome of a sale lie on the counter? Until it is put away, or somebody acts; and while it is decided
 * whether the alchemist changes it.
 * @param {Position} p
 */
function isSaleShown(p) {
  const { ui, state } = p;
  if (p.phase === "alchemist") return true;
  return p.phase !== "show" && state.sales > 0 && ui.pageState.away !== state.sales && ui.isStillShown(SALE_VERBS);
}
