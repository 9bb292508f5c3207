/**
 * What moves when something happens. Dice are known by place, face and number: `active-5-0` is the first active five.
 */

import { FACES, faces } from "./position.js";

/**
 * @typedef {import("../../../web/core/api-types.js").Cue} Cue
 * @typedef {import("../../../web/core/api-types.js").View} View
 */
/** @typedef {import("../../../web/board-sdk/animation.js").Kit} Kit */

/**
 * Dice of a face that have already found their place while a view's cues are played.
 * @type {WeakMap<View, Record<string, number>>}
 */
const landed = new WeakMap();

/**
 * The next die that landed on this face in this zone, counted from the last.
 * @param {Kit} kit @param {"active" | "aside"} zone @param {number} face
 */
function place(kit, zone, face) {
  const seen = landed.get(kit.view) ?? {};
  landed.set(kit.view, seen);
  const key = `${zone}-${face}`;
  seen[key] = (seen[key] ?? 0) + 1;
  return `${key}-${kit.view.state[zone][face - 1] - seen[key]}`;
}

/** Where dice of this face lay before. @param {Kit} kit @param {number} face */
const source = (kit, face) => `active-${face}-${Math.max(0, (kit.before?.state.active[face - 1] ?? 1) - 1)}`;

/** Views whose changed dice are on their way. @type {WeakSet<View>} */
const changed = new WeakSet();

/**
 * A character is used: dice turn over where others lay, or come from whoever brought them. All of a view's at once,
 * however many moves that took.
 * @param {Cue} cue @param {Kit} kit
 */
function changes({ verb, args }, kit) {
  const { before, view } = kit;
  const chip = `chip-${args?.card ?? verb}`;
  kit.glow(chip);
  if (!before || before.state.rolling || changed.has(view)) return; // dice in the hand fall with the others
  changed.add(view);
  const more = FACES.map((_, i) => view.state.active[i] - before.state.active[i]);
  const gone = faces(more.map((n) => Math.max(-n, 0)));
  for (const [i, face] of faces(more.map((n) => Math.max(n, 0))).entries()) {
    const key = place(kit, "active", face);
    kit.travel(key, i < gone.length ? source(kit, gone[i]) : chip);
    if (i < gone.length) flips(key, kit);
  }
}

/** @param {string} key @param {Kit} kit */
function flips(key, kit) {
  kit.animate(
    key,
    [{ transform: "rotateY(0) scale(1.1)" }, { transform: "rotateY(90deg) scale(1.1)" }, { transform: "none" }],
    450,
  );
  kit.glow(key);
}

/** A new holder of the King is shown on the throne. @param {Cue} _ @param {Kit} kit */
function crowned(_, kit) {
  if (kit.before && kit.before.state.king !== kit.view.state.king) kit.glow("throne", 1200);
}

/** @type {Record<string, (cue: Cue, kit: Kit) => void>} */
export const cues = {
  start: ({ args }, kit) => kit.glow(`seat-${args?.player}`, 1400),
  die: ({ args }, kit) => kit.roll(place(kit, "active", args?.face)),
  keep(cue, kit) {
    kit.travel(place(kit, "aside", cue.args?.face), source(kit, cue.args?.face));
    crowned(cue, kit);
  },
  finish: crowned,
  concede: ({ seat }, kit) => kit.glow(`seat-${seat}`),
  claim({ seat, args }, kit) {
    kit.glow(`card-${args?.card}`, 1000);
    kit.travel(`own-${args?.card}-${seat}`, `seat-${seat}`, 600);
    if (args?.card === "king") kit.glow("throne", 1400);
    kit.wait(350);
  },
  ...Object.fromEntries(
    ["add", "queen", "maid", "philosopher", "astronomer", "magician", "noblewoman", "nobleman", "turn"].map((verb) => [
      verb,
      changes,
    ]),
  ),
};
