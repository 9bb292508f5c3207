/**
 * The page of a link that moves a seat to this browser, at /j/<ticket>. It asks first, because message scanners follow
 * links.
 */
import { html, render } from "lit";
import { showError } from "../components/dialogs.js";
import { request } from "../core/http-client.js";
import { onSettingChange } from "../core/user-settings.js";
import { loadCatalogues, t } from "../core/i18n.js";

/** @param {HTMLElement} host @param {string} ticket */
export async function start(host, ticket) {
  const path = `/api/seat-link/${encodeURIComponent(ticket)}`;
  /** @type {import("../core/api-types.js").SeatLink} */
  const { table, name, you } = await request("GET", path);
  const goToTable = () => location.replace(`/t/${table}`);
  if (you) return goToTable();
  const act = async () => {
    try {
      await request("POST", path);
      goToTable();
    } catch (error) {
      showError(error);
    }
  };
  const draw = () => {
    document.title = t("courtly");
    render(
      html`<main class="sheet nowhere"><span class="logo" aria-hidden="true"></span>
      <h1>${t("seat-link", { name: name || t("carry-nameless") })}</h1>
      <p>${t("seat-link-about")}</p>
      <p class="buttons"><button class="button" @click=${act}>${t("seat-link-do")}</button>
        <a class="button quiet" href="/t/${table}">${t("watch-table")}</a></p></main>`,
      host,
    );
  };
  onSettingChange(async () => {
    await loadCatalogues();
    draw();
  });
  draw();
}
