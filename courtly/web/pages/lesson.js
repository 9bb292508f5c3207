/**
 * The lesson of a game, at /learn/<game>: a table with explanations above it, step by step. The server stores nothing.
 * A player's progress is the list of their moves, which the browser stores.
 */
import { html, nothing } from "lit";
import { findMoveElements } from "../game-view/hints.js";
import { scrollIntoView } from "../game-view/focus-choices.js";
import { showError } from "../components/dialogs.js";
import { renderUiIcon } from "../board-sdk/ui-icons.js";
import { request } from "../core/http-client.js";
import { openTable } from "../core/number-exchange.js";
import { mountGameView } from "../game-view/game-view.js";
import { hasText, loadCatalogues, t } from "../core/i18n.js";
import { IS_OFFLINE, offlinePlayUrl, rulesUrl } from "../core/page-address.js";
import { loadStyle } from "../core/page-style.js";
import { renderTranslatable } from "../core/translated-text.js";
import { playerName } from "../core/player-names.js";

/**
 * @typedef {import("../core/api-types.js").GameInfo} About
 * @typedef {import("../core/api-types.js").LessonStep} Step
 */
/**
 * @typedef {import("../game-view/game-view.js").GameView} GameView
 * @typedef {import("../game-view/game-view.js").SourceListener} SourceListener
 */

const PRACTICE_BOTS = ["page", "squire"]; // the opponents in a first real game

/** @param {HTMLElement} host @param {string} game */
export async function start(host, game) {
  const [about] = await Promise.all([
    request("GET", `/api/games/${encodeURIComponent(game)}`),
    loadCatalogues(game),
    request("GET", "/api/me"),
    loadStyle(new URL("lesson.css", import.meta.url).href),
  ]);
  await new Lesson(about).open(host);
}

class Lesson {
  /** @param {About} about */
  constructor(about) {
    this.about = about;
    /** @type {Step | null} */
    this.step = null;
    /** @type {GameView | null} */
    this.table = null;
    /** @type {SourceListener | null} */
    this.listener = null;
    this.isOpeningTable = false; // is a request for a new table in progress?
    this.lastShownStep = ""; // the step at the last redraw
  }

  /** @param {HTMLElement} host */
  async open(host) {
    const at = new URLSearchParams(location.search).get("at") ?? "";
    const position = history.state?.done ? { done: history.state.done } : { at };
    const first = await this.#fetchStep(position).catch(() => this.#fetchStep({}));
    this.#setStep(first);
    this.table = await mountGameView(
      host,
      first.table,
      {
        open: (listener) => {
          this.listener = listener;
          this.#sendStep(first);
        },
        send: (message) => this.#handleMessage(message),
      },
      null,
      this,
    );
    this.table.refresh();
  }

  /** @param {object} body @returns {Promise<Step>} */
  #fetchStep(body) {
    return request("POST", `/api/games/${encodeURIComponent(this.about.id)}/lesson`, body);
  }

  /** @param {Step} step */
  #setStep(step) {
    this.step = step;
    history.replaceState({ done: step.done }, "");
  }

  /** @param {Step} step */
  #sendStep({ table, view }) {
    this.listener?.onMessage({ type: "table", table });
    this.listener?.onMessage({ type: "view", view });
  }

  /**
   * Go to the step after these moves.
   * @param {number[][]} done @param {string} [key] of the command that caused it
   */
  async #goTo(done, key) {
    const before = this.step;
    try {
      const step = await this.#fetchStep({ done });
      this.#setStep(step);
      if (!before || step.position_step !== before.position_step || step.view.seq < before.view.seq)
        this.table?.reset();
      this.#sendStep(step);
    } catch (/** @type {any} */ error) {
      if (key) this.listener?.onMessage({ type: "error", key, error });
      else showError(error);
    }
    this.table?.refresh();
  }

  /** Handle a message from the table. @param {any} message */
  async #handleMessage(message) {
    const done = this.step?.done ?? [[]];
    const [before, now] = [done.slice(0, -1), done[done.length - 1]];
    if (message.type === "play") await this.#goTo([...before, [...now, ...message.moves]], message.key);
    if (message.type === "undo") await this.#goTo([...before, []], message.key);
    if (message.type !== "preview") return;
    await this.#fetchStep({ done, preview_moves: message.moves }).then(
      ({ preview }) => preview && this.listener?.onMessage({ type: "preview", key: message.key, view: preview }),
      (error) => this.listener?.onMessage({ type: "error", key: message.key, error }),
    );
  }

  // --- interface Guide

  /** Whether the table shows the current step, with all animations finished. */
  get #isDrawn() {
    const { step, table } = this;
    return !table?.viewPlayer.isBusy && table?.view?.seq === step?.view.seq;
  }

  /** The elements of the suggested move. */
  get #suggestedElements() {
    const { step, table } = this;
    return step?.suggested_move && !step.off_script && table && this.#isDrawn
      ? findMoveElements(table, step.suggested_move)
      : [];
  }

  /** The elements to highlight. @returns {Element[]} */
  get markedElements() {
    const { step, table } = this;
    if (!step || !table || !this.#isDrawn) return [];
    const selectors = step.highlights.map((key) => `[data-key="${key}"], [data-at="${key}"]`).join();
    return [...this.#suggestedElements, ...(selectors ? table.host.querySelectorAll(selectors) : [])];
  }

  /** The text of the banner while no move is asked for. */
  get prompt() {
    const { step } = this;
    if (!step) return "";
    if (step.off_script) return t("lesson-take-back");
    return t(step.done.length === step.steps ? "lesson-own" : "lesson-read");
  }

  /** After a redraw: scroll the highlighted elements into view, or at a question the choices. */
  onDraw() {
    const { step, table } = this;
    if (!step || !table || !this.#isDrawn) return;
    const now = JSON.stringify([step.done.length, step.off_script, table.isPlain]);
    if (now === this.lastShownStep) return;
    this.lastShownStep = now;
    const scrollToMarks = () =>
      scrollIntoView(/** @type {HTMLElement[]} */ (step.expects_move ? this.#suggestedElements : this.markedElements));
    requestAnimationFrame(() => requestAnimationFrame(scrollToMarks)); // two frames later, a map has its size
  }

  render() {
    const { step, table } = this;
    if (!step) return nothing;
    const number = step.done.length;
    const end = number === step.steps;
    const goTo = (/** @type {number[][]} */ done) => {
      document.getElementById("lesson-words")?.focus({ preventScroll: true }); // the button may disappear
      this.#goTo(done);
    };
    const button = (/** @type {string} */ word, /** @type {number[][]} */ done) =>
      html`<button class="button small" @click=${() => goTo(done)}>${t(word)}</button>`;
    const before = step.done.slice(0, -1);
    const text = `${this.about.id}-lesson-${step.text_key}`;
    const [me, rival, third] = (table?.info ?? step.table).seats.map(playerName);
    const names = { me, rival, third: third ?? "" };
    return html`<section class="lesson" aria-label=${t("lesson-of", { title: t(this.about.id) })}>
      <div id="lesson-words" tabindex="-1" role="status">
        <p>${
          number > 1
            ? html`<button class="back" aria-label=${t("lesson-back")} title=${t("lesson-back")}
              @click=${() => goTo([...before.slice(0, -1), []])}>${renderUiIcon("back")}</button>`
            : nothing
        }<span class="tag">${t("lesson-step", { n: number, of: step.steps })}</span>
          ${renderTranslatable(t(text, names))}</p>
        ${
          step.off_script
            ? html`<p class="off-script">${renderTranslatable(
                t(hasText(`${text}.other`) ? `${text}.other` : "lesson-other", names),
              )}</p>`
            : nothing
        }</div>
      <div class="buttons">
        ${
          step.off_script
            ? button("lesson-take-back", [...before, []])
            : end
              ? html`<a class="button quiet small" href=${rulesUrl(this.about.id)}>${renderUiIcon("book")}
                  ${t("rules")}</a>
                <button class="button small" ?disabled=${this.isOpeningTable}
                  @click=${() => this.#openTable()}>${t("lesson-own")}</button>`
              : step.expects_move
                ? nothing
                : button("lesson-next", [...step.done, []])
        }</div>
    </section>`;
  }

  /** Open a real table, with suitable bots and with hints; without a server, the form for a game here. */
  async #openTable() {
    if (!this.step) return;
    this.isOpeningTable = true;
    this.table?.refresh();
    const { about } = this;
    if (IS_OFFLINE) {
      location.href = offlinePlayUrl(about.id);
      return;
    }
    const bot = PRACTICE_BOTS.find((name) => about.bots.some((level) => level.name === name && level.ready));
    const [preset] = Object.keys(about.presets);
    const bots = Array.from({ length: this.step.table.players - 1 }, () => ({ kind: "bot", ...(bot ? { bot } : {}) }));
    try {
      const table = await openTable("/api/tables", {
        game: about.id,
        players: this.step.table.players,
        ...(preset ? { preset } : {}),
        help_consent: about.help_available,
        seats: [{ kind: "me" }, ...bots],
      });
      location.href = `/t/${table.id}`;
    } catch (error) {
      this.isOpeningTable = false;
      showError(error);
      this.table?.refresh();
    }
  }
}
