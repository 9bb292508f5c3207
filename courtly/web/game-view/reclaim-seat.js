/** The way back to a seat that a link from this browser has carried to another one. */
import { html } from "lit";
import { complain } from "../components/dialogs.js";
import { keep, kept } from "../core/table-storage.js";
import { ask } from "../core/http-client.js";
import { t } from "../core/i18n.js";

/** @typedef {import("./game-view.js").Table} Table */

/** The tokens of each seat, read again when the table changes. @type {WeakMap<object, Record<string, string>>} */
const read = new WeakMap();

/** A button for each such seat. @param {Table} table */
export function recalls(table) {
  const { info, ui, replay } = table;
  if (replay || !info.id || info.status === "over") return [];
  const tokens = read.get(info) ?? kept(info.id).recalls ?? {};
  read.set(info, tokens);
  return info.seats
    .filter((seat) => seat.kind === "person" && !seat.you && tokens[seat.seat])
    .map(({ seat }) => {
      const name = ui.name(seat);
      return html`<div class="recall"><p class="quiet">${t("recall-about", { name })}</p>
        <button class="button small" @click=${() => recall(table, seat)}>${t("recall", { name })}</button></div>`;
    });
}

/** @param {Table} table @param {number} seat @param {string} token */
export function keepRecall({ info }, seat, token) {
  keep(info.id, { recalls: { ...kept(info.id).recalls, [seat]: token } });
  read.delete(info);
}

/** @param {Table} table @param {number} seat */
async function recall(table, seat) {
  const { info } = table;
  try {
    await ask("POST", `/api/tables/${info.id}/recall`, { recall: kept(info.id).recalls?.[seat] });
  } catch (/** @type {any} */ error) {
    complain(error);
    if (error?.id !== "error-not-yours") return; // else it will never be good again
  }
  const { [seat]: _, ...others } = kept(info.id).recalls ?? {};
  keep(info.id, { recalls: others });
  read.delete(table.info);
  table.refresh();
}
