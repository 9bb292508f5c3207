/**
 * Communication with the server: requests, which return the response or throw a `RequestError`, and auto-reconnecting
 * WebSockets.
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
/** @type {RequestHandler | null} answers requests in place of the server */
let requestHandler = null;

/** Send all further requests to this handler instead of the server. @param {RequestHandler} handler */
export function setRequestHandler(handler) {
  requestHandler = handler;
}

/**
 * @param {string} method @param {string} path @param {unknown} [body] sent as JSON; a Blob is sent unchanged
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

/** Return this number of random bytes as hexadecimal digits. @param {number} bytes */
export const randomHex = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0")).join("");

/** The hash of the static files, as in this page's URLs. */
const PAGE_VERSION = new URL(import.meta.url).pathname.split("/")[2] ?? "";

const RESPONSE_TIMEOUT_MS = 8000; // until a command or a new connection is answered
const PONG_TIMEOUT_MS = 4000; // until a ping is answered; doubled for each missed pong, at most eightfold
const PING_AFTER_IDLE_MS = 5000; // send a ping after this long without a message
const RESTART_CLOSE_CODE = 1012; // close code: the server process stops; the same or another one answers soon
const RESTART_SPREAD_MS = 2000; // clients reconnect at random times within this period after a restart

/**
 * An auto-reconnecting WebSocket. It reconnects at once when the page becomes visible or the network returns, otherwise
 * with exponential backoff. Because a dead TCP connection can stay open for minutes, the client sends a ping when it
 * has received nothing for a while, when the page becomes visible and when the network returns, and reconnects if the
 * pong does not arrive in time.
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
    this.missedPongs = 0; // pings without an answer since the last pong
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

  /** Send the message, or drop it if there is no connection. @param {object} message */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify(message));
    if ("key" in message) this.#expectResponse(RESPONSE_TIMEOUT_MS);
  }

  /** Request a pong, even if other answers are pending. */
  #ping() {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.send({ type: "ping" });
    // a slow server gets more time, since reconnecting would add to its load
    this.#expectResponse(PONG_TIMEOUT_MS * 2 ** Math.min(this.missedPongs, 3));
  }

  /** Reconnect if nothing arrives within this many milliseconds. @param {number} ms */
  #expectResponse(ms) {
    clearTimeout(this.pingTimer);
    clearTimeout(this.responseTimer);
    this.responseTimer = setTimeout(() => {
      this.missedPongs++;
      this.drop();
    }, ms);
  }

  /** Record that a message has arrived, so the connection is alive. */
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
    // each attempt allows a slow network more time
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
      socket.close(); // without waiting for the server's close frame
      const isRestart = event?.code === RESTART_CLOSE_CODE;
      this.isRestarting ||= isRestart; // until a connection is open again
      listener.onStateChange(false, this.isRestarting);
      const backoff = Math.min(500 * 2 ** this.attempts++, 8000) * (0.7 + 0.6 * Math.random());
      this.reconnectTimer = setTimeout(
        () => this.#connect(listener),
        isRestart ? RESTART_SPREAD_MS * Math.random() : backoff,
      );
    };
  }
}

/**
 * Return the id of the message that the page shows while there is no connection, or "" if there is one.
 * @param {boolean} connected @param {boolean} restarts
 */
export const connectionMessage = (connected, restarts) =>
  connected ? "" : restarts ? "connection-restarts" : "connection-lost";

const RELOAD_COOLDOWN_MS = 30_000; // minimum time between two reloads because of a new version

/**
 * Reload the page if the server has other static files. Do not reload twice for the same hash, nor repeatedly while
 * servers of two versions answer in turn.
 * @param {string} hash
 */
function reloadIfOutdated(hash) {
  if (hash === PAGE_VERSION) return;
  const author = document.documentElement.dataset.dev !== undefined; // no limit while the author edits
  try {
    const [last, at] = (sessionStorage.getItem("courtly-page") ?? "").split(" ");
    if (last === hash || (!author && Date.now() - Number(at ?? 0) < RELOAD_COOLDOWN_MS)) return;
    sessionStorage.setItem("courtly-page", `${hash} ${Date.now()}`);
  } catch {
    return;
  }
  location.reload();
}
