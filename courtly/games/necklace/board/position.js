/**
 * The position of Queen's Necklace: a view's data under names for the board. What the rules derive is in the view's
 * facts (facts.py).
 */
import { BasePosition } from "../../../web/board-sdk/base-position.js";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */
/** @typedef {{slot: number, card: string, rung: number, price: number, next?: number}} Offer */

/** The name of a card shown with a gem in the list of cards that can be shown. @type {Record<string, string>} */
export const PIECE_BY_CARD = { ring: "ring", king: "king", queens_necklace: "necklace" };
/** The moves and events of a sale. */
export const SALE_VERBS = ["commit", "alchemist", "no_alchemist", "stops", "sells", "pays"];

export class Position extends BasePosition {
  /** @param {View} view @param {BoardContext} ui */
  constructor(view, ui) {
    super(view, ui);
    this.gems = this.axisNames("stones", 1);
    this.names = this.axisNames("hand", 1);
    this.showable = this.axisNames("shown", 1);
    this.components = ui.about.components;
  }

  /** @param {string} card */
  cardInfo(card) {
    return this.components.cards[card];
  }

  /** Return the four prices of a card, the highest first. @param {string} card @returns {number[]} */
  priceLadder(card) {
    return this.facts.ladders[this.names.indexOf(card)];
  }

  /** The cards on offer; `next` is the next price, if the price falls again. @returns {Offer[]} */
  get offers() {
    const prices = /** @type {[number?, number?][]} */ (this.facts.prices).slice(0, this.state.row_size);
    return prices.map(([price, next], slot) => {
      const card = price === undefined ? "" : this.names[this.state.row[slot]];
      return { slot, card, rung: this.state.rung[slot], price: price ?? 0, next };
    });
  }

  /**
   * Return the cards of a row of counts, with their counts.
   * @param {number[] | null} row @returns {[string, number][]}
   */
  countCards(row) {
    return (row ?? []).flatMap((n, i) => (n ? [/** @type {[string, number]} */ ([this.names[i], n])] : []));
  }

  /** The viewer's hand. @returns {[string, number][]} */
  get hand() {
    return this.me === null ? [] : this.countCards(this.state.hand[this.me]);
  }

  /**
   * Return the cards of another hand that the viewer knows for certain (for spectators: that are public), and the
   * number of unknown cards.
   * @param {number} seat
   */
  knownHand(seat) {
    return { cards: this.countCards(this.facts.certain[seat]), unknown: this.facts.unknown[seat] };
  }

  /**
   * Return what identifies something that the reader has closed: in a replay with its moment, so that it is shown there
   * although it was closed in the game.
   * @param {number} id
   */
  closedId(id) {
    return this.ui.isReplay ? `${id} at ${this.view.seq}` : id;
  }

  /** Whether all hands are open, as in the replay of a finished game. @returns {boolean} */
  get isOpen() {
    return this.me === null && !this.facts.unknown.some(Boolean);
  }

  /**
   * Return the gems that a seat did not have when a forger asked, while that is still certain.
   * @param {number} seat @returns {string[]}
   */
  lackedGems(seat) {
    return this.gems.filter((_, i) => this.state.at_most[seat][i] === 0);
  }

  /** The gems in the current order of fashion. @returns {string[]} */
  get fashion() {
    return this.state.fashion.map((/** @type {number} */ gem) => this.gems[gem]);
  }

  /** Return the pounds that fashion adds to a stone. @param {string} gem */
  bonus(gem) {
    return this.facts.fashion[this.gems.indexOf(gem)];
  }

  /**
   * The minimum and maximum number of draws before the next merchant; null if there is none.
   * @returns {{least: number, most: number} | null}
   */
  get drawsToSale() {
    const [least, most] = this.facts.clock ?? [];
    return this.facts.clock && { least, most };
  }

  // --- the sale

  /** The index of the sale that is shown: the current one, or the last. @returns {number} */
  get sale() {
    return this.facts.open;
  }

  /** Return the verb that lays a card face down or, if chosen, openly. @param {string} verb */
  layVerb(verb) {
    return this.ui.local.openly ? `${verb}_open` : verb;
  }

  /**
   * Return what a seat has laid openly: cards, counts, and the gem with which a card that is not a gem is laid.
   * @param {number} seat @returns {{piece: string, card: string, n: number, gem: string}[]}
   */
  laidOpenly(seat) {
    return this.showable.flatMap((piece, i) => {
      const n = this.state.openly[seat][i];
      const [, word, gem = ""] = piece.match(/^(ring|king|necklace)_(.+)$/) ?? [];
      const card = Object.keys(PIECE_BY_CARD).find((name) => PIECE_BY_CARD[name] === word) ?? piece;
      return n ? [{ piece, card, n, gem }] : [];
    });
  }

  /**
   * Return how many stones of a gem a seat has for a sale, as far as the viewer knows: in the hand and laid openly.
   * @param {number} seat @param {string} gem
   */
  knownStones(seat, gem) {
    const i = this.gems.indexOf(gem);
    const laid = this.laidOpenly(seat).filter(({ card }) => this.cardInfo(card).gem === gem);
    const n = laid.reduce((sum, { card, n: k }) => sum + k * this.cardInfo(card).stones, this.facts.stones[seat][i]);
    return { n, more: Boolean(this.facts.more[seat][i]) };
  }

  /**
   * Return the contents of a tray: the viewer's, or one that was turned over.
   * @param {number[]} row @param {string} gem
   */
  trayContents(row, gem) {
    const at = (/** @type {string} */ name) => row[this.showable.indexOf(name)] ?? 0;
    const cards = this.names
      .filter((card) => this.cardInfo(card).gem === gem && at(card))
      .map((card) => /** @type {[string, number]} */ ([card, at(card)]));
    return { cards, rings: at(`ring_${gem}`), king: at(`king_${gem}`), necklace: at(`necklace_${gem}`) };
  }

  /** The number of cards that the viewer has laid. @returns {number} */
  get laidCount() {
    const { tray, openly } = this.state;
    const laid = this.me === null ? [] : [...tray[this.me], ...openly[this.me]];
    return laid.reduce((sum, n) => sum + n, 0);
  }

  /** Do all lay cards for a sale, and is it known which? Only in a replay with everything open. */
  get isLayingOpen() {
    return this.phase === "show" && this.me === null && Boolean(this.state.tray[0]);
  }

  /** @param {number[]} row */
  bankerCount(row) {
    return row[this.showable.indexOf("banker")];
  }

  /**
   * Return the income from a gem in the viewer's tray.
   * @param {string} gem @returns {{stones: number, least: number, most: number}}
   */
  trayValue(gem) {
    const [stones, least, most] = this.facts.tray.gems[this.gems.indexOf(gem)];
    return { stones, least, most };
  }

  /**
   * Return the outcome for a gem: total stones, bonuses, price, whether stones were changed from or into it, whether a
   * king stops it or the necklace voids the king, the wearer and the seats that pay, and the reason for each seat's
   * income.
   * @param {string} gem
   * @returns {{stones: number, rarity: number, fashion: number, price: number, changed: number, stopped: number, void:
   *   number, wearer: number, pay: number[], why: string[]}}
   */
  gemResult(gem) {
    const i = this.gems.indexOf(gem);
    return { ...this.facts.sale[i], rarity: this.state.rarity[i], price: this.state.price[i] };
  }

  /**
   * Return the pounds a seat made with a gem in a sale.
   * @param {number} sale @param {number} seat @param {string} gem @returns {number}
   */
  income(sale, seat, gem) {
    return this.state.income[sale][seat][this.gems.indexOf(gem)];
  }

  /** @param {number} sale @param {number} seat @returns {number} */
  saleIncome(sale, seat) {
    return this.facts.made[sale][seat];
  }
}
