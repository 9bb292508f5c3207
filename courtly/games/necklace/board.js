/** The board of Queen's Necklace: the jeweller's counter, the sale, my hand. */
import { html } from "lit";
import { ledger, overview, peeked, row, shelf } from "./counter.js";
import { mine } from "./hand.js";
import { Position } from "./position.js";
import { results, tray } from "./sale.js";

export { cues } from "./cues.js";
export { outcome, plain, prompt, seat } from "./say.js";

/** @typedef {import("../../web/types.js").View} View @typedef {import("../../web/ui.js").Ui} Ui */

/** @param {View} view @param {Ui} ui */
export function board(view, ui) {
  const p = new Position(view, ui), { panel, closed } = ui.local;
  const sale = panel === "sale" || p.phase === "alchemist" || (p.sold && !closed && !panel);
  const elsewhere = (/** @type {Event} */ { target }) => ui.local.detail && !(/** @type {Element} */ (target)).closest(".nk-cell") && ui.set({ detail: null });
  return html`<div class="necklace ${p.phase}" @click=${elsewhere}>
    ${shelf(p)}
    <div class="counter ${sale || panel === "cards" || p.phase === "show" ? "selling" : ""}">
      ${row(p)}
      ${panel === "cards" ? overview(p) : sale ? results(p) : p.phase === "show" ? tray(p) : html`${ledger(p)}${peeked(p)}`}
    </div>
    ${mine(p)}
  </div>`;
}
