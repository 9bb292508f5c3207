/** The page for an invalid URL: an error message and a link to the lobby. */
import { html, nothing, render } from "lit";
import { formatError } from "../components/dialogs.js";
import { onSettingChange } from "../core/user-settings.js";
import { loadCatalogues, t } from "../core/i18n.js";
import { HOME_URL } from "../core/page-address.js";

/** @param {HTMLElement} host @param {any} [error] why the page could not be shown */
export function start(host, error) {
  const problem = error ?? { id: "error-unknown-page" };
  const table = problem.id === "error-link-used" && problem.args?.table;
  const draw = () => {
    document.title = t("courtly");
    render(
      html`<main class="sheet nowhere"><span class="logo" aria-hidden="true"></span>
      <h1>${t(/^error-unknown/.test(problem.id) ? "nowhere" : "courtly")}</h1>
      <p role="alert">${formatError(problem)}</p>
      <p class="buttons"><a class="button" href=${HOME_URL}>${t("to-lobby")}</a>
        ${
          table
            ? html`<a class="button quiet"
              href="/t/${table}">${t("watch-table")}</a>`
            : nothing
        }</p></main>`,
      host,
    );
  };
  onSettingChange(async () => {
    await loadCatalogues();
    draw();
  });
  draw();
}
