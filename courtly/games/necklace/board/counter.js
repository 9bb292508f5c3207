/** The jeweller's counter: fashion and the time to the next sale above, five cards on offer below. */
import { html, nothing } from "lit";
import { breakable } from "../../../web/core/line-breaking.js";
import { touch } from "../../../web/core/user-settings.js";
import { unseen } from "../../../web/components/visually-hidden.js";
import { below, detail, does, group, icon, listed, named, picture, shows } from "./cards.js";
import { stone } from "./gems.js";

/** @typedef {import("./position.js").Position} Position */

/** @param {Position} p @param {boolean} sale does the outcome of a sale lie open? */
export function shelf(p, sale) {
  const { ui } = p;
  const [move] = ui.can("favorite");
  const choosing = move && ui.local.use === "favorite";
  return html`<section class="shelf" aria-label=${ui.t("necklace-fashion")}>
    <div class="fashion"><h2 title=${ui.t("necklace-fashion-help")}>${ui.t("necklace-fashion")}</h2>
      ${p.fashion.map((gem) => tile(p, gem, choosing ? ui.can("favorite", { gem })[0] : undefined))}</div>
    ${clock(p)}
    <div class="papers">
      <button class="button quiet small" aria-pressed=${ui.local.panel === "cards"}
          @click=${() =>
            ui.set({ panel: ui.local.panel === "cards" ? "" : "cards" })}>${ui.t("necklace-overview")}</button>
      ${
        p.s.sales && (!sale || ui.local.panel === "sale")
          ? html`<button class="button quiet small" aria-pressed=${ui.local.panel === "sale"}
            @click=${() =>
              ui.set({ panel: ui.local.panel === "sale" ? "" : "sale" })}>${ui.t("necklace-last-sale")}</button>`
          : nothing
      }
    </div>
  </section>`;
}

/** @param {Position} p @param {string} gem @param {import("../../../web/core/api-types.js").Move} [move] */
function tile(p, gem, move) {
  const { ui } = p;
  const text = ui.t("necklace-fashion-place", { gem, bonus: p.bonus(gem) });
  const inside = html`<b>${ui.plus(p.bonus(gem))}</b>${stone(gem)}<span>${ui.t(`necklace-gem-${gem}`)}</span>`;
  return move
    ? html`<button class="tile can" data-key="tile-${gem}" @click=${() => ui.play(move)}
        title=${ui.order(move)}>${inside}${unseen(ui.order(move))}</button>`
    : html`<span class="tile" data-key="tile-${gem}" title=${text}>${inside}</span>`;
}

/** When the next sale is. @param {Position} p */
function clock(p) {
  const { ui, s } = p;
  const due = p.clock;
  const held = p.seats.filter((seat) => s.held[seat]);
  const when = due
    ? ui.t(due.least === due.most ? "necklace-clock-in" : "necklace-clock-between", { n: due.least, ...due })
    : held.length || p.phase !== "over"
      ? ""
      : ui.t("necklace-clock-over");
  const now =
    p.phase === "cardinal"
      ? ui.t("necklace-clock-merchant")
      : ["show", "alchemist"].includes(p.phase)
        ? ui.t("necklace-clock-now", { n: s.sales + 1 })
        : "";
  return html`<p class="clock" data-key="clock">${icon("merchant")}<span>
    ${now ? html`<strong class="now-on">${now}</strong>` : nothing}${
      due ? html`<b>${ui.t("necklace-clock", { n: s.merchants + 1 })}</b> ` : nothing
    }${when}
    ${held.map((seat) => html`<strong>${ui.t("necklace-clock-held", { name: ui.name(seat) })}</strong> `)}
    <small>${ui.t("necklace-deck", { n: s.left })}</small></span></p>`;
}

// --- the row ---------------------------------------------------------------------------------------------------------

/** @param {Position} p */
export function row(p) {
  const { ui } = p;
  return html`<section class="row" aria-label=${ui.t("necklace-row")}>
    ${p.offers.map((offer) =>
      offer.card
        ? onOffer(p, offer)
        : offer.slot === p.facts.waits
          ? turnedUp(p)
          : html`<div class="nk-cell offer">
            <span class="gap" data-key="slot-${offer.slot}">${unseen(ui.t("necklace-empty-slot"))}</span></div>`,
    )}</section>`;
}

/** @param {Position} p @param {import("./position.js").Offer} offer */
function onOffer(p, offer) {
  const { slot, card, rung } = offer;
  const { ui } = p;
  const [buy] = ui.can("buy", { slot: slot + 1 });
  const words = shows(p, `slot-${slot}`);
  const open = ui.local.detail === `slot-${slot}` && !below();
  const next = falls(p, offer);
  return html`<div class="nk-cell offer" @pointerenter=${words.enter} @pointerleave=${words.leave}>
    <button class="nk-card ${group(p, card)} ${buy ? "can" : ""}" data-key="slot-${slot}"
        @focus=${words.focus} @blur=${words.blur} @click=${buy && !touch() ? () => ui.play(buy) : words.tap}>
      <span class="name">${breakable(named(p, card))}</span>
      <span class="picture">${picture(p, card)}</span>
      <span class="does">${does(p, card)}</span>${unseen(ui.sentences([next, ...(buy ? [ui.order(buy)] : [])]))}
      ${prices(p.ladder(card), rung, slot)}
    </button>
    ${open ? detail(p, card, html`<p class="facts">${next}</p>${touch() ? buying(p, slot) : nothing}`) : nothing}
  </div>`;
}

/** The price, and what it falls to. @param {Position} p @param {import("./position.js").Offer} offer */
export const falls = ({ ui }, { price, next }) =>
  ui.t(next ? "necklace-ladder-short" : "necklace-ladder-last", { now: price, next });

/**
 * The four prices of a card, the gold ring on the present one.
 * @param {number[]} ladder @param {number} rung @param {number | string} slot
 */
const prices = (ladder, rung, slot) =>
  html`<span class="ladder" aria-hidden="true">${ladder.map(
    (n, i) =>
      html`<span class=${i < rung ? "past" : ""}>${n}${
        i === rung ? html`<i class="gold-ring" data-key="ring-${slot}"></i>` : nothing
      }</span>`,
  )}<span class="cross">✕</span></span>`;

/** A finger buys with a button. @param {Position} p @param {number} slot */
export function buying(p, slot) {
  const { ui } = p;
  const [buy] = ui.can("buy", { slot: slot + 1 });
  return buy
    ? html`<button class="button" @click=${() => ui.play(buy)}>${ui.parts([
        ui.order(buy),
        ui.t("necklace-price", { n: p.offers[slot].price }),
      ])}</button>`
    : nothing;
}

/** The gem card that waits for the queen, where it will lie if she does not take it. @param {Position} p */
function turnedUp(p) {
  const card = p.names[p.s.offered];
  return html`<div class="nk-cell offer"><span class="nk-card gem glow" data-key="offered"><span
      class="name">${breakable(named(p, card))}</span>
    <span class="picture">${picture(p, card)}</span><span
        class="does">${does(p, card)}</span>${prices(p.ladder(card), 0, "offered")}</span></div>`;
}

/** Stones of each gem in every hand, as far as they are known: who is ahead. @param {Position} p */
export function ledger(p) {
  const { ui } = p;
  const { stones, ahead, more } = p.facts;
  return html`<section class="ledger"><table><caption>${ui.t("necklace-ledger")}</caption>
    <thead><tr><td></td>${p.fashion.map(
      (gem) => html`<th scope="col">${stone(gem)}<span>${ui.t(`necklace-gem-${gem}`)}</span></th>`,
    )}</tr></thead>
    <tbody>${p.seats.map(
      (seat) =>
        html`<tr><th scope="row">${ui.shield(seat, "tiny")} ${ui.name(seat)}</th>${p.fashion.map((gem) => {
          const i = p.gems.indexOf(gem);
          return html`<td class=${ahead[i].includes(seat) ? "best" : ""}><b>${stones[seat][i]}</b>${
            more[seat][i] ? "+" : ""
          }</td>`;
        })}</tr>`,
    )}</tbody></table></section>`;
}

// --- how many of each card there are ---------------------------------------------------------------------------------

/** @param {Position} p */
export function overview(p) {
  const { ui } = p;
  const rows = p.names.map((card, i) => ({
    card,
    all: p.about(card).count,
    gone: p.s.discard[i],
    unseen: p.facts.unseen[i],
  }));
  return html`<section class="paper overview" aria-label=${ui.t("necklace-overview")}>
    <header><h2>${ui.t("necklace-overview")}</h2><p>${ui.t("necklace-overview-help")}</p>${closing(p)}</header>
    <div class="scroll" tabindex="0" role="region" aria-label=${ui.t("necklace-overview-help")}><ul>${rows.map(
      ({ card, all, gone, unseen }) => html`<li class=${unseen ? "" : "none"}>
      <span class="what ${group(p, card)}">${
        p.about(card).gem ? stone(p.about(card).gem) : icon(card)
      }<b>${named(p, card)}</b><small>${does(p, card)}</small></span>
      <span class="numbers"><span title=${ui.t("necklace-overview-unseen")}><b>${unseen}</b>
      <small>${ui.t("necklace-overview-unseen")}</small></span>
        <span title=${ui.t("necklace-overview-gone")}>${gone}
        <small>${ui.t("necklace-overview-gone")}</small></span><span>${all}
        <small>${ui.t("necklace-overview-all")}</small></span></span></li>`,
    )}</ul></div>
  </section>`;
}

/** @param {Position} p @param {() => void} [act] */
export const closing = (p, act = () => p.ui.set({ panel: "" })) =>
  html`<button class="button quiet small close" @click=${act}>${p.ui.t("necklace-close")}</button>`;

/** What the confessor or the forger has let me see, until I close it or go on. @param {Position} p */
export function peeked(p) {
  const { ui, s } = p;
  const cue = ui.cues.findLast(({ seat, verb }) => seat === p.me || (verb === "show_hand" && s.active === p.me));
  if (p.me === null || !cue || !["confessor", "show_hand"].includes(cue.verb) || ui.kept.peek === cue.n) return nothing;
  if (cue.verb === "show_hand" && cue.seat === p.me) return nothing;
  const seat = cue.verb === "confessor" ? cue.args?.target : cue.seat;
  const close = () => {
    ui.kept.peek = cue.n;
    ui.set({});
  };
  return html`<section class="paper peek"><header><h2>${ui.t("necklace-seat-known")} –
      ${ui.name(seat)}</h2>${closing(p, close)}</header>
    <p>${listed(p, p.known(seat).cards)}</p></section>`;
}
