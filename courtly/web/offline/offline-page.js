/**
 * The offline page. The service worker shows it in place of any page when no server can be reached. At /offline, with
 * or without a server, a player can play against bots.
 */
import { html, nothing, render } from "lit";
import { showError, formatError, openConfirmDialog, redrawDialogs } from "../components/dialogs.js";
import { setRequestHandler, randomHex, RequestError } from "../core/http-client.js";
import { renderLanguageChoice } from "../components/preferences-panel.js";
import { loadRecord, renderRecordButton, acceptDroppedRecords } from "../components/record-picker.js";
import { currentLanguage, onSettingChange } from "../core/user-settings.js";
import { loadCatalogues, t } from "../core/i18n.js";
import { LocalGame, loadGame } from "./local-game.js";
import { fetchGames } from "../local/game-files.js";
import { GameWorkerClient } from "../local/game-worker-client.js";
import { preloadFiles, preloadLater } from "./preload-files.js";
import { cacheOfflineFiles } from "../core/service-worker-setup.js";

/** @typedef {import("../core/api-types.js").OfflineGame} OfflineGame */

const RETRY_INTERVAL_MS = 3000; // between two checks for the server
const CACHE_DELAY_MS = 3000; // after the last thing that was loaded for the player, which comes first
const IS_STATIC_SITE = document.documentElement.dataset.site !== undefined; // without any server

/** @param {HTMLElement} host */
export function start(host) {
  if (IS_STATIC_SITE || ["/offline", "/replay"].includes(location.pathname)) return new OfflinePage().open();
  const reload = () => location.reload();
  const draw = () => {
    document.title = t("courtly");
    render(
      html`<main class="sheet nowhere"><span class="logo" aria-hidden="true"></span>
      <h1>${t("offline")}</h1><p role="alert">${t("offline-says")}</p>
      <p class="buttons"><button class="button" @click=${reload}>${t("try-again")}</button>
        <a class="button quiet" href="/offline">${t("offline-play")}</a></p></main>`,
      host,
    );
  };
  const retry = () => fetch("/sw.js", { method: "HEAD" }).then(reload, () => setTimeout(retry, RETRY_INTERVAL_MS));
  setTimeout(retry, RETRY_INTERVAL_MS);
  onSettingChange(async () => {
    await loadCatalogues();
    draw();
  });
  draw();
}

/** The page for games and records without a server: loads the files, then shows the game or the record. */
class OfflinePage {
  constructor() {
    this.startedWorker = new GameWorkerClient();
    /** @type {OfflineGame[] | null} */
    this.games = null;
    /** @type {string[]} the games whose texts are loaded */
    this.chosenGames = [];
    /** @type {RequestError | null} */
    this.error = null;
    this.isPlaying = false;
    this.isKept = false; // are all files cached?
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.keepTimer = undefined;
    this.record = ""; // the record to replay
    /** @type {import("../game-view/game-view.js").GameView | null} */
    this.table = null;
    /** @type {import("../pages/record.js").RecordViewer | null} */
    this.viewer = null;
  }

  get host() {
    return /** @type {HTMLElement} */ (document.getElementById("page"));
  }

  /** The worker that plays; a new one if the last one failed. */
  get worker() {
    if (this.startedWorker.hasFailed) this.startedWorker = new GameWorkerClient();
    return this.startedWorker;
  }

  async open() {
    preloadLater();
    onSettingChange(async () => {
      await loadCatalogues(...this.chosenGames);
      this.draw();
    });
    acceptDroppedRecords((text) => this.openRecord(text));
    if (location.pathname === "/replay") this.record = await loadRecord();
    setRequestHandler((method, path, body) => this.answerRequest(method, path, body));
    await this.load();
  }

  /** Load the list of games. */
  async load() {
    this.error = null;
    this.draw();
    try {
      this.games = await fetchGames();
    } catch (/** @type {any} */ error) {
      this.error = error;
    }
    this.draw();
    if (this.record) this.openRecord(this.record);
    this.#keepSoon();
  }

  /** Cache all files in a while, unless more is loaded for the player until then. */
  #keepSoon() {
    clearTimeout(this.keepTimer);
    if (!this.isKept) this.keepTimer = setTimeout(() => this.#keep(), CACHE_DELAY_MS);
  }

  /** Cache all files for play without a connection. */
  async #keep() {
    this.isKept = await cacheOfflineFiles().catch(() => false);
    this.draw();
  }

  /** Replay a record. @param {string} text */
  async openRecord(text) {
    this.record = this.games ? "" : text;
    if (!this.games) return;
    const { RecordViewer } = await import("../pages/record.js");
    this.#clear();
    this.isPlaying = true;
    this.viewer ??= new RecordViewer(() => this.showStart());
    await this.viewer.showRecord(text);
  }

  /** @param {string} what @param {...unknown} more */
  async play(what, ...more) {
    const { worker } = this;
    this.#keepSoon();
    try {
      await worker.call(what, ...more);
    } catch (error) {
      showError(error);
      return this.draw();
    }
    this.isPlaying = true;
    this.#clear();
    const { mountGameView } = await import("../game-view/game-view.js");
    this.table = await mountGameView(
      this.host,
      await worker.call("table"),
      new LocalGame(worker, () => this.showStart()),
    );
    this.#keepSoon();
  }

  /** Go to the list of games; the loaded files are kept. */
  showStart() {
    this.#clear();
    this.isPlaying = false;
    this.draw();
  }

  #clear() {
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
    this.table?.leave();
    this.table = null;
    this.viewer?.leave();
    render(nothing, this.host);
  }

  /** Ask whether a new game may replace the stored one. @param {OfflineGame} game */
  chooseGame(game) {
    if (!loadGame()) return this.#openForm(game);
    openConfirmDialog(
      () => t("offline-instead"),
      () => t("offline-new"),
      () => this.#openForm(game),
    );
  }

  /** Open the form for a new game. @param {OfflineGame} game */
  async #openForm({ info: about, board_files }) {
    this.#keepSoon();
    this.worker.call("prepare", about.id).catch(() => {}); // "open" tells what is wrong
    preloadFiles(board_files);
    this.chosenGames.push(about.id);
    const [{ resolveOptions, openNewTableDialog }] = await Promise.all([
      import("../components/new-table-form.js"),
      loadCatalogues(about.id),
    ]);
    openNewTableDialog(about, { name: "" }, undefined, async (newTable) => {
      const seats = newTable.seats.map(({ kind, bot, name }) => ({
        ...(bot ? { bot } : {}),
        name: (kind === "me" ? newTable.me.name : (name ?? "")).trim(),
      }));
      await this.play("open", about.id, seats, resolveOptions(newTable), randomHex(32));
    });
  }

  draw() {
    if (this.isPlaying) return;
    document.title = t("offline-play");
    render(
      html`<main class="sheet nowhere"><span class="logo" aria-hidden="true"></span><h1>${t("offline-play")}</h1>
        <p>${t("offline-about")}</p>${renderLanguageChoice()}
        ${this.games ? this.#renderGames(this.games) : this.#renderLoading()}
        ${this.isKept ? html`<p role="status">${t("offline-kept")}</p>` : nothing}
        ${
          IS_STATIC_SITE
            ? nothing
            : html`<p class="buttons"><a class="button quiet"
          href="/">${t("to-lobby")}</a></p>`
        }</main>`,
      this.host,
    );
    redrawDialogs();
  }

  #renderLoading() {
    if (!this.error) return html`<p role="status">${t("offline-loading")}</p>`;
    return html`<p role="alert">${formatError(this.error)}</p>
      <p class="buttons"><button class="button" @click=${() => this.load()}>${t("try-again")}</button></p>`;
  }

  /** @param {OfflineGame[]} games */
  #renderGames(games) {
    return html`<div class="buttons">${games.map(
      (game) =>
        html`<button class="button" @click=${() => this.chooseGame(game)}>${game.titles[currentLanguage()]}</button>`,
    )}</div>
      ${
        loadGame()
          ? html`<p class="buttons"><button class="button quiet"
              @click=${() => this.play("restore", loadGame())}>${t("go-on")}</button></p>`
          : nothing
      }<p class="buttons">${renderRecordButton((text) => this.openRecord(text))}</p>`;
  }

  /**
   * Answer a page's request without a server, as far as possible.
   * @param {string} method @param {string} path @param {unknown} body
   */
  async answerRequest(method, path, body) {
    const { pathname, searchParams } = new URL(path, location.href);
    const game = pathname.match(/^\/api\/games\/(\w+)$/)?.[1];
    if (method === "GET" && game) return this.games?.find(({ info }) => info.id === game)?.info ?? null;
    if (pathname !== "/api/replay") throw new RequestError({ id: "error-offline" });
    const viewpoint = searchParams.get("seat") ?? "";
    return this.worker.call(
      "replay",
      await /** @type {Blob} */ (body).text(),
      /^\d+$/.test(viewpoint) ? Number(viewpoint) : viewpoint || null,
    );
  }
}
