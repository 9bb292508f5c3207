/** The board of The King's New Town: the town, the dice and what to do with them, the cards, and what a player has. */
import { html, nothing } from "lit";
import { closeOnOutsideTap } from "../../../web/board-sdk/tooltips.js";
import { renderDie } from "../../../web/board-sdk/die.js";
import { isSmallScreen } from "../../../web/core/user-settings.js";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { renderLandCardChoice, renderHoldings, renderMarket, renderResident, renderResidentChoice } from "./cards.js";
import {
  renderDieUses,
  renderMoveButton,
  renderDiceTray,
  renderOddsBars,
  renderPlacing,
  renderRerolling,
} from "./dice.js";
import { renderPicking } from "./lands.js";
import { renderBuilding, renderLaying, renderLodging } from "./offers.js";
import { renderOriginalActions, renderPool } from "./original.js";
import { renderPoolLabel, renderRoller } from "./rollers.js";
import { Position } from "./position.js";
import { renderTown } from "./town.js";

export { about } from "./about.js";
export { cues } from "./cues.js";
export { outcome, plain, prompt, score, seat } from "./say.js";

/** The choices and their buttons, which the page brings into view. (An open land has a button in the panel, too.) */
export const choices = ".doing :is(button, summary), .tray button, .pool button, .card.wanted";
/** What an offer makes choosable. */
export const targets = ".confirm button";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View @typedef
 * {import("../../../web/core/api-types.js").Cue} Cue
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */

/**
 * Render the board. The panel comes first, so that it is first in keyboard order.
 * @param {View} view @param {BoardContext} ui
 */
export function board(view, ui) {
  const p = new Position(view, ui);
  const shown = ui.local.looked ?? ui.me ?? Math.max(0, p.seat);
  return html`<div class="newtown ${p.over ? "over" : ""}"
      @click=${closeOnOutsideTap(ui, ".tile, .plot, .card, .way")}>${renderPanel(p)}${renderTown(p)}${renderMarket(p)}
    <div class="table-edge">${renderTabs(p, shown)}${renderHoldings(p, shown)}</div></div>`;
}

/** Render the tabs that select whose holdings are shown. @param {Position} p @param {number} shown */
function renderTabs(p, shown) {
  const { ui } = p;
  return html`<div class="whose" role="group" aria-label=${ui.t("newtown-whose")}>${p.seats.map(
    (n) => html`
      <button class="tint-${n}" aria-pressed=${n === shown} title=${ui.playerName(n)}
        @click=${() => ui.setLocal({ looked: n })}>
    ${ui.renderShield(n, "tiny")}${hideVisually(ui.playerName(n))}</button>`,
  )}</div>`;
}

/** Render the dice and the available actions. @param {Position} p */
function renderPanel(p) {
  const { ui, state } = p;
  return html`<section class="panel ${p.canAct ? "mine" : ""}" aria-label=${ui.t("newtown-turn")}>
    <header><h2 title=${p.startersText}>${ui.t("newtown-round-of", {
      n: Math.max(state.round, 1),
      all: Math.max(p.box.rounds.count, state.round), // the players may vote for another round
    })}</h2>
      ${
        p.over ? nothing : p.choosers.map((n) => html`<span>${ui.renderShield(n, "tiny")} ${ui.playerName(n)}</span>`)
      }</header>
    ${p.over ? nothing : renderDiceTray(p)}
    ${renderPool(p)}
    ${p.phase === "building" ? nothing : renderOddsBars(p)}
    ${p.canAct || p.isLayingLands ? html`<div class="doing">${renderActions(p)}</div>` : nothing}
    ${p.phase === "building" && !ui.local.offer ? renderOddsBars(p) : nothing}
  </section>`;
}

/** @param {Position} p */
function renderActions(p) {
  const { ui } = p;
  switch (p.phase) {
    case "placing":
      return renderPlacing(p);
    case "aiming":
      return html`<p>${ui.t("newtown-help-aiming")}</p>${renderPlacing(p)}`;
    case "picking":
    case "settling":
      return renderPicking(p);
    case "acting":
      return renderDieUses(p);
    case "rerolling":
      return renderRerolling(p);
    case "building":
      return renderBuilding(p);
    case "laying":
      return renderLaying(p);
    case "lodging":
      return renderLodging(p);
    case "bonus":
      return html`${ui.legalMoves("take").length ? renderLandCardChoice(p) : nothing}<div class="acts">
      ${[...ui.legalMoves("accept"), ...ui.legalMoves("decline")].map((move) =>
        renderMoveButton(p, move, ui.moveText(move), move.verb === "decline" ? "quiet" : ""),
      )}</div>`;
    case "planting":
    case "drafting":
    case "walking":
    case "managing":
    case "voting":
      return renderOriginalActions(p);
    case "welcoming":
      return p.state.welcome > 1
        ? renderInherited(p)
        : html`<p>${ui.t("newtown-help-welcoming")}</p>${isSmallScreen() ? renderResidentChoice(p) : nothing}`;
    default:
      return html`<p>${ui.t(`newtown-help-${p.phase}`)}</p>`;
  }
}

/** Render the resident cards of the player who lost the house. @param {Position} p */
const renderInherited = (p) => html`<p>${p.ui.t("newtown-help-inheriting")}</p>
  <ul class="inherited">${p
    .residentsOf(p.state.welcome - 2)
    .map((name) => html`<li>${renderResident(p, name)}</li>`)}</ul>`;

export { cueText, moveText } from "./log-texts.js";
/** Moves and events that end a turn: dice rolled after them belong to the next player. */
export const ends = ["starter", "end", "settle"];
/** Where all dice are rolled one player after the other, going to a land is followed by the next player's dice. */
export const mayEnd = ["go"];
/** All players choose at once, and their craftsmen are placed. */
export const shared = ["aim", "arrive"];
/** What tells most about a turn, first. */
export const headlines = [
  ...["take_over", "build", "extend", "triple", "take", "gem", "block", "draft", "buy", "walk", "go", "settle"],
  ...["welcome", "inherit", "vote", "stay", "close", "lodge"],
];

/** All choose their lands at once. @param {Cue[][]} turns @param {number} at @param {BoardContext} ui */
export const headline = (turns, at, ui) =>
  turns[at].some(({ verb }) => verb === "arrive") ? ui.t("newtown-together") : "";

/** @type {Record<string, (cue: Cue, ui: BoardContext) => unknown>} */
export const glyphs = {
  die: (cue, ui) => html`${renderRoller(cue, ui)}${renderDie(cue.args?.face, `small ${cue.args?.die}`)}`,
  pool: ({ args, n }, ui) => html`${renderPoolLabel(n, ui)}${renderDie(args?.face, `small ${args?.colour}`)}`,
  sow: ({ args }) => renderDie(args?.face, "small"),
};
