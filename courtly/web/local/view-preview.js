/** What moves would lead to, as it follows from what a seat sees: no server need be asked. */
import { Generator } from "../bots/generator.js";
import { Match } from "../engine/match.js";
import { Position } from "../engine/position.js";
import { writeFields } from "../engine/record-fields.js";

/**
 * @typedef {import("../core/api-types.js").View} View @typedef {import("../engine/game.js").Game} Game
 * @typedef {import("../engine/chance.js").ChanceSource} ChanceSource
 */

/** @type {ChanceSource} */
const NO_CHANCE = {
  choose() {
    throw new Error("a preview draws no random event");
  },
  describe: () => ({}),
};

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
  const hidden = new Uint8Array(game.description.record.size);
  writeFields(game.description, hidden, view.state);
  const state = game.rules.imagine(hidden, seat, new Generator(0).describe());
  const position = new Position(game, state);
  const after = new Match(game, { position, chance: NO_CHANCE, start: false }).preview(seat, moves);
  const cues = after.cues.map((cue) => ({ ...cue, n: cue.n + view.seq }));
  return { ...after, seq: after.seq + view.seq, cues };
}
