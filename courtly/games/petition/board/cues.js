/** Animations by verb. A die's key is its zone, face and number: `active-5-0` is the first active five. */

import { DIE_FACES, expandFaces } from "./position.js";

/**
 * @typedef {import("../../../web/core/api-types.js").Cue} Cue
 * @typedef {import("../../../web/core/api-types.js").View} View
 */
/** @typedef {import("../../../web/board-sdk/animation.js").AnimationKit} AnimationKit */

/**
 * How many dice of each zone and face were assigned during the cues of a view.
 * @type {WeakMap<View, Record<string, number>>}
 */
const landedDice = new WeakMap();

/**
 * Return the key of the next die that landed on this face in this zone, counted from the last.
 * @param {AnimationKit} kit @param {"active" | "aside"} zone @param {number} face
 */
function nextDieKey(kit, zone, face) {
  const seen = landedDice.get(kit.view) ?? {};
  landedDice.set(kit.view, seen);
  const key = `${zone}-${face}`;
  seen[key] = (seen[key] ?? 0) + 1;
  return `${key}-${kit.view.state[zone][face - 1] - seen[key]}`;
}

/** Return the key of a die that had this face before. @param {AnimationKit} kit @param {number} face */
const sourceDieKey = (kit, face) => `active-${face}-${Math.max(0, (kit.before?.state.active[face - 1] ?? 1) - 1)}`;

/** Views whose changed dice are already animated. @type {WeakSet<View>} */
const changedViews = new WeakSet();

/**
 * A character is used: dice turn over, or come from the character that added them. Animates all changes of a view at
 * once, however many moves it covers.
 * @param {Cue} cue @param {AnimationKit} kit
 */
function animateChanges({ verb, args }, kit) {
  const { before, view } = kit;
  const chip = `chip-${args?.card ?? verb}`;
  kit.highlight(chip);
  if (!before || before.state.rolling || changedViews.has(view)) return; // a roll animates them
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

const CHALLENGE_DIE_MS = 260;
const CHALLENGE_STEP_MS = 120;
const ROLL_STEP_MS = 100; // between the dice of the last round, beside the usual stagger

/** Views whose finished roll for the King is already animated. @type {WeakSet<View>} */
const challengedViews = new WeakSet();

/**
 * When a roll of the last round is finished, lay its dice beside those of the mark, one by one, then what came of it.
 * @param {Cue} _ @param {AnimationKit} kit
 */
function animateChallenge(_, kit) {
  const { before, view } = kit;
  const isFinished = before?.state.final && (before.state.turn !== view.state.turn || (view.over && !before.over));
  if (!isFinished || challengedViews.has(view)) return;
  challengedViews.add(view);
  for (let i = 0; kit.element(`challenge-${i}`); i++) {
    kit.animate(
      `challenge-${i}`,
      [{ transform: "translateY(-26px) rotate(-40deg)", opacity: 0 }, { transform: "none" }],
      CHALLENGE_DIE_MS,
    );
    kit.delay(CHALLENGE_STEP_MS);
  }
  kit.delay(CHALLENGE_DIE_MS);
  kit.animate("verdict", [{ transform: "scale(1.5)", opacity: 0 }, { transform: "none" }], CHALLENGE_DIE_MS);
  if (before.state.king !== view.state.king) kit.highlight("throne", 1200);
}

/** Tumble a die; in the last round one after the other. @param {Cue} cue @param {AnimationKit} kit */
function animateRoll({ args }, kit) {
  const key = nextDieKey(kit, "active", args?.face);
  const landed = Object.values(landedDice.get(kit.view) ?? {}).reduce((sum, n) => sum + n, 0);
  if (kit.view.state.final) kit.delay((landed - 1) * ROLL_STEP_MS);
  kit.roll(key);
}

/** @type {Record<string, (cue: Cue, kit: AnimationKit) => void>} */
export const cues = {
  start: ({ args }, kit) => kit.highlight(`seat-${args?.player}`, 1400),
  die: animateRoll,
  keep(cue, kit) {
    kit.moveFrom(nextDieKey(kit, "aside", cue.args?.face), sourceDieKey(kit, cue.args?.face));
    animateChallenge(cue, kit);
  },
  finish: animateChallenge,
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
