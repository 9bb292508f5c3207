/** No server can be reached: the service worker shows this in place of the page that was asked for. */
import { html, render } from "lit";
import { onSetting } from "../settings.js";
import { load, t } from "../texts.js";

const PAUSE = 3000; // ms between two looks whether it is there again

/** @param {HTMLElement} host */
export function start(host) {
  const again = () => location.reload();
  const draw = () => {
    document.title = t("courtly");
    render(
      html`<main class="sheet nowhere"><span class="logo" aria-hidden="true"></span>
      <h1>${t("offline")}</h1><p role="alert">${t("offline-says")}</p>
      <p class="buttons"><button class="button" @click=${again}>${t("try-again")}</button></p></main>`,
      host,
    );
  };
  const look = () => fetch("/sw.js", { method: "HEAD" }).then(again, () => setTimeout(look, PAUSE));
  setTimeout(look, PAUSE);
  onSetting(async () => {
    await load();
    draw();
  });
  draw();
}
