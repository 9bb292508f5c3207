/** The jeweller's counter: fashion and the time to the next sale above, five cards on offer below. */
import { html, nothing } from "lit";
import { renderBreakable } from "../../../web/core/line-breaking.js";
import { isTouchOnly } from "../../../web/core/user-settings.js";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import {
  isDetailBelow,
  renderDetail,
  effectText,
  cardGroup,
  renderIcon,
  formatCards,
  cardName,
  renderPicture,
  cardHandlers,
  renderWhyNot,
} from "./cards.js";
import { renderStone } from "./gems.js";
import { whyNotBuy } from "./why-not.js";

/** @typedef {import("./position.js").Position} Position */

/** @param {Position} p @param {boolean} sale is the outcome of a sale shown? */
export function renderShelf(p, sale) {
  const { ui } = p;
  const [move] = ui.legalMoves("favorite");
  const choosing = move && ui.local.use === "favorite";
  return html`<section class="shelf" aria-label=${ui.t("necklace-fashion")}>
    <div class="fashion"><h2 title=${ui.t("necklace-fashion-help")}>${ui.t("necklace-fashion")}</h2>
      ${p.fashion.map((gem) =>
        renderFashionTile(p, gem, choosing ? ui.legalMoves("favorite", { gem })[0] : undefined),
      )}</div>
    ${renderSaleClock(p)}
    <div class="papers">
      <button class="button quiet small" aria-pressed=${ui.local.panel === "cards"}
          @click=${() =>
            ui.setLocal({ panel: ui.local.panel === "cards" ? "" : "cards" })}>${ui.t("necklace-overview")}</button>
      ${
        p.state.sales && (!sale || ui.local.panel === "sale")
          ? html`<button class="button quiet small" aria-pressed=${ui.local.panel === "sale"}
            @click=${() =>
              ui.setLocal({ panel: ui.local.panel === "sale" ? "" : "sale" })}>${ui.t("necklace-last-sale")}</button>`
          : nothing
      }
    </div>
  </section>`;
}

/** @param {Position} p @param {string} gem @param {import("../../../web/core/api-types.js").Move} [move] */
function renderFashionTile(p, gem, move) {
  const { ui } = p;
  const text = ui.t("necklace-fashion-place", { gem, bonus: p.bonus(gem) });
  const inside = html`<b>${ui.formatPlus(p.bonus(gem))}</b>${renderStone(gem)}<span>${ui.t(
    `necklace-gem-${gem}`,
  )}</span>`;
  return move
    ? html`<button class="tile can" data-key="tile-${gem}" @click=${() => ui.play(move)}
        title=${ui.moveText(move)}>${inside}${hideVisually(ui.moveText(move))}</button>`
    : html`<span class="tile" data-key="tile-${gem}" title=${text}>${inside}</span>`;
}

/** Render when the next sale is. @param {Position} p */
function renderSaleClock(p) {
  const { ui, state } = p;
  const due = p.drawsToSale;
  const held = p.seats.filter((seat) => state.held[seat]);
  const when = due
    ? ui.t(due.least === due.most ? "necklace-clock-in" : "necklace-clock-between", { n: due.least, ...due })
    : held.length || p.phase !== "over"
      ? ""
      : ui.t("necklace-clock-over");
  const now =
    p.phase === "cardinal"
      ? ui.t("necklace-clock-merchant")
      : ["show", "alchemist"].includes(p.phase)
        ? ui.t("necklace-clock-now", { n: state.sales + 1 })
        : "";
  return html`<p class="clock" data-key="clock">${renderIcon("merchant")}<span>
    ${now ? html`<strong class="now-on">${now}</strong>` : nothing}${
      due ? html`<b>${ui.t("necklace-clock", { n: state.merchants + 1 })}</b> ` : nothing
    }${when}
    ${held.map((seat) => html`<strong>${ui.t("necklace-clock-held", { name: ui.playerName(seat) })}</strong> `)}
    <small>${ui.t("necklace-deck", { n: state.left })}</small></span></p>`;
}

// --- the row of offers
// ------------------------------------------------------------------------------------------------

/** @param {Position} p */
export function renderRow(p) {
  const { ui } = p;
  return html`<section class="row" aria-label=${ui.t("necklace-row")}>
    ${p.offers.map((offer) =>
      offer.card
        ? renderOffer(p, offer)
        : offer.slot === p.facts.waits
          ? renderTurnedUp(p)
          : html`<div class="nk-cell offer">
            <span class="gap" data-key="slot-${offer.slot}">${hideVisually(ui.t("necklace-empty-slot"))}</span></div>`,
    )}</section>`;
}

/** @param {Position} p @param {import("./position.js").Offer} offer */
function renderOffer(p, offer) {
  const { slot, card, rung } = offer;
  const { ui } = p;
  const [buy] = ui.legalMoves("buy", { slot: slot + 1 });
  const words = cardHandlers(p, `slot-${slot}`);
  const open = ui.local.detail === `slot-${slot}` && !isDetailBelow();
  const next = priceText(p, offer);
  const lacks = whyNotBuy(p, offer);
  return html`<div class="nk-cell offer" @pointerenter=${words.enter} @pointerleave=${words.leave}>
    <button class="nk-card ${cardGroup(p, card)} ${buy ? "can" : ""}" data-key="slot-${slot}"
        @focus=${words.focus} @blur=${words.blur} @click=${buy && !isTouchOnly() ? () => ui.play(buy) : words.tap}>
      <span class="name">${renderBreakable(cardName(p, card))}</span>
      <span class="picture">${renderPicture(p, card)}</span>
      <span class="does">${effectText(p, card)}</span>${hideVisually(
        ui.joinSentences([next, ...(buy ? [ui.moveText(buy)] : []), ...(lacks ? [lacks] : [])]),
      )}
      ${renderPrices(p.priceLadder(card), rung, slot)}
    </button>
    ${
      open
        ? renderDetail(
            p,
            card,
            html`<p
      class="facts">${next}</p>${renderWhyNot(lacks)}${isTouchOnly() ? renderBuyButton(p, slot) : nothing}`,
          )
        : nothing
    }
  </div>`;
}

/** Return the price and the one it falls to. @param {Position} p @param {import("./position.js").Offer} offer */
export const priceText = ({ ui }, { price, next }) =>
  ui.t(next ? "necklace-ladder-short" : "necklace-ladder-last", { now: price, next });

/**
 * Render the four prices of a card, with a gold ring around the current one.
 * @param {number[]} ladder @param {number} rung @param {number | string} slot
 */
const renderPrices = (ladder, rung, slot) =>
  html`<span class="ladder" aria-hidden="true">${ladder.map(
    (n, i) =>
      html`<span class=${i < rung ? "past" : ""}>${n}${
        i === rung ? html`<i class="gold-ring" data-key="ring-${slot}"></i>` : nothing
      }</span>`,
  )}<span class="cross">✕</span></span>`;

/** Render the button that buys a card, for touch screens. @param {Position} p @param {number} slot */
export function renderBuyButton(p, slot) {
  const { ui } = p;
  const [buy] = ui.legalMoves("buy", { slot: slot + 1 });
  return buy ? html`<button class="button" @click=${() => ui.play(buy)}>${ui.moveText(buy)}</button>` : nothing;
}

/** Render the gem card that the queen may take, in the place it gets if she does not. @param {Position} p */
function renderTurnedUp(p) {
  const card = p.names[p.state.offered];
  return html`<div class="nk-cell offer"><span class="nk-card gem glow" data-key="offered"><span
      class="name">${renderBreakable(cardName(p, card))}</span>
    <span class="picture">${renderPicture(p, card)}</span><span
        class="does">${effectText(p, card)}</span>${renderPrices(p.priceLadder(card), 0, "offered")}</span></div>`;
}

/** Render the known stones of each gem by hand, to show who is ahead. @param {Position} p */
export function renderLedger(p) {
  const { ui } = p;
  const { stones, ahead, more } = p.facts;
  return html`<section class="ledger"><table><caption>${ui.t(
    p.isOpen ? "necklace-ledger-open" : "necklace-ledger",
  )}</caption>
    <thead><tr><td></td>${p.fashion.map(
      (gem) => html`<th scope="col">${renderStone(gem)}<span>${ui.t(`necklace-gem-${gem}`)}</span></th>`,
    )}</tr></thead>
    <tbody>${p.seats.map(
      (seat) =>
        html`<tr><th scope="row">${ui.renderShield(seat, "tiny")} ${ui.playerName(seat)}</th>${p.fashion.map((gem) => {
          const i = p.gems.indexOf(gem);
          return html`<td class=${ahead[i].includes(seat) ? "best" : ""}><b>${stones[seat][i]}</b>${
            more[seat][i] ? "+" : ""
          }</td>`;
        })}</tr>`,
    )}</tbody></table></section>`;
}

// --- number of copies of each card -----------------------------------------------------------------------------------

/** @param {Position} p */
export function renderOverview(p) {
  const { ui } = p;
  const rows = p.names.map((card, i) => ({
    card,
    all: p.cardInfo(card).count,
    gone: p.state.discard[i],
    unseen: p.facts.unseen[i],
  }));
  return html`<section class="paper reading overview" aria-label=${ui.t("necklace-overview")}>
    <header><h2>${ui.t("necklace-overview")}</h2><p>${ui.t(
      "necklace-overview-help",
    )}</p>${renderCloseButton(p)}</header>
    <div class="scroll" tabindex="0" role="region" aria-label=${ui.t("necklace-overview-help")}><ul>${rows.map(
      ({ card, all, gone, unseen }) => html`<li class=${unseen ? "" : "none"}>
      <span class="what ${cardGroup(p, card)}">${
        p.cardInfo(card).gem ? renderStone(p.cardInfo(card).gem) : renderIcon(card)
      }<b>${cardName(p, card)}</b><small>${effectText(p, card)}</small></span>
      <span class="numbers"><span title=${ui.t("necklace-overview-unseen")}><b>${unseen}</b>
      <small>${ui.t("necklace-overview-unseen")}</small></span>
        <span title=${ui.t("necklace-overview-gone")}>${gone}
        <small>${ui.t("necklace-overview-gone")}</small></span><span>${all}
        <small>${ui.t("necklace-overview-all")}</small></span></span></li>`,
    )}</ul></div>
  </section>`;
}

/** @param {Position} p @param {() => void} [act] */
export const renderCloseButton = (p, act = () => p.ui.setLocal({ panel: "" })) =>
  html`<button class="button quiet small close" @click=${act}>${p.ui.t("necklace-close")}</button>`;

/**
 * Render the hand that the confessor or the forger has shown to this player, until closed or until the player acts.
 * @param {Position} p
 */
export function renderPeekedHand(p) {
  const { ui, state } = p;
  const cue = ui.cues.findLast(({ seat, verb }) => seat === p.me || (verb === "show_hand" && state.active === p.me));
  if (
    p.me === null ||
    !cue ||
    !["confessor", "show_hand"].includes(cue.verb) ||
    ui.pageState.peek === p.closedId(cue.n)
  )
    return nothing;
  if (cue.verb === "show_hand" && cue.seat === p.me) return nothing;
  const seat = cue.verb === "confessor" ? cue.args?.target : cue.seat;
  const close = () => {
    ui.pageState.peek = p.closedId(cue.n);
    ui.setLocal({});
  };
  return html`<section class="paper reading peek"><header><h2>${ui.t("necklace-seat-known")} –
      ${ui.playerName(seat)}</h2>${renderCloseButton(p, close)}</header>
    <p>${formatCards(p, p.knownHand(seat).cards)}</p></section>`;
}
