/**
 * What there is to know of a thing in words: shown while a mouse is over it or the keyboard is on its button, and by
 * touch from one tap to the next. `ui.local.detail` is the key of what is shown.
 */
import { isTouchOnly } from "../core/user-settings.js";

/** @typedef {import("./board-context.js").BoardContext} BoardContext */

/**
 * Handlers: of the thing, `enter` and `leave`; of its button, `focus`, `blur` and `tap`.
 * @param {BoardContext} ui @param {string} key
 */
export function tooltipHandlers(ui, key) {
  const show = (/** @type {string | null} */ detail) => (ui.local.detail ?? null) !== detail && ui.setLocal({ detail });
  return {
    enter: (/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && show(key),
    leave: (/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && show(null),
    focus: (/** @type {FocusEvent} */ event) =>
      /** @type {Element} */ (event.target).matches(":focus-visible") && show(key),
    blur: () => !isTouchOnly() && show(null),
    tap: () => show(isTouchOnly() && ui.local.detail === key ? null : key),
  };
}

/**
 * The same for the many things of one picture: handlers of what holds them all.
 * @param {BoardContext} ui @param {(target: EventTarget | null) => string} keyOf the key of the thing that this
 * belongs to, or ""
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
 * By touch, what is shown goes with a tap beside the things of this selector.
 * @param {BoardContext} ui
 * @param {string} things
 */
export const closeOnOutsideTap = (ui, things) => (/** @type {Event} */ event) => {
  const beside = !(/** @type {Element} */ (event.target).closest(things));
  if (ui.local.detail && isTouchOnly() && beside) ui.setLocal({ detail: null });
};
