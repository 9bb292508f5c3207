/** The page that says that no server can be reached. It reloads once one can. */
import { html, render } from "lit";
import { loadCatalogues, t } from "../core/i18n.js";
import { onSettingChange } from "../core/user-settings.js";

const RETRY_INTERVAL_MS = 3000; // between two checks for the server

/** @param {HTMLElement} host */
export function showNoConnection(host) {
  const reload = () => location.reload();
  const draw = () => {
    document.title = t("courtly");
    render(
      html`<main class="sheet nowhere"><span class="logo" aria-hidden="true"></span>
      <h1>${t("offline")}</h1><p role="alert">${t("offline-says")}</p>
      <p class="buttons"><button class="button" @click=${reload}>${t("try-again")}</button>
        <a class="button quiet" href="/offline">${t("offline-play")}</a></p></main>`,
      host,
    );
  };
  const retry = () => fetch("/sw.js", { method: "HEAD" }).then(reload, () => setTimeout(retry, RETRY_INTERVAL_MS));
  setTimeout(retry, RETRY_INTERVAL_MS);
  onSettingChange(async () => {
    await loadCatalogues();
    draw();
  });
  draw();
}
