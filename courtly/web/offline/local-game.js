/** A game in this browser: the Python worker plays it, and the game view receives its messages as from a server. */
import { animationScale } from "../core/user-settings.js";

/**
 * @typedef {import("../game-view/game-view.js").SourceListener} SourceListener
 * @typedef {import("../core/python-client.js").PythonClient} PythonClient
 * @typedef {import("../core/api-types.js").TableInfo} TableInfo
 */

const STORAGE_KEY = "courtly-offline";
const BOT_MOVE_DELAY_MS = 700; // between two moves of bots, at the normal speed

/** Return the stored local game, or "" if there is none. */
export function loadGame() {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} text */
export function saveGame(text) {
  try {
    localStorage.setItem(STORAGE_KEY, text);
  } catch {
    /* storage is not allowed */
  }
}

/** The running local game; a source for the game view. */
export class LocalGame {
  /** @param {PythonClient} python @param {() => void} leave */
  constructor(python, leave) {
    this.python = python;
    this.leave = leave;
    /** @type {SourceListener | null} */
    this.listener = null;
    this.isThinking = false; // are the bots playing?
  }

  /** @param {SourceListener} listener */
  open(listener) {
    this.listener = listener;
    this.#sendViews().then(() => this.#runBots());
  }

  close() {
    this.listener = null;
  }

  async #sendViews() {
    if (!this.listener) return;
    const [table, views] = [await this.python.call("table"), await this.python.call("views")];
    saveGame(table.status === "over" ? "" : await this.python.call("text"));
    this.listener?.onMessage({ type: "table", table });
    for (const view of views) this.listener?.onMessage({ type: "view", view });
  }

  /**
   * Return the game so far as seen from this viewpoint.
   * @param {import("../game-view/replay/replay.js").Viewpoint} viewpoint
   */
  fetchReplay(viewpoint) {
    return this.python.call("history", viewpoint);
  }

  /** @returns {Promise<string>} */
  exportRecord() {
    return this.python.call("record");
  }

  async #runBots() {
    if (this.isThinking) return;
    this.isThinking = true;
    try {
      for (let more = true; more; ) {
        await new Promise((done) => setTimeout(done, BOT_MOVE_DELAY_MS * animationScale()));
        if (!this.listener) return;
        more = await this.python.call("play_next_bot");
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
        const view = await this.python.call("preview", seat, moves, seq);
        this.listener?.onMessage({ type: "preview", key, view });
        return;
      }
      if (type === "play") await this.python.call("play", seat, moves, seq);
      if (type === "undo") await this.python.call("undo", seat, seq);
      await this.#sendViews();
      await this.#runBots();
    } catch (/** @type {any} */ error) {
      this.listener?.onMessage({ type: "error", key, error });
    }
  }
}
