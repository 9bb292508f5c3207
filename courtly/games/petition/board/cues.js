/**
 * What moves when something happens. Dice are known by place, face and number: `active-5-0` is the first active five.
 */

import { DIE_FACES, expandFaces } from "./position.js";

/**
 * @typedef {import("../../../web/core/api-types.js").Cue} Cue
 * @typedef {import("../../../web/core/api-types.js").View} View
 */
/** @typedef {import("../../../web/board-sdk/animation.js").AnimationKit} AnimationKit */

/**
 * Dice of a face that have already found their place while a view's cues are played.
 * @type {WeakMap<View, Record<string, number>>}
 */
const landedDice = new WeakMap();

/**
 * The next die that landed on this face in this zone, counted from the last.
 * @param {AnimationKit} kit @param {"active" | "aside"} zone @param {number} face
 */
function nextDieKey(kit, zone, face) {
  const seen = landedDice.get(kit.view) ?? {};
  landedDice.set(kit.view, seen);
  const key = `${zone}-${face}`;
  seen[key] = (seen[key] ?? 0) + 1;
  return `${key}-${kit.view.state[zone][face - 1] - seen[key]}`;
}

/** Where dice of this face lay before. @param {AnimationKit} kit @param {number} face */
const sourceDieKey = (kit, face) => `active-${face}-${Math.max(0, (kit.before?.state.active[face - 1] ?? 1) - 1)}`;

/** Views whose changed dice are on their way. @type {WeakSet<View>} */
const changedViews = new WeakSet();

/**
 * A character is used: dice turn over where others lay, or come from whoever brought them. All of a view's at once,
 * however many moves that took.
 * @param {Cue} cue @param {AnimationKit} kit
 */
function animateChanges({ verb, args }, kit) {
  const { before, view } = kit;
  const chip = `chip-${args?.card ?? verb}`;
  kit.highlight(chip);
  if (!before || before.state.rolling || changedViews.has(view)) return; // dice in the hand fall with the others
  changedViews.add(view);
  const more = DIE_FACES.map((_, i) => view.state.active[i] - before.state.active[i]);
  const gone = expandFaces(more.map((n) => Math.max(-n, 0)));
  for (const [i, face] of expandFaces(more.map((n) => Math.max(n, 0))).entries()) {
    const key = nextDieKey(kit, "active", face);
    kit.moveFrom(key, i < gone.length ? sourceDieKey(kit, gone[i]) : chip);
    if (i < gone.length) animateFlip(key, kit);
  }
}

/** @param {string} key @param {AnimationKit} kit */
function animateFlip(key, kit) {
  kit.animate(
    key,
    [{ transform: "rotateY(0) scale(1.1)" }, { transform: "rotateY(90deg) scale(1.1)" }, { transform: "none" }],
    450,
  );
  kit.highlight(key);
}

/** A new holder of the King is shown on the throne. @param {Cue} _ @param {AnimationKit} kit */
function animateCrowned(_, kit) {
  if (kit.before && kit.before.state.king !== kit.view.state.king) kit.highlight("throne", 1200);
}

/** @type {Record<string, (cue: Cue, kit: AnimationKit) => void>} */
export const cues = {
  start: ({ args }, kit) => kit.highlight(`seat-${args?.player}`, 1400),
  die: ({ args }, kit) => kit.roll(nextDieKey(kit, "active", args?.face)),
  keep(cue, kit) {
    kit.moveFrom(nextDieKey(kit, "aside", cue.args?.face), sourceDieKey(kit, cue.args?.face));
    animateCrowned(cue, kit);
  },
  finish: animateCrowned,
  concede: ({ seat }, kit) => kit.highlight(`seat-${seat}`),
  claim({ seat, args }, kit) {
    kit.highlight(`card-${args?.card}`, 1000);
    kit.moveFrom(`own-${args?.card}-${seat}`, `seat-${seat}`, 600);
    if (args?.card === "king") kit.highlight("throne", 1400);
    kit.delay(350);
  },
  ...Object.fromEntries(
    ["add", "queen", "maid", "philosopher", "astronomer", "magician", "noblewoman", "nobleman", "turn"].map((verb) => [
      verb,
      animateChanges,
    ]),
  ),
};
