/** A game in this browser: a worker plays it, and the game view receives its messages as from a server. */
import { animationScale } from "../core/user-settings.js";
import { saveGame } from "../local/stored-game.js";

/**
 * @typedef {import("../game-view/game-view.js").SourceListener} SourceListener
 * @typedef {import("../local/game-worker-client.js").GameWorkerClient} GameWorkerClient
 * @typedef {import("../core/api-types.js").TableInfo} TableInfo
 */

const BOT_MOVE_DELAY_MS = 700; // between two moves of bots, at the normal speed

/** The running local game; a source for the game view. */
export class LocalGame {
  /**
   * @param {GameWorkerClient} worker @param {() => void} leave
   * @param {{move?: number, address?: string}} [origin] where it was played on from another game: see `Source`
   */
  constructor(worker, leave, { move, address } = {}) {
    this.worker = worker;
    this.leave = leave;
    this.fromMove = move;
    this.fromAddress = address;
    /** @type {SourceListener | null} */
    this.listener = null;
    this.isThinking = false; // are the bots playing?
    this.hasWarned = false; // that the game cannot be stored
  }

  /** @param {SourceListener} listener */
  open(listener) {
    this.listener = listener;
    this.#continue();
  }

  close() {
    this.listener = null;
  }

  /** Show the position, and let the bots play. @param {string} [key] of the command that changed it */
  async #continue(key) {
    try {
      await this.#sendViews();
      await this.#runBots();
    } catch (/** @type {any} */ error) {
      this.listener?.onMessage({ type: "error", key, error });
    }
  }

  async #sendViews() {
    if (!this.listener) return;
    const [table, views] = [await this.worker.call("table"), await this.worker.call("views")];
    const isKept = saveGame(table.status === "over" ? "" : await this.worker.call("text"));
    this.listener?.onMessage({ type: "table", table });
    for (const view of views) this.listener?.onMessage({ type: "view", view });
    if (!isKept && !this.hasWarned)
      this.listener?.onMessage({ type: "error", error: { id: "error-not-kept", args: {} } });
    this.hasWarned ||= !isKept;
  }

  /**
   * Return the game so far as seen from this viewpoint.
   * @param {import("../game-view/replay/replay.js").Viewpoint} viewpoint
   */
  fetchReplay(viewpoint) {
    return this.worker.call("history", viewpoint);
  }

  /** @returns {Promise<string>} */
  exportRecord() {
    return this.worker.call("record");
  }

  async #runBots() {
    if (this.isThinking) return;
    this.isThinking = true;
    try {
      for (let more = true; more; ) {
        await new Promise((done) => setTimeout(done, BOT_MOVE_DELAY_MS * animationScale()));
        if (!this.listener) return;
        more = await this.worker.call("play_next_bot");
        if (more) await this.#sendViews();
      }
    } finally {
      this.isThinking = false;
    }
  }

  /** Handle a message from the table. @param {any} message */
  async send({ type, key, seat, seq, moves }) {
    try {
      if (type === "preview") {
        const view = await this.worker.call("preview", seat, moves, seq);
        this.listener?.onMessage({ type: "preview", key, view });
        return;
      }
      if (type === "play") await this.worker.call("play", seat, moves, seq);
      if (type === "undo") await this.worker.call("undo", seat, seq);
    } catch (/** @type {any} */ error) {
      this.listener?.onMessage({ type: "error", key, error });
      return;
    }
    await this.#continue(key);
  }
}
