/**
 * The first game that teaches, at /learn/<game>: a table, and above it what is said of it, step by step. The server
 * keeps nothing: where somebody is in a lesson is what they have done in it, which the browser remembers.
 */
import { html, nothing } from "lit";
import { things } from "../game-view/hints.js";
import { intoView } from "../game-view/focus-choices.js";
import { complain } from "../components/dialogs.js";
import { mark } from "../board-sdk/ui-icons.js";
import { ask } from "../core/http-client.js";
import { openTable } from "../game-view/number-exchange.js";
import { lay } from "../game-view/game-view.js";
import { has, load, t } from "../core/i18n.js";
import { translatable } from "../core/translated-text.js";
import { called } from "../core/player-names.js";

/** @typedef {import("../core/api-types.js").GameInfo} About @typedef {import("../core/api-types.js").LessonStep} Step */
/**
 * @typedef {import("../game-view/game-view.js").Table} Table
 * @typedef {import("../game-view/game-view.js").Listener} Listener
 */

const BOTS = ["page", "squire"]; // who plays with somebody who has just learned it

/** @param {HTMLElement} host @param {string} game */
export async function start(host, game) {
  const [about] = await Promise.all([
    ask("GET", `/api/games/${encodeURIComponent(game)}`),
    load(game),
    ask("GET", "/api/me"),
    styled(),
  ]);
  await new Lesson(about).open(host);
}

/** @returns {Promise<void>} */
function styled() {
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = new URL("lesson.css", import.meta.url).href;
  return new Promise((done) => {
    style.onload = style.onerror = () => done();
    document.head.append(style);
  });
}

class Lesson {
  /** @param {About} about */
  constructor(about) {
    this.about = about;
    /** @type {Step | null} */
    this.step = null;
    /** @type {Table | null} */
    this.table = null;
    /** @type {Listener | null} */
    this.listener = null;
    this.busy = false; // is a table being opened?
    this.told = ""; // the step that was looked at last
  }

  /** @param {HTMLElement} host */
  async open(host) {
    const at = new URLSearchParams(location.search).get("at") ?? "";
    const where = history.state?.done ? { done: history.state.done } : { at };
    const first = await this.#ask(where).catch(() => this.#ask({}));
    this.#take(first);
    this.table = await lay(
      host,
      first.table,
      {
        open: (listener) => {
          this.listener = listener;
          this.#tell(first);
        },
        send: (message) => this.#answer(message),
      },
      null,
      this,
    );
    this.table.refresh();
  }

  /** @param {object} wish @returns {Promise<Step>} */
  #ask(wish) {
    return ask("POST", `/api/games/${encodeURIComponent(this.about.id)}/lesson`, wish);
  }

  /** @param {Step} step */
  #take(step) {
    this.step = step;
    history.replaceState({ done: step.done }, "");
  }

  /** @param {Step} step */
  #tell({ table, view }) {
    this.listener?.hear({ type: "table", table });
    this.listener?.hear({ type: "view", view });
  }

  /** To where these moves lead. @param {number[][]} done @param {string} [key] of the command that asked for it */
  async #go(done, key) {
    const before = this.step;
    try {
      const step = await this.#ask({ done });
      this.#take(step);
      if (!before || step.since !== before.since || step.view.seq < before.view.seq) this.table?.startOver();
      this.#tell(step);
    } catch (/** @type {any} */ error) {
      if (key) this.listener?.hear({ type: "error", key, error });
      else complain(error);
    }
    this.table?.refresh();
  }

  /** What the table sends. @param {any} message */
  async #answer(message) {
    const done = this.step?.done ?? [[]];
    const [before, now] = [done.slice(0, -1), done[done.length - 1]];
    if (message.type === "play") await this.#go([...before, [...now, ...message.moves]], message.key);
    if (message.type === "undo") await this.#go([...before, []], message.key);
    if (message.type !== "foresee") return;
    await this.#ask({ done, foresee: message.moves }).then(
      ({ foreseen }) => foreseen && this.listener?.hear({ type: "foreseen", key: message.key, view: foreseen }),
      (error) => this.listener?.hear({ type: "error", key: message.key, error }),
    );
  }

  // --- what the table asks of whoever guides it

  /** Does the table show what the step is about? Not while that is still moving. */
  get #drawn() {
    const { step, table } = this;
    return !table?.player.busy && table?.view?.seq === step?.view.seq;
  }

  /** What is to be chosen, as it is suggested. */
  get #suggested() {
    const { step, table } = this;
    return step?.next && !step.astray && table && this.#drawn ? things(table, step.next) : [];
  }

  /** What is pointed at. @returns {Element[]} */
  get marked() {
    const { step, table } = this;
    if (!step || !table || !this.#drawn) return [];
    const shown = step.show.map((key) => `[data-key="${key}"], [data-at="${key}"]`).join();
    return [...this.#suggested, ...(shown ? table.host.querySelectorAll(shown) : [])];
  }

  /** Something was drawn: what is pointed at comes into view, or where something is asked, what is to be chosen. */
  look() {
    const { step, table } = this;
    if (!step || !table || !this.#drawn) return;
    const now = JSON.stringify([step.done.length, step.astray, table.plain]);
    if (now === this.told) return;
    this.told = now;
    const bring = () => intoView(/** @type {HTMLElement[]} */ (step.asks ? this.#suggested : this.marked));
    requestAnimationFrame(() => requestAnimationFrame(bring)); // a map has its size by then
  }

  draw() {
    const { step, table } = this;
    if (!step) return nothing;
    const number = step.done.length;
    const end = number === step.steps;
    const go = (/** @type {number[][]} */ done) => {
      document.getElementById("lesson-words")?.focus({ preventScroll: true }); // the button may go
      this.#go(done);
    };
    const button = (/** @type {string} */ word, /** @type {number[][]} */ done) =>
      html`<button class="button small" @click=${() => go(done)}>${t(word)}</button>`;
    const before = step.done.slice(0, -1);
    const text = `${this.about.id}-lesson-${step.say}`;
    const [me, rival, third] = (table?.info ?? step.table).seats.map(called);
    const names = { me, rival, third: third ?? "" };
    return html`<section class="lesson" aria-label=${t("lesson-of", { title: t(this.about.id) })}>
      <div id="lesson-words" tabindex="-1" role="status">
        <p>${
          number > 1
            ? html`<button class="back" aria-label=${t("lesson-back")} title=${t("lesson-back")}
              @click=${() => go([...before.slice(0, -1), []])}>${mark("back")}</button>`
            : nothing
        }<span class="tag">${t("lesson-step", { n: number, of: step.steps })}</span>
          ${translatable(t(text, names))}</p>
        ${
          step.astray
            ? html`<p class="astray">${translatable(
                t(has(`${text}.other`) ? `${text}.other` : "lesson-other", names),
              )}</p>`
            : nothing
        }</div>
      <div class="buttons">
        ${
          step.astray
            ? button("lesson-take-back", [...before, []])
            : end
              ? html`<a class="button quiet small" href="/rules/${this.about.id}">${mark("book")}
                  ${t("rules")}</a>
                <button class="button small" ?disabled=${this.busy}
                  @click=${() => this.#own()}>${t("lesson-own")}</button>`
              : step.asks
                ? nothing
                : button("lesson-next", [...step.done, []])
        }</div>
    </section>`;
  }

  /** A real table: with bots that are good company, and with help. */
  async #own() {
    if (!this.step) return;
    this.busy = true;
    this.table?.refresh();
    const { about } = this;
    const bot = BOTS.find((name) => about.bots.some((level) => level.name === name && level.ready));
    const [preset] = Object.keys(about.presets);
    const bots = Array.from({ length: this.step.table.players - 1 }, () => ({ kind: "bot", ...(bot ? { bot } : {}) }));
    try {
      const table = await openTable("/api/tables", {
        game: about.id,
        players: this.step.table.players,
        ...(preset ? { preset } : {}),
        help: about.help,
        seats: [{ kind: "me" }, ...bots],
      });
      location.href = `/t/${table.id}`;
    } catch (error) {
      this.busy = false;
      complain(error);
      this.table?.refresh();
    }
  }
}
