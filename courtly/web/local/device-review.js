/** The review of a finished game, made on this device: several workers judge its decisions. */
import { GameWorkerClient } from "./game-worker-client.js";
import { getReviewKey, loadDecisions, loadReview, storeReview } from "./review-storage.js";

/**
 * @typedef {import("../bots/game-analysis.js").GrowingReview} GrowingReview
 * @typedef {import("../core/api-types.js").Review} Review
 */

const MAX_WORKERS = 4;
const SUMMARY_INTERVAL_MS = 1000; // between two reviews of the decisions so far
const STORE_DELAY_MS = 2000; // after a judged decision, so that few are lost if the reader leaves

/** @typedef {(judged: number, total: number, growing?: GrowingReview) => void} ReportProgress */

/**
 * Return the review of a finished game, and store it for the next visit. It goes on where it was interrupted. Throws
 * RequestError if this device cannot make it, and the reason of the signal if that is aborted.
 * @param {string} record @param {number[]} ownSeats the seats whose decisions are judged first
 * @param {ReportProgress} report called after each judged decision; now and then with the review so far
 * @param {AbortSignal} signal
 * @returns {Promise<Review>}
 */
export async function reviewOnDevice(record, ownSeats, report, signal) {
  const key = getReviewKey(record);
  const stored = loadReview(key);
  if (stored) return stored;
  signal.throwIfAborted();
  const analysis = new DeviceAnalysis(key, record, report);
  try {
    return await new Promise((done, fail) => {
      signal.addEventListener("abort", () => fail(signal.reason));
      analysis.makeReview(ownSeats).then(done, fail);
    });
  } finally {
    analysis.close();
  }
}

class DeviceAnalysis {
  /** @param {string} key under which the review is stored @param {string} record @param {ReportProgress} report */
  constructor(key, record, report) {
    this.key = key;
    this.record = record;
    this.report = report;
    /** @type {GameWorkerClient[]} */
    this.workers = [];
    this.decisions = loadDecisions(key);
    this.judgedCount = this.decisions.filter(Boolean).length;
    this.total = 0;
    /** @type {number[]} the choices that are not judged, in the order in which they will be */
    this.waiting = [];
    this.summarizedAt = -Infinity;
    this.storeTimer = 0;
  }

  /** Return the review, and store it. @param {number[]} ownSeats @returns {Promise<Review>} */
  async makeReview(ownSeats) {
    const { worker: first, seats } = await this.#beginWorker(); // alone: if it cannot, the others cannot either
    this.total = seats.length;
    this.waiting = orderChoices(seats, ownSeats).filter((choice) => !this.decisions[choice]);
    this.report(this.judgedCount, this.total);
    if (this.judgedCount) await this.#summarize();
    const otherCount = Math.max(0, Math.min(MAX_WORKERS, navigator.hardwareConcurrency - 1, this.waiting.length) - 1);
    const others = Array.from({ length: otherCount }, async () =>
      this.#judgeChoices((await this.#beginWorker()).worker),
    );
    await Promise.all([this.#judgeChoices(first), ...others]);
    const review = await first.call("finish_review", this.decisions);
    this.#cancelStoring();
    storeReview(this.key, review);
    return review;
  }

  /** Stop; what has been judged and not stored is stored. */
  close() {
    if (this.#cancelStoring()) storeReview(this.key, this.decisions);
    for (const worker of this.workers) worker.close();
  }

  /** Begin a worker. Returns it, and the seats of the choices. */
  async #beginWorker() {
    const worker = new GameWorkerClient();
    this.workers.push(worker);
    /** @type {number[]} */
    const seats = await worker.call("begin_review", this.record);
    return { worker, seats };
  }

  /** @param {GameWorkerClient} worker */
  async #judgeChoices(worker) {
    for (let choice = this.waiting.shift(); choice !== undefined; choice = this.waiting.shift()) {
      this.decisions[choice] = await worker.call("judge", choice);
      this.report(++this.judgedCount, this.total);
      this.storeTimer ||= setTimeout(() => {
        this.storeTimer = 0;
        storeReview(this.key, this.decisions);
      }, STORE_DELAY_MS);
      const isDue = performance.now() - this.summarizedAt > SUMMARY_INTERVAL_MS;
      if (isDue && worker === this.workers[0]) await this.#summarize();
    }
  }

  async #summarize() {
    this.report(this.judgedCount, this.total, await this.workers[0].call("summarize_review", this.decisions));
    this.summarizedAt = performance.now();
  }

  /** Return whether decisions were about to be stored. */
  #cancelStoring() {
    clearTimeout(this.storeTimer);
    const wasDue = this.storeTimer !== 0;
    this.storeTimer = 0;
    return wasDue;
  }
}

/**
 * Return the choices in the order in which they are judged: the first one, which shows the chances at the start, then
 * the reader's own, then the others.
 * @param {number[]} seats of the choices @param {number[]} ownSeats
 */
function orderChoices(seats, ownSeats) {
  const rank = (/** @type {number} */ choice) => (choice === 0 ? 0 : ownSeats.includes(seats[choice]) ? 1 : 2);
  return [...seats.keys()].sort((a, b) => rank(a) - rank(b));
}
