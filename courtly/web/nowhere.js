/** An address that leads nowhere: what is wrong with it, and a way home. */
import { html, nothing, render } from "lit";
import { said } from "./dialogs.js";
import { onSetting } from "./settings.js";
import { load, t } from "./texts.js";

/**
 * What the server found wrong with a link that should have seated somebody, by the address it sent the browser to.
 * @type {Record<string, string>}
 */
const LINKS = { used: "error-link-used", false: "error-link-false", cookie: "error-no-cookie" };

/** @param {HTMLElement} host @param {any} [error] why the page that is here could not be shown */
export function start(host, error) {
  const [, what, how, table] = location.pathname.split("/");
  const wrong = error ?? { id: (what === "link" && LINKS[how]) || "error-unknown-page" };
  const draw = () => {
    document.title = t("courtly");
    render(
      html`<main class="sheet nowhere"><span class="logo" aria-hidden="true"></span>
      <h1>${t(/^error-unknown/.test(wrong.id) ? "nowhere" : "courtly")}</h1><p role="alert">${said(wrong)}</p>
      <p class="buttons"><a class="button" href="/">${t("to-lobby")}</a>
        ${
          wrong.id === "error-link-used" && table
            ? html`<a class="button quiet"
              href="/t/${table}">${t("watch-table")}</a>`
            : nothing
        }</p></main>`,
      host,
    );
  };
  onSetting(async () => {
    await load();
    draw();
  });
  draw();
}
