/** The guest's page at /me: running games, results of finished games, and the guest's identity. */
import { html, nothing, render } from "lit";
import { showError, openConfirmDialog, showToast, redrawDialogs } from "../../components/dialogs.js";
import { renderShield } from "../../board-sdk/seat-shield.js";
import { renderTableList, formatTimeAgo } from "../../components/table-list.js";
import { request } from "../../core/http-client.js";
import { renderLanguageChoice, renderSchemeChoice } from "../../components/preferences-panel.js";
import { openLinkDialog } from "../../components/qr-code.js";
import { openNotificationSettings } from "../../components/notification-settings.js";
import { onSettingChange } from "../../core/user-settings.js";
import { hasText, loadCatalogues, t } from "../../core/i18n.js";
import { loadStyle } from "../../core/page-style.js";
import { playerName } from "../../core/player-names.js";
import { replayAddress } from "../../game-view/replay/viewpoint.js";

/**
 * @typedef {import("../../core/api-types.js").GameInfo} About @typedef {import("../../core/api-types.js").MyGames} Mine
 * @typedef {import("../../core/api-types.js").Me} Me @typedef {import("../../core/api-types.js").FinishedGame} Over
 * @typedef {import("../../core/api-types.js").GameTally} Played
 */
/** @typedef {{games: About[], me: Me, mine: Mine, refresh: () => void}} AccountPage */

/** @param {HTMLElement} host */
export async function start(host) {
  const [games, me, mine] = await Promise.all([
    request("GET", "/api/games?brief=true"),
    request("GET", "/api/me"),
    request("GET", "/api/me/games"),
    loadStyle(new URL("account-page.css", import.meta.url).href),
  ]);
  const ids = games.map((/** @type {About} */ about) => about.id);
  await loadCatalogues(...ids);
  /** @type {AccountPage} */
  const page = { games, me, mine, refresh: () => refresh() };
  const refresh = () => {
    render(renderAccount(page), host);
    redrawDialogs();
    document.title = `${t("me")} – ${t("courtly")}`;
  };
  onSettingChange(async () => {
    await loadCatalogues(...ids);
    refresh();
  });
  refresh();
}

/** @param {AccountPage} page */
function renderAccount(page) {
  const { games, mine } = page;
  const runningTables = mine.running.map((one) => one.table);
  const due = mine.running.filter((one) => one.due).map((one) => one.table.id);
  return html`<div class="lobby me">
    <header class="lobby-head"><a class="home" href="/" aria-label=${t("to-lobby")} title=${t("to-lobby")}><span
        class="logo"></span></a><h1>${t("me")}</h1>
      <div class="preferences">${renderLanguageChoice()}${renderSchemeChoice()}</div></header>
    <main>
      ${renderTableList(runningTables, "mine", games, due)}
      ${renderTallies(page)}
      ${renderFinished(page)}
      ${renderIdentity(page)}
    </main>
  </div>`;
}

/** @param {AccountPage} page */
function renderTallies({ mine }) {
  if (!mine.tallies.length) return nothing;
  return html`<section><h2 id="tallies">${t("me-tallies")}</h2>
    <div class="wide" tabindex="0" role="region" aria-labelledby="tallies"><table class="tallies">
      <thead><tr><th scope="col">${t("me-game")}</th><th scope="col">${t("me-players")}</th>
        <th scope="col">${t("me-against")}</th><th scope="col">${t("me-played")}</th>
        <th scope="col">${t("me-won")}</th><th scope="col">${t("me-average")}</th></tr></thead>
      <tbody>${mine.tallies.map((tally) => renderTally(tally, mine))}</tbody></table></div></section>`;
}

/**
 * Return whether a game's points are its result. Those of a game with a text of its own for results are not: To Court
 * the King counts characters, but the result is the best group of dice.
 * @param {string} game
 */
const arePointsResult = (game) => !hasText(`${game}-standing`);

/** @param {Played} tally @param {Mine} mine */
function renderTally({ game, players, people, played, won, points }, mine) {
  return html`<tr><th scope="row">${t(game)}</th><td>${players}</td><td>${t(people ? "me-people" : "me-bots")}</td>
    <td>${played}</td><td>${t("me-won-of", { won, percent: Math.round((100 * won) / played) })}</td>
    <td>${points === null || !arePointsResult(game) ? "–" : formatPoints(game, points, mine)}</td></tr>`;
}

/** Format points in the game's own unit. @param {string} game @param {number} n @param {Mine} mine */
function formatPoints(game, n, { units }) {
  const text = `${game}-counted-${units[game]}`;
  return hasText(text) ? t(text, { n, many: n }) : String(n);
}

/** @param {AccountPage} page */
function renderFinished(page) {
  const { mine } = page;
  if (!mine.finished.length)
    return mine.running.length
      ? nothing
      : html`<p class="quiet none">${t("me-nothing")} <a href="/">${t("to-lobby")}</a></p>`;
  return html`<section aria-labelledby="finished"><h2 id="finished">${t("me-finished")}</h2>
    <ul class="finished">${mine.finished.map((game) => renderFinishedGame(game, page))}</ul>
    ${mine.after ? html`<button class="button quiet" @click=${() => loadMore(page)}>${t("me-more")}</button>` : nothing}
  </section>`;
}

/** @param {Over} over @param {AccountPage} page */
function renderFinishedGame(over, { games, mine }) {
  const about = games.find((game) => game.id === over.game);
  const seats = [...over.seats].sort((a, b) => (a.place ?? 9) - (b.place ?? 9));
  const seatFields = /** @type {any[]} */ (seats); // only the fields that a name needs
  return html`<li class=${about?.colour ?? ""}><header><b>${about ? t(over.game) : over.game}</b>
      <time datetime=${over.ended_at}>${formatTimeAgo(over.ended_at)}</time></header>
    <ol>${seats.map(
      (seat, n) => html`<li class=${seat.you ? "you" : ""}><span class="place">${seat.place ?? ""}</span>
      ${renderShield(seat.seat, "tiny")} <span class="name">${playerName(seatFields[n])}</span>
      ${
        seat.points === null || !arePointsResult(over.game)
          ? nothing
          : html`<span>${formatPoints(over.game, seat.points, mine)}</span>`
      }</li>`,
    )}</ol>
    <div class="buttons"><a class="button quiet small" href=${replayAddress(over.table, over.seats)}>${t(
      "replay-watch",
    )}</a>
      ${
        about?.help_available
          ? html`<a class="button quiet small" href="/t/${over.table}?ply=0&review">${t("replay-review")}</a>`
          : nothing
      }
      <a class="button quiet small" href="/t/${over.table}">${t("me-look")}</a>
      ${
        over.rematch_id
          ? html`<a class="button quiet small" href="/t/${over.rematch_id}">${t("rematch-ready")}</a>`
          : html`<button class="button quiet small" @click=${() => startRematch(over)}>${t("rematch")}</button>`
      }</div></li>`;
}

/** @param {Over} over */
async function startRematch(over) {
  try {
    location.href = `/t/${(await request("POST", `/api/tables/${over.table}/rematch`, {})).id}`;
  } catch (error) {
    showError(error);
  }
}

/** @param {AccountPage} page */
async function loadMore(page) {
  const { mine } = page;
  const rest = await request("GET", `/api/me/games?after=${mine.after}`);
  mine.finished.push(...rest.finished);
  mine.after = rest.after;
  page.refresh();
}

/** @param {AccountPage} page */
function renderIdentity(page) {
  const name = async (/** @type {any} */ event) => {
    event.preventDefault();
    try {
      page.me = await request("PUT", "/api/me", { name: event.target.name.value });
      showToast(t("saved"));
      page.refresh();
    } catch (error) {
      showError(error);
    }
  };
  return html`<section class="self" aria-labelledby="who"><h2 id="who">${t("me-who")}</h2>
    <form class="link" @submit=${name}><label class="field">${t("your-name")}
      <input name="name" autocomplete="nickname" maxlength="24" .value=${page.me.name}></label>
      <button class="button">${t("save")}</button></form>
    <p class="quiet">${t("me-cookie")}</p>
    <div class="buttons"><button class="button quiet" aria-haspopup="dialog"
      @click=${openIdentityLink}>${t("me-carry")}</button>
      <button class="button quiet" aria-haspopup="dialog"
        @click=${openNotificationSettings}>${t("notifications")}</button>
      <button class="button quiet" aria-haspopup="dialog"
        @click=${() => confirmSignOut(page)}>${t("me-sign-out")}</button>
      <a class="button quiet" href="/api/me/export" download="courtly.jsonl">${t("me-export")}</a>
      <button class="button quiet" aria-haspopup="dialog"
        @click=${confirmForget}>${t("me-forget")}</button></div></section>`;
}

/** Create a link for another device and show it. */
async function openIdentityLink() {
  let path = "";
  try {
    ({ path } = await request("POST", "/api/me/identity-link", {}));
  } catch (error) {
    return showError(error);
  }
  await openLinkDialog(
    () => t("me-carry"),
    () => t("me-carry-about"),
    path,
  );
}

/** @param {AccountPage} page */
function confirmSignOut(page) {
  openConfirmDialog(
    () => t("me-sign-out-question"),
    () => t("me-sign-out"),
    async () => {
      try {
        page.me = await request("POST", "/api/me/sign-out");
        showToast(t("me-signed-out"));
      } catch (error) {
        showError(error);
      }
    },
  );
}

function confirmForget() {
  openConfirmDialog(
    () => t("me-forget-question"),
    () => t("me-forget"),
    async () => {
      try {
        await request("DELETE", "/api/me");
        localStorage.clear();
        location.href = "/";
      } catch (error) {
        showError(error);
      }
    },
  );
}
