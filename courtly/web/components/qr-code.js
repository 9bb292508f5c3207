/** A link that a camera reads. What draws it is fetched when somebody asks for it. */
import { html } from "lit";
import { dialog, note } from "./dialogs.js";
import { t } from "../core/i18n.js";

const EDGE = 4; // squares left white around it, as readers want it

/** The picture of a text. @param {string} text */
export async function picture(text) {
  const { encode } = await import("qr");
  const { data, size } = encode(text, { ecc: "M", border: EDGE });
  const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])));
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label=${text} shape-rendering="crispEdges">
    <path fill="#fff" d="M0 0h${size}v${size}h-${size}z"></path><path d=${dark.join("")}></path></svg>`;
}

/** Show it, large. @param {string} url */
export async function show(url) {
  const drawn = await picture(url);
  dialog(
    "small",
    () => t("qr"),
    () => html`${drawn}<p class="address">${url}</p>`,
  );
}

/**
 * A link that is good once, for another device: to be copied, or read by its camera.
 * @param {() => string} title @param {() => string} about @param {string} path
 */
export async function handOver(title, about, path) {
  const url = location.origin + path;
  const drawn = await picture(url);
  dialog(
    "small",
    title,
    () => html`<p>${about()}</p>
    <div class="link"><input readonly aria-label=${t("ticket-link")} .value=${url}>
      <button class="button" @click=${(/** @type {any} */ event) =>
        copy(url, event.currentTarget.previousElementSibling)}>${t("copy-link")}</button></div>
    ${drawn}`,
  );
}

/** @param {string} text @param {HTMLInputElement} field */
export async function copy(text, field) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    field.select();
    if (!document.execCommand("copy")) return note(t("copy-by-hand"));
  }
  note(t("copied"));
}
