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

const STEP_MS = 750; // for each country, alliance or player's chains
const MAX_SCORING_MS = 9000;
const READ_MS = 900; // time to read the result

const GAIN_KEYFRAMES = [
  { opacity: 0, translate: "0 12px", scale: 0.5 },
  { opacity: 1, translate: "0 0", scale: 1.15, offset: 0.2 },
  { opacity: 1, translate: "0 0", scale: 1, offset: 0.75 },
  { opacity: 0, translate: "0 -22px", scale: 0.9 },
];
const COUNTRY_KEYFRAMES = [{}, { fillOpacity: 0.85, strokeOpacity: 1, offset: 0.25 }, { offset: 0.7 }, {}];
const CHAIN_KEYFRAMES = [{}, { strokeWidth: "18", offset: 0.25 }, {}];

/** @param {Element} element @param {string} name */
const listWords = (element, name) => (element.getAttribute(name) ?? "").split(" ").filter(Boolean);

/** Count the steps of a scoring (tally.js), one after the other. @param {Cue} _ @param {AnimationKit} kit */
function animateScores(_, kit) {
  const before = /** @type {number[]} */ (kit.before?.state.score ?? []);
  const { root } = kit.timeline;
  const steps = [...root.querySelectorAll(".gain")];
  const stepMs = Math.min(STEP_MS, MAX_SCORING_MS / Math.max(steps.length, 1));
  const countMs = steps.length * stepMs;
  const track = root.querySelector(".track");
  const most = Number(track?.getAttribute("data-most"));
  kit.flash(track, [{ opacity: 1 }, { opacity: 1 }], countMs + READ_MS);
  for (const [seat, points] of before.entries()) {
    if (seat >= kit.view.state.players) continue;
    for (const key of [`points-${seat}`, `score-${seat}`]) kit.countFrom(key, points, countMs);
    kit.countFrom(`lane-${seat}`, points, countMs);
    const widths = [points];
    for (const step of steps) widths.push(widths[widths.length - 1] + Number(listWords(step, "data-gains")[seat]));
    kit.flash(
      root.querySelector(`[data-lane="${seat}"] i`),
      widths.map((width) => ({ width: `${(100 * width) / most}%` })),
      countMs,
      { easing: "linear" },
    );
  }
  for (const step of steps) {
    kit.flash(step, GAIN_KEYFRAMES, stepMs);
    for (const id of listWords(step, "data-countries"))
      kit.flash(root.querySelector(`[data-ground="${id}"] > :last-child`), COUNTRY_KEYFRAMES, stepMs, { fill: "none" });
    for (const seat of listWords(step, "data-chains"))
      for (const road of root.querySelectorAll(`.chains > .seat-${seat} > .chain`))
        kit.flash(road, CHAIN_KEYFRAMES, stepMs, { fill: "none" });
    kit.delay(stepMs);
  }
  kit.delay(READ_MS);
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
