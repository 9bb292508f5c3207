/**
 * From where and how near a large picture is looked at: by dragging, pinching, the wheel, keys and buttons. It is no
 * part of any decision and outlives them. Only the viewBox changes, so that the picture stays sharp. A drag is never a
 * click.
 */
import { letter } from "../core/key-names.js";
import { pace } from "../core/user-settings.js";

/**
 * @typedef {{x: number, y: number}} Place @typedef {{x: number, y: number, w: number, h: number}} Box
 * @typedef {{near: number, x: number, y: number}} Sight
 */

export const NEAREST = 4;
const STEP = 1.6; // of a button or a key: how much nearer, and ms
const GLIDE = 220;
const TREMBLE = 7; // px that a finger moves when it means to tap
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Camera {
  /** How near, 1 being the whole picture, and the middle of what is seen. @type {Sight} */
  sight = { near: 1, x: 0, y: 0 };
  /** Whether the window's size is known: what is drawn before would be laid out twice. */
  known = false;
  /** Called when the size is first known, and when the nearest or the farthest is reached or left. */
  turned = () => {};
  /** Called with the picture and its pixels to a unit. @type {(svg: SVGSVGElement, scale: number) => void} */
  scaled = () => {};
  /** All there is to see. @type {Box} */
  whole = { x: 0, y: 0, w: 1000, h: 1000 };
  /** @type {SVGSVGElement | null} */
  #svg = null;
  /** Where fingers, or the mouse, hold the picture. @type {Map<number, Place>} */
  #fingers = new Map();
  #dragged = false;
  #gliding = 0;
  #size = new ResizeObserver(() => this.#look(this.sight));

  /** The picture that shows it. @param {Element} [svg] */
  hold = (svg) => {
    this.#size.disconnect();
    this.#svg = /** @type {SVGSVGElement | undefined} */ (svg) ?? null;
    if (svg) this.#size.observe(svg);
  };

  // --- looking

  get #window() {
    return this.#svg?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1);
  }

  /** Pixels to a unit of the picture. */
  #scale(near = this.sight.near) {
    return near * Math.min(this.#window.width / this.whole.w, this.#window.height / this.whole.h);
  }

  /** @param {Sight} sight */
  #look({ near, x, y }) {
    const { width, height } = this.#window;
    const scale = this.#scale(near);
    const w = width / scale;
    const h = height / scale;
    const before = this.sight.near;
    if (!this.#svg || !w || !h) return;
    this.sight = { near, x: within(x, this.whole.x, this.whole.w, w), y: within(y, this.whole.y, this.whole.h, h) };
    this.#svg.setAttribute("viewBox", `${this.sight.x - w / 2} ${this.sight.y - h / 2} ${w} ${h}`);
    this.#svg.classList.toggle("near", near > 1);
    this.scaled(this.#svg, scale);
    const first = !this.known;
    this.known = true;
    if (first || (before === 1) !== (near === 1) || (before === NEAREST) !== (near === NEAREST)) this.turned();
  }

  /**
   * As many times nearer, about a point of the screen that stays where it is.
   * @param {number} times @param {Place} [about] @returns {Sight}
   */
  #nearer(times, about) {
    const { left, top, width, height } = this.#window;
    const near = clamp(this.sight.near * times, 1, NEAREST);
    const shift = 1 / this.#scale() - 1 / this.#scale(near);
    return {
      near,
      x: this.sight.x + (about ? about.x - left - width / 2 : 0) * shift,
      y: this.sight.y + (about ? about.y - top - height / 2 : 0) * shift,
    };
  }

  /** @param {number} dx px @param {number} dy px @returns {Sight} */
  #aside(dx, dy) {
    return { near: this.sight.near, x: this.sight.x + dx / this.#scale(), y: this.sight.y + dy / this.#scale() };
  }

  /** @param {Sight} to */
  #glide(to) {
    const from = this.sight;
    const begin = performance.now();
    const ms = GLIDE * pace();
    cancelAnimationFrame(this.#gliding);
    const step = (/** @type {number} */ now) => {
      const t = ms ? Math.min((now - begin) / ms, 1) : 1;
      const part = t <= 0 ? 0 : 1 - (1 - t) ** 3;
      const mix = (/** @type {number} */ a, /** @type {number} */ b) => a + (b - a) * part;
      this.#look(
        part === 1 ? to : { near: 1 / mix(1 / from.near, 1 / to.near), x: mix(from.x, to.x), y: mix(from.y, to.y) },
      );
      if (part < 1) this.#gliding = requestAnimationFrame(step);
    };
    step(begin);
  }

  /** One step nearer (1) or farther (-1). @param {number} steps @param {Place} [about] */
  zoom(steps, about) {
    this.#glide(this.#nearer(STEP ** steps, about));
  }

  /**
   * Where on the screen a place is, in parts of the window: 0 to 1 where it is seen.
   * @param {Place} place @returns {Place}
   */
  spot({ x, y }) {
    const { width, height } = this.#window;
    const scale = this.#scale();
    return { x: 0.5 + ((x - this.sight.x) * scale) / width, y: 0.5 + ((y - this.sight.y) * scale) / height };
  }

  /** Does any of these places lie in the window, and not just at its edge? @param {Place[]} places */
  sees(places) {
    return places
      .map((place) => this.spot(place))
      .some(({ x, y }) => Math.max(Math.abs(x - 0.5), Math.abs(y - 0.5)) < 0.46);
  }

  /** Looks at a place that is out of sight. @param {Place} place */
  show(place) {
    if (!this.sees([place])) this.#glide({ near: this.sight.near, x: place.x, y: place.y });
  }

  /** Steps back to the whole if none of these places is in sight. @param {Place[]} places */
  showAny(places) {
    if (places.length && !this.sees(places)) this.#glide({ ...this.sight, near: 1 });
  }

  // --- hands

  /** @param {PointerEvent} event */
  down = (event) => {
    if (event.button) return;
    cancelAnimationFrame(this.#gliding);
    if (!this.#fingers.size) this.#dragged = false;
    this.#fingers.set(event.pointerId, at(event));
  };

  /** @param {PointerEvent} event */
  move = (event) => {
    const from = this.#fingers.get(event.pointerId);
    const to = at(event);
    if (!from) return;
    if (!event.buttons) return this.up(event); // it was let go outside
    if (!this.#dragged && this.#fingers.size === 1 && apart(from, to) < TREMBLE) return;
    if (!this.#dragged) for (const id of this.#fingers.keys()) this.#svg?.setPointerCapture(id);
    this.#dragged = true;
    this.#fingers.set(event.pointerId, to);
    const other = [...this.#fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (!other) return this.#look(this.#aside(from.x - to.x, from.y - to.y));
    this.#look(this.#aside((from.x - to.x) / 2, (from.y - to.y) / 2));
    this.#look(
      this.#nearer(apart(to, other) / Math.max(apart(from, other), 1), {
        x: (to.x + other.x) / 2,
        y: (to.y + other.y) / 2,
      }),
    );
  };

  /** @param {PointerEvent} event */
  up = (event) => {
    this.#fingers.delete(event.pointerId);
    if (!this.#fingers.size)
      setTimeout(() => {
        this.#dragged = false;
      }); // after the click that follows at once
  };

  /** What ends a drag chooses nothing. */
  click = {
    capture: true,
    handleEvent: (/** @type {Event} */ event) => {
      if (this.#dragged) event.stopPropagation();
    },
  };

  /** Where there is nothing farther to see the page scrolls. @param {WheelEvent} event */
  wheel = (event) => {
    const lines = event.deltaMode ? 16 : 1;
    const times = 2 ** (-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.003));
    if (times < 1 && this.sight.near === 1 && !event.ctrlKey) return;
    event.preventDefault();
    cancelAnimationFrame(this.#gliding);
    this.#look(this.#nearer(times, at(event)));
  };

  /** Twice on open ground. @param {MouseEvent} event */
  twice = (event) => {
    if (!(/** @type {Element} */ (event.target).closest("[role=button]")))
      this.#glide(this.#nearer(this.sight.near > 1.5 ? 1 / NEAREST : 2.2, at(event)));
  };

  /** @param {KeyboardEvent} event */
  key = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const sign = letter(event);
    const arrow = this.sight.near > 1 ? ARROWS[event.key] : undefined;
    const { width, height } = this.#window;
    if (sign === "+" || sign === "=") this.zoom(1);
    else if (sign === "-") this.zoom(-1);
    else if (sign === "0") this.#glide({ ...this.sight, near: 1 });
    else if (arrow) this.#glide(this.#aside((arrow[0] * width) / 4, (arrow[1] * height) / 4));
    else return;
    event.preventDefault();
  };
}

/** @param {MouseEvent} event @returns {Place} */
const at = ({ clientX, clientY }) => ({ x: clientX, y: clientY });

/** @param {Place} a @param {Place} b */
const apart = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/** @param {number} value @param {number} least @param {number} most */
const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

/**
 * The middle of what is seen, so that nothing beyond the edges is; what is shorter than the window stands in its
 * middle.
 * @param {number} middle @param {number} start @param {number} length @param {number} seen
 */
const within = (middle, start, length, seen) =>
  seen >= length ? start + length / 2 : clamp(middle, start + seen / 2, start + length - seen / 2);
