/** The rules of a game on their own page, at /rules/<game>, to read before a game or to send to friends. */
import { html, nothing, render } from "lit";
import { showError, redrawDialogs } from "../components/dialogs.js";
import { request } from "../core/http-client.js";
import { openNewTableDialog } from "../components/new-table-form.js";
import { renderLanguageChoice, renderSchemeChoice } from "../components/preferences-panel.js";
import { renderExample } from "../components/rules/example.js";
import { waitForRules, listParts, renderRules } from "../components/rules/rules.js";
import { onSettingChange } from "../core/user-settings.js";
import { loadCatalogues, t } from "../core/i18n.js";
import { HOME_URL, IS_OFFLINE, lessonUrl, offlinePlayUrl } from "../core/page-address.js";

/** @typedef {import("../core/api-types.js").GameInfo} About */

/** @param {HTMLElement} host @param {string} game */
export async function start(host, game) {
  const [about, me] = await Promise.all([
    request("GET", `/api/games/${encodeURIComponent(game)}`),
    request("GET", "/api/me"),
    loadCatalogues(game),
    waitForRules(game),
  ]);
  let pendingAnchor = location.hash;
  const refresh = () => {
    render(renderRulesPage(about, me, refresh), host);
    redrawDialogs();
    document.title = `${t("rules-of", { title: t(about.id) })} – ${t("courtly")}`;
    const part = pendingAnchor && document.getElementById(pendingAnchor.slice(1));
    if (part) {
      pendingAnchor = "";
      part.scrollIntoView();
    }
  };
  onSettingChange(async () => {
    await Promise.all([loadCatalogues(about.id), waitForRules(about.id)]);
    refresh();
  });
  refresh();
}

/** @param {About} about @param {{name: string}} me @param {() => void} refresh */
function renderRulesPage(about, me, refresh) {
  const sections = listParts(about, refresh);
  return html`<div class="rules-page ${about.colour}">
    <header class="lobby-head"><a class="home" href=${HOME_URL} aria-label=${t("to-lobby")} title=${t("to-lobby")}><span
        class="logo"></span></a>
      <h1>${t("rules-of", { title: t(about.id) })}</h1><div class="buttons">${
        about.lesson ? html`<a class="button quiet" href=${lessonUrl(about.id)}>${t("lesson")}</a>` : nothing
      }${renderPlayButton(about, me)}</div>
      <div class="preferences">${renderLanguageChoice()}${renderSchemeChoice()}</div></header>
    ${
      sections.length
        ? html`<nav class="contents" aria-label=${t("contents")}><h2>${t("contents")}</h2>
          <ol>${sections.map(({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li>`)}</ol></nav>`
        : nothing
    }
    <main class="reading">
      ${renderRules(about, refresh, (step, caption) => renderExample(about, step, caption, refresh))}
    </main>
  </div>`;
}

/** @param {About} about @param {{name: string}} me */
const renderPlayButton = (about, me) =>
  IS_OFFLINE
    ? html`<a class="button" href=${offlinePlayUrl(about.id)}>${t("play-this")}</a>`
    : html`<button class="button" aria-haspopup="dialog"
        @click=${() => openNewTableDialog(about, me)}>${t("play-this")}</button>`;

addEventListener("unhandledrejection", (event) => showError(event.reason));
