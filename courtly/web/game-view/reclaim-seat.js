/** Reclaims a seat that a link from this browser has moved to another browser. */
import { html } from "lit";
import { showError } from "../components/dialogs.js";
import { saveTableData, loadTableData } from "../core/table-storage.js";
import { request } from "../core/http-client.js";
import { t } from "../core/i18n.js";

/** @typedef {import("./game-view.js").GameView} GameView */

/** The tokens by seat, read again when the table changes. @type {WeakMap<object, Record<string, string>>} */
const tokensByInfo = new WeakMap();

/** Render a button for each seat that can be reclaimed. @param {GameView} table */
export function renderReclaimButtons(table) {
  const { info, ui, replay } = table;
  if (replay || !info.id || info.status === "over") return [];
  const tokens = tokensByInfo.get(info) ?? loadTableData(info.id).reclaimTokens ?? {};
  tokensByInfo.set(info, tokens);
  return info.seats
    .filter((seat) => seat.kind === "person" && !seat.you && tokens[seat.seat])
    .map(({ seat }) => {
      const name = ui.playerName(seat);
      return html`<div class="reclaim"><p class="quiet">${t("recall-about", { name })}</p>
        <button class="button small" @click=${() => reclaimSeat(table, seat)}>${t("recall", { name })}</button></div>`;
    });
}

/** @param {GameView} table @param {number} seat @param {string} token */
export function storeReclaimToken({ info }, seat, token) {
  saveTableData(info.id, { reclaimTokens: { ...loadTableData(info.id).reclaimTokens, [seat]: token } });
  tokensByInfo.delete(info);
}

/** @param {GameView} table @param {number} seat */
async function reclaimSeat(table, seat) {
  const { info } = table;
  try {
    await request("POST", `/api/tables/${info.id}/reclaim`, {
      reclaim_token: loadTableData(info.id).reclaimTokens?.[seat],
    });
  } catch (/** @type {any} */ error) {
    showError(error);
    if (error?.id !== "error-not-yours") return; // otherwise the token is invalid for good
  }
  const { [seat]: _, ...others } = loadTableData(info.id).reclaimTokens ?? {};
  saveTableData(info.id, { reclaimTokens: others });
  tokensByInfo.delete(table.info);
  table.refresh();
}
