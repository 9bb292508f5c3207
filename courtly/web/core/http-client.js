/**
 * Talking to the server: requests that either answer or throw a `Refused`, and sockets that come back by themselves.
 */

/** @typedef {import("./api-types.js").FromServer} FromServer */

export class Refused extends Error {
  /** @param {{id: string, args?: Record<string, any>}} error @param {number} [status] */
  constructor(error, status = 0) {
    super(error.id);
    this.id = error.id;
    this.args = error.args ?? {};
    this.status = status;
  }
}

/** @typedef {(method: string, path: string, body?: unknown) => Promise<any>} Answer */
/** @type {Answer | null} who answers in the server's place */
let inPlace = null;

/** From now on no server is asked. @param {Answer} answer */
export function answerHere(answer) {
  inPlace = answer;
}

/**
 * @param {string} method @param {string} path @param {unknown} [body] JSON, or a Blob, which is sent as it is
 * @param {Record<string, string>} [headers]
 * @returns {Promise<any>}
 */
export async function ask(method, path, body, headers = {}) {
  if (inPlace) return inPlace(method, path, body);
  const raw = body === undefined || body instanceof Blob;
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: { ...(raw ? {} : { "content-type": "application/json" }), ...headers },
      body: raw ? body : JSON.stringify(body),
    });
  } catch {
    throw new Refused({ id: "error-offline" });
  }
  if (answer.ok)
    return answer.headers.get("content-type")?.includes("application/json") ? answer.json() : answer.text();
  const error = await answer.json().then(
    (content) => content.error,
    () => null,
  );
  throw new Refused(error ?? { id: "error-server", args: { status: answer.status } }, answer.status);
}

/** As many random bytes in hex. @param {number} bytes */
export const randomHex = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0")).join("");

/** The hash of the static files this page was made from. */
const PAGE = new URL(import.meta.url).pathname.split("/")[2] ?? "";

const ANSWER_MS = 8000; // that the answer to a command, and to a new connection, may take
const PONG_MS = 4000; // that the answer to a ping may take; twice as much after each one that was missed
const LULL_MS = 5000; // without a message, after which a ping is sent
const RESTART = 1012; // close code: the server stops, and another answers, or soon the same
const SPREAD = 2000; // ms over which the pages of a house come back then, not all at once

/**
 * A socket that reconnects: at once when the page is seen again, else after growing pauses. A connection that is cut
 * where neither side notices seems open for minutes. So the page pings after each lull, when it is seen again and when
 * the network is back, and connects anew where an answer does not come in time.
 */
export class Line {
  /** @param {string} path */
  constructor(path) {
    this.url = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${path}`;
    this.tries = 0;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.silence = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.lull = undefined;
    /** @type {(event?: CloseEvent) => void} */
    this.lose = () => {};
    this.restarts = false;
    this.missed = 0; // answers since the last pong
  }

  /**
   * @typedef {{hello?: () => object, hear: (message: FromServer) => void,
   *   state: (connected: boolean, restarts: boolean) => void}} Owner
   * @param {Owner} owner
   */
  open(owner) {
    const now = () => {
      if (this.socket) return this.#ping();
      clearTimeout(this.timer);
      this.#connect(owner);
    };
    addEventListener("online", now);
    addEventListener("offline", () => this.lose());
    document.addEventListener("visibilitychange", () => {
      if (owner.hello) this.send({ type: "hidden", hidden: document.hidden });
      if (!document.hidden) now();
    });
    this.#connect(owner);
  }

  /** Nothing is sent while there is no connection. @param {object} message */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify(message));
    if ("key" in message) this.#expect(ANSWER_MS);
  }

  /** Ask for an answer, whatever else is on its way. */
  #ping() {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.send({ type: "ping" });
    this.#expect(PONG_MS * 2 ** Math.min(this.missed, 3)); // where the server is slow it is not made slower
  }

  /** Connect anew if nothing is heard for so long. @param {number} ms */
  #expect(ms) {
    clearTimeout(this.lull);
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      this.missed++;
      this.lose();
    }, ms);
  }

  /** Something was heard: the connection is alive. */
  #alive() {
    this.tries = 0;
    clearTimeout(this.silence);
    clearTimeout(this.lull);
    this.lull = setTimeout(() => this.#ping(), LULL_MS);
  }

  /** @param {Owner} owner */
  #connect(owner) {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.#expect(ANSWER_MS * 2 ** Math.min(this.tries, 3)); // a slow network may take longer: more at each try
    socket.onopen = () => {
      if (owner.hello) this.send({ type: "hello", ...owner.hello(), hidden: document.hidden, page: PAGE });
      this.restarts = false;
      owner.state(true, false);
    };
    socket.onmessage = ({ data }) => {
      if (this.socket !== socket) return;
      this.#alive();
      const message = JSON.parse(data);
      if (message.type === "page") reload(message.hash);
      else if (message.type === "pong") this.missed = 0;
      else owner.hear(message);
    };
    this.lose = socket.onclose = (/** @type {CloseEvent | undefined} */ event) => {
      if (this.socket !== socket) return;
      this.socket = null;
      clearTimeout(this.silence);
      clearTimeout(this.lull);
      socket.close(); // which may never be answered
      const told = event?.code === RESTART;
      this.restarts ||= told; // until somebody answers
      owner.state(false, this.restarts);
      const growing = Math.min(500 * 2 ** this.tries++, 8000) * (0.7 + 0.6 * Math.random());
      this.timer = setTimeout(() => this.#connect(owner), told ? SPREAD * Math.random() : growing);
    };
  }
}

/**
 * What people are told while there is no connection; empty: there is one.
 * @param {boolean} connected @param {boolean} restarts
 */
export const lostBy = (connected, restarts) => (connected ? "" : restarts ? "connection-restarts" : "connection-lost");

const SETTLED = 30_000; // ms in which one version may take another's place everywhere

/**
 * The server has other files than this page: load them, but never twice for the same ones, nor to and fro while
 * servers of two versions answer. @param {string} hash
 */
function reload(hash) {
  if (hash === PAGE) return;
  const author = document.documentElement.dataset.dev !== undefined; // saves as often as they like
  try {
    const [last, at] = (sessionStorage.getItem("courtly-page") ?? "").split(" ");
    if (last === hash || (!author && Date.now() - Number(at ?? 0) < SETTLED)) return;
    sessionStorage.setItem("courtly-page", `${hash} ${Date.now()}`);
  } catch {
    return;
  }
  location.reload();
}
