/** Dialogs and toasts. Dialogs are redrawn with the page, so that they follow the language. */
import { html, render } from "lit";
import { hasText, t } from "../core/i18n.js";
import { renderUiIcon } from "../board-sdk/ui-icons.js";

/** @type {{element: HTMLDialogElement, title: () => string, body: (close: () => void) => unknown, kind: string}[]} */
const openDialogs = [];

/**
 * @param {string} kind a class name @param {() => string} title
 * @param {(close: () => void) => unknown} body
 */
export function openDialog(kind, title, body) {
  const element = document.createElement("dialog");
  element.className = `dialog ${kind}`;
  element.translate = false; // it is redrawn, which a browser's translator would break
  const entry = { element, title, body, kind };
  openDialogs.push(entry);
  element.addEventListener("close", () => {
    openDialogs.splice(openDialogs.indexOf(entry), 1);
    element.remove();
  });
  element.addEventListener("click", (event) => {
    if (event.target === element) element.close();
  });
  document.body.append(element);
  drawDialog(entry);
  element.showModal();
  element.scrollTop = 0; // show it from the top, even if an element further down has the focus
}

/** @param {(typeof openDialogs)[number]} entry */
function drawDialog({ element, title, body }) {
  const close = () => element.close();
  element.setAttribute("aria-label", title());
  render(
    html`<div class="dialog-inner"><header><h2>${title()}</h2>
    <button class="icon-button" aria-label=${t("close")} title=${t("close")}
        @click=${close}>${renderUiIcon("close")}</button></header>
    ${body(close)}</div>`,
    element,
  );
}

export const redrawDialogs = () => openDialogs.forEach(drawDialog);

/** @param {() => string} question @param {() => string} yes @param {() => void} then */
export function openConfirmDialog(question, yes, then) {
  openDialog(
    "small",
    question,
    (close) => html`<div class="buttons">
    <button class="button" @click=${() => {
      close();
      then();
    }}>${yes()}</button>
    <button class="button quiet" autofocus @click=${close}>${t("cancel")}</button></div>`,
  );
}

/** @type {HTMLElement | undefined} */
let toastHost;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let toastTimer;

/**
 * Show a short message for a while; screen readers announce urgent ones (errors) at once.
 * @param {string} text @param {boolean} [urgent]
 */
export function showToast(text, urgent = false) {
  if (!toastHost) {
    toastHost = document.createElement("div");
    toastHost.className = "notes";
    toastHost.translate = false;
  }
  const dialog = openDialogs.at(-1)?.element; // a modal one is above the page
  const tools = dialog ? null : document.querySelector(".bar > .tools");
  if (tools) tools.before(toastHost);
  else (dialog ?? document.body).append(toastHost);
  clearTimeout(toastTimer);
  const close = () => toastHost?.remove();
  render(
    html`<p class="note ${urgent ? "urgent" : ""}" role=${urgent ? "alert" : "status"} @click=${close}>${text}</p>`,
    toastHost,
  );
  toastTimer = setTimeout(close, 3000 + 60 * text.length);
}

/** Return the message for an error. @param {any} error @returns {string} */
export function formatError(error) {
  if (!error?.id) {
    console.error(error);
    return t("error-unknown", { id: String(error) });
  }
  const args = error.args ?? {};
  const id = args.reason ?? error.id;
  return hasText(id) ? t(id, args) : t("error-unknown", { id });
}

/** Show the message for an error. @param {any} error */
export const showError = (error) => showToast(formatError(error), true);
