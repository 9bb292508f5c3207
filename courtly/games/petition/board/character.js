/** A character of the court: what it asks for, what it does, who has it; and all of it in words. */
import { html, nothing } from "lit";
import { arms } from "../../../web/board-sdk/seat-shield.js";
import { mark } from "../../../web/board-sdk/ui-icons.js";
import { picture } from "../../../web/board-sdk/die.js";
import { showing } from "../../../web/board-sdk/tooltips.js";
import { touch } from "../../../web/core/user-settings.js";
import { unseen } from "../../../web/components/visually-hidden.js";
import { icons } from "./art/icons.js";
import { requirement } from "./requirement.js";
import { TINCTURES } from "./position.js";
import { atOnce, inUse, useOf } from "./powers.js";

/**
 * @typedef {import("./position.js").Position} Position
 * @typedef {import("../../../web/board-sdk/board-context.js").Ui} Ui
 */

const ROMAN = ["0", "I", "II", "III", "IV", "V"];

/** The shield of a character. @param {Position} p @param {string} card */
export const crest = (p, card) => arms(TINCTURES[p.characters[card].family], icons[card]);

/**
 * What a click on a character does now, or null.
 * @param {Position} p @param {string} card @returns {(() => void) | null}
 */
export function action(p, card) {
  const { ui } = p;
  const [claim] = ui.can("claim", { card });
  if (claim) return () => ui.play(claim);
  if (inUse(p) === card) return () => ui.set({ power: null, picked: [], choice: null });
  const use = useOf(p, card);
  if (!use) return null;
  return () =>
    atOnce(use) ? ui.play(...ui.numbered(use.ways[0][1])) : ui.set({ power: card, picked: [], choice: null });
}

/**
 * What is to be seen of a character at a glance, as classes.
 * @param {Position} p @param {string} card @param {boolean} acts
 */
function marks(p, card, acts) {
  const claims = p.ui.can("claim", { card }).length > 0;
  const gone = p.copies(card) !== 0 && !p.left(card);
  const on = {
    own: have(p, card),
    used: p.used(card),
    reach: p.claimable(card),
    gone,
    claims,
    usable: acts && !claims,
    "in-use": inUse(p) === card,
  };
  return [p.characters[card].family, ...Object.entries(on).flatMap(([mark, is]) => (is ? [mark] : []))].join(" ");
}

/** @param {Position} p @param {string} card */
const have = (p, card) => p.me !== null && p.owns(p.me, card) > 0;

/** @param {Position} p @param {string} card @param {import("./requirement.js").Met} met */
export function cell(p, card, met) {
  const { ui } = p;
  const { adds, level, needs } = p.characters[card];
  const act = action(p, card);
  const other = p.cards[p.facts.instead[p.cards.indexOf(card)]]; // asked for instead of dice
  const on = showing(ui, card);
  const confirmed = !touch() || !ui.can("claim", { card }).length; // by touch a character is claimed from its details
  return html`<div class="cell at-${card}" @pointerenter=${on.enter} @pointerleave=${on.leave}>
    <button class="card ${marks(p, card, Boolean(act))}" data-key="card-${card}"
        tabindex=${act || card === "fool" ? 0 : -1}
      aria-disabled=${!act} aria-describedby="detail-${card}"
      @focus=${on.focus} @blur=${on.blur} @click=${act && confirmed ? act : on.tap}>
      <span class="name">${p.called(card)}</span><span class="roman" aria-hidden="true">${ROMAN[level]}</span>
      ${crest(p, card)}
      ${other ? instead(p, other) : requirement(needs, met, !p.wanted(card) || !p.facts.sum)}
      <span class="need">${unseen(ui.labelled(ui.t("petition-needs")))}${ui.t(`petition-card-${card}.need`)}</span>
      <span class="does">${unseen(ui.labelled(ui.t("petition-does")))}${ui.t(
        `petition-card-${card}.does`,
      )}${adds ? picture(adds, "small") : nothing}</span>
      <span class="foot">${stack(p, card)}${state(p, card)}${holders(p, card)}</span>
    </button>
    ${ui.local.detail === card ? detail(p, card, act) : nothing}
  </div>`;
}

const FLIPPED = "M5 9a8 8 0 0 1 14 1M19 4v6h-6M19 15a8 8 0 0 1-14-1M5 20v-6h6";
const PLUS = "M12 5v14M5 12h14";

/** @param {Position} p @param {string} other */
const instead = (p, other) => html`<span class="req instead" aria-hidden="true">${crest(p, other)}
  <svg viewBox="0 0 24 24"><path d=${other === "fool" ? FLIPPED : PLUS}></path></svg></span>`;

/** Copies left and gone. @param {Position} p @param {string} card */
function stack(p, card) {
  const copies = p.copies(card);
  const left = p.left(card);
  const words = p.copiesLeft(card);
  if (copies === 0) return html`<span class="stack"></span>`;
  if (copies === null) return html`<span class="stack"><b aria-hidden="true">∞</b>${unseen(words)}</span>`;
  return html`<span class="stack">${Array.from(
    { length: copies },
    (_, i) => html`<i class=${i < left ? "" : "out"}></i>`,
  )}
    ${left ? unseen(words) : html`<span class="none">${words}</span><b class="zero" aria-hidden="true">0</b>`}</span>`;
}

/** @param {Position} p @param {string} card */
function state(p, card) {
  const { ui } = p;
  if (p.used(card)) return html`<em>${ui.t("petition-used-short")}</em>`;
  if (p.claimable(card)) return html`<em class="tick">${ui.t("petition-reach-short")}</em>`;
  const odds = p.odds(card);
  if (odds) return html`<em class="odds">${unseen(ui.labelled(ui.t("petition-odds-of")))}${odds}</em>`;
  return have(p, card) ? unseen(ui.t("petition-owned")) : nothing;
}

/** Who has it. @param {Position} p @param {string} card */
function holders(p, card) {
  const { ui } = p;
  const owners = p.owners(card);
  const times = (/** @type {number} */ n) => (n > 1 ? html`<small aria-hidden="true">${n}</small>` : nothing);
  return !owners.length
    ? nothing
    : html`<span class="owners">${owners.map(
        (seat) => html`<span
          class="owner ${seat === ui.me ? "me" : ""}" data-key="own-${card}-${seat}">${ui.shield(seat, "tiny")}${times(
            p.owns(seat, card),
          )}</span>`,
      )}
      ${unseen(p.heldBy(card))}</span>`;
}

/** Everything about a character in words. @param {Position} p @param {string} card @param {(() => void) | null} act */
export function detail(p, card, act) {
  const { ui } = p;
  const { family, level } = p.characters[card];
  const [claim] = ui.can("claim", { card });
  const facts = [
    ui.t(`petition-family-${family}`),
    p.copiesLeft(card),
    p.heldBy(card),
    p.used(card) ? ui.t("petition-used") : "",
    p.explained(card),
  ];
  return html`<div class="detail" role="tooltip" id="detail-${card}">
    <header>${crest(p, card)}<b>${p.called(card)}</b><small>${ui.t("petition-level", { level })}</small>
      ${
        touch()
          ? html`<button class="icon-button" aria-label=${ui.t("close")}
            @click=${() => ui.set({ detail: null })}>${mark("close")}</button>`
          : nothing
      }</header>
    <p>${ui.t(`petition-card-${card}.detail`)}</p>
    <p class="facts">${facts.filter(Boolean).map((text) => html`<span>${text}</span>`)}</p>
    ${act && touch() && claim ? html`<button class="button" @click=${act}>${ui.order(claim)}</button>` : nothing}
  </div>`;
}
