/**
 * The throne, once the King is taken: the group to beat, what is required to beat it, and the seats that are still to
 * roll.
 */
import { html, nothing } from "lit";
import { renderStaticDie } from "../../../web/board-sdk/die.js";
import { tooltipHandlers } from "../../../web/board-sdk/tooltips.js";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { renderDetail } from "./character.js";
import { renderCrest } from "./figure.js";

/** @typedef {import("./position.js").Position} Position */

/** @param {Position} p */
export function renderThrone(p) {
  const { ui, state } = p;
  const [count, face] = state.mark;
  return html`<div class="last" data-key="throne">
    <div class="couple">${["king", "queen"].map((card) => renderHolder(p, card))}</div>
    <p class="mark-to-beat"><b>${
      p.over ? html`${ui.renderShield(state.king, "tiny")} ${ui.playerName(state.king)}` : ui.t("petition-mark")
    }</b>
      <span class="dice" aria-hidden="true">${Array.from({ length: count }, () =>
        renderStaticDie(face, "small"),
      )}</span>
      <span>${ui.t("petition-group", { count, face })}</span></p>
    ${renderChallenge(p)}
    ${p.over ? nothing : html`<p class="how">${goalText(p)}</p>`}
    <ol class="order">${p.lastOrder.map(
      (seat) => html`<li class=${seat === p.seat && p.isLastRound ? "current" : ""}>
      ${ui.renderShield(seat, "tiny")}<span
        class="name">${ui.playerName(seat)}</span><span>${standingText(p, seat)}</span></li>`,
    )}</ol>
  </div>`;
}

/**
 * Return the roll to compare with the mark: that of the seat at turn, else the last one that is finished. `why` is what
 * came of it, once it is finished.
 * @param {Position} p @returns {{seat: number, count: number, face: number, why: string} | undefined}
 */
export function findChallenge(p) {
  if (p.over) return p.facts.rolls.slice(1).findLast((/** @type {{count: number}} */ roll) => roll.count);
  if (!p.isLastRound) return undefined;
  const { bestGroup } = p;
  if (p.facts.sum && bestGroup) return { seat: p.seat, ...bestGroup, why: "" };
  const seat = p.lastOrder.findLast((n) => p.hasRolled(n) && p.finalGroup(n));
  const group = seat === undefined ? null : p.finalGroup(seat);
  return seat === undefined || !group
    ? undefined
    : { seat, ...group, why: seat === p.state.king ? "taken" : "not-better" };
}

/** Render the challenger's dice below those of the mark: a place for each die of the mark. @param {Position} p */
function renderChallenge(p) {
  const { ui } = p;
  const challenge = findChallenge(p);
  if (!challenge) return nothing;
  const { seat, count, face, why } = challenge;
  const isTaken = ["taken", "equal"].includes(why);
  const verdict = isTaken ? "petition-challenge-won" : "petition-outcome-not-better";
  const places = Math.max(count, p.state.mark[0]);
  return html`<p class="challenge"><b>${ui.renderShield(seat, "tiny")}${ui.playerName(seat)}</b>
    <span class="dice" aria-hidden="true">${Array.from(
      { length: places },
      (_, i) =>
        html`<span class="spot" data-key="challenge-${i}">${renderStaticDie(
          i < count ? face : 0,
          i < count ? "small" : "small place",
        )}</span>`,
    )}</span>
    ${
      why
        ? html`${hideVisually(ui.t("petition-group", { count, face }))}<em data-key="verdict"
            class=${isTaken ? "won" : ""}>${ui.t(verdict)}</em>`
        : html`<span>${ui.t("petition-group", { count, face })}</span>`
    }</p>`;
}

/** @param {Position} p @param {string} card */
function renderHolder(p, card) {
  const { ui } = p;
  const seat = p.state[card];
  const on = tooltipHandlers(ui, card);
  return html`<div class="cell at-${card}" @pointerenter=${on.enter} @pointerleave=${on.leave}>
    <button class="card royal small" data-key="card-${card}" tabindex="-1" aria-disabled="true"
        aria-describedby="detail-${card}"
      @focus=${on.focus} @blur=${on.blur} @click=${on.tap}>
      ${renderCrest(p, card)}<span class="name">${p.cardName(card)}</span>
      <span class="owner" data-key="own-${card}-${seat}">${ui.renderShield(
        seat,
        "tiny",
      )} ${ui.playerName(seat)}</span></button>
    ${ui.local.detail === card ? renderDetail(p, card, null) : nothing}</div>`;
}

/** Return what the reader needs to win. @param {Position} p */
export function goalText(p) {
  const { ui, state } = p;
  const [count, face] = state.mark;
  if (!p.isLastRound) return ui.t("petition-banner-king", { name: ui.playerName(state.queen), count, face });
  return ui.t(`petition-banner-${p.facts.goal ?? "last"}`, { count, face });
}

/** Return a seat's standing in the last round. @param {Position} p @param {number} seat */
export function standingText(p, seat) {
  const { ui, state } = p;
  const result = p.finalGroup(seat);
  if (p.isLastRound && seat === p.seat) return ui.t("petition-rolling-now");
  if (result) return ui.t("petition-outcome-result", result);
  return ui.t(state.conceded[seat] ? "petition-outcome-conceded" : "petition-seat-to-roll");
}
