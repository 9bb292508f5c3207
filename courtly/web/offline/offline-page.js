/**
 * Pages without a server. The service worker shows them in place of any page when no server can be reached, and a site
 * of files has no others: the rules and the lessons of the games, and at /offline, with or without a server, a page on
 * which a player can play against bots and replay records.
 */
import { html, nothing, render } from "lit";
import { showError, formatError, openConfirmDialog, redrawDialogs } from "../components/dialogs.js";
import { setRequestHandler, randomHex } from "../core/http-client.js";
import { renderUiIcon } from "../board-sdk/ui-icons.js";
import { renderLanguageChoice } from "../components/preferences-panel.js";
import { loadRecord, renderRecordButton, acceptDroppedRecords } from "../components/record-picker.js";
import { currentLanguage, onSettingChange } from "../core/user-settings.js";
import { formatLabelled, loadCatalogues, t } from "../core/i18n.js";
import { IS_STATIC_SITE, lessonUrl, rulesUrl } from "../core/page-address.js";
import { identifyRecord, loadGame, readStoredGame } from "../local/stored-game.js";
import { LocalGame } from "./local-game.js";
import { LocalApi } from "./local-api.js";
import { showNoConnection } from "./no-connection-page.js";
import { preloadFiles, preloadLater } from "./preload-files.js";
import { cacheOfflineFiles } from "../core/service-worker-setup.js";

/** @typedef {import("../core/api-types.js").OfflineGame} OfflineGame */

const CACHE_DELAY_MS = 3000; // after the last thing that was loaded for the player, which comes first
const RECORD_HASH = /^#record=/; // of an address with a record

/**
 * Show the page of this address without a server.
 * @param {HTMLElement} host @param {string} section the kind of the page @param {string} argument what it is about
 */
export function start(host, section, argument) {
  const api = new LocalApi();
  setRequestHandler((method, path, body) => api.answer(method, path, body));
  if (section === "rules" || section === "learn") return openGamePage(host, section, argument);
  if (!IS_STATIC_SITE && !["/offline", "/replay"].includes(location.pathname)) return showNoConnection(host);
  return new OfflinePage(api).open();
}

/** Show the rules or the lesson of a game. @param {HTMLElement} host @param {string} section @param {string} game */
async function openGamePage(host, section, game) {
  try {
    const { start } = await (section === "rules" ? import("../pages/rules.js") : import("../pages/lesson.js"));
    await start(host, game);
    setTimeout(() => cacheOfflineFiles().catch(() => {}), CACHE_DELAY_MS);
  } catch (error) {
    if (IS_STATIC_SITE) throw error;
    showNoConnection(host); // its files are not cached
  }
}

/** The page for games and records without a server: loads the files, then shows the game or the record. */
class OfflinePage {
  /** @param {LocalApi} api */
  constructor(api) {
    this.api = api;
    /** @type {OfflineGame[] | null} */
    this.games = null;
    /** @type {string[]} the games whose texts are loaded */
    this.chosenGames = [];
    /** @type {any} why the games could not be loaded */
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

  async open() {
    preloadLater();
    this.api.startWorker();
    onSettingChange(async () => {
      await loadCatalogues(...this.chosenGames);
      this.draw();
    });
    acceptDroppedRecords((text) => this.openRecord(text));
    if (location.pathname === "/replay" || RECORD_HASH.test(location.hash)) this.record = await loadRecord();
    await this.load();
    const query = new URLSearchParams(location.search);
    if (this.games && query.has("go-on") && loadGame()) {
      history.replaceState(null, "", location.pathname);
      this.play("restore", loadGame());
      return;
    }
    const chosen = query.get("play");
    const game = this.games?.find(({ id }) => id === chosen);
    if (!game) return;
    history.replaceState(null, "", location.pathname);
    this.chooseGame(game);
  }

  /** Load the list of games. */
  async load() {
    this.error = null;
    this.draw();
    try {
      this.games = await this.api.loadGames();
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
    const { worker } = this.api;
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
    const { move, address } = readStoredGame(await worker.call("text"));
    this.table = await mountGameView(
      this.host,
      await worker.call("table"),
      new LocalGame(worker, () => this.showStart(), { move, address: await this.#checkAddress(address) }),
    );
    this.#keepSoon();
  }

  /** Return an address unless it is of a record that is not the last one opened. @param {string} [address] */
  async #checkAddress(address) {
    const record = address?.split("#")[1];
    return record && identifyRecord(await loadRecord()) !== record ? undefined : address;
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
  async #openForm({ id, board_files }) {
    this.#keepSoon();
    this.api.worker.call("prepare", id).catch(() => {}); // "open" tells what is wrong
    this.chosenGames.push(id);
    const loading = Promise.all([
      this.api.describeGame(id),
      import("../components/new-table-form.js"),
      loadCatalogues(id),
    ]);
    preloadFiles(board_files); // after what the form needs
    let loaded;
    try {
      loaded = await loading;
    } catch {
      return showError({ id: "error-not-loaded" });
    }
    const [about, { resolveOptions, openNewTableDialog }] = loaded;
    openNewTableDialog(about, { name: "" }, undefined, async (newTable) => {
      const seats = newTable.seats.map(({ kind, bot, name }) => ({
        ...(bot ? { bot } : {}),
        name: (kind === "me" ? newTable.me.name : (name ?? "")).trim(),
      }));
      await this.play("open", id, seats, resolveOptions(newTable), randomHex(32));
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

  /** @param {OfflineGame} game */
  #renderGame(game) {
    const { id, lesson } = game;
    const title = game.titles[currentLanguage()];
    return html`<li><button class="button" @click=${() => this.chooseGame(game)}>${title}</button>
      <span>${
        lesson
          ? html`<a class="read" href=${lessonUrl(id)} aria-label=${t("lesson-of", { title })}>${renderUiIcon("hint")}
            ${t("lesson")}</a>`
          : nothing
      }<a class="read" href=${rulesUrl(id)} aria-label=${t("rules-of", { title })}>${renderUiIcon("book")}
        ${t("rules")}</a></span></li>`;
  }

  /** @param {OfflineGame[]} games */
  #renderGames(games) {
    const restore = () => this.play("restore", loadGame());
    const stored = loadGame();
    const { id, move } = readStoredGame(stored);
    const name = games.find((game) => game.id === id)?.titles[currentLanguage()];
    const title = name && move ? t("played-on", { name, move }) : name;
    return html`${
      stored
        ? html`<p class="buttons"><button class="button" @click=${restore}>${
            title
              ? html`${formatLabelled(t("go-on"))}<span .style=${"display: inline-block"}>${title}</span>`
              : t("go-on")
          }</button></p>`
        : nothing
    }<ul class="offline-games">${games.map((game) => this.#renderGame(game))}</ul>
      <p class="buttons">${renderRecordButton((text) => this.openRecord(text))}</p>`;
  }
}
