/** Rules and bots in this browser: a worker that is asked, and a game with it as a source of what a table is told. */
import { Refused } from "../core/http-client.js";
import { pace } from "../core/user-settings.js";
import { trusted } from "./service-worker-setup.js";

/**
 * @typedef {import("../game-view/game-view.js").Listener} Listener
 * @typedef {import("../core/api-types.js").TableInfo} TableInfo
 */

const KEY = "courtly-offline";
const PAUSE = 700; // ms between two moves of bots, at the usual speed

/** What was kept of the game that is played here; "" if none is. */
export function keptGame() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} text */
export function keepGame(text) {
  try {
    localStorage.setItem(KEY, text);
  } catch {
    /* not allowed to keep anything */
  }
}

export class House {
  constructor() {
    this.worker = new Worker(trusted(new URL("python-worker.js", import.meta.url).pathname), { type: "module" });
    /** @type {((text: string) => void)[]} those who wait for an answer, in turn */
    this.waiting = [];
    this.worker.onmessage = ({ data }) => this.waiting.shift()?.(data);
    this.worker.onerror = () => {
      for (const tell of this.waiting.splice(0)) tell('{"wrong": ""}');
    };
  }

  close() {
    this.worker.terminate();
  }

  /** @param {string} what @param {...unknown} more @returns {Promise<any>} */
  async ask(what, ...more) {
    /** @type {Promise<string>} */
    const told = new Promise((done) => this.waiting.push(done));
    this.worker.postMessage(JSON.stringify({ what, with: more }));
    const { answer, error, wrong } = JSON.parse(await told);
    if (error) throw new Refused(error);
    if (wrong !== undefined) throw new Refused({ id: "error-here", args: { why: wrong } });
    return answer;
  }
}

/** The game that the house has open. */
export class Game {
  /** @param {House} house @param {() => void} leave */
  constructor(house, leave) {
    this.house = house;
    this.leave = leave;
    /** @type {Listener | null} */
    this.listener = null;
    this.thinks = false; // do the bots play on?
  }

  /** @param {Listener} listener */
  open(listener) {
    this.listener = listener;
    this.#tell().then(() => this.#think());
  }

  close() {
    this.listener = null;
  }

  async #tell() {
    if (!this.listener) return;
    const [table, views] = [await this.house.ask("table"), await this.house.ask("views")];
    keepGame(table.status === "over" ? "" : await this.house.ask("text"));
    this.listener?.hear({ type: "table", table });
    for (const view of views) this.listener?.hear({ type: "view", view });
  }

  /** What these eyes have seen of it. @param {import("../game-view/replay/replay.js").Eyes} eyes */
  past(eyes) {
    return this.house.ask("past", eyes);
  }

  /** @returns {Promise<string>} */
  record() {
    return this.house.ask("record");
  }

  async #think() {
    if (this.thinks) return;
    this.thinks = true;
    try {
      for (let more = true; more; ) {
        await new Promise((done) => setTimeout(done, PAUSE * pace()));
        if (!this.listener) return;
        more = await this.house.ask("think");
        if (more) await this.#tell();
      }
    } finally {
      this.thinks = false;
    }
  }

  /** What the table sends. @param {any} message */
  async send({ type, key, seat, seq, moves }) {
    try {
      if (type === "foresee") {
        const view = await this.house.ask("foresee", seat, moves, seq);
        this.listener?.hear({ type: "foreseen", key, view });
        return;
      }
      if (type === "play") await this.house.ask("play", seat, moves, seq);
      if (type === "undo") await this.house.ask("undo", seat, seq);
      await this.#tell();
      await this.#think();
    } catch (/** @type {any} */ error) {
      this.listener?.hear({ type: "error", key, error });
    }
  }
}
