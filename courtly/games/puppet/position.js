/** What a view of Puppet Kingdom says, under names that the rest of the board can use. */
import { AnyPosition } from "../../web/position.js";

/** @typedef {import("../../web/types.js").View} View @typedef {import("../../web/ui.js").Ui} Ui */
/**
 * @typedef {"kill" | "steal"} MarkKind
 * @typedef {{kind: MarkKind, by: number, target: number, servant: string, state: "open" | "hit" | "over"}} Mark
 */

/** In the order of the rules. */
const PHASES = [
  "starting",
  "opening",
  "dealing",
  "drafting",
  "revealing",
  "telling",
  "stealing",
  "acting",
  "peeking",
  "putting",
  "turning-up",
  "drawing",
  "rewarding",
  "taxing",
  "collecting",
  "refilling",
  "over",
];
const PILE = 0;
const DISCARDED = 1;
const OWNED = 3;
const FATES = ["", "killed", "stolen"];

export class Position extends AnyPosition {
  /** @param {View} view @param {Ui} ui */
  constructor(view, ui) {
    super(view, ui);
    this.phase = PHASES[this.s.phase];
    const { components } = ui.about;
    this.cards = this.s.cards ? components.own : components;
    this.goods = this.axis("goods", 1);
    this.events = /** @type {string[]} */ (ui.axes.event);
    this.buildings = this.axis("place");
    this.all = this.axis("open");
    /** Those in play. */
    this.servants = this.all.filter((name) => name !== "princess" || this.s.princess);
    /** Others clockwise from the viewer; for spectators everybody. */
    this.others = this.seats.slice(this.me === null ? 0 : 1).map((i) => ((this.me ?? 0) + i) % this.s.players);
  }

  get goal() {
    return this.cards.game.goal;
  }
  /** draft, first, second or end: which part of the round it is. */
  get part() {
    if (["starting", "opening", "dealing", "drafting"].includes(this.phase)) return "draft";
    if (this.s.seat < 0) return "end";
    return this.s.turn < this.s.players ? "first" : "second";
  }
  /** The servant whose turn it is. */
  get card() {
    return this.s.seat < 0 ? null : this.#servant(this.s.up[this.s.seat][this.s.turn < this.s.players ? 0 : 1]);
  }

  /** @param {number} n servant + 1, or 0 @returns {string | null} */
  #servant(n) {
    return n ? this.all[n - 1] : null;
  }

  /** A row that says 1 for each servant. @param {number[] | null | undefined} row @returns {string[]} */
  list(row) {
    return this.servants.filter((_, i) => row?.[i]);
  }

  /**
   * What lies before a seat, in order: turned up, then face down (known to its owner alone).
   * @param {number} seat @returns {{key: string, servant: string | null, up: boolean, fate: string}[]}
   */
  before(seat) {
    const up = [0, 1].flatMap((i) => {
      const servant = this.#servant(this.s.up[seat][i]);
      return servant ? [{ key: `up-${seat}-${i}`, servant, up: true, fate: FATES[this.s.fate[seat][i]] }] : [];
    });
    const own = this.list(this.s.down[seat]);
    const down = Array.from({ length: this.s.facedown[seat] }, (_, i) => ({
      key: `down-${seat}-${own[i] ?? i}`,
      servant: own[i] ?? null,
      up: false,
      fate: "",
    }));
    return [...up, ...down];
  }

  /**
   * What a seat turned up in the round before, as long as the draft goes on.
   * @param {number} seat @returns {{key: string, servant: string, fate: string}[]}
   */
  last(seat) {
    return (this.part === "draft" ? [0, 1] : []).flatMap((i) => {
      const servant = this.#servant(this.s.last[seat][i]);
      return servant ? [{ key: `up-${seat}-${i}`, servant, fate: FATES[this.s.last_fate[seat][i]] }] : [];
    });
  }

  /** A servant laid in the centre by the viewer. */
  get centre() {
    return this.me === null ? null : this.#servant(this.s.centre[this.me]);
  }

  /** @param {number} seat @returns {string[]} */
  owned(seat) {
    return this.buildings.filter((_, i) => this.s.place[i] === OWNED + seat);
  }
  /** Each place of the row: a building, or null. @returns {(string | null)[]} */
  get row() {
    return this.seats.map((i) => (this.s.row[i] ? this.buildings[this.s.row[i] - 1] : null));
  }
  get pile() {
    return this.buildings.filter((_, i) => this.s.place[i] === PILE);
  }
  get discarded() {
    return this.buildings.filter((_, i) => this.s.place[i] === DISCARDED);
  }

  /** @param {number} seat @param {string} good @returns {number} */
  has(seat, good) {
    return this.s.goods[seat][this.goods.indexOf(good)];
  }
  /**
   * The goods of a cost or a tax that are not nought.
   * @param {Record<string, number>} amounts @returns {[string, number][]}
   */
  amounts(amounts) {
    return this.goods.flatMap((good) =>
      amounts[good] ? [/** @type {[string, number]} */ ([good, amounts[good]])] : [],
    );
  }
  /**
   * What a seat lacks to buy a building.
   * @param {number} seat @param {string} building @returns {[string, number][]}
   */
  missing(seat, building) {
    return this.amounts(this.cards.buildings[building].cost).flatMap(([good, n]) => {
      const lack = n - this.has(seat, good);
      return lack > 0 ? [/** @type {[string, number]} */ ([good, lack])] : [];
    });
  }

  /**
   * The number a servant's or an event's text speaks of.
   * @param {"servants" | "events"} part @param {string} name @returns {number}
   */
  number(part, name) {
    return /** @type {number} */ (Object.values(this.cards[part][name].gain ?? {})[0] ?? 1);
  }

  get newest() {
    return this.s.newest ? this.events[this.s.newest - 1] : null;
  }
  /** The event that lies open below it. */
  get older() {
    return this.s.older ? this.events[this.s.older - 1] : null;
  }
  /**
   * Events still in the pile, with the place the viewer has seen them in.
   * @returns {{event: string, place: number | null}[]}
   */
  get eventPile() {
    const known = this.me === null ? [] : this.s.known[this.me];
    return this.events
      .filter((event) => event !== this.newest && event !== this.older)
      .map((event) => ({
        event,
        place: known.includes(this.events.indexOf(event) + 1) ? known.indexOf(this.events.indexOf(event) + 1) : null,
      }));
  }
  /** Events so far, the oldest of the last eight first. @returns {string[]} */
  get history() {
    return this.s.history.flatMap((/** @type {number} */ n) => (n ? [this.events[n - 1]] : [])).reverse();
  }

  /** The marks of Reaper and Imp. @returns {Mark[]} */
  get marks() {
    return this.s.mark.flatMap((/** @type {number[]} */ [by, target, n], /** @type {number} */ i) => {
      if (by < 0) return [];
      const at = this.s.up[target].indexOf(n + 1);
      const hit = at >= 0 && this.s.fate[target][at] === i + 1;
      const servant = /** @type {string} */ (this.#servant(n + 1));
      return [
        {
          kind: /** @type {MarkKind} */ (i ? "steal" : "kill"),
          by,
          target,
          servant,
          state: hit ? "hit" : this.s.open[n] || !this.s.facedown[target] ? "over" : "open",
        },
      ];
    });
  }

  /**
   * With the deduction option: what another seat can still hold, as far as the viewer can tell.
   * @param {number} seat @returns {string[]}
   */
  possible(seat) {
    return this.s.deduction && this.me !== null && seat !== this.me && this.s.facedown[seat]
      ? this.list(this.s.possible[this.me]?.[seat])
      : [];
  }

  /**
   * Can a seat hold a servant, by what the viewer's screen shows: what is worked out for it, or else by its own cards?
   * @param {number} seat @param {string} servant
   */
  canHold(seat, servant) {
    const me = /** @type {number} */ (this.me);
    return this.s.deduction
      ? this.possible(seat).includes(servant)
      : servant !== this.centre && !this.list(this.s.down[me]).includes(servant);
  }

  /** A list of names in the reader's language. @param {string} kind @param {string[]} names */
  names(kind, names) {
    return this.ui.list(names.map((name) => this.ui.t(`puppet-${kind}-${name}`)));
  }
  /** Amounts of goods in words. @param {[string, number][]} amounts */
  words(amounts) {
    return this.ui.list(amounts.map(([good, n]) => this.ui.t("puppet-amount", { n, good })));
  }
}
