/** The position of To Court the King: a view's data under names for the board. */
import { BasePosition } from "../../../web/board-sdk/base-position.js";
import { getSetting } from "../../../web/core/user-settings.js";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */
/**
 * @typedef {{level: number, family: string, needs: Record<string, any>, adds?: number, start?: number, dice?: number,
 *   raise?: number[]}} Character
 */

/** The heraldic colour of each family of characters. @type {Record<string, string>} */
export const FAMILY_TINCTURES = { start: "purpure", adds: "or", turns: "azure", rolls: "vert", royal: "gules" };
export const DIE_FACES = [1, 2, 3, 4, 5, 6];

/** Expand a row of counts by face to a list of faces in ascending order. @param {number[]} row */
export const expandFaces = (row) => DIE_FACES.flatMap((face) => Array(row[face - 1]).fill(face));

/** @param {number[]} list faces, in any order @returns {number[]} how many of each */
export const countFaces = (list) => DIE_FACES.map((face) => list.filter((f) => f === face).length);

/**
 * Return a row of the rules' data as a group of equal dice, or null if it is empty.
 * @param {number[]} row @returns {{count: number, face: number} | null}
 */
export const toGroup = ([count, face]) => (count ? { count, face } : null);

export class Position extends BasePosition {
  /** @param {View} view @param {BoardContext} ui */
  constructor(view, ui) {
    super(view, ui);
    /** @type {number} the active seat; -1: none */
    this.seat = this.state.seat;
    /** @type {Record<string, Character>} */
    this.characters = ui.about.components.characters;
    this.cards = this.axisNames("supply");
  }

  get isLastRound() {
    return this.state.final === 1;
  }
  /** Whether a player has taken the King. */
  get isKingTaken() {
    return this.state.king >= 0;
  }

  /** Return the characters of a level. @param {number} level */
  cardsOfLevel(level) {
    return this.cards.filter((card) => this.characters[card].level === level);
  }
  /** @param {string} card */
  copiesInSupply(card) {
    return this.state.supply[this.cards.indexOf(card)];
  }
  /**
   * Return the number of copies in the game; null: unlimited.
   * @param {string} card @returns {number | null}
   */
  copiesInGame(card) {
    return this.facts.copies[this.cards.indexOf(card)];
  }
  /** @param {number} seat @param {string} card */
  ownedCount(seat, card) {
    return seat < 0 ? 0 : this.state.owns[seat][this.cards.indexOf(card)];
  }
  /** @param {string} card */
  owners(card) {
    return this.seats.filter((seat) => this.ownedCount(seat, card));
  }
  /** Return a seat's characters. @param {number} seat */
  court(seat) {
    return this.cards.filter((card) => this.ownedCount(seat, card));
  }
  /** Return whether the active player has used this character. @param {string} card */
  isUsed(card) {
    return this.ownedCount(this.seat, card) > 0 && this.state.used[this.cards.indexOf(card)] === 1;
  }
  /** Return whether the present dice allow to claim this character. @param {string} card */
  isClaimable(card) {
    return this.facts.claimable[this.cards.indexOf(card)] === 1;
  }
  /**
   * Return the reader's chance to win this character in this turn, in percent.
   * @param {string} card @returns {number}
   */
  odds(card) {
    return this.facts.odds?.[this.cards.indexOf(card)] ?? 0;
  }
  /**
   * Return the reader's chance to win this character in this turn, or "" if it is not shown. It is shown during the
   * reader's turns, past ones included.
   * @param {string} card
   */
  oddsText(card) {
    const percent = this.odds(card);
    const isShown = this.canAct || (this.ui.isReplay && this.me === this.seat);
    if (!isShown || !percent || getSetting("odds") || this.isClaimable(card)) return "";
    return this.ui.t(this.facts.helped && percent < 100 ? "petition-odds-more" : "petition-odds", { percent });
  }
  /** Return the chance as a sentence. @param {string} card */
  oddsExplanation(card) {
    const odds = this.oddsText(card);
    return odds && this.ui.t(this.facts.helped ? "petition-odds-help" : "petition-odds-alone", { odds });
  }
  /** Return whether the active player may still win this character. @param {string} card */
  isWanted(card) {
    return this.facts.wanted[this.cards.indexOf(card)] === 1;
  }

  /** Return the number of dice with which a seat starts its turns. @param {number} seat @returns {number} */
  startDice(seat) {
    return this.facts.start[seat];
  }
  /** The best group of equal dice on the table. */
  get bestGroup() {
    return toGroup(this.facts.best);
  }

  /** The turn order of the last round, once the King is taken. @returns {number[]} */
  get lastOrder() {
    return this.facts.order;
  }
  /** Return whether this seat has finished its last turn. @param {number} seat */
  hasRolled(seat) {
    return this.facts.rolled[seat] === 1;
  }
  /** @param {number} seat */
  finalGroup(seat) {
    return toGroup(this.state.results[seat]);
  }

  // --- texts for both board and plain rendering

  /** @param {string} card */
  cardName(card) {
    return this.ui.t(`petition-card-${card}`);
  }

  /** @param {string} card */
  copiesText(card) {
    const copies = this.copiesInGame(card);
    if (copies === 0) return "";
    return this.ui.t(copies === null ? "petition-copies-unlimited" : "petition-copies", {
      n: this.copiesInSupply(card),
    });
  }

  /** @param {string} card */
  ownersText(card) {
    const owners = this.owners(card);
    return owners.length ? this.ui.t("petition-owners", { names: this.ui.playerNames(owners) }) : "";
  }

  get roundText() {
    const { ui, state } = this;
    if (this.isLastRound) return ui.t("petition-last-round");
    return state.round_limit
      ? ui.t("petition-round-of", { n: state.round, limit: state.round_limit })
      : ui.t("petition-round", { n: state.round });
  }
}
