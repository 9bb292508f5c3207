/** Selectors for the elements that a move is about. */

/**
 * @typedef {import("../../../web/core/api-types.js").Move} Move
 * @typedef {import("../../../web/core/api-types.js").View} View
 */

/** Return the card of the counter or the hand, and the gem. @param {Move} move */
export function about({ verb, args }) {
  const card = args.card ?? verb.replace("_open", "");
  return [
    verb === "buy" ? `[data-key="slot-${args.slot - 1}"]` : `[data-key="hand-${card}"]`,
    ...(card === "necklace" ? ['[data-key="hand-queens_necklace"]'] : []),
    ...(verb === "alchemist" ? [`[data-key="turn-${args.card}"]`, `[data-key="into-${args.gem}"]`] : []),
    `[data-key="tile-${args.gem}"]`,
  ].join();
}
