/** A record that somebody brings: dropped onto the page, or chosen. It is read at /replay, and kept for this window. */
import { html } from "lit";
import { complain } from "./dialogs.js";
import { mark } from "../board-sdk/ui-icons.js";
import { t } from "../core/i18n.js";

const KEPT = "courtly-record";
const MOST = 1 << 20; // bytes that the server reads

/**
 * The record that was brought last, by hand or in the address, where links of reports have it; "": none, or this window
 * may not remember.
 */
export async function brought() {
  const packed = location.hash.match(/^#record=([\w-]+)$/)?.[1];
  if (packed) {
    const text = await unpacked(packed);
    keep(text);
    history.replaceState(null, "", location.pathname + location.search);
    return text;
  }
  try {
    return sessionStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

/** What is in an address; "" where it cannot be read. @param {string} packed */
async function unpacked(packed) {
  try {
    const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (let part = await reader.read(); !part.done && text.length <= MOST; part = await reader.read())
      text += part.value;
    return text;
  } catch {
    return "";
  }
}

/** For this window. @param {string} text */
export function keep(text) {
  try {
    sessionStorage.setItem(KEPT, text);
  } catch {
    /* not allowed to remember: it can be chosen once more there */
  }
}

/** To the page that reads it. @param {string} text */
function read(text) {
  keep(text);
  location.href = "/replay";
}

/** @param {File | undefined} file @param {(text: string) => void} then */
async function take(file, then) {
  if (!file) return;
  if (file.size > MOST) return complain({ id: "error-too-large", args: { limit: MOST } });
  then((await file.text()) || "\n"); // of nothing at all it is said, too, that it is no record
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
