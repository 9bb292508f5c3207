/**
 * Hints at a table, if all its players have agreed to them: each player's chance to win, as a thin line in the players'
 * colours, and on request good moves, marked on the board. Nothing here makes a move.
 */
import { html, nothing } from "lit";
import { showToast, formatError } from "../components/dialogs.js";
import { renderUiIcon } from "../board-sdk/ui-icons.js";
import { request, RequestError } from "../core/http-client.js";
import { renderChoice } from "../components/preferences-panel.js";
import { getSetting, isPanelDrawer } from "../core/user-settings.js";
import { adviseOnDevice, cancelAdvice } from "../local/device-games.js";
import { listChoices, scrollChoicesIntoView } from "./focus-choices.js";
import { showPanel, titleWithKey } from "./panels.js";
import { formatReason } from "./reason-text.js";
import { marginBeside, sharesToPercents } from "../core/percentages.js";
import { findReviewedMoves } from "./decision-ranking.js";
import { formatList, joinSentences, t } from "../core/i18n.js";

/**
 * @typedef {import("./game-view.js").GameView} GameView @typedef {import("../core/api-types.js").Move} Move
 * @typedef {import("../core/api-types.js").Hint} Hint @typedef {import("../core/api-types.js").Advice} HintResponse
 */

const ODDS_DELAY_MS = 600; // how long a view must stand before its chances are requested
const ODDS_RETRY_MS = 4000; // when to request them again if there was no answer

const UNAVAILABLE_MESSAGES = { missing: "error-no-machine-code" };

/** Return whether the reader gets hints now or later in this game. @param {GameView} table */
export const areHintsOffered = ({ info, mySeats, replay }) =>
  info.help !== "off" && mySeats.length > 0 && (info.status === "playing" || replay !== null);

/** Return whether the only hint is a squire's move, without known chances. @param {Hint[] | null} hints */
const lacksChances = (hints) => hints?.[0]?.wins === null;

export class HintController {
  /** @param {GameView} table */
  constructor(table) {
    this.table = table;
    /** @type {{seat: number | null, wins: number[], margin: number, counted: boolean} | null} */
    this.odds = null;
    this.seenViewKey = ""; // the view at the last update
    this.isFetchingOdds = false; // is a request for the chances in progress?
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {{of: string, hints: Hint[] | null, error: any} | null} the last request for hints, and its answer */
    this.answer = null;
    this.pinned = -1; // the hint that stays marked on the board; -1: none
    this.hovered = -1; // the hint under the mouse; -1: none
  }

  /** The id of the message that says why there are no hints, or "". */
  get unavailableMessage() {
    return { off: "error-no-help", on: "", ...UNAVAILABLE_MESSAGES }[this.table.info.help];
  }

  /** Identifies the view; "" if hints for it are not allowed. */
  get #viewKey() {
    const { view, info, handTo, isReplaced } = this.table;
    if (info.help !== "on" || !view || view.seat === null || view.over || handTo !== null || isReplaced) return "";
    return `${view.seat} ${view.seq}`;
  }

  /** Whether the reader's seat has to decide in the view, whose legal moves a replay does not have. */
  get isDecisionOpen() {
    const { view, replay, isReplaced } = this.table;
    if (!view || view.over || isReplaced) return false;
    return replay ? view.seat !== null && view.pending.includes(view.seat) : view.legal.length > 0;
  }

  /** The hints for the current decision, or null. */
  get current() {
    return this.answer?.of === this.#viewKey ? this.answer : null;
  }

  /** Update the odds after a redraw. */
  update() {
    const view = this.#viewKey;
    if (view !== this.seenViewKey) {
      this.seenViewKey = view;
      this.pinned = this.hovered = -1;
      if (!view || this.odds?.seat !== this.table.view?.seat) this.odds = null;
      cancelAdvice();
      this.#scheduleOdds(ODDS_DELAY_MS);
    }
    this.#markTargets();
  }

  /** @param {number} ms */
  #scheduleOdds(ms) {
    clearTimeout(this.timer);
    if (this.seenViewKey) this.timer = setTimeout(() => this.#fetchOdds(), ms);
  }

  /** Request the chances in the current view, one request at a time. */
  async #fetchOdds() {
    if (this.isFetchingOdds || document.hidden) return this.#scheduleOdds(ODDS_RETRY_MS);
    const of = this.seenViewKey;
    this.isFetchingOdds = true;
    try {
      this.#setOdds(await this.#request(false));
      if (!this.odds && this.seenViewKey === of) this.#scheduleOdds(ODDS_RETRY_MS);
    } catch {
      if (this.seenViewKey === of) this.#scheduleOdds(ODDS_RETRY_MS);
    }
    this.isFetchingOdds = false;
    if (this.seenViewKey !== of) this.#scheduleOdds(ODDS_DELAY_MS);
    this.table.refresh();
  }

  /**
   * Compute advice on this device or, if the reader prefers it or the device cannot, by the server, which knows no past
   * positions.
   * @param {boolean} hints @returns {Promise<HintResponse>}
   */
  async #request(hints) {
    const { info, replay } = this.table;
    const view = /** @type {import("../core/api-types.js").View} */ (this.table.view);
    const isServerAsked = info.id !== "" && !replay;
    if (!isServerAsked || getSetting("hints") !== "server") {
      try {
        const advice = await adviseOnDevice(info.game, replay ? { ...view, legal: undefined } : view, hints);
        if (advice) return advice;
      } catch (/** @type {any} */ error) {
        if (error.id === "error-stale" || !isServerAsked) throw error;
      }
    }
    if (!isServerAsked) throw new RequestError({ id: "error-no-machine-code" });
    return request("POST", `/api/tables/${info.id}/advise`, { seat: view.seat, seq: view.seq, hints });
  }

  /** @param {HintResponse} told */
  #setOdds({ wins, margin, counted }) {
    this.odds = !wins.length ? null : { seat: this.table.view?.seat ?? null, wins, margin, counted };
  }

  /** Request hints for the current decision. */
  async fetchHints() {
    const of = this.#viewKey;
    if (!of || !this.isDecisionOpen || (this.current && !this.current.error && !lacksChances(this.current.hints)))
      return;
    const pendingHints = { of, hints: /** @type {Hint[] | null} */ (null), error: /** @type {any} */ (null) };
    this.answer = pendingHints;
    this.table.refresh();
    cancelAdvice(); // the chances come with the hints
    try {
      const response = await this.#request(true);
      pendingHints.hints = this.#dropRepeated(response.hints);
      if (this.#viewKey === of) this.#setOdds(response);
    } catch (error) {
      pendingHints.error = error;
    }
    this.table.refresh();
  }

  /**
   * Return the hints that differ for the reader: of moves that read the same, such as the use of one of two equal dice,
   * only the first.
   * @param {Hint[]} hints
   */
  #dropRepeated(hints) {
    const { ui } = this.table;
    const texts = hints.map(({ move }) => ui.moveText(move));
    return hints.filter((_, i) => texts.indexOf(texts[i]) === i);
  }

  /** @param {number} number -1: none */
  hover(number) {
    if (this.hovered === number) return;
    this.hovered = number;
    this.table.refresh();
  }

  /**
   * Keep a hint marked until another is chosen or the decision changes. A second call unmarks it.
   * @param {number} number @param {boolean} keyboard
   */
  pin(number, keyboard) {
    const { table } = this;
    this.pinned = this.pinned === number ? -1 : number;
    this.hovered = -1;
    if (isPanelDrawer()) table.panelOpen = false;
    table.closeNote();
    table.refresh();
    queueMicrotask(() => this.#showMarked(keyboard)); // once it is drawn: a closed note covers nothing
  }

  /** Scroll what is marked into view. @param {boolean} keyboard whether to focus it, too */
  #showMarked(keyboard) {
    const { table } = this;
    const elements = /** @type {HTMLElement[]} */ ([...table.host.querySelectorAll("#board [data-hinted]")]);
    elements[0]?.dispatchEvent(new Event("reveal", { bubbles: true }));
    const shown = elements.map(shownElement);
    scrollChoicesIntoView(shown.slice(0, 1), shown, listChoices(table));
    if (keyboard && this.pinned >= 0) elements[0]?.focus({ preventScroll: true });
  }

  /**
   * Mark all elements that the hint, or the best move in a review, is about. Once they are chosen, mark what that makes
   * choosable.
   */
  #markTargets() {
    const { host, board, guide } = this.table;
    const hint = this.current?.hints?.[this.hovered < 0 ? this.pinned : this.hovered];
    const best = findReviewedMoves(this.table)?.best;
    const moves = hint ? listPlannedMoves(hint) : best ? [best] : [];
    const about = moves.length
      ? moves.flatMap((move, at) => findMoveElements(this.table, move, countEqual(moves.slice(0, at), move)))
      : (guide?.markedElements ?? []);
    const isChosen = about.length > 0 && about.every((element) => element.matches("[aria-pressed=true]"));
    const opened = isChosen && board.targets ? host.querySelector(`.board :is(${board.targets})`) : null;
    const now = new Set(opened ? [opened] : about);
    for (const before of host.querySelectorAll("[data-hinted]")) {
      if (!now.has(before)) before.removeAttribute("data-hinted");
    }
    for (const element of now) element.setAttribute("data-hinted", "");
  }
}

/** Return the move of a hint, and those that follow it in its plan. @param {Hint} hint @returns {Move[]} */
const listPlannedMoves = ({ move, reasons }) => [move, ...reasons.flatMap(({ args }) => args.moves ?? [])];

/** @param {Move[]} moves @param {Move} move */
const countEqual = (moves, move) => moves.filter(({ id }) => id === move.id).length;

/**
 * Return the elements that a move is about: those that the board names, the buttons with the move's text, and the
 * players among its arguments.
 * @param {GameView} table @param {Move} move @param {number} [repeats] how often it is made before
 * @returns {Element[]}
 */
export function findMoveElements({ isPlain, board, ui, host, about }, move, repeats = 0) {
  if (isPlain) return [...host.querySelectorAll(`.move[data-move="${move.id}"]`)];
  const of = host.querySelector("#board > .board");
  if (!of || !ui.view) return [];
  const words = ui.moveText(move);
  const labelOf = (/** @type {Element} */ thing) =>
    (thing.getAttribute("aria-label") ?? thing.textContent ?? "").trim();
  const exact = [...of.querySelectorAll("button, [role=button]")].filter((button) => labelOf(button) === words);
  const choices = exact.length || !board.choices ? [] : [...of.querySelectorAll(board.choices)];
  const label = board.about?.(move, ui.view, ui, repeats) ?? "";
  const players = Object.entries(about.moves[move.verb].args)
    .filter(([, kind]) => kind.seat)
    .map(([name]) => `[data-key="seat-${move.args[name]}"]`);
  return [
    ...exact,
    ...choices.filter((choice) => labelOf(choice).includes(words)),
    ...(label ? of.querySelectorAll(label) : []),
    ...(players.length ? host.querySelectorAll(players.join()) : []),
  ];
}

// --- rendering -------------------------------------------------------------------------------------------------------

/** @param {number[]} wins in thousandths */
const toPercents = (wins) => sharesToPercents(wins.map((share) => share / 1000));

/** Format each player's chance. @param {number[]} wins in thousandths */
const formatShares = (wins) => toPercents(wins).map((percent) => t("help-percent", { percent }));

/** Format the chance after a move. @param {number} wins @param {number} margin both in thousandths */
function formatChance(wins, margin) {
  const percent = Math.round(wins / 10);
  return t("help-chance", { percent, margin: marginBeside(percent, Math.ceil(margin / 10)) });
}

/** @param {GameView} table @param {number[]} wins */
const formatOdds = ({ ui }, wins) =>
  formatList(formatShares(wins).map((share, seat) => ui.formatLabelled(ui.playerName(seat), share)));

/** Render each player's chance to win: a line, and the percentages on request. @param {GameView} table */
export function renderOdds(table) {
  const { odds } = table.hints;
  if (!odds || odds.seat !== table.view?.seat || table.view?.over) return nothing;
  return html`<div class="odds" role="img" tabindex="0" aria-label=${t("help-odds", {
    odds: formatOdds(table, odds.wins),
  })}>${odds.wins.map((share, seat) => html`<i class="seat-${seat}" .style=${`--share: ${share}`}></i>`)}
    <div class="figures"><b>${t("help-odds-title")}</b>${renderFigures(table, odds.wins)}</div></div>`;
}

/** @param {GameView} table @param {number[]} wins */
const renderFigures = ({ ui }, wins) =>
  html`<ul>${formatShares(wins).map(
    (share, seat) => html`<li>${ui.renderShield(seat, "tiny")}<span class="name">${ui.playerName(seat)}</span>
    <b>${share}</b></li>`,
  )}</ul>`;

/** Render the button for hints, if there are hints at this table. @param {GameView} table */
export function renderHintButton(table) {
  const { panel, panelOpen, hints } = table;
  if (!areHintsOffered(table)) return nothing;
  const reason =
    hints.unavailableMessage ||
    (hints.isDecisionOpen ? "" : table.isDecisionHeld ? "your-turn-held" : "help-not-yours");
  const isShown = panel === "advice" && (panelOpen || !isPanelDrawer());
  return html`<button class="icon-button" aria-expanded=${isShown} aria-disabled=${reason !== ""}
      title=${titleWithKey(t(reason || "help-ask"), "h")}
      @click=${() => toggleHints(table)}>${renderUiIcon("hint")}<span>${t("advice")}</span></button>`;
}

/** Open the panel with hints, or close it. @param {GameView} table */
export function toggleHints(table) {
  const { hints } = table;
  if (!areHintsOffered(table)) return;
  if (hints.unavailableMessage) return showToast(t(hints.unavailableMessage));
  const isShown = table.panel === "advice" && (table.panelOpen || !isPanelDrawer());
  if (isShown && (hints.current || !hints.isDecisionOpen)) {
    if (isPanelDrawer()) table.panelOpen = false;
    else table.panel = "log";
    return table.refresh();
  }
  if (!isShown) showPanel(table, "advice");
  hints.fetchHints();
}

/** Render the good moves with their reasons. @param {GameView} table */
export function renderHintPanel(table) {
  const { hints: advice, view } = table;
  if (advice.unavailableMessage) return html`<p class="quiet">${t(advice.unavailableMessage)}</p>`;
  const { current } = advice;
  return html`<div class="hints">
    <section aria-labelledby="hints-heading"><h2 id="hints-heading">${t("help-moves")}</h2>
    <div role="status">${
      !advice.isDecisionOpen
        ? html`<p class="quiet">${t("help-not-yours")}</p>`
        : current && !current.hints && !current.error
          ? html`<p class="quiet">${t("help-thinking")}</p>`
          : current?.error
            ? html`<p>${formatError(current.error)}</p>`
            : nothing
    }${current?.hints ? renderHints(table, current.hints) : nothing}</div>
    ${
      advice.isDecisionOpen && (!current || current.error || lacksChances(current.hints))
        ? html`<button class="button" @click=${() => advice.fetchHints()}>${t("help-ask")}</button>`
        : nothing
    }</section>
    ${
      advice.odds && view && !view.over
        ? html`<section aria-labelledby="odds-heading"><h3 id="odds-heading">${t("help-odds-title")}</h3>
          <div class="figures">${renderFigures(table, advice.odds.wins)}</div>
          ${renderAccuracy(advice.odds)}</section>`
        : nothing
    }</div>`;
}

/**
 * Render how the chances were estimated; nothing if they are 0 % and 100 %.
 * @param {{wins: number[], margin: number, counted: boolean}} odds
 */
function renderAccuracy({ wins, margin, counted }) {
  const margins = toPercents(wins).map((percent) => marginBeside(percent, Math.ceil(margin / 10)));
  const largest = Math.max(...margins);
  return largest
    ? html`<p class="quiet">${t(counted ? "help-odds-how" : "help-odds-estimated", { margin: largest })}</p>`
    : nothing;
}

/** Return how many of the first hints differ from the best by less than the margin of error. @param {Hint[]} entries */
function countEqualHints(entries) {
  const [best] = entries;
  const other = entries.findIndex(
    ({ wins, margin }) => Number(best.wins) - Number(wins) > Math.hypot(best.margin, margin),
  );
  return other < 0 ? entries.length : other;
}

/** @param {GameView} table @param {Hint[]} entries */
function renderHints(table, entries) {
  if (!entries.length) return html`<p>${t("help-only")}</p>`;
  const { hints, ui } = table;
  const count = countEqualHints(entries);
  const isClear = count === 1;
  const others = entries.length - 1;
  return html`${
    count > 1 ? html`<p>${t("help-close", { count, all: count === entries.length ? "yes" : "no" })}</p>` : nothing
  }<ol class="advised">${entries.map(
    (hint, i) => html`<li><button aria-pressed=${hints.pinned === i}
        @pointerenter=${(/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && hints.hover(i)}
        @pointerleave=${(/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && hints.hover(-1)}
        @focus=${(/** @type {FocusEvent} */ event) =>
          /** @type {Element} */ (event.target).matches(":focus-visible") && hints.hover(i)}
        @blur=${() => hints.hover(-1)}
        @click=${(/** @type {MouseEvent} */ event) => hints.pin(i, event.detail === 0)}>
      <b>${ui.moveText(hint.move)}</b>
      <span>${hint.wins === null ? t("help-squires") : formatChance(hint.wins, hint.margin)}</span>
      ${hint.reasons.map((reason) => html`<small>${formatReason(ui, reason, !i && isClear, others)}</small>`)}
    </button></li>`,
  )}</ol>
  <p class="quiet">${t("help-choose")}</p>`;
}

/**
 * Render which players have agreed to hints, and the reader's own answer. A player without other people needs no
 * agreement. A substitute keeps its player's answer.
 * @param {GameView} table
 */
export function renderHelpConsent(table) {
  const { info, mySeats, ui, about } = table;
  if (!mySeats.length || info.status === "over" || !info.id) return nothing; // no one else is there
  const people = info.seats.filter(({ kind }) => kind === "person" || kind === "local");
  const hasOthers = people.some((seat) => !seat.you);
  const agreedSeats = people.filter((seat) => seat.help_consent).map((seat) => seat.seat);
  return html`<div class="agreement">${renderChoice(
    t("help-at-table"),
    [
      ["yes", t("help-yes")],
      ["no", t("help-no")],
    ],
    mySeats.every((seat) => seat.help_consent) ? "yes" : "no",
    (yes) => table.postCommand("help-consent", { help_consent: yes === "yes" }),
  )}${
    !about.help_available
      ? html`<p class="quiet">${t("error-no-machine-code")}</p>`
      : hasOthers
        ? html`<p class="quiet">${joinSentences([
            t("help-all"),
            t("help-agreed", { count: agreedSeats.length, names: ui.playerNames(agreedSeats) }),
          ])}</p>`
        : nothing
  }</div>`;
}

/** Return an element, or the picture that contains it if that shows another part now. @param {HTMLElement} element */
function shownElement(element) {
  const picture = /** @type {any} */ (element).ownerSVGElement;
  if (!picture) return element;
  const [inner, outer] = [element, picture].map((each) => each.getBoundingClientRect());
  const isShown =
    inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;
  return isShown ? element : picture;
}
