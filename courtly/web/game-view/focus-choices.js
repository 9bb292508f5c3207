/**
 * What can be chosen comes into view, and the keyboard goes to it. A board says which of its things those are
 * (`choices`, a selector: the things and the buttons that do it); the page looks after the rest, so that nobody has to
 * seek what a decision is about.
 */
import { animationScale, isSmallScreen } from "../core/user-settings.js";

/** @typedef {import("./game-view.js").GameView} GameView @typedef {{top: number, bottom: number}} Span */

const SCROLL_MARGIN_PX = 10; // px left free around what is brought into view
const SCROLL_SETTLE_MS = 250; // ms after which a page that was moved by hand is taken to rest

/** What can be chosen in a board that does not say it. */
const DEFAULT_CHOICE_SELECTOR = "button, [role=button]";

/** @param {GameView} table @returns {HTMLElement[]} all that is drawn of it, in its order */
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
 * The keyboard goes to the first thing that can be chosen, or to the board where nothing can.
 * @param {GameView} table
 */
export const focusFirstChoice = (table) =>
  (listChoices(table).find(isEnabled) ?? document.getElementById("board"))?.focus();

// --- whose hands -----------------------------------------------------------------------------------------------------

let usesKeyboard = false; // is the reader on the keyboard?
let isFollowing = false; // is what they did last a move, and have they gone nowhere since?
let isTouching = false;
let lastScrolledAt = -Infinity; // a finger on the page; when it was last moved by hand

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
); // what was pushed rolls on

/** Is the reader moving the page? */
const isUserScrolling = () => isTouching || performance.now() - lastScrolledAt < SCROLL_SETTLE_MS;

/** A move has been made here: the keyboard will go on with what is asked next. */
export function followNextChoice() {
  isFollowing = usesKeyboard;
}

// --- the focus -------------------------------------------------------------------------------------------------------

/** @typedef {{element: Element | null, text: string}} FocusState */

/**
 * Where the focus is before all is drawn anew; null where it is left alone: in a dialog, a panel, the bar.
 * @returns {FocusState | null}
 */
export function captureFocus() {
  const element = document.activeElement;
  if (!element || element === document.body) return { element: null, text: "" };
  return element.closest("#board") ? { element, text: describeElement(element) } : null;
}

let lastQuestion = "";

/**
 * After all is drawn: the focus stays where it is as long as that can be chosen. It goes to what is asked next after a
 * move by keyboard, when it is nowhere, and when what had it is gone.
 * @param {GameView} table @param {FocusState | null} before @param {string} question "": there is none
 * @param {HTMLElement[]} added what can be chosen and could not before
 */
export function restoreFocus(table, before, question, added) {
  const main = document.getElementById(table.isPlain ? "moves-heading" : "board");
  const now = document.activeElement;
  const another = question !== lastQuestion;
  const focusLost = now === document.body && before?.element;
  const nowhere = now === document.body || now === main;
  lastQuestion = question;
  if (!before) return;
  if (
    usesKeyboard &&
    question &&
    !isStillFocused(table, before) &&
    (focusLost || (another && (isFollowing || nowhere)))
  ) {
    const all = listChoices(table);
    const next = table.isPlain && table.handTo === null ? main : (another ? all : [...added, ...all]).find(isEnabled);
    next?.focus({ preventScroll: !table.isPlain });
  }
  if (focusLost && document.activeElement === document.body) main?.focus({ preventScroll: true });
}

/** Is the same thing still there to be chosen? @param {GameView} table @param {FocusState} before */
function isStillFocused(table, { element, text: previousText }) {
  return (
    element !== null &&
    element === document.activeElement &&
    describeElement(element) === previousText &&
    isEnabled(element) &&
    listChoices(table).some((other) => other === element)
  );
}

// --- into view -------------------------------------------------------------------------------------------------------

/** What could be chosen when last looked, by its words. @type {Set<string>} */
let knownChoices = new Set();
let shownQuestion = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let showTimer;

/**
 * Something was drawn: where something can be chosen now that could not before, or the other way round, all of it is
 * brought into view; where the reader moves the page just then, afterwards.
 * @param {GameView} table @param {string} question what the decision is known by; "": there is none
 * @returns {HTMLElement[]} what is new
 */
export function scrollToChoices(table, question) {
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
  const added = all.filter((element) => !before.has(describeElement(element)));
  knownChoices = new Set(all.map(describeElement));
  if (added.length || knownChoices.size < before.size) scrollChoicesIntoView(added, all);
  return added;
}

/** What a thing is known by. @param {Element} element */
const describeElement = (element) =>
  `${element.getAttribute("data-key") ?? ""} ${element.getAttribute("aria-label") ?? element.textContent}`;

/**
 * All that can be chosen is scrolled into view, or where it is too much, what could not be chosen before.
 * @param {HTMLElement[]} added @param {HTMLElement[]} all
 */
function scrollChoicesIntoView(added, all) {
  const board = /** @type {HTMLElement} */ (document.getElementById("board"));
  const page = isSmallScreen() ? document.documentElement : board;
  const footOf = new Map(all.map((element) => [element, findStickyAncestor(element, board)]));
  const feet = [...new Set(footOf.values())].filter((found) => found !== null);
  const port = visibleSpan(board);
  const base = isSmallScreen() ? innerHeight : port.bottom;
  const room = { top: port.top, bottom: Math.min(port.bottom, ...feet.map((found) => stickyTop(found, base))) };
  const away = feet.map(measureSpan).filter((box) => box.top < port.top || box.bottom > port.bottom + 1);
  const [these, those] = [all, added].map((some) =>
    unionSpans([...some.filter((element) => !footOf.get(element)).map(measureSpan), ...away]),
  );
  const by = scrollDistance(these.bottom - these.top > room.bottom - room.top ? those : these, room);
  if (by) page.scrollBy({ top: by, behavior: animationScale() ? "smooth" : "instant" });
}

/** @param {Span[]} spans @returns {Span} from -∞ to ∞ the wrong way round where there are none */
const unionSpans = (spans) => ({
  top: Math.min(...spans.map((box) => box.top)),
  bottom: Math.max(...spans.map((box) => box.bottom)),
});

/** Scrolls until none of these lies beyond what is seen, or under something. @param {HTMLElement[]} elements */
export function scrollIntoView(elements) {
  const board = document.getElementById("board");
  const first = elements.find((element) => board?.contains(element)) ?? elements[0];
  if (board && elements.some((thing) => !isUncovered(thing, visibleSpan(board)))) scrollToTop(first);
}

/** @param {HTMLElement} element @param {Span} port */
function isUncovered(element, port) {
  const { top, bottom, left, width } = element.getBoundingClientRect();
  if (!width) return true; // it is drawn nowhere
  const topmost = document.elementFromPoint(left + width / 2, (top + bottom) / 2);
  return (
    top >= port.top && bottom <= port.bottom + 1 && (element.contains(topmost) || Boolean(topmost?.contains(element)))
  );
}

/** Scrolls until this is the first thing seen. @param {HTMLElement} element */
export function scrollToTop(element) {
  const board = /** @type {HTMLElement} */ (document.getElementById("board"));
  const page = isSmallScreen() ? document.documentElement : board;
  page.scrollBy({ top: measureSpan(element).top - visibleSpan(board).top - SCROLL_MARGIN_PX, behavior: "instant" });
}

/**
 * How far to go until all of it is seen, or its beginning where it is too much.
 * @param {Span} span @param {Span} room
 */
function scrollDistance({ top, bottom }, room) {
  if (top >= room.top && bottom <= room.bottom) return 0;
  const up = top - SCROLL_MARGIN_PX - room.top;
  const down = bottom + SCROLL_MARGIN_PX - room.bottom;
  return top < room.top ? up : Math.min(Math.max(up, 0), down);
}

/** @param {Element} element @returns {Span} */
const measureSpan = (element) => element.getBoundingClientRect();

/**
 * The part of the page where the board is seen: on a phone between the bars, or under the one.
 * @param {HTMLElement} board @returns {Span}
 */
function visibleSpan(board) {
  if (!isSmallScreen()) return measureSpan(board);
  const bar = document.querySelector(".bar");
  const tools = document.querySelector(".tools");
  const under = tools && getComputedStyle(tools).position === "fixed"; // else they are in the bar
  return { top: bar ? measureSpan(bar).bottom : 0, bottom: under ? measureSpan(tools).top : innerHeight };
}

/**
 * What holds a thing in its place while the page is scrolled, if anything does.
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

/** Where a foot begins when it lies over the page. @param {HTMLElement} found @param {number} base */
function stickyTop(found, base) {
  const { position, bottom } = getComputedStyle(found);
  const { top, height } = found.getBoundingClientRect();
  return position === "sticky" ? base - (parseFloat(bottom) || 0) - height : Math.max(top, innerHeight / 2);
}
