/** Finds the passage of the rules about an object on the board. */
import { waitForRules } from "./rules.js";
import { isPanelDrawer, isTouchOnly } from "../../core/user-settings.js";

/** @typedef {import("../../game-view/game-view.js").GameView} GameView */

const BOARD_ITEM_SELECTOR = "#board :is([data-key], [data-at])";
const RULES_SELECTOR = ".rules";
const HEADING_SELECTOR = "h2, h3, h4";

/** @type {Element | null} */
let lastItem = null;
/** @type {Element | null} */
let lookedUpItem = null;
for (const type of ["pointerover", "pointerdown", "focusin"])
  addEventListener(
    type,
    ({ target }) => {
      if (target instanceof Element && target.closest("#board")) lastItem = target.closest(BOARD_ITEM_SELECTOR);
    },
    { capture: true, passive: true },
  );

/** Return the object under the mouse or with the keyboard focus. */
export const getPointedItem = () => (lastItem?.isConnected ? lastItem : null);

/** On a touch screen, return the object whose tooltip is shown. @param {GameView} table */
export const getTappedItem = ({ ui }) => (isTouchOnly() && ui.local.detail ? getPointedItem() : null);

/** Return whether this object was looked up last. @param {Element} item */
export const isLookedUp = (item) => item === lookedUpItem;

/** Open the rules beside the table at the passage about this object. @param {GameView} table @param {Element} item */
export async function lookUp(table, item) {
  lookedUpItem = item;
  table.panel = "rules";
  table.panelOpen = isPanelDrawer();
  table.refresh();
  await waitForRules(table.about.id);
  table.refresh();
  await null; // until it is drawn
  for (const before of document.querySelectorAll("[data-found]")) before.removeAttribute("data-found");
  const place = findPassage(item);
  if (!place) return;
  place.setAttribute("data-found", "");
  place.tabIndex = -1;
  place.scrollIntoView({ block: "center", behavior: "instant" });
  place.focus({ preventScroll: true });
}

/**
 * Return the passage about an object. A comment in the rules, as in "## Cards <!-- hand -->", contains the first part
 * of the object's key. Below a marked heading the passage is the table row with the object's name. Without a mark it is
 * any such row.
 * @param {Element} item @returns {HTMLElement | null}
 */
export function findPassage(item) {
  const [kind] = (item.getAttribute("data-key") ?? item.getAttribute("data-at") ?? "").split("-");
  const mark = document.querySelector(`${RULES_SELECTOR} [data-tells~="${CSS.escape(kind)}"]`);
  const place = /** @type {HTMLElement | null} */ (mark?.closest(`tr, li, p, ${HEADING_SELECTOR}`) ?? null);
  return place && !place.matches(HEADING_SELECTOR) ? place : (findRowByName(item, place) ?? place);
}

/**
 * Return the row with a cell that contains the object's name. If several cells match, the name that occurs first in the
 * object's text counts, and of those the longest.
 * @param {Element} item @param {Element | null} heading restricts the search to its section
 * @returns {HTMLElement | null | undefined}
 */
function findRowByName(item, heading) {
  const text = (item.getAttribute("aria-label") ?? item.textContent ?? "").trim();
  const cells = listCells(heading)
    .map((cell) => ({ cell, name: (cell.textContent ?? "").trim() }))
    .filter(({ name }) => /\p{L}/u.test(name) && text.includes(name));
  cells.sort((a, b) => text.indexOf(a.name) - text.indexOf(b.name) || b.name.length - a.name.length);
  return cells[0]?.cell.closest("tr");
}

/** @param {Element | null} heading @returns {Element[]} */
function listCells(heading) {
  const passages = [];
  let part = heading?.nextElementSibling;
  for (; part && !part.matches(HEADING_SELECTOR); part = part.nextElementSibling)
    passages.push(...part.querySelectorAll(":scope > table td"));
  return heading ? passages : [...document.querySelectorAll(`${RULES_SELECTOR} .wide > table td`)];
}
