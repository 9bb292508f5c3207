/**
 * The play of a sale: the trays open one after the other, rarity and prices are counted, gem by gem is sold, and the
 * sums are counted. The table of the sale is drawn complete; what comes later is hidden until its time.
 */

import { STAGGER_MS } from "../../../web/board-sdk/animation.js";

/**
 * @typedef {import("../../../web/core/api-types.js").Cue} Cue
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/animation.js").AnimationKit} AnimationKit
 */

const LOT_MS = 230; // each gem of a tray
const TRAY_PAUSE_MS = 200; // between trays
const RARITY_MS = 300; // each gem
const PRICE_MS = 700;
const SOLD_MS = 750; // each seat and gem
const SUM_MS = 900;
const READING_MS = 1500; // at the end, before anything else happens

const UNSOLD_LOT = { backgroundColor: "#0000", color: "#5b4a36" }; // as .lot in board.css
const CURRENT_STEP = { backgroundColor: "#2d2118", color: "#fff6e6" };
const RESULT_VERBS = ["stops", "sells", "pays"];
const UNSETTLED_PHASES = ["show", "alchemist"];

/** Views whose trays or prices have been played. @type {WeakSet<View>} */
const playedViews = new WeakSet();

/** @param {AnimationKit} kit @param {View | null} view */
const phaseName = (kit, view) => (view && kit.about.fields.phase.names?.[view.state.phase]) ?? "";

/** Return the gems, the most fashionable first. @param {AnimationKit} kit @returns {string[]} */
function gemsByFashion(kit) {
  const names = /** @type {string[]} */ (kit.about.fields.stones.axes[1]);
  return kit.view.state.fashion.map((/** @type {number} */ gem) => names[gem]);
}

/** @param {AnimationKit} kit @returns {number[]} */
const listSeats = (kit) => [...Array(kit.view.state.players).keys()];

/** Return the outcome for a gem. @param {AnimationKit} kit @param {string} gem */
function outcomeOf(kit, gem) {
  const i = /** @type {string[]} */ (kit.about.fields.stones.axes[1]).indexOf(gem);
  return { rarity: kit.view.state.rarity[i], price: kit.view.state.price[i] };
}

/** Highlight a step of the sale. @param {AnimationKit} kit @param {string} step @param {number} ms */
const markStep = (kit, step, ms) =>
  kit.animate(`step-${step}`, [CURRENT_STEP, CURRENT_STEP], ms, { fill: "none", easing: "linear" });

/**
 * Play what a move reveals: the last show opens all trays, and after the last answer the prices are known.
 * @param {AnimationKit} kit
 */
export function playReveal(kit) {
  const { before, view } = kit;
  const [from, to] = [phaseName(kit, before), phaseName(kit, view)];
  if (!UNSETTLED_PHASES.includes(from) || from === to || playedViews.has(view) || !kit.element("sale")) return;
  playedViews.add(view);
  if (from === "show") openTrays(kit);
  if (UNSETTLED_PHASES.includes(to)) return;
  countPrices(kit);
  if (!view.cues.some(({ verb }) => RESULT_VERBS.includes(verb))) finishSale(kit);
}

/** @param {AnimationKit} kit */
function openTrays(kit) {
  const gems = gemsByFashion(kit);
  const lots = listSeats(kit).map((seat) => gems.map((gem) => `lot-${seat}-${gem}`).filter((key) => kit.element(key)));
  markStep(kit, "shown", lots.flat().length * LOT_MS + lots.length * TRAY_PAUSE_MS);
  for (const tray of lots) {
    for (const key of tray) {
      kit.animate(
        key,
        [
          { clipPath: "inset(-6px -6px 100% -6px)", transform: "translateY(-9px)", opacity: 0 },
          { clipPath: "inset(-6px)", transform: "none", opacity: 1 },
        ],
        1.5 * LOT_MS,
      );
      kit.delay(LOT_MS);
    }
    kit.delay(TRAY_PAUSE_MS);
  }
  kit.animate("sale-row-total", [{ opacity: 0 }, { opacity: 1, offset: 0.2 }, { opacity: 1 }], 2 * LOT_MS);
  for (const gem of gems) kit.countFrom(`stones-${gem}`, 0, 2 * LOT_MS);
  kit.delay(2 * LOT_MS);
}

/** Count the rarity, the rarest gem first, and the prices. @param {AnimationKit} kit */
function countPrices(kit) {
  const gems = gemsByFashion(kit);
  const rarest = [...gems].sort((a, b) => outcomeOf(kit, b).rarity - outcomeOf(kit, a).rarity);
  markStep(kit, "rarity", rarest.length * RARITY_MS);
  for (const gem of rarest) {
    kit.animate(
      `rarity-${gem}`,
      [
        { opacity: 0, transform: "scale(1.8)" },
        { opacity: 1, transform: "none" },
      ],
      RARITY_MS,
    );
    kit.delay(RARITY_MS);
  }
  markStep(kit, "price", PRICE_MS);
  for (const gem of gems) {
    const { rarity, price } = outcomeOf(kit, gem);
    kit.animate(`price-${gem}`, [{ opacity: 0 }, { opacity: 1, offset: 0.2 }, { opacity: 1 }], PRICE_MS);
    kit.countFrom(`price-${gem}`, price - rarity, PRICE_MS);
  }
  kit.delay(PRICE_MS);
}

/**
 * Wait for the cues of the same verb before this one, which otherwise begin nearly at once.
 * @param {Cue} cue @param {AnimationKit} kit
 */
function waitForSameVerb(cue, kit) {
  const before = kit.view.cues.slice(0, kit.view.cues.indexOf(cue));
  const others = before.length - 1 - before.findLastIndex(({ verb }) => verb !== cue.verb);
  kit.delay(others * (SOLD_MS - STAGGER_MS));
}

/** A king stops the sale of a gem. @param {Cue} cue @param {AnimationKit} kit */
export function playStop(cue, kit) {
  waitForSameVerb(cue, kit);
  for (const seat of listSeats(kit))
    kit.animate(`lot-${seat}-${cue.args?.gem}`, [{ textDecorationColor: "#0000" }, { opacity: 0.3 }, {}], SOLD_MS);
  kit.delay(SOLD_MS);
  finishAfterLast(cue, kit);
}

/** A seat sells its stones of a gem. @param {Cue} cue @param {AnimationKit} kit */
export function playSold(cue, kit) {
  waitForSameVerb(cue, kit);
  const lot = `lot-${cue.args?.player}-${cue.args?.gem}`;
  markStep(kit, "sold", SOLD_MS);
  kit.animate(lot, [UNSOLD_LOT, { transform: "scale(1.12)", offset: 0.4 }, {}], SOLD_MS);
  kit.animate(
    kit.element(lot)?.querySelector("strong") ?? null,
    [
      { opacity: 0, transform: "scale(0.4)" },
      { opacity: 1, transform: "none" },
    ],
    SOLD_MS / 2,
  );
  kit.highlight(`seat-${cue.args?.player}`, SOLD_MS);
  kit.delay(SOLD_MS);
  finishAfterLast(cue, kit);
}

/** The king's player pays. @param {Cue} cue @param {AnimationKit} kit */
export function playGift(cue, kit) {
  waitForSameVerb(cue, kit);
  markStep(kit, "gifts", SOLD_MS);
  for (const seat of [cue.args?.player, cue.args?.wearer])
    kit.animate(`gift-${seat}`, [{ opacity: 0, transform: "translateX(20px)" }, {}], SOLD_MS);
  kit.delay(SOLD_MS);
  finishAfterLast(cue, kit);
}

/** @param {Cue} cue @param {AnimationKit} kit */
function finishAfterLast(cue, kit) {
  if (kit.view.cues.findLast(({ verb }) => RESULT_VERBS.includes(verb)) === cue) finishSale(kit);
}

/** Count the sums, then leave time to read. @param {AnimationKit} kit */
function finishSale(kit) {
  for (const seat of listSeats(kit)) {
    kit.countFrom(`sum-${seat}`, 0, SUM_MS);
    for (const key of [`pounds-${seat}`, `score-${seat}`])
      if (kit.before) kit.countFrom(key, kit.before.state.score[seat], SUM_MS);
  }
  kit.animate("sale-remarks", [{ opacity: 0 }, { opacity: 1 }], SUM_MS);
  kit.delay(SUM_MS);
  kit.animate("sale", [{ opacity: 1 }, { opacity: 1 }], READING_MS);
}
