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

/**
 * Return the review of a finished game, and store it for the next visit. It goes on where it was interrupted. Throws
 * RequestError if this device cannot make it.
 * @param {string} record @param {number[]} ownSeats the seats whose decisions are judged first
 * @param {(judged: number, total: number, growing?: GrowingReview) => void} report called after each judged decision;
 *   now and then with the review so far
 * @returns {Promise<Review>}
 */
export async function reviewOnDevice(record, ownSeats, report) {
  const key = getReviewKey(record);
  const stored = loadReview(key);
  if (stored) return stored;
  /** @type {GameWorkerClient[]} */
  const workers = [];
  const decisions = loadDecisions(key);
  /** @type {number[]} the choices that are not judged, in the order in which they will be */
  let waiting = [];
  let summarizedAt = 0;
  let judgedCount = decisions.filter(Boolean).length;
  let storing = 0; // a timer
  const storeSoon = () => {
    storing ||= setTimeout(() => {
      storing = 0;
      storeReview(key, decisions);
    }, STORE_DELAY_MS);
  };
  const begin = async () => {
    const worker = new GameWorkerClient();
    workers.push(worker);
    /** @type {number[]} */
    const seats = await worker.call("begin_review", record);
    return { worker, seats };
  };
  const judgeChoices = async (/** @type {GameWorkerClient} */ worker, /** @type {number} */ total) => {
    for (let choice = waiting.shift(); choice !== undefined; choice = waiting.shift()) {
      decisions[choice] = await worker.call("judge", choice);
      report(++judgedCount, total);
      storeSoon();
      if (worker === workers[0] && performance.now() - summarizedAt > SUMMARY_INTERVAL_MS) await summarize(total);
    }
  };
  const summarize = async (/** @type {number} */ total) => {
    report(judgedCount, total, await workers[0].call("summarize_review", decisions));
    summarizedAt = performance.now();
  };
  try {
    const first = await begin(); // alone: if it cannot, the others cannot either
    waiting = orderChoices(first.seats, ownSeats).filter((choice) => !decisions[choice]);
    const total = first.seats.length;
    report(judgedCount, total);
    const otherCount = Math.max(0, Math.min(MAX_WORKERS, navigator.hardwareConcurrency - 1, waiting.length) - 1);
    const others = Array.from({ length: otherCount }, async () => judgeChoices((await begin()).worker, total));
    if (judgedCount) await summarize(total);
    await Promise.all([judgeChoices(first.worker, total), ...others]);
    const review = await first.worker.call("finish_review", decisions);
    storeReview(key, review);
    return review;
  } finally {
    clearTimeout(storing);
    for (const worker of workers) worker.close();
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
