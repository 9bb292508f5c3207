/**
 * When the result of a game is shown: after the last move has been seen on the board. The player can put the result
 * aside to look at the board, and bring it back.
 */
import { playSound } from "../core/game-sounds.js";
import { animationScale } from "../core/user-settings.js";
import { formatNumber } from "../core/i18n.js";

/** @typedef {import("./game-view.js").GameView} GameView */

const LAST_MOVE_MS = 1600; // the board as the last move left it is shown for this long before the result
const COUNT_MS = 1000; // the points count up for this long
const FRAME_MS = 33;
const WHOLE_NUMBER = /\d+(?:[,.'’\s]\d{3}(?!\d))*/; // its thousands may be separated, by a comma for example

export class EndDisplay {
  /** @param {GameView} table */
  constructor(table) {
    this.table = table;
    this.isDue = false; // is the result shown, or put aside?
    this.isAside = false;
    this.wasPlayed = false; // has this page shown the game before its end?
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    table.listenerOptions.signal.addEventListener("abort", () => clearTimeout(this.timer));
  }

  /** Whether the last move is being shown and the result follows. */
  get isWaiting() {
    return this.timer !== undefined;
  }

  /** Decide whether the result is shown; called before each drawing. */
  update() {
    const { view, viewPlayer, replay } = this.table;
    if (replay || !view) return;
    if (!view.over) {
      this.wasPlayed = true;
      this.isDue = this.isAside = false;
    } else if (!this.isDue && !this.isWaiting && !viewPlayer.isBusy) {
      const pauseMs = this.wasPlayed && !document.hidden ? LAST_MOVE_MS * animationScale() : 0;
      if (pauseMs) this.timer = setTimeout(() => this.show(), pauseMs);
      else this.isDue = true;
    }
  }

  /** Show the result now. */
  show() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isDue = true;
    this.table.refresh();
  }

  /** Put the result aside, or bring it back. @param {boolean} aside */
  putAside(aside) {
    this.isAside = aside;
    this.table.refresh();
    if (aside)
      queueMicrotask(() =>
        /** @type {HTMLElement | null} */ (this.table.host.querySelector(".end-aside button"))?.focus(),
      );
  }

  /** Count the points up, if the game ended on this page. @param {Element} end */
  countUp(end) {
    if (!this.wasPlayed || !animationScale()) return;
    this.wasPlayed = false;
    const { scores, seat } = this.table.view ?? {};
    if (scores && seat !== null && seat !== undefined && scores[seat] === Math.max(...scores)) playSound("fanfare");
    for (const score of end.querySelectorAll(".ranks .score")) countNumbers(score, COUNT_MS * animationScale());
  }
}

/** Count the whole numbers in an element up to their values. @param {Element} element @param {number} durationMs */
function countNumbers(element, durationMs) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const textNode = node;
    const text = node.nodeValue ?? "";
    const value = Number((text.match(WHOLE_NUMBER)?.[0] ?? "").replaceAll(/\D/g, ""));
    if (!value) continue;
    const startTime = performance.now();
    let shown = text.replace(WHOLE_NUMBER, "0");
    textNode.nodeValue = shown;
    const timer = setInterval(() => {
      const progress = Math.min((performance.now() - startTime) / durationMs, 1);
      if (progress === 1 || textNode.nodeValue !== shown) clearInterval(timer);
      if (textNode.nodeValue !== shown) return; // the score itself has changed
      shown = progress === 1 ? text : text.replace(WHOLE_NUMBER, formatNumber(Math.round(value * progress)));
      textNode.nodeValue = shown;
    }, FRAME_MS);
  }
}
