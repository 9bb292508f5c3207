/** The page of a link in a mail. Its action needs a click on a button, because mail scanners follow links. */
import { html, render } from "lit";
import { formatError } from "../components/dialogs.js";
import { request } from "../core/http-client.js";
import { onSettingChange } from "../core/user-settings.js";
import { loadCatalogues, t } from "../core/i18n.js";
import { renderTranslatable } from "../core/translated-text.js";

/** @param {HTMLElement} host @param {string} token */
export async function start(host, token) {
  const path = `/api/mail/${encodeURIComponent(token)}`;
  /** @type {import("../core/api-types.js").MailLink} */
  const link = await request("GET", path);
  let done = false;
  /** @type {any} */
  let refusal = null;
  const act = async () => {
    try {
      await request("POST", path);
      done = true;
    } catch (error) {
      refusal = error;
    }
    draw();
  };
  const draw = () => {
    const { action, email } = link;
    document.title = t("courtly");
    render(
      html`<main class="sheet nowhere"><span class="logo" aria-hidden="true"></span><h1>${t("courtly")}</h1>
      <p role="status">${renderTranslatable(t(done ? `mail-${action}-done` : `mail-${action}`, { mail: email }))}</p>
      ${refusal ? html`<p role="alert">${formatError(refusal)}</p>` : ""}
      <p class="buttons">${
        done
          ? html`<a class="button" href="/">${t("to-lobby")}</a>`
          : html`<button class="button" @click=${act}>${t(`mail-${action}-do`)}</button>`
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
