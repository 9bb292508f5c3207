/** Hints computed on this device, from what the reader's seat sees, so that a server need not. */
import { GameWorkerClient } from "./game-worker-client.js";

/**
 * @typedef {import("../core/api-types.js").Advice} Advice @typedef {import("../core/api-types.js").View} View
 */

/** @type {GameWorkerClient | null} a worker of its own, so that the bots of a local game need not wait */
let worker = null;
/** @type {Set<string>} games that cannot be computed here, for example because no compiler made their code */
const unavailableGames = new Set();

/** Return whether hints for this game can be computed here, as far as is known. @param {string} game */
export const canAdvise = (game) => !unavailableGames.has(game);

/**
 * Return each seat's chance to win and, if `hints`, the best moves. Throws RequestError if the computation was
 * cancelled ("error-stale"), or if the device cannot do it.
 * @param {string} game @param {View} view @param {boolean} hints @returns {Promise<Advice>}
 */
export async function adviseOnDevice(game, view, hints) {
  worker ??= new GameWorkerClient();
  const { seat, state, pending, legal } = view;
  try {
    return await worker.call("advise", game, { seat, state, pending, legal }, hints);
  } catch (/** @type {any} */ error) {
    if (error.id !== "error-stale") unavailableGames.add(game);
    throw error;
  }
}

/** Cancel the computations in progress, if there are any. */
export const cancelAdvice = () => worker?.cancel();
