/** Dialogs and passing notes. A dialog is drawn again whenever the page is, so it follows the language. */
import { html, nothing, render } from "lit";
import { has, t } from "../core/i18n.js";
import { mark } from "../board-sdk/ui-icons.js";

/** @type {{element: HTMLDialogElement, title: () => string, body: (close: () => void) => unknown, kind: string}[]} */
const open = [];

/**
 * @param {string} kind a class name @param {() => string} title
 * @param {(close: () => void) => unknown} body
 */
export function dialog(kind, title, body) {
  const element = document.createElement("dialog");
  element.className = `dialog ${kind}`;
  element.translate = false; // it is drawn again and again
  const entry = { element, title, body, kind };
  open.push(entry);
  element.addEventListener("close", () => {
    open.splice(open.indexOf(entry), 1);
    element.remove();
  });
  element.addEventListener("click", (event) => {
    if (event.target === element) element.close();
  });
  document.body.append(element);
  draw(entry);
  element.showModal();
  element.scrollTop = 0; // whatever has the focus: it is read from the top
}

/** @param {(typeof open)[number]} entry */
function draw({ element, title, body }) {
  const close = () => element.close();
  element.setAttribute("aria-label", title());
  render(
    html`<div class="dialog-inner"><header><h2>${title()}</h2>
    <button class="icon-button" aria-label=${t("close")} title=${t("close")}
        @click=${close}>${mark("close")}</button></header>
    ${body(close)}</div>`,
    element,
  );
}

export const redrawDialogs = () => open.forEach(draw);

/** @param {() => string} question @param {() => string} yes @param {() => void} then */
export function confirm(question, yes, then) {
  dialog(
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
let noteHost;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let noteTimer;

/** Say something in passing; errors are said at once. @param {string} text @param {boolean} [urgent] */
export function note(text, urgent = false) {
  if (!noteHost) {
    noteHost = document.createElement("div");
    noteHost.className = "notes";
    noteHost.translate = false;
  }
  // a dialog lies above the page
  (open.at(-1)?.element ?? document.querySelector(".table") ?? document.body).append(noteHost);
  clearTimeout(noteTimer);
  const close = () => {
    if (noteHost) render(nothing, noteHost);
  };
  render(html`<p class="note ${urgent ? "urgent" : ""}" role=${urgent ? "alert" : "status"}>${text}</p>`, noteHost);
  noteTimer = setTimeout(close, 3000 + 60 * text.length);
}

/** What was refused, in words. @param {any} error @returns {string} */
export function said(error) {
  if (!error?.id) {
    console.error(error);
    return t("error-unknown", { id: String(error) });
  }
  const args = error.args ?? {};
  const id = args.reason ?? error.id;
  return has(id) ? t(id, args) : t("error-unknown", { id });
}

/** Say what was refused. @param {any} error */
export const complain = (error) => note(said(error), true);
