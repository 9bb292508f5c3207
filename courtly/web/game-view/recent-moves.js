/**
 * Outlines what the other players have changed since the reader's last move, until the reader moves again; in a replay,
 * what the step just shown has changed.
 */
import { AnimationKit, indexElements } from "../board-sdk/animation.js";
import { isSmallScreen } from "../core/user-settings.js";
import { scrollIntoView } from "./focus-choices.js";
import { findMoveElements } from "./hints.js";
import { findReviewedMoves } from "./decision-ranking.js";

/**
 * @typedef {import("./game-view.js").GameView} GameView @typedef {import("../core/api-types.js").Cue} Cue
 * @typedef {import("../core/api-types.js").View} View
 * @typedef {{cue: Cue, before: View | null, view: View}} Step a cue with the view before it and the one after it
 */

/** Records which elements a board's animations are about, instead of animating them. */
class ElementRecorder extends AnimationKit {
  /**
   * @param {GameView} table @param {Element} root @param {Map<string, Element>} index its elements by their keys
   * @param {View | null} before @param {View} view
   */
  constructor({ about }, root, index, before, view) {
    const findElement = (/** @type {string} */ key) => index.get(key) ?? null;
    const events = { claimKey() {}, addAnimation() {} };
    super(
      /** @type {any} */ ({ root, findElement, about, before, view, rects: new Map(), timeScale: 0, ...events }),
      0,
    );
    /** @type {Set<Element>} */
    this.elements = new Set();
    /** @type {Set<string>} the keys of what is only highlighted, and of dice that were rolled */
    this.highlightedKeys = new Set();
  }

  /** @param {string | Element | null} target */
  animate(target) {
    const element = typeof target === "string" ? this.element(target) : target;
    if (element) this.elements.add(element.closest("[data-key]") ?? element);
  }

  /** @param {string} key */
  moveFrom(key) {
    this.animate(key);
  }

  /** @param {string} key */
  countFrom(key) {
    this.animate(key);
  }

  /** A die on the table shows the present turn, not a past one. @param {string} key */
  roll(key) {
    this.highlightedKeys.add(key);
  }

  /** What is only highlighted has not changed. @param {string} key */
  highlight(key) {
    this.highlightedKeys.add(key);
  }

  /** Nor has what looks as before. */
  flash() {}

  sound() {}
}

/** Return whether an element is the place of one die. @param {Element} element */
const isPlaceOfDie = (element) => element.querySelector(":scope > .die") !== null;

/** Return whether an element is in a part of the board that only reports what happened. @param {Element} element */
const isInReport = (element) => element.closest("[data-report]") !== null;

export class RecentMoves {
  /** @param {GameView} table */
  constructor(table) {
    this.table = table;
    /** @type {View | null} the last view whose cues were taken into account */
    this.lastView = null;
    this.hasMoved = false; // has the reader's seat made a move?
    /** @type {View | null} the view of a replay whose changes were scrolled into view last */
    this.scrolledStep = null;
    /** @type {Step[]} what happened since the seat's last move */
    this.steps = [];
  }

  /**
   * Mark the elements that others have changed, after the board was drawn; in a replay, those that its present step has
   * changed; in a review, those that the played move is about.
   */
  mark() {
    const { host } = this.table;
    const marked = new Set(this.#findMarked());
    for (const element of host.querySelectorAll("[data-recent]"))
      if (!marked.has(element)) element.removeAttribute("data-recent");
    for (const element of marked) element.setAttribute("data-recent", "");
    this.#scrollToStep([...marked]);
  }

  /**
   * On a small screen, scroll what a step of a replay has changed on the board into view, once.
   * @param {Element[]} marked
   */
  #scrollToStep(marked) {
    const { replay, viewPlayer } = this.table;
    const step = replay?.view ?? null;
    if (viewPlayer.isBusy || step === this.scrolledStep) return;
    this.scrolledStep = step;
    const shown = marked.filter((element) => element.closest("#board") && !element.closest("svg"));
    if (step && isSmallScreen() && shown.length) scrollIntoView(/** @type {HTMLElement[]} */ (shown));
  }

  /** @returns {Iterable<Element>} */
  #findMarked() {
    const { board, view, seat, replay, isPlain, viewPlayer } = this.table;
    const played = findReviewedMoves(this.table)?.played;
    if (played) return findMoveElements(this.table, played);
    if (isPlain || !view) return [];
    if (replay) {
      const before = replay.views[replay.index - 1] ?? null;
      const steps = before ? replay.cuesAt(replay.index).map((cue) => ({ cue, before, view })) : [];
      return viewPlayer.isBusy ? [] : this.#findElements(steps, true);
    }
    if (seat === null || view.seat !== seat || view.over) return [];
    this.#follow(view, seat);
    // random events after a move that ended the turn of another player belong to the next turn
    const last = this.steps.findLastIndex(({ cue }) => cue.seat >= 0);
    if (last < 0 || viewPlayer.isBusy) return [];
    const { verb } = this.steps[last].cue;
    const hasEnded = board.ends?.includes(verb) || board.mayEnd?.includes(verb);
    return this.#findElements(hasEnded ? this.steps.slice(0, last + 1) : this.steps);
  }

  /** Take the cues of a new view into account. @param {View} view @param {number} seat */
  #follow(view, seat) {
    if (view === this.lastView) return;
    if (seat !== this.lastView?.seat || view.seq < this.lastView.seq) {
      this.lastView = null;
      this.hasMoved = false;
      this.steps = [];
    }
    const first = this.lastView?.seq ?? 0;
    for (const cue of this.table.ui.cues.filter(({ n }) => n >= first)) {
      if (cue.seat === seat) {
        this.hasMoved = true;
        this.steps = [];
      } else if (this.hasMoved && (this.steps.length || cue.seat >= 0)) {
        this.steps.push({ cue, before: this.lastView, view });
      }
    }
    this.lastView = view;
  }

  /**
   * Return the changed elements that are there; of nested ones, the outermost.
   * @param {Step[]} steps
   * @param {boolean} [inReplay] whether they are of a replay's step: then dice count, and if nothing has changed,
   *   return what is highlighted, or else the last player to act
   * @returns {Set<Element>}
   */
  #findElements(steps, inReplay = false) {
    const { board, host } = this.table;
    /** @type {Set<Element>} */
    const elements = new Set();
    const root = host.querySelector("#board") ?? host;
    const index = indexElements(root);
    /** @type {Set<string>} */
    const highlightedKeys = new Set();
    for (const { cue, before, view } of steps) {
      const recorder = new ElementRecorder(this.table, root, index, before, view);
      try {
        if (cue.args) board.cues?.[cue.verb]?.(cue, recorder);
      } catch {
        /* reported when it was animated */
      }
      for (const element of recorder.elements)
        if ((inReplay || !isPlaceOfDie(element)) && !isInReport(element)) elements.add(element);
      for (const key of recorder.highlightedKeys) highlightedKeys.add(key);
    }
    if (inReplay && !elements.size) {
      const found = [...highlightedKeys].map((key) => this.#findByKey(key)).filter((element) => element !== null);
      const seat = steps.findLast(({ cue }) => cue.seat >= 0)?.cue.seat;
      const player = seat === undefined ? null : this.#findByKey(`seat-${seat}`);
      for (const element of found.length || !player ? found : [player]) elements.add(element);
    }
    for (const element of elements)
      for (const inner of elements) if (inner !== element && element.contains(inner)) elements.delete(inner);
    return elements;
  }
  /** Return the element with a key on the board or in the row of the seats. @param {string} key */
  #findByKey(key) {
    return this.table.host.querySelector(`.table [data-key="${CSS.escape(key)}"]`);
  }
}
