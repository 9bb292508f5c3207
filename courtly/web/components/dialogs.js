/** Dialogs and passing notes. A dialog is drawn again whenever the page is, so it follows the language. */
import { html, nothing, render } from "lit";
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
  element.translate = false; // it is drawn again and again
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
  element.scrollTop = 0; // whatever has the focus: it is read from the top
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

/** Say something in passing; errors are said at once. @param {string} text @param {boolean} [urgent] */
export function showToast(text, urgent = false) {
  if (!toastHost) {
    toastHost = document.createElement("div");
    toastHost.className = "notes";
    toastHost.translate = false;
  }
  // a dialog lies above the page
  (openDialogs.at(-1)?.element ?? document.querySelector(".table") ?? document.body).append(toastHost);
  clearTimeout(toastTimer);
  const close = () => {
    if (toastHost) render(nothing, toastHost);
  };
  render(html`<p class="note ${urgent ? "urgent" : ""}" role=${urgent ? "alert" : "status"}>${text}</p>`, toastHost);
  toastTimer = setTimeout(close, 3000 + 60 * text.length);
}

/** What was refused, in words. @param {any} error @returns {string} */
export function formatError(error) {
  if (!error?.id) {
    console.error(error);
    return t("error-unknown", { id: String(error) });
  }
  const args = error.args ?? {};
  const id = args.reason ?? error.id;
  return hasText(id) ? t(id, args) : t("error-unknown", { id });
}

/** Say what was refused. @param {any} error */
export const showError = (error) => showToast(formatError(error), true);
