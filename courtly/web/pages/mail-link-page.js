/** A link in a mail: what it does is done by a button, for programs that look into mails follow links. */
import { html, render } from "lit";
import { said } from "../components/dialogs.js";
import { ask } from "../core/http-client.js";
import { onSetting } from "../core/user-settings.js";
import { load, t } from "../core/i18n.js";
import { translatable } from "../core/translated-text.js";

/** @param {HTMLElement} host @param {string} token */
export async function start(host, token) {
  const path = `/api/mail/${encodeURIComponent(token)}`;
  /** @type {import("../core/api-types.js").MailLink} */
  const link = await ask("GET", path);
  let done = false;
  /** @type {any} */
  let wrong = null;
  const act = async () => {
    try {
      await ask("POST", path);
      done = true;
    } catch (error) {
      wrong = error;
    }
    draw();
  };
  const draw = () => {
    const { what, mail } = link;
    document.title = t("courtly");
    render(
      html`<main class="sheet nowhere"><span class="logo" aria-hidden="true"></span><h1>${t("courtly")}</h1>
      <p role="status">${translatable(t(done ? `mail-${what}-done` : `mail-${what}`, { mail }))}</p>
      ${wrong ? html`<p role="alert">${said(wrong)}</p>` : ""}
      <p class="buttons">${
        done
          ? html`<a class="button" href="/">${t("to-lobby")}</a>`
          : html`<button class="button" @click=${act}>${t(`mail-${what}-do`)}</button>`
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
