/** The board of Web of Power: the chart, and the cards beside it. */
import { html, nothing } from "lit";
import { cards } from "./cards.js";
import { chart } from "./chart.js";
import { Position } from "./position.js";
import { note } from "./note.js";
import { table } from "./scores.js";

export { cues } from "./cues.js";
export { outcome, score } from "./scores.js";
export { plain, prompt, seat } from "./say.js";

/** @typedef {import("../../web/types.js").View} View @typedef {import("../../web/ui.js").Ui} Ui */

/** @param {View} view @param {Ui} ui */
export function board(view, ui) {
  const p = new Position(view, ui), justScored = view.cues.slice(-3).some(({ verb }) => verb === "interim"), open = !view.over && (ui.local.scores ?? justScored);
  return html`<div class="cardinal ${p.mine ? "mine" : ""}">
    <div class="left">${chart(p)}${note(p)}
      <button class="icon-button ledger" aria-expanded=${!!open} @click=${() => ui.set({ scores: !open })}>${ui.t("cardinal-scores")}</button>
      ${open ? html`<section class="sheet-scores" role="region" tabindex="0" aria-label=${ui.t("cardinal-scores")}>
        <button class="button quiet small" @click=${() => ui.set({ scores: false })}>${ui.t("cardinal-close")}</button>${table(p)}</section>` : nothing}</div>
    ${cards(p)}
  </div>`;
}
