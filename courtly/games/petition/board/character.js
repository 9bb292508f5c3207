/** A character of the court: its requirement, its power and its holders; drawn and as text. */
import { html, nothing } from "lit";
import { renderUiIcon } from "../../../web/board-sdk/ui-icons.js";
import { renderStaticDie } from "../../../web/board-sdk/die.js";
import { tooltipHandlers } from "../../../web/board-sdk/tooltips.js";
import { isTouchOnly } from "../../../web/core/user-settings.js";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { renderCrest, renderPortrait } from "./figure.js";
import { renderRequirement } from "./requirement.js";
import { isImmediate, listWays, powerInUse } from "./powers.js";
import { whyNotClaimed } from "./why-not.js";

/**
 * @typedef {import("./position.js").Position} Position
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */

const ROMAN_NUMERALS = ["0", "I", "II", "III", "IV", "V"];

/**
 * Return the action of a click on a character, or null.
 * @param {Position} p @param {string} card @returns {(() => void) | null}
 */
export function cardAction(p, card) {
  const { ui } = p;
  const [claim] = ui.legalMoves("claim", { card });
  if (claim) return () => ui.play(claim);
  if (powerInUse(p) === card) return () => ui.setLocal({ power: null, picked: [], choice: null });
  const ways = listWays(p, card);
  if (!ways.length) return null;
  if (isImmediate(ways)) return () => ui.play(...ui.movesByIds(ways[0].moves));
  return () => {
    ui.pageState.isDockFolded = false; // dice are to be chosen now
    ui.setLocal({ power: card, picked: [], choice: null, detail: null });
  };
}

/**
 * Return the CSS classes of a character's state.
 * @param {Position} p @param {string} card @param {boolean} acts
 */
function cardClasses(p, card, acts) {
  const claims = p.ui.legalMoves("claim", { card }).length > 0;
  const gone = p.copiesInGame(card) !== 0 && !p.copiesInSupply(card);
  const on = {
    own: isMine(p, card),
    used: p.isUsed(card),
    reach: p.isClaimable(card),
    gone,
    claims,
    usable: acts && !claims,
    "in-use": powerInUse(p) === card,
  };
  return [p.characters[card].family, ...Object.entries(on).flatMap(([mark, is]) => (is ? [mark] : []))].join(" ");
}

/** @param {Position} p @param {string} card */
const isMine = (p, card) => p.me !== null && p.ownedCount(p.me, card) > 0;

/**
 * @param {Position} p @param {string} card @param {import("./requirement.js").MetNeeds} met
 * @param {boolean} inReach is there a chance to claim it in this turn?
 */
export function renderCell(p, card, met, inReach) {
  const { ui } = p;
  const { adds, level, needs } = p.characters[card];
  const act = cardAction(p, card);
  const other = p.cards[p.facts.instead[p.cards.indexOf(card)]]; // the character required instead of dice
  const on = tooltipHandlers(ui, card);
  // on touch screens, a character is claimed from its details
  const confirmed = !isTouchOnly() || !ui.legalMoves("claim", { card }).length;
  return html`<div class="cell at-${card} ${inReach ? "in-reach" : ""}" @pointerenter=${on.enter}
      @pointerleave=${on.leave}>
    <button class="card ${cardClasses(p, card, Boolean(act))}" data-key="card-${card}"
        tabindex=${act || card === "fool" ? 0 : -1}
      aria-disabled=${!act} aria-describedby="detail-${card}"
      @focus=${on.focus} @blur=${on.blur} @click=${act && confirmed ? act : on.tap}>
      <span class="name">${p.cardName(card)}</span><span class="roman"
        aria-hidden="true">${ROMAN_NUMERALS[level]}</span>
      ${renderPortrait(p, card)}
      ${other ? renderAlternative(p, other) : renderRequirement(needs, met, !p.isWanted(card) || !p.facts.sum)}
      <span class="need">${hideVisually(
        ui.formatLabelled(ui.t("petition-needs")),
      )}${ui.t(`petition-card-${card}.need`)}</span>
      <span class="does">${hideVisually(ui.formatLabelled(ui.t("petition-does")))}${ui.t(
        `petition-card-${card}.does`,
      )}${adds ? renderStaticDie(adds, "small") : nothing}</span>
      <span class="foot">${renderCopies(p, card)}${renderState(p, card)}${renderHolders(p, card)}</span>
    </button>
    ${ui.local.detail === card ? renderDetail(p, card, act) : nothing}
  </div>`;
}

const FLIP_PATH = "M5 9a8 8 0 0 1 14 1M19 4v6h-6M19 15a8 8 0 0 1-14-1M5 20v-6h6";
const PLUS_PATH = "M12 5v14M5 12h14";

/** @param {Position} p @param {string} other */
const renderAlternative = (p, other) => html`<span class="req instead" aria-hidden="true">${renderCrest(p, other)}
  <svg viewBox="0 0 24 24"><path d=${other === "fool" ? FLIP_PATH : PLUS_PATH}></path></svg></span>`;

/** Render the remaining and the taken copies. @param {Position} p @param {string} card */
function renderCopies(p, card) {
  const copies = p.copiesInGame(card);
  const left = p.copiesInSupply(card);
  const words = p.copiesText(card);
  if (copies === 0) return html`<span class="stack"></span>`;
  if (copies === null) return html`<span class="stack"><b aria-hidden="true">∞</b>${hideVisually(words)}</span>`;
  return html`<span class="stack">${Array.from(
    { length: copies },
    (_, i) => html`<i class=${i < left ? "" : "out"}></i>`,
  )}
    ${
      left
        ? hideVisually(words)
        : html`<span class="none">${words}</span><b class="zero"
      aria-hidden="true">0</b>`
    }</span>`;
}

/** @param {Position} p @param {string} card */
function renderState(p, card) {
  const { ui } = p;
  if (p.isUsed(card)) {
    const user = p.seat === ui.me ? nothing : ui.renderShield(p.seat, "tiny");
    return html`<em>${user} ${ui.t("petition-used-short")}</em>`;
  }
  if (p.isClaimable(card)) return html`<em class="tick">${ui.t("petition-reach-short")}</em>`;
  const odds = p.oddsText(card);
  if (odds)
    return html`<em class="odds">${hideVisually(ui.formatLabelled(ui.t("petition-odds-of")))}<span class="label"
        aria-hidden="true">${ui.t("petition-odds-of.short")}</span>${odds}</em>`;
  return isMine(p, card) ? hideVisually(ui.t("petition-owned")) : nothing;
}

/** Render the holders. @param {Position} p @param {string} card */
function renderHolders(p, card) {
  const { ui } = p;
  const owners = p.owners(card);
  const times = (/** @type {number} */ n) => (n > 1 ? html`<small aria-hidden="true">${n}</small>` : nothing);
  return !owners.length
    ? nothing
    : html`<span class="owners">${owners.map(
        (seat) => html`<span
          class="owner ${seat === ui.me ? "me" : ""}"
            data-key="own-${card}-${seat}">${ui.renderShield(seat, "tiny")}${times(p.ownedCount(seat, card))}</span>`,
      )}
      ${hideVisually(p.ownersText(card))}</span>`;
}

/**
 * Render all details of a character as text.
 * @param {Position} p @param {string} card @param {(() => void) | null} act
 */
export function renderDetail(p, card, act) {
  const { ui } = p;
  const { family, level } = p.characters[card];
  const [claim] = ui.legalMoves("claim", { card });
  const missing = whyNotClaimed(p, card);
  const facts = [
    ui.t(`petition-family-${family}`),
    p.copiesText(card),
    p.ownersText(card),
    p.isUsed(card) ? ui.t("petition-used") : "",
    p.oddsExplanation(card),
  ];
  return html`<div class="detail" role="tooltip" id="detail-${card}">
    <header>${renderCrest(p, card)}<b>${p.cardName(card)}</b><small>${ui.t("petition-level", { level })}</small>
      ${
        isTouchOnly()
          ? html`<button class="icon-button" aria-label=${ui.t("close")}
            @click=${() => ui.setLocal({ detail: null })}>${renderUiIcon("close")}</button>`
          : nothing
      }</header>
    <p>${ui.t(`petition-card-${card}.detail`)}</p>
    ${missing ? html`<p class="why-not">${missing}</p>` : nothing}
    <p class="facts">${facts.filter(Boolean).map((text) => html`<span>${text}</span>`)}</p>
    ${
      act && isTouchOnly() && claim
        ? html`<button class="button"
      @click=${act}>${ui.moveText(claim)}</button>`
        : nothing
    }
  </div>`;
}
