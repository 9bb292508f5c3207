/** The court: the twenty characters by level, the royal couple in their midst. */
import { html, nothing } from "lit";
import { arms } from "../../web/heraldry.js";
import { die } from "../../web/dice.js";
import { icons } from "./art/icons.js";
import { requirement } from "./requirement.js";
import { TINCTURES } from "./position.js";
import { inUse, uses } from "./powers.js";

/** @typedef {import("./position.js").Position} Position @typedef {import("../../web/ui.js").Ui} Ui */

const ROMAN = ["0", "I", "II", "III", "IV", "V"];
const NO_DICE = [0, 0, 0, 0, 0, 0];
const touch = () => matchMedia("(hover: none)").matches;

/** The shield of a character. @param {Position} p @param {string} card */
export const crest = (p, card) => arms(TINCTURES[p.characters[card].family], icons[card]);

/** @param {Position} p @param {number[]} dice the dice on the table, as they will be */
export function court(p, dice) {
  const levels = [5, 4, 3, 2, 1, 0];
  return html`<div class="court" @keydown=${arrows}>${levels.map((level) => html`
    <section class="level level-${level}" aria-label=${p.ui.t("petition-level", { level })}>
      ${level === 5 && p.crowned ? lastRound(p) : p.cards.filter((card) => p.characters[card].level === level).sort(queenLast).map((card) => cell(p, card, dice))}
    </section>`)}</div>`;
}

/** @param {string} a @param {string} b */
const queenLast = (a, b) => Number(a === "queen") - Number(b === "queen");

/** Arrow keys go from card to card. @param {KeyboardEvent} event */
function arrows(event) {
  const step = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 })[event.key];
  if (!step) return;
  const cards = /** @type {HTMLElement[]} */ ([.../** @type {Element} */ (event.currentTarget).querySelectorAll(".card")]);
  cards[cards.indexOf(/** @type {HTMLElement} */ (event.target)) + step]?.focus();
  event.preventDefault();
}

// --- a character ------------------------------------------------------------------------------------------------------------------

/** On a touch screen what is shown of a character stays until something else is touched. @param {Ui} ui */
export const closeDetail = (ui) => (/** @type {Event} */ event) => {
  if (ui.local.detail && touch() && !(/** @type {Element} */ (event.target).closest(".cell"))) ui.set({ detail: null });
};

/** What a click on a character does now, or null. @param {Position} p @param {string} card @returns {(() => void) | null} */
export function action(p, card) {
  const { ui } = p, [claim] = ui.can("claim", { card });
  if (claim) return () => ui.play(claim);
  if (inUse(p) === card) return () => ui.set({ power: null, picked: [], choice: null });
  const moves = uses(card, ui);
  if (!moves.length) return null;
  return () => (card in ui.about.moves ? ui.set({ power: card, picked: [], choice: null }) : ui.play(moves[0]));
}

/** @param {Position} p @param {string} card @param {number[]} dice */
function cell(p, card, dice) {
  const { ui } = p, { adds } = p.characters[card], act = action(p, card), claims = ui.can("claim", { card }).length > 0;
  const own = ui.me !== null && p.owns(ui.me, card) > 0, left = p.left(card);
  const gone = !left && card !== "charlatan" && card !== "queen";
  const marks = [p.characters[card].family, own && "own", p.used(card) && "used", gone && "gone", p.claimable(card) && "reach", claims && "claims",
    act && !claims && "usable", inUse(p) === card && "in-use"];
  const show = (/** @type {string | null} */ detail) => () => ui.local.detail !== detail && ui.set({ detail });
  return html`<div class="cell at-${card}" @pointerleave=${show(null)}
      @pointerenter=${(/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && show(card)()}>
    <button class="card ${marks.filter(Boolean).join(" ")}" data-key="card-${card}" tabindex=${act || card === "fool" ? 0 : -1} aria-disabled=${!act}
      aria-describedby="detail-${card}"
      @focus=${(/** @type {FocusEvent} */ event) => /** @type {Element} */ (event.target).matches(":focus-visible") && show(card)()} @blur=${() => !touch() && show(null)()}
      @click=${() => (act && !(claims && touch()) ? act() : ui.set({ detail: ui.local.detail === card && touch() ? null : card }))}>
      <span class="name">${ui.t(`petition-card-${card}`)}</span><span class="roman" aria-hidden="true">${ROMAN[p.characters[card].level]}</span>
      ${crest(p, card)}
      ${picture(p, card, p.wanted(card) ? dice : NO_DICE)}
      <span class="need"><span class="unseen">${ui.t("petition-needs")}: </span>${ui.t(`petition-card-${card}.need`)}</span>
      <span class="does"><span class="unseen">${ui.t("petition-does")}: </span>${ui.t(`petition-card-${card}.does`)}${
        adds ? die(adds, "small") : nothing}</span>
      <span class="foot">${stack(p, card)}${state(p, card, own)}${holders(p, card)}</span>
    </button>
    ${ui.local.detail === card ? detail(p, card, act) : nothing}
  </div>`;
}

/** Where nothing is asked of the dice, what it takes instead. @param {Position} p @param {string} card @param {number[]} dice */
function picture(p, card, dice) {
  const instead = /** @type {Record<string, string>} */ ({ charlatan: "fool", queen: "king" })[card];
  if (!instead) return card === "fool" ? html`<span class="req"></span>` : requirement(p.characters[card].needs, dice);
  return html`<span class="req instead" aria-hidden="true">${crest(p, instead)}<svg viewBox="0 0 24 24"><path d=${instead === "fool"
    ? "M5 9a8 8 0 0 1 14 1M19 4v6h-6M19 15a8 8 0 0 1-14-1M5 20v-6h6" : "M12 5v14M5 12h14"}></path></svg></span>`;
}

/** Copies left and gone. @param {Position} p @param {string} card */
function stack(p, card) {
  if (card === "charlatan") return html`<span class="stack"></span>`;
  const left = p.left(card), all = p.copies(card);
  if (card === "fool" && !p.s.fools) return html`<span class="stack"><b aria-hidden="true">∞</b><span class="unseen">${p.ui.t("petition-copies-unlimited")}</span></span>`;
  return html`<span class="stack">${Array.from({ length: all }, (_, i) => html`<i class=${i < left ? "" : "out"}></i>`)}
    <span class=${left ? "unseen" : "none"}>${p.ui.t("petition-copies", { n: left })}</span></span>`;
}

/** @param {Position} p @param {string} card @param {boolean} own */
function state(p, card, own) {
  const { ui } = p;
  if (p.used(card)) return html`<em>${ui.t("petition-used-short")}</em>`;
  if (p.claimable(card)) return html`<em class="tick">${ui.t("petition-reach-short")}</em>`;
  return own ? html`<span class="unseen">${ui.t("petition-owned")}</span>` : nothing;
}

/** Who has it. @param {Position} p @param {string} card */
function holders(p, card) {
  const { ui } = p, owners = p.owners(card);
  if (!owners.length) return nothing;
  return html`<span class="owners">${owners.map((seat) => html`<span class="owner ${seat === ui.me ? "me" : ""}" data-key="own-${card}-${seat}">${ui.shield(seat, "tiny")}${
    p.owns(seat, card) > 1 ? html`<small aria-hidden="true">${p.owns(seat, card)}</small>` : nothing}</span>`)}
    <span class="unseen">${ui.t("petition-owners", { names: names(p, owners) })}</span></span>`;
}

/** @param {Position} p @param {number[]} seats */
export const names = (p, seats) => seats.map((seat) => p.ui.name(seat)).join(p.ui.t("list-comma"));

/** Everything about a character in words. @param {Position} p @param {string} card @param {(() => void) | null} act */
function detail(p, card, act) {
  const { ui } = p, owners = p.owners(card), [claim] = ui.can("claim", { card });
  const copies = card === "charlatan" ? "" : card === "fool" && !p.s.fools ? ui.t("petition-copies-unlimited") : ui.t("petition-copies", { n: p.left(card) });
  return html`<div class="detail" role="tooltip" id="detail-${card}">
    <header>${crest(p, card)}<b>${ui.t(`petition-card-${card}`)}</b><small>${ui.t("petition-level", { level: p.characters[card].level })}</small></header>
    <p>${ui.t(`petition-card-${card}.detail`)}</p>
    <p class="facts">${[ui.t(`petition-family-${p.characters[card].family}`), copies, owners.length ? ui.t("petition-owners", { names: names(p, owners) }) : "",
      p.used(card) ? ui.t("petition-used") : ""].filter(Boolean).map((text) => html`<span>${text}</span>`)}</p>
    ${act && touch() && claim ? html`<button class="button" @click=${act}>${ui.order(claim)}</button>` : nothing}
  </div>`;
}

// --- the last round ---------------------------------------------------------------------------------------------------------------

/** So many equal dice. @param {number} count @param {number} face */
export const group = (count, face) => html`<span class="group"><span aria-hidden="true">${Array.from({ length: count }, () => die(face, "small"))}</span></span>`;

/** Once the King is taken his place shows the group to beat, and who is still to roll. @param {Position} p */
function lastRound(p) {
  const { ui, s } = p, [count, face] = s.mark, { me } = ui;
  return html`<div class="last" data-key="throne">
    <div class="couple">${["king", "queen"].map((card) => html`<div class="cell at-${card}">
      <button class="card royal small" data-key="card-${card}" tabindex="-1" aria-describedby="detail-${card}" @blur=${() => !touch() && ui.set({ detail: null })}
        @pointerenter=${() => !touch() && ui.set({ detail: card })} @pointerleave=${() => !touch() && ui.set({ detail: null })} @click=${() => ui.set({ detail: card })}>
        ${crest(p, card)}<span class="name">${ui.t(`petition-card-${card}`)}</span>
        <span class="owner" data-key="own-${card}-${s[card]}">${ui.shield(s[card], "tiny")} ${ui.name(s[card])}</span></button>
      ${ui.local.detail === card ? detail(p, card, null) : nothing}</div>`)}</div>
    <p class="mark-to-beat">${p.over ? nothing : html`<b>${ui.t("petition-mark")}</b>`} <span class="dice" aria-hidden="true">${Array.from({ length: count }, () => die(face, "small"))}</span>
      <span>${ui.t("petition-group", { count, face })}</span></p>
    ${p.over ? nothing : html`<p class="how">${how(p)}</p>`}
    <ol class="order">${p.lastOrder().map((seat) => html`<li class="tint-${seat} ${seat === p.seat && p.final ? "current" : ""} ${seat === me ? "me" : ""}">
      ${ui.shield(seat, "tiny")}<span class="name">${ui.name(seat)}</span><span>${standing(p, seat)}</span></li>`)}</ol>
  </div>`;
}

/** What it takes to win, for the reader. @param {Position} p */
export function how(p) {
  const { ui, s } = p, [count, face] = s.mark;
  if (!p.final) return ui.t("petition-banner-king", { name: ui.name(s.queen), count, face });
  if (ui.me === s.queen && ui.me !== s.king) return ui.t("petition-banner-equal", { count, face });
  if (ui.me === s.king || ui.me === null) return ui.t("petition-banner-last");
  return ui.t(face === 6 ? "petition-banner-most-highest" : "petition-banner-better", { count, face });
}

/** How a seat stands in the last round. @param {Position} p @param {number} seat */
export function standing(p, seat) {
  const { ui, s } = p, result = p.result(seat);
  if (s.conceded[seat] && !result) return ui.t("petition-outcome-conceded");
  if (p.final && seat === p.seat) return ui.t("petition-rolling-now");
  if (result && (p.hasRolled(seat) || seat === s.queen)) return ui.t("petition-outcome-result", result);
  return ui.t("petition-seat-to-roll");
}
