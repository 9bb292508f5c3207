/** Whose dice they are, where the dice of all players are rolled in a row. */
import { html, nothing } from "lit";
import { hideVisually } from "../../../web/components/visually-hidden.js";

/**
 * @typedef {import("../../../web/core/api-types.js").Cue} Cue
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */

const SET_SIZE = 6; // three white dice and three coloured ones

/** Return whether a player's set of dice begins with this one. @param {Cue[]} cues @param {number} at */
const isSetStart = (cues, at) =>
  cues[at]?.verb === "die" && cues[at + 3]?.verb === "die" && cues[at + 3].args?.die === "green";

/**
 * Return the seat whose set of dice begins with this die, if several sets are rolled in a row; otherwise -1. The
 * craftsmen are placed in the same order afterwards.
 * @param {Cue[]} cues @param {number} n the number of the die's cue @param {{first: number, players: number}} state
 */
export function findRoller(cues, n, { first, players }) {
  const at = cues.findIndex((cue) => cue.n === n);
  if (!isSetStart(cues, at)) return -1;
  let begin = at;
  while (isSetStart(cues, begin - SET_SIZE)) begin -= SET_SIZE;
  let end = at;
  while (isSetStart(cues, end)) end += SET_SIZE;
  if (end - begin === SET_SIZE) return -1;
  const index = (at - begin) / SET_SIZE;
  const arrivals = cues.slice(end).filter(({ verb }) => verb === "arrive");
  return arrivals[index]?.args?.player ?? (first + index) % players;
}

/** Render whose dice begin with this one, on a new line. @param {Cue} cue @param {BoardContext} ui */
export function renderRoller(cue, ui) {
  const seat = ui.view ? findRoller(ui.cues, cue.n, /** @type {any} */ (ui.view.state)) : -1;
  return seat < 0 ? nothing : html`<br>${ui.renderShield(seat, "tiny")}${hideVisually(ui.playerName(seat))} `;
}

/**
 * Render the name of the pool before its first die, on a new line: other dice may stand before it.
 * @param {number} n the number of the die's cue @param {BoardContext} ui
 */
export function renderPoolLabel(n, ui) {
  const before = ui.cues.find((cue) => cue.n === n - 1);
  if (!before || before.verb === "pool") return nothing;
  return html`<br><span aria-hidden="true">${ui.formatLabelled(ui.t("newtown-pool-title"))} </span>`;
}
