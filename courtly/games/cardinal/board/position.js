/**
 * The position of Web of Power: a view's data under names for the board. The map is data, so nothing here depends on
 * its size.
 */
import { BasePosition } from "../../../web/board-sdk/base-position.js";
import { getMap } from "./stretch.js";

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

/** Return cards in a canonical order, as text to be compared. @param {string[]} cards */
const sortCards = (cards) => String(cards.filter((card) => card !== "none").sort());

export class Position extends BasePosition {
  /** @param {View} view @param {BoardContext} ui */
  constructor(view, ui) {
    super(view, ui);
    this.map = getMap(ui);
    this.siteNames = this.axisNames("owner");
    this.countryNames = this.axisNames("free");
    this.types = this.axisNames("discards");
    /** The values of an argument: no card, and the colours. */
    this.set = /** @type {string[]} */ (ui.values.pair);
    this.allianceNames = this.axisNames("alliance_points", 1);
    /** The target on the map that Tab leads to. */
    this.tabStop = "";
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

  /** The keys of all targets on the map. */
  get targetKeys() {
    return [
      ...this.countries.map(({ id }) => `seal-${id}`),
      ...this.sites.map(({ id }) => `site-${id}`),
      ...this.alliances.map(({ number }) => `pact-${number}`),
    ];
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

  /** Return the owner of the cloister on a site, or -1. @param {string} site */
  owner(site) {
    return this.state.owner[this.siteNames.indexOf(site)] - 1;
  }

  /**
   * Return the previous site of a cloister's chain, the site itself if the chain begins there, or null if it is in no
   * chain.
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

  /** @param {string} country @returns {number[]} cloisters by seat */
  cloisters(country) {
    return this.state.cloisters[this.countryIndex(country)];
  }

  /** @param {string} country @returns {number[]} cardinals by seat */
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

  /** Return a country's name, with its cardinals and the most of them if there may be any. @param {string} country */
  countryTitle(country) {
    const name = this.countryName(country);
    const top = this.top(country);
    return top ? this.ui.t("cardinal-seal", { country_name: name, standing: this.standing(country), top }) : name;
  }

  /** Return whether there is no room for another cardinal. @param {string} country */
  isFull(country) {
    return this.facts.full[this.countryIndex(country)] === 1;
  }

  /**
   * Return an alliance's current worth, and the seats that get it.
   * @param {number} number @returns {{worth: number, leaders: number[]}}
   */
  allianceValue(number) {
    return this.facts.allied[this.allianceNames.indexOf(String(number))];
  }

  /** @param {string} country @param {number} seat */
  isLeading(country, seat) {
    return this.facts.leads[this.countryIndex(country)].includes(seat);
  }

  /** Return the index of the card colour for a country. @param {string} country */
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

  /** Return the name of a country or site: from the catalogue, otherwise from the map's data. @param {string} id */
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

  /** Return another seat's hand if it is shown. @param {number} seat @returns {string[]} */
  openHand(seat) {
    const row = seat === this.me ? null : this.state.hand[seat];
    return this.types.flatMap((type, i) => Array(row?.[i] ?? 0).fill(type));
  }

  /** The open cards; "" for an empty place. @returns {string[]} */
  get openCards() {
    return this.state.open.map((/** @type {number} */ card) => this.types[card - 1] ?? "");
  }

  /** The indices of the selected cards of the hand. @returns {number[]} */
  get selected() {
    return this.phase === "choosing" ? (this.ui.local.picked ?? []) : [];
  }

  /**
   * Return the selected cards as the arguments of a move, or null if no move has these cards.
   * @param {number[]} picked @returns {CardSet | null}
   */
  findSet(picked) {
    const chosen = sortCards(picked.map((i) => this.hand[i]));
    const sets = this.facts.sets.map((/** @type {number[]} */ cards) => cards.map((i) => this.set[i]));
    const found = sets.find((/** @type {string[]} */ [pair, one]) => sortCards([pair, pair, one]) === chosen);
    return found ? { pair: found[0], single: found[1] } : null;
  }

  /**
   * Return the placements by the selected cards, or of the second piece.
   * @param {"cloister" | "cardinal"} piece @returns {Move[]}
   */
  placements(piece) {
    if (this.phase === "placing") return this.ui.legalMoves(`second_${piece}`);
    const cards = this.selected.length ? this.findSet(this.selected) : null;
    return cards ? this.ui.legalMoves(piece, cards) : [];
  }

  /**
   * Return the moves that place a piece on a target, such as "site-FR5" or "seal-FR", by any cards of the hand.
   * @param {string} target @returns {Move[]}
   */
  payments(target) {
    if (this.phase !== "choosing" || !this.ui.canPlay) return [];
    const [kind, id] = target.split("-");
    if (kind === "site") return this.ui.legalMoves("cloister", { site: id });
    return kind === "seal" ? this.ui.legalMoves("cardinal", { country: id }) : [];
  }

  /** The move that discards the selected cards, if there is one. @returns {Move | undefined} */
  get discardMove() {
    const chosen = sortCards(this.selected.map((i) => this.hand[i]));
    return this.ui.legalMoves("discard").find(({ args }) => sortCards(Object.values(args)) === chosen);
  }

  // --- points

  /**
   * Return a seat's points from countries at the next scoring or, after the game, at the final one.
   * @param {number} seat
   */
  countryPoints(seat) {
    return sum(this.state.country_points[seat]);
  }

  /** @param {number} seat */
  alliancePoints(seat) {
    return sum(this.state.alliance_points[seat]);
  }

  /**
   * Return a seat's points if the game ended now with a final scoring; after the game, its score.
   * @param {number} seat @returns {number}
   */
  pointsIfScoredNow(seat) {
    return this.facts.now[seat];
  }

  /**
   * The scoring at the start player's next turn, if any.
   * @returns {"interim" | "final" | null}
   */
  get dueScoring() {
    return this.facts.due;
  }

  /** Return a seat's chains, each as its sites in order along the roads. @param {number} seat @returns {string[][]} */
  chains(seat) {
    return this.facts.chains[seat].map((/** @type {number[]} */ chain) => chain.map((site) => this.siteNames[site]));
  }
}

/** @param {number[]} numbers */
export const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
