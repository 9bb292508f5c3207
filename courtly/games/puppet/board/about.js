/** Selectors for the elements that a move is about. */

/**
 * @typedef {import("../../../web/core/api-types.js").Move} Move
 * @typedef {import("../../../web/core/api-types.js").View} View
 */

/** Return the servant, the goods or the building. @param {Move} move @param {View} view */
export function about({ verb, args }, { seat, state }) {
  const from = verb === "rob" ? state.parent : seat;
  return [
    `[data-key="hand-${args.servant}"]`,
    `[data-key="down-${seat}-${args.servant}"]`,
    `[data-key="building-${args.building}"]`,
    `[data-key="chip-${from}-${args.good}"]`,
  ].join();
}
