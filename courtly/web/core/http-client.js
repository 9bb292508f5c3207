/**
 * Talking to the server: requests that either answer or throw a `Refused`, and sockets that come back by themselves.
 */

/** @typedef {import("./api-types.js").FromServer} FromServer */

export class RequestError extends Error {
  /** @param {{id: string, args?: Record<string, any>}} error @param {number} [status] */
  constructor(error, status = 0) {
    super(error.id);
    this.id = error.id;
    this.args = error.args ?? {};
    this.status = status;
  }
}

/** @typedef {(method: string, path: string, body?: unknown) => Promise<any>} RequestHandler */
/** @type {RequestHandler | null} who answers in the server's place */
let requestHandler = null;

/** From now on no server is asked. @param {RequestHandler} handler */
export function setRequestHandler(handler) {
  requestHandler = handler;
}

/**
 * @param {string} method @param {string} path @param {unknown} [body] JSON, or a Blob, which is sent as it is
 * @param {Record<string, string>} [headers]
 * @returns {Promise<any>}
 */
export async function request(method, path, body, headers = {}) {
  if (requestHandler) return requestHandler(method, path, body);
  const raw = body === undefined || body instanceof Blob;
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: { ...(raw ? {} : { "content-type": "application/json" }), ...headers },
      body: raw ? body : JSON.stringify(body),
    });
  } catch {
    throw new RequestError({ id: "error-offline" });
  }
  if (response.ok)
    return response.headers.get("content-type")?.includes("application/json") ? response.json() : response.text();
  const error = await response.json().then(
    (content) => content.error,
    () => null,
  );
  throw new RequestError(error ?? { id: "error-server", args: { status: response.status } }, response.status);
}

/** As many random bytes in hex. @param {number} bytes */
export const randomHex = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0")).join("");

/** The hash of the static files this page was made from. */
const PAGE_VERSION = new URL(import.meta.url).pathname.split("/")[2] ?? "";

const RESPONSE_TIMEOUT_MS = 8000; // that the answer to a command, and to a new connection, may take
const PONG_TIMEOUT_MS = 4000; // that the answer to a ping may take; twice as much after each one that was missed
const PING_AFTER_IDLE_MS = 5000; // without a message, after which a ping is sent
const RESTART_CLOSE_CODE = 1012; // close code: the server stops, and another answers, or soon the same
const RESTART_SPREAD_MS = 2000; // ms over which the pages of a house come back then, not all at once

/**
 * A socket that reconnects: at once when the page is seen again, else after growing pauses. A connection that is cut
 * where neither side notices seems open for minutes. So the page pings after each lull, when it is seen again and when
 * the network is back, and connects anew where an answer does not come in time.
 */
export class ReconnectingSocket {
  /** @param {string} path */
  constructor(path) {
    this.url = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${path}`;
    this.attempts = 0;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.reconnectTimer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.responseTimer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.pingTimer = undefined;
    /** @type {(event?: CloseEvent) => void} */
    this.drop = () => {};
    this.isRestarting = false;
    this.missedPongs = 0; // answers since the last pong
  }

  /**
   * @typedef {{helloFields?: () => object, onMessage: (message: FromServer) => void,
   *   onStateChange: (connected: boolean, restarts: boolean) => void}} SocketListener
   * @param {SocketListener} listener
   */
  open(listener) {
    const reconnect = () => {
      if (this.socket) return this.#ping();
      clearTimeout(this.reconnectTimer);
      this.#connect(listener);
    };
    addEventListener("online", reconnect);
    addEventListener("offline", () => this.drop());
    document.addEventListener("visibilitychange", () => {
      if (listener.helloFields) this.send({ type: "hidden", hidden: document.hidden });
      if (!document.hidden) reconnect();
    });
    this.#connect(listener);
  }

  /** Nothing is sent while there is no connection. @param {object} message */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify(message));
    if ("key" in message) this.#expectResponse(RESPONSE_TIMEOUT_MS);
  }

  /** Ask for an answer, whatever else is on its way. */
  #ping() {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.send({ type: "ping" });
    // where the server is slow it is not made slower
    this.#expectResponse(PONG_TIMEOUT_MS * 2 ** Math.min(this.missedPongs, 3));
  }

  /** Connect anew if nothing is heard for so long. @param {number} ms */
  #expectResponse(ms) {
    clearTimeout(this.pingTimer);
    clearTimeout(this.responseTimer);
    this.responseTimer = setTimeout(() => {
      this.missedPongs++;
      this.drop();
    }, ms);
  }

  /** Something was heard: the connection is alive. */
  #noteActivity() {
    this.attempts = 0;
    clearTimeout(this.responseTimer);
    clearTimeout(this.pingTimer);
    this.pingTimer = setTimeout(() => this.#ping(), PING_AFTER_IDLE_MS);
  }

  /** @param {SocketListener} listener */
  #connect(listener) {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    // a slow network may take longer: more at each try
    this.#expectResponse(RESPONSE_TIMEOUT_MS * 2 ** Math.min(this.attempts, 3));
    socket.onopen = () => {
      if (listener.helloFields)
        this.send({ type: "hello", ...listener.helloFields(), hidden: document.hidden, page: PAGE_VERSION });
      this.isRestarting = false;
      listener.onStateChange(true, false);
    };
    socket.onmessage = ({ data }) => {
      if (this.socket !== socket) return;
      this.#noteActivity();
      const message = JSON.parse(data);
      if (message.type === "page") reloadIfOutdated(message.hash);
      else if (message.type === "pong") this.missedPongs = 0;
      else listener.onMessage(message);
    };
    this.drop = socket.onclose = (/** @type {CloseEvent | undefined} */ event) => {
      if (this.socket !== socket) return;
      this.socket = null;
      clearTimeout(this.responseTimer);
      clearTimeout(this.pingTimer);
      socket.close(); // which may never be answered
      const restarting = event?.code === RESTART_CLOSE_CODE;
      this.isRestarting ||= restarting; // until somebody answers
      listener.onStateChange(false, this.isRestarting);
      const backoff = Math.min(500 * 2 ** this.attempts++, 8000) * (0.7 + 0.6 * Math.random());
      this.reconnectTimer = setTimeout(
        () => this.#connect(listener),
        restarting ? RESTART_SPREAD_MS * Math.random() : backoff,
      );
    };
  }
}

/**
 * What people are told while there is no connection; empty: there is one.
 * @param {boolean} connected @param {boolean} restarts
 */
export const connectionMessage = (connected, restarts) =>
  connected ? "" : restarts ? "connection-restarts" : "connection-lost";

const RELOAD_COOLDOWN_MS = 30_000; // ms in which one version may take another's place everywhere

/**
 * The server has other files than this page: load them, but never twice for the same ones, nor to and fro while
 * servers of two versions answer. @param {string} hash
 */
function reloadIfOutdated(hash) {
  if (hash === PAGE_VERSION) return;
  const author = document.documentElement.dataset.dev !== undefined; // saves as often as they like
  try {
    const [last, at] = (sessionStorage.getItem("courtly-page") ?? "").split(" ");
    if (last === hash || (!author && Date.now() - Number(at ?? 0) < RELOAD_COOLDOWN_MS)) return;
    sessionStorage.setItem("courtly-page", `${hash} ${Date.now()}`);
  } catch {
    return;
  }
  location.reload();
}
