/** A link by which this browser becomes somebody's who has played elsewhere, at /g/<ticket>. It is asked before. */
import { html, nothing, render } from "lit";
import { complain } from "../../components/dialogs.js";
import { ask } from "../../core/http-client.js";
import { onSetting } from "../../core/user-settings.js";
import { load, t } from "../../core/i18n.js";
import { translatable } from "../../core/translated-text.js";

/** @param {HTMLElement} host @param {string} ticket */
export async function start(host, ticket) {
  const path = `/api/carry/${encodeURIComponent(ticket)}`;
  /** @type {import("../../core/api-types.js").IdentityLink} */
  const carrier = await ask("GET", path);
  const act = async () => {
    try {
      await ask("POST", path);
      location.replace("/me");
    } catch (error) {
      complain(error);
    }
  };
  const draw = () => {
    const { name, yours, you } = carrier;
    document.title = t("courtly");
    render(
      html`<main class="sheet nowhere"><span class="logo" aria-hidden="true"></span>
      <h1>${t("carry", { name: name || t("carry-nameless") })}</h1>
      <p>${translatable(t(you ? "carry-you" : "carry-about"))}</p>
      ${yours && !you ? html`<p role="alert">${t("carry-leaves", { count: yours })}</p>` : nothing}
      <p class="buttons">${you ? nothing : html`<button class="button" @click=${act}>${t("carry-do")}</button>`}
        <a class="button quiet" href="/">${t("to-lobby")}</a></p></main>`,
      host,
    );
  };
  onSetting(async () => {
    await load();
    draw();
  });
  draw();
}
