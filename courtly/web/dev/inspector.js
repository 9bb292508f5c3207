/**
 * The inspector at /dev/<game> (`courtly serve --dev`): the table at any point of a game, from any seat, beside the
 * complete state. The server stores nothing: a point is the starting position and the moves since, which sessionStorage
 * keeps across reloads.
 */
import { html, nothing, render } from "lit";
import { showError, showToast } from "../components/dialogs.js";
import { request } from "../core/http-client.js";
import { renderChoice } from "../components/preferences-panel.js";
import { onSettingChange } from "../core/user-settings.js";
import { mountGameView } from "../game-view/game-view.js";
import { hasText, loadCatalogues, t } from "../core/i18n.js";
import { playerName } from "../core/player-names.js";

/** @typedef {import("../core/api-types.js").GameInfo} About @typedef {import("../core/api-types.js").Move} Move */
/**
 * @typedef {import("../game-view/game-view.js").GameView} GameView
 * @typedef {import("../game-view/game-view.js").SourceListener} SourceListener
 */
/** @typedef {[number, number]} DoneMove a seat, -1 for chance, and a move */
/**
 * @typedef {{scenario: string, players: number, options: Record<string, number>, seed: number, done: DoneMove[],
 *   seat: number | null, follow: boolean}} PointRequest
 * @typedef {{done: DoneMove[], steps: DoneMove[], table: import("../core/api-types.js").TableInfo, view:
 * import("../core/api-types.js").View,
 *   preview: import("../core/api-types.js").View | null,
 *   rows: {field: string, of: string, text: string, seen: boolean, changed: boolean}[],
 *   choices: {seat: number, moves: Move[], weights: number[]}[]}} Point
 */

/** @param {HTMLElement} host @param {string} game */
export async function start(host, game) {
  const [about, scenarios] = await Promise.all([
    request("GET", `/api/games/${encodeURIComponent(game)}`),
    request("GET", `/api/dev/${encodeURIComponent(game)}`),
    loadCatalogues(game),
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
    this.isChanceAutomatic = true; // are random events drawn automatically?
    /** @type {DoneMove[]} */
    this.nextMoves = []; // the moves that a step back undid, or the scenario's next moves
    /** @type {PointRequest} */
    this.pointRequest = {
      scenario: "",
      players: about.players[0],
      options: {},
      seed: 1,
      done: [],
      seat: 0,
      follow: true,
    };
    /** @type {Point | null} */
    this.point = null;
    /** @type {GameView | null} */
    this.table = null;
    /** @type {SourceListener | null} */
    this.listener = null;
  }

  /** @param {HTMLElement} place */
  async open(place) {
    const stored = JSON.parse(sessionStorage.getItem(this.#storageKey) ?? "null");
    const first =
      (stored && (await this.#fetchPoint(stored))) || (await this.#fetchPoint({ ...this.pointRequest, draw: true }));
    if (!first) return;
    this.nextMoves = this.#scenarioRest(first);
    this.table = await mountGameView(place, first.table, {
      open: (listener) => {
        this.listener = listener;
        this.#sendPoint(first);
      },
      send: (message) => this.#handleMessage(message),
    });
    onSettingChange(async () => {
      await loadCatalogues(this.about.id);
      this.#draw();
    });
    this.#draw();
  }

  get #storageKey() {
    return `courtly-dev-${this.about.id}`;
  }

  /** @param {object} pointRequest @returns {Promise<Point | null>} null: it was refused, and the error is shown */
  async #fetchPoint(pointRequest) {
    try {
      const { moves: _, draw: __, ...rest } = /** @type {any} */ (pointRequest);
      const point = await request("POST", `/api/dev/${this.about.id}`, pointRequest);
      this.pointRequest = { ...rest, done: point.done, seat: point.view.seat };
      sessionStorage.setItem(this.#storageKey, JSON.stringify(this.pointRequest));
      this.point = point;
      return point;
    } catch (/** @type {any} */ error) {
      if (error.args?.why) showToast(error.args.why, true);
      else showError(error);
      return null;
    }
  }

  /**
   * Go to another point. `back`: the table must drop what it has received; `ahead`: the moves that can be redone there,
   * by default the scenario's.
   * @param {any} change @param {{back?: boolean, ahead?: DoneMove[] | null}} [how]
   */
  async #goTo(change, { back = false, ahead = change.moves || change.draw ? null : this.nextMoves } = {}) {
    const before = this.point;
    const point = await this.#fetchPoint({ ...this.pointRequest, draw: this.isChanceAutomatic, ...change });
    const now = point ?? before;
    if (!now) return;
    if (point) this.nextMoves = ahead ?? this.#scenarioRest(point);
    if (!point || back || now.view.seat !== before?.view.seat) this.table?.reset();
    this.#sendPoint(now);
    this.#draw();
  }

  /** @param {Point} point */
  #sendPoint({ table, view }) {
    this.listener?.onMessage({ type: "table", table });
    this.listener?.onMessage({ type: "view", view });
  }

  /** Handle a message from the table. @param {any} message */
  async #handleMessage(message) {
    if (message.type === "play")
      await this.#goTo({ moves: message.moves.map((/** @type {number} */ id) => [message.seat, id]) });
    if (message.type !== "preview") return;
    const pointRequest = { ...this.pointRequest, preview_moves: message.moves };
    await request("POST", `/api/dev/${this.about.id}`, pointRequest).then(
      ({ preview }) => this.listener?.onMessage({ type: "preview", key: message.key, view: preview }),
      (error) => this.listener?.onMessage({ type: "error", key: message.key, error }),
    );
  }

  /** Return the scenario's remaining moves, or none if other moves were made. @param {Point} point */
  #scenarioRest({ done, steps }) {
    return done.every((move, n) => String(move) === String(steps[n])) ? steps.slice(done.length) : [];
  }

  /**
   * Return how many moves a step forward takes. Automatic random events belong to the step.
   * @param {DoneMove[]} moves
   */
  #stepLength(moves) {
    const next = moves.findIndex(([seat], n) => n > 0 && seat >= 0);
    return this.isChanceAutomatic && next >= 0
      ? next
      : this.isChanceAutomatic
        ? moves.length
        : Math.min(1, moves.length);
  }

  /** Return the index at which the last step began. @param {DoneMove[]} moves */
  #lastStepStart(moves) {
    return this.isChanceAutomatic
      ? Math.max(
          moves.findLastIndex(([seat]) => seat >= 0),
          0,
        )
      : moves.length - 1;
  }

  // --- drawing

  #draw() {
    if (this.point) render(this.#renderPanel(this.point), this.panel);
  }

  /** @param {Point} point */
  #renderPanel(point) {
    return html`<header><h2>${t("dev-inspector")}</h2></header>
      ${this.#renderStart()} ${this.#renderSteps(point.done)} ${this.#renderViewpoint(point)}
      ${point.choices.map((choice) => this.#renderChoices(choice, point))} ${renderState(point)}`;
  }

  #renderStart() {
    const { about, pointRequest, scenarios } = this;
    const restart = (/** @type {object} */ change) => this.#goTo({ done: [], ...change }, { back: true, ahead: null });
    const title = (/** @type {string} */ id, /** @type {string} */ other) => (hasText(id) ? t(id) : other);
    return html`<label class="field">${t("dev-position")}<select
        @change=${(/** @type {any} */ event) => restart({ scenario: event.target.value, draw: !event.target.value })}>
        <option value="" ?selected=${!pointRequest.scenario}>${t("dev-new")}</option>
        ${scenarios.map(
          ({ file, title }) =>
            html`<option value=${file} ?selected=${file === pointRequest.scenario}>${title}</option>`,
        )}</select></label>
      ${
        pointRequest.scenario
          ? nothing
          : html`<details class="beginning"><summary>${t("dev-table")}</summary>${renderChoice(
              t("players"),
              about.players.map((n) => [String(n), String(n)]),
              String(pointRequest.players),
              (n) => restart({ players: Number(n) }),
            )}
          ${Object.entries(about.options).map(([name, values]) =>
            renderChoice(
              title(`${about.id}-option-${name}`, name),
              values.map((v) => [String(v), title(`${about.id}-option-${name}.value-${v}`, String(v))]),
              String(pointRequest.options[name] ?? values[0]),
              (v) => restart({ options: { ...pointRequest.options, [name]: Number(v) } }),
            ),
          )}
          <label class="field">${t("dev-seed")}<input type="number" min="0" .value=${String(pointRequest.seed)}
            @change=${(/** @type {any} */ event) =>
              restart({ seed: Number(event.target.value) || 0 })}></label></details>`
      }`;
  }

  /** @param {DoneMove[]} done */
  #renderSteps(done) {
    const { nextMoves } = this;
    const back = (/** @type {number} */ to) =>
      this.#goTo({ done: done.slice(0, to), draw: false }, { back: true, ahead: [...done.slice(to), ...nextMoves] });
    const forth = (/** @type {number} */ to) =>
      this.#goTo({ moves: nextMoves.slice(0, to), draw: false }, { ahead: nextMoves.slice(to) });
    return html`<div class="buttons">
        <button class="button quiet small first" ?disabled=${!done.length}
          @click=${() => back(0)}>${t("dev-first")}</button>
        <button class="button quiet small back" ?disabled=${!done.length}
          @click=${() => back(this.#lastStepStart(done))}>${t("dev-back")}</button>
        <button class="button small forth" ?disabled=${!nextMoves.length}
          @click=${() => forth(this.#stepLength(nextMoves))}>${t("dev-forth")}</button></div>
      <label class="check"><input type="checkbox" .checked=${this.isChanceAutomatic} @change=${(
        /** @type {any} */ event,
      ) => {
        this.isChanceAutomatic = event.target.checked;
        if (this.isChanceAutomatic) this.#goTo({});
      }}><span>${t("dev-chance")}</span></label>`;
  }

  /** @param {Point} point */
  #renderViewpoint({ table, view }) {
    const selected = this.pointRequest.follow ? "follow" : String(view.seat);
    return html`<div class="eyes">${renderChoice(
      t("dev-seen-by"),
      [
        ["follow", t("dev-follow")],
        ...table.seats.map((seat) => /** @type {[string, string]} */ ([String(seat.seat), playerName(seat)])),
        ["null", t("dev-spectator")],
      ],
      selected,
      (viewer) =>
        this.#goTo({
          follow: viewer === "follow",
          seat: viewer === "follow" ? view.seat : JSON.parse(viewer),
          draw: false,
        }),
    )}</div>`;
  }

  /** @param {Point["choices"][number]} choice @param {Point} point */
  #renderChoices({ seat, moves, weights }, { table }) {
    const order = (/** @type {Move} */ move) => this.table?.ui.moveText(move);
    return html`<details ?open=${seat < 0}><summary>${
      seat < 0 ? t("dev-drawn") : t("dev-decides", { name: playerName(table.seats[seat]) })
    } <span class="tag">${moves.length}</span></summary><div class="acts">
      ${
        seat < 0
          ? html`<button class="button small" @click=${() => this.#goTo({ draw: true })}>${t("dev-draw")}</button>`
          : nothing
      }
      ${moves.map(
        (move, n) => html`<button class="button quiet small"
          @click=${() => this.#goTo({ moves: [[seat, move.id]] })}>${order(move)}${
            weights.length ? html` <small>×${weights[n]}</small>` : nothing
          }</button>`,
      )}</div></details>`;
  }
}

/** Render all fields with their names. @param {Point} point */
const renderState = ({ rows }) => html`<h3>${t("dev-state")}</h3>
  <table class="state"><tbody>${rows.map((row, n) =>
    renderStateRow(row, rows[n - 1]?.field === row.field),
  )}</tbody></table>`;

/** @param {Point["rows"][number]} row @param {boolean} more another row of the same field */
const renderStateRow = ({ field, of, text, seen, changed }, more) =>
  html`<tr data-row="${field} ${of}" class=${[seen ? "" : "unseen-by", changed ? "changed" : ""].join(" ").trim()}>
    <th scope="row">${more ? nothing : field}</th><td>${of}</td>
    <td>${text}${seen ? nothing : html` <span class="tag">${t("dev-hidden")}</span>`}</td></tr>`;
