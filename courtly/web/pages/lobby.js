/** The lobby: a palace with a door for each game, and the lists of tables. */
import { html, nothing, render } from "lit";
import { showError, redrawDialogs } from "../components/dialogs.js";
import { renderUiIcon } from "../board-sdk/ui-icons.js";
import { request, ReconnectingSocket, connectionMessage } from "../core/http-client.js";
import { renderRecordButton, acceptDroppedRecords } from "../components/record-picker.js";
import { openNewTableDialog } from "../components/new-table-form.js";
import { renderLanguageChoice, renderSchemeChoice } from "../components/preferences-panel.js";
import { onSettingChange } from "../core/user-settings.js";
import { renderTableList } from "../components/table-list.js";
import { gameUrl, hasText, loadCatalogues, t } from "../core/i18n.js";
import { lessonUrl, rulesUrl } from "../core/page-address.js";
import { hasStoredTables } from "../core/table-storage.js";

/**
 * @typedef {import("../core/api-types.js").GameInfo} About @typedef {import("../core/api-types.js").Tables} Tables
 * @typedef {import("../core/api-types.js").Me} Me
 */
/** @typedef {{games: About[], tables: Tables, me: Me, lost: string}} Lobby */

/** @param {HTMLElement} host */
export async function start(host) {
  const [games, tables, me] = await Promise.all([
    request("GET", "/api/games?brief=true"),
    request("GET", "/api/tables"),
    request("GET", "/api/me"),
  ]);
  const ids = games.map((/** @type {About} */ about) => about.id);
  await loadCatalogues(...ids);
  const lobby = { games, tables, me, lost: "" };
  const refresh = () => {
    render(renderLobby(lobby), host);
    redrawDialogs();
    document.title = t("courtly");
  };
  onSettingChange(async () => {
    await loadCatalogues(...ids);
    refresh();
  });
  refresh();
  acceptDroppedRecords();
  new ReconnectingSocket("/ws/lobby").open({
    onMessage: (message) => {
      if (message.type === "tables") lobby.tables = message;
      refresh();
    },
    onStateChange: (connected, restarts) => {
      lobby.lost = connectionMessage(connected, restarts);
      refresh();
    },
  });
}

/** @param {Lobby} lobby */
function renderLobby(lobby) {
  const { games, tables, lost } = lobby;
  return html`<div class="lobby">
    <header class="lobby-head"><span class="logo"
        aria-hidden="true"></span><h1>${t("courtly")}</h1><p>${t("tagline")}</p>
      <a class="button quiet" href="/me">${t("me")}</a>
      ${renderLanguageChoice()}</header>
    ${lost ? html`<p class="lost" role="status" translate="no">${t(lost)}</p>` : nothing}
    <main>
      ${renderTableList(tables.mine, "mine", games, tables.due)}
      ${renderTableList(tables.open, "open", games)}
      ${tables.mine.length || hasStoredTables() ? nothing : renderLessonOffer(games)}
      <section class="palace" aria-label=${t("games")}>${games.map((about) => renderGameCard(about, lobby))}</section>
      ${renderTableList(tables.live, "live", games)}
    </main>
    <footer class="lobby-foot"><div class="buttons">${renderRecordButton()}
      <a class="button quiet small" href="/offline">${t("offline-play")}</a>${renderSchemeChoice()}</div>
      <p>${t("credits-unofficial")}</p><p>${t("credits-icons")}
    ${t("credits-fonts")}</p></footer>
  </div>`;
}

/** Offer the lesson of the shortest game to a newcomer. @param {About[]} games */
function renderLessonOffer(games) {
  const [shortest] = games.filter((about) => about.lesson).sort((a, b) => a.minutes - b.minutes);
  if (!shortest) return nothing;
  return html`<p class="newcomer"><b>${t("lesson-offer")}</b>
    <a class="button quiet small" href=${lessonUrl(shortest.id)}>${renderUiIcon("hint")}
    ${t("lesson-offer-game", { title: t(shortest.id) })}</a></p>`;
}

/** @param {About} about @param {Lobby} lobby */
function renderGameCard(about, { games, tables, me }) {
  const [least, most] = [Math.min(...about.players), Math.max(...about.players)];
  const listWaiting = () => tables.open.filter((table) => table.game === about.id);
  return html`<article class="door ${about.colour}" data-game=${about.id}>
    <span class="arch" aria-hidden="true"><img alt="" src=${new URL("board/art/emblem.svg", gameUrl(about.id)).href}
      @error=${useFallbackEmblem}></span>
    <div class="plate">
      <h2><button class="enter" aria-haspopup="dialog"
          @click=${() =>
            openNewTableDialog(about, me, () =>
              renderTableList(listWaiting(), "open", games),
            )}><b>${t(about.id)}</b></button></h2>
      ${hasText(`${about.id}.tagline`) ? html`<p class="tagline">${t(`${about.id}.tagline`)}</p>` : nothing}
      ${
        listWaiting().length
          ? html`<p class="waits" translate="no">${t("tables-waiting", { count: listWaiting().length })}</p>`
          : nothing
      }
      <p class="facts"><span>${renderUiIcon("people")} ${t("players-range", {
        least,
        most,
      })}</span> <span>${renderUiIcon("clock")}
      ${t("minutes", { minutes: about.minutes })}</span>
        ${
          about.lesson
            ? html`<a class="read learn" href=${lessonUrl(about.id)}
              aria-label=${t("lesson-of", { title: t(about.id) })}>${renderUiIcon("hint")}
              ${t("lesson")}</a>`
            : nothing
        }
        <a class="read" href=${rulesUrl(about.id)}
          aria-label=${t("rules-of", { title: t(about.id) })}>${renderUiIcon("book")}
        ${t("rules")}</a>${
          document.documentElement.hasAttribute("data-dev")
            ? html` <a class="read" href="/dev/${about.id}"
              aria-label=${t("dev-inspector-of", { title: t(about.id) })}>${t("dev-inspector")}</a>`
            : nothing
        }</p>
      <span class="button to-play" aria-hidden="true">${t("play")}</span>
    </div></article>`;
}

const LOGO = new URL("../logo.svg", import.meta.url).href;

/** Replace the missing emblem of a game by the logo. @param {Event} event */
function useFallbackEmblem({ target }) {
  const picture = /** @type {HTMLImageElement} */ (target);
  if (picture.src !== LOGO) picture.src = LOGO;
}

addEventListener("unhandledrejection", (event) => showError(event.reason));
