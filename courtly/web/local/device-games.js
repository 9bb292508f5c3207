/** Hints and previews computed on this device, from what the reader's seat sees, so that no server need be asked. */
import { GameWorkerClient } from "./game-worker-client.js";

/**
 * @typedef {import("../core/api-types.js").Advice} Advice @typedef {import("../core/api-types.js").View} View
 * @typedef {import("../core/api-types.js").Move} Move
 */

/** A worker, which starts when a game is first loaded, and the games that it has loaded. */
class DeviceGames {
  constructor() {
    /** @type {GameWorkerClient | null} */
    this.worker = null;
    /** @type {Map<string, Promise<boolean>>} whether each game could be loaded: perhaps no compiler made its code */
    this.loadings = new Map();
    /** @type {Set<string>} */
    this.loaded = new Set();
  }

  /**
   * Load a game, and return whether this device can compute with it.
   * @param {string} game @returns {Promise<boolean>}
   */
  load(game) {
    this.worker ??= new GameWorkerClient();
    const loading =
      this.loadings.get(game) ??
      this.worker.call("prepare", game).then(
        () => !!this.loaded.add(game),
        () => false,
      );
    this.loadings.set(game, loading);
    return loading;
  }
}

const advisor = new DeviceGames();
const previewer = new DeviceGames(); // has its own worker, so that no computation delays the effect of a click

/**
 * Return each seat's chance to win and, if `hints`, the best moves; null if this device cannot compute them. Throws
 * RequestError if the computation was cancelled ("error-stale") or fails.
 * @param {string} game
 * @param {Omit<View, "legal"> & {legal?: Move[]}} view the legal moves are computed if they are missing
 * @param {boolean} hints @returns {Promise<Advice | null>}
 */
export async function adviseOnDevice(game, { seat, state, pending, legal }, hints) {
  if (!(await advisor.load(game))) return null;
  return advisor.worker?.call("advise", game, { seat, state, pending, legal }, hints);
}

/** Cancel the computations of advice, if there are any. */
export const cancelAdvice = () => advisor.worker?.cancel();

/** Load a game, so that previews can be computed when they are needed. @param {string} game */
export const preparePreviews = (game) => previewer.load(game);

/**
 * Return the view of a seat after these moves; null if it cannot be known before they are made; undefined if the game
 * is not loaded here, which then begins.
 * @param {string} game @param {View} view of a seat @param {number[]} moves their ids
 * @returns {Promise<View | null | undefined>}
 */
export async function previewOnDevice(game, view, moves) {
  if (!previewer.loaded.has(game)) {
    previewer.load(game);
    return undefined;
  }
  try {
    return await previewer.worker?.call("preview_view", game, { ...view, cues: [], facts: undefined }, moves);
  } catch (/** @type {any} */ error) {
    return ["error-worker", "error-here"].includes(error.id) ? undefined : null;
  }
}
