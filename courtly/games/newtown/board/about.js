/** Selectors for the elements that a move is about. */

/**
 * @typedef {import("../../../web/core/api-types.js").Move} Move
 * @typedef {import("../../../web/core/api-types.js").View} View
 */

/** @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext */

/**
 * Return the button for a use of a coloured die, if it is one of several.
 * @param {Move} move @param {View} view @param {BoardContext} ui
 */
function dieUseSelectors({ verb, args }, { facts }, ui) {
  if (verb === "block") return [`.use.${args.die} button:first-of-type`];
  const colours = /** @type {string[]} */ (ui.about.fields.coloured.axes[1]);
  const colour = colours[facts?.effects.indexOf(verb) ?? -1];
  return colour ? [`.use.${colour} button:last-of-type`] : [];
}

/**
 * Return the button for a use of a green card, or what it is folded into.
 * @param {Move} move @param {BoardContext} ui
 */
function lawnUseSelectors({ id }, ui) {
  const number = 1 + ui.legalMoves("lawn").findIndex((other) => other.id === id);
  return [".card-use.green:not([open]) > summary", `.card-use.green button:nth-of-type(${number})`];
}

/**
 * Return the land, dice, card, resident or house.
 * @param {Move} move
 * @param {View} view
 * @param {BoardContext} ui
 */
export function about(move, view, ui) {
  const { verb, args } = move;
  const at = (/** @type {string} */ field, /** @type {string} */ name) =>
    /** @type {string[]} */ (ui.about.fields[field].axes[0]).indexOf(name);
  const dice = `${args.dice ?? args.die ?? ""}`.split("-").filter(Boolean);
  return [
    ...dieUseSelectors(move, view, ui),
    ...(verb === "lawn" ? lawnUseSelectors(move, ui) : []),
    `[data-key="land-${at("tree", args.land)}"]`,
    `[data-key="house-${at("owner", args.house)}"]`,
    `[data-key="place-${args.place}"]`,
    `[data-key="card-${args.card}"]`,
    `[data-key="resident-${args.resident}"]`,
    `[data-key="choice-${args.card ?? args.resident}"]`,
    ...dice.map((die) => `[data-key="die-${die}"]`),
  ].join();
}
