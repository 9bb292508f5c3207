/**
 * A game played back: a list of views and a place in it. To a table it is a source like any other, but what it says was
 * said before; nothing can be done there.
 */
import { bar } from "./controls.js";
import { Reviewed } from "./review-panel.js";
import { standing, turns } from "../log.js";
import { labelled, sentences, t } from "../../core/i18n.js";

/**
 * @typedef {import("../../core/api-types.js").View} View @typedef {import("../../core/api-types.js").Cue} Cue
 * @typedef {import("../../core/api-types.js").TableInfo} TableInfo @typedef {import("../../core/api-types.js").Replay}
 * Told
 * @typedef {import("../game-view.js").Table} Table @typedef {import("../game-view.js").Listener} Listener
 * @typedef {number | null | "all"} Eyes a seat, a spectator, or everything open
 */

const PAUSE = 900; // ms between two moves that are played back, at the usual speed
export const SPEEDS = [0.5, 1, 2, 4];
const FEW = 3; // things that are said of a move at once

/** The views that were told, each whole. @param {Told} told @returns {(View & {ply: number | null})[]} */
function whole(told) {
  /** @type {any} */
  let view = { state: {} };
  return told.moments.map(({ ply, changed, gone = [] }) => {
    const facts = "facts" in changed || "facts" in view ? { ...view.facts, ...changed.facts } : undefined;
    for (const name of gone) delete facts[name];
    view = { ...view, ...changed, state: { ...view.state, ...changed.state }, ...(facts && { facts }), ply };
    return view;
  });
}

export class Replay {
  /**
   * @param {TableInfo} info @param {(eyes: Eyes) => Promise<Told>} fetch what these eyes saw
   * @param {{link?: () => string, back?: () => void, leave?: () => void}} more `link`: the address of the moment that
   *   is looked at; `back`: to the game, which goes on; `leave`: as of any source
   */
  constructor(info, fetch, { link, back, leave } = {}) {
    this.info = info;
    this.fetch = fetch;
    this.link = link;
    this.back = back;
    this.leave = leave;
    /** @type {Eyes} */
    this.eyes = null;
    /** @type {(View & {ply: number | null})[]} */
    this.views = [];
    /** @type {Cue[]} all that was told */
    this.cues = [];
    this.at = 0;
    this.speed = 1;
    this.playing = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {Table | null} */
    this.table = null;
    /** @type {Listener | null} */
    this.listener = null;
    this.busy = false; // do other eyes open?
    this.outdated = false; // has the game gone on?
    this.reviewed = new Reviewed(this);
    this.moved = () => {};
    this.closed = () => {};
    /** @type {import("../log.js").Turn[] | null} */
    this.turned = null;
    /** @type {unknown[]} for what a line of the log was marked last */
    this.marked = [];
  }

  get last() {
    return this.views.length - 1;
  }
  get view() {
    return this.views[this.at];
  }

  // --- a source

  /** @param {Listener} listener */
  open(listener) {
    this.listener = listener;
    if (!this.views.length) return; // they are on their way
    listener.hear({ type: "table", table: this.#told() });
    this.#say(this.cues);
  }

  close() {
    this.listener = null;
    this.closed();
  }

  /** Nothing can be done in what is past. */
  send() {}

  /** The table as it is shown here: everybody is there, and whose eyes these are sits at it. */
  #told() {
    const seats = this.info.seats.map((seat) => ({
      ...seat,
      you: seat.seat === this.eyes,
      here: true,
      standin: null,
      instead: null,
      grace: 0,
    }));
    return { ...this.info, seats, help: /** @type {const} */ ("off"), clocks: null, problem: null };
  }

  /** @param {Cue[]} cues */
  #say(cues) {
    const { ply, ...view } = this.view;
    this.listener?.hear({ type: "view", view: { ...view, cues } });
  }

  // --- eyes

  /** @param {Eyes} eyes @param {number} [ply] where to be then, if not where it is */
  async look(eyes, ply = this.view?.ply ?? 0) {
    this.pause();
    this.busy = true;
    this.table?.refresh();
    try {
      const told = await this.fetch(eyes);
      this.eyes = eyes;
      this.cues = told.cues;
      this.views = whole(told);
      this.turned = null;
      this.at = this.place(ply);
    } finally {
      this.busy = false;
    }
    if (this.listener) {
      this.table?.startOver();
      this.open(this.listener);
      this.moved();
    }
    this.table?.refresh();
  }

  // --- where it is

  /** The last view that was there when the journal was so long. @param {number} ply */
  place(ply) {
    return Math.max(
      0,
      this.views.findLastIndex((view) => (view.ply ?? 0) <= ply),
    );
  }

  /** @param {number} at */
  go(at) {
    const to = Math.min(Math.max(at, 0), this.last);
    if (to === this.at) return;
    const forth = to === this.at + 1;
    this.at = to;
    if (forth) this.table?.player.skip();
    else this.table?.player.forget();
    this.#say(forth ? this.came(to) : []);
    this.moved();
  }

  /** To where this cue has just been told. @param {number} n */
  jump(n) {
    this.pause();
    this.go(this.views.findIndex((view) => view.seq > n));
  }

  /** @param {number} by so many turns */
  turn(by) {
    const now = this.turnOf(this.at);
    const to = this.#turns[now + by];
    if (by > 0) this.go(to ? this.views.findIndex((view) => view.seq > to.n) : this.last);
    else {
      const began = this.views.findIndex((view) => view.seq > (this.#turns[now]?.n ?? 0));
      if (began < this.at) this.go(began);
      else this.go(to ? this.views.findIndex((view) => view.seq > to.n) : 0);
    }
  }

  get #turns() {
    this.turned ??= turns(this.cues, this.table?.board ?? {}).filter((turn) => turn.seat >= 0);
    return this.turned;
  }

  /** In which turn a view is; -1: before the first. @param {number} at */
  turnOf(at) {
    const { seq } = this.views[at];
    return this.#turns.findLastIndex((turn) => turn.n < seq);
  }

  /** What was told with a view. @param {number} at */
  came(at) {
    return standing(this.cues.slice(this.views[at - 1]?.seq ?? 0, this.views[at].seq));
  }

  /** What a listener is told of the moment; whoever moves the slider hears that. */
  get news() {
    return document.activeElement?.closest(".past input") ? [] : this.came(this.at);
  }

  /** What a cue tells. Where everything lies open, it says whose it was. @param {Cue} cue */
  tell(cue) {
    const ui = this.table?.ui;
    const text = ui?.tell(cue, this.eyes === "all") ?? "";
    const whose = cue.to ?? cue.seat;
    const name = this.eyes === "all" && whose >= 0 ? (ui?.name(whose) ?? "") : "";
    return text && !text.includes(name) ? labelled(name, text) : text;
  }

  /** The moment in words. */
  get said() {
    const turn = this.turnOf(this.at);
    if (this.at === 0) return t("replay-start");
    const told = this.came(this.at)
      .map((cue) => this.tell(cue))
      .filter(Boolean);
    const number = t("replay-turn", { turn: turn + 1, turns: this.#turns.length });
    return sentences([number, ...told.slice(0, FEW), ...(this.view.over ? [t("game-over")] : [])]);
  }

  // --- playing

  play() {
    if (this.at === this.last) this.go(0);
    this.playing = true;
    this.#tick();
    this.table?.refresh();
  }

  pause() {
    this.playing = false;
    clearTimeout(this.timer);
    this.table?.refresh();
  }

  #tick() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.playing) return;
      if (this.table?.player.busy) return this.#tick();
      this.go(this.at + 1);
      if (this.at === this.last) this.pause();
      else this.#tick();
    }, PAUSE / this.speed);
  }

  /** @param {number} speed */
  hurry(speed) {
    this.speed = speed;
    if (this.table) this.table.player.rate = speed;
    if (this.playing) this.#tick();
    this.table?.refresh();
  }

  // --- keys

  /** @param {KeyboardEvent} event @returns {boolean} was it one of these? */
  key(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.defaultPrevented || (event.key === " " && target.closest("a, button, summary"))) return false;
    if (target.closest(".scroll, .wide, .seats") && !event.key.startsWith("Arrow")) return false; // it is scrolled
    const by = event.shiftKey ? "turn" : "step";
    const keys = {
      ArrowLeft: () => this.step(-1, by),
      ArrowRight: () => this.step(1, by),
      PageUp: () => this.step(-1, "turn"),
      PageDown: () => this.step(1, "turn"),
      Home: () => this.step(-Infinity),
      End: () => this.step(Infinity),
      " ": () => (this.playing ? this.pause() : this.play()),
    };
    const found = keys[/** @type {keyof typeof keys} */ (event.key)];
    found?.();
    return Boolean(found);
  }

  /** @param {number} by @param {"step" | "turn"} [what] */
  step(by, what = "step") {
    this.pause();
    if (what === "turn") this.turn(by);
    else this.go(this.at + by);
  }

  // --- drawing

  /** @returns {unknown} */
  bar() {
    return this.views.length ? bar(this) : null;
  }

  /** Marks the line of the log where it is. */
  mark() {
    const seq = this.view?.seq ?? 0;
    const log = this.table?.host.querySelector(".log") ?? null;
    const place = [log, this.views, this.at];
    if (place.every((part, i) => part === this.marked[i])) return;
    this.marked = place;
    const lines = /** @type {HTMLElement[]} */ ([...(log?.querySelectorAll("[data-n]") ?? [])]);
    const told = lines.filter((line) => Number(line.dataset.n) < seq);
    const here = told.reduce(
      (/** @type {HTMLElement | null} */ last, line) =>
        last && Number(last.dataset.n) > Number(line.dataset.n) ? last : line,
      null,
    );
    for (const line of log?.querySelectorAll("[aria-current]") ?? [])
      if (line !== here) line.removeAttribute("aria-current");
    if (!here || here.hasAttribute("aria-current")) return;
    here.setAttribute("aria-current", "step");
    // where it lies is asked when all is drawn: to ask before has the page laid out once more
    requestAnimationFrame(() => {
      const scroll = here.closest(".scroll");
      if (!scroll || !here.hasAttribute("aria-current")) return;
      const [box, port] = [here.getBoundingClientRect(), scroll.getBoundingClientRect()];
      if (box.top < port.top || box.bottom > port.bottom) scroll.scrollTop += box.top - port.top - port.height / 2;
    });
  }
}
