/**
 * Below the dice: the active player's characters, the outcomes for the picked dice, and at the end of the turn the
 * characters that can be claimed.
 */
import { html, nothing } from "lit";
import { renderStaticDie } from "../../../web/board-sdk/die.js";
import { cardAction } from "./character.js";
import { renderCrest } from "./figure.js";
import { isActivatable, isImmediate, isPowerBegun, listWays, powerInUse } from "./powers.js";
import { currentChoice } from "./turn.js";
import { whyNotUsed } from "./why-not.js";

/** @typedef {import("./position.js").Position} Position */

/** Return a seat's characters that can be used during its turn. @param {Position} p @param {number} seat */
const listPowers = (p, seat) => p.court(seat).filter((card) => isActivatable(card, p.ui));

/**
 * Return the class for the height of the hand. It depends on the largest court of any seat, so that the layout does not
 * jump between turns.
 * @param {Position} p
 */
function handSizeClass(p) {
  const biggest = Math.max(...p.seats.map((seat) => listPowers(p, seat).length));
  return biggest > 4 ? "crowd" : biggest ? "" : "none";
}

/** @param {Position} p */
export const renderHand = (p) => (currentChoice(p).offers.length > 1 ? renderOutcomeChoices(p) : renderCharacters(p));

/** Render the characters, ready ones first, used ones apart. @param {Position} p */
function renderCharacters(p) {
  const { ui } = p;
  const powers = listPowers(p, p.seat);
  const courtLabel = ui.t("petition-court-of", { name: ui.playerName(p.seat) });
  const ready = powers.filter((card) => !p.isUsed(card) || powerInUse(p) === card);
  const used = powers.filter((card) => !ready.includes(card));
  return html`<div class="hand ${handSizeClass(p)} ${powers.length ? "" : "empty"}" role="group"
    aria-label=${courtLabel}>
    ${p.seat === p.me || !powers.length ? nothing : html`<span class="whose">${courtLabel}</span>`}
    ${ready.map((card) => renderChip(p, card))}
    ${
      !used.length
        ? nothing
        : html`<span class="spent"><span class="label">${ui.t("petition-used")}</span>
          ${used.map((card) => renderChip(p, card))}</span>`
    }
  </div>`;
}

/** @param {Position} p @param {string} card */
function renderChip(p, card) {
  const { ui } = p;
  const act = cardAction(p, card);
  const on = powerInUse(p) === card;
  const key = `chip-${card}`;
  const missing = act ? "" : whyNotUsed(p, card);
  const does = ui.t(`petition-card-${card}.does`);
  const inside = html`${renderCrest(p, card)}<b>${p.cardName(card)}</b>${
    missing ? html`<small class="why-not" title=${does}>${missing}</small>` : html`<small>${does}</small>`
  }`;
  if (!act || isPowerBegun(p)) return html`<span class="chip ${on ? "on" : ""}" data-key=${key}>${inside}</span>`;
  const pressed = isImmediate(listWays(p, card)) ? nothing : on;
  return html`<button class="chip usable ${on ? "on" : ""}" data-key=${key} aria-pressed=${pressed}
      @click=${act}>${inside}</button>`;
}

/**
 * Render the possible outcomes for the picked dice, in place of the hand while there is a choice.
 * @param {Position} p
 */
function renderOutcomeChoices(p) {
  const { ui } = p;
  const { offers, chosen } = currentChoice(p);
  return html`<div class="hand choices ${handSizeClass(p)}" role="group" aria-label=${ui.t("petition-choose")}>
    <span class="whose">${ui.t("petition-choose")}</span>
    ${offers.map(
      ({ to }, choice) => html`<button aria-pressed=${offers[choice] === chosen} aria-label=${to.join(" ")}
      @click=${() => ui.setLocal({ choice })}>${to.map((face) => renderStaticDie(face, "small"))}</button>`,
    )}</div>`;
}

/** Render the characters that can be claimed at the end of the turn, in place of the dice. @param {Position} p */
export function renderClaims(p) {
  const { ui } = p;
  const moves = ui.legalMoves("claim");
  return html`<div class="zone active claims"><h2>${ui.t(
    moves.length ? "petition-prompt-claim" : "petition-prompt-claim-nothing",
  )}</h2>
    <div class="offers">${moves.map(
      (move) => html`<button class="chip usable" aria-label=${ui.moveText(move)} @click=${() => ui.play(move)}>
      ${renderCrest(p, move.args.card)}<b>${p.cardName(move.args.card)}</b></button>`,
    )}</div></div>`;
}
