/**
 * Ignores the second click of a double click if the control under the pointer, or what a click on it does at the table,
 * has changed since the first click. Keyboard activation and clicks elsewhere are not affected.
 */
const MOMENT_MS = 400;
const NEAR_PX = 12;
const CLICKABLE_SELECTOR = "button, a, input, select, textarea, summary, label, [role=button], [tabindex]";

let changeCount = 0; // how often the table has changed so far
/**
 * The last click that was let through, and the change count at that time.
 * @type {{at: number, x: number, y: number, thing: Element | null, changes: number}}
 */
let lastClick = { at: -Infinity, x: 0, y: 0, thing: null, changes: 0 };

/** Record that the available moves have changed, so that a click on the same control may now do something else. */
export function countChange() {
  changeCount++;
}

/** @param {EventTarget | null} target */
function findClickable(target) {
  const element = /** @type {Element} */ (target).closest(CLICKABLE_SELECTOR) ?? /** @type {Element} */ (target);
  // a click on a label activates its control
  return element instanceof HTMLLabelElement ? (element.control ?? element) : element;
}

/** @param {MouseEvent} event */
function blockSecondClick(event) {
  if (!event.detail) return; // keyboard
  const { timeStamp: at, clientX: x, clientY: y } = event;
  const target = findClickable(event.target);
  const isSecondClick = at - lastClick.at < MOMENT_MS && Math.hypot(x - lastClick.x, y - lastClick.y) < NEAR_PX;
  if (isSecondClick && (target !== lastClick.thing || changeCount !== lastClick.changes)) {
    event.stopImmediatePropagation();
    event.preventDefault();
  } else {
    lastClick = { at, x, y, thing: target, changes: changeCount };
  }
}

export const installDoubleClickGuard = () => addEventListener("click", blockSecondClick, { capture: true });
