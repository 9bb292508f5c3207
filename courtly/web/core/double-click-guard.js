/**
 * A double click acts once: what appears under the pointer takes no click for a moment. That may be another thing, or
 * the same thing after the table has changed. Keys, and clicks elsewhere, are never held up.
 */
const MOMENT_MS = 400;
const NEAR_PX = 12;
const CLICKABLE_SELECTOR = "button, a, input, select, textarea, summary, label, [role=button], [tabindex]";

let changeCount = 0; // of the table so far
/**
 * The last click that was let through, and how many changes there had been before it.
 * @type {{at: number, x: number, y: number, thing: Element | null, changes: number}}
 */
let lastClick = { at: -Infinity, x: 0, y: 0, thing: null, changes: 0 };

/** What can be done at the table has changed, and what a click on it does. */
export function countChange() {
  changeCount++;
}

/** @param {EventTarget | null} target */
function findClickable(target) {
  const element = /** @type {Element} */ (target).closest(CLICKABLE_SELECTOR) ?? /** @type {Element} */ (target);
  // a label clicks its control, too
  return element instanceof HTMLLabelElement ? (element.control ?? element) : element;
}

/** @param {MouseEvent} event */
function blockSecondClick(event) {
  if (!event.detail) return; // by the keyboard
  const { timeStamp: at, clientX: x, clientY: y } = event;
  const thing = findClickable(event.target);
  const soon = at - lastClick.at < MOMENT_MS && Math.hypot(x - lastClick.x, y - lastClick.y) < NEAR_PX;
  if (soon && (thing !== lastClick.thing || changeCount !== lastClick.changes)) {
    event.stopImmediatePropagation();
    event.preventDefault();
  } else {
    lastClick = { at, x, y, thing, changes: changeCount };
  }
}

export const installDoubleClickGuard = () => addEventListener("click", blockSecondClick, { capture: true });
