/** The board of Queen's Necklace: the jeweller's counter, the sale, my hand. */
import { html } from "lit";
import { ledger, overview, peeked, row, shelf } from "./counter.js";
import { mine } from "./hand.js";
import { Position } from "./position.js";
import { results, tray } from "./sale.js";

export { cues } from "./cues.js";
export { outcome, plain, prompt, seat } from "./say.js";

/** @typedef {import("../../web/types.js").View} View @typedef {import("../../web/ui.js").Ui} Ui */

/** How many sales the reader has put away. The others play on meanwhile, so a sale lies open until it is closed or one goes on oneself. @type {WeakMap<Ui, number>} */
const away = new WeakMap();

/** @param {View} view @param {Ui} ui */
export function board(view, ui) {
  const p = new Position(view, ui), { panel } = ui.local, sale = lies(p) || panel === "sale";
  const elsewhere = (/** @type {Event} */ { target }) => ui.local.detail && !(/** @type {Element} */ (target)).closest(".nk-cell") && ui.set({ detail: null });
  return html`<div class="necklace ${p.phase}" @click=${elsewhere}>
    ${shelf(p, sale)}
    <div class="counter ${sale || panel === "cards" || p.phase === "show" ? "selling" : ""}">
      ${row(p)}
      ${panel === "cards" ? overview(p) : sale ? results(p) : p.phase === "show" ? tray(p) : html`${ledger(p)}${peeked(p)}`}
    </div>
    ${mine(p)}
  </div>`;
}

/** Does the outcome of a sale lie on the counter? @param {Position} p */
function lies(p) {
  const { ui, s } = p, wentOn = p.view.cues.some((cue) => cue.seat === p.me && ["buy", "end"].includes(cue.verb));
  if (p.phase === "alchemist") return true;
  if (!away.has(ui)) away.set(ui, p.sold ? s.sales - 1 : s.sales);
  if (ui.local.closed || p.phase === "show" || (wentOn && !p.sold)) away.set(ui, s.sales);
  return s.sales > (away.get(ui) ?? 0);
}
