/**
 * What there is to know of a thing in words: shown while a mouse is over it or the keyboard is on its button, and by
 * touch from one tap to the next. `ui.local.detail` is the key of what is shown.
 */
import { touch } from "./settings.js";

/** @typedef {import("./ui.js").Ui} Ui */

/**
 * Handlers: of the thing, `enter` and `leave`; of its button, `focus`, `blur` and `tap`.
 * @param {Ui} ui @param {string} key
 */
export function showing(ui, key) {
  const show = (/** @type {string | null} */ detail) => (ui.local.detail ?? null) !== detail && ui.set({ detail });
  return {
    enter: (/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && show(key),
    leave: (/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && show(null),
    focus: (/** @type {FocusEvent} */ event) =>
      /** @type {Element} */ (event.target).matches(":focus-visible") && show(key),
    blur: () => !touch() && show(null),
    tap: () => show(touch() && ui.local.detail === key ? null : key),
  };
}

/** By touch, what is shown goes with a tap beside the things of this selector. @param {Ui} ui @param {string} things */
export const closing = (ui, things) => (/** @type {Event} */ event) => {
  const beside = !(/** @type {Element} */ (event.target).closest(things));
  if (ui.local.detail && touch() && beside) ui.set({ detail: null });
};
