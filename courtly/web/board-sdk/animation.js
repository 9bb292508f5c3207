/**
 * Animations from one view to the next. The new view is drawn at once, and every element that moved is animated from
 * its old position; `data-key` identifies it. A board may add animations by verb: `cues = { die(cue, kit) {
 * kit.roll("die-3") } }`. All animations of a view are placed on one timeline when it is drawn, so that they can be
 * skipped by finishing them.
 */
import { animationScale } from "../core/user-settings.js";
import { playSound } from "../core/game-sounds.js";
import { formatNumber } from "../core/i18n.js";

/**
 * @typedef {import("../core/api-types.js").View} View @typedef {import("../core/api-types.js").Cue} Cue
 * @typedef {import("./board-types.js").Board} Board
 */
/** @typedef {{view: View, cues: Cue[]}} QueuedView */

export const TRAVEL_MS = 350,
  ROLL_MS = 700,
  STAGGER_MS = 70;
const EASING = "cubic-bezier(.2,.7,.3,1)";
const NUMBER_PATTERN = /−?\d[\d,]*/; // as `formatNumber` writes numbers, in both languages
const MAX_QUEUED_VIEWS = 12; // more waiting views are shown without animations

/** The API for a board's cue animations. Durations are given for normal speed; the reader's setting is applied here. */
export class AnimationKit {
  /** @param {Timeline} stage @param {number} start ms on the stage's timeline */
  constructor(stage, start) {
    this.timeline = stage;
    this.at = start;
    this.end = start;
  }

  /** The previous view, and the one now drawn. */
  get before() {
    return this.timeline.before;
  }
  get view() {
    return this.timeline.view;
  }
  /** The game's description. */
  get about() {
    return this.timeline.about;
  }

  /** Return the element with this key in the new view. @param {string} key */
  element(key) {
    return this.timeline.findElement(key);
  }

  /**
   * Return the position of the element with this key in the previous view, else in the new one.
   * @param {string} key @returns {DOMRect | undefined}
   */
  rect(key) {
    return this.timeline.rects.get(key) ?? this.element(key)?.getBoundingClientRect();
  }

  /** Start the animations that follow later. @param {number} ms */
  delay(ms) {
    this.at += ms * this.timeline.timeScale;
    this.end = Math.max(this.end, this.at);
  }

  /**
   * Add an animation at the current time. Until it starts, the element has the style of the first keyframe.
   * @param {string | Element | null} target @param {Keyframe[]} frames @param {number} ms
   * @param {KeyframeAnimationOptions} [options]
   */
  animate(target, frames, ms, options = {}) {
    const element = typeof target === "string" ? this.element(target) : target;
    if (!element) return;
    const duration = ms * this.timeline.timeScale;
    this.timeline.addAnimation(
      element.animate(frames, { duration, delay: this.at, easing: EASING, fill: "backwards", ...options }),
    );
    this.end = Math.max(this.end, this.at + duration);
  }

  /**
   * Move the element from another element's old position (or from a given one), such as a card from the court to its
   * owner.
   * @param {string} key @param {string | DOMRect} from @param {number} [ms]
   */
  moveFrom(key, from, ms = TRAVEL_MS) {
    const element = this.element(key);
    const start = typeof from === "string" ? this.rect(from) : from;
    if (!element || !start) return;
    this.timeline.claimKey(key);
    this.sound("card");
    this.animate(element, flipKeyframes(start, element), ms);
  }

  /** Tumble a die, which settles on the face it shows. @param {string} key @param {number} [ms] */
  roll(key, ms = ROLL_MS) {
    const element = this.element(key);
    if (!element) return;
    this.timeline.claimKey(key);
    this.sound("dice");
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

  /**
   * Play a sound at the current time, if the reader has sounds on.
   * @param {import("../core/game-sounds.js").SoundName} name
   */
  sound(name) {
    this.timeline.addSound(name, this.at);
  }

  /** Fade in a new element. @param {string} key @param {number} [ms] */
  fadeIn(key, ms = TRAVEL_MS) {
    this.timeline.claimKey(key);
    this.animate(
      key,
      [
        { opacity: 0, transform: "scale(.7)" },
        { opacity: 1, transform: "none" },
      ],
      ms,
    );
  }

  /** Highlight an element for a moment. @param {string} key @param {number} [ms] */
  highlight(key, ms = 2 * TRAVEL_MS) {
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
   * Animate an element that afterwards looks as before, so that nothing has changed. See `animate`.
   * @param {Element | null} target @param {Keyframe[]} frames @param {number} ms
   * @param {KeyframeAnimationOptions} [options]
   */
  flash(target, frames, ms, options) {
    this.animate(target, frames, ms, options);
  }

  /**
   * Count the number in an element up or down to its new value.
   * @param {string} key @param {number} from @param {number} [ms]
   */
  countFrom(key, from, ms = ROLL_MS) {
    const node = [...(this.element(key)?.childNodes ?? [])].find(
      (child) => child.nodeType === Node.TEXT_NODE && /\d/.test(child.nodeValue ?? ""),
    );
    const text = node?.nodeValue ?? "";
    const to = Number(text.match(NUMBER_PATTERN)?.[0].replace("−", "-").replaceAll(",", ""));
    if (!node || !Number.isFinite(to) || to === from) return;
    this.sound("coin");
    this.timeline.countNumber(node, text, from, to, this.at, ms * this.timeline.timeScale);
    this.end = Math.max(this.end, this.at + ms * this.timeline.timeScale);
  }
}

/**
 * Return keyframes from a position on the screen to an element's own position.
 * @param {DOMRect} from @param {Element} element @param {DOMRect} [to] the element's position, if known
 * @returns {Keyframe[]}
 */
function flipKeyframes(from, element, to = element.getBoundingClientRect()) {
  const size = /** @type {any} */ (element).currentCSSZoom ?? 1; // a zoomed element moves by zoomed pixels
  const x = (from.x + from.width / 2 - to.x - to.width / 2) / size;
  const y = (from.y + from.height / 2 - to.y - to.height / 2) / size;
  const scale = to.width ? Math.min(Math.max(from.width / to.width, 0.2), 5) : 1;
  return [
    { transform: `translate(${x}px, ${y}px) scale(${scale})`, zIndex: 5 },
    { transform: "none", zIndex: 5 },
  ];
}

/** The animations of one view. */
class Timeline {
  /**
   * @param {Element} root @param {import("../core/api-types.js").GameInfo} about @param {Map<string, DOMRect>} places
   * @param {View | null} before @param {View} view @param {number} pace
   */
  constructor(root, about, places, before, view, pace) {
    this.root = root;
    this.about = about;
    this.rects = places;
    /** @type {Map<string, Element> | null} the elements of the new view by their keys */
    this.elements = null;
    this.before = before;
    this.view = view;
    this.timeScale = pace;
    /** @type {Animation[]} */
    this.animations = [];
    /** @type {Set<string>} keys that a board's cue animation claims */
    this.claimedKeys = new Set();
    /** @type {Set<() => void>} */
    this.counters = new Set();
    /** @type {ReturnType<typeof setTimeout>[]} */
    this.soundTimers = [];
  }

  /** @param {string} key */
  findElement(key) {
    this.elements ??= indexElements(this.root);
    return this.elements.get(key) ?? null;
  }

  /** @param {import("../core/game-sounds.js").SoundName} name @param {number} delayMs */
  addSound(name, delayMs) {
    this.soundTimers.push(setTimeout(() => playSound(name), delayMs));
  }

  /** @param {string} key */
  claimKey(key) {
    this.claimedKeys.add(key);
  }

  /** @param {Animation} animation */
  addAnimation(animation) {
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
      // dice roll nearly at once, other things one after the other
      time = cue.verb === last ? time + STAGGER_MS * this.timeScale : end;
      last = cue.verb;
      const kit = new AnimationKit(this, time);
      try {
        handler(cue, kit);
      } catch (error) {
        reportError(error);
      }
      end = Math.max(end, kit.end);
    }
    this.#flip();
  }

  /** Animate elements that moved, except inside an element that moves itself. */
  #flip() {
    const kit = new AnimationKit(this, 0);
    /** @type {Map<Element, Keyframe[]>} */
    const movedElements = new Map();
    for (const [key, from] of this.rects) {
      const element = this.claimedKeys.has(key) ? null : kit.element(key);
      const to = element?.getBoundingClientRect();
      if (element && to && from.width && to.width && Math.hypot(from.x - to.x, from.y - to.y) > 4)
        movedElements.set(element, flipKeyframes(from, element, to));
    }
    for (const [element, frames] of movedElements) {
      const carrier = element.parentElement?.closest("[data-key]");
      if (!carrier || !movedElements.has(carrier)) kit.animate(element, frames, TRAVEL_MS);
    }
  }

  /**
   * @param {Node} node @param {string} text @param {number} from @param {number} to @param {number} delay
   * @param {number} ms
   */
  countNumber(node, text, from, to, delay, ms) {
    const startTime = performance.now() + delay;
    const finish = () => {
      node.nodeValue = text;
      this.counters.delete(finish);
    };
    const tick = () => {
      if (!this.counters.has(finish)) return;
      const progress = Math.min(Math.max((performance.now() - startTime) / ms, 0), 1);
      if (progress === 1) return finish();
      node.nodeValue = text.replace(NUMBER_PATTERN, formatNumber(Math.round(from + (to - from) * progress)));
      requestAnimationFrame(tick);
    };
    this.counters.add(finish);
    tick();
  }

  finish() {
    this.soundTimers.forEach(clearTimeout);
    for (const animation of this.animations) animation.finish();
    for (const finish of [...this.counters]) finish();
  }

  /** Set the playback rate. @param {number} rate */
  setRate(rate) {
    for (const animation of this.animations) animation.updatePlaybackRate(rate);
  }

  async whenDone() {
    await Promise.allSettled(this.animations.map((animation) => animation.finished));
    for (const finish of [...this.counters]) finish();
  }
}

/** Shows views one after the other, each with its animations. */
export class ViewPlayer {
  /**
   * @param {() => Element | null} root
   * @param {(view: View) => void} show draws a view immediately
   * @param {() => Board["cues"]} handlers
   * @param {import("../core/api-types.js").GameInfo} about
   * @param {(view: View) => boolean} holds whether the views after this one wait until the reader goes on
   */
  constructor(root, show, handlers, about, holds = () => false) {
    this.getRoot = root;
    this.about = about;
    this.showView = show;
    this.getHandlers = handlers;
    this.holds = holds;
    this.willHold = false; // does the view whose animations are played hold those after it?
    /** @type {(() => void) | null} ends the wait for the reader */
    this.release = null;
    /** @type {QueuedView[]} */
    this.queue = [];
    /** @type {Timeline | null} */
    this.timeline = null;
    /** @type {QueuedView | null} the view whose animations are played */
    this.playedStep = null;
    /** @type {View | null} */
    this.currentView = null;
    this.isRunning = false;
    this.rate = 1; // playback rate; 1 is normal
  }

  get isBusy() {
    return this.isRunning || this.queue.length > 0;
  }

  /** Do the next views wait until the reader goes on? */
  get isHeld() {
    return this.release !== null;
  }

  /** The number of the first cue whose animations have not ended; Infinity if all have. */
  get firstUnseenCue() {
    return [this.playedStep, ...this.queue].find((step) => step?.cues.length)?.cues[0].n ?? Infinity;
  }

  /** @param {QueuedView} step */
  enqueue(step) {
    this.queue.push(step);
    if (document.hidden) this.goOn();
    if (document.hidden || (this.queue.length > MAX_QUEUED_VIEWS && !this.willHold)) this.skipToEnd();
    else if (!this.willHold) this.timeline?.setRate(1 + this.queue.length / 3);
    if (this.isRunning) return;
    this.isRunning = true;
    queueMicrotask(() => this.#run()); // after what else the same message changes, so that it is drawn once
  }

  /** Show the newest view now, or the end of the one that holds those after it. */
  skipToEnd() {
    if (this.queue.length && !this.willHold) this.queue = [{ view: this.queue[this.queue.length - 1].view, cues: [] }];
    this.timeline?.finish();
  }

  /** Show what waits until the reader goes on. */
  goOn() {
    this.willHold = false;
    this.timeline?.finish();
    this.release?.();
  }

  /** Drop all waiting views, when the viewpoint changes. */
  reset() {
    this.queue = [];
    this.goOn();
    this.currentView = null;
  }

  /** @param {View} view */
  async #waitForReader(view) {
    const released = new Promise((resolve) => {
      this.release = () => resolve(null);
    });
    this.playedStep = null; // the log shows its lines
    this.showView(view);
    await released;
    this.release = null;
  }

  async #run() {
    for (let step = this.queue.shift(); step; step = this.queue.shift()) {
      const root = this.getRoot();
      const speed = animationScale() / this.rate / (1 + this.queue.length / 3);
      const animate = root && this.currentView && step.cues.length && speed > 0 && !document.hidden;
      const rects = animate ? measureRects(root) : new Map();
      const before = this.currentView;
      this.currentView = step.view;
      this.playedStep = animate ? step : null;
      if (!animate && !this.queue.length) break; // it is drawn below
      this.showView(step.view);
      if (!animate) continue;
      this.willHold = this.holds(step.view);
      this.timeline = new Timeline(root, this.about, rects, before, step.view, speed);
      this.timeline.play(step.cues, this.getHandlers());
      await this.timeline.whenDone();
      this.timeline = null;
      if (this.willHold) await this.#waitForReader(step.view);
    }
    this.isRunning = false;
    this.playedStep = null;
    if (this.currentView) this.showView(this.currentView); // redraw: moves are possible again
  }
}

/** Return the elements by their keys; of several with one key, the first. @param {Element} root */
export function indexElements(root) {
  /** @type {Map<string, Element>} */
  const elements = new Map();
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-key]"))) {
    const { key = "" } = element.dataset;
    if (!elements.has(key)) elements.set(key, element);
  }
  return elements;
}

/** @param {Element} root @returns {Map<string, DOMRect>} */
const measureRects = (root) =>
  new Map([...indexElements(root)].map(([key, element]) => [key, element.getBoundingClientRect()]));
