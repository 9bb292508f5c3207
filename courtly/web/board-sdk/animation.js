/**
 * Cues become animations. Views arrive with cues; the new view is drawn at once and then everything that moved is
 * animated from where it was: an element is known by its `data-key`. On top of that a board may say what a cue looks
 * like, by verb: `cues = { die(cue, kit) { kit.roll("die-3") } }`. All of a view's animations are laid on one time line
 * when it is drawn, so skipping is finishing them.
 */
import { pace } from "../core/user-settings.js";
import { number } from "../core/i18n.js";

/**
 * @typedef {import("../core/api-types.js").View} View @typedef {import("../core/api-types.js").Cue} Cue
 * @typedef {import("./board-types.js").Board} Board
 */
/** @typedef {{view: View, cues: Cue[]}} Step */

export const CHANGE = 160,
  TRAVEL = 350,
  ROLL = 700,
  STAGGER = 70;
const EASE = "cubic-bezier(.2,.7,.3,1)";
const NUMBER = /−?\d[\d,]*/; // as `number` writes it, in either language
const MOST = 12; // views that may wait; more are shown without their animations

/** What a board's cue may do. Times are the usual ones; the reader's speed is applied here. */
export class Kit {
  /** @param {Stage} stage @param {number} start ms on the stage's time line */
  constructor(stage, start) {
    this.stage = stage;
    this.at = start;
    this.end = start;
  }

  /** The view before, and the one now drawn. */
  get before() {
    return this.stage.before;
  }
  get view() {
    return this.stage.view;
  }
  /** The game's description. */
  get about() {
    return this.stage.about;
  }

  /** The element drawn under this key now. @param {string} key */
  el(key) {
    return this.stage.root.querySelector(`[data-key="${CSS.escape(key)}"]`);
  }

  /** Where the element of this key was before, or is. @param {string} key @returns {DOMRect | undefined} */
  place(key) {
    return this.stage.places.get(key) ?? this.el(key)?.getBoundingClientRect();
  }

  /** What follows starts later. @param {number} ms */
  wait(ms) {
    this.at += ms * this.stage.pace;
    this.end = Math.max(this.end, this.at);
  }

  /**
   * Any animation, from now on this cue's time line; before its turn the element stands as in the first keyframe.
   * @param {string | Element | null} target @param {Keyframe[]} frames @param {number} ms
   * @param {KeyframeAnimationOptions} [options]
   */
  animate(target, frames, ms, options = {}) {
    const element = typeof target === "string" ? this.el(target) : target;
    if (!element) return;
    const duration = ms * this.stage.pace;
    this.stage.add(element.animate(frames, { duration, delay: this.at, easing: EASE, fill: "backwards", ...options }));
    this.end = Math.max(this.end, this.at + duration);
  }

  /**
   * The element comes from where another key was (or from a place): a card from the court to its owner.
   * @param {string} key @param {string | DOMRect} from @param {number} [ms]
   */
  travel(key, from, ms = TRAVEL) {
    const element = this.el(key);
    const start = typeof from === "string" ? this.place(from) : from;
    if (!element || !start) return;
    this.stage.claim(key);
    this.animate(element, flight(start, element), ms);
  }

  /** A die tumbles and settles on the face it shows. @param {string} key @param {number} [ms] */
  roll(key, ms = ROLL) {
    const element = this.el(key);
    if (!element) return;
    this.stage.claim(key);
    const turn = 300 + Math.random() * 240;
    const side = Math.random() < 0.5 ? -1 : 1;
    this.animate(
      element,
      [
        { transform: `translate(${-46 * side}px, -70px) rotate(${-turn * side}deg) scale(1.15)`, opacity: 0 },
        { opacity: 1, offset: 0.2 },
        { transform: `translate(${6 * side}px, 3px) rotate(${12 * side}deg)`, opacity: 1, offset: 0.62 },
        { transform: `translate(${-2 * side}px, -7px) rotate(${-5 * side}deg)`, offset: 0.8 },
        { transform: "none" },
      ],
      ms,
      { easing: "ease-out" },
    );
    for (const pip of element.querySelectorAll(".pip")) {
      const final = pip.classList.contains("off") ? 0 : 1;
      const frames = Array.from({ length: 7 }, () => ({ opacity: Math.random() < 0.5 ? 0 : 1 }));
      this.animate(pip, [...frames, { opacity: final, offset: 0.62 }, { opacity: final }], ms, { easing: "steps(1)" });
    }
  }

  /** Something new appears. @param {string} key @param {number} [ms] */
  appear(key, ms = TRAVEL) {
    this.stage.claim(key);
    this.animate(
      key,
      [
        { opacity: 0, transform: "scale(.7)" },
        { opacity: 1, transform: "none" },
      ],
      ms,
    );
  }

  /** Something draws the eye for a moment. @param {string} key @param {number} [ms] */
  glow(key, ms = 2 * TRAVEL) {
    this.animate(
      key,
      [
        { filter: "none" },
        { filter: "brightness(1.25) drop-shadow(0 0 10px #ffe9b0)", offset: 0.3 },
        { filter: "none" },
      ],
      ms,
    );
  }

  /**
   * The number inside an element counts up (or down) to what it shows.
   * @param {string} key @param {number} from @param {number} [ms]
   */
  count(key, from, ms = ROLL) {
    const node = [...(this.el(key)?.childNodes ?? [])].find(
      (child) => child.nodeType === Node.TEXT_NODE && /\d/.test(child.nodeValue ?? ""),
    );
    const text = node?.nodeValue ?? "";
    const to = Number(text.match(NUMBER)?.[0].replace("−", "-").replaceAll(",", ""));
    if (!node || !Number.isFinite(to) || to === from) return;
    this.stage.count(node, text, from, to, this.at, ms * this.stage.pace);
    this.end = Math.max(this.end, this.at + ms * this.stage.pace);
  }
}

/**
 * From a place on the screen to where an element is.
 * @param {DOMRect} from @param {Element} element @param {DOMRect} [to] where that is, if it is known
 * @returns {Keyframe[]}
 */
function flight(from, element, to = element.getBoundingClientRect()) {
  const size = /** @type {any} */ (element).currentCSSZoom ?? 1; // what is drawn larger moves farther
  const x = (from.x + from.width / 2 - to.x - to.width / 2) / size;
  const y = (from.y + from.height / 2 - to.y - to.height / 2) / size;
  const scale = to.width ? Math.min(Math.max(from.width / to.width, 0.2), 5) : 1;
  return [
    { transform: `translate(${x}px, ${y}px) scale(${scale})`, zIndex: 5 },
    { transform: "none", zIndex: 5 },
  ];
}

/** The animations of one view. */
class Stage {
  /**
   * @param {Element} root @param {import("../core/api-types.js").GameInfo} about @param {Map<string, DOMRect>} places
   * @param {View | null} before @param {View} view @param {number} pace
   */
  constructor(root, about, places, before, view, pace) {
    this.root = root;
    this.about = about;
    this.places = places;
    this.before = before;
    this.view = view;
    this.pace = pace;
    /** @type {Animation[]} */
    this.animations = [];
    /** @type {Set<string>} keys that a board's cue animates itself */
    this.claimed = new Set();
    /** @type {Set<() => void>} */
    this.counters = new Set();
  }

  /** @param {string} key */
  claim(key) {
    this.claimed.add(key);
  }

  /** @param {Animation} animation */
  add(animation) {
    this.animations.push(animation);
  }

  /** @param {Cue[]} cues @param {Board["cues"]} handlers */
  play(cues, handlers = {}) {
    let time = 0;
    let end = 0;
    let last = "";
    for (const cue of cues) {
      const handler = cue.args && handlers[cue.verb];
      if (!handler) continue;
      // several dice roll nearly at once, different things one by one
      time = cue.verb === last ? time + STAGGER * this.pace : end;
      last = cue.verb;
      const kit = new Kit(this, time);
      try {
        handler(cue, kit);
      } catch (error) {
        reportError(error);
      }
      end = Math.max(end, kit.end);
    }
    this.#glide();
  }

  /** What stands elsewhere than before goes there, unless it is carried by something that goes. */
  #glide() {
    const kit = new Kit(this, 0);
    /** @type {Map<Element, Keyframe[]>} */
    const moved = new Map();
    for (const [key, from] of this.places) {
      const element = this.claimed.has(key) ? null : kit.el(key);
      const to = element?.getBoundingClientRect();
      if (element && to && from.width && to.width && Math.hypot(from.x - to.x, from.y - to.y) > 4)
        moved.set(element, flight(from, element, to));
    }
    for (const [element, frames] of moved) {
      const carrier = element.parentElement?.closest("[data-key]");
      if (!carrier || !moved.has(carrier)) kit.animate(element, frames, TRAVEL);
    }
  }

  /**
   * @param {Node} node @param {string} text @param {number} from @param {number} to @param {number} delay
   * @param {number} ms
   */
  count(node, text, from, to, delay, ms) {
    const began = performance.now() + delay;
    const finish = () => {
      node.nodeValue = text;
      this.counters.delete(finish);
    };
    const tick = () => {
      if (!this.counters.has(finish)) return;
      const part = Math.min(Math.max((performance.now() - began) / ms, 0), 1);
      if (part === 1) return finish();
      node.nodeValue = text.replace(NUMBER, number(Math.round(from + (to - from) * part)));
      requestAnimationFrame(tick);
    };
    this.counters.add(finish);
    tick();
  }

  finish() {
    for (const animation of this.animations) animation.finish();
    for (const finish of [...this.counters]) finish();
  }

  /** Play faster. @param {number} rate */
  hurry(rate) {
    for (const animation of this.animations) animation.updatePlaybackRate(rate);
  }

  async done() {
    await Promise.allSettled(this.animations.map((animation) => animation.finished));
    for (const finish of [...this.counters]) finish();
  }
}

/** Shows views one after the other, each with its animations. */
export class Player {
  /**
   * @param {() => Element | null} root
   * @param {(view: View) => void} show draws a view, at once
   * @param {() => Board["cues"]} handlers
   * @param {import("../core/api-types.js").GameInfo} about
   */
  constructor(root, show, handlers, about) {
    this.root = root;
    this.about = about;
    this.show = show;
    this.handlers = handlers;
    /** @type {Step[]} */
    this.waiting = [];
    /** @type {Stage | null} */
    this.stage = null;
    /** @type {View | null} */
    this.shown = null;
    this.running = false;
    this.rate = 1; // so many times as fast as usual
  }

  get busy() {
    return this.running || this.waiting.length > 0;
  }

  /** @param {Step} step */
  push(step) {
    this.waiting.push(step);
    if (this.waiting.length > MOST || document.hidden) this.skip();
    else this.stage?.hurry(1 + this.waiting.length / 3);
    if (!this.running) this.#run();
  }

  /** To the newest view, now. */
  skip() {
    if (this.waiting.length) this.waiting = [{ view: this.waiting[this.waiting.length - 1].view, cues: [] }];
    this.stage?.finish();
  }

  /** Show nothing of what has come so far: it was for other eyes. */
  forget() {
    this.waiting = [];
    this.stage?.finish();
    this.shown = null;
  }

  async #run() {
    this.running = true;
    for (let step = this.waiting.shift(); step; step = this.waiting.shift()) {
      const root = this.root();
      const speed = pace() / this.rate / (1 + this.waiting.length / 3);
      const animate = root && this.shown && step.cues.length && speed > 0 && !document.hidden;
      const places = animate ? measure(root) : new Map();
      const before = this.shown;
      this.shown = step.view;
      this.show(step.view);
      if (!animate) continue;
      this.stage = new Stage(root, this.about, places, before, step.view, speed);
      this.stage.play(step.cues, this.handlers());
      await this.stage.done();
      this.stage = null;
    }
    this.running = false;
    if (this.shown) this.show(this.shown); // once more: moves can be made now
  }
}

/** @param {Element} root @returns {Map<string, DOMRect>} */
function measure(root) {
  return new Map(
    [...root.querySelectorAll("[data-key]")].map((element) => [
      /** @type {HTMLElement} */ (element).dataset.key ?? "",
      element.getBoundingClientRect(),
    ]),
  );
}
