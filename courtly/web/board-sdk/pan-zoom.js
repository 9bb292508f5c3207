/**
 * Panning and zooming of a large picture by dragging, pinching, the wheel, keys and buttons. The position is
 * independent of decisions and survives them. Only the viewBox changes, so the picture stays sharp. A drag never counts
 * as a click.
 */
import { keyCharacter } from "../core/key-names.js";
import { animationScale } from "../core/user-settings.js";

/**
 * @typedef {{x: number, y: number}} Point @typedef {{x: number, y: number, w: number, h: number}} Box
 * @typedef {{zoom: number, x: number, y: number}} ViewWindow
 */

export const MAX_ZOOM = 4;
const ZOOM_STEP = 1.6; // factor of a button or a key
const ZOOM_MS = 220;
const TAP_TOLERANCE_PX = 7; // a touch that moves less is a tap
/** @type {Record<string, [number, number]>} */
const ARROW_DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class PanZoom {
  /** The zoom, 1 being the whole picture, and the centre of the visible part. @type {ViewWindow} */
  viewWindow = { zoom: 1, x: 0, y: 0 };
  /** Whether the window's size is known. Drawing before that would cause a second layout. */
  isMeasured = false;
  /** Called when the size is first known, and when the zoom reaches or leaves a limit. */
  onZoomLimitChange = () => {};
  /** Called with the picture and its pixels per unit. @type {(svg: SVGSVGElement, scale: number) => void} */
  onScaleChange = () => {};
  /**
   * Called with the window's size, in px, before the picture is fitted to it.
   * @type {(viewport: {width: number, height: number}) => void}
   */
  onResize = () => {};
  /** The extent of the whole picture. @type {Box} */
  extent = { x: 0, y: 0, w: 1000, h: 1000 };
  /** @type {SVGSVGElement | null} */
  #svg = null;
  /** The pointers on the picture. @type {Map<number, Point>} */
  #pointers = new Map();
  #dragged = false;
  #animationFrame = 0;
  /** The size of the window in px. Reading it from the page would cause a layout of what has changed since. */
  #size = { width: 1, height: 1 };
  #resizeObserver = new ResizeObserver(([{ contentRect }]) => {
    this.#size = contentRect;
    if (contentRect.width && contentRect.height) this.onResize(contentRect);
    this.#setViewWindow(this.viewWindow);
  });

  /** Attach to a picture. @param {Element} [svg] */
  attach = (svg) => {
    this.#resizeObserver.disconnect();
    this.#svg = /** @type {SVGSVGElement | undefined} */ (svg) ?? null;
    if (!svg) return;
    if (this.isMeasured) this.#setViewWindow(this.viewWindow); // else a new picture is styled twice
    this.#resizeObserver.observe(svg);
  };

  // --- view

  /** Return pixels per unit of the picture. */
  #scale(near = this.viewWindow.zoom) {
    return near * Math.min(this.#size.width / this.extent.w, this.#size.height / this.extent.h);
  }

  /** @param {ViewWindow} sight */
  #setViewWindow({ zoom, x, y }) {
    const { width, height } = this.#size;
    const scale = this.#scale(zoom);
    const w = width / scale;
    const h = height / scale;
    const before = this.viewWindow.zoom;
    if (!this.#svg || !w || !h) return;
    this.viewWindow = {
      zoom,
      x: clampCentre(x, this.extent.x, this.extent.w, w),
      y: clampCentre(y, this.extent.y, this.extent.h, h),
    };
    const viewBox = `${this.viewWindow.x - w / 2} ${this.viewWindow.y - h / 2} ${w} ${h}`;
    if (this.#svg.getAttribute("viewBox") !== viewBox) this.#svg.setAttribute("viewBox", viewBox); // else a new layout
    this.#svg.classList.toggle("near", zoom > 1);
    this.onScaleChange(this.#svg, scale);
    const first = !this.isMeasured;
    this.isMeasured = true;
    if (first || (before === 1) !== (zoom === 1) || (before === MAX_ZOOM) !== (zoom === MAX_ZOOM))
      this.onZoomLimitChange();
  }

  /**
   * Return the window after zooming by a factor about a point of the screen.
   * @param {number} times @param {Point} [about] @returns {ViewWindow}
   */
  #zoomWindow(times, about) {
    const { left, top, width, height } = this.#svg?.getBoundingClientRect() ?? new DOMRect();
    const zoom = clamp(this.viewWindow.zoom * times, 1, MAX_ZOOM);
    const shift = 1 / this.#scale() - 1 / this.#scale(zoom);
    return {
      zoom: zoom,
      x: this.viewWindow.x + (about ? about.x - left - width / 2 : 0) * shift,
      y: this.viewWindow.y + (about ? about.y - top - height / 2 : 0) * shift,
    };
  }

  /** @param {number} dx px @param {number} dy px @returns {ViewWindow} */
  #panWindow(dx, dy) {
    return {
      zoom: this.viewWindow.zoom,
      x: this.viewWindow.x + dx / this.#scale(),
      y: this.viewWindow.y + dy / this.#scale(),
    };
  }

  /** @param {ViewWindow} to */
  #animateTo(to) {
    const from = this.viewWindow;
    const begin = performance.now();
    const ms = ZOOM_MS * animationScale();
    cancelAnimationFrame(this.#animationFrame);
    const step = (/** @type {number} */ now) => {
      const t = ms ? Math.min((now - begin) / ms, 1) : 1;
      const part = t <= 0 ? 0 : 1 - (1 - t) ** 3;
      const mix = (/** @type {number} */ a, /** @type {number} */ b) => a + (b - a) * part;
      this.#setViewWindow(
        part === 1 ? to : { zoom: 1 / mix(1 / from.zoom, 1 / to.zoom), x: mix(from.x, to.x), y: mix(from.y, to.y) },
      );
      if (part < 1) this.#animationFrame = requestAnimationFrame(step);
    };
    step(begin);
  }

  /** Zoom in (1) or out (-1) by a step. @param {number} steps @param {Point} [about] */
  zoomBy(steps, about) {
    this.#animateTo(this.#zoomWindow(ZOOM_STEP ** steps, about));
  }

  /**
   * Return a place's position in the window: 0 to 1 in each direction if it is visible.
   * @param {Point} place @returns {Point}
   */
  toViewport({ x, y }) {
    const { width, height } = this.#size;
    const scale = this.#scale();
    return { x: 0.5 + ((x - this.viewWindow.x) * scale) / width, y: 0.5 + ((y - this.viewWindow.y) * scale) / height };
  }

  /** Return whether any of these places is visible, and not only at the edge. @param {Point[]} places */
  isAnyVisible(places) {
    return places
      .map((place) => this.toViewport(place))
      .some(({ x, y }) => Math.max(Math.abs(x - 0.5), Math.abs(y - 0.5)) < 0.46);
  }

  /** Pan to a place unless it is visible. @param {Point} place */
  reveal(place) {
    if (!this.isAnyVisible([place])) this.#animateTo({ zoom: this.viewWindow.zoom, x: place.x, y: place.y });
  }

  /** Show the whole picture unless one of these places is visible. @param {Point[]} places */
  revealAny(places) {
    if (places.length && !this.isAnyVisible(places)) this.#animateTo({ ...this.viewWindow, zoom: 1 });
  }

  // --- input

  /** @param {PointerEvent} event */
  onPointerDown = (event) => {
    if (event.button) return;
    cancelAnimationFrame(this.#animationFrame);
    if (!this.#pointers.size) this.#dragged = false;
    this.#pointers.set(event.pointerId, pointerPosition(event));
  };

  /** @param {PointerEvent} event */
  onPointerMove = (event) => {
    const from = this.#pointers.get(event.pointerId);
    const to = pointerPosition(event);
    if (!from) return;
    if (!event.buttons) return this.onPointerUp(event); // the pointer was released outside
    if (!this.#dragged && this.#pointers.size === 1 && distance(from, to) < TAP_TOLERANCE_PX) return;
    if (!this.#dragged) for (const id of this.#pointers.keys()) this.#svg?.setPointerCapture(id);
    this.#dragged = true;
    this.#pointers.set(event.pointerId, to);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (!other) return this.#setViewWindow(this.#panWindow(from.x - to.x, from.y - to.y));
    this.#setViewWindow(this.#panWindow((from.x - to.x) / 2, (from.y - to.y) / 2));
    this.#setViewWindow(
      this.#zoomWindow(distance(to, other) / Math.max(distance(from, other), 1), {
        x: (to.x + other.x) / 2,
        y: (to.y + other.y) / 2,
      }),
    );
  };

  /** @param {PointerEvent} event */
  onPointerUp = (event) => {
    this.#pointers.delete(event.pointerId);
    if (!this.#pointers.size)
      setTimeout(() => {
        this.#dragged = false;
      }); // after the click event that follows immediately
  };

  /** Suppresses the click that ends a drag. */
  clickListener = {
    capture: true,
    handleEvent: (/** @type {Event} */ event) => {
      if (this.#dragged) event.stopPropagation();
    },
  };

  /** Zoom by the wheel; at the limits the page scrolls. @param {WheelEvent} event */
  onWheel = (event) => {
    const lines = event.deltaMode ? 16 : 1;
    const times = 2 ** (-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.003));
    if (times < 1 && this.viewWindow.zoom === 1 && !event.ctrlKey) return;
    event.preventDefault();
    cancelAnimationFrame(this.#animationFrame);
    this.#setViewWindow(this.#zoomWindow(times, pointerPosition(event)));
  };

  /** Zoom in or out by a double click on the background. @param {MouseEvent} event */
  onDoubleClick = (event) => {
    if (!(/** @type {Element} */ (event.target).closest("[role=button]")))
      this.#animateTo(this.#zoomWindow(this.viewWindow.zoom > 1.5 ? 1 / MAX_ZOOM : 2.2, pointerPosition(event)));
  };

  /** @param {KeyboardEvent} event */
  onKeyDown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const sign = keyCharacter(event);
    const arrow = this.viewWindow.zoom > 1 ? ARROW_DIRECTIONS[event.key] : undefined;
    const { width, height } = this.#size;
    if (sign === "+" || sign === "=") this.zoomBy(1);
    else if (sign === "-") this.zoomBy(-1);
    else if (sign === "0") this.#animateTo({ ...this.viewWindow, zoom: 1 });
    else if (arrow) this.#animateTo(this.#panWindow((arrow[0] * width) / 4, (arrow[1] * height) / 4));
    else return;
    event.preventDefault();
  };
}

/** @param {MouseEvent} event @returns {Point} */
const pointerPosition = ({ clientX, clientY }) => ({ x: clientX, y: clientY });

/** @param {Point} a @param {Point} b */
const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/** @param {number} value @param {number} min @param {number} max */
const clamp = (value, min, max) => Math.min(Math.max(value, min), max);

/**
 * Return the nearest centre that shows nothing beyond the edges. A picture smaller than the window is centred.
 * @param {number} middle @param {number} start @param {number} length @param {number} visible
 */
const clampCentre = (middle, start, length, visible) =>
  visible >= length ? start + length / 2 : clamp(middle, start + visible / 2, start + length - visible / 2);
