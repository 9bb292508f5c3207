/** A record that somebody brings: dropped onto the page, or chosen. It is read at /replay, and kept for this window. */
import { html } from "lit";
import { complain } from "../dialogs.js";
import { mark } from "../marks.js";
import { t } from "../texts.js";

const KEPT = "courtly-record";
const MOST = 1 << 20; // bytes that the server reads

/** The record that was brought last; "": none, or this window may not remember. */
export function brought() {
  try {
    return sessionStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

/** To the page that reads it. @param {string} text */
function read(text) {
  try {
    sessionStorage.setItem(KEPT, text);
  } catch {
    /* not allowed to remember: it can be chosen once more there */
  }
  location.href = "/replay";
}

/** @param {File | undefined} file @param {(text: string) => void} then */
async function take(file, then) {
  if (!file) return;
  if (file.size > MOST) return complain({ id: "error-too-large", args: { limit: MOST } });
  then(await file.text());
}

/** The page takes a record that is dropped anywhere on it. @param {(text: string) => void} [then] */
export function takeDrops(then = read) {
  const files = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  for (const over of ["dragleave", "drop"]) addEventListener(over, () => document.body.classList.remove("dropping"));
  addEventListener("drop", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    take(event.dataTransfer?.files[0], then);
  });
}

/** A button to choose one. @param {(text: string) => void} [then] */
export const chooser = (then = read) =>
  html`<button class="button quiet small bring" @click=${() => {
    const field = document.createElement("input");
    field.type = "file";
    field.accept = ".jsonl,application/x-ndjson";
    field.onchange = () => take(field.files?.[0], then);
    field.click();
  }}>${mark("play")} ${t("record-open")}</button>`;
