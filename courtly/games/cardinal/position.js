/**
 * What a view of Web of Power says, under names that the rest of the board can use. The board is data: nothing here
 * knows its size.
 */
import { AnyPosition } from "../../web/position.js";

/**
 * @typedef {import("../../web/types.js").View} View @typedef {import("../../web/types.js").Move} Move
 * @typedef {import("../../web/ui.js").Ui} Ui
 */
/** @typedef {{x: number, y: number}} Place */
/** @typedef {{id: string, country: string, name: string, x: number, y: number}} Site */
/** @typedef {{id: string, name_en: string, name_ja: string, card_type: string, seal: Place}} Country */
/** @typedef {{number: number, a: string, b: string, drawing: string, label: Place}} Alliance */
/** @typedef {{pair: string, single: string}} Cards a set of cards as moves write it */

/** In the order of the rules. */
const PHASES = [
  "starting",
  "dealing",
  "choosing",
  "placing",
  "refilling",
  "drawing",
  "shuffling",
  "run_out",
  "turning_up",
  "interim",
  "final",
  "over",
];
const NONE = "none";

export class Position extends AnyPosition {
  /** @param {View} view @param {Ui} ui */
  constructor(view, ui) {
    super(view, ui);
    this.phase = PHASES[this.s.phase];
    this.map = ui.about.components;
    this.siteNames = this.axis("owner");
    this.countryNames = this.axis("free");
    this.types = this.axis("discards");
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

  /** @param {string} country @param {number} seat */
  leads(country, seat) {
    return ((this.s.leaders[this.index(country)] >> seat) & 1) === 1;
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
    const cards = picked.map((i) => this.hand[i]).sort();
    if (cards.length === 1) return { pair: NONE, single: cards[0] };
    const pair = cards.find((card, i) => card === cards[i + 1]);
    if (!pair || cards.length > 3) return null;
    const rest = [...cards];
    for (let i = 0; i < 2; i++) rest.splice(rest.indexOf(pair), 1);
    return { pair, single: rest[0] ?? NONE };
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

  /** The country in which a move places its piece. @param {Move} move @returns {string} */
  landOf({ args }) {
    return args.country ?? this.site(args.site).country;
  }

  /** The move that discards the chosen cards, if there is one. @returns {Move | undefined} */
  get discarding() {
    const [first, second = NONE, third = NONE] = this.picked
      .map((i) => this.hand[i])
      .sort((a, b) => this.types.indexOf(a) - this.types.indexOf(b));
    return first ? this.ui.can("discard", { first, second, third })[0] : undefined;
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
   * @param {number} seat
   */
  ifScoredNow(seat) {
    if (this.s.scored === 2) return this.s.score[seat];
    return this.s.score[seat] + this.countryPoints(seat) + this.alliancePoints(seat) + this.s.chain_points[seat];
  }

  /**
   * Which scoring is held when the turn next comes to the start player, if any.
   * @returns {"interim" | "final" | null}
   */
  get due() {
    if (this.over) return null;
    return this.s.exhaustions === 2 ? "final" : this.s.exhaustions && !this.s.scored ? "interim" : null;
  }

  /** A seat's chains, each as its sites in order along the roads. @param {number} seat @returns {string[][]} */
  chains(seat) {
    const sites = this.siteNames.filter((site) => this.owner(site) === seat && this.linked(site));
    /** @type {Record<string, string[]>} */
    const roads = Object.fromEntries(sites.map((site) => [site, []]));
    for (const site of sites) {
      const from = /** @type {string} */ (this.linked(site));
      if (from !== site) {
        roads[site].push(from);
        roads[from].push(site);
      }
    }
    const seen = new Set();
    return sites
      .filter((site) => roads[site].length < 2)
      .flatMap((end) => {
        if (seen.has(end)) return [];
        const chain = [];
        for (let at = /** @type {string | undefined} */ (end); at; at = roads[at].find((next) => !seen.has(next))) {
          seen.add(at);
          chain.push(at);
        }
        return [chain];
      });
  }
}

/** @param {number[]} numbers */
export const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
