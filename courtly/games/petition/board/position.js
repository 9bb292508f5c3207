/** What a view of To Court the King says, under names that the rest of the board can use. */
import { AnyPosition } from "../../../web/board-sdk/base-position.js";
import { setting } from "../../../web/core/user-settings.js";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/board-context.js").Ui} Ui
 */
/**
 * @typedef {{level: number, family: string, needs: Record<string, any>, adds?: number, start?: number, dice?: number,
 *   raise?: number[]}} Character
 */

/** Heraldic colour of a family of characters. @type {Record<string, string>} */
export const TINCTURES = { start: "purpure", adds: "or", turns: "azure", rolls: "vert", royal: "gules" };
export const FACES = [1, 2, 3, 4, 5, 6];

/** A row that counts dice by face, as a list of faces in ascending order. @param {number[]} row */
export const faces = (row) => FACES.flatMap((face) => Array(row[face - 1]).fill(face));

/** @param {number[]} list faces, in any order @returns {number[]} how many of each */
export const counts = (list) => FACES.map((face) => list.filter((f) => f === face).length);

/**
 * A group of equal dice as rules have it; none if it has no dice.
 * @param {number[]} row @returns {{count: number, face: number} | null}
 */
export const group = ([count, face]) => (count ? { count, face } : null);

export class Position extends AnyPosition {
  /** @param {View} view @param {Ui} ui */
  constructor(view, ui) {
    super(view, ui);
    /** @type {number} whose turn it is; -1: nobody's */
    this.seat = this.s.seat;
    /** @type {Record<string, Character>} */
    this.characters = ui.about.components.characters;
    this.cards = this.axis("supply");
  }

  get final() {
    return this.s.final === 1;
  }
  /** Has somebody taken the King? */
  get crowned() {
    return this.s.king >= 0;
  }

  /** The characters of a level. @param {number} level */
  level(level) {
    return this.cards.filter((card) => this.characters[card].level === level);
  }
  /** @param {string} card */
  left(card) {
    return this.s.supply[this.cards.indexOf(card)];
  }
  /**
   * How many copies were put on the table; null: there is no end of them.
   * @param {string} card @returns {number | null}
   */
  copies(card) {
    return this.facts.copies[this.cards.indexOf(card)];
  }
  /** @param {number} seat @param {string} card */
  owns(seat, card) {
    return seat < 0 ? 0 : this.s.owns[seat][this.cards.indexOf(card)];
  }
  /** @param {string} card */
  owners(card) {
    return this.seats.filter((seat) => this.owns(seat, card));
  }
  /** The characters of a seat. @param {number} seat */
  court(seat) {
    return this.cards.filter((card) => this.owns(seat, card));
  }
  /** Has the player at turn used it? @param {string} card */
  used(card) {
    return this.owns(this.seat, card) > 0 && this.s.used[this.cards.indexOf(card)] === 1;
  }
  /** Do the dice allow to claim it, as they lie? @param {string} card */
  claimable(card) {
    return this.facts.claimable[this.cards.indexOf(card)] === 1;
  }
  /** How likely the reader is to win it in this turn, in words; "": not to be told. @param {string} card */
  odds(card) {
    const percent = this.facts.odds?.[this.cards.indexOf(card)] ?? 0;
    if (!this.mine || !percent || setting("odds") || this.claimable(card)) return "";
    return this.ui.t(this.facts.helped && percent < 100 ? "petition-odds-more" : "petition-odds", { percent });
  }
  /** The same at length. @param {string} card */
  explained(card) {
    const odds = this.odds(card);
    return odds && this.ui.t(this.facts.helped ? "petition-odds-help" : "petition-odds-alone", { odds });
  }
  /** Is it something the player at turn may still win? @param {string} card */
  wanted(card) {
    return this.facts.wanted[this.cards.indexOf(card)] === 1;
  }

  /** How many dice a seat starts its turns with. @param {number} seat @returns {number} */
  startDice(seat) {
    return this.facts.start[seat];
  }
  /** The biggest group of equal dice on the table. */
  get best() {
    return group(this.facts.best);
  }

  /** Turn order of the last round, once the King is taken. @returns {number[]} */
  get lastOrder() {
    return this.facts.order;
  }
  /** Has this seat finished its last turn? @param {number} seat */
  hasRolled(seat) {
    return this.facts.rolled[seat] === 1;
  }
  /** @param {number} seat */
  result(seat) {
    return group(this.s.results[seat]);
  }

  // --- words that the picture and the sentences share

  /** @param {string} card */
  called(card) {
    return this.ui.t(`petition-card-${card}`);
  }

  /** @param {string} card */
  copiesLeft(card) {
    const copies = this.copies(card);
    if (copies === 0) return "";
    return this.ui.t(copies === null ? "petition-copies-unlimited" : "petition-copies", { n: this.left(card) });
  }

  /** @param {string} card */
  heldBy(card) {
    const owners = this.owners(card);
    return owners.length ? this.ui.t("petition-owners", { names: this.ui.names(owners) }) : "";
  }

  get roundText() {
    const { ui, s } = this;
    if (this.final) return ui.t("petition-last-round");
    return s.round_limit
      ? ui.t("petition-round-of", { n: s.round, limit: s.round_limit })
      : ui.t("petition-round", { n: s.round });
  }
}
