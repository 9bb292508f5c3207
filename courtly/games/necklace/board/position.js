/**
 * A position, with the names that the rules give to things; what follows by the rules is in the view's facts
 * (shown.py).
 */
import { AnyPosition } from "../../../web/board-sdk/base-position.js";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/board-context.js").Ui} Ui
 */
/** @typedef {{slot: number, card: string, rung: number, price: number, next?: number}} Offer */

/** What a card shown with a gem is called in the list of what can be shown. @type {Record<string, string>} */
export const LAID = { ring: "ring", king: "king", queens_necklace: "necklace" };
/** The moves and events of a sale. */
export const SETTLES = ["commit", "alchemist", "no_alchemist", "stops", "sells", "pays"];

export class Position extends AnyPosition {
  /** @param {View} view @param {Ui} ui */
  constructor(view, ui) {
    super(view, ui);
    this.gems = this.axis("stones", 1);
    this.names = this.axis("hand", 1);
    this.showable = this.axis("shown", 1);
    this.components = ui.about.components;
  }

  /** @param {string} card */
  about(card) {
    return this.components.cards[card];
  }

  /** The four prices of a card, the dearest first. @param {string} card @returns {number[]} */
  ladder(card) {
    return this.facts.ladders[this.names.indexOf(card)];
  }

  /** What is on offer; `next` is the price that it falls to, if it falls to another. @returns {Offer[]} */
  get offers() {
    return this.facts.prices.map((/** @type {[number, number?] | null} */ prices, /** @type {number} */ slot) => {
      const [price = 0, next] = prices ?? [];
      return { slot, card: prices ? this.names[this.s.row[slot]] : "", rung: this.s.rung[slot], price, next };
    });
  }

  /** Cards of a row of numbers, with how many there are. @param {number[] | null} row @returns {[string, number][]} */
  list(row) {
    return (row ?? []).flatMap((n, i) => (n ? [/** @type {[string, number]} */ ([this.names[i], n])] : []));
  }

  /** My hand. @returns {[string, number][]} */
  get hand() {
    return this.me === null ? [] : this.list(this.s.hand[this.me]);
  }

  /**
   * Cards that I am certain of in another hand, and how many others there are; a spectator: that everybody is.
   * @param {number} seat
   */
  known(seat) {
    return { cards: this.list(this.facts.certain[seat]), unknown: this.facts.unknown[seat] };
  }

  /**
   * Gems a seat did not have when a forger asked, as long as that is certain.
   * @param {number} seat @returns {string[]}
   */
  lacks(seat) {
    return this.gems.filter((_, i) => this.s.at_most[seat][i] === 0);
  }

  /** The gems by fashion, now. @returns {string[]} */
  get fashion() {
    return this.s.fashion.map((/** @type {number} */ gem) => this.gems[gem]);
  }

  /** Pounds that fashion adds to a stone. @param {string} gem */
  bonus(gem) {
    return this.facts.fashion[this.gems.indexOf(gem)];
  }

  /**
   * How many cards at least and at most are drawn before the next merchant; null if there is none.
   * @returns {{least: number, most: number} | null}
   */
  get clock() {
    const [least, most] = this.facts.clock ?? [];
    return this.facts.clock && { least, most };
  }

  // --- the sale

  /** The number of the sale that lies open: the one at work, or the last. @returns {number} */
  get sale() {
    return this.facts.open;
  }

  /** The verb that lays a card, covered or, if so chosen, openly. @param {string} verb */
  lays(verb) {
    return this.ui.local.openly ? `${verb}_open` : verb;
  }

  /**
   * What a seat has laid openly: cards, how many, and the gem that a card which is no gem lies with.
   * @param {number} seat @returns {{piece: string, card: string, n: number, gem: string}[]}
   */
  openly(seat) {
    return this.showable.flatMap((piece, i) => {
      const n = this.s.openly[seat][i];
      const [, word, gem = ""] = piece.match(/^(ring|king|necklace)_(.+)$/) ?? [];
      const card = Object.keys(LAID).find((name) => LAID[name] === word) ?? piece;
      return n ? [{ piece, card, n, gem }] : [];
    });
  }

  /** What lies in a tray, mine or one that was turned over. @param {number[]} row @param {string} gem */
  laid(row, gem) {
    const at = (/** @type {string} */ name) => row[this.showable.indexOf(name)] ?? 0;
    const cards = this.names
      .filter((card) => this.about(card).gem === gem && at(card))
      .map((card) => /** @type {[string, number]} */ ([card, at(card)]));
    return { cards, rings: at(`ring_${gem}`), king: at(`king_${gem}`), necklace: at(`necklace_${gem}`) };
  }

  /** @param {number[]} row */
  bankers(row) {
    return row[this.showable.indexOf("banker")];
  }

  /**
   * What the stones of a gem in my tray fetch.
   * @param {string} gem @returns {{stones: number, least: number, most: number}}
   */
  worth(gem) {
    const [stones, least, most] = this.facts.tray.gems[this.gems.indexOf(gem)];
    return { stones, least, most };
  }

  /**
   * The outcome for a gem: stones in all, bonuses, price, whether stones were turned from it or into it, whether a king
   * stops it or the necklace makes him void, who wears it and who pays for that, and why each seat made of it what it
   * made.
   * @param {string} gem
   * @returns {{stones: number, rarity: number, fashion: number, price: number, changed: number, stopped: number, void:
   *   number, wearer: number, pay: number[], why: string[]}}
   */
  gem(gem) {
    const i = this.gems.indexOf(gem);
    return { ...this.facts.sale[i], rarity: this.s.rarity[i], price: this.s.price[i] };
  }

  /**
   * Pounds a seat made with a gem in a sale.
   * @param {number} sale @param {number} seat @param {string} gem @returns {number}
   */
  income(sale, seat, gem) {
    return this.s.income[sale][seat][this.gems.indexOf(gem)];
  }

  /** @param {number} sale @param {number} seat @returns {number} */
  sum(sale, seat) {
    return this.facts.made[sale][seat];
  }
}
