/** What a move is about, as it is drawn: a selector. */

/** @typedef {import("../../../web/types.js").Move} Move @typedef {import("../../../web/types.js").View} View */

/** @typedef {import("../../../web/ui.js").Ui} Ui */

/** The land, the dice, the card, the resident or the house. @param {Move} move @param {View} _ @param {Ui} ui */
export function about({ args }, _, ui) {
  const at = (/** @type {string} */ field, /** @type {string} */ name) =>
    /** @type {string[]} */ (ui.about.fields[field].axes[0]).indexOf(name);
  const dice = `${args.dice ?? args.die ?? ""}`.split("-").filter(Boolean);
  return [
    `[data-key="land-${at("tree", args.land)}"]`,
    `[data-key="house-${at("owner", args.house)}"]`,
    `[data-key="card-${args.card}"]`,
    `[data-key="resident-${args.resident}"]`,
    ...dice.map((die) => `[data-key="die-${die}"]`),
  ].join();
}
