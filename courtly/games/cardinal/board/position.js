/**
 * What a view of Web of Power says, under names that the rest of the board can use. The board is data: nothing here
 * knows its size.
 */
import { AnyPosition } from "../../../web/board-sdk/base-position.js";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View @typedef
 * {import("../../../web/core/api-types.js").Move} Move
 * @typedef {import("../../../web/board-sdk/board-context.js").Ui} Ui
 */
/** @typedef {{x: number, y: number}} Place */
/** @typedef {{id: string, country: string, name: string, x: number, y: number}} Site */
/** @typedef {{id: string, name_en: string, name_ja: string, card_type: string, seal: Place}} Country */
/** @typedef {{number: number, a: string, b: string, drawing: string, label: Place}} Alliance */
/** @typedef {{pair: string, single: string}} Cards a set of cards as moves write it */

/** Cards in whatever order, so that they can be compared. @param {string[]} cards */
const heap = (cards) => String(cards.filter((card) => card !== "none").sort());

export class Position extends AnyPosition {
  /** @param {View} view @param {Ui} ui */
  constructor(view, ui) {
    super(view, ui);
    this.map = ui.about.components;
    this.siteNames = this.axis("owner");
    this.countryNames = this.axis("free");
    this.types = this.axis("discards");
    /** No card, and the colours: what a set is made of. */
    this.set = /** @type {string[]} */ (ui.axes.pair);
    this.allianceNames = this.axis("alliance_points", 1);
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
    return this.s.owner[this.siteNames.indexOf(site)] - 1;
  }

  /**
   * The site that a cloister's chain reaches it from; itself where the chain begins; null if it is in none.
   * @param {string} site @returns {string | null}
   */
  linked(site) {
    const link = this.s.link[this.siteNames.indexOf(site)];
    return link ? this.siteNames[link - 1] : null;
  }

  /** @param {string} country */
  index(country) {
    return this.countryNames.indexOf(country);
  }

  /** @param {string} country @returns {number[]} cloisters of each seat */
  cloisters(country) {
    return this.s.cloisters[this.index(country)];
  }

  /** @param {string} country @returns {number[]} cardinals of each seat */
  cardinals(country) {
    return this.s.cardinals[this.index(country)];
  }

  /** @param {string} country */
  standing(country) {
    return this.s.standing[this.index(country)];
  }

  /** @param {string} country */
  top(country) {
    return this.s.top[this.index(country)];
  }

  /** Is there no room for another cardinal? @param {string} country */
  full(country) {
    return this.facts.full[this.index(country)] === 1;
  }

  /**
   * What an alliance is worth now, and to whom.
   * @param {number} number @returns {{worth: number, leaders: number[]}}
   */
  allied(number) {
    const [worth, leaders] = this.facts.allied[this.allianceNames.indexOf(String(number))];
    return { worth, leaders };
  }

  /** @param {string} country @param {number} seat */
  leads(country, seat) {
    return this.facts.leads[this.index(country)].includes(seat);
  }

  /** Which colour of cards is good for a country, as a number. @param {string} country */
  hue(country) {
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
    return this.ui.has(text) ? this.ui.t(text) : this.country(id).name_en;
  }

  /** @param {string} id */
  siteName(id) {
    const text = `cardinal-site-${id}`;
    return this.ui.has(text) ? this.ui.t(text) : this.site(id).name;
  }

  /** @param {string} type */
  typeName(type) {
    const text = `cardinal-card-${type}`;
    return this.ui.has(text) ? this.ui.t(text) : type;
  }

  // --- cards

  /** The cards of this player's hand, by colour. @returns {string[]} */
  get hand() {
    return this.ui.me === null
      ? []
      : this.types.flatMap((type, i) => Array(this.s.hand[this.ui.me ?? 0][i]).fill(type));
  }

  /** The hand of somebody else, where it lies open. @param {number} seat @returns {string[]} */
  held(seat) {
    const row = seat === this.me ? null : this.s.hand[seat];
    return this.types.flatMap((type, i) => Array(row?.[i] ?? 0).fill(type));
  }

  /** The open cards, "" where there is none. @returns {string[]} */
  get open() {
    return this.s.open.map((/** @type {number} */ card) => this.types[card - 1] ?? "");
  }

  /** Which cards of the hand are chosen. @returns {number[]} */
  get picked() {
    return this.phase === "choosing" ? (this.ui.local.picked ?? []) : [];
  }

  /**
   * The chosen cards as a set that moves can name, or null: there is no such set.
   * @param {number[]} picked @returns {Cards | null}
   */
  cards(picked) {
    const chosen = heap(picked.map((i) => this.hand[i]));
    const sets = this.facts.sets.map((/** @type {number[]} */ cards) => cards.map((i) => this.set[i]));
    const found = sets.find((/** @type {string[]} */ [pair, one]) => heap([pair, pair, one]) === chosen);
    return found ? { pair: found[0], single: found[1] } : null;
  }

  /**
   * What the chosen cards, or the piece that is still to be placed, can do.
   * @param {"cloister" | "cardinal"} piece @returns {Move[]}
   */
  placements(piece) {
    if (this.phase === "placing") return this.ui.can(`second_${piece}`);
    const cards = this.picked.length ? this.cards(this.picked) : null;
    return cards ? this.ui.can(piece, cards) : [];
  }

  /** The move that discards the chosen cards, if there is one. @returns {Move | undefined} */
  get discarding() {
    const chosen = heap(this.picked.map((i) => this.hand[i]));
    return this.ui.can("discard").find(({ args }) => heap(Object.values(args)) === chosen);
  }

  // --- points

  /** What the next scoring, or the final one, brings a seat from countries. @param {number} seat */
  countryPoints(seat) {
    return sum(this.s.country_points[seat]);
  }

  /** @param {number} seat */
  alliancePoints(seat) {
    return sum(this.s.alliance_points[seat]);
  }

  /**
   * What a seat would have if the game ended with a final scoring now; at the end, what it has.
   * @param {number} seat @returns {number}
   */
  ifScoredNow(seat) {
    return this.facts.now[seat];
  }

  /**
   * Which scoring is held when the turn next comes to the start player, if any.
   * @returns {"interim" | "final" | null}
   */
  get due() {
    return this.facts.due;
  }

  /** A seat's chains, each as its sites in order along the roads. @param {number} seat @returns {string[][]} */
  chains(seat) {
    return this.facts.chains[seat].map((/** @type {number[]} */ chain) => chain.map((site) => this.siteNames[site]));
  }
}

/** @param {number[]} numbers */
export const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
