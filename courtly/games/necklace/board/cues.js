/** Animations by verb. */
import { playGift, playReveal, playSold, playStop } from "./sale-cues.js";

/**
 * @typedef {import("../../../web/core/api-types.js").Cue} Cue @typedef
 * {import("../../../web/board-sdk/animation.js").AnimationKit} AnimationKit
 * @typedef {import("../../../web/core/api-types.js").View} View
 */

/** The slots that received a new card, by the numbers of a view's cues. @type {WeakMap<View, Map<number, number>>} */
const filledSlots = new WeakMap();

/** Return the slot whose card was just turned up, each time the same one. @param {AnimationKit} kit @param {Cue} cue */
function findNewSlot(kit, { n, args }) {
  const kind = /** @type {string[]} */ (kit.about.fields.hand.axes[1]).indexOf(args?.card);
  const { row, rung } = kit.view.state;
  const slots = filledSlots.get(kit.view) ?? new Map();
  filledSlots.set(kit.view, slots);
  const filled = [...slots.values()];
  if (!slots.has(n))
    slots.set(
      n,
      row.findIndex(
        (/** @type {number} */ there, /** @type {number} */ i) =>
          there === kind && rung[i] === 0 && !filled.includes(i),
      ),
    );
  return slots.get(n) ?? -1;
}

/**
 * Return the key of a seat's card: in the viewer's hand, or among the known cards of another hand.
 * @param {AnimationKit} kit @param {number} seat @param {string} card
 */
const cardKey = (kit, seat, card) => (kit.view.seat === seat ? `hand-${card}` : `known-${seat}-${card}`);

/** A card is played from a hand: highlight its player. @param {Cue} cue @param {AnimationKit} kit */
function animatePlayed({ seat }, kit) {
  kit.highlight(`seat-${seat}`, 700);
  kit.delay(350);
}

/** A card is laid openly. @param {Cue} cue @param {AnimationKit} kit @param {string} piece */
function animateLaidOpenly({ seat }, kit, piece) {
  kit.highlight(`seat-${seat}`, 700);
  kit.fadeIn(seat === kit.view.seat ? `open-${piece}` : `open-${seat}-${piece}`, 400);
}

/** @type {Record<string, (cue: Cue, kit: AnimationKit) => void>} */
export const cues = {
  start: ({ args }, kit) => kit.highlight(`seat-${args?.player}`, 1400),
  buy({ seat, args }, kit) {
    kit.moveFrom(cardKey(kit, seat, args?.card), `slot-${args?.slot - 1}`, 450);
    kit.highlight("purse");
  },
  turn_up(cue, kit) {
    const slot = findNewSlot(kit, cue);
    kit.fadeIn(slot < 0 ? "offered" : `slot-${slot}`, 400);
  },
  decline(_cue, kit) {
    const before = kit.before?.state;
    if (!before || before.offered < 0) return;
    const slot = kit.view.state.row.findIndex(
      (/** @type {number} */ card, /** @type {number} */ i) => card === before.offered && before.row[i] !== card,
    );
    if (slot >= 0) kit.moveFrom(`slot-${slot}`, "offered", 400); // the Queen does not take it
  },
  take: ({ seat, args }, kit) => kit.moveFrom(cardKey(kit, seat, args?.card), "offered", 500),
  confessor: animatePlayed,
  courtier: animatePlayed,
  forger: animatePlayed,
  thief: animatePlayed,
  cardinal: animatePlayed,
  musketeers: animatePlayed,
  cancel: animatePlayed,
  discard: animatePlayed,
  favorite(cue, kit) {
    animatePlayed(cue, kit);
    kit.highlight(`tile-${cue.args?.gem}`, 1000);
  },
  steal({ args }, kit) {
    const { giver, taker } = kit.view.state;
    kit.moveFrom(cardKey(kit, taker, args?.card), `seat-${giver}`, 600);
  },
  merchant(_, kit) {
    kit.highlight("clock", 1200);
    kit.delay(600);
  },
  lay_open: (cue, kit) => animateLaidOpenly(cue, kit, cue.args?.card),
  ring_open: (cue, kit) => animateLaidOpenly(cue, kit, `ring_${cue.args?.gem}`),
  king_open: (cue, kit) => animateLaidOpenly(cue, kit, `king_${cue.args?.gem}`),
  necklace_open: (cue, kit) => animateLaidOpenly(cue, kit, `necklace_${cue.args?.gem}`),
  banker_open: (cue, kit) => animateLaidOpenly(cue, kit, "banker"),
  commit({ seat }, kit) {
    kit.highlight(`seat-${seat}`);
    playReveal(kit);
  },
  alchemist(cue, kit) {
    animatePlayed(cue, kit);
    playReveal(kit);
  },
  no_alchemist: (_, kit) => playReveal(kit),
  stops: playStop,
  sells: playSold,
  pays: playGift,
};
