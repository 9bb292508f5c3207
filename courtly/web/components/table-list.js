/** The lists of tables in the lobby and in the dialog of a game. */
import { html, nothing } from "lit";
import { renderShield } from "../board-sdk/seat-shield.js";
import { renderUiIcon } from "../board-sdk/ui-icons.js";
import { currentLanguage } from "../core/user-settings.js";
import { formatTimeControl } from "./time-control.js";
import { t } from "../core/i18n.js";
import { playerName } from "../core/player-names.js";

/**
 * @typedef {import("../core/api-types.js").GameInfo} About @typedef {import("../core/api-types.js").TableInfo}
 * TableInfo
 * @typedef {"mine" | "open" | "live"} ListKind
 */

const VISIBLE_ROWS = 3; // shown at first; a click shows the rest, so that the lobby's picture stays visible

/** @param {TableInfo[]} tables @param {ListKind} kind @param {About[]} games @param {string[]} [due] */
export function renderTableList(tables, kind, games, due = /** @type {string[]} */ ([])) {
  const knownTables = tables.filter((table) => games.some((about) => about.id === table.game));
  knownTables.sort((a, b) => Number(due.includes(b.id)) - Number(due.includes(a.id)));
  if (!knownTables.length) return nothing;
  const rows = knownTables.map((table) => renderRow(table, kind, games, due.includes(table.id)));
  const rest = rows.length - VISIBLE_ROWS;
  return html`<section class="tables ${kind}" translate="no" aria-label=${t(`tables-${kind}`)}>
    <h2>${t(`tables-${kind}`)}</h2>
    <ul>${rows.slice(0, VISIBLE_ROWS)}</ul>
    ${
      rest > 0
        ? html`<details><summary>${t("tables-more", {
            count: rest,
          })}</summary><ul>${rows.slice(VISIBLE_ROWS)}</ul></details>`
        : nothing
    }</section>`;
}

/** @param {TableInfo} table @param {ListKind} kind @param {About[]} games @param {boolean} due is it my turn? */
function renderRow(table, kind, games, due) {
  const colour = games.find((about) => about.id === table.game)?.colour;
  const action =
    kind === "mine" ? (table.status === "waiting" ? t("go-wait") : t("go-on")) : t(kind === "open" ? "join" : "watch");
  return html`<li><a class="table-link ${colour} ${due ? "due" : ""}" href="/t/${table.id}"><b>${t(table.game)} <time
      datetime=${table.created_at}>${formatTimeAgo(table.created_at)}</time>${
        table.clock
          ? html` <span class="clock">${renderUiIcon("clock")} ${formatTimeControl(table.clock)}</span>`
          : nothing
      }</b>
    <span class="people">${table.seats.map(
      (seat) => html`<span class=${seat.kind === "open" ? "empty" : "name"}>${renderShield(seat.seat, "tiny")}
      ${seat.kind === "open" ? t("seat-open") : playerName(seat)}</span>`,
    )}</span><span class="go">${due ? t("your-turn") : action}</span></a></li>`;
}

/** Format how long ago a time was. @param {string} iso */
export function formatTimeAgo(iso) {
  const minutes = Math.round((Date.parse(iso) - Date.now()) / 60_000);
  if (!Number.isFinite(minutes)) return "";
  const format = new Intl.RelativeTimeFormat(currentLanguage(), { numeric: "auto" });
  if (minutes > -1) return format.format(0, "second");
  if (minutes > -60) return format.format(minutes, "minute");
  return minutes > -60 * 24
    ? format.format(Math.round(minutes / 60), "hour")
    : format.format(Math.round(minutes / 60 / 24), "day");
}
