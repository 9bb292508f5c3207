/** A character's requirement, drawn: a place for each die, filled by the dice on the table. */
import { html } from "lit";
import { renderStaticDie } from "../../../web/board-sdk/die.js";

/** @typedef {Record<string, any>} Needs */
/**
 * A requirement: sets of places, each a face, which is negative if no die fills it; or a sum, with the percentage
 * reached. Null: no dice are required.
 * @typedef {{sets: number[][], part: number | null} | null} MetNeeds
 */

/** Places in a row, by the number of places. */
const COLUMNS_BY_COUNT = [1, 1, 2, 3, 2, 3, 3, 4, 4, 5, 5, 6, 6];

/** @param {Needs} needs @param {MetNeeds} met @param {boolean} example is it an example in the rules? */
export function renderRequirement(needs, met, example) {
  const { sets, part } = met ?? { sets: [], part: null };
  if (part !== null) return renderSum(needs.sum, part);
  const all = sets.flat();
  const pairs = Boolean(needs.pairs);
  const grouped = sets.length > 1; // pairs are vertical, side by side
  const across = pairs
    ? sets.length
    : grouped
      ? Math.max(...sets.map((set) => set.length))
      : (COLUMNS_BY_COUNT[all.length] ?? 8);
  const down = pairs ? 2 : grouped ? sets.length : Math.ceil(all.length / across);
  const place = (/** @type {number} */ face) => renderStaticDie(Math.abs(face), face > 0 ? "place filled" : "place");
  const classes = `req ${example ? "example" : ""} ${pairs ? "pairs" : ""}`;
  return html`<span class=${classes} aria-hidden="true" .style=${`--across: ${across}; --down: ${down}`}>${sets.map(
    (set) => html`<span class="set">${set.map(place)}</span>`,
  )}</span>`;
}

/** Render the required sum, and how much of it is reached. @param {number} needed @param {number} part percent */
const renderSum = (needed, part) =>
  html`<span class="req sum ${part === 100 ? "met" : ""}" aria-hidden="true"><b>${needed}<i>+</i></b>
    <svg viewBox="0 0 100 12" preserveAspectRatio="none"><rect width="100" height="12" rx="3"></rect>
      <rect class="part" width=${part} height="12" rx="3"></rect></svg></span>`;
