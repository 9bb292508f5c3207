/** Answers the requests of pages without a server, as far as possible. */
import { RequestError } from "../core/http-client.js";
import { fetchGameInfo, fetchGames } from "../local/game-files.js";
import { GameWorkerClient } from "../local/game-worker-client.js";

/** @typedef {import("../core/api-types.js").GameInfo} GameInfo */
/** @typedef {import("../core/api-types.js").OfflineGame} OfflineGame */

const GAME_PATH = /^\/api\/games\/(\w+)(\/lesson)?$/;

export class LocalApi {
  constructor() {
    /** @type {GameWorkerClient | null} */
    this.startedWorker = null;
    /** @type {OfflineGame[] | null} */
    this.games = null;
    /** @type {Map<string, GameInfo>} */
    this.infos = new Map();
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
    if (game && method === "GET") return this.describeGame(game);
    if (pathname === "/api/me") return { id: "", name: "" };
    if (pathname !== "/api/replay") throw new RequestError({ id: "error-offline" });
    const viewpoint = searchParams.get("seat") ?? "";
    return this.worker.call(
      "replay",
      await /** @type {Blob} */ (body).text(),
      /^\d+$/.test(viewpoint) ? Number(viewpoint) : viewpoint || null,
    );
  }

  /**
   * Return what is known of a game before play starts. Throws RequestError if there is no such game, and
   * CommandRefusedError if it cannot be loaded.
   * @param {string} id
   */
  async describeGame(id) {
    if (!(await this.loadGames()).some((game) => game.id === id)) throw new RequestError({ id: "error-unknown-game" });
    const info = this.infos.get(id) ?? (await fetchGameInfo(id));
    this.infos.set(id, info);
    return info;
  }
}
