/** A link that a camera reads. What draws it is fetched when somebody asks for it. */
import { html } from "lit";
import { dialog } from "./dialogs.js";
import { t } from "./texts.js";

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
