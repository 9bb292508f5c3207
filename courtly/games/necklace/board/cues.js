/** What moves when something happens. */

/**
 * @typedef {import("../../../web/core/api-types.js").Cue} Cue @typedef
 * {import("../../../web/board-sdk/animation.js").Kit} Kit
 * @typedef {import("../../../web/core/api-types.js").View} View
 */

/** Slots that have been given their new card while a view's cues are played. @type {WeakMap<View, Set<number>>} */
const filled = new WeakMap();

/** The place of the row where a card was just turned up. @param {Kit} kit @param {string} card */
function newSlot(kit, card) {
  const kind = /** @type {string[]} */ (kit.about.fields.hand.axes[1]).indexOf(card);
  const { row, rung } = kit.view.state;
  const done = filled.get(kit.view) ?? new Set();
  filled.set(kit.view, done);
  const slot = row.findIndex(
    (/** @type {number} */ there, /** @type {number} */ i) => there === kind && rung[i] === 0 && !done.has(i),
  );
  done.add(slot);
  return slot;
}

/**
 * Where a card of a seat is drawn: in my hand, or among what I know of another's.
 * @param {Kit} kit @param {number} seat @param {string} card
 */
const home = (kit, seat, card) => (kit.view.seat === seat ? `hand-${card}` : `known-${seat}-${card}`);

/** A card leaves a hand: its player shines. @param {Cue} cue @param {Kit} kit */
function played({ seat }, kit) {
  kit.glow(`seat-${seat}`, 700);
  kit.wait(350);
}

/** A card is laid for all to see. @param {Cue} cue @param {Kit} kit @param {string} piece */
function laidOpenly({ seat }, kit, piece) {
  kit.glow(`seat-${seat}`, 700);
  kit.appear(seat === kit.view.seat ? `open-${piece}` : `open-${seat}-${piece}`, 400);
}

/** @type {Record<string, (cue: Cue, kit: Kit) => void>} */
export const cues = {
  start: ({ args }, kit) => kit.glow(`seat-${args?.player}`, 1400),
  buy({ seat, args }, kit) {
    kit.travel(home(kit, seat, args?.card), `slot-${args?.slot - 1}`, 450);
    kit.glow("purse");
  },
  turn_up({ args }, kit) {
    const slot = newSlot(kit, args?.card);
    kit.appear(slot < 0 ? "offered" : `slot-${slot}`, 400);
  },
  take: ({ seat, args }, kit) => kit.travel(home(kit, seat, args?.card), "offered", 500),
  confessor: played,
  courtier: played,
  forger: played,
  thief: played,
  cardinal: played,
  musketeers: played,
  cancel: played,
  discard: played,
  alchemist: played,
  favorite(cue, kit) {
    played(cue, kit);
    kit.glow(`tile-${cue.args?.gem}`, 1000);
  },
  steal({ args }, kit) {
    const { giver, taker } = kit.view.state;
    kit.travel(home(kit, taker, args?.card), `seat-${giver}`, 600);
  },
  merchant(_, kit) {
    kit.glow("clock", 1200);
    kit.wait(600);
  },
  lay_open: (cue, kit) => laidOpenly(cue, kit, cue.args?.card),
  ring_open: (cue, kit) => laidOpenly(cue, kit, `ring_${cue.args?.gem}`),
  king_open: (cue, kit) => laidOpenly(cue, kit, `king_${cue.args?.gem}`),
  necklace_open: (cue, kit) => laidOpenly(cue, kit, `necklace_${cue.args?.gem}`),
  banker_open: (cue, kit) => laidOpenly(cue, kit, "banker"),
  commit({ seat }, kit) {
    kit.glow(`seat-${seat}`);
    if (kit.before?.state.phase !== kit.view.state.phase) turnOver(kit);
  },
  stops({ args }, kit) {
    for (let seat = 0; seat < kit.view.state.players; seat++)
      kit.animate(
        `lot-${seat}-${args?.gem}`,
        [
          { opacity: 1, filter: "none" },
          { opacity: 0.45, filter: "grayscale(1)" },
        ],
        700,
      );
    kit.wait(900);
  },
  sells({ args }, kit) {
    kit.glow(`lot-${args?.player}-${args?.gem}`, 1100);
    kit.glow(`seat-${args?.player}`, 1100);
    if (kit.before) kit.count(`pounds-${args?.player}`, kit.before.state.score[args?.player], 900);
    kit.wait(1000);
  },
  pays({ args }, kit) {
    kit.glow(`gift-${args?.player}`, 1000);
    kit.wait(900);
  },
};

/** The trays open one after the other, then rarity and prices. @param {Kit} kit */
function turnOver(kit) {
  const gems = /** @type {string[]} */ (kit.about.fields.stones.axes[1]);
  for (let seat = 0; seat < kit.view.state.players; seat++) {
    for (const gem of gems)
      kit.animate(
        `lot-${seat}-${gem}`,
        [
          { transform: "rotateX(90deg)", opacity: 0 },
          { transform: "none", opacity: 1 },
        ],
        500,
      );
    kit.wait(350);
  }
  for (const gem of gems)
    kit.animate(
      `rarity-${gem}`,
      [
        { transform: "translateY(-18px)", opacity: 0 },
        { transform: "none", opacity: 1 },
      ],
      500,
    );
  kit.wait(500);
  for (const gem of gems) kit.animate(`price-${gem}`, [{ opacity: 0 }, { opacity: 1 }], 400);
  kit.wait(400);
}
