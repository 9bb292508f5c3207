/** The page of a link that gives this browser a guest's identity, at /g/<ticket>. It asks for confirmation first. */
import { html, nothing, render } from "lit";
import { showError } from "../../components/dialogs.js";
import { request } from "../../core/http-client.js";
import { onSettingChange } from "../../core/user-settings.js";
import { loadCatalogues, t } from "../../core/i18n.js";
import { renderTranslatable } from "../../core/translated-text.js";

/** @param {HTMLElement} host @param {string} ticket */
export async function start(host, ticket) {
  const path = `/api/identity-link/${encodeURIComponent(ticket)}`;
  /** @type {import("../../core/api-types.js").IdentityLink} */
  const carrier = await request("GET", path);
  const act = async () => {
    try {
      await request("POST", path);
      location.replace("/me");
    } catch (error) {
      showError(error);
    }
  };
  const draw = () => {
    const { name, games_left_behind, you } = carrier;
    document.title = t("courtly");
    render(
      html`<main class="sheet nowhere"><span class="logo" aria-hidden="true"></span>
      <h1>${t("carry", { name: name || t("carry-nameless") })}</h1>
      <p>${renderTranslatable(t(you ? "carry-you" : "carry-about"))}</p>
      ${
        games_left_behind && !you
          ? html`<p role="alert">${t("carry-leaves", { count: games_left_behind })}</p>`
          : nothing
      }
      <p class="buttons">${you ? nothing : html`<button class="button" @click=${act}>${t("carry-do")}</button>`}
        <a class="button quiet" href="/">${t("to-lobby")}</a></p></main>`,
      host,
    );
  };
  onSettingChange(async () => {
    await loadCatalogues();
    draw();
  });
  draw();
}
