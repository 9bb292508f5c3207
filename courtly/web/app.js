/** The way in: the lobby at /, a table at /t/<id>, the rules of a game at /rules/<game>. */
import { html, render } from "lit";
import { said } from "./dialogs.js";
import { tellOnTap } from "./hints.js";
import { apply, onSetting } from "./settings.js";
import { load, t } from "./texts.js";

apply();
onSetting(() => load());
tellOnTap();
await load();
const [, where, what] = location.pathname.match(/^\/(t|rules)\/([^/]+)$/) ?? [];
const page = /** @type {HTMLElement} */ (document.getElementById("page"));
try {
  if (where === "t") await (await import("./table.js")).start(page, decodeURIComponent(what));
  else if (where) await (await import("./rules-page.js")).start(page, decodeURIComponent(what));
  else await (await import("./lobby.js")).start(page);
} catch (error) {
  render(html`<main class="sheet nowhere"><h1>${t("courtly")}</h1><p role="alert">${said(error)}</p>
    <a class="button" href="/">${t("to-lobby")}</a></main>`, page);
}
