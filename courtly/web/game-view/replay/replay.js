/**
 * A replay: a list of views and a position in it. To the game view it is a source like any other, except that commands
 * have no effect.
 */
import { renderControls } from "./controls.js";
import { describeTurn, dropUndone, groupByTurn, groupLines } from "../log.js";
import { formatLabelled, joinSentences, t } from "../../core/i18n.js";

/**
 * @typedef {import("../../core/api-types.js").View} View @typedef {import("../../core/api-types.js").Cue} Cue
 * @typedef {import("../../core/api-types.js").TableInfo} TableInfo @typedef {import("../../core/api-types.js").Replay}
 * ReplayData
 * @typedef {import("../game-view.js").GameView} GameView @typedef {import("../game-view.js").SourceListener}
 * SourceListener
 * @typedef {number | null | "all"} Viewpoint a seat, a spectator, or everything open
 */

const MOVE_INTERVAL_MS = 900; // between two moves of a replay, at the normal speed
const MAX_SPOKEN_LINES = 3; // lines of the log in the status text of one moment
const MAX_SHORT_WIDTH = 92; // of two lines on a narrow phone, in Latin characters

/** Return the width of a text in Latin characters: a Japanese one is as wide as two. @param {string} text */
const textWidth = (text) => text.length + text.replace(/[\0-\u2fff]/g, "").length;

/**
 * Return the complete views, since the data contains only what changed from one to the next.
 * @param {ReplayData} data @returns {(View & {ply: number | null})[]}
 */
function expandViews(data) {
  /** @type {any} */
  let view = { state: {} };
  return data.moments.map(({ ply, changed }) => {
    const facts = "facts" in changed || "facts" in view ? { ...view.facts, ...changed.facts } : undefined;
    view = { ...view, ...changed, state: { ...view.state, ...changed.state }, ...(facts && { facts }), ply };
    return view;
  });
}

export class Replay {
  /**
   * @param {TableInfo} info @param {(eyes: Viewpoint) => Promise<ReplayData>} fetch loads the game from a viewpoint
   * @param {{link?: () => string, back?: () => void, backText?: string, leave?: () => void,
   *   exportRecord?: () => Promise<string>}} more `link`: returns the URL of the current moment; `back`: returns to the
   *   game or its result, by a button with `backText`; the others: see `Source`
   */
  constructor(info, fetch, { link, back, backText = "replay-return", leave, exportRecord } = {}) {
    this.info = info;
    this.fetch = fetch;
    this.getLink = link;
    this.returnToGame = back;
    this.returnText = backText;
    this.leave = leave;
    this.exportRecord = exportRecord;
    /** @type {Viewpoint} */
    this.viewpoint = null;
    /** @type {(View & {ply: number | null})[]} */
    this.views = [];
    /** @type {Cue[]} all cues of the viewpoint */
    this.cues = [];
    this.index = 0;
    this.speed = 1;
    this.isPlaying = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {GameView | null} */
    this.table = null;
    /** @type {SourceListener | null} */
    this.listener = null;
    this.isLoading = false; // is another viewpoint being loaded?
    this.isOutdated = false; // has the live game gone on?
    this.onMove = () => {};
    this.onClose = () => {};
    /** @type {import("../log.js").LogTurn[] | null} */
    this.cachedTurns = null;
    /** @type {unknown[]} the log, views and position for which a line was marked last */
    this.markedFor = [];
  }

  get lastIndex() {
    return this.views.length - 1;
  }
  get view() {
    return this.views[this.index];
  }

  // --- source

  /** @param {SourceListener} listener */
  open(listener) {
    this.listener = listener;
    if (!this.views.length) return; // still loading
    listener.onMessage({ type: "table", table: this.#tableInfo() });
    this.#sendView(this.cues);
  }

  close() {
    this.listener = null;
    this.onClose();
  }

  /** Ignore commands: a past game cannot be changed. */
  send() {}

  /**
   * Return the table as the replay shows it: all players present, and the viewpoint's seat is the reader's, with hints
   * once the game is over.
   */
  #tableInfo() {
    const seats = this.info.seats.map((seat) => ({
      ...seat,
      you: seat.seat === this.viewpoint,
      connected: true,
      substitute: null,
      replacement: null,
      grace_seconds: 0,
    }));
    /** @type {TableInfo["help"]} */
    const help = this.returnToGame && this.info.status !== "over" ? "off" : "on";
    return { ...this.info, seats, help, clocks: null, problem: null };
  }

  /** @param {Cue[]} cues */
  #sendView(cues) {
    const { ply, ...view } = this.view;
    this.listener?.onMessage({ type: "view", view: { ...view, cues } });
  }

  // --- viewpoint

  /** @param {Viewpoint} viewpoint @param {number} [ply] the new position, by default the current one */
  async setViewpoint(viewpoint, ply = this.view?.ply ?? 0) {
    this.pause();
    this.isLoading = true;
    this.table?.refresh();
    try {
      const data = await this.fetch(viewpoint);
      this.viewpoint = viewpoint;
      this.cues = data.cues;
      this.views = expandViews(data);
      this.cachedTurns = null;
      this.index = this.indexOfPly(ply);
    } finally {
      this.isLoading = false;
    }
    if (this.listener) {
      this.table?.reset();
      this.open(this.listener);
      this.onMove();
    }
    this.table?.refresh();
  }

  // --- position

  /**
   * Return the index of the view at this ply: the first whose ply is not before it, because a player's view names the
   * last ply of those that look the same. The last view, if the plies are not known.
   * @param {number} ply
   */
  indexOfPly(ply) {
    const at = this.views.findIndex((view) => view.ply !== null && view.ply !== undefined && view.ply >= ply);
    return at < 0 ? this.lastIndex : at;
  }

  /** @param {number} at */
  goTo(at) {
    const to = Math.min(Math.max(at, 0), this.lastIndex);
    if (to === this.index) return;
    const forth = to === this.index + 1;
    this.index = to;
    if (forth) this.table?.viewPlayer.skipToEnd();
    else this.table?.viewPlayer.reset();
    this.#sendView(forth ? this.cuesAt(to) : []);
    this.onMove();
  }

  /** Go to the view that follows this cue. @param {number} n */
  jumpToCue(n) {
    this.pause();
    this.goTo(this.views.findIndex((view) => view.seq > n));
  }

  /** @param {number} by number of turns */
  stepTurn(by) {
    const now = this.turnAt(this.index);
    const to = this.#turns[now + by];
    if (by > 0) this.goTo(to ? this.views.findIndex((view) => view.seq > to.n) : this.lastIndex);
    else {
      const turnStart = this.views.findIndex((view) => view.seq > (this.#turns[now]?.n ?? 0));
      if (turnStart < this.index) this.goTo(turnStart);
      else this.goTo(to ? this.views.findIndex((view) => view.seq > to.n) : 0);
    }
  }

  get #turns() {
    this.cachedTurns ??= groupByTurn(this.cues, this.table?.board ?? {}).filter(
      ({ seat, isShared }) => seat >= 0 || isShared,
    );
    return this.cachedTurns;
  }

  /** Return the index of a view's turn; -1: before the first. @param {number} at */
  turnAt(at) {
    const { seq } = this.views[at];
    return this.#turns.findLastIndex((turn) => turn.n < seq);
  }

  /** Return the cues that came with a view. @param {number} at */
  cuesAt(at) {
    return dropUndone(this.cues.slice(this.views[at - 1]?.seq ?? 0, this.views[at].seq));
  }

  /** The cues that screen readers announce: none while the slider has the focus, because it announces its own value. */
  get announcedCues() {
    return document.activeElement?.closest(".past input") ? [] : this.cuesAt(this.index);
  }

  /**
   * Return the text of a cue. With all information shown, add the name of the player it belongs to.
   * @param {import("../../board-sdk/board-context.js").JoinedCue} cue
   * @param {number} [times] how often it happened in a row
   */
  cueText(cue, times) {
    const ui = this.table?.ui;
    const text = ui?.cueText(cue, this.viewpoint === "all", times) ?? "";
    const owner = cue.to ?? cue.seat;
    const name = this.viewpoint === "all" && owner >= 0 ? (ui?.playerName(owner) ?? "") : "";
    return text && !text.includes(name) ? formatLabelled(name, text) : text;
  }

  /** The current moment as sentences: the number of the turn, and what happened. */
  get #statusTexts() {
    if (this.index === 0) return [t("replay-start")];
    const number = t("replay-turn", { turn: this.turnAt(this.index) + 1, turns: this.#turns.length });
    const texts = this.#momentTexts.slice(0, MAX_SPOKEN_LINES);
    return [number, ...texts, ...(this.view.over ? [t("game-over")] : [])];
  }

  /** The current moment as a text. */
  get statusText() {
    return joinSentences(this.#statusTexts);
  }

  /** The same for a phone: as many of its sentences as have room in two lines. */
  get shortStatusText() {
    const texts = this.#statusTexts;
    while (texts.length > 2 && textWidth(joinSentences(texts)) > MAX_SHORT_WIDTH) texts.pop();
    if (texts.length === 2 && textWidth(joinSentences(texts)) > MAX_SHORT_WIDTH) texts.shift();
    return joinSentences(texts);
  }

  /**
   * What happened in the current moment: sentences, with a name in each turn if there are several. If the log leaves
   * all of it out, the moves themselves.
   */
  get #momentTexts() {
    if (!this.table) return [];
    const { board, ui } = this.table;
    const { pending } = this.view;
    const cues = this.cuesAt(this.index);
    const turns = groupLines(cues, board, ui, this);
    const texts = turns.flatMap((turn, at) => {
      const isNext = at > 0 && turn.seat < 0 && !turn.isShared && pending.length === 1;
      const seat = isNext ? pending[0] : turn.seat;
      const name = turns.length > 1 && seat >= 0 ? ui.playerName(seat) : "";
      return describeTurn(turn, board, ui, this).map(({ text }, line) =>
        line || text.includes(name) ? text : formatLabelled(name, text),
      );
    });
    return texts.length ? texts : cues.map((cue) => ui.silentCueText(cue)).filter(Boolean);
  }

  // --- playback

  play() {
    if (this.index === this.lastIndex) this.goTo(0);
    this.isPlaying = true;
    this.#scheduleNext();
    this.table?.refresh();
  }

  pause() {
    this.isPlaying = false;
    clearTimeout(this.timer);
    this.table?.refresh();
  }

  #scheduleNext() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.isPlaying) return;
      if (this.table?.viewPlayer.isBusy) return this.#scheduleNext();
      this.goTo(this.index + 1);
      if (this.index === this.lastIndex) this.pause();
      else this.#scheduleNext();
    }, MOVE_INTERVAL_MS / this.speed);
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    if (this.table) this.table.viewPlayer.rate = speed;
    if (this.isPlaying) this.#scheduleNext();
    this.table?.refresh();
  }

  // --- keyboard

  /** @param {KeyboardEvent} event @returns {boolean} was the key handled? */
  handleKey(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.defaultPrevented || (event.key === " " && target.closest("a, button, summary"))) return false;
    if (target.closest(".scroll, .wide, .seats") && !event.key.startsWith("Arrow")) return false; // scrolls there
    const by = event.shiftKey ? "turn" : "step";
    const keys = {
      ArrowLeft: () => this.step(-1, by),
      ArrowRight: () => this.step(1, by),
      PageUp: () => this.step(-1, "turn"),
      PageDown: () => this.step(1, "turn"),
      Home: () => this.step(-Infinity),
      End: () => this.step(Infinity),
      " ": () => (this.isPlaying ? this.pause() : this.play()),
    };
    const found = keys[/** @type {keyof typeof keys} */ (event.key)];
    found?.();
    return Boolean(found);
  }

  /** @param {number} by @param {"step" | "turn"} [what] */
  step(by, what = "step") {
    this.pause();
    if (what === "turn") this.stepTurn(by);
    else this.goTo(this.index + by);
  }

  // --- rendering

  /** @returns {unknown} */
  renderControls() {
    return this.views.length ? renderControls(this) : null;
  }

  /** Mark the line of the log that belongs to the current moment. */
  markLogLine() {
    const seq = this.view?.seq ?? 0;
    const log = this.table?.host.querySelector(".log") ?? null;
    const place = [log, this.views, this.index];
    if (place.every((part, i) => part === this.markedFor[i])) return;
    this.markedFor = place;
    const lines = /** @type {HTMLElement[]} */ ([...(log?.querySelectorAll("[data-n]") ?? [])]);
    const pastLines = lines.filter((line) => Number(line.dataset.n) < seq);
    const currentLine = pastLines.reduce(
      (/** @type {HTMLElement | null} */ last, line) =>
        last && Number(last.dataset.n) > Number(line.dataset.n) ? last : line,
      null,
    );
    for (const line of log?.querySelectorAll("[aria-current]") ?? [])
      if (line !== currentLine) line.removeAttribute("aria-current");
    if (!currentLine || currentLine.hasAttribute("aria-current")) return;
    currentLine.setAttribute("aria-current", "step");
    // measure after rendering, to avoid a forced layout
    requestAnimationFrame(() => {
      const scroll = currentLine.closest(".scroll");
      if (!scroll || !currentLine.hasAttribute("aria-current")) return;
      const [box, port] = [currentLine.getBoundingClientRect(), scroll.getBoundingClientRect()];
      if (box.top < port.top || box.bottom > port.bottom) scroll.scrollTop += box.top - port.top - port.height / 2;
    });
  }
}
