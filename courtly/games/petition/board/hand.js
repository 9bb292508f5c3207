/**
 * Under the dice: the characters of whoever is at turn, what picked dice may become, and at the end whom they win over.
 */
import { html, nothing } from "lit";
import { picture } from "../../../web/board-sdk/die.js";
import { action, crest } from "./character.js";
import { atOnce, halfUsed, inUse, powerful, useOf } from "./powers.js";
import { choosing } from "./turn.js";

/** @typedef {import("./position.js").Position} Position */

/** The characters of a seat that do something during its turn. @param {Position} p @param {number} seat */
const powersOf = (p, seat) => p.court(seat).filter((card) => powerful(card, p.ui));

/** The hand is as high as the biggest court needs, whoever is at turn, so that nothing jumps. @param {Position} p */
function room(p) {
  const biggest = Math.max(...p.seats.map((seat) => powersOf(p, seat).length));
  return biggest > 4 ? "crowd" : biggest ? "" : "none";
}

/** @param {Position} p */
export const hand = (p) => (choosing(p).offers.length > 1 ? choices(p) : characters(p));

/** Those ready first, those used apart. @param {Position} p */
function characters(p) {
  const { ui } = p;
  const powers = powersOf(p, p.seat);
  const whose = ui.t("petition-court-of", { name: ui.name(p.seat) });
  const ready = powers.filter((card) => !p.used(card) || inUse(p) === card);
  const used = powers.filter((card) => !ready.includes(card));
  return html`<div class="hand ${room(p)} ${powers.length ? "" : "empty"}" role="group" aria-label=${whose}>
    ${p.seat === p.me || !powers.length ? nothing : html`<span class="whose">${whose}</span>`}
    ${ready.map((card) => chip(p, card))}
    ${
      !used.length
        ? nothing
        : html`<span class="spent"><span class="label">${ui.t("petition-used")}</span>
          ${used.map((card) => chip(p, card))}</span>`
    }
  </div>`;
}

/** @param {Position} p @param {string} card */
function chip(p, card) {
  const { ui } = p;
  const act = action(p, card);
  const on = inUse(p) === card;
  const key = `chip-${card}`;
  const inside = html`${crest(p, card)}<b>${p.called(card)}</b><small>${ui.t(`petition-card-${card}.does`)}</small>`;
  if (!act || halfUsed(p)) return html`<span class="chip ${on ? "on" : ""}" data-key=${key}>${inside}</span>`;
  const use = useOf(p, card);
  const pressed = use && atOnce(use) ? nothing : on;
  return html`<button class="chip usable ${on ? "on" : ""}" data-key=${key} aria-pressed=${pressed}
      @click=${act}>${inside}</button>`;
}

/** In place of the hand while there is a choice: what the picked dice may become. @param {Position} p */
function choices(p) {
  const { ui } = p;
  const { offers, chosen } = choosing(p);
  return html`<div class="hand choices ${room(p)}" role="group" aria-label=${ui.t("petition-choose")}>
    <span class="whose">${ui.t("petition-choose")}</span>
    ${offers.map(
      ({ to }, choice) => html`<button aria-pressed=${offers[choice] === chosen} aria-label=${to?.join(" ") ?? ""}
      @click=${() => ui.set({ choice })}>${to?.map((face) => picture(face, "small"))}</button>`,
    )}</div>`;
}

/** At the end of the turn, in place of the dice: whom they win over. @param {Position} p */
export function claims(p) {
  const { ui } = p;
  const moves = ui.can("claim");
  return html`<div class="zone active claims"><h2>${ui.t(
    moves.length ? "petition-prompt-claim" : "petition-prompt-claim-nothing",
  )}</h2>
    <div class="offers">${moves.map(
      (move) => html`<button class="chip usable" aria-label=${ui.order(move)} @click=${() => ui.play(move)}>
      ${crest(p, move.args.card)}<b>${p.called(move.args.card)}</b></button>`,
    )}</div></div>`;
}
