/** Rules and bots in this browser: a worker that is asked, and a game with it as a source of what a table is told. */
import { animationScale } from "../core/user-settings.js";

/**
 * @typedef {import("../game-view/game-view.js").SourceListener} SourceListener
 * @typedef {import("../core/python-client.js").PythonClient} PythonClient
 * @typedef {import("../core/api-types.js").TableInfo} TableInfo
 */

const STORAGE_KEY = "courtly-offline";
const BOT_MOVE_DELAY_MS = 700; // ms between two moves of bots, at the usual speed

/** What was kept of the game that is played here; "" if none is. */
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
    /* not allowed to keep anything */
  }
}

/** The game that the house has open. */
export class LocalGame {
  /** @param {PythonClient} python @param {() => void} leave */
  constructor(python, leave) {
    this.python = python;
    this.leave = leave;
    /** @type {SourceListener | null} */
    this.listener = null;
    this.isThinking = false; // do the bots play on?
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

  /** What these eyes have seen of it. @param {import("../game-view/replay/replay.js").Viewpoint} viewpoint */
  fetchReplay(viewpoint) {
    return this.python.call("past", viewpoint);
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
        more = await this.python.call("think");
        if (more) await this.#sendViews();
      }
    } finally {
      this.isThinking = false;
    }
  }

  /** What the table sends. @param {any} message */
  async send({ type, key, seat, seq, moves }) {
    try {
      if (type === "foresee") {
        const view = await this.python.call("foresee", seat, moves, seq);
        this.listener?.onMessage({ type: "foreseen", key, view });
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
