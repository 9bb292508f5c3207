/**
 * No server can be reached: the service worker shows this in place of the page that was asked for. At /offline, with a
 * server or without, one plays here against bots.
 */
import { html, nothing, render } from "lit";
import { complain, confirm, redrawDialogs } from "../components/dialogs.js";
import { answerHere, randomHex, Refused } from "../core/http-client.js";
import { languages } from "../components/preferences-panel.js";
import { brought, chooser, takeDrops } from "../components/record-picker.js";
import { onSetting } from "../core/user-settings.js";
import { load, t } from "../core/i18n.js";
import { Game, House, keepGame, keptGame } from "./local-game.js";
import { keepAll } from "./service-worker-setup.js";

/** @typedef {import("../core/api-types.js").GameInfo} About */

const PAUSE = 3000; // ms between two looks whether it is there again
const { megabytes: MEGABYTES, site } = document.documentElement.dataset;
const ALONE = site !== undefined; // is there no server at all?

/** @param {HTMLElement} host */
export function start(host) {
  if (ALONE || ["/offline", "/replay"].includes(location.pathname)) return new Alone().open();
  const again = () => location.reload();
  const draw = () => {
    document.title = t("courtly");
    render(
      html`<main class="sheet nowhere"><span class="logo" aria-hidden="true"></span>
      <h1>${t("offline")}</h1><p role="alert">${t("offline-says")}</p>
      <p class="buttons"><button class="button" @click=${again}>${t("try-again")}</button>
        <a class="button quiet" href="/offline">${t("offline-play")}</a></p></main>`,
      host,
    );
  };
  const look = () => fetch("/sw.js", { method: "HEAD" }).then(again, () => setTimeout(look, PAUSE));
  setTimeout(look, PAUSE);
  onSetting(async () => {
    await load();
    draw();
  });
  draw();
}

/** Games and records without a server: what is loaded, and then what is played, or played back. */
class Alone {
  constructor() {
    /** @type {House | null} */
    this.house = null;
    /** @type {About[] | null} */
    this.games = null;
    /** @type {Refused | null} */
    this.wrong = null;
    this.playing = false;
    this.record = ""; // that is to be played back
    /** @type {import("../game-view/game-view.js").Table | null} */
    this.table = null;
    /** @type {import("../pages/record.js").Viewer | null} */
    this.viewer = null;
  }

  get host() {
    return /** @type {HTMLElement} */ (document.getElementById("page"));
  }

  async open() {
    onSetting(async () => {
      await load(...(this.games ?? []).map((about) => about.id));
      this.draw();
    });
    takeDrops((text) => this.bring(text));
    if (location.pathname === "/replay") this.record = await brought();
    this.draw();
  }

  async load() {
    const house = new House();
    this.house = house;
    this.wrong = null;
    this.draw();
    try {
      const games = await house.ask("games");
      await keepAll(); // what was loaded by now is at hand
      await load(...games.map((/** @type {About} */ about) => about.id));
      this.games = games;
      answerHere((method, path, body) => answer(house, method, path, body));
    } catch (/** @type {any} */ wrong) {
      this.wrong = wrong;
      this.house = null;
    }
    this.draw();
    if (this.games && this.record) this.bring(this.record);
  }

  /** A record to be played back. @param {string} text */
  async bring(text) {
    this.record = this.games ? "" : text;
    if (!this.games) return this.house ? this.draw() : this.load();
    const { Viewer } = await import("../pages/record.js");
    this.#clear();
    this.playing = true;
    this.viewer ??= new Viewer(() => this.back());
    await this.viewer.show(text);
  }

  /** @param {string} what @param {...unknown} more */
  async play(what, ...more) {
    const { house } = this;
    if (!house) return;
    try {
      await house.ask(what, ...more);
    } catch (error) {
      if (what === "kept") keepGame(""); // what cannot be read today cannot be tomorrow
      complain(error);
      return this.draw();
    }
    this.playing = true;
    this.#clear();
    const { lay } = await import("../game-view/game-view.js");
    this.table = await lay(this.host, await house.ask("table"), new Game(house, () => this.back()));
  }

  /** To what can be played: all that was loaded is still there. */
  back() {
    this.#clear();
    this.playing = false;
    this.draw();
  }

  #clear() {
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
    this.table?.leave();
    this.table = null;
    this.viewer?.leave();
    render(nothing, this.host);
  }

  /** A new game takes the place of the one that is kept. @param {About} about */
  choose(about) {
    if (!keptGame()) return this.#agree(about);
    confirm(
      () => t("offline-instead"),
      () => t("offline-new"),
      () => this.#agree(about),
    );
  }

  /** What is agreed first. @param {About} about */
  async #agree(about) {
    const { agreedOptions, newTable } = await import("../components/new-table-form.js");
    newTable(about, { name: "" }, undefined, async (form) => {
      const chairs = form.chairs.map(({ kind, bot, name }) => ({
        ...(bot ? { bot } : {}),
        name: (kind === "me" ? form.me.name : (name ?? "")).trim(),
      }));
      await this.play("open", about.id, chairs, agreedOptions(form), randomHex(32));
    });
  }

  draw() {
    if (this.playing) return;
    document.title = t("offline-play");
    render(
      html`<main class="sheet nowhere"><span class="logo" aria-hidden="true"></span><h1>${t("offline-play")}</h1>
        <p>${t("offline-about")}</p>${languages()}
        ${this.wrong ? html`<p role="alert">${t("error-here", { why: this.wrong.args.why ?? "" })}</p>` : nothing}
        ${this.record ? html`<p>${t("offline-record")}</p>` : nothing}
        ${this.games ? this.#form(this.games) : this.#loading()}
        ${ALONE ? nothing : html`<p class="buttons"><a class="button quiet" href="/">${t("to-lobby")}</a></p>`}</main>`,
      this.host,
    );
    redrawDialogs();
  }

  #loading() {
    if (this.house) return html`<p role="status">${t("offline-loading")}</p>`;
    return html`<p>${t("offline-size", { megabytes: MEGABYTES })}</p>
      <p class="buttons"><button class="button" @click=${() => this.load()}>${t("offline-load")}</button></p>`;
  }

  /** @param {About[]} games */
  #form(games) {
    return html`<div class="buttons">${games.map(
      (about) => html`<button class="button" @click=${() => this.choose(about)}>${t(about.id)}</button>`,
    )}</div>
      ${
        keptGame()
          ? html`<p class="buttons"><button class="button quiet"
              @click=${() => this.play("kept", keptGame())}>${t("go-on")}</button></p>`
          : nothing
      }<p class="buttons">${chooser((text) => this.bring(text))}</p>`;
  }
}

/**
 * What pages ask a server for, as far as it can be had here.
 * @param {House} house @param {string} method @param {string} path @param {unknown} body
 */
async function answer(house, method, path, body) {
  const { pathname, searchParams } = new URL(path, location.href);
  const game = pathname.match(/^\/api\/games\/(\w+)$/)?.[1];
  if (method === "GET" && game) return house.ask("about", game);
  if (pathname !== "/api/replay") throw new Refused({ id: "error-offline" });
  const eyes = searchParams.get("seat") ?? "";
  return house.ask("replay", await /** @type {Blob} */ (body).text(), /^\d+$/.test(eyes) ? Number(eyes) : eyes || null);
}
