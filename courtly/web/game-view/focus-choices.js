/**
 * Brings the available choices into view and moves the keyboard focus to them, so that players need not search for what
 * a decision is about. A board names its choices by a selector (`choices`): the objects and the buttons that act on
 * them.
 */
import { animationScale, isSmallScreen } from "../core/user-settings.js";

/** @typedef {import("./game-view.js").GameView} GameView @typedef {{top: number, bottom: number}} Span */

const SCROLL_MARGIN_PX = 10; // kept free around what is scrolled into view
const SCROLL_SETTLE_MS = 250; // after this long without user scrolling the page is at rest

/** The choices of a board without `choices`. */
const DEFAULT_CHOICE_SELECTOR = "button, [role=button]";

/** @param {GameView} table @returns {HTMLElement[]} the visible choices, in document order */
export function listChoices({ isPlain, board, handTo }) {
  const selector =
    handTo !== null
      ? ".curtain .button"
      : isPlain
        ? ".move"
        : `.board :is(${board.choices ?? DEFAULT_CHOICE_SELECTOR})`;
  return [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(selector))].filter((element) =>
    element.checkVisibility(),
  );
}

/** @param {Element} element */
const isEnabled = (element) => !element.matches(":disabled, [aria-disabled=true]");

/**
 * Focus the first available choice, or the board if there is none.
 * @param {GameView} table
 */
export const focusFirstChoice = (table) =>
  (listChoices(table).find(isEnabled) ?? document.getElementById("board"))?.focus();

// --- input -----------------------------------------------------------------------------------------------------------

let usesKeyboard = false; // was the keyboard used last?
let isFollowing = false; // was the last input a move by keyboard, with no Tab since?
let isTouching = false;
let lastScrolledAt = -Infinity; // time of the last scrolling by the user

addEventListener(
  "keydown",
  ({ key }) => {
    usesKeyboard = true;
    if (key === "Tab") isFollowing = false;
  },
  { capture: true },
);
addEventListener(
  "pointerdown",
  () => {
    usesKeyboard = isFollowing = false;
  },
  { capture: true },
);
for (const [type, down] of /** @type {[string, boolean][]} */ ([
  ["touchstart", true],
  ["touchend", false],
  ["touchcancel", false],
])) {
  addEventListener(
    type,
    () => {
      isTouching = down;
    },
    { passive: true },
  );
}
for (const type of ["wheel", "touchmove"])
  addEventListener(
    type,
    () => {
      lastScrolledAt = performance.now();
    },
    { passive: true },
  );
addEventListener(
  "scroll",
  () => {
    if (isUserScrolling()) lastScrolledAt = performance.now();
  },
  { passive: true, capture: true },
); // a swiped page keeps moving

/** Return whether the user is scrolling the page. */
const isUserScrolling = () => isTouching || performance.now() - lastScrolledAt < SCROLL_SETTLE_MS;

/** Record that a move was made here. If it was made by keyboard, the focus will move to the next decision. */
export function followNextChoice() {
  isFollowing = usesKeyboard;
}

// --- focus -----------------------------------------------------------------------------------------------------------

/** What Enter was last pressed on, with no key since. @type {HTMLElement | null} */
let pressed = null;
/** Where Tab has just led from a choice, and that choice. @type {{from: HTMLElement, to: HTMLElement} | null} */
let led = null;

/**
 * Lead Tab from a choice just made to what it makes choosable, if the board names that (`targets`), and Shift+Tab back.
 * @param {GameView} table @param {KeyboardEvent} event @returns {boolean} whether the focus was moved
 */
export function leadToTargets({ board, isPlain }, { key, shiftKey }) {
  if (key === "Shift" || !board.targets || isPlain) return false;
  const here = /** @type {HTMLElement} */ (document.activeElement);
  const isOneOf = (/** @type {string | undefined} */ selector) => here.matches(`.board :is(${selector})`);
  const [from, before] = [pressed, led];
  pressed = key === "Enter" || key === " " ? here : null;
  led = null;
  if (key !== "Tab") return false;
  if (shiftKey) {
    if (before?.to !== here) return false;
    before.from.focus();
    return true;
  }
  if (from !== here || !isOneOf(board.choices) || isOneOf(board.targets)) return false;
  const to = /** @type {HTMLElement | null} */ (document.querySelector(`.board :is(${board.targets})`));
  if (!to) return false;
  to.focus();
  led = { from: here, to };
  return true;
}

/** @typedef {{element: Element | null, text: string}} FocusState */

/**
 * Return where the focus is before a redraw; null if it must stay there (in a dialog, a panel or the bar).
 * @returns {FocusState | null}
 */
export function captureFocus() {
  const element = document.activeElement;
  if (!element || element === document.body) return { element: null, text: "" };
  return element.closest("#board") ? { element, text: describeElement(element) } : null;
}

let lastQuestion = "";

/**
 * After a redraw, restore the focus and scroll the choices into view. Where the keyboard is not used, that waits until
 * the redraw has been painted, because it takes the layout of the page.
 * @param {GameView} table @param {FocusState | null} before @param {string} question the decision, or ""
 */
export function showChoices(table, before, question) {
  if (usesKeyboard) return restoreFocus(table, before, question, scrollToChoices(table, question));
  restoreFocus(table, before, question, []);
  cancelAnimationFrame(showFrame);
  showFrame = requestAnimationFrame(() => {
    clearTimeout(showTimer);
    showTimer = setTimeout(() => scrollToChoices(table, question));
  });
}

/**
 * Restore the focus after a redraw. It stays on an element that is still a choice. It moves to the next decision after
 * a move by keyboard, if nothing has the focus, or if the focused element was removed.
 * @param {GameView} table @param {FocusState | null} before @param {string} question the decision, or ""
 * @param {HTMLElement[]} added the new choices
 */
function restoreFocus(table, before, question, added) {
  const main = document.getElementById(table.isPlain ? "moves-heading" : "board");
  const now = document.activeElement;
  const another = question !== lastQuestion;
  const focusLost = now === document.body && before?.element;
  const hasNoFocus = now === document.body || now === main;
  lastQuestion = question;
  if (!before) return;
  if (
    usesKeyboard &&
    question &&
    !isStillFocused(table, before) &&
    (focusLost || (another && (isFollowing || hasNoFocus)))
  ) {
    const all = listChoices(table);
    const next = table.isPlain && table.handTo === null ? main : (another ? all : [...added, ...all]).find(isEnabled);
    next?.focus({ preventScroll: !table.isPlain });
  }
  if (focusLost && document.activeElement === document.body) main?.focus({ preventScroll: true });
}

/**
 * Return whether the focused element is still the same available choice.
 * @param {GameView} table @param {FocusState} before
 */
function isStillFocused(table, { element, text: previousText }) {
  return (
    element !== null &&
    element === document.activeElement &&
    describeElement(element) === previousText &&
    isEnabled(element) &&
    listChoices(table).some((other) => other === element)
  );
}

// --- scrolling -------------------------------------------------------------------------------------------------------

/** The choices at the last check, by their descriptions. @type {Set<string>} */
let knownChoices = new Set();
let shownQuestion = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let showTimer;
let showFrame = 0;

/**
 * After a redraw: if choices were added or removed, scroll them into view. While the user is scrolling, wait until the
 * page is at rest.
 * @param {GameView} table @param {string} question identifies the decision; "" if there is none
 * @returns {HTMLElement[]} the new choices
 */
function scrollToChoices(table, question) {
  if (question !== shownQuestion) knownChoices = new Set();
  shownQuestion = question;
  clearTimeout(showTimer);
  if (!question || table.isPlain) return [];
  if (isUserScrolling()) {
    showTimer = setTimeout(() => scrollToChoices(table, question), SCROLL_SETTLE_MS);
    return [];
  }
  const all = listChoices(table);
  const before = knownChoices;
  const newElements = all.filter((element) => !before.has(describeElement(element)));
  knownChoices = new Set(all.map(describeElement));
  if (newElements.length || knownChoices.size < before.size) scrollChoicesIntoView(newElements, all);
  return newElements;
}

/** Return a description that identifies an element across redraws. @param {Element} element */
const describeElement = (element) =>
  `${element.getAttribute("data-key") ?? ""} ${element.getAttribute("aria-label") ?? element.textContent}`;

/**
 * Scroll all these elements into view, or only the first ones if there is not enough room. The panel with choices at
 * the lower edge covers none of them; the page is not scrolled for what is in it.
 * @param {HTMLElement[]} first @param {HTMLElement[]} all @param {HTMLElement[]} [choices]
 */
export function scrollChoicesIntoView(first, all, choices = []) {
  const board = /** @type {HTMLElement} */ (document.getElementById("board"));
  const page = isSmallScreen() ? document.documentElement : board;
  const footOf = new Map([...choices, ...all].map((element) => [element, findStickyAncestor(element, board)]));
  const feet = [...new Set(footOf.values())].filter((found) => found !== null);
  const port = visibleSpan(board);
  const base = isSmallScreen() ? innerHeight : port.bottom;
  const visibleRange = { top: port.top, bottom: Math.min(port.bottom, ...feet.map((found) => stickyTop(found, base))) };
  const away = feet.map(measureSpan).filter((box) => box.top < port.top || box.bottom > port.bottom + 1);
  const [these, those] = [all, first].map((group) =>
    unionSpans([...group.filter((element) => !footOf.get(element)).map(measureSpan), ...away]),
  );
  const by = scrollDistance(
    these.bottom - these.top > visibleRange.bottom - visibleRange.top ? those : these,
    visibleRange,
  );
  if (by) page.scrollBy({ top: by + remainderOfSeats(by, port), behavior: animationScale() ? "smooth" : "instant" });
}

/** @param {Span[]} spans @returns {Span} top ∞ and bottom -∞ if there are no spans */
const unionSpans = (spans) => ({
  top: Math.min(...spans.map((box) => box.top)),
  bottom: Math.max(...spans.map((box) => box.bottom)),
});

/**
 * Scroll until none of these elements is out of view or covered: as little as that needs, or else until the first is at
 * the top. If the bar cuts the row of players, scroll from the top.
 * @param {HTMLElement[]} elements
 */
export function scrollIntoView(elements) {
  const board = document.getElementById("board");
  if (!board) return;
  const areShown = () => elements.every((element) => isUncovered(element, visibleSpan(board)));
  if (remainderOfSeats(0, visibleSpan(board))) scrollTo({ top: 0, behavior: "instant" });
  if (areShown()) return;
  const rendered = elements.map(measureSpan).filter(({ width }) => width);
  scrollPage(scrollDistance(unionSpans(rendered), visibleSpan(board)));
  if (!areShown()) scrollToTop(elements.find((element) => board.contains(element)) ?? elements[0]);
}

/** @param {HTMLElement} element @param {Span} port */
function isUncovered(element, port) {
  const { top, bottom, left, width } = element.getBoundingClientRect();
  if (!width) return true; // not rendered
  const topmost = document.elementFromPoint(left + width / 2, (top + bottom) / 2);
  return (
    top >= port.top && bottom <= port.bottom + 1 && (element.contains(topmost) || Boolean(topmost?.contains(element)))
  );
}

/** Scroll until this element is at the top of the view. @param {HTMLElement} element */
export function scrollToTop(element) {
  const board = /** @type {HTMLElement} */ (document.getElementById("board"));
  scrollPage(measureSpan(element).top - visibleSpan(board).top - SCROLL_MARGIN_PX);
}

/** Scroll what contains the board: on a small screen the page. @param {number} by */
function scrollPage(by) {
  const page = isSmallScreen() ? document.documentElement : document.getElementById("board");
  page?.scrollBy({ top: by, behavior: "instant" });
}

/**
 * Return how far to scroll until the span is visible, or its top if it is too tall.
 * @param {Span} span @param {Span} room
 */
function scrollDistance({ top, bottom }, room) {
  if (top >= room.top && bottom <= room.bottom) return 0;
  const up = top - SCROLL_MARGIN_PX - room.top;
  const down = bottom + SCROLL_MARGIN_PX - room.bottom;
  return top < room.top ? up : Math.min(Math.max(up, 0), down);
}

/**
 * After scrolling by this much: return how far the row of players would still reach below the bar if the bar cuts it,
 * otherwise 0. The bar counts at its least height: it gets lower when its prompt gets shorter. On a larger screen the
 * row does not scroll.
 * @param {number} by @param {Span} port
 */
function remainderOfSeats(by, port) {
  const seats = isSmallScreen() && document.querySelector(".seats");
  const bar = document.querySelector(".bar");
  if (!seats || !bar) return 0;
  const { top, bottom } = measureSpan(seats);
  const edge = parseFloat(getComputedStyle(bar).minHeight) + by;
  return top < port.top + by - 1 && bottom > edge ? bottom - edge : 0;
}

/** @param {Element} element */
const measureSpan = (element) => element.getBoundingClientRect();

/**
 * Return the part of the page where the board is visible: on a phone between the bars, or below the one at the top.
 * @param {HTMLElement} board @returns {Span}
 */
function visibleSpan(board) {
  if (!isSmallScreen()) return measureSpan(board);
  const bar = document.querySelector(".bar");
  const tools = document.querySelector(".tools");
  const under = tools && getComputedStyle(tools).position === "fixed"; // otherwise the tools are in the bar
  return { top: bar ? measureSpan(bar).bottom : 0, bottom: under ? measureSpan(tools).top : innerHeight };
}

/**
 * Return the sticky or fixed ancestor of an element, or null.
 * @param {HTMLElement} element @param {HTMLElement} board
 */
function findStickyAncestor(element, board) {
  for (
    let ancestor = /** @type {HTMLElement | null} */ (element);
    ancestor && ancestor !== board;
    ancestor = ancestor.parentElement
  ) {
    if (["sticky", "fixed"].includes(getComputedStyle(ancestor).position)) return ancestor;
  }
  return null;
}

/** Return the top of a sticky footer when it covers the page. @param {HTMLElement} found @param {number} base */
function stickyTop(found, base) {
  const { position, bottom } = getComputedStyle(found);
  const { top, height } = found.getBoundingClientRect();
  return position === "sticky" ? base - (parseFloat(bottom) || 0) - height : Math.max(top, innerHeight / 2);
}
