/** The lobby: five doors of one palace, and the tables behind them. */
import { html, nothing, render } from "lit";
import { complain, redrawDialogs } from "../components/dialogs.js";
import { mark } from "../board-sdk/ui-icons.js";
import { ask, Line, lostBy } from "../core/http-client.js";
import { chooser, takeDrops } from "../components/record-picker.js";
import { newTable } from "../components/new-table-form.js";
import { languages, schemes } from "../components/preferences-panel.js";
import { onSetting } from "../core/user-settings.js";
import { list } from "../components/table-list.js";
import { folder, has, load, t } from "../core/i18n.js";

/**
 * @typedef {import("../core/api-types.js").GameInfo} About @typedef {import("../core/api-types.js").Tables} Tables
 * @typedef {import("../core/api-types.js").Me} Me
 */
/** @typedef {{games: About[], tables: Tables, me: Me, lost: string}} Lobby */

/** @param {HTMLElement} host */
export async function start(host) {
  const [games, tables, me] = await Promise.all([
    ask("GET", "/api/games?brief=true"),
    ask("GET", "/api/tables"),
    ask("GET", "/api/me"),
  ]);
  const ids = games.map((/** @type {About} */ about) => about.id);
  await load(...ids);
  const lobby = { games, tables, me, lost: "" };
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
  takeDrops();
  new Line("/ws/lobby").open({
    hear: (message) => {
      if (message.type === "tables") lobby.tables = message;
      refresh();
    },
    state: (connected, restarts) => {
      lobby.lost = lostBy(connected, restarts);
      refresh();
    },
  });
}

/** @param {Lobby} lobby */
function page(lobby) {
  const { games, tables, lost } = lobby;
  return html`<div class="lobby">
    <header class="lobby-head"><span class="logo"
        aria-hidden="true"></span><h1>${t("courtly")}</h1><p>${t("tagline")}</p>
      <a class="button quiet" href="/me">${t("me")}</a>
      <div class="preferences">${languages()}${schemes()}</div></header>
    ${lost ? html`<p class="lost" role="status" translate="no">${t(lost)}</p>` : nothing}
    <main>
      ${list(tables.mine, "mine", games, tables.due)}
      ${list(tables.open, "open", games)}
      <section class="palace" aria-label=${t("games")}>${games.map((about) => door(about, lobby))}</section>
      ${list(tables.live, "live", games)}
    </main>
    <footer class="lobby-foot"><p>${chooser()}
      <a class="button quiet small" href="/offline">${t("offline-play")}</a></p>
      <p>${t("credits-unofficial")}</p><p>${t("credits-icons")}
    ${t("credits-fonts")}</p></footer>
  </div>`;
}

/** @param {About} about @param {Lobby} lobby */
function door(about, { games, tables, me }) {
  const [least, most] = [Math.min(...about.players), Math.max(...about.players)];
  const waiting = () => tables.open.filter((table) => table.game === about.id);
  return html`<article class="door ${about.colour}" data-game=${about.id}>
    <span class="arch" aria-hidden="true"><img alt="" src=${new URL("board/art/emblem.svg", folder(about.id)).href}
      @error=${houseEmblem}></span>
    <div class="plate">
      <h2><button class="enter" aria-haspopup="dialog"
          @click=${() => newTable(about, me, () => list(waiting(), "open", games))}><b>${t(about.id)}</b></button></h2>
      ${has(`${about.id}.tagline`) ? html`<p class="tagline">${t(`${about.id}.tagline`)}</p>` : nothing}
      ${
        waiting().length
          ? html`<p class="waits" translate="no">${t("tables-waiting", { count: waiting().length })}</p>`
          : nothing
      }
      <p class="facts"><span>${mark("people")} ${t("players-range", { least, most })}</span> <span>${mark("clock")}
      ${t("minutes", { minutes: about.minutes })}</span>
        ${
          about.lesson
            ? html`<a class="read learn" href="/learn/${about.id}"
              aria-label=${t("lesson-of", { title: t(about.id) })}>${mark("hint")}
              ${t("lesson")}</a>`
            : nothing
        }
        <a class="read" href="/rules/${about.id}" aria-label=${t("rules-of", { title: t(about.id) })}>${mark("book")}
        ${t("rules")}</a>${
          document.documentElement.hasAttribute("data-dev")
            ? html` <a class="read" href="/dev/${about.id}"
              aria-label=${t("dev-inspector-of", { title: t(about.id) })}>${t("dev-inspector")}</a>`
            : nothing
        }</p>
    </div></article>`;
}

const LOGO = new URL("../logo.svg", import.meta.url).href;

/** For a game that has none. @param {Event} event */
function houseEmblem({ target }) {
  const picture = /** @type {HTMLImageElement} */ (target);
  if (picture.src !== LOGO) picture.src = LOGO;
}

addEventListener("unhandledrejection", (event) => complain(event.reason));
