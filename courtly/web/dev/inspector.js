/**
 * The inspector at /dev/<game>, with `courtly serve --dev`: the table at any point of a game, from any seat, and beside
 * it all that there is. The server keeps nothing: a point is where the game begins and what was done since, and the
 * browser remembers that when the page is loaded anew.
 */
import { html, nothing, render } from "lit";
import { complain, note } from "../components/dialogs.js";
import { ask } from "../core/http-client.js";
import { choice } from "../components/preferences-panel.js";
import { onSetting } from "../core/user-settings.js";
import { lay } from "../game-view/game-view.js";
import { has, load, t } from "../core/i18n.js";
import { called } from "../core/player-names.js";

/** @typedef {import("../core/api-types.js").GameInfo} About @typedef {import("../core/api-types.js").Move} Move */
/**
 * @typedef {import("../game-view/game-view.js").Table} Table
 * @typedef {import("../game-view/game-view.js").Listener} Listener
 */
/** @typedef {[number, number]} Made a seat, -1 for chance, and a move */
/**
 * @typedef {{scenario: string, players: number, options: Record<string, number>, seed: number, done: Made[],
 *   seat: number | null, follow: boolean}} Wish
 * @typedef {{done: Made[], steps: Made[], table: import("../core/api-types.js").TableInfo, view:
 * import("../core/api-types.js").View,
 *   foreseen: import("../core/api-types.js").View | null,
 *   rows: {field: string, of: string, text: string, seen: boolean, changed: boolean}[],
 *   choices: {seat: number, moves: Move[], weights: number[]}[]}} Point
 */

/** @param {HTMLElement} host @param {string} game */
export async function start(host, game) {
  const [about, scenarios] = await Promise.all([
    ask("GET", `/api/games/${encodeURIComponent(game)}`),
    ask("GET", `/api/dev/${encodeURIComponent(game)}`),
    load(game),
  ]);
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = new URL("dev.css", import.meta.url).href;
  document.head.append(style);
  host.classList.add("inspecting");
  const [place, panel] = [document.createElement("div"), document.createElement("aside")];
  panel.className = "inspector";
  host.append(place, panel);
  await new Inspector(panel, about, scenarios).open(place);
}

class Inspector {
  /** @param {HTMLElement} panel @param {About} about @param {{file: string, title: string}[]} scenarios */
  constructor(panel, about, scenarios) {
    this.panel = panel;
    this.about = about;
    this.scenarios = scenarios;
    this.drawing = true; // does chance act by itself?
    /** @type {Made[]} */
    this.ahead = []; // what was done before a step back, or what the scenario does next
    /** @type {Wish} */
    this.wish = { scenario: "", players: about.players[0], options: {}, seed: 1, done: [], seat: 0, follow: true };
    /** @type {Point | null} */
    this.point = null;
    /** @type {Table | null} */
    this.table = null;
    /** @type {Listener | null} */
    this.listener = null;
  }

  /** @param {HTMLElement} place */
  async open(place) {
    const wish = JSON.parse(sessionStorage.getItem(this.#kept) ?? "null");
    const first = (wish && (await this.#ask(wish))) || (await this.#ask({ ...this.wish, draw: true }));
    if (!first) return;
    this.ahead = this.#rest(first);
    this.table = await lay(place, first.table, {
      open: (listener) => {
        this.listener = listener;
        this.#tell(first);
      },
      send: (message) => this.#answer(message),
    });
    onSetting(async () => {
      await load(this.about.id);
      this.#draw();
    });
    this.#draw();
  }

  get #kept() {
    return `courtly-dev-${this.about.id}`;
  }

  /** @param {object} wish @returns {Promise<Point | null>} null: it was refused, and that has been said */
  async #ask(wish) {
    try {
      const { moves: _, draw: __, ...kept } = /** @type {any} */ (wish);
      const point = await ask("POST", `/api/dev/${this.about.id}`, wish);
      this.wish = { ...kept, done: point.done, seat: point.view.seat };
      sessionStorage.setItem(this.#kept, JSON.stringify(this.wish));
      this.point = point;
      return point;
    } catch (/** @type {any} */ error) {
      if (error.args?.why) note(error.args.why, true);
      else complain(error);
      return null;
    }
  }

  /**
   * Another point. `back`: what the table has heard is not so any more; `ahead`: what can be done again then, unless
   * that is what the scenario does. @param {any} change @param {{back?: boolean, ahead?: Made[] | null}} [how]
   */
  async #go(change, { back = false, ahead = change.moves || change.draw ? null : this.ahead } = {}) {
    const before = this.point;
    const point = await this.#ask({ ...this.wish, draw: this.drawing, ...change });
    const now = point ?? before;
    if (!now) return;
    if (point) this.ahead = ahead ?? this.#rest(point);
    if (!point || back || now.view.seat !== before?.view.seat) this.table?.startOver();
    this.#tell(now);
    this.#draw();
  }

  /** @param {Point} point */
  #tell({ table, view }) {
    this.listener?.hear({ type: "table", table });
    this.listener?.hear({ type: "view", view });
  }

  /** What the table sends. @param {any} message */
  async #answer(message) {
    if (message.type === "play")
      await this.#go({ moves: message.moves.map((/** @type {number} */ id) => [message.seat, id]) });
    if (message.type !== "foresee") return;
    const asked = { ...this.wish, foresee: message.moves };
    await ask("POST", `/api/dev/${this.about.id}`, asked).then(
      ({ foreseen }) => this.listener?.hear({ type: "foreseen", key: message.key, view: foreseen }),
      (error) => this.listener?.hear({ type: "error", key: message.key, error }),
    );
  }

  /** What the scenario does next, unless something else was done. @param {Point} point */
  #rest({ done, steps }) {
    return done.every((made, n) => String(made) === String(steps[n])) ? steps.slice(done.length) : [];
  }

  /** Where a step on ends: where chance acts by itself, with all that it does. @param {Made[]} made */
  #step(made) {
    const next = made.findIndex(([seat], n) => n > 0 && seat >= 0);
    return this.drawing && next >= 0 ? next : this.drawing ? made.length : Math.min(1, made.length);
  }

  /** Where the last step began. @param {Made[]} made */
  #before(made) {
    return this.drawing
      ? Math.max(
          made.findLastIndex(([seat]) => seat >= 0),
          0,
        )
      : made.length - 1;
  }

  // --- drawing

  #draw() {
    if (this.point) render(this.#page(this.point), this.panel);
  }

  /** @param {Point} point */
  #page(point) {
    return html`<header><h2>${t("dev-inspector")}</h2></header>
      ${this.#beginning()} ${this.#steps(point.done)} ${this.#eyes(point)}
      ${point.choices.map((one) => this.#choices(one, point))} ${state(point)}`;
  }

  #beginning() {
    const { about, wish, scenarios } = this;
    const anew = (/** @type {object} */ change) => this.#go({ done: [], ...change }, { back: true, ahead: null });
    const title = (/** @type {string} */ id, /** @type {string} */ other) => (has(id) ? t(id) : other);
    return html`<label class="field">${t("dev-position")}<select
        @change=${(/** @type {any} */ event) => anew({ scenario: event.target.value, draw: !event.target.value })}>
        <option value="" ?selected=${!wish.scenario}>${t("dev-new")}</option>
        ${scenarios.map(
          ({ file, title }) => html`<option value=${file} ?selected=${file === wish.scenario}>${title}</option>`,
        )}</select></label>
      ${
        wish.scenario
          ? nothing
          : html`<details class="beginning"><summary>${t("dev-table")}</summary>${choice(
              t("players"),
              about.players.map((n) => [String(n), String(n)]),
              String(wish.players),
              (n) => anew({ players: Number(n) }),
            )}
          ${Object.entries(about.options).map(([name, values]) =>
            choice(
              title(`${about.id}-option-${name}`, name),
              values.map((v) => [String(v), title(`${about.id}-option-${name}.value-${v}`, String(v))]),
              String(wish.options[name] ?? values[0]),
              (v) => anew({ options: { ...wish.options, [name]: Number(v) } }),
            ),
          )}
          <label class="field">${t("dev-seed")}<input type="number" min="0" .value=${String(wish.seed)}
            @change=${(/** @type {any} */ event) => anew({ seed: Number(event.target.value) || 0 })}></label></details>`
      }`;
  }

  /** @param {Made[]} done */
  #steps(done) {
    const { ahead } = this;
    const back = (/** @type {number} */ to) =>
      this.#go({ done: done.slice(0, to), draw: false }, { back: true, ahead: [...done.slice(to), ...ahead] });
    const forth = (/** @type {number} */ to) =>
      this.#go({ moves: ahead.slice(0, to), draw: false }, { ahead: ahead.slice(to) });
    return html`<div class="buttons">
        <button class="button quiet small first" ?disabled=${!done.length}
          @click=${() => back(0)}>${t("dev-first")}</button>
        <button class="button quiet small back" ?disabled=${!done.length}
          @click=${() => back(this.#before(done))}>${t("dev-back")}</button>
        <button class="button small forth" ?disabled=${!ahead.length}
          @click=${() => forth(this.#step(ahead))}>${t("dev-forth")}</button></div>
      <label class="check"><input type="checkbox" .checked=${this.drawing} @change=${(/** @type {any} */ event) => {
        this.drawing = event.target.checked;
        if (this.drawing) this.#go({});
      }}><span>${t("dev-chance")}</span></label>`;
  }

  /** @param {Point} point */
  #eyes({ table, view }) {
    const chosen = this.wish.follow ? "follow" : String(view.seat);
    return html`<div class="eyes">${choice(
      t("dev-seen-by"),
      [
        ["follow", t("dev-follow")],
        ...table.seats.map((seat) => /** @type {[string, string]} */ ([String(seat.seat), called(seat)])),
        ["null", t("dev-spectator")],
      ],
      chosen,
      (who) =>
        this.#go({ follow: who === "follow", seat: who === "follow" ? view.seat : JSON.parse(who), draw: false }),
    )}</div>`;
  }

  /** @param {Point["choices"][number]} choice @param {Point} point */
  #choices({ seat, moves, weights }, { table }) {
    const order = (/** @type {Move} */ move) => this.table?.ui.order(move);
    return html`<details ?open=${seat < 0}><summary>${
      seat < 0 ? t("dev-drawn") : t("dev-decides", { name: called(table.seats[seat]) })
    } <span class="tag">${moves.length}</span></summary><div class="acts">
      ${
        seat < 0
          ? html`<button class="button small" @click=${() => this.#go({ draw: true })}>${t("dev-draw")}</button>`
          : nothing
      }
      ${moves.map(
        (move, n) => html`<button class="button quiet small"
          @click=${() => this.#go({ moves: [[seat, move.id]] })}>${order(move)}${
            weights.length ? html` <small>×${weights[n]}</small>` : nothing
          }</button>`,
      )}</div></details>`;
  }
}

/** All fields by their names. @param {Point} point */
const state = ({ rows }) => html`<h3>${t("dev-state")}</h3>
  <table class="state"><tbody>${rows.map((row, n) => line(row, rows[n - 1]?.field === row.field))}</tbody></table>`;

/** @param {Point["rows"][number]} row @param {boolean} more of the field above */
const line = ({ field, of, text, seen, changed }, more) =>
  html`<tr data-row="${field} ${of}" class=${[seen ? "" : "unseen-by", changed ? "changed" : ""].join(" ").trim()}>
    <th scope="row">${more ? nothing : field}</th><td>${of}</td>
    <td>${text}${seen ? nothing : html` <span class="tag">${t("dev-hidden")}</span>`}</td></tr>`;
