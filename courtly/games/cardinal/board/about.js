/** Selectors for the elements that a move is about. */

/**
 * @typedef {import("../../../web/core/api-types.js").Move} Move
 * @typedef {import("../../../web/core/api-types.js").View} View
 */

/** Return the place and the cards played. @param {Move} move */
export function about({ args }) {
  const { pair, single, first, second, third } = args;
  const played = [pair, pair, single, first, second, third].filter((type) => type && type !== "none");
  return [
    `[data-at="site-${args.site}"]`,
    `[data-at="seal-${args.country}"]`,
    ...played.map((type, i) => `[data-key="hand-${type}-${played.slice(0, i).filter((one) => one === type).length}"]`),
  ].join();
}
