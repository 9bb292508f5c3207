/**
 * What a view of Web of Power says, under names that the rest of the board can use. The board is data: nothing here
 * knows its size.
 */
import { BasePosition } from "../../../web/board-sdk/base-position.js";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View @typedef
 * {import("../../../web/core/api-types.js").Move} Move
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{id: string, country: string, name: string, x: number, y: number}} Site */
/** @typedef {{id: string, name_en: string, name_ja: string, card_type: string, seal: Point}} Country */
/** @typedef {{number: number, a: string, b: string, drawing: string, label: Point}} Alliance */
/** @typedef {{pair: string, single: string}} CardSet a set of cards as moves write it */

/** Cards in whatever order, so that they can be compared. @param {string[]} cards */
const sortCards = (cards) => String(cards.filter((card) => card !== "none").sort());

export class Position extends BasePosition {
  /** @param {View} view @param {BoardContext} ui */
  constructor(view, ui) {
    super(view, ui);
    this.map = ui.about.components;
    this.siteNames = this.axisNames("owner");
    this.countryNames = this.axisNames("free");
    this.types = this.axisNames("discards");
    /** No card, and the colours: what a set is made of. */
    this.set = /** @type {string[]} */ (ui.values.pair);
    this.allianceNames = this.axisNames("alliance_points", 1);
  }

  /** @returns {Site[]} */ get sites() {
    return this.map.sites;
  }
  /** @returns {Country[]} */ get countries() {
    return this.map.countries;
  }
  /** @returns {Alliance[]} */ get alliances() {
    return this.map.alliances;
  }

  /** @param {string} id */
  site(id) {
    return /** @type {Site} */ (this.sites.find((one) => one.id === id));
  }

  /** @param {string} id */
  country(id) {
    return /** @type {Country} */ (this.countries.find((one) => one.id === id));
  }

  /** @param {number} number */
  alliance(number) {
    return /** @type {Alliance} */ (this.alliances.find((one) => one.number === number));
  }

  // --- the map

  /** Who owns the cloister of a site, or -1. @param {string} site */
  owner(site) {
    return this.state.owner[this.siteNames.indexOf(site)] - 1;
  }

  /**
   * The site that a cloister's chain reaches it from; itself where the chain begins; null if it is in none.
   * @param {string} site @returns {string | null}
   */
  chainPredecessor(site) {
    const link = this.state.link[this.siteNames.indexOf(site)];
    return link ? this.siteNames[link - 1] : null;
  }

  /** @param {string} country */
  countryIndex(country) {
    return this.countryNames.indexOf(country);
  }

  /** @param {string} country @returns {number[]} cloisters of each seat */
  cloisters(country) {
    return this.state.cloisters[this.countryIndex(country)];
  }

  /** @param {string} country @returns {number[]} cardinals of each seat */
  cardinals(country) {
    return this.state.cardinals[this.countryIndex(country)];
  }

  /** @param {string} country */
  standing(country) {
    return this.state.standing[this.countryIndex(country)];
  }

  /** @param {string} country */
  top(country) {
    return this.state.top[this.countryIndex(country)];
  }

  /** Is there no room for another cardinal? @param {string} country */
  isFull(country) {
    return this.facts.full[this.countryIndex(country)] === 1;
  }

  /**
   * What an alliance is worth now, and to whom.
   * @param {number} number @returns {{worth: number, leaders: number[]}}
   */
  allianceValue(number) {
    const [worth, leaders] = this.facts.allied[this.allianceNames.indexOf(String(number))];
    return { worth, leaders };
  }

  /** @param {string} country @param {number} seat */
  isLeading(country, seat) {
    return this.facts.leads[this.countryIndex(country)].includes(seat);
  }

  /** Which colour of cards is good for a country, as a number. @param {string} country */
  cardTypeIndex(country) {
    return this.types.indexOf(this.country(country).card_type);
  }

  /** @param {string} type @returns {string[]} */
  countriesOf(type) {
    return this.map.card_types.find((/** @type {any} */ item) => item.id === type).countries;
  }

  /** @param {string} site @returns {string[]} the sites at the other ends of its roads */
  neighbours(site) {
    return this.map.roads.flatMap((/** @type {any} */ { a, b }) => (a === site ? [b] : b === site ? [a] : []));
  }

  /** Words for a country or a site: the catalogue's, else the board's own. @param {string} id */
  countryName(id) {
    const text = `cardinal-country-${id}`;
    return this.ui.hasText(text) ? this.ui.t(text) : this.country(id).name_en;
  }

  /** @param {string} id */
  siteName(id) {
    const text = `cardinal-site-${id}`;
    return this.ui.hasText(text) ? this.ui.t(text) : this.site(id).name;
  }

  /** @param {string} type */
  typeName(type) {
    const text = `cardinal-card-${type}`;
    return this.ui.hasText(text) ? this.ui.t(text) : type;
  }

  // --- cards

  /** The cards of this player's hand, by colour. @returns {string[]} */
  get hand() {
    return this.ui.me === null
      ? []
      : this.types.flatMap((type, i) => Array(this.state.hand[this.ui.me ?? 0][i]).fill(type));
  }

  /** The hand of somebody else, where it lies open. @param {number} seat @returns {string[]} */
  openHand(seat) {
    const row = seat === this.me ? null : this.state.hand[seat];
    return this.types.flatMap((type, i) => Array(row?.[i] ?? 0).fill(type));
  }

  /** The open cards, "" where there is none. @returns {string[]} */
  get openCards() {
    return this.state.open.map((/** @type {number} */ card) => this.types[card - 1] ?? "");
  }

  /** Which cards of the hand are chosen. @returns {number[]} */
  get selected() {
    return this.phase === "choosing" ? (this.ui.local.picked ?? []) : [];
  }

  /**
   * The chosen cards as a set that moves can name, or null: there is no such set.
   * @param {number[]} picked @returns {CardSet | null}
   */
  findSet(picked) {
    const chosen = sortCards(picked.map((i) => this.hand[i]));
    const sets = this.facts.sets.map((/** @type {number[]} */ cards) => cards.map((i) => this.set[i]));
    const found = sets.find((/** @type {string[]} */ [pair, one]) => sortCards([pair, pair, one]) === chosen);
    return found ? { pair: found[0], single: found[1] } : null;
  }

  /**
   * What the chosen cards, or the piece that is still to be placed, can do.
   * @param {"cloister" | "cardinal"} piece @returns {Move[]}
   */
  placements(piece) {
    if (this.phase === "placing") return this.ui.legalMoves(`second_${piece}`);
    const cards = this.selected.length ? this.findSet(this.selected) : null;
    return cards ? this.ui.legalMoves(piece, cards) : [];
  }

  /** The move that discards the chosen cards, if there is one. @returns {Move | undefined} */
  get discardMove() {
    const chosen = sortCards(this.selected.map((i) => this.hand[i]));
    return this.ui.legalMoves("discard").find(({ args }) => sortCards(Object.values(args)) === chosen);
  }

  // --- points

  /** What the next scoring, or the final one, brings a seat from countries. @param {number} seat */
  countryPoints(seat) {
    return sum(this.state.country_points[seat]);
  }

  /** @param {number} seat */
  alliancePoints(seat) {
    return sum(this.state.alliance_points[seat]);
  }

  /**
   * What a seat would have if the game ended with a final scoring now; at the end, what it has.
   * @param {number} seat @returns {number}
   */
  pointsIfScoredNow(seat) {
    return this.facts.now[seat];
  }

  /**
   * Which scoring is held when the turn next comes to the start player, if any.
   * @returns {"interim" | "final" | null}
   */
  get dueScoring() {
    return this.facts.due;
  }

  /** A seat's chains, each as its sites in order along the roads. @param {number} seat @returns {string[][]} */
  chains(seat) {
    return this.facts.chains[seat].map((/** @type {number[]} */ chain) => chain.map((site) => this.siteNames[site]));
  }
}

/** @param {number[]} numbers */
export const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
