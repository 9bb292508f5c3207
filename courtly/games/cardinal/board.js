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

/** The sheet of points opens after a scoring and stays until its reader closes it, whatever the others do meanwhile. @type {{open: boolean, scored: number | null}} */
const sheet = { open: false, scored: null };

/** @param {View} view @param {Ui} ui */
export function board(view, ui) {
  const p = new Position(view, ui), { scored } = view.state;
  if (sheet.scored !== scored) Object.assign(sheet, { open: sheet.scored === 0, scored });
  const open = sheet.open && !p.over, turn = (/** @type {boolean} */ to) => () => {
    sheet.open = to;
    ui.set({});
  };
  return html`<div class="cardinal ${p.over ? "over" : ""}">
    <div class="left">${chart(p)}${note(p)}
      <button class="icon-button ledger" aria-expanded=${!!open} @click=${turn(!open)}>${ui.t("cardinal-scores")}</button>
      ${open ? html`<section class="sheet-scores" role="region" tabindex="0" aria-label=${ui.t("cardinal-scores")}>
        <header><h2>${ui.t("cardinal-scores")}</h2><button class="button quiet small" @click=${turn(false)}>${ui.t("cardinal-close")}</button></header>${table(p)}</section>` : nothing}</div>
    ${cards(p)}
  </div>`;
}
