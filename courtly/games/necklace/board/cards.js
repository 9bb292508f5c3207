/** Cards: large on offer, small in a hand; what they do, in words. */
import { html, nothing } from "lit";
import { tooltipHandlers } from "../../../web/board-sdk/tooltips.js";
import { isSmallScreen, isTouchOnly } from "../../../web/core/user-settings.js";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { icons } from "./art/icons.js";
import { renderStone, renderStones } from "./gems.js";

/**
 * @typedef {import("./position.js").Position} Position
 * @typedef {import("../../../web/board-sdk/board-types.js").Renderable} Renderable
 */

/** @param {string} name */
export const renderIcon = (name) =>
  html`<svg class="icon" viewBox="0 0 512 512" aria-hidden="true"><path d=${icons[name]}></path></svg>`;

/** The picture on a card. @param {Position} p @param {string} card */
export function renderPicture(p, card) {
  const { gem, stones: n } = p.cardInfo(card);
  return gem ? renderStones(gem, n) : html`<span class="crest">${renderIcon(card)}</span>`;
}

/** Where a card's words are: gem cards share theirs. @param {Position} p @param {string} card */
const textKey = (p, card) => (p.cardInfo(card).gem ? "gem" : card);
/** @param {Position} p @param {string} card */
export const effectText = (p, card) => p.ui.t(`necklace-card-${textKey(p, card)}.does`);
/** @param {Position} p @param {string} card */
export const cardName = (p, card) => p.ui.t(`necklace-card-${card}`);
/** "Ring ×2, King" @param {Position} p @param {[string, number][]} cards */
export const formatCards = (p, cards) =>
  p.ui.formatList(cards.map(([card, n]) => cardName(p, card) + (n > 1 ? ` ${p.ui.t("necklace-times", { n })}` : ""))) ||
  p.ui.t("necklace-none");

/** @param {Position} p @param {string} card */
export const cardGroup = (p, card) => p.cardInfo(card).group;

// --- details on focus, hover and tap ---------------------------------------------------------------------------------

/**
 * What shows and hides a card's words; at the foot only a tap does, and it takes back what was begun.
 * @param {Position} p @param {string} key @returns {Partial<ReturnType<typeof tooltipHandlers>>}
 */
export function cardHandlers({ ui }, key) {
  const tap = () => ui.setLocal({ detail: ui.local.detail === key ? null : key, use: "", target: null });
  return isDetailBelow() ? { tap } : tooltipHandlers(ui, key);
}

/** On a phone a card's words stand at the foot, above the buttons of a hand: nothing that can be chosen is covered. */
export const isDetailBelow = () => isTouchOnly() && isSmallScreen();

/** Everything about a card. @param {Position} p @param {string} card @param {unknown} [more] */
export function renderDetail(p, card, more = nothing) {
  const { ui } = p;
  const ladder = p.priceLadder(card);
  return html`<div class="nk-detail" role="tooltip" @click=${() => ui.setLocal({ detail: null })}>
    <header class=${cardGroup(p, card)}>${
      p.cardInfo(card).gem ? renderStone(p.cardInfo(card).gem) : renderIcon(card)
    }<b>${cardName(p, card)}</b></header>
    <small>${ui.joinParts([
      ui.t(`necklace-group-${cardGroup(p, card)}`),
      ladder.join("\u00a0/\u00a0"),
      ui.formatLabelled(ui.t("necklace-overview-all"), p.cardInfo(card).count),
    ])}</small>
    <p>${ui.t(`necklace-card-${textKey(p, card)}.detail`)}</p>${more}
  </div>`;
}

// --- a card in a hand, a tray, a list --------------------------------------------------------------------------------

/**
 * A small card with its number. @param {Position} p @param {string} card @param {number} n
 * @param {{key?: string, act?: (() => void) | null, on?: boolean, where: string, quiet?: boolean, seen?: string}}
 *   options `seen`: the word for a card that lies openly
 */
export function renderSmallCard(p, card, n, { key, act = null, on = false, where, quiet = false, seen = "" }) {
  const { ui } = p;
  const words = cardHandlers(p, `${where}-${card}`);
  return html`<span class="nk-cell" @pointerenter=${words.enter} @pointerleave=${words.leave}>
    <button class="nk-small ${cardGroup(p, card)} ${act ? "can" : ""} ${on ? "on" : ""} ${quiet ? "quiet" : ""}"
        data-key=${key ?? nothing} aria-pressed=${on ? "true" : nothing}
        @focus=${words.focus} @blur=${words.blur} @click=${act ?? words.tap}>
      ${renderPicture(p, card)}${
        p.cardInfo(card).gem ? hideVisually(cardName(p, card)) : html`<span class="name">${cardName(p, card)}</span>`
      }
      ${seen ? html`<em class="seen">${seen}</em>` : nothing}
      ${n > 1 ? html`<b class="count" aria-hidden="true">${n}</b>` : nothing}${hideVisually(
        ui.formatLabelled(n > 1 ? ui.t("necklace-times", { n }) : "", effectText(p, card)),
      )}
    </button>${ui.local.detail === `${where}-${card}` && !isDetailBelow() ? renderDetail(p, card) : nothing}</span>`;
}

/** A card in a line of text. @param {Position} p @param {string} card @param {number} n @param {string} [key] */
export function renderTinyCard(p, card, n, key) {
  const { gem, stones: count } = p.cardInfo(card);
  return html`<span class="nk-tiny ${cardGroup(p, card)}" data-key=${key ?? nothing}
      title=${p.ui.formatLabelled(formatCards(p, [[card, n]]), effectText(p, card))}>${
        gem ? Array.from({ length: count }, () => renderStone(gem)) : renderIcon(card)
      }${n > 1 ? html`<b aria-hidden="true">${n}</b>` : nothing}${hideVisually(formatCards(p, [[card, n]]))}</span>`;
}
