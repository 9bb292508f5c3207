/**
 * No server can be reached: the service worker shows this in place of the page that was asked for. At /offline, with a
 * server or without, one plays here against bots.
 */
import { html, nothing, render } from "lit";
import { complain, redrawDialogs } from "../dialogs.js";
import { answerHere, randomHex, Refused } from "../net.js";
import { languages } from "../preferences.js";
import { onSetting } from "../settings.js";
import { load, t } from "../texts.js";
import { Game, House, keepGame, keptGame } from "./house.js";
import { keepAll } from "./keep.js";

/** @typedef {import("../types.js").About} About */

const PAUSE = 3000; // ms between two looks whether it is there again
const { offline: MEGABYTES, site } = document.documentElement.dataset;
const ALONE = site !== undefined; // is there no server at all?

/** @param {HTMLElement} host */
export function start(host) {
  if (ALONE || location.pathname === "/offline") return new Alone(host).open();
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

/** The way to a game without a server: what is loaded, and then what is played. */
class Alone {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    /** @type {House | null} */
    this.house = null;
    /** @type {About[] | null} */
    this.games = null;
    /** @type {Refused | null} */
    this.wrong = null;
    this.playing = false;
  }

  open() {
    onSetting(async () => {
      await load(...(this.games ?? []).map((about) => about.id));
      this.draw();
    });
    this.draw();
  }

  async load() {
    this.house = new House();
    this.wrong = null;
    this.draw();
    try {
      const games = await this.house.ask("games");
      await keepAll(); // what was loaded by now is at hand
      await load(...games.map((/** @type {About} */ about) => about.id));
      this.games = games;
    } catch (/** @type {any} */ wrong) {
      this.wrong = wrong;
      this.house = null;
    }
    this.draw();
  }

  /** @param {string} what @param {...unknown} more */
  async play(what, ...more) {
    const { house } = this;
    if (!house) return;
    try {
      await house.ask(what, ...more);
    } catch (error) {
      keepGame("");
      complain(error);
      return this.draw();
    }
    this.playing = true;
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
    answerHere((method, path) => {
      const game = path.match(/^\/api\/games\/(\w+)$/)?.[1];
      if (method === "GET" && game) return house.ask("about", game);
      return Promise.reject(new Refused({ id: "error-offline" }));
    });
    render(nothing, this.host);
    const { lay } = await import("../table/table.js");
    const game = new Game(house);
    await lay(this.host, await house.ask("table"), game);
  }

  /** What is agreed first. @param {About} about */
  async choose(about) {
    const { agreedOptions, newTable } = await import("../lobby/new-table.js");
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
      }`;
  }
}
