/** Selectors for the elements that a move is about. */

/**
 * @typedef {import("../../../web/core/api-types.js").Move} Move
 * @typedef {import("../../../web/core/api-types.js").View} View
 */

/** Return the character that is claimed or used, and a die of the face in the move. @param {Move} move */
export function about({ verb, args }) {
  const character = verb === "claim" ? `card-${args.card}` : `chip-${args.card ?? verb}`;
  const face = args.face ?? args.giver;
  return [`[data-key="${character}"]`, ...(face ? [`[data-key^="active-${face}-0"]`] : [])].join();
}
