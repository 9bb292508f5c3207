/** Tooltips for touch screens: a tap shows the `title` texts of an element that has no other action. */
const TAP_TOLERANCE_PX = 10; // a touch that moves further is not a tap
const INTERACTIVE_SELECTOR = "button:not(:disabled), a, input, select, label, [role=button]";

/** @type {HTMLElement | null} */
let tooltip = null;
/** @type {PointerEvent | null} */
let pointerDown = null;

/** Return the titles of an element and its ancestors, outermost first. @param {Element | null} element */
function collectTitles(element) {
  const titles = [];
  for (let ancestor = element; ancestor; ancestor = ancestor.parentElement) {
    const title = ancestor.getAttribute("title");
    if (title) titles.unshift(title);
  }
  return titles;
}

function hideTooltip() {
  tooltip?.remove();
  tooltip = null;
}

/**
 * Show the tooltip above the element, or below it if there is no room.
 * @param {Element} element @param {string[]} lines
 */
function showTooltip(element, lines) {
  tooltip = document.createElement("p");
  tooltip.className = "hint";
  tooltip.setAttribute("role", "status");
  tooltip.append(...lines.flatMap((line, i) => (i ? [document.createElement("br"), line] : [line])));
  document.body.append(tooltip);
  dispatchEvent(new Event("tooltip")); // a table closes the board's own
  const about = element.getBoundingClientRect();
  const { width, height } = tooltip.getBoundingClientRect();
  const middle = about.left + about.width / 2 - width / 2;
  tooltip.style.left = `${Math.max(8, Math.min(middle, innerWidth - width - 8))}px`;
  tooltip.style.top = `${about.top - height - 8 > 0 ? about.top - height - 8 : about.bottom + 8}px`;
}

export function installTapTooltips() {
  addEventListener("pointerdown", (event) => {
    hideTooltip();
    pointerDown = event;
  });
  addEventListener("pointerup", (event) => {
    const element = event.target instanceof Element ? event.target : null;
    const steady =
      pointerDown &&
      Math.hypot(event.clientX - pointerDown.clientX, event.clientY - pointerDown.clientY) < TAP_TOLERANCE_PX;
    if (event.pointerType === "mouse" || !steady || !element || element.closest(INTERACTIVE_SELECTOR)) return;
    const titles = collectTitles(element);
    const titledElement = element.closest("[title]");
    if (titledElement && titles.length) showTooltip(titledElement, titles);
  });
  addEventListener("scroll", hideTooltip, { capture: true, passive: true });
  addEventListener("keydown", hideTooltip);
}
