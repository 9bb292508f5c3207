/** Loading a record from a file, dropped onto the page or chosen. /replay shows it; sessionStorage keeps it. */
import { html } from "lit";
import { showError } from "./dialogs.js";
import { renderUiIcon } from "../board-sdk/ui-icons.js";
import { t } from "../core/i18n.js";

const STORAGE_KEY = "courtly-record";
const MAX_RECORD_BYTES = 1 << 20; // the server's limit

/**
 * Return the last record loaded in this window, or the one in the URL's fragment (as in links of reports). Return "" if
 * there is none or sessionStorage is not available.
 */
export async function loadRecord() {
  const packedRecord = location.hash.match(/^#record=([\w-]+)$/)?.[1];
  if (packedRecord) {
    const text = await unpackRecord(packedRecord);
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

/** Decompress a record from a URL; return "" if that fails. @param {string} packed */
async function unpackRecord(packed) {
  try {
    const binaryText = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binaryText, (character) => character.charCodeAt(0));
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

/** Store the record for this window. @param {string} text */
export function storeRecord(text) {
  try {
    sessionStorage.setItem(STORAGE_KEY, text);
  } catch {
    /* not allowed: it can be chosen again on that page */
  }
}

/** Open the replay page with this record. @param {string} text */
function openReplayPage(text) {
  storeRecord(text);
  location.href = "/replay";
}

/** @param {File | undefined} file @param {(text: string) => void} then */
async function readFile(file, then) {
  if (!file) return;
  if (file.size > MAX_RECORD_BYTES) return showError({ id: "error-too-large", args: { limit: MAX_RECORD_BYTES } });
  then((await file.text()) || "\n"); // an empty file is rejected as no record, too
}

/** Accept a record that is dropped anywhere on the page. @param {(text: string) => void} [then] */
export function acceptDroppedRecords(then = openReplayPage) {
  const files = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  for (const type of ["dragleave", "drop"]) addEventListener(type, () => document.body.classList.remove("dropping"));
  addEventListener("drop", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    readFile(event.dataTransfer?.files[0], then);
  });
}

/** Render the button that chooses a record. @param {(text: string) => void} [openReplay] */
export const renderRecordButton = (openReplay = openReplayPage) =>
  html`<button class="button quiet small bring" @click=${() => {
    const field = document.createElement("input");
    field.type = "file";
    field.accept = ".jsonl,application/x-ndjson";
    field.onchange = () => readFile(field.files?.[0], openReplay);
    field.click();
  }}>${renderUiIcon("play")} ${t("record-open")}</button>`;
