/** Answers the requests of pages without a server, as far as possible. */
import { RequestError } from "../core/http-client.js";
import { fetchGames } from "../local/game-files.js";
import { GameWorkerClient } from "../local/game-worker-client.js";

/** @typedef {import("../core/api-types.js").OfflineGame} OfflineGame */

const GAME_PATH = /^\/api\/games\/(\w+)(\/lesson)?$/;

export class LocalApi {
  constructor() {
    /** @type {GameWorkerClient | null} */
    this.startedWorker = null;
    /** @type {OfflineGame[] | null} */
    this.games = null;
  }

  /** The worker that plays. */
  get worker() {
    return this.startWorker();
  }

  /** Start the worker if there is none, or the last one failed. */
  startWorker() {
    if (!this.startedWorker || this.startedWorker.hasFailed) this.startedWorker = new GameWorkerClient();
    return this.startedWorker;
  }

  /** Return the list of games. Throws CommandRefusedError if it cannot be loaded. */
  async loadGames() {
    this.games ??= await fetchGames();
    return this.games;
  }

  /**
   * Return the answer to a request. Throws RequestError if there is none without a server.
   * @param {string} method @param {string} path @param {unknown} body
   */
  async answer(method, path, body) {
    const { pathname, searchParams } = new URL(path, location.href);
    const [, game, lesson] = pathname.match(GAME_PATH) ?? [];
    if (lesson) return this.worker.call("lesson", game, body);
    if (game && method === "GET") return this.#describeGame(game);
    if (pathname === "/api/me") return { id: "", name: "" };
    if (pathname !== "/api/replay") throw new RequestError({ id: "error-offline" });
    const viewpoint = searchParams.get("seat") ?? "";
    return this.worker.call(
      "replay",
      await /** @type {Blob} */ (body).text(),
      /^\d+$/.test(viewpoint) ? Number(viewpoint) : viewpoint || null,
    );
  }

  /** @param {string} id */
  async #describeGame(id) {
    const game = (await this.loadGames()).find(({ info }) => info.id === id);
    if (!game) throw new RequestError({ id: "error-unknown-game" });
    return game.info;
  }
}
