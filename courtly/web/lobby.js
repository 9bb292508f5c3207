/** The lobby: five doors of one palace, and the tables behind them. */
import { html, nothing, render } from "lit";
import { complain, redrawDialogs } from "./dialogs.js";
import { mark } from "./marks.js";
import { ask, Line } from "./net.js";
import { newTable } from "./new-table.js";
import { languages, schemes } from "./preferences.js";
import { language, onSetting } from "./settings.js";
import { folder, has, load, t } from "./texts.js";
import { called } from "./ui.js";
import { shield } from "./heraldry.js";

/** @typedef {import("./types.js").About} About @typedef {import("./types.js").Table} Table @typedef {import("./types.js").Tables} Tables */

/** @param {HTMLElement} host */
export async function start(host) {
  const [games, tables, me] = await Promise.all([ask("GET", "/api/games"), ask("GET", "/api/tables"), ask("GET", "/api/me")]);
  const ids = games.map((/** @type {About} */ about) => about.id);
  await load(...ids);
  const lobby = { games, tables, me, connected: true };
  const refresh = () => {
    render(page(lobby), host);
    redrawDialogs();
    document.title = t("courtly");
  };
  onSetting(async () => {
    await load(...ids);
    refresh();
  });
  refresh();
  new Line("/ws/lobby", {
    hear: (message) => {
      if (message.type === "tables") lobby.tables = message;
      refresh();
    },
    state: (connected) => {
      lobby.connected = connected;
      refresh();
    },
  });
}

/** @param {{games: About[], tables: Tables, me: {name: string}, connected: boolean}} lobby */
function page({ games, tables, me, connected }) {
  return html`<div class="lobby">
    <header class="lobby-head"><span class="logo" aria-hidden="true"></span><h1>${t("courtly")}</h1><p>${t("tagline")}</p>
      <div class="preferences">${languages()}${schemes()}</div></header>
    ${connected ? nothing : html`<p class="lost" role="status">${t("connection-lost")}</p>`}
    <main>
      ${list(tables.mine, "mine", games)}
      <nav class="palace" aria-label=${t("games")}>${games.map((about) => door(about, me))}</nav>
      ${list(tables.open, "open", games)}
      ${list(tables.live, "live", games)}
    </main>
    <footer class="lobby-foot"><p>${t("credits-unofficial")}</p><p>${t("credits-icons")}</p></footer>
  </div>`;
}

/** @param {About} about @param {{name: string}} me */
function door(about, me) {
  const [least, most] = [Math.min(...about.players), Math.max(...about.players)];
  return html`<button class="door ${about.colour}" data-game=${about.id} @click=${() => newTable(about, me)}>
    <span class="arch" aria-hidden="true"><img alt="" src=${new URL("art/emblem.svg", folder(about.id)).href}
      @error=${(/** @type {any} */ event) => event.target.remove()}></span>
    <span class="plate"><b>${t(about.id)}</b>
      ${has(`${about.id}.tagline`) ? html`<span class="tagline">${t(`${about.id}.tagline`)}</span>` : nothing}
      <span class="facts"><span>${mark("people")} ${t("players-range", { least, most })}</span> <span>${mark("clock")} ${t("minutes", { minutes: about.minutes })}</span></span></span>
  </button>`;
}

/** @param {Table[]} tables @param {"mine" | "open" | "live"} kind @param {About[]} games */
function list(tables, kind, games) {
  const known = tables.filter((table) => games.some((about) => about.id === table.game));
  if (!known.length) return nothing;
  return html`<section class="tables ${kind}" aria-label=${t(`tables-${kind}`)}><h2>${t(`tables-${kind}`)}</h2>
    <ul>${known.map((table) => row(table, kind, games))}</ul></section>`;
}

/** @param {Table} table @param {"mine" | "open" | "live"} kind @param {About[]} games */
function row(table, kind, games) {
  const colour = games.find((about) => about.id === table.game)?.colour;
  const action = kind === "mine" ? (table.status === "waiting" ? t("go-wait") : t("go-on")) : t(kind === "open" ? "join" : "watch");
  return html`<li><a class="table-link ${colour}" href="/t/${table.id}"><b>${t(table.game)} <time datetime=${table.created}>${since(table.created)}</time></b>
    <span class="people">${table.seats.map((seat) => html`<span class=${seat.kind === "open" ? "empty" : ""}>${shield(seat.seat, "tiny")}
      ${seat.kind === "open" ? t("seat-open") : called(seat)}</span>`)}</span><span class="go">${action}</span></a></li>`;
}

/** How long ago that was, in words. @param {string} iso */
function since(iso) {
  const minutes = Math.round((Date.parse(iso) - Date.now()) / 60_000);
  if (!Number.isFinite(minutes)) return "";
  const format = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  if (minutes > -1) return format.format(0, "second");
  if (minutes > -60) return format.format(minutes, "minute");
  return minutes > -60 * 24 ? format.format(Math.round(minutes / 60), "hour") : format.format(Math.round(minutes / 60 / 24), "day");
}

addEventListener("unhandledrejection", (event) => complain(event.reason));
