/** The board of Queen's Necklace: the jeweller's counter, the sale, my hand. */
import { html } from "lit";
import { closing } from "../../../web/board-sdk/tooltips.js";
import { ledger, overview, peeked, row, shelf } from "./counter.js";
import { mine } from "./hand.js";
import { Position, SETTLES } from "./position.js";
import { results, tray } from "./sale.js";

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
 * @typedef {import("../../../web/board-sdk/board-context.js").Ui} Ui
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

/** @param {View} view @param {Ui} ui */
export function board(view, ui) {
  const p = new Position(view, ui);
  const { panel } = ui.local;
  const sale = lies(p) || panel === "sale";
  const laying = p.phase === "show" && p.me !== null;
  return html`<div class="necklace ${p.phase} ${laying && ui.local.use ? "placing" : ""}"
      @click=${closing(ui, ".nk-cell")}>
    ${shelf(p, sale)}
    <div class="counter ${sale || panel === "cards" || laying ? "selling" : ""}">
      ${row(p)}
      ${panel === "cards" ? overview(p) : sale ? results(p) : laying ? tray(p) : html`${ledger(p)}${peeked(p)}`}
    </div>
    ${mine(p)}
  </div>`;
}

/**
 * Does the outcome of a sale lie on the counter? Until it is put away, or somebody acts; and while it is decided
 * whether the alchemist changes it.
 * @param {Position} p
 */
function lies(p) {
  const { ui, s } = p;
  if (p.phase === "alchemist") return true;
  return p.phase !== "show" && s.sales > 0 && ui.kept.away !== s.sales && ui.open(SETTLES);
}
