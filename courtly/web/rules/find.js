/** From a thing on the board to what the rules say of it. */
import { arrived } from "./rules.js";
import { crowded, touch } from "../settings.js";

/** @typedef {import("../table/table.js").Table} Table */

const THING = "#board :is([data-key], [data-at])";
const NAMES = ".side .rules :is(td, strong, h3, h4)";
const SHORT = 2; // letters: what is shorter names nothing

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
  const text = (thing.getAttribute("aria-label") ?? thing.textContent ?? "").trim();
  table.panel = "rules";
  table.panelOpen = crowded();
  table.refresh();
  await arrived(table.about.id);
  table.refresh();
  await null; // drawn
  for (const before of document.querySelectorAll("[data-found]")) before.removeAttribute("data-found");
  const place = named(text)?.closest("tr, li, p, h3, h4");
  if (!(place instanceof HTMLElement)) return;
  place.setAttribute("data-found", "");
  place.tabIndex = -1;
  place.scrollIntoView({ block: "center", behavior: "instant" });
  place.focus({ preventScroll: true });
}

/** What in the rules has a name that this text says: first of all, the longer one. @param {string} text */
function named(text) {
  const found = [...document.querySelectorAll(NAMES)]
    .map((place) => ({ place, name: (place.textContent ?? "").trim() }))
    .filter(({ name }) => name.length >= SHORT && text.includes(name));
  found.sort((a, b) => text.indexOf(a.name) - text.indexOf(b.name) || b.name.length - a.name.length);
  return found[0]?.place;
}
