/** QR codes for links. The encoder is loaded on first use. */
import { html } from "lit";
import { openDialog, showToast } from "./dialogs.js";
import { t } from "../core/i18n.js";

const QUIET_ZONE_MODULES = 4; // modules left white around the code, as the QR standard requires

/** Render a text as a QR code. @param {string} text */
async function renderQrCode(text) {
  const { encode } = await import("qr");
  const { data, size } = encode(text, { ecc: "M", border: QUIET_ZONE_MODULES });
  const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])));
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label=${text} shape-rendering="crispEdges">
    <path fill="#fff" d="M0 0h${size}v${size}h-${size}z"></path><path d=${dark.join("")}></path></svg>`;
}

/** Open a dialog with a large QR code. @param {string} url */
export async function openQrDialog(url) {
  const qrCode = await renderQrCode(url);
  openDialog(
    "small",
    () => t("qr"),
    () => html`${qrCode}<p class="address">${url}</p>`,
  );
}

/**
 * Open a dialog with a single-use link for another device, as text and as a QR code.
 * @param {() => string} title @param {() => string} about @param {string} path
 */
export async function openLinkDialog(title, about, path) {
  const url = location.origin + path;
  const qrCode = await renderQrCode(url);
  openDialog(
    "small",
    title,
    () => html`<p>${about()}</p>
    <div class="link"><input readonly aria-label=${t("ticket-link")} .value=${url}>
      <button class="button" @click=${(/** @type {any} */ event) =>
        copyToClipboard(url, event.currentTarget.previousElementSibling)}>${t("copy-link")}</button></div>
    ${qrCode}`,
  );
}

/** @param {string} text @param {HTMLInputElement} field */
export async function copyToClipboard(text, field) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    field.select();
    if (!document.execCommand("copy")) return showToast(t("copy-by-hand"));
  }
  showToast(t("copied"));
}
