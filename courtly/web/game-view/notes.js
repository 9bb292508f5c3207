/** What somebody writes down for themselves: it stays in this browser, for each seat that is looked from. */
import { html, live, nothing } from "lit";
import { keep, kept } from "../core/table-storage.js";
import { t } from "../core/i18n.js";

/** @typedef {import("./game-view.js").Table} Table */

const LONGEST = 5000; // characters

/** @param {Table} table */
export function notes({ info, seat, handTo, view, replay, guide }) {
  if (!view || handTo !== null || replay || guide || !info.id) return nothing;
  const whose = String(seat);
  const all = kept(info.id).notes ?? {};
  const change = (/** @type {any} */ event) =>
    keep(info.id, { notes: { ...kept(info.id).notes, [whose]: event.target.value } });
  return html`<details class="own-notes" ?open=${Boolean(all[whose])}><summary>${t("notes")}</summary>
    <p class="quiet" id="notes-about">${t("notes-about")}</p>
    <textarea aria-label=${t("notes")} aria-describedby="notes-about" rows="5" maxlength=${LONGEST} dir="auto"
      .value=${live(all[whose] ?? "")} @input=${change}></textarea></details>`;
}
