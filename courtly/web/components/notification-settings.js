/**
 * Settings for how a guest is notified of their turn: on this page, by the system, and while away by mail or webhook.
 */
import { html, nothing } from "lit";
import { openDialog, showToast, redrawDialogs, formatError } from "./dialogs.js";
import { request } from "../core/http-client.js";
import { renderChoice } from "./preferences-panel.js";
import { currentLanguage, saveSetting, getSetting } from "../core/user-settings.js";
import { areNotificationsAllowed, requestPermission, canRequestPermission, playChime } from "../core/turn-alerts.js";
import { t } from "../core/i18n.js";

/** @typedef {import("../core/api-types.js").NotificationSettings} NotificationSettings */

const WEBHOOK_FORMATS = ["json", "discord", "slack", "ntfy"];

/**
 * @type {{is: NotificationSettings, email: string, webhook: string, webhook_format: string, busy: boolean, wrong: any}
 *   | null}
 */
let draft = null;

/** Open the dialog. */
export async function openNotificationSettings() {
  try {
    const is = await request("GET", "/api/me/notifications");
    draft = {
      is,
      email: is.email ?? "",
      webhook: is.webhook ?? "",
      webhook_format: is.webhook_format,
      busy: false,
      wrong: null,
    };
  } catch (error) {
    return showToast(formatError(error));
  }
  openDialog(
    "notification-settings",
    () => t("notifications"),
    () => html`<div class="preferences">${renderSoundChoice()}${renderSystemChoice()}</div>${renderAwayForm()}`,
  );
}

const renderSoundChoice = () =>
  renderChoice(
    t("sound"),
    [
      ["", t("on")],
      ["off", t("off")],
    ],
    getSetting("sound"),
    (value) => {
      saveSetting("sound", value);
      if (!value) playChime();
      redrawDialogs();
    },
    t("sound-about"),
  );

/** Render the choice of system notifications, if the browser allows it. */
function renderSystemChoice() {
  if (!areNotificationsAllowed() && !canRequestPermission() && getSetting("system") !== "off")
    return html`<p class="quiet">${t(window.isSecureContext ? "system-never" : "system-insecure")}</p>`;
  return renderChoice(
    t("system"),
    [
      ["on", t("on")],
      ["off", t("off")],
    ],
    areNotificationsAllowed() ? "on" : "off",
    async (value) => {
      if (value === "on") await requestPermission();
      else saveSetting("system", "off");
      redrawDialogs();
    },
    t("system-about"),
  );
}

/** Render the form for notifications while the guest is away. */
function renderAwayForm() {
  if (!draft?.is.channels.length) return nothing;
  const { is, wrong, busy } = draft;
  const type = (/** @type {"email" | "webhook" | "webhook_format"} */ what) => (/** @type {any} */ event) => {
    if (draft) draft[what] = event.target.value;
  };
  return html`<form class="away" novalidate @submit=${saveNotificationSettings}><h3>${t("notifications-away")}</h3>
    <p class="quiet">${t("notifications-about")}</p>
    ${
      is.channels.includes("email")
        ? html`<label class="field">${t("notifications-mail")}<input type="email" autocomplete="email" maxlength="254"
            .value=${draft.email} @input=${type("email")}></label>
          ${
            is.email && !is.email_confirmed
              ? html`<p class="quiet">${t("notifications-unconfirmed", { mail: is.email })}</p>`
              : nothing
          }`
        : nothing
    }
    <label class="field">${t("notifications-webhook")}<input type="url" maxlength="500" placeholder="https://"
      .value=${draft.webhook} @input=${type("webhook")}></label>
    ${is.webhook_disabled ? html`<p role="alert">${t("notifications-webhook-disabled")}</p>` : nothing}
    <label class="field">${t("notifications-format")}<select @change=${type("webhook_format")}>${WEBHOOK_FORMATS.map(
      (form) => html`<option value=${form} ?selected=${form === draft?.webhook_format}>${t(`form-${form}`)}</option>`,
    )}</select></label>
    ${wrong ? html`<p role="alert">${formatError(wrong)}</p>` : nothing}
    <div class="buttons"><button class="button" ?disabled=${busy}>${t("save")}</button></div></form>`;
}

/** @param {Event} event */
async function saveNotificationSettings(event) {
  event.preventDefault();
  if (!draft || draft.busy) return;
  draft.busy = true;
  draft.wrong = null;
  redrawDialogs();
  const { email, webhook, webhook_format } = draft;
  try {
    draft.is = await request("PUT", "/api/me/notifications", {
      language: currentLanguage(),
      email: email.trim() || null,
      webhook: webhook.trim() || null,
      webhook_format,
    });
    showToast(t("saved"));
  } catch (error) {
    draft.wrong = error;
  }
  draft.busy = false;
  redrawDialogs();
}
