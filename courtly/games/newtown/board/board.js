/** The board of The King's New Town: the town, the dice and what to do with them, the cards, and what a player has. */
import { html, nothing } from "lit";
import { closing } from "../../../web/board-sdk/tooltips.js";
import { die } from "../../../web/board-sdk/die.js";
import { unseen } from "../../../web/components/visually-hidden.js";
import { choice, holdings, market, resident } from "./cards.js";
import { acting, action, diceTray, oddsBars, placing, rerolling } from "./dice.js";
import { picking } from "./lands.js";
import { building, laying, lodging } from "./offers.js";
import { originally, pool } from "./original.js";
import { Position } from "./position.js";
import { town } from "./town.js";

export { about } from "./about.js";
export { cues } from "./cues.js";
export { outcome, plain, prompt, score, seat } from "./say.js";

/** What can be chosen, and what does it: the page brings it into view. (A land that glows has its button too.) */
export const choices = ".doing :is(button, summary), .tray button, .pool button, .card.wanted";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View @typedef
 * {import("../../../web/core/api-types.js").Cue} Cue
 * @typedef {import("../../../web/board-sdk/board-context.js").Ui} Ui
 */

/** The panel comes first: it is where the keyboard begins. @param {View} view @param {Ui} ui */
export function board(view, ui) {
  const p = new Position(view, ui);
  const shown = ui.local.looked ?? ui.me ?? Math.max(0, p.seat);
  return html`<div class="newtown ${p.over ? "over" : ""}"
      @click=${closing(ui, ".tile, .plot, .card, .way")}>${panel(p)}${town(p)}${market(p)}
    <div class="table-edge">${tabs(p, shown)}${holdings(p, shown)}</div></div>`;
}

/** Whose things are shown. @param {Position} p @param {number} shown */
function tabs(p, shown) {
  const { ui } = p;
  return html`<div class="whose" role="group" aria-label=${ui.t("newtown-whose")}>${p.seats.map(
    (n) => html`
      <button class="tint-${n}" aria-pressed=${n === shown} title=${ui.name(n)} @click=${() => ui.set({ looked: n })}>
    ${ui.shield(n, "tiny")}${unseen(ui.name(n))}</button>`,
  )}</div>`;
}

/** The dice, and what can be done now. @param {Position} p */
function panel(p) {
  const { ui, s } = p;
  return html`<section class="panel ${p.mine ? "mine" : ""}" aria-label=${ui.t("newtown-turn")}>
    <header><h2 title=${p.starters}>${ui.t("newtown-round-of", {
      n: Math.max(s.round, 1),
      all: Math.max(p.box.rounds.count, s.round), // one more where the players vote for it
    })}</h2>
      ${p.over ? nothing : p.choosers.map((n) => html`<span>${ui.shield(n, "tiny")} ${ui.name(n)}</span>`)}</header>
    ${p.over ? nothing : diceTray(p)}
    ${pool(p)}
    ${p.phase === "building" ? nothing : oddsBars(p)}
    ${p.mine || p.laying ? html`<div class="doing">${doing(p)}</div>` : nothing}
    ${p.phase === "building" && !ui.local.offer ? oddsBars(p) : nothing}
  </section>`;
}

/** @param {Position} p */
function doing(p) {
  const { ui } = p;
  switch (p.phase) {
    case "placing":
      return placing(p);
    case "aiming":
      return html`<p>${ui.t("newtown-help-aiming")}</p>${placing(p)}`;
    case "picking":
    case "settling":
      return picking(p);
    case "acting":
      return acting(p);
    case "rerolling":
      return rerolling(p);
    case "building":
      return building(p);
    case "laying":
      return laying(p);
    case "lodging":
      return lodging(p);
    case "bonus":
      return html`${ui.can("take").length ? choice(p) : nothing}<div class="acts">
      ${[...ui.can("accept"), ...ui.can("decline")].map((move) =>
        action(p, move, ui.order(move), move.verb === "decline" ? "quiet" : ""),
      )}</div>`;
    case "planting":
    case "drafting":
    case "walking":
    case "managing":
    case "voting":
      return originally(p);
    case "welcoming":
      return p.s.welcome > 1 ? inherited(p) : html`<p>${ui.t("newtown-help-welcoming")}</p>`;
    default:
      return html`<p>${ui.t(`newtown-help-${p.phase}`)}</p>`;
  }
}

/** The resident cards of whoever lost the house. @param {Position} p */
const inherited = (p) => html`<p>${p.ui.t("newtown-help-inheriting")}</p>
  <ul class="inherited">${p.guests(p.s.welcome - 2).map((name) => html`<li>${resident(p, name)}</li>`)}</ul>`;

/** Moves that end a turn: the dice that fall after them are the next player's. */
export const ends = ["end", "go", "settle"];

/** @type {Record<string, (cue: Cue) => unknown>} */
export const glyphs = {
  die: ({ args }) => die(args?.face, `small ${args?.die}`),
  pool: ({ args }) => die(args?.face, `small ${args?.colour}`),
  sow: ({ args }) => die(args?.face, "small"),
};
