/** The position of The King's New Town: a view's data under names for the board. */
import { BasePosition } from "../../../web/board-sdk/base-position.js";
import { roundToTotal } from "../../../web/core/percentages.js";
import { listBlockSizes, packHouse } from "./packing.js";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View @typedef
 * {import("../../../web/core/api-types.js").Move} Move
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */
/**
 * A house's blocks by stage, and the block in each cell: x fastest, then y, then z; a penthouse's cells come last.
 * @typedef {{form: string, blocks: number[][], cells: number[]}} Built
 * @typedef {Built & {id: number, land: number, which: number, owner: number}} House
 * A house that could be built here now: the builder's points by source, and those of other seats.
 * @typedef {Built & {sum: number, points: number[], others: number[], loser: number, gems: number, resident: number}
 *   } Offer
 */

/**
 * Return a form's width, depth and floors, and whether it has a penthouse.
 * @param {string} form
 * @returns {{box: [number, number, number], penthouse: boolean}}
 */
export const parseForm = (form) => ({
  box: [Number(form[0]), Number(form[2]), Number(form[4])],
  penthouse: form.endsWith("p"),
});

export class Position extends BasePosition {
  /** @param {View} view @param {BoardContext} ui */
  constructor(view, ui) {
    super(view, ui);
    const { components } = ui.about;
    /** @param {[string, object]} resident @param {number} i */
    const withPoints = ([name, card], i) => [name, { ...card, points: this.facts.resident_points[i] }];
    const cards = Object.entries(components.residents).filter(([name]) => name !== "source");
    /** The data of the game's components, with the residents' worth at this table. @type {Record<string, any>} */
    this.box = { ...components, residents: Object.fromEntries(cards.map(withPoints)) };
    /** @type {number} the active player; in a simultaneous choice, the player whose dice are shown */
    this.seat = this.facts.dicing;
    /** @type {number | null} the player who has to decide */
    this.chooser = view.pending[0] ?? null;
    /** @type {number[]} the active player, or all players of a simultaneous choice */
    this.choosers = this.phase === "aiming" ? view.pending : this.seat < 0 ? [] : [this.seat];
    /** Are the players laying the lands? Then everyone sees the remaining ones. */
    this.isLayingLands = this.phase === "picking" || this.phase === "settling";
    /** @type {number[]} the seats in turn order of this round */
    this.order = this.facts.order;
    this.isOriginal = ui.fieldValueName("ruleset", this.state.ruleset) === "original";
    this.lands = this.axisNames("tree");
    this.king = this.lands.indexOf("king");
    this.forms = /** @type {string[]} */ (ui.about.moves.build.args.form.values);
    this.residents = this.axisNames("resident_owner");
    this.sources = this.axisNames("earned", 1);
    const fromBuilding = this.axisNames("latest", 1);
    this.endSources = this.sources.filter((source) => !fromBuilding.includes(source));
    this.footprints = this.axisNames("roofs", 1).map((foot) => foot.replace("x", "×"));
    this.whites = this.axisNames("white", 1);
    this.colours = this.axisNames("coloured", 1);
    this.poolColours = this.axisNames("pool");
    /** The land or place on the map that Tab leads to. */
    this.tabStop = "";
  }

  /** @param {number} land @returns {string} lawn, paved, brick, mud or king */
  ground(land) {
    return this.facts.grounds[land];
  }
  /** @param {number} land @returns {number} */
  landPoints(land) {
    return this.facts.land_points[land];
  }
  /** Return the land's number, or the King's short name. @param {number} land */
  shortLandName(land) {
    return land === this.king ? this.ui.t("newtown-king-short") : this.lands[land];
  }
  /** Return a mark for the land if there is no room for a name. @param {number} land */
  landMark(land) {
    return land === this.king ? "♔" : this.lands[land];
  }
  /** @param {number} land */
  landName(land) {
    return this.ui.t(`newtown-land-${this.lands[land]}`);
  }

  /** The starting players of this round and the next ones as text, or "" if not determined yet. */
  get startersText() {
    const { starters } = this.facts;
    return starters.length ? this.ui.t("newtown-starters", { names: this.ui.playerNames(starters) }) : "";
  }

  /** Return the reward of a bonus square: "gem" or "card". @param {number} square */
  trackReward(square) {
    return this.facts.rewards[square];
  }

  /** The rows of places with their lands; null: no land there. @returns {(number | null)[][]} */
  get rows() {
    return this.#mapGrid((land) => (land < 0 ? null : land));
  }

  /**
   * The rows of places with their numbers, where the players may lay a land; null: elsewhere.
   * @returns {(number | null)[][]}
   */
  get places() {
    return this.#mapGrid((land, place) => (this.isLayingLands && land < 0 ? place + 1 : null));
  }

  /**
   * Return the rows of places with a value for each place, from its land, or -1, and its number; null: no place.
   * @template T @param {(land: number, place: number) => T | null} find @returns {(T | null)[][]}
   */
  #mapGrid(find) {
    return this.facts.grid.map((/** @type {(number | null)[]} */ row) =>
      row.map((place) => (place === null ? null : find(this.state.land_at[place], place))),
    );
  }

  /** @param {number} land @returns {House[]} */
  housesOn(land) {
    return Array.from({ length: this.state.houses[land] }, (_, which) => this.house(land * 2 + which));
  }
  /** @returns {House[]} */
  get houses() {
    return this.lands.flatMap((_, land) => this.housesOn(land));
  }

  /** @param {number} id @returns {House} */
  house(id) {
    const { state, forms } = this;
    const [land, which] = [id >> 1, id & 1];
    const count = which < state.houses[land] ? state.stages[id] : 0;
    const stages = Array.from({ length: count }, (_, i) => [state.wall_form[id][i], state.walls[id][i]]);
    return { id, land, which, owner: state.owner[id], ...this.#packHouse(forms[state.form[id]], stages) };
  }

  /**
   * Return a house with its blocks. `stages`: the form of each stage, and the key of its blocks.
   * @param {string} form @param {number[][]} stages @returns {Built}
   */
  #packHouse(form, stages) {
    const forms = stages.map(([number, key]) => ({ ...parseForm(this.forms[number]), key }));
    return { form, blocks: stages.map(([, key]) => listBlockSizes(key)), cells: packHouse(this.box.blocks, forms) };
  }

  /** The house being built, if the largest blocks come first. @returns {Built} */
  get houseInProgress() {
    return this.#packHouse(this.forms[this.state.plan], this.facts.laying.stages);
  }

  /** Return the base points, which are also the number of persons. @param {string} form */
  basePoints(form) {
    return this.facts.base[this.forms.indexOf(form)];
  }

  /** Return the sizes of a seat's blocks, largest first. @param {number} seat @returns {number[]} */
  hand(seat) {
    return this.state.blocks[seat]
      .flatMap((/** @type {number} */ n, /** @type {number} */ i) => Array(n).fill(i + 1))
      .reverse();
  }
  /** Return the names of a seat's resident cards. @param {number} seat */
  residentsOf(seat) {
    return this.residents.filter((_, i) => this.state.resident_owner[i] === seat);
  }
  /** Return the lands of a seat's land cards. @param {number} seat @returns {number[]} */
  landCards(seat) {
    return this.state.land_owner.flatMap((/** @type {number} */ owner, /** @type {number} */ card) =>
      owner === seat ? [card] : [],
    );
  }

  /**
   * The points that the latest building brought, by seat and source.
   * @returns {{seat: number, source: string, points: number}[]}
   */
  get latestGains() {
    return this.facts.gained;
  }

  /**
   * Return what a land card is worth at the end as things stand: to its owner, or to a player who takes it.
   * @param {number} card
   */
  landCardPoints(card) {
    return this.facts.cards[card].points;
  }

  /** Return whether this land card may be used. @param {number} card @returns {"ready" | "later" | "used"} */
  readiness(card) {
    return this.facts.cards[card].state;
  }

  /** Original rules: whether the active player has pips to spend. */
  get hasPips() {
    return this.facts.spending === 1;
  }

  /** The unspent pips, by colour. @returns {Record<string, number>} */
  get unspent() {
    return Object.fromEntries(this.colours.map((colour, i) => [colour, this.state.pips[i]]));
  }

  /** Return the face of the active player's die of this colour. @param {string} colour @returns {number} */
  face(colour) {
    return this.state.coloured[this.seat][this.colours.indexOf(colour)];
  }

  /** Which white dice are selected for a roll; by default all. @returns {boolean[]} */
  get selectedDice() {
    return this.ui.local.picked ?? [true, true, true];
  }

  /** The name of the selected dice, or "" if none are selected. @returns {string} */
  get diceSelection() {
    return this.selectedDice.every(Boolean) ? "all" : this.whites.filter((_, i) => this.selectedDice[i]).join("-");
  }

  /** The probability of each land at the next roll; null if no roll is possible. @returns {number[] | null} */
  get rollOdds() {
    if (!this.canAct || !this.view.legal.some(({ verb }) => verb === "roll" || verb === "move")) return null;
    const { odds } = this.facts;
    const throws =
      odds.length > 1 ? odds[this.ui.about.moves.roll.args.dice.values.indexOf(this.diceSelection)] : odds[0];
    const all = throws?.slice(0, this.king).reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0);
    return throws?.map((/** @type {number} */ n) => n / all) ?? null;
  }

  /**
   * The same in percent; those of the lands add up to 100. The King's land can be chosen besides them.
   * @returns {number[] | null}
   */
  get rollPercents() {
    const odds = this.rollOdds?.map((chance) => 1000 * chance);
    if (!odds) return null;
    const tenths = [...roundToTotal(odds.slice(0, this.king), 1000), ...odds.slice(this.king).map(Math.round)];
    return tenths.map((n) => n / 10);
  }

  /** Return the house that a move builds, and its points. @param {Move} move @returns {Offer} */
  findOffer(move) {
    const found = this.facts.offers.find((/** @type {any} */ offer) => offer.move === move.id);
    return { ...found, ...this.#packHouse(move.args.form, found.stages) };
  }

  /** Return the points of an offer, line by line. @param {Offer} offer @returns {[string, number][]} */
  pointLines({ points }) {
    return points
      .map((n, i) => /** @type {[string, number]} */ ([this.sources[i], n]))
      .filter(([source, n]) => n || source === "base");
  }
}

/** @param {number} percent */
export const formatPercent = (percent) => `${percent.toFixed(1)}%`;
