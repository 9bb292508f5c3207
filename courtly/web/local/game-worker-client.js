/** A client for the compiled games, which run in a web worker: see command-dispatcher.js for the commands. */
import { RequestError } from "../core/http-client.js";
import { trustedScriptUrl } from "../core/service-worker-setup.js";

/** @typedef {{number: number, answer?: any, error?: {id: string, args: Record<string, any>}, wrong?: string}} Reply */

export class GameWorkerClient {
  constructor() {
    const url = new URL("game-worker.js", import.meta.url).pathname;
    this.worker = new Worker(trustedScriptUrl(url), { type: "module" });
    this.callCount = 0;
    /** @type {Map<number, (reply: Reply) => void>} callbacks that wait for a reply, by the number of the call */
    this.pendingCalls = new Map();
    this.hasFailed = false;
    this.worker.onmessage = ({ data }) => this.#resolve(data);
    this.worker.onerror = () => {
      this.hasFailed = true;
      for (const number of this.pendingCalls.keys()) this.#resolve({ number });
    };
  }

  /** @param {Reply} reply */
  #resolve(reply) {
    this.pendingCalls.get(reply.number)?.(reply);
    this.pendingCalls.delete(reply.number);
  }

  close() {
    this.worker.terminate();
  }

  /** Cancel the commands that were sent: those that compute are refused with "error-stale". */
  cancel() {
    this.worker.postMessage({ what: "cancel" });
  }

  /**
   * Run a command, and return its answer. Throws RequestError if it was refused, or the worker failed.
   * @param {string} command @param {...unknown} args @returns {Promise<any>}
   */
  async call(command, ...args) {
    if (this.hasFailed) throw new RequestError({ id: "error-worker" });
    const number = this.callCount++;
    /** @type {Promise<Reply>} */
    const reply = new Promise((done) => this.pendingCalls.set(number, done));
    this.worker.postMessage({ number, what: command, with: args });
    const { answer, error, wrong } = await reply;
    if (error) throw new RequestError(error);
    if (this.hasFailed) throw new RequestError({ id: "error-worker" });
    if (wrong !== undefined) throw new RequestError({ id: "error-here", args: { why: wrong } });
    return answer;
  }
}
