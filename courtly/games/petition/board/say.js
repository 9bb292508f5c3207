/** The texts of the game: what to do now, the seats, the state in sentences, and the outcome. */
import { html, nothing } from "lit";
import { renderStaticDie } from "../../../web/board-sdk/die.js";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { expandFaces, Position } from "./position.js";
import { goalText, standingText } from "./throne.js";
import { currentChoice } from "./turn.js";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */

// --- what to do now --------------------------------------------------------------------------------------------------

/** @param {View} view @param {BoardContext} ui */
export function prompt(view, ui) {
  const p = new Position(view, ui);
  const { power, picked, offers, chosen } = currentChoice(p);
  const left = expandFaces(p.state.active).length;
  if (!p.canAct) return "";
  if (p.phase === "turning")
    return ui.t("petition-prompt-alchemist-turn", { sum: expandFaces(p.state.taken).reduce((a, b) => a + b, 0) });
  if (power === "philosopher")
    return ui.t(`petition-prompt-philosopher-${Object.keys(ui.about.moves.philosopher.args)[picked.length]}`);
  if (power)
    return ui.t(offers.length > 1 && !chosen && power !== "queen" ? "petition-choose" : `petition-prompt-${power}`);
  if (p.phase === "before") return ui.t(p.isLastRound ? "petition-prompt-before-last" : "petition-prompt-before");
  if (p.phase === "claiming")
    return ui.t(ui.legalMoves("claim").length ? "petition-prompt-claim" : "petition-prompt-claim-nothing");
  if (!left) return ui.t("petition-prompt-finish");
  return view.legal.some(({ verb }) => verb === "roll")
    ? ui.t("petition-prompt-roll-or-keep", { n: left })
    : ui.t("petition-prompt-keep");
}

// --- the seats -------------------------------------------------------------------------------------------------------

/** @param {View} view @param {number} n @param {BoardContext} ui */
export function seat(view, n, ui) {
  const p = new Position(view, ui);
  const { state } = p;
  const dice = p.startDice(n);
  const starts = ui.t("petition-seat-dice", { n: dice });
  const badges = [
    ["start", state.start === n && !p.over],
    ["king", state.king === n],
    ["queen", state.queen === n],
  ].filter(([, is]) => is);
  const cards = p.court(n).reduce((sum, card) => sum + p.ownedCount(n, card), 0);
  return html`<span class="petition-seat">
    <span class="start-dice" title=${starts}>${renderStaticDie(0, "small")}<span
        aria-hidden="true">${ui.t("petition-seat-dice.short", { n: dice })}</span>
      ${hideVisually(starts)}</span>
    ${badges.map(([badge]) => html`<span class="badge">${ui.t(`petition-seat-${badge}`)}</span>`)}
    ${p.isKingTaken && p.isLastRound && !p.over ? html`<span class="badge">${standingText(p, n)}</span>` : nothing}
    <span class="cards-count">${ui.t("petition-seat-cards", { n: cards })}</span>
    <span class="cards-names">${
      ui.formatList(p.court(n).map((card) => formatCopies(p, n, card))) || ui.t("petition-court-empty")
    }</span></span>`;
}

/**
 * Return a character's name, with a count if a seat has several.
 * @param {Position} p @param {number} seat @param {string} card
 */
function formatCopies(p, seat, card) {
  const n = p.ownedCount(seat, card);
  return n > 1 ? p.ui.t("petition-times", { n, card: p.cardName(card) }) : p.cardName(card);
}

// --- plain rendering -------------------------------------------------------------------------------------------------

/** @param {View} view @param {BoardContext} ui @returns {{heading: string, lines: string[]}[]} */
export function plain(view, ui) {
  const p = new Position(view, ui);
  return [
    { heading: ui.t("petition-dice"), lines: describeDice(p) },
    ...(p.isKingTaken ? [{ heading: ui.t("petition-last-round"), lines: describeLastRound(p) }] : []),
    ...p.seats.map((seat) => ({
      heading: ui.t("petition-court-of", { name: ui.playerName(seat) }),
      lines: describeSeat(p, seat),
    })),
    { heading: ui.t("petition-court"), lines: p.cards.map((card) => describeCard(p, card)) },
  ];
}

/** @param {Position} p */
function describeDice(p) {
  const { ui, state } = p;
  const list = (/** @type {number[]} */ row) => expandFaces(row).join(" ") || ui.t("petition-none");
  const lines = [
    p.roundText,
    ui.formatLabelled(ui.t("petition-start-player"), state.start >= 0 ? ui.playerName(state.start) : ""),
  ];
  if (state.round_limit && !p.isKingTaken) lines.push(ui.t("petition-banner-limit", { limit: state.round_limit }));
  if (p.seat < 0) return lines;
  if (state.rolling) lines.push(ui.t("petition-rolling", { n: state.rolling }));
  lines.push(
    ui.formatLabelled(ui.t("petition-active"), list(state.active)),
    ui.formatLabelled(ui.t("petition-aside"), list(state.aside)),
  );
  if (expandFaces(state.taken).length) lines.push(ui.formatLabelled(ui.t("petition-taken"), list(state.taken)));
  if (p.bestGroup) lines.push(ui.t("petition-sum", { n: p.facts.sum }), ui.t("petition-best-group", p.bestGroup));
  lines.push(ui.t("petition-dice-left", { n: p.facts.free }));
  const cards = ui.formatList(p.cards.filter((card) => p.isClaimable(card)).map((card) => p.cardName(card)));
  if (!p.isLastRound && !state.rolling)
    lines.push(cards ? ui.t("petition-claimable-now", { cards }) : ui.t("petition-claimable-none"));
  return lines;
}

/** @param {Position} p */
function describeLastRound(p) {
  const { ui, state } = p;
  const [count, face] = state.mark;
  const waiting = p.lastOrder.filter((seat) => !p.hasRolled(seat));
  const lines = [ui.t("petition-banner-mark", { count, face, name: ui.playerName(state.king) })];
  if (!p.over) lines.push(goalText(p));
  if (waiting.length) lines.push(ui.t("petition-banner-order", { names: ui.playerNames(waiting) }));
  return lines;
}

/** @param {Position} p @param {number} seat */
function describeSeat(p, seat) {
  const { ui, state } = p;
  const lines = [ui.t("petition-seat-dice", { n: p.startDice(seat) })];
  for (const card of p.court(seat)) {
    const use = seat === p.seat && p.isUsed(card) ? ` (${ui.t("petition-used")})` : "";
    lines.push(ui.formatLabelled(formatCopies(p, seat, card), ui.t(`petition-card-${card}.does`) + use));
  }
  if (!p.court(seat).length) lines.push(ui.t("petition-seat-cards", { n: 0 }));
  for (const what of ["start", "king", "queen"]) if (state[what] === seat) lines.push(ui.t(`petition-seat-${what}`));
  if (p.isKingTaken && (p.isLastRound || p.over)) lines.push(standingText(p, seat));
  return lines;
}

/** @param {Position} p @param {string} card */
function describeCard(p, card) {
  const { ui } = p;
  const about = (/** @type {string} */ what) => ui.t(`petition-card-${card}.${what}`);
  const needs = ui.formatLabelled(ui.t("petition-needs"), about("need"));
  const does = ui.formatLabelled(ui.t("petition-does"), about("does"));
  return ui.joinParts(
    [p.cardName(card), needs, does, p.copiesText(card), p.ownersText(card), p.oddsExplanation(card)].filter(Boolean),
  );
}

// --- the end ---------------------------------------------------------------------------------------------------------

/** @typedef {{count: number, face: number}} Group @typedef {Group & {seat: number, why: string}} Roll */

/** Render a group of equal dice. @param {Position} p @param {Group} group */
const renderGroup = (p, group) =>
  html`<span class="group">${group.count} × ${renderStaticDie(group.face, "small")}${hideVisually(
    p.ui.t("petition-outcome-result", group),
  )}</span>`;

/** Render a final score: the best group. @param {View} view @param {number} n @param {BoardContext} ui */
export function score(view, n, ui) {
  const p = new Position(view, ui);
  const group = p.finalGroup(n);
  return group ? renderGroup(p, group) : "–";
}

/** Render why the winner won, roll by roll. @param {View} view @param {BoardContext} ui */
export function outcome(view, ui) {
  const p = new Position(view, ui);
  const { state } = p;
  if (!p.isKingTaken) return html`<p>${ui.t("petition-outcome-draw", { limit: state.round })}</p>`;
  const [count, face] = state.mark;
  return html`<p><b>${ui.t("petition-outcome-wins", { name: ui.playerName(state.king), count, face })}</b></p>
    <ol class="petition-steps">${p.facts.rolls.map(
      (/** @type {Roll} */ { seat, why, ...group }) => html`<li>
      ${ui.renderShield(seat, "tiny")} <b>${ui.playerName(seat)}</b> ${group.count ? renderGroup(p, group) : nothing}
      <span>${ui.t(`petition-outcome-${why}`)}</span></li>`,
    )}</ol>
    <p class="quiet">${ui.t("petition-outcome-earlier")}</p>`;
}
