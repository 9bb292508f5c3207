/**
 * A double click acts once: what appears under the pointer takes no click for a moment. That may be another thing, or
 * the same thing after the table has changed. Keys, and clicks elsewhere, are never held up.
 */
const MOMENT_MS = 400;
const NEAR_PX = 12;
const THING = "button, a, input, select, textarea, summary, label, [role=button], [tabindex]";

let changes = 0; // of the table so far
/**
 * The last click that was let through, and how many changes there had been before it.
 * @type {{at: number, x: number, y: number, thing: Element | null, changes: number}}
 */
let last = { at: -Infinity, x: 0, y: 0, thing: null, changes: 0 };

/** What can be done at the table has changed, and what a click on it does. */
export function noteChange() {
  changes++;
}

/** @param {EventTarget | null} target */
function thingAt(target) {
  const thing = /** @type {Element} */ (target).closest(THING) ?? /** @type {Element} */ (target);
  return thing instanceof HTMLLabelElement ? (thing.control ?? thing) : thing; // a label clicks its control, too
}

/** @param {MouseEvent} event */
function refuseSecond(event) {
  if (!event.detail) return; // by the keyboard
  const { timeStamp: at, clientX: x, clientY: y } = event;
  const thing = thingAt(event.target);
  const soon = at - last.at < MOMENT_MS && Math.hypot(x - last.x, y - last.y) < NEAR_PX;
  if (soon && (thing !== last.thing || changes !== last.changes)) {
    event.stopImmediatePropagation();
    event.preventDefault();
  } else {
    last = { at, x, y, thing, changes };
  }
}

export const actOnce = () => addEventListener("click", refuseSecond, { capture: true });
