/**
 * The board of Puppet Kingdom: a puppet stage. The event is the backdrop, the players' servants hang in front of it,
 * and the town is for sale below.
 */
import { html } from "lit";
import { renderBooth, renderOwnBooth } from "./booths.js";
import { Position } from "./position.js";
import { renderBackdrop, renderRow } from "./town.js";

export { about } from "./about.js";
export { cues } from "./cues.js";
export { outcome, plain, prompt, score, seat } from "./say.js";

/** The choices and their buttons, which the page brings into view. */
export const choices = ".marionette.usable, .acts button";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */

/** @param {View} view @param {BoardContext} ui */
export function board(view, ui) {
  const p = new Position(view, ui);
  return html`<div class="puppet ${p.over ? "over" : ""} ${p.me === null ? "watched" : ""} ${
    ui.isReplay ? "replayed" : ""
  } players-${p.state.players}">
    ${renderBackdrop(p)}
    <div class="stage-floor">${p.others.map((seat) => renderBooth(p, seat))}</div>
    ${renderRow(p)}
    ${p.me === null ? "" : renderOwnBooth(p, p.me)}</div>`;
}

/** Moves that end a turn. Events after them belong to no seat. */
export const ends = ["end", "killed"];
/** All decide about taxes at once, and keep their servants at once. */
export const shared = ["pay", "forgo", "decide", "keep"];
/** The events that the log puts into one sentence with the move before them. */
export const completes = { peek: "look" };
/** What tells most about a turn, first. */
export const headlines = ["buy", "killed", "reveal"];
export { headline } from "./say.js";
