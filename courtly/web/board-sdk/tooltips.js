/**
 * Tooltips of a board. They are shown once the mouse moves over an object or the keyboard focus is on its button; on a
 * touch screen from one tap to the next. `ui.local.detail` is the key of the object.
 */
import { isTouchOnly } from "../core/user-settings.js";

/** @typedef {import("./board-context.js").BoardContext} BoardContext */

/**
 * Return event handlers: `enter` and `leave` for the object; `focus`, `blur` and `tap` for its button.
 * @param {BoardContext} ui @param {string} key
 */
export function tooltipHandlers(ui, key) {
  const show = (/** @type {string | null} */ detail) => (ui.local.detail ?? null) !== detail && ui.setLocal({ detail });
  return {
    // what appears under a resting mouse is entered without a movement
    enter: (/** @type {PointerEvent} */ event) =>
      event.pointerType === "mouse" && event.target?.addEventListener("pointermove", () => show(key), { once: true }),
    leave: (/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && show(null),
    focus: (/** @type {FocusEvent} */ event) =>
      /** @type {Element} */ (event.target).matches(":focus-visible") && show(key),
    blur: () => !isTouchOnly() && show(null),
    tap: () => show(isTouchOnly() && ui.local.detail === key ? null : key),
  };
}

/**
 * Return handlers for an element that contains many objects.
 * @param {BoardContext} ui @param {(target: EventTarget | null) => string} keyOf returns the key of the object that
 * contains a target, or ""
 */
export function delegatedTooltipHandlers(ui, keyOf) {
  const on = (/** @type {Event} */ { target }) => {
    const key = keyOf(target);
    return key ? tooltipHandlers(ui, key) : null;
  };
  const leaves = (/** @type {PointerEvent | FocusEvent} */ event) => keyOf(event.relatedTarget) !== keyOf(event.target);
  return {
    over: (/** @type {PointerEvent} */ event) => on(event)?.enter(event),
    out: (/** @type {PointerEvent} */ event) => leaves(event) && on(event)?.leave(event),
    focus: (/** @type {FocusEvent} */ event) => on(event)?.focus(event),
    blur: (/** @type {FocusEvent} */ event) => leaves(event) && on(event)?.blur(),
  };
}

/**
 * Return a handler that closes the tooltip on a touch screen after a tap outside the objects of this selector.
 * @param {BoardContext} ui
 * @param {string} selector
 */
export const closeOnOutsideTap = (ui, selector) => (/** @type {Event} */ event) => {
  const { detail } = ui.local;
  if (!detail || !isTouchOnly() || /** @type {Element} */ (event.target).closest(selector)) return;
  const close = () => ui.local.detail === detail && ui.setLocal({ detail: null });
  requestAnimationFrame(() => setTimeout(close)); // the page shows first what else the tap does
};
