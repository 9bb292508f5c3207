/** What a move is about, as it is drawn: a selector. */

/** @typedef {import("../../../web/types.js").Move} Move @typedef {import("../../../web/types.js").View} View */

/** @typedef {import("../../../web/ui.js").Ui} Ui */

/** What is done with a coloured die, where that is one button among others. @param {Move} move */
function used({ verb, args }) {
  if (verb === "block") return [`.use.${args.die} button:first-of-type`];
  const colour = { gem: "green", reroll: "red", take: "black" }[verb];
  return colour ? [`.use.${colour} button:last-of-type`] : [];
}

/** The land, the dice, the card, the resident or the house. @param {Move} move @param {View} _ @param {Ui} ui */
export function about(move, _, ui) {
  const { args } = move;
  const at = (/** @type {string} */ field, /** @type {string} */ name) =>
    /** @type {string[]} */ (ui.about.fields[field].axes[0]).indexOf(name);
  const dice = `${args.dice ?? args.die ?? ""}`.split("-").filter(Boolean);
  return [
    ...used(move),
    `[data-key="land-${at("tree", args.land)}"]`,
    `[data-key="house-${at("owner", args.house)}"]`,
    `[data-key="card-${args.card}"]`,
    `[data-key="resident-${args.resident}"]`,
    ...dice.map((die) => `[data-key="die-${die}"]`),
  ].join();
}
