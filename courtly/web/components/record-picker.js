/** A record that somebody brings: dropped onto the page, or chosen. It is read at /replay, and kept for this window. */
import { html } from "lit";
import { showError } from "./dialogs.js";
import { renderUiIcon } from "../board-sdk/ui-icons.js";
import { t } from "../core/i18n.js";

const STORAGE_KEY = "courtly-record";
const MAX_RECORD_BYTES = 1 << 20; // bytes that the server reads

/**
 * The record that was brought last, by hand or in the address, where links of reports have it; "": none, or this window
 * may not remember.
 */
export async function loadRecord() {
  const packed = location.hash.match(/^#record=([\w-]+)$/)?.[1];
  if (packed) {
    const text = await unpackRecord(packed);
    storeRecord(text);
    history.replaceState(null, "", location.pathname + location.search);
    return text;
  }
  try {
    return sessionStorage.getItem(STORAGE_KEY) ?? "";
  } catch {
    return "";
  }
}

/** What is in an address; "" where it cannot be read. @param {string} packed */
async function unpackRecord(packed) {
  try {
    const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (let part = await reader.read(); !part.done && text.length <= MAX_RECORD_BYTES; part = await reader.read())
      text += part.value;
    return text;
  } catch {
    return "";
  }
}

/** For this window. @param {string} text */
export function storeRecord(text) {
  try {
    sessionStorage.setItem(STORAGE_KEY, text);
  } catch {
    /* not allowed to remember: it can be chosen once more there */
  }
}

/** To the page that reads it. @param {string} text */
function openReplayPage(text) {
  storeRecord(text);
  location.href = "/replay";
}

/** @param {File | undefined} file @param {(text: string) => void} then */
async function readFile(file, then) {
  if (!file) return;
  if (file.size > MAX_RECORD_BYTES) return showError({ id: "error-too-large", args: { limit: MAX_RECORD_BYTES } });
  then((await file.text()) || "\n"); // of nothing at all it is said, too, that it is no record
}

/** The page takes a record that is dropped anywhere on it. @param {(text: string) => void} [then] */
export function acceptDroppedRecords(then = openReplayPage) {
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
    readFile(event.dataTransfer?.files[0], then);
  });
}

/** A button to choose one. @param {(text: string) => void} [then] */
export const renderRecordButton = (then = openReplayPage) =>
  html`<button class="button quiet small bring" @click=${() => {
    const field = document.createElement("input");
    field.type = "file";
    field.accept = ".jsonl,application/x-ndjson";
    field.onchange = () => readFile(field.files?.[0], then);
    field.click();
  }}>${renderUiIcon("play")} ${t("record-open")}</button>`;
