/**
 * Hides whether a player had a choice in a decision that only some hands can answer. For each such decision the client
 * draws a random delay, independent of hand and table, and sends no answer before it has passed. If there is only one
 * legal answer, the client sends it after the delay.
 */

/** @typedef {import("../core/api-types.js").View} View @typedef {import("../core/api-types.js").Move} Move */

const MIN_DELAY_MS = 1200;
const MEAN_EXTRA_DELAY_MS = 1500; // exponentially distributed, in addition to the minimum

/** Draw a delay. It has no upper bound, so that no delay proves that there was a choice. */
const drawDelay = () => MIN_DELAY_MS - MEAN_EXTRA_DELAY_MS * Math.log(1 - Math.random());

export class ResponseMask {
  /** @param {() => void} refresh called when the delay has passed */
  constructor(refresh) {
    this.onDue = refresh;
    /** Identifies the decision; "" if none is masked. */
    this.question = "";
    /** The answer that waits for the delay. @type {Move[] | null} */
    this.answer = null;
    this.isForced = false;
    this.delayMs = 0;
    this.isDue = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /**
   * Start a new delay if a view has a new decision of this kind.
   * @param {View} view @param {string} decision @param {string[]} verbs the verbs that answer such decisions
   */
  update(view, decision, verbs) {
    const question = view.legal.length && view.legal.every((move) => verbs.includes(move.verb)) ? decision : "";
    if (question === this.question) return;
    clearTimeout(this.timer);
    this.question = question;
    this.isForced = view.legal.length === 1;
    this.answer = question && this.isForced ? [view.legal[0]] : null;
    this.isDue = false;
    if (!question) return;
    this.delayMs = drawDelay();
    this.timer = setTimeout(() => {
      this.isDue = true;
      this.onDue();
    }, this.delayMs);
  }

  /** Hold back an answer until the delay has passed. @param {Move[]} moves @returns {boolean} whether it has to wait */
  hold(moves) {
    if (!this.question || this.isDue) return false;
    this.answer = moves;
    return true;
  }

  /** Return the answer that is due, once; otherwise null. @returns {Move[] | null} */
  takeDue() {
    if (!this.isDue) return null;
    const { answer } = this;
    this.answer = null;
    return answer;
  }
}
