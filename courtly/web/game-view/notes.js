/** A player's private notes. They stay in this browser, one text for each seat whose view is shown. */
import { html, live, nothing } from "lit";
import { saveTableData, loadTableData } from "../core/table-storage.js";
import { t } from "../core/i18n.js";

/** @typedef {import("./game-view.js").GameView} GameView */

const MAX_NOTE_LENGTH = 5000; // characters

/** @param {GameView} table */
export function renderNotes({ info, seat, handTo, view, replay, guide }) {
  if (!view || handTo !== null || replay || guide || !info.id) return nothing;
  const seatKey = String(seat);
  const all = loadTableData(info.id).notes ?? {};
  const change = (/** @type {any} */ event) =>
    saveTableData(info.id, { notes: { ...loadTableData(info.id).notes, [seatKey]: event.target.value } });
  return html`<details class="own-notes" ?open=${Boolean(all[seatKey])}><summary>${t("notes")}</summary>
    <p class="quiet" id="notes-about">${t("notes-about")}</p>
    <textarea aria-label=${t("notes")} aria-describedby="notes-about" rows="5" maxlength=${MAX_NOTE_LENGTH} dir="auto"
      .value=${live(all[seatKey] ?? "")} @input=${change}></textarea></details>`;
}
