/**
 * Talking to the server: requests that either answer or throw a `Refused`, and sockets that come back by themselves.
 */

/** @typedef {import("./types.js").FromServer} FromServer */

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

const PATIENCE = 8000; // ms that an answer may take

/**
 * A socket that reconnects: at once when the page is seen again, else after growing pauses. A connection that is cut
 * where neither side sees it seems open for minutes; what is not answered in time was not heard.
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
    this.lose = () => {};
  }

  /**
   * @typedef {{hello?: () => object, hear: (message: FromServer) => void, state: (connected: boolean) => void}} Owner
   * @param {Owner} owner
   */
  open(owner) {
    const now = () => {
      if (this.socket) return;
      clearTimeout(this.timer);
      this.#connect(owner);
    };
    addEventListener("online", now);
    addEventListener("offline", () => this.lose());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) now();
    });
    this.#connect(owner);
  }

  /** Nothing is sent while there is no connection. @param {object} message */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify(message));
    if (!("key" in message)) return; // it asks for no answer
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.lose(), PATIENCE);
  }

  /** @param {Owner} owner */
  #connect(owner) {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      this.tries = 0;
      if (owner.hello) this.send({ type: "hello", ...owner.hello(), page: PAGE });
      owner.state(true);
    };
    socket.onmessage = ({ data }) => {
      if (this.socket !== socket) return;
      clearTimeout(this.silence);
      const message = JSON.parse(data);
      if (message.type === "page") reload(message.hash);
      else owner.hear(message);
    };
    this.lose = socket.onclose = () => {
      if (this.socket !== socket) return;
      this.socket = null;
      clearTimeout(this.silence);
      socket.close(); // which may never be answered
      owner.state(false);
      this.timer = setTimeout(
        () => this.#connect(owner),
        Math.min(500 * 2 ** this.tries++, 8000) * (0.7 + 0.6 * Math.random()),
      );
    };
  }
}

/** The server has newer files than this page: load them, but never twice for the same ones. @param {string} hash */
function reload(hash) {
  if (hash === PAGE) return;
  try {
    if (sessionStorage.getItem("courtly-page") === hash) return;
    sessionStorage.setItem("courtly-page", hash);
  } catch {
    return;
  }
  location.reload();
}
