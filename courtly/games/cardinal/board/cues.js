/** What moves when something happens: pieces are set down, cards travel, points count up. */

/**
 * @typedef {import("../../../web/core/api-types.js").Cue} Cue
 * @typedef {import("../../../web/board-sdk/animation.js").Kit} Kit
 */

const DOWN = [
  { transform: "translateY(-44px) scale(1.7)", opacity: 0 },
  { opacity: 1, offset: 0.5 },
  { transform: "none" },
];

/** @param {Kit} kit @param {string} selector */
const find = (kit, selector) => kit.stage.root.querySelector(selector);

/** @param {Cue} cue @param {Kit} kit */
const house = ({ args }, kit) => kit.animate(find(kit, `[data-house="${args?.site}"]`), DOWN, 420);

/** @param {Cue} cue @param {Kit} kit */
const figure = ({ args, seat }, kit) =>
  kit.animate(find(kit, `[data-standing="${args?.country}-${seat}"] .inner`), DOWN, 420);

/** The last card of a colour in the hand of whoever looks. @param {Kit} kit @param {string} type */
const held = (kit, type) =>
  [...kit.stage.root.querySelectorAll(`[data-key^="hand-${type}-"]`)].at(-1)?.getAttribute("data-key") ?? "";

const READ_MS = 3000; // to look at the points of the interim scoring

/** @param {Cue} cue @param {Kit} kit */
function scored({ verb }, kit) {
  for (const [seat, points] of (kit.before?.state.score ?? []).entries()) {
    if (seat < kit.view.state.players) kit.count(`points-${seat}`, points);
  }
  kit.wait(verb === "interim" ? READ_MS : 900);
}

/** @type {Record<string, (cue: Cue, kit: Kit) => void>} */
export const cues = {
  begins: ({ args }, kit) => kit.glow(`seat-${args?.player}`, 1400),
  cloister: house,
  second_cloister: house,
  cardinal: figure,
  second_cardinal: figure,
  take({ args, seat }, kit) {
    const before = /** @type {number[]} */ (kit.before?.state.open ?? []);
    const now = /** @type {number[]} */ (kit.view.state.open);
    const from = before.findIndex((card, i) => card && card !== now[i]);
    if (seat === kit.view.seat && from >= 0) kit.travel(held(kit, args?.card), `open-${from}`);
    else kit.glow(`seat-${seat}`);
  },
  drawn({ args }, kit) {
    if (args && kit.view.seat !== null) kit.travel(held(kit, args.card), "deck");
  },
  turn_up(_, kit) {
    const before = /** @type {number[]} */ (kit.before?.state.open ?? []);
    for (const [i, card] of kit.view.state.open.entries())
      if (card && card !== before[i]) kit.travel(`open-${i}`, "deck");
  },
  reshuffle: (_, kit) => kit.glow("deck", 1200),
  run_out: (_, kit) => kit.glow("deck", 1200),
  interim: scored,
  final: scored,
};
