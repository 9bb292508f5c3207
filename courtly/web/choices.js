/**
 * What can be chosen comes into view, and the keyboard goes to it. A board says which of its things those are (`choices`, a selector: the
 * things and the buttons that do it); the page looks after the rest, so that nobody has to seek what a decision is about.
 */
import { pace, phone } from "./settings.js";

/** @typedef {import("./table.js").Table} Table @typedef {{top: number, bottom: number}} Span */

const MARGIN = 10;                     // px left free around what is brought into view
const QUIET = 250;                     // ms after which a page that was moved by hand is taken to rest

/** What can be chosen in a board that does not say it. */
const ANY = "button, [role=button]";

/** @param {Table} table @returns {HTMLElement[]} all that is drawn of it, in its order */
export function choices({ plain, board }) {
  const found = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(plain ? ".move" : `.board :is(${board.choices ?? ANY})`));
  return [...found].filter((thing) => thing.checkVisibility());
}

/** @param {Element} thing */
const open = (thing) => !thing.matches(":disabled, [aria-disabled=true]");

/** The keyboard goes to the first thing that can be chosen. @param {Table} table @returns {boolean} whether there is one */
export function focusChoice(table) {
  const first = choices(table).find(open);
  first?.focus({ preventScroll: !table.plain });
  return first !== undefined && document.activeElement === first;
}

// --- the page at rest -----------------------------------------------------------------------------------------------------------------

let held = false, moved = -Infinity;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let later;

for (const [type, down] of /** @type {[string, boolean][]} */ ([["touchstart", true], ["touchend", false], ["touchcancel", false]])) {
  addEventListener(type, () => { held = down; }, { passive: true });
}
for (const type of ["wheel", "touchmove"]) addEventListener(type, () => { moved = performance.now(); }, { passive: true });
addEventListener("scroll", () => { if (byHand()) moved = performance.now(); }, { passive: true, capture: true });       // what was pushed rolls on

/** Is the reader moving the page? */
const byHand = () => held || performance.now() - moved < QUIET;

// --- into view ------------------------------------------------------------------------------------------------------------------------

/** What could be chosen when last looked, by its words. @type {Set<string>} */
let known = new Set();
let asked = "";

/**
 * Something was drawn: what can be chosen now and could not before is brought into view, unless the reader moves the page just then; in that
 * case afterwards. @param {Table} table @param {string} decision what the decision is known by; "": there is none
 */
export function showChoices(table, decision) {
  if (table.plain) return;
  if (decision !== asked) {
    known = new Set();
    asked = decision;
  }
  clearTimeout(later);
  if (!decision) return;
  if (byHand()) {
    later = setTimeout(() => showChoices(table, decision), QUIET);
    return;
  }
  const all = choices(table), fresh = all.filter((thing) => !known.has(words(thing)));
  known = new Set(all.map(words));
  if (fresh.length) bring(fresh, all);
}

/** @param {HTMLElement} thing */
const words = (thing) => `${thing.dataset.key ?? ""} ${thing.getAttribute("aria-label") ?? thing.textContent}`;

/** All that can be chosen is scrolled into view, or where it is too much, what could not be chosen before. @param {HTMLElement[]} fresh @param {HTMLElement[]} all */
function bring(fresh, all) {
  const board = /** @type {HTMLElement} */ (document.getElementById("board")), page = phone() ? document.documentElement : board;
  const footOf = new Map(all.map((thing) => [thing, foot(thing, board)])), feet = [...new Set(footOf.values())].filter((found) => found !== null);
  const port = seen(board), base = phone() ? innerHeight : port.bottom;
  const room = { top: port.top, bottom: Math.min(port.bottom, ...feet.map((found) => edge(found, base))) };
  const away = feet.map(span).filter((box) => box.top < port.top || box.bottom > port.bottom + 1);
  const [these, those] = [all, fresh].map((some) => around([...some.filter((thing) => !footOf.get(thing)).map(span), ...away]));
  const by = distance(these.bottom - these.top > room.bottom - room.top ? those : these, room);
  if (by) page.scrollBy({ top: by, behavior: pace() ? "smooth" : "instant" });
}

/** @param {Span[]} spans @returns {Span} from -∞ to ∞ the wrong way round where there are none */
const around = (spans) => ({ top: Math.min(...spans.map((box) => box.top)), bottom: Math.max(...spans.map((box) => box.bottom)) });

/** How far to go until all of it is seen, or its beginning where it is too much. @param {Span} span @param {Span} room */
function distance({ top, bottom }, room) {
  if (top >= room.top && bottom <= room.bottom) return 0;
  const up = top - MARGIN - room.top, down = bottom + MARGIN - room.bottom;
  return top < room.top ? up : Math.min(Math.max(up, 0), down);
}

/** @param {Element} thing @returns {Span} */
const span = (thing) => thing.getBoundingClientRect();

/** The part of the page where the board is seen: on a phone between the bars. @param {HTMLElement} board @returns {Span} */
function seen(board) {
  if (!phone()) return span(board);
  const bar = document.querySelector(".bar"), tools = document.querySelector(".tools");
  return { top: bar ? span(bar).bottom : 0, bottom: tools ? span(tools).top : innerHeight };
}

/** What holds a thing in its place while the page is scrolled, if anything does. @param {HTMLElement} thing @param {HTMLElement} board */
function foot(thing, board) {
  for (let here = /** @type {HTMLElement | null} */ (thing); here && here !== board; here = here.parentElement) {
    if (["sticky", "fixed"].includes(getComputedStyle(here).position)) return here;
  }
  return null;
}

/** Where a foot begins when it lies over the page. @param {HTMLElement} found @param {number} base */
function edge(found, base) {
  const { position, bottom } = getComputedStyle(found), { top, height } = found.getBoundingClientRect();
  return position === "sticky" ? base - (parseFloat(bottom) || 0) - height : Math.max(top, innerHeight / 2);
}
