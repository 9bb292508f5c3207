/** Selectors for the elements that a move is about. */

/**
 * @typedef {import("../../../web/core/api-types.js").Move} Move
 * @typedef {import("../../../web/core/api-types.js").View} View
 */

/**
 * Return the character that is claimed or used, and a die of the face in the move: another one each time.
 * @param {Move} move @param {View} _view
 * @param {import("../../../web/board-sdk/board-context.js").BoardContext} _ui @param {number} [repeats]
 */
export function about({ verb, args }, _view, _ui, repeats = 0) {
  const character = verb === "claim" ? `card-${args.card}` : `chip-${args.card ?? verb}`;
  const face = args.face ?? args.giver;
  return [`[data-key="${character}"]`, ...(face ? [`[data-key^="active-${face}-${repeats}"]`] : [])].join();
}
