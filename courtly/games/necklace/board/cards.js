/** Cards: large on offer, small in a hand; what they do, in words. */
import { html, nothing } from "lit";
import { showing } from "../../../web/board-sdk/tooltips.js";
import { phone, touch } from "../../../web/core/user-settings.js";
import { unseen } from "../../../web/components/visually-hidden.js";
import { icons } from "./art/icons.js";
import { stone, stones } from "./gems.js";

/**
 * @typedef {import("./position.js").Position} Position
 * @typedef {import("../../../web/board-sdk/board-types.js").Drawn} Drawn
 */

/** @param {string} name */
export const icon = (name) =>
  html`<svg class="icon" viewBox="0 0 512 512" aria-hidden="true"><path d=${icons[name]}></path></svg>`;

/** The picture on a card. @param {Position} p @param {string} card */
export function picture(p, card) {
  const { gem, stones: n } = p.about(card);
  return gem ? stones(gem, n) : html`<span class="crest">${icon(card)}</span>`;
}

/** Where a card's words are: gem cards share theirs. @param {Position} p @param {string} card */
const worded = (p, card) => (p.about(card).gem ? "gem" : card);
/** @param {Position} p @param {string} card */
export const does = (p, card) => p.ui.t(`necklace-card-${worded(p, card)}.does`);
/** @param {Position} p @param {string} card */
export const named = (p, card) => p.ui.t(`necklace-card-${card}`);
/** "Ring ×2, King" @param {Position} p @param {[string, number][]} cards */
export const listed = (p, cards) =>
  p.ui.list(cards.map(([card, n]) => named(p, card) + (n > 1 ? ` ${p.ui.t("necklace-times", { n })}` : ""))) ||
  p.ui.t("necklace-none");

/** @param {Position} p @param {string} card */
export const group = (p, card) => p.about(card).group;

// --- details on focus, hover and tap ---------------------------------------------------------------------------------

/**
 * What shows and hides a card's words; at the foot only a tap does, and it takes back what was begun.
 * @param {Position} p @param {string} key @returns {Partial<ReturnType<typeof showing>>}
 */
export function shows({ ui }, key) {
  const tap = () => ui.set({ detail: ui.local.detail === key ? null : key, use: "", target: null });
  return below() ? { tap } : showing(ui, key);
}

/** On a phone a card's words stand at the foot, above the buttons of a hand: nothing that can be chosen is covered. */
export const below = () => touch() && phone();

/** Everything about a card. @param {Position} p @param {string} card @param {unknown} [more] */
export function detail(p, card, more = nothing) {
  const { ui } = p;
  const ladder = p.ladder(card);
  return html`<div class="nk-detail" role="tooltip" @click=${() => ui.set({ detail: null })}>
    <header class=${group(p, card)}>${
      p.about(card).gem ? stone(p.about(card).gem) : icon(card)
    }<b>${named(p, card)}</b></header>
    <small>${ui.parts([
      ui.t(`necklace-group-${group(p, card)}`),
      ladder.join("\u00a0/\u00a0"),
      ui.labelled(ui.t("necklace-overview-all"), p.about(card).count),
    ])}</small>
    <p>${ui.t(`necklace-card-${worded(p, card)}.detail`)}</p>${more}
  </div>`;
}

// --- a card in a hand, a tray, a list --------------------------------------------------------------------------------

/**
 * A small card with its number. @param {Position} p @param {string} card @param {number} n
 * @param {{key?: string, act?: (() => void) | null, on?: boolean, where: string, quiet?: boolean, seen?: string}}
 *   options `seen`: the word for a card that lies openly
 */
export function small(p, card, n, { key, act = null, on = false, where, quiet = false, seen = "" }) {
  const { ui } = p;
  const words = shows(p, `${where}-${card}`);
  return html`<span class="nk-cell" @pointerenter=${words.enter} @pointerleave=${words.leave}>
    <button class="nk-small ${group(p, card)} ${act ? "can" : ""} ${on ? "on" : ""} ${quiet ? "quiet" : ""}"
        data-key=${key ?? nothing} aria-pressed=${on ? "true" : nothing}
        @focus=${words.focus} @blur=${words.blur} @click=${act ?? words.tap}>
      ${picture(p, card)}${
        p.about(card).gem ? unseen(named(p, card)) : html`<span class="name">${named(p, card)}</span>`
      }
      ${seen ? html`<em class="seen">${seen}</em>` : nothing}
      ${n > 1 ? html`<b class="count" aria-hidden="true">${n}</b>` : nothing}${unseen(
        ui.labelled(n > 1 ? ui.t("necklace-times", { n }) : "", does(p, card)),
      )}
    </button>${ui.local.detail === `${where}-${card}` && !below() ? detail(p, card) : nothing}</span>`;
}

/** A card in a line of text. @param {Position} p @param {string} card @param {number} n @param {string} [key] */
export function tiny(p, card, n, key) {
  const { gem, stones: count } = p.about(card);
  return html`<span class="nk-tiny ${group(p, card)}" data-key=${key ?? nothing}
      title=${p.ui.labelled(listed(p, [[card, n]]), does(p, card))}>${
        gem ? Array.from({ length: count }, () => stone(gem)) : icon(card)
      }${n > 1 ? html`<b aria-hidden="true">${n}</b>` : nothing}${unseen(listed(p, [[card, n]]))}</span>`;
}
