/**
 * The rules of a game on a page of their own, at /rules/<game>: to be read before a table is opened, and to be sent to
 * a friend.
 */
import { html, nothing, render } from "lit";
import { complain, redrawDialogs } from "../components/dialogs.js";
import { ask } from "../core/http-client.js";
import { newTable } from "../components/new-table-form.js";
import { languages, schemes } from "../components/preferences-panel.js";
import { example } from "../components/rules/example.js";
import { arrived, contents, rules } from "../components/rules/rules.js";
import { onSetting } from "../core/user-settings.js";
import { load, t } from "../core/i18n.js";

/** @typedef {import("../core/api-types.js").GameInfo} About */

/** @param {HTMLElement} host @param {string} game */
export async function start(host, game) {
  const [about, me] = await Promise.all([
    ask("GET", `/api/games/${encodeURIComponent(game)}`),
    ask("GET", "/api/me"),
    load(game),
    arrived(game),
  ]);
  let asked = location.hash;
  const refresh = () => {
    render(page(about, me, refresh), host);
    redrawDialogs();
    document.title = `${t("rules-of", { title: t(about.id) })} – ${t("courtly")}`;
    const part = asked && document.getElementById(asked.slice(1));
    if (part) {
      asked = "";
      part.scrollIntoView();
    }
  };
  onSetting(async () => {
    await Promise.all([load(about.id), arrived(about.id)]);
    refresh();
  });
  refresh();
}

/** @param {About} about @param {{name: string}} me @param {() => void} refresh */
function page(about, me, refresh) {
  const parts = contents(about, refresh);
  return html`<div class="rules-page ${about.colour}">
    <header class="lobby-head"><a class="home" href="/" aria-label=${t("to-lobby")} title=${t("to-lobby")}><span
        class="logo"></span></a>
      <h1>${t("rules-of", { title: t(about.id) })}</h1><div class="buttons">${
        about.lesson ? html`<a class="button quiet" href="/learn/${about.id}">${t("lesson")}</a>` : nothing
      }<button class="button" aria-haspopup="dialog"
          @click=${() => newTable(about, me)}>${t("play-this")}</button></div>
      <div class="preferences">${languages()}${schemes()}</div></header>
    ${
      parts.length
        ? html`<nav class="contents" aria-label=${t("contents")}><h2>${t("contents")}</h2>
          <ol>${parts.map(({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li>`)}</ol></nav>`
        : nothing
    }
    <main>${rules(about, refresh, (step, caption) => example(about, step, caption, refresh))}</main>
  </div>`;
}

addEventListener("unhandledrejection", (event) => complain(event.reason));
