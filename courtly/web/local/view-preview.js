/** The legal moves, and what they would lead to, as it follows from what a seat sees: no server need be asked. */
import { Generator } from "../bots/generator.js";
import { Match } from "../engine/match.js";
import { Position } from "../engine/position.js";
import { writeFields } from "../engine/record-fields.js";

/**
 * @typedef {import("../core/api-types.js").View} View @typedef {import("../engine/game.js").Game} Game
 * @typedef {import("../engine/chance.js").ChanceSource} ChanceSource
 * @typedef {import("../bots/search.js").PositionView} PositionView
 */

/** @type {ChanceSource} */
const NO_CHANCE = {
  choose() {
    throw new Error("a preview draws no random event");
  },
  describe: () => ({}),
};

/**
 * Return a position that agrees with a view. What its seat may do, and sees of it, is the same in all of them.
 * @param {Game} game @param {PositionView} view of a seat
 */
function imaginePosition(game, view) {
  const hidden = new Uint8Array(game.description.record.size);
  writeFields(game.description, hidden, view.state);
  const seat = /** @type {number} */ (view.seat);
  return new Position(game, game.rules.imagine(hidden, seat, new Generator(0).describe()));
}

/**
 * Return a view with the legal moves of its seat, which the views of a replay lack.
 * @param {Game} game @param {PositionView} view of a seat @returns {PositionView}
 */
export function addLegalMoves(game, view) {
  const moves = imaginePosition(game, view).legal(/** @type {number} */ (view.seat));
  return { ...view, legal: moves.map((move) => game.moves.named[move]) };
}

/**
 * Return the view of a seat after its moves, as `Match.preview`. Throws CommandRefusedError if the moves are not
 * allowed, or their outcome cannot be known before they are made.
 *
 * The moves are made in any position that agrees with the view. It does not matter in which, because a move after which
 * the seat would know more is refused.
 * @param {Game} game @param {View} view of a seat @param {number[]} moves their ids @returns {View}
 */
export function previewFromView(game, view, moves) {
  const seat = /** @type {number} */ (view.seat);
  const position = imaginePosition(game, view);
  const after = new Match(game, { position, chance: NO_CHANCE, start: false }).preview(seat, moves);
  const cues = after.cues.map((cue) => ({ ...cue, n: cue.n + view.seq }));
  return { ...after, seq: after.seq + view.seq, cues };
}
