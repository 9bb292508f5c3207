/** What is said of the table: what to do now, the seats, the state in sentences, and how the game came out. */
import { html, nothing } from "lit";
import { picture } from "../../../web/board-sdk/die.js";
import { unseen } from "../../../web/components/visually-hidden.js";
import { faces, Position } from "./position.js";
import { how, standing } from "./throne.js";
import { choosing } from "./turn.js";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/board-context.js").Ui} Ui
 */

// --- what to do now --------------------------------------------------------------------------------------------------

/** @param {View} view @param {Ui} ui */
export function prompt(view, ui) {
  const p = new Position(view, ui);
  const { power, picked, offers, chosen } = choosing(p);
  const left = faces(p.s.active).length;
  if (!p.mine) return "";
  if (p.phase === "turning")
    return ui.t("petition-prompt-alchemist-turn", { sum: faces(p.s.taken).reduce((a, b) => a + b, 0) });
  if (power === "philosopher")
    return ui.t(`petition-prompt-philosopher-${Object.keys(ui.about.moves.philosopher.args)[picked.length]}`);
  if (power)
    return ui.t(offers.length > 1 && !chosen && power !== "queen" ? "petition-choose" : `petition-prompt-${power}`);
  if (p.phase === "before") return ui.t(p.final ? "petition-prompt-before-last" : "petition-prompt-before");
  if (p.phase === "claiming")
    return ui.t(ui.can("claim").length ? "petition-prompt-claim" : "petition-prompt-claim-nothing");
  if (!left) return ui.t("petition-prompt-finish");
  return view.legal.some(({ verb }) => verb === "roll")
    ? ui.t("petition-prompt-roll-or-keep", { n: left })
    : ui.t("petition-prompt-keep");
}

// --- the seats -------------------------------------------------------------------------------------------------------

/** @param {View} view @param {number} n @param {Ui} ui */
export function seat(view, n, ui) {
  const p = new Position(view, ui);
  const { s } = p;
  const dice = p.startDice(n);
  const starts = ui.t("petition-seat-dice", { n: dice });
  const badges = [
    ["start", s.start === n && !p.over],
    ["king", s.king === n],
    ["queen", s.queen === n],
  ].filter(([, is]) => is);
  const cards = p.court(n).reduce((sum, card) => sum + p.owns(n, card), 0);
  return html`<span class="petition-seat">
    <span class="start-dice" title=${starts}>${picture(0, "small")}<span aria-hidden="true">${dice}</span>
      ${unseen(starts)}</span>
    ${badges.map(([badge]) => html`<span class="badge">${ui.t(`petition-seat-${badge}`)}</span>`)}
    ${p.crowned && p.final && !p.over ? html`<span class="badge">${standing(p, n)}</span>` : nothing}
    <span class="cards-count">${ui.t("petition-seat-cards", { n: cards })}</span>
    <span class="cards-names">${
      ui.list(p.court(n).map((card) => times(p, n, card))) || ui.t("petition-court-empty")
    }</span></span>`;
}

/** A character's name, and how often a seat has it. @param {Position} p @param {number} seat @param {string} card */
function times(p, seat, card) {
  const n = p.owns(seat, card);
  return n > 1 ? `${p.called(card)} ${p.ui.t("petition-times", { n })}` : p.called(card);
}

// --- in sentences ----------------------------------------------------------------------------------------------------

/** @param {View} view @param {Ui} ui @returns {{heading: string, lines: string[]}[]} */
export function plain(view, ui) {
  const p = new Position(view, ui);
  return [
    { heading: ui.t("petition-dice"), lines: diceLines(p) },
    ...(p.crowned ? [{ heading: ui.t("petition-last-round"), lines: lastLines(p) }] : []),
    ...p.seats.map((seat) => ({
      heading: ui.t("petition-court-of", { name: ui.name(seat) }),
      lines: seatLines(p, seat),
    })),
    { heading: ui.t("petition-court"), lines: p.cards.map((card) => cardLine(p, card)) },
  ];
}

/** @param {Position} p */
function diceLines(p) {
  const { ui, s } = p;
  const list = (/** @type {number[]} */ row) => faces(row).join(" ") || ui.t("petition-none");
  const lines = [p.roundText, ui.labelled(ui.t("petition-start-player"), s.start >= 0 ? ui.name(s.start) : "")];
  if (s.round_limit && !p.crowned) lines.push(ui.t("petition-banner-limit", { limit: s.round_limit }));
  if (p.seat < 0) return lines;
  if (s.rolling) lines.push(ui.t("petition-rolling", { n: s.rolling }));
  lines.push(ui.labelled(ui.t("petition-active"), list(s.active)), ui.labelled(ui.t("petition-aside"), list(s.aside)));
  if (faces(s.taken).length) lines.push(ui.labelled(ui.t("petition-taken"), list(s.taken)));
  if (p.best) lines.push(ui.t("petition-sum", { n: p.facts.sum }), ui.t("petition-best-group", p.best));
  lines.push(ui.t("petition-dice-left", { n: p.facts.free }));
  const cards = ui.list(p.cards.filter((card) => p.claimable(card)).map((card) => p.called(card)));
  if (!p.final && !s.rolling)
    lines.push(cards ? ui.t("petition-claimable-now", { cards }) : ui.t("petition-claimable-none"));
  return lines;
}

/** @param {Position} p */
function lastLines(p) {
  const { ui, s } = p;
  const [count, face] = s.mark;
  const waiting = p.lastOrder.filter((seat) => !p.hasRolled(seat));
  const lines = [ui.t("petition-banner-mark", { count, face, name: ui.name(s.king) })];
  if (!p.over) lines.push(how(p));
  if (waiting.length) lines.push(ui.t("petition-banner-order", { names: ui.names(waiting) }));
  return lines;
}

/** @param {Position} p @param {number} seat */
function seatLines(p, seat) {
  const { ui, s } = p;
  const lines = [ui.t("petition-seat-dice", { n: p.startDice(seat) })];
  for (const card of p.court(seat)) {
    const use = seat === p.seat && p.used(card) ? ` (${ui.t("petition-used")})` : "";
    lines.push(ui.labelled(times(p, seat, card), ui.t(`petition-card-${card}.does`) + use));
  }
  if (!p.court(seat).length) lines.push(ui.t("petition-seat-cards", { n: 0 }));
  for (const what of ["start", "king", "queen"]) if (s[what] === seat) lines.push(ui.t(`petition-seat-${what}`));
  if (p.crowned && (p.final || p.over)) lines.push(standing(p, seat));
  return lines;
}

/** @param {Position} p @param {string} card */
function cardLine(p, card) {
  const { ui } = p;
  const about = (/** @type {string} */ what) => ui.t(`petition-card-${card}.${what}`);
  const needs = ui.labelled(ui.t("petition-needs"), about("need"));
  const does = ui.labelled(ui.t("petition-does"), about("does"));
  return ui.parts([p.called(card), needs, does, p.copiesLeft(card), p.heldBy(card), p.explained(card)].filter(Boolean));
}

// --- the end ---------------------------------------------------------------------------------------------------------

/** @typedef {{count: number, face: number}} Group @typedef {Group & {seat: number, why: string}} Roll */

/** A group of equal dice. @param {Position} p @param {Group} group */
const drawn = (p, group) =>
  html`<span class="group">${picture(group.face, "small")} × ${group.count}${unseen(
    p.ui.t("petition-outcome-result", group),
  )}</span>`;

/** A final score: the best group. @param {View} view @param {number} n @param {Ui} ui */
export function score(view, n, ui) {
  const p = new Position(view, ui);
  const group = p.result(n);
  return group ? drawn(p, group) : "–";
}

/** Why the winner won, roll by roll. @param {View} view @param {Ui} ui */
export function outcome(view, ui) {
  const p = new Position(view, ui);
  const { s } = p;
  if (!p.crowned) return html`<p>${ui.t("petition-outcome-draw", { limit: s.round })}</p>`;
  const [count, face] = s.mark;
  return html`<p><b>${ui.t("petition-outcome-wins", { name: ui.name(s.king), count, face })}</b></p>
    <ol class="petition-steps">${p.facts.rolls.map(
      (/** @type {Roll} */ { seat, why, ...group }) => html`<li>
      ${ui.shield(seat, "tiny")} <b>${ui.name(seat)}</b> ${group.count ? drawn(p, group) : nothing}
      <span>${ui.t(`petition-outcome-${why}`)}</span></li>`,
    )}</ol>
    <p class="quiet">${ui.t("petition-outcome-earlier")}</p>`;
}
