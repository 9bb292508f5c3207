/**
 * What can be chosen comes into view, and the keyboard goes to it. A board says which of its things those are
 * (`choices`, a selector: the things and the buttons that do it); the page looks after the rest, so that nobody has to
 * seek what a decision is about.
 */
import { pace, phone } from "../core/user-settings.js";

/** @typedef {import("./game-view.js").Table} Table @typedef {{top: number, bottom: number}} Span */

const MARGIN = 10; // px left free around what is brought into view
const QUIET = 250; // ms after which a page that was moved by hand is taken to rest

/** What can be chosen in a board that does not say it. */
const ANY = "button, [role=button]";

/** @param {Table} table @returns {HTMLElement[]} all that is drawn of it, in its order */
export function choices({ plain, board, handTo }) {
  const where = handTo !== null ? ".curtain .button" : plain ? ".move" : `.board :is(${board.choices ?? ANY})`;
  return [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(where))].filter((thing) =>
    thing.checkVisibility(),
  );
}

/** @param {Element} thing */
const open = (thing) => !thing.matches(":disabled, [aria-disabled=true]");

/** The keyboard goes to the first thing that can be chosen, or to the board where nothing can. @param {Table} table */
export const focusChoice = (table) => (choices(table).find(open) ?? document.getElementById("board"))?.focus();

// --- whose hands -----------------------------------------------------------------------------------------------------

let keyboard = false; // is the reader on the keyboard?
let following = false; // is what they did last a move, and have they gone nowhere since?
let held = false;
let moved = -Infinity; // a finger on the page; when it was last moved by hand

addEventListener(
  "keydown",
  ({ key }) => {
    keyboard = true;
    if (key === "Tab") following = false;
  },
  { capture: true },
);
addEventListener(
  "pointerdown",
  () => {
    keyboard = following = false;
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
      held = down;
    },
    { passive: true },
  );
}
for (const type of ["wheel", "touchmove"])
  addEventListener(
    type,
    () => {
      moved = performance.now();
    },
    { passive: true },
  );
addEventListener(
  "scroll",
  () => {
    if (byHand()) moved = performance.now();
  },
  { passive: true, capture: true },
); // what was pushed rolls on

/** Is the reader moving the page? */
const byHand = () => held || performance.now() - moved < QUIET;

/** A move has been made here: the keyboard will go on with what is asked next. */
export function follow() {
  following = keyboard;
}

// --- the focus -------------------------------------------------------------------------------------------------------

/** @typedef {{thing: Element | null, words: string}} Focus */

/**
 * Where the focus is before all is drawn anew; null where it is left alone: in a dialog, a panel, the bar.
 * @returns {Focus | null}
 */
export function focused() {
  const thing = document.activeElement;
  if (!thing || thing === document.body) return { thing: null, words: "" };
  return thing.closest("#board") ? { thing, words: words(thing) } : null;
}

let answered = "";

/**
 * After all is drawn: the focus stays where it is as long as that can be chosen. It goes to what is asked next after a
 * move by keyboard, when it is nowhere, and when what had it is gone.
 * @param {Table} table @param {Focus | null} before @param {string} question "": there is none
 * @param {HTMLElement[]} fresh what can be chosen and could not before
 */
export function keepFocus(table, before, question, fresh) {
  const main = document.getElementById(table.plain ? "moves-heading" : "board");
  const now = document.activeElement;
  const another = question !== answered;
  const lost = now === document.body && before?.thing;
  const nowhere = now === document.body || now === main;
  answered = question;
  if (!before) return;
  if (keyboard && question && !stays(table, before) && (lost || (another && (following || nowhere)))) {
    const all = choices(table);
    const next = table.plain && table.handTo === null ? main : (another ? all : [...fresh, ...all]).find(open);
    next?.focus({ preventScroll: !table.plain });
  }
  if (lost && document.activeElement === document.body) main?.focus({ preventScroll: true });
}

/** Is the same thing still there to be chosen? @param {Table} table @param {Focus} before */
function stays(table, { thing, words: said }) {
  return (
    thing !== null &&
    thing === document.activeElement &&
    words(thing) === said &&
    open(thing) &&
    choices(table).some((other) => other === thing)
  );
}

// --- into view -------------------------------------------------------------------------------------------------------

/** What could be chosen when last looked, by its words. @type {Set<string>} */
let known = new Set();
let asked = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let later;

/**
 * Something was drawn: where something can be chosen now that could not before, or the other way round, all of it is
 * brought into view; where the reader moves the page just then, afterwards.
 * @param {Table} table @param {string} question what the decision is known by; "": there is none
 * @returns {HTMLElement[]} what is new
 */
export function showChoices(table, question) {
  if (question !== asked) known = new Set();
  asked = question;
  clearTimeout(later);
  if (!question || table.plain) return [];
  if (byHand()) {
    later = setTimeout(() => showChoices(table, question), QUIET);
    return [];
  }
  const all = choices(table);
  const before = known;
  const fresh = all.filter((thing) => !before.has(words(thing)));
  known = new Set(all.map(words));
  if (fresh.length || known.size < before.size) bring(fresh, all);
  return fresh;
}

/** What a thing is known by. @param {Element} thing */
const words = (thing) =>
  `${thing.getAttribute("data-key") ?? ""} ${thing.getAttribute("aria-label") ?? thing.textContent}`;

/**
 * All that can be chosen is scrolled into view, or where it is too much, what could not be chosen before.
 * @param {HTMLElement[]} fresh @param {HTMLElement[]} all
 */
function bring(fresh, all) {
  const board = /** @type {HTMLElement} */ (document.getElementById("board"));
  const page = phone() ? document.documentElement : board;
  const footOf = new Map(all.map((thing) => [thing, foot(thing, board)]));
  const feet = [...new Set(footOf.values())].filter((found) => found !== null);
  const port = seen(board);
  const base = phone() ? innerHeight : port.bottom;
  const room = { top: port.top, bottom: Math.min(port.bottom, ...feet.map((found) => edge(found, base))) };
  const away = feet.map(span).filter((box) => box.top < port.top || box.bottom > port.bottom + 1);
  const [these, those] = [all, fresh].map((some) =>
    around([...some.filter((thing) => !footOf.get(thing)).map(span), ...away]),
  );
  const by = distance(these.bottom - these.top > room.bottom - room.top ? those : these, room);
  if (by) page.scrollBy({ top: by, behavior: pace() ? "smooth" : "instant" });
}

/** @param {Span[]} spans @returns {Span} from -∞ to ∞ the wrong way round where there are none */
const around = (spans) => ({
  top: Math.min(...spans.map((box) => box.top)),
  bottom: Math.max(...spans.map((box) => box.bottom)),
});

/** Scrolls until none of these lies beyond what is seen, or under something. @param {HTMLElement[]} things */
export function intoView(things) {
  const board = document.getElementById("board");
  const first = things.find((thing) => board?.contains(thing)) ?? things[0];
  if (board && things.some((thing) => !uncovered(thing, seen(board)))) toTop(first);
}

/** @param {HTMLElement} thing @param {Span} port */
function uncovered(thing, port) {
  const { top, bottom, left, width } = thing.getBoundingClientRect();
  if (!width) return true; // it is drawn nowhere
  const there = document.elementFromPoint(left + width / 2, (top + bottom) / 2);
  return top >= port.top && bottom <= port.bottom + 1 && (thing.contains(there) || Boolean(there?.contains(thing)));
}

/** Scrolls until this is the first thing seen. @param {HTMLElement} thing */
export function toTop(thing) {
  const board = /** @type {HTMLElement} */ (document.getElementById("board"));
  const page = phone() ? document.documentElement : board;
  page.scrollBy({ top: span(thing).top - seen(board).top - MARGIN, behavior: "instant" });
}

/**
 * How far to go until all of it is seen, or its beginning where it is too much.
 * @param {Span} span @param {Span} room
 */
function distance({ top, bottom }, room) {
  if (top >= room.top && bottom <= room.bottom) return 0;
  const up = top - MARGIN - room.top;
  const down = bottom + MARGIN - room.bottom;
  return top < room.top ? up : Math.min(Math.max(up, 0), down);
}

/** @param {Element} thing @returns {Span} */
const span = (thing) => thing.getBoundingClientRect();

/**
 * The part of the page where the board is seen: on a phone between the bars, or under the one.
 * @param {HTMLElement} board @returns {Span}
 */
function seen(board) {
  if (!phone()) return span(board);
  const bar = document.querySelector(".bar");
  const tools = document.querySelector(".tools");
  const under = tools && getComputedStyle(tools).position === "fixed"; // else they are in the bar
  return { top: bar ? span(bar).bottom : 0, bottom: under ? span(tools).top : innerHeight };
}

/**
 * What holds a thing in its place while the page is scrolled, if anything does.
 * @param {HTMLElement} thing @param {HTMLElement} board
 */
function foot(thing, board) {
  for (let here = /** @type {HTMLElement | null} */ (thing); here && here !== board; here = here.parentElement) {
    if (["sticky", "fixed"].includes(getComputedStyle(here).position)) return here;
  }
  return null;
}

/** Where a foot begins when it lies over the page. @param {HTMLElement} found @param {number} base */
function edge(found, base) {
  const { position, bottom } = getComputedStyle(found);
  const { top, height } = found.getBoundingClientRect();
  return position === "sticky" ? base - (parseFloat(bottom) || 0) - height : Math.max(top, innerHeight / 2);
}
