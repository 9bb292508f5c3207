/**
 * The offline page. The service worker shows it in place of any page when no server can be reached. At /offline, with
 * or without a server, a player can play against bots.
 */
import { html, nothing, render } from "lit";
import { showError, openConfirmDialog, redrawDialogs } from "../components/dialogs.js";
import { setRequestHandler, randomHex, RequestError } from "../core/http-client.js";
import { renderLanguageChoice } from "../components/preferences-panel.js";
import { loadRecord, renderRecordButton, acceptDroppedRecords } from "../components/record-picker.js";
import { onSettingChange } from "../core/user-settings.js";
import { loadCatalogues, t } from "../core/i18n.js";
import { LocalGame, saveGame, loadGame } from "./local-game.js";
import { PythonClient } from "../core/python-client.js";
import { cacheOfflineFiles } from "../core/service-worker-setup.js";

/** @typedef {import("../core/api-types.js").GameInfo} About */

const RETRY_INTERVAL_MS = 3000; // between two checks for the server
const { megabytes: DOWNLOAD_MEGABYTES, site } = document.documentElement.dataset;
const IS_STATIC_SITE = site !== undefined; // is this a static site, without any server?

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
    /** @type {PythonClient | null} */
    this.python = null;
    /** @type {About[] | null} */
    this.games = null;
    /** @type {RequestError | null} */
    this.error = null;
    this.isPlaying = false;
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
    onSettingChange(async () => {
      await loadCatalogues(...(this.games ?? []).map((about) => about.id));
      this.draw();
    });
    acceptDroppedRecords((text) => this.openRecord(text));
    if (location.pathname === "/replay") this.record = await loadRecord();
    this.draw();
  }

  async load() {
    const python = new PythonClient();
    this.python = python;
    this.error = null;
    this.draw();
    try {
      const games = await python.call("games");
      await cacheOfflineFiles(); // cache what has been loaded
      await loadCatalogues(...games.map((/** @type {About} */ about) => about.id));
      this.games = games;
      setRequestHandler((method, path, body) => answerRequest(python, method, path, body));
    } catch (/** @type {any} */ wrong) {
      this.error = wrong;
      this.python = null;
    }
    this.draw();
    if (this.games && this.record) this.openRecord(this.record);
  }

  /** Replay a record. @param {string} text */
  async openRecord(text) {
    this.record = this.games ? "" : text;
    if (!this.games) return this.python ? this.draw() : this.load();
    const { RecordViewer } = await import("../pages/record.js");
    this.#clear();
    this.isPlaying = true;
    this.viewer ??= new RecordViewer(() => this.showStart());
    await this.viewer.showRecord(text);
  }

  /** @param {string} what @param {...unknown} more */
  async play(what, ...more) {
    const { python } = this;
    if (!python) return;
    try {
      await python.call(what, ...more);
    } catch (error) {
      if (what === "restore") saveGame(""); // a game that cannot be read now never can
      showError(error);
      return this.draw();
    }
    this.isPlaying = true;
    this.#clear();
    const { mountGameView } = await import("../game-view/game-view.js");
    this.table = await mountGameView(
      this.host,
      await python.call("table"),
      new LocalGame(python, () => this.showStart()),
    );
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

  /** Ask whether a new game may replace the stored one. @param {About} about */
  chooseGame(about) {
    if (!loadGame()) return this.#openForm(about);
    openConfirmDialog(
      () => t("offline-instead"),
      () => t("offline-new"),
      () => this.#openForm(about),
    );
  }

  /** Open the form for a new game. @param {About} about */
  async #openForm(about) {
    const { resolveOptions, openNewTableDialog } = await import("../components/new-table-form.js");
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
        ${this.error ? html`<p role="alert">${t("error-here", { why: this.error.args.why ?? "" })}</p>` : nothing}
        ${this.record ? html`<p>${t("offline-record")}</p>` : nothing}
        ${this.games ? this.#renderGames(this.games) : this.#renderLoading()}
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
    if (this.python) return html`<p role="status">${t("offline-loading")}</p>`;
    return html`<p>${t("offline-size", { megabytes: DOWNLOAD_MEGABYTES })}</p>
      <p class="buttons"><button class="button" @click=${() => this.load()}>${t("offline-load")}</button></p>`;
  }

  /** @param {About[]} games */
  #renderGames(games) {
    return html`<div class="buttons">${games.map(
      (about) => html`<button class="button" @click=${() => this.chooseGame(about)}>${t(about.id)}</button>`,
    )}</div>
      ${
        loadGame()
          ? html`<p class="buttons"><button class="button quiet"
              @click=${() => this.play("restore", loadGame())}>${t("go-on")}</button></p>`
          : nothing
      }<p class="buttons">${renderRecordButton((text) => this.openRecord(text))}</p>`;
  }
}

/**
 * Answer a page's request without a server, as far as possible.
 * @param {PythonClient} python @param {string} method @param {string} path @param {unknown} body
 */
async function answerRequest(python, method, path, body) {
  const { pathname, searchParams } = new URL(path, location.href);
  const game = pathname.match(/^\/api\/games\/(\w+)$/)?.[1];
  if (method === "GET" && game) return python.call("about", game);
  if (pathname !== "/api/replay") throw new RequestError({ id: "error-offline" });
  const viewpoint = searchParams.get("seat") ?? "";
  return python.call(
    "replay",
    await /** @type {Blob} */ (body).text(),
    /^\d+$/.test(viewpoint) ? Number(viewpoint) : viewpoint || null,
  );
}
