/** What a view of The King's New Town says, under names that the rest of the board can use. */
import { blocksOf, SIZES } from "./packing.js";

/**
 * @typedef {import("../../web/types.js").View} View @typedef {import("../../web/types.js").Move} Move
 * @typedef {import("../../web/ui.js").Ui} Ui
 */
/** @typedef {{form: string, key: number}} Stage what a house became, and the blocks laid then */
/** @typedef {{id: number, land: number, which: number, owner: number, form: string, stages: Stage[]}} House */

const PHASES = [
  "preparing",
  "placing",
  "acting",
  "rerolling",
  "taking",
  "building",
  "laying",
  "bonus",
  "welcoming",
  "lodging",
  "over",
  "planting",
  "drafting",
  "walking",
  "managing",
  "voting",
];
const LAYOUTS = ["pinwheel", "cross"];
export const GROUNDS = ["lawn", "paved", "brick", "mud"];
export const FEET = ["2×2", "2×3", "2×4", "3×3"];
export const COLOURED = ["green", "red", "black"];
export const WHITE = ["first", "second", "third"];
export const KING = 16;

/**
 * Width, depth and floors of a form, and whether it has a penthouse. @param {string} form
 * @returns {{box: [number, number, number], penthouse: boolean}}
 */
export const boxOf = (form) => ({
  box: [Number(form[0]), Number(form[2]), Number(form[4])],
  penthouse: form.endsWith("p"),
});
/** @param {string} form */
export const cubesOf = (form) => Number(form[0]) * Number(form[2]) * Number(form[4]) + (form.endsWith("p") ? 4 : 0);

export class Position {
  /** @param {View} view @param {Ui} ui */
  constructor(view, ui) {
    this.view = view;
    this.s = view.state;
    this.ui = ui;
    this.box = ui.about.components;
    this.phase = PHASES[this.s.phase];
    /** @type {number} whose turn it is */
    this.seat = this.s.seat;
    /** @type {number | null} who has to decide */
    this.chooser = view.pending[0] ?? null;
    this.mine = ui.me !== null && this.chooser === ui.me && view.legal.length > 0;
    this.over = view.over;
    this.seats = Array.from({ length: this.s.players }, (_, seat) => seat);
    /** @type {number[]} the seats in this round's order */
    this.order = this.s.ruleset
      ? this.s.order.slice(0, this.s.players)
      : this.seats.map((n) => (Math.max(this.s.first, 0) + n) % this.s.players);
    /** @type {string[]} */
    this.lands = /** @type {string[]} */ (ui.about.fields.tree.axes[0]);
    /** @type {string[]} */
    this.forms = /** @type {string[]} */ (ui.about.moves.build.args.form.values);
    /** @type {string[]} */
    this.residents = /** @type {string[]} */ (ui.about.fields.resident_owner.axes[0]);
    /** @type {string[]} */
    this.sources = /** @type {string[]} */ (ui.about.fields.earned.axes[1]);
  }

  /** @param {number} land @returns {string} lawn, paved, brick, mud or king */
  ground(land) {
    return land === KING ? "king" : (GROUNDS.find((g) => this.box.grounds[g].numbers.includes(land + 3)) ?? "mud");
  }
  /** @param {number} land */
  landPoints(land) {
    return land === KING ? this.box.king.points : this.box.grounds[this.ground(land)].points;
  }
  /** The land's number or the King's name, short. @param {number} land */
  short(land) {
    return land === KING ? this.ui.t("newtown-king-short") : String(land + 3);
  }
  /** @param {number} land */
  landName(land) {
    return this.ui.t(`newtown-land-${this.lands[land]}`);
  }

  /** What a bonus square gives: without land cards always a gem. @param {number} square */
  reward(square) {
    return this.s.ruleset ? "gem" : this.box.track.rewards[square];
  }

  /** Rows of places, as lands; null: no land there (or none yet). @returns {(number | null)[][]} */
  get rows() {
    let n = 0;
    return this.box.layouts[LAYOUTS[this.s.map]].map((/** @type {string} */ row) =>
      [...row].map((mark) => {
        if (mark === "K") return KING;
        const land = mark === "X" ? this.s.land_at[n++] : -1;
        return land < 0 ? null : land;
      }),
    );
  }

  /** @param {number} land @returns {House[]} */
  housesOn(land) {
    return Array.from({ length: this.s.houses[land] }, (_, which) => this.house(land * 2 + which));
  }
  /** @returns {House[]} */
  get houses() {
    return this.lands.flatMap((_, land) => this.housesOn(land));
  }

  /** @param {number} id @returns {House} */
  house(id) {
    const { s, forms } = this;
    const stages = Array.from({ length: s.stages[id] }, (_, i) => ({
      form: forms[s.wall_form[id][i]],
      key: s.walls[id][i],
    }));
    return { id, land: id >> 1, which: id & 1, owner: s.owner[id], form: forms[s.form[id]], stages };
  }

  /** Base points, also the number of persons. @param {string} form */
  base(form) {
    const { box, penthouse } = boxOf(form);
    return this.box.houses[form.slice(0, 3)].base[box[2] - 1] + (penthouse ? this.box.houses.penthouse : 0);
  }

  /** Sizes of the blocks a seat holds, largest first. @param {number} seat @returns {number[]} */
  hand(seat) {
    return SIZES.toReversed().flatMap((size) => Array(this.s.blocks[seat][size - 1]).fill(size));
  }
  /** @param {number} key */
  blocks(key) {
    return blocksOf(key);
  }
  /** Names of a seat's resident cards. @param {number} seat */
  guests(seat) {
    return this.residents.filter((_, i) => this.s.resident_owner[i] === seat);
  }
  /** The lands of a seat's land cards. @param {number} seat @returns {number[]} */
  landCards(seat) {
    return this.s.land_owner.flatMap((/** @type {number} */ owner, /** @type {number} */ card) =>
      owner === seat ? [card] : [],
    );
  }

  /** What the latest building brought to whom. @returns {{seat: number, source: string, points: number}[]} */
  get gained() {
    const of = (/** @type {number} */ seat) =>
      this.sources.map((source, i) => ({ seat, source, points: this.s.latest[seat][i] ?? 0 }));
    return this.seats.flatMap(of).filter(({ points }) => points);
  }

  /**
   * May this land card be used: now, later in the game, or no more this round?
   * @param {number} card @returns {"ready" | "later" | "used"}
   */
  readiness(card) {
    const { s } = this;
    if (s.land_used[card] === s.round) return "used";
    return this.box.grounds[this.ground(card)].from === "now" || s.land_gained[card] < s.round ? "ready" : "later";
  }

  /** Original rules: in a turn, with pips to spend. */
  get pips() {
    return this.s.ruleset === 1 && ["walking", "managing", "building", "laying"].includes(this.phase);
  }

  /** Lands on which the white dice let a seat build, in the original rules. @param {number} seat @returns {number[]} */
  opened(seat) {
    return this.s.white[seat].every(Boolean) ? [this.total(seat) - 3, ...(this.kingCalls(seat) ? [KING] : [])] : [];
  }

  /** Three white dice alike or in sequence, none of them changed. @param {number} seat */
  kingCalls(seat) {
    const [low, middle, high] = this.s.white[seat].toSorted(
      (/** @type {number} */ a, /** @type {number} */ b) => a - b,
    );
    return this.s.times[seat].every((/** @type {number} */ n) => n === 1) && alikeOrSequence(low, middle, high);
  }

  /** The green pips that the shortest way to every land costs. @param {number} seat @returns {Map<number, number>} */
  steps(seat) {
    const { rows, s } = this;
    const costs = new Map([[s.craftsman[seat], 0]]);
    const way = [s.craftsman[seat]];
    const near = (/** @type {number} */ x, /** @type {number} */ y) => [
      rows[y]?.[x - 1],
      rows[y]?.[x + 1],
      rows[y - 1]?.[x],
      rows[y + 1]?.[x],
    ];
    for (let from = way.shift(); from !== undefined; from = way.shift()) {
      const y = rows.findIndex((row) => row.includes(from));
      const x = rows[y].indexOf(from);
      for (const land of near(x, y)) {
        const cost = costs.get(from) + (land === KING ? this.box.original.into_kings_land : 1);
        if (typeof land !== "number" || cost >= (costs.get(land) ?? Infinity)) continue;
        costs.set(land, cost);
        way.push(land);
      }
    }
    return costs;
  }

  /** Sum of the white dice, each as often as it counts. @param {number} seat */
  total(seat) {
    return this.s.white[seat].reduce(
      (/** @type {number} */ sum, /** @type {number} */ face, /** @type {number} */ i) =>
        sum + face * this.s.times[seat][i],
      0,
    );
  }

  /** The white dice picked to be rolled: all, unless some are chosen. @returns {boolean[]} */
  get picked() {
    return this.ui.local.picked ?? [true, true, true];
  }

  /** How likely each land is by the roll that may come next; null if none may. */
  get rollOdds() {
    if (!this.mine || !this.view.legal.some(({ verb }) => verb === "roll" || verb === "move")) return null;
    return odds(this.s.white[this.seat], this.phase === "rerolling" ? this.picked : [true, true, true]);
  }

  /** @param {number} land */
  chance(land) {
    const found = this.rollOdds;
    return !found ? 0 : land === KING ? found.king : found.lands[land];
  }

  /**
   * What a new house or extension would bring here now, line by line.
   * @param {Move} move @returns {[string, number][]}
   */
  points(move) {
    const { s } = this;
    const form = move.args.form;
    const lines = /** @type {[string, number][]} */ ([]);
    const land = s.craftsman[this.seat];
    const old = move.verb !== "build" ? this.house(land * 2 + (move.args.which === "first" ? 0 : 1)).form : null;
    const largest = cubesOf(form) > s.largest ? this.box.bonuses.largest : 0;
    lines.push(["base", this.base(form) - (old && s.extension_scoring ? this.base(old) : 0)]);
    if (!old || !s.extension_scoring) lines.push(["land", this.landPoints(land)]);
    for (const source of old ? [] : ["tree", "second", "fifth", "lines", "squares"])
      lines.push([source, s.site[this.sources.indexOf(source)]]);
    lines.push(["largest", largest]);
    return lines.filter(([source, points]) => points || source === "base");
  }
}

/** @param {number} chance */
export const percent = (chance) =>
  chance >= 0.0995 ? `${Math.round(chance * 100)}%` : `${(chance * 100).toFixed(1)}%`;

/** @param {number} low @param {number} middle @param {number} high */
const alikeOrSequence = (low, middle, high) => low === high || (middle === low + 1 && high === low + 2);

/**
 * How likely each land is when some white dice are rolled and the others stay.
 * @param {number[]} white @param {boolean[]} rolled
 * @returns {{lands: number[], king: number}} parts of 1 by land index
 */
export function odds(white, rolled) {
  const lands = Array(KING).fill(0);
  let king = 0;
  let all = 0;
  const faces = white.map((face, i) => (rolled[i] ? SIZES : [face]));
  for (const a of faces[0])
    for (const b of faces[1])
      for (const c of faces[2]) {
        const [low, middle, high] = [a, b, c].sort((x, y) => x - y);
        all++;
        lands[a + b + c - 3]++;
        if (alikeOrSequence(low, middle, high)) king++;
      }
  return { lands: lands.map((n) => n / all), king: king / all };
}
