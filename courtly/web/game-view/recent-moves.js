/** Outlines what the other players have changed since the reader's last move, until the reader moves again. */
import { AnimationKit, indexElements } from "../board-sdk/animation.js";
import { findMoveElements } from "./hints.js";
import { findReviewedMoves } from "./decision-ranking.js";

/**
 * @typedef {import("./game-view.js").GameView} GameView @typedef {import("../core/api-types.js").Cue} Cue
 * @typedef {import("../core/api-types.js").View} View
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

  /** A die on the table shows the present turn, not a past one. */
  roll() {}

  /** What is only highlighted has not changed. */
  highlight() {}

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
    /**
     * What happened since the seat's last move, with the view before it and the one after it.
     * @type {{cue: Cue, before: View | null, view: View}[]}
     */
    this.steps = [];
  }

  /**
   * Mark the elements that others have changed, after the board was drawn; in a review, those that the played move is
   * about.
   */
  mark() {
    const { host, view, seat, replay, isPlain, viewPlayer } = this.table;
    const isShown = !replay && !isPlain && view !== null && seat !== null && view.seat === seat && !view.over;
    if (isShown) this.#follow(view, seat);
    const played = findReviewedMoves(this.table)?.played;
    const marked =
      isShown && !viewPlayer.isBusy
        ? this.#findElements()
        : new Set(played ? findMoveElements(this.table, played) : []);
    for (const element of host.querySelectorAll("[data-recent]"))
      if (!marked.has(element)) element.removeAttribute("data-recent");
    for (const element of marked) element.setAttribute("data-recent", "");
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
   * Return the changed elements that are there; of nested ones, the outermost. Random events after a move that ended
   * the turn of another player are left out, because they belong to the next turn.
   * @returns {Set<Element>}
   */
  #findElements() {
    const { board, host } = this.table;
    const last = this.steps.findLastIndex(({ cue }) => cue.seat >= 0);
    /** @type {Set<Element>} */
    const elements = new Set();
    if (last < 0) return elements;
    const { verb } = this.steps[last].cue;
    const hasEnded = board.ends?.includes(verb) || board.mayEnd?.includes(verb);
    const root = host.querySelector("#board") ?? host;
    const index = indexElements(root);
    for (const { cue, before, view } of hasEnded ? this.steps.slice(0, last + 1) : this.steps) {
      const recorder = new ElementRecorder(this.table, root, index, before, view);
      try {
        if (cue.args) board.cues?.[cue.verb]?.(cue, recorder);
      } catch {
        /* reported when it was animated */
      }
      for (const element of recorder.elements)
        if (!isPlaceOfDie(element) && !isInReport(element)) elements.add(element);
    }
    for (const element of elements)
      for (const inner of elements) if (inner !== element && element.contains(inner)) elements.delete(inner);
    return elements;
  }
}
