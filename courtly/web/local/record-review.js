/** The review of a finished game in this browser, made from its record. */
import { listChoices, makeGrowingReview, makeReview } from "../bots/game-analysis.js";
import { SIMULATIONS } from "../bots/review-settings.js";
import { readHead, readRecord } from "../engine/record-reader.js";

/**
 * @typedef {import("../core/api-types.js").Decision} Decision @typedef {import("./game-library.js").GameLibrary}
 * GameLibrary
 * @typedef {import("./game-library.js").PlayableGame} PlayableGame @typedef {import("../engine/match.js").Match} Match
 */

export class RecordReview {
  /** @param {PlayableGame} playable @param {Match} match */
  constructor(playable, match) {
    this.playable = playable;
    this.match = match;
    this.choices = listChoices(match);
  }

  /**
   * Begin the review of a record. Throws CommandRefusedError if the game is not there, InvalidRecordError if the record
   * is not valid, and Error if its game is not over.
   * @param {GameLibrary} library @param {string} text
   */
  static async open(library, text) {
    const playable = await library.load(readHead(text).game);
    const match = readRecord(playable.game, text);
    if (!match.position.isOver) throw new Error("the game is not over");
    return new RecordReview(playable, match);
  }

  /**
   * Judge one of the choices. @param {number} choice its index @param {import("../bots/search.js").Pause} [pause]
   * @returns {Promise<Decision>}
   */
  judge(choice, pause) {
    return this.playable.judge(this.choices[choice], SIMULATIONS, pause);
  }

  /** Return the seats of the choices. */
  get seats() {
    return this.choices.map(({ seat }) => seat);
  }

  /** Return the review so far. @param {(Decision | null)[]} decisions at the indices of their choices */
  summarize(decisions) {
    return makeGrowingReview(this.match, SIMULATIONS, this.choices, decisions);
  }

  /** Return the review. @param {Decision[]} decisions the judged choices, in order */
  finish(decisions) {
    return makeReview(this.match, SIMULATIONS, decisions);
  }
}
