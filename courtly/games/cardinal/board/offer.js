/** For a place that is chosen before any card: the cards that can pay for it. */
import { html } from "lit";

/**
 * @typedef {import("./position.js").Position} Position
 * @typedef {import("../../../web/core/api-types.js").Move} Move
 */

/** Offer the cards that can pay for this target, or take the offer back. @param {Position} p @param {string} target */
export function toggleOffer(p, target) {
  if (p.ui.local.offer === target) return closeOffer(p);
  p.ui.setLocal({ offer: target, detail: null, picked: [], discarding: false });
  focusLater(".pays button");
}

/** @param {Position} p */
export function closeOffer(p) {
  const { offer } = p.ui.local;
  p.ui.setLocal({ offer: null, detail: null });
  focusLater(`[data-at="${offer}"]`);
}

/** Focus an element once it is rendered. @param {string} selector */
const focusLater = (selector) =>
  queueMicrotask(() => /** @type {HTMLElement | null} */ (document.querySelector(selector))?.focus());

/**
 * Render the sets of cards that can pay for this target, each as a button.
 * @param {Position} p @param {string} target
 */
export function renderPayments(p, target) {
  const { ui } = p;
  const title = ui.t("cardinal-pay", { piece: target.startsWith("seal") ? "cardinal" : "cloister" });
  return html`<div class="pays" role="group" aria-label=${title}
      @keydown=${(/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        closeOffer(p);
      }}><p>${title}</p>${p.payments(target).map((move) => renderPayment(p, move))}<button
      class="button quiet small" @click=${() => closeOffer(p)}>${ui.t("cardinal-pay-cancel")}</button></div>`;
}

/** @param {Position} p @param {Move} move */
function renderPayment(p, move) {
  const { pair, single } = move.args;
  const cards = [pair, pair, single].filter((type) => type !== "none").map(String);
  const words = [
    ...(pair === "none" ? [] : [p.ui.t("cardinal-pay-pair", { colour: p.typeName(String(pair)) })]),
    ...(single === "none" ? [] : [p.typeName(String(single))]),
  ];
  return html`<button class="button small" aria-label=${p.ui.moveText(move)} @click=${() => p.ui.play(move)}><span
      class="slips" aria-hidden="true">${cards.map(
        (type) => html`<i class="slip hue-${p.types.indexOf(type)}"></i>`,
      )}</span>${words.join(" + ")}</button>`;
}
