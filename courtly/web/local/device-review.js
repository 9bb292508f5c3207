/** The review of a finished game, made on this device: several workers judge its decisions. */
import { GameWorkerClient } from "./game-worker-client.js";
import { getReviewKey, loadDecisions, loadReview, storeReview } from "./review-storage.js";

/** @typedef {import("../core/api-types.js").Review} Review */

const MAX_WORKERS = 4;
const STORE_DELAY_MS = 2000; // after a judged decision, so that few are lost if the reader leaves

/**
 * Return the review of a finished game, and store it for the next visit. It goes on where it was interrupted. Throws
 * RequestError if this device cannot make it.
 * @param {string} record @param {(judged: number, total: number) => void} report called after each judged decision
 * @returns {Promise<Review>}
 */
export async function reviewOnDevice(record, report) {
  const key = getReviewKey(record);
  const stored = loadReview(key);
  if (stored) return stored;
  /** @type {GameWorkerClient[]} */
  const workers = [];
  const decisions = loadDecisions(key);
  let next = 0;
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
    const total = await worker.call("begin_review", record);
    return { worker, total };
  };
  const judgeChoices = async (/** @type {{worker: GameWorkerClient, total: number}} */ { worker, total }) => {
    while (next < total) {
      const choice = next++;
      if (decisions[choice]) continue;
      decisions[choice] = await worker.call("judge", choice);
      report(++judgedCount, total);
      storeSoon();
    }
  };
  try {
    const first = await begin(); // alone: if it cannot, the others cannot either
    const left = first.total - judgedCount;
    report(judgedCount, first.total);
    const otherCount = Math.max(0, Math.min(MAX_WORKERS, navigator.hardwareConcurrency - 1, left) - 1);
    const others = Array.from({ length: otherCount }, async () => judgeChoices(await begin()));
    await Promise.all([judgeChoices(first), ...others]);
    const review = await first.worker.call("finish_review", decisions);
    storeReview(key, review);
    return review;
  } finally {
    clearTimeout(storing);
    for (const worker of workers) worker.close();
  }
}
