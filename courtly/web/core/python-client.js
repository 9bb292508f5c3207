/** A client for the Python rules that run in a web worker. */
import { RequestError } from "./http-client.js";
import { trustedScriptUrl } from "./service-worker-setup.js";

export class PythonClient {
  constructor() {
    this.worker = new Worker(trustedScriptUrl(new URL("../offline/python-worker.js", import.meta.url).pathname), {
      type: "module",
    });
    /** @type {((text: string) => void)[]} callbacks that wait for an answer, oldest first */
    this.pendingCalls = [];
    this.worker.onmessage = ({ data }) => this.pendingCalls.shift()?.(data);
    this.worker.onerror = () => {
      for (const resolve of this.pendingCalls.splice(0)) resolve('{"wrong": ""}');
    };
  }

  close() {
    this.worker.terminate();
  }

  /** @param {string} method @param {...unknown} args @returns {Promise<any>} */
  async call(method, ...args) {
    /** @type {Promise<string>} */
    const reply = new Promise((done) => this.pendingCalls.push(done));
    this.worker.postMessage(JSON.stringify({ what: method, with: args }));
    const { answer, error, wrong } = JSON.parse(await reply);
    if (error) throw new RequestError(error);
    if (wrong !== undefined) throw new RequestError({ id: "error-here", args: { why: wrong } });
    return answer;
  }
}
