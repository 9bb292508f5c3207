/** The position of Puppet Kingdom: a view's data under names for the board. */
import { BasePosition } from "../../../web/board-sdk/base-position.js";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */
/**
 * @typedef {"kill" | "steal"} MarkKind
 * @typedef {{kind: MarkKind, by: number, target: number, servant: string, state: "open" | "hit" | "over"}} Mark
 */

export class Position extends BasePosition {
  /** @param {View} view @param {BoardContext} ui */
  constructor(view, ui) {
    super(view, ui);
    const { components } = ui.about;
    this.cards = components[this.facts.cards] ?? components;
    this.goods = this.axisNames("goods", 1);
    this.events = /** @type {string[]} */ (ui.values.event);
    this.buildings = this.axisNames("place");
    this.all = this.axisNames("open");
    /** The servants in play. */
    this.servants = this.all.slice(0, this.facts.servants);
    /** The other seats clockwise from the viewer; for spectators all seats. */
    this.others = this.seats.slice(this.me === null ? 0 : 1).map((i) => ((this.me ?? 0) + i) % this.state.players);
  }

  /** @returns {number} */
  get goal() {
    return this.facts.goal;
  }
  /** The part of the round. @returns {"draft" | "first" | "second" | "end"} */
  get roundPart() {
    return this.facts.part;
  }
  /** The servant whose turn it is. */
  get activeServant() {
    return this.#servantName((this.facts.card ?? -1) + 1);
  }
  /** The active servant's fate: "", killed or stolen. */
  get activeFate() {
    return this.#fateName(this.facts.fate);
  }

  /** @param {number} n */
  #fateName(n) {
    return n ? this.ui.fieldValueName("fate", n) : "";
  }

  /** @param {number} n servant + 1, or 0 @returns {string | null} */
  #servantName(n) {
    return n ? this.all[n - 1] : null;
  }

  /** Return the servants with 1 in a row. @param {number[] | null | undefined} row @returns {string[]} */
  listServants(row) {
    return this.servants.filter((_, i) => row?.[i]);
  }

  /**
   * Return the servants in front of a seat, in order: revealed, then face down (known only to their owner).
   * @param {number} seat @returns {{key: string, servant: string | null, up: boolean, fate: string}[]}
   */
  servantsBefore(seat) {
    const up = [0, 1].flatMap((i) => {
      const servant = this.#servantName(this.state.up[seat][i]);
      return servant
        ? [{ key: `up-${seat}-${i}`, servant, up: true, fate: this.#fateName(this.state.fate[seat][i]) }]
        : [];
    });
    const own = this.listServants(this.state.down[seat]);
    const down = Array.from({ length: this.state.facedown[seat] }, (_, i) => ({
      key: `down-${seat}-${own[i] ?? i}`,
      servant: own[i] ?? null,
      up: false,
      fate: "",
    }));
    return [...up, ...down];
  }

  /**
   * Return the servants that a seat revealed in the previous round, during the draft.
   * @param {number} seat @returns {{key: string, servant: string, fate: string}[]}
   */
  servantsLastRound(seat) {
    return (this.roundPart === "draft" ? [0, 1] : []).flatMap((i) => {
      const servant = this.#servantName(this.state.last[seat][i]);
      return servant ? [{ key: `up-${seat}-${i}`, servant, fate: this.#fateName(this.state.last_fate[seat][i]) }] : [];
    });
  }

  /** The servant that the viewer laid in the centre. */
  get servantInCentre() {
    return this.me === null ? null : this.#servantName(this.state.centre[this.me]);
  }

  /** @param {number} seat @returns {string[]} */
  buildingsOf(seat) {
    return this.#buildingsIn("owned", seat);
  }
  /** Return the buildings for which this seat owes tax. @param {number} seat @returns {string[]} */
  taxedBuildings(seat) {
    return this.facts.owes[seat].map((/** @type {number} */ i) => this.buildings[i]);
  }
  /** The places of the row: a building, or null. @returns {(string | null)[]} */
  get rowBuildings() {
    return this.seats.map((i) => (this.state.row[i] ? this.buildings[this.state.row[i] - 1] : null));
  }
  get pileBuildings() {
    return this.#buildingsIn("pile");
  }
  get discardedBuildings() {
    return this.#buildingsIn("discarded");
  }
  /** @param {string} where @param {number} [seat] */
  #buildingsIn(where, seat = 0) {
    const place = (this.ui.about.fields.place.names ?? []).indexOf(where) + seat;
    return this.buildings.filter((_, i) => this.state.place[i] === place);
  }

  /** @param {number} seat @param {string} good @returns {number} */
  goodCount(seat, good) {
    return this.state.goods[seat][this.goods.indexOf(good)];
  }
  /**
   * Return the goods of a cost or tax with amounts other than 0.
   * @param {Record<string, number>} amounts @returns {[string, number][]}
   */
  listAmounts(amounts) {
    return this.goods.flatMap((good) =>
      amounts[good] ? [/** @type {[string, number]} */ ([good, amounts[good]])] : [],
    );
  }
  /**
   * Return the goods that the viewer lacks to buy a building of the row.
   * @param {string} building @returns {[string, number][]}
   */
  missingGoods(building) {
    return this.goods.flatMap((good, i) => {
      const lack = this.facts.missing[building]?.[i];
      return lack ? [/** @type {[string, number]} */ ([good, lack])] : [];
    });
  }

  /**
   * Return the number in a servant's or event's text.
   * @param {"servants" | "events"} part @param {string} name @returns {number}
   */
  effectNumber(part, name) {
    return /** @type {number} */ (Object.values(this.cards[part][name].gain ?? {})[0] ?? 1);
  }

  get newestEvent() {
    return this.state.newest ? this.events[this.state.newest - 1] : null;
  }
  /** The previous event, below the current one. */
  get olderEvent() {
    return this.state.older ? this.events[this.state.older - 1] : null;
  }
  /**
   * The events still in the pile, with their place if the viewer has seen it.
   * @returns {{event: string, place: number | null}[]}
   */
  get eventPile() {
    return this.facts.pile.map((/** @type {[number, number | null]} */ [event, place]) => ({
      event: this.events[event],
      place,
    }));
  }
  /** The last eight events, oldest first. @returns {string[]} */
  get history() {
    return this.state.history.flatMap((/** @type {number} */ n) => (n ? [this.events[n - 1]] : [])).reverse();
  }

  /** The marks of Reaper and Imp. @returns {Mark[]} */
  get marks() {
    return this.state.mark.flatMap((/** @type {number[]} */ [by, target, n], /** @type {number} */ i) => {
      if (by < 0) return [];
      const kind = /** @type {MarkKind} */ (this.axisNames("mark")[i]);
      return [{ kind, by, target, servant: this.all[n], state: this.facts.marks[i] }];
    });
  }

  /**
   * With the deduction option: return the servants that another seat can still hold, as far as the viewer knows.
   * @param {number} seat @returns {string[]}
   */
  possibleServants(seat) {
    return this.state.deduction && this.me !== null && seat !== this.me && this.state.facedown[seat]
      ? this.listServants(this.state.possible[this.me]?.[seat])
      : [];
  }

  /**
   * Return whether another seat can hold a servant, as far as the viewer knows.
   * @param {number} seat @param {string} servant
   */
  canHold(seat, servant) {
    return this.facts.holds[seat].includes(this.all.indexOf(servant));
  }

  /** Join names in the reader's language. @param {string} kind @param {string[]} names */
  formatNames(kind, names) {
    return this.ui.formatList(names.map((name) => this.ui.t(`puppet-${kind}-${name}`)));
  }
  /** Format amounts of goods. @param {[string, number][]} amounts */
  formatAmounts(amounts) {
    return this.ui.formatList(amounts.map(([good, n]) => this.ui.t("puppet-amount", { n, good })));
  }
}
