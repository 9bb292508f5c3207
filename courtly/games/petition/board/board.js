/** The board of To Court the King: the court above, the felt with the dice below. */
import { html } from "lit";
import { closeOnOutsideTap } from "../../../web/board-sdk/tooltips.js";
import { renderStaticDie } from "../../../web/board-sdk/die.js";
import { renderCourt } from "./court.js";
import { renderFelt, keyHandler } from "./felt.js";
import { Position } from "./position.js";
import { previewedNeeds } from "./turn.js";

export { about } from "./about.js";
export { cues } from "./cues.js";
export { outcome, plain, prompt, score, seat } from "./say.js";

/** The choices and their buttons, which the page brings into view. */
export const choices = ".felt button";
/** What a character in use makes choosable. */
export const targets = ".felt:has(.chip[aria-pressed=true]) .dice button";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/core/api-types.js").Cue} Cue
 */
/** @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext */

/** @param {View} view @param {BoardContext} ui */
export function board(view, ui) {
  const p = new Position(view, ui);
  return html`<div class="petition" @click=${closeOnOutsideTap(ui, ".cell")}
      @keydown=${keyHandler(p)}>${renderCourt(p, previewedNeeds(p))}${renderFelt(p)}</div>`;
}

/** Moves that end a turn: dice rolled after them belong to the next player. */
export const ends = ["start", "claim", "pass", "concede"];
/** What tells most about a turn, first. */
export const headlines = ["claim", "pass", "concede"];
export { headline } from "./last-round.js";

export const glyphs = { die: (/** @type {Cue} */ cue) => renderStaticDie(cue.args?.face, "small") };
