/** From a thing on the board to what the rules say of it. */
import { arrived } from "./rules.js";
import { crowded, touch } from "../../core/user-settings.js";

/** @typedef {import("../../game-view/game-view.js").Table} Table */

const THING = "#board :is([data-key], [data-at])";
const RULES = ".rules";
const HEADING = "h2, h3, h4";

/** @type {Element | null} */
let last = null;
/** @type {Element | null} */
let sought = null;
for (const type of ["pointerover", "pointerdown", "focusin"])
  addEventListener(
    type,
    ({ target }) => {
      if (target instanceof Element && target.closest("#board")) last = target.closest(THING);
    },
    { capture: true, passive: true },
  );

/** What the mouse is over, or the keyboard on. */
export const pointed = () => (last?.isConnected ? last : null);

/** By touch, what is shown in words after a tap. @param {Table} table */
export const tapped = ({ ui }) => (touch() && ui.local.detail ? pointed() : null);

/** Has this been looked up last? @param {Element} thing */
export const found = (thing) => thing === sought;

/** The rules beside the table, where they tell of this thing. @param {Table} table @param {Element} thing */
export async function lookUp(table, thing) {
  sought = thing;
  table.panel = "rules";
  table.panelOpen = crowded();
  table.refresh();
  await arrived(table.about.id);
  table.refresh();
  await null; // drawn
  for (const before of document.querySelectorAll("[data-found]")) before.removeAttribute("data-found");
  const place = told(thing);
  if (!place) return;
  place.setAttribute("data-found", "");
  place.tabIndex = -1;
  place.scrollIntoView({ block: "center", behavior: "instant" });
  place.focus({ preventScroll: true });
}

/**
 * Where the rules tell of a thing: what its key begins with stands there in a comment, as in "## Cards <!-- hand -->".
 * Under a heading it is the row of a table that has its name. Where nothing says so, it is any such row.
 * @param {Element} thing @returns {HTMLElement | null}
 */
export function told(thing) {
  const [kind] = (thing.getAttribute("data-key") ?? thing.getAttribute("data-at") ?? "").split("-");
  const mark = document.querySelector(`${RULES} [data-tells~="${CSS.escape(kind)}"]`);
  const place = /** @type {HTMLElement | null} */ (mark?.closest(`tr, li, p, ${HEADING}`) ?? null);
  return place && !place.matches(HEADING) ? place : (named(thing, place) ?? place);
}

/**
 * The row that has the name of a thing in a cell: the name that is said first, the longest of those.
 * @param {Element} thing @param {Element | null} heading under which it stands
 * @returns {HTMLElement | null | undefined}
 */
function named(thing, heading) {
  const text = (thing.getAttribute("aria-label") ?? thing.textContent ?? "").trim();
  const found = cells(heading)
    .map((cell) => ({ cell, name: (cell.textContent ?? "").trim() }))
    .filter(({ name }) => /\p{L}/u.test(name) && text.includes(name));
  found.sort((a, b) => text.indexOf(a.name) - text.indexOf(b.name) || b.name.length - a.name.length);
  return found[0]?.cell.closest("tr");
}

/** @param {Element | null} heading @returns {Element[]} */
function cells(heading) {
  const found = [];
  let part = heading?.nextElementSibling;
  for (; part && !part.matches(HEADING); part = part.nextElementSibling)
    found.push(...part.querySelectorAll(":scope > table td"));
  return heading ? found : [...document.querySelectorAll(`${RULES} .wide > table td`)];
}
