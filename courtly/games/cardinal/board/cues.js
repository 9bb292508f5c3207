/** Animations by verb: pieces are placed, cards move, points count up. */

/**
 * @typedef {import("../../../web/core/api-types.js").Cue} Cue
 * @typedef {import("../../../web/board-sdk/animation.js").AnimationKit} AnimationKit
 */

const SET_DOWN_KEYFRAMES = [
  { transform: "translateY(-44px) scale(1.7)", opacity: 0 },
  { opacity: 1, offset: 0.5 },
  { transform: "none" },
];

/** @param {AnimationKit} kit @param {string} selector */
const findElement = (kit, selector) => kit.timeline.root.querySelector(selector);

/** @param {Cue} cue @param {AnimationKit} kit */
const animateHouse = ({ args }, kit) =>
  kit.animate(findElement(kit, `[data-house="${args?.site}"]`), SET_DOWN_KEYFRAMES, 420);

/** @param {Cue} cue @param {AnimationKit} kit */
const animateFigure = ({ args, seat }, kit) =>
  kit.animate(findElement(kit, `[data-standing="${args?.country}-${seat}"] .inner`), SET_DOWN_KEYFRAMES, 420);

/** Return the key of the last card of a colour in the viewer's hand. @param {AnimationKit} kit @param {string} type */
const lastHandCardKey = (kit, type) =>
  [...kit.timeline.root.querySelectorAll(`[data-key^="hand-${type}-"]`)].at(-1)?.getAttribute("data-key") ?? "";

const READ_MS = 3000; // time to read the points of the interim scoring

/** @param {Cue} cue @param {AnimationKit} kit */
function animateScores({ verb }, kit) {
  for (const [seat, points] of (kit.before?.state.score ?? []).entries()) {
    if (seat < kit.view.state.players) kit.countFrom(`points-${seat}`, points);
  }
  kit.delay(verb === "interim" ? READ_MS : 900);
}

/** @type {Record<string, (cue: Cue, kit: AnimationKit) => void>} */
export const cues = {
  begins: ({ args }, kit) => kit.highlight(`seat-${args?.player}`, 1400),
  cloister: animateHouse,
  second_cloister: animateHouse,
  cardinal: animateFigure,
  second_cardinal: animateFigure,
  take({ args, seat }, kit) {
    const before = /** @type {number[]} */ (kit.before?.state.open ?? []);
    const now = /** @type {number[]} */ (kit.view.state.open);
    const from = before.findIndex((card, i) => card && card !== now[i]);
    if (seat === kit.view.seat && from >= 0) kit.moveFrom(lastHandCardKey(kit, args?.card), `open-${from}`);
    else kit.highlight(`seat-${seat}`);
  },
  drawn({ args }, kit) {
    if (args && kit.view.seat !== null) kit.moveFrom(lastHandCardKey(kit, args.card), "deck");
  },
  turn_up(_, kit) {
    const before = /** @type {number[]} */ (kit.before?.state.open ?? []);
    for (const [i, card] of kit.view.state.open.entries())
      if (card && card !== before[i]) kit.moveFrom(`open-${i}`, "deck");
  },
  reshuffle: (_, kit) => kit.highlight("deck", 1200),
  run_out: (_, kit) => kit.highlight("deck", 1200),
  interim: animateScores,
  final: animateScores,
};
