/** How I am told that it is my turn: here, by the system, and while I am away by mail or a webhook. */
import { html, nothing } from "lit";
import { dialog, note, redrawDialogs, said } from "./dialogs.js";
import { ask } from "../core/http-client.js";
import { choice } from "./preferences-panel.js";
import { language, set, setting } from "../core/user-settings.js";
import { allowed, askSystem, mayAsk, ring } from "../core/turn-alerts.js";
import { t } from "../core/i18n.js";

/** @typedef {import("../core/api-types.js").NotificationSettings} Reach */

const FORMS = ["json", "discord", "slack", "ntfy"];

/** @type {{is: Reach, mail: string, hook: string, form: string, busy: boolean, wrong: any} | null} */
let mine = null;

/** The dialog. */
export async function reach() {
  try {
    const is = await ask("GET", "/api/me/reach");
    mine = { is, mail: is.mail ?? "", hook: is.hook ?? "", form: is.form, busy: false, wrong: null };
  } catch (error) {
    return note(said(error));
  }
  dialog(
    "reach",
    () => t("reach"),
    () => html`<div class="preferences">${sounds()}${system()}</div>${away()}`,
  );
}

const sounds = () =>
  choice(
    t("sound"),
    [
      ["", t("on")],
      ["off", t("off")],
    ],
    setting("sound"),
    (value) => {
      set("sound", value);
      if (!value) ring();
      redrawDialogs();
    },
    t("sound-about"),
  );

/** The system's messages: chosen here too, as far as the browser lets one. */
function system() {
  if (!allowed() && !mayAsk() && setting("system") !== "off")
    return html`<p class="quiet">${t(window.isSecureContext ? "system-never" : "system-insecure")}</p>`;
  return choice(
    t("system"),
    [
      ["on", t("on")],
      ["off", t("off")],
    ],
    allowed() ? "on" : "off",
    async (value) => {
      if (value === "on") await askSystem();
      else set("system", "off");
      redrawDialogs();
    },
    t("system-about"),
  );
}

/** While I am not here. */
function away() {
  if (!mine?.is.ways.length) return nothing;
  const { is, wrong, busy } = mine;
  const type = (/** @type {"mail" | "hook" | "form"} */ what) => (/** @type {any} */ event) => {
    if (mine) mine[what] = event.target.value;
  };
  return html`<form class="away" novalidate @submit=${save}><h3>${t("reach-away")}</h3>
    <p class="quiet">${t("reach-about")}</p>
    ${
      is.ways.includes("mail")
        ? html`<label class="field">${t("reach-mail")}<input type="email" autocomplete="email" maxlength="254"
            .value=${mine.mail} @input=${type("mail")}></label>
          ${
            is.mail && !is.confirmed ? html`<p class="quiet">${t("reach-unconfirmed", { mail: is.mail })}</p>` : nothing
          }`
        : nothing
    }
    <label class="field">${t("reach-hook")}<input type="url" maxlength="500" placeholder="https://"
      .value=${mine.hook} @input=${type("hook")}></label>
    ${is.silent ? html`<p role="alert">${t("reach-silent")}</p>` : nothing}
    <label class="field">${t("reach-form")}<select @change=${type("form")}>${FORMS.map(
      (form) => html`<option value=${form} ?selected=${form === mine?.form}>${t(`form-${form}`)}</option>`,
    )}</select></label>
    ${wrong ? html`<p role="alert">${said(wrong)}</p>` : nothing}
    <div class="buttons"><button class="button" ?disabled=${busy}>${t("save")}</button></div></form>`;
}

/** @param {Event} event */
async function save(event) {
  event.preventDefault();
  if (!mine || mine.busy) return;
  mine.busy = true;
  mine.wrong = null;
  redrawDialogs();
  const { mail, hook, form } = mine;
  try {
    mine.is = await ask("PUT", "/api/me/reach", {
      language: language(),
      mail: mail.trim() || null,
      hook: hook.trim() || null,
      form,
    });
    note(t("saved"));
  } catch (error) {
    mine.wrong = error;
  }
  mine.busy = false;
  redrawDialogs();
}
