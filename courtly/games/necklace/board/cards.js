/** Cards: large on offer, small in a hand; and the texts of their effects. */
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

/**
 * Render the picture on a card: stones, or a portrait with its icon until it is loaded.
 * @param {Position} p @param {string} card
 */
export function renderPicture(p, card) {
  const { gem, stones: n } = p.cardInfo(card);
  return gem
    ? renderStones(gem, n)
    : html`<span class="portrait">${renderIcon(card)}<img alt="" loading="lazy" width="120" height="150"
        src=${new URL(`./art/${card}.svg`, import.meta.url).href}></span>`;
}

/**
 * Return the part of a card's message ids: all gem cards share their texts.
 * @param {Position} p @param {string} card
 */
const textKey = (p, card) => (p.cardInfo(card).gem ? "gem" : card);
/** @param {Position} p @param {string} card */
export const effectText = (p, card) => p.ui.t(`necklace-card-${textKey(p, card)}.does`);
/** @param {Position} p @param {string} card */
export const cardName = (p, card) => p.ui.t(`necklace-card-${card}`);
/** Format as "Ring ×2, King". @param {Position} p @param {[string, number][]} cards */
export const formatCards = (p, cards) =>
  p.ui.formatList(cards.map(([card, n]) => cardName(p, card) + (n > 1 ? ` ${p.ui.t("necklace-times", { n })}` : ""))) ||
  p.ui.t("necklace-none");

/** @param {Position} p @param {string} card */
export const cardGroup = (p, card) => p.cardInfo(card).group;

// --- tooltips on focus, hover and tap --------------------------------------------------------------------------------

/**
 * Return the handlers that show and hide a card's text. If the text is shown at the bottom, only a tap does, and it
 * cancels a started choice.
 * @param {Position} p @param {string} key @returns {Partial<ReturnType<typeof tooltipHandlers>>}
 */
export function cardHandlers({ ui }, key) {
  const tap = () => ui.setLocal({ detail: ui.local.detail === key ? null : key, use: "", target: null });
  return isDetailBelow() ? { tap } : tooltipHandlers(ui, key);
}

/**
 * Return whether a card's text is shown at the bottom, above the buttons of the hand, so that it covers no choices: on
 * phones.
 */
export const isDetailBelow = () => isTouchOnly() && isSmallScreen();

/** Render what is missing for a use of a card, if anything is. @param {string} words */
export const renderWhyNot = (words) => (words ? html`<p class="why-not">${words}</p>` : nothing);

/** Render all details of a card. @param {Position} p @param {string} card @param {unknown} [more] */
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

// --- cards in a hand, a tray or a list -------------------------------------------------------------------------------

/**
 * Render a small card with its count.
 * @param {Position} p @param {string} card @param {number} n
 * @param {{key?: string, act?: (() => void) | null, on?: boolean, where: string, quiet?: boolean, seen?: string,
 *   whyNot?: string}} options `seen`: the label of a card that is laid openly; `whyNot`: why it has no use now
 */
export function renderSmallCard(
  p,
  card,
  n,
  { key, act = null, on = false, where, quiet = false, seen = "", whyNot = "" },
) {
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
      )}${whyNot ? hideVisually(whyNot) : nothing}
    </button>${
      ui.local.detail === `${where}-${card}` && !isDetailBelow() ? renderDetail(p, card, renderWhyNot(whyNot)) : nothing
    }</span>`;
}

/** Render a card in a line of text. @param {Position} p @param {string} card @param {number} n @param {string} [key] */
export function renderTinyCard(p, card, n, key) {
  const { gem, stones: count } = p.cardInfo(card);
  return html`<span class="nk-tiny ${cardGroup(p, card)}" data-key=${key ?? nothing}
      title=${p.ui.formatLabelled(formatCards(p, [[card, n]]), effectText(p, card))}>${
        gem ? Array.from({ length: count }, () => renderStone(gem)) : renderIcon(card)
      }${n > 1 ? html`<b aria-hidden="true">${n}</b>` : nothing}${hideVisually(formatCards(p, [[card, n]]))}</span>`;
}
