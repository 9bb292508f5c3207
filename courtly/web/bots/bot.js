/** The bots of a compiled game by name, with the same moves as those of courtly/bots/registry.py. */
import { CommandRefusedError } from "../engine/errors.js";
import { Search } from "./search.js";

/** @typedef {import("./search.js").PositionView} PositionView */
/** @typedef {import("./generator.js").Generator} Generator */
/** @typedef {import("./memory.js").Memory} Memory */

/**
 * Return the id of the move that a bot makes. Throws CommandRefusedError if there is no such bot.
 * @param {Memory} memory of an instance for searches
 * @param {string} bot a level; "random"; a search with a number of simulations, such as "search:20"; or "policy", which
 *   makes the move that the policy prefers, or "policy:4", which makes every fourth move at random
 * @param {PositionView} view @param {Generator} generator @param {import("./search.js").Pause} [pause]
 */
export async function chooseMove(memory, bot, view, generator, pause) {
  const levels = memory.description.search?.levels ?? {};
  const [kind, count = "0"] = (Object.hasOwn(levels, bot) ? levels[bot] : bot).split(":");
  if (kind === "random") return view.legal[generator.drawBelow(view.legal.length)].id;
  if (kind === "policy") return followPolicy(memory, view, generator, Number(count));
  if (kind === "search" && Number(count) > 0)
    return await new Search(memory, Number(count)).choose(view, generator, pause);
  throw new CommandRefusedError("error-unknown-bot");
}

/**
 * Return the move that the policy prefers most, or a random one if it has no preference.
 * @param {Memory} memory @param {PositionView} view @param {Generator} generator
 * @param {number} slipInterval 0, or the mean number of decisions of which one is random
 */
function followPolicy(memory, view, generator, slipInterval) {
  const moves = view.legal.map(({ id }) => id);
  if (slipInterval && generator.drawBelow(slipInterval) === 0) return moves[generator.drawBelow(moves.length)];
  const { generator_length: generatorLength, search } = memory.description;
  const weightsLength = /** @type {import("../engine/description.js").SearchDescription} */ (search).weights_length;
  memory.clear();
  const state = memory.makeRecord(view.state);
  const row = memory.makeRow(moves.length, moves);
  const weights = memory.makeRow(weightsLength);
  const rng = memory.makeRow(generatorLength, generator.describe());
  return memory.call("choose_move", state, /** @type {number} */ (view.seat), row, moves.length, weights, rng);
}
