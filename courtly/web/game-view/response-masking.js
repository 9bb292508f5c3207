/**
 * Questions that only some hands can answer. Nobody shall tell from the time an answer takes whether there was a
 * choice: a time is drawn anew for each question, whatever the hand and the table, and no answer leaves before it is
 * over. Where only one answer is possible it is given by itself then.
 */

/** @typedef {import("../core/api-types.js").View} View @typedef {import("../core/api-types.js").Move} Move */

const MIN_DELAY_MS = 1200;
const MEAN_EXTRA_DELAY_MS = 1500; // ms: at least, and how much longer on average

/** A time without an end, so that no answer is too late to have been the only one. */
const drawDelay = () => MIN_DELAY_MS - MEAN_EXTRA_DELAY_MS * Math.log(1 - Math.random());

export class ResponseMask {
  /** @param {() => void} refresh called when an answer is due */
  constructor(refresh) {
    this.onDue = refresh;
    /** What the question is known by; "": there is none. */
    this.question = "";
    /** The answer that waits. @type {Move[] | null} */
    this.answer = null;
    this.isForced = false;
    this.delayMs = 0;
    this.isDue = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /**
   * A view is shown.
   * @param {View} view @param {string} decision @param {string[]} verbs those that answer such questions
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

  /** Keep an answer until its time. @param {Move[]} moves @returns {boolean} whether it has to wait */
  hold(moves) {
    if (!this.question || this.isDue) return false;
    this.answer = moves;
    return true;
  }

  /** The answer that is due, once. @returns {Move[] | null} */
  takeDue() {
    if (!this.isDue) return null;
    const { answer } = this;
    this.answer = null;
    return answer;
  }
}
