/**
 * What a character needs, drawn: a place for each die, filled by those on the table. This is for the eye alone;
 * what may be claimed is the server's word.
 */
import { html } from "lit";
import { picture } from "../../web/dice.js";
import { faces } from "./position.js";

/** @typedef {{face: number, filled: boolean}} Place @typedef {Record<string, any>} Needs */

const SAMPLES = [5, 3, 6]; // faces shown where no die lies yet

/** Sizes of the groups of equal dice that are asked for. @param {Needs} needs @returns {number[] | null} */
function groupsOf(needs) {
  if (needs.of_a_kind) return [needs.of_a_kind];
  if (needs.pairs) return Array(needs.pairs).fill(2);
  if (needs.triples) return Array(needs.triples).fill(3);
  return needs.full_house ? [3, 2] : null;
}

/** The biggest groups first take the face of which most is left. @param {number[]} sizes @param {number[]} row */
function groups(sizes, row) {
  const left = [...row];
  return sizes.map((size, nth) => {
    const usable = left.map((n) => Math.min(n, size));
    const most = Math.max(...usable);
    const face = most ? usable.lastIndexOf(most) + 1 : SAMPLES[nth];
    left[face - 1] -= most;
    return Array.from({ length: size }, (_, i) => ({ face, filled: i < most }));
  });
}

/** @param {number} length @param {number[]} row @returns {Place[]} the run of which most is there */
function straight(length, row) {
  const runs = Array.from({ length: 7 - length }, (_, start) => Array.from({ length }, (_, i) => start + i + 1));
  const there = (/** @type {number[]} */ run) => run.filter((face) => row[face - 1]).length;
  return runs.reduce((a, b) => (there(b) > there(a) ? b : a)).map((face) => ({ face, filled: row[face - 1] > 0 }));
}

/** @param {"odd" | "even"} parity @param {number[]} row @returns {Place[]} every die on the table, or an example */
function allOf(parity, row) {
  const list = faces(row);
  if (!list.length) return (parity === "odd" ? [1, 3, 5] : [2, 4, 6]).map((face) => ({ face, filled: false }));
  return list.map((face) => ({ face, filled: (face % 2 === 1) === (parity === "odd") }));
}

/**
 * Places for dice, in groups; none where nothing or a sum is asked for.
 * @param {Needs} needs @param {number[]} row @returns {Place[][]}
 */
export function places(needs, row) {
  const sizes = groupsOf(needs);
  if (sizes) return groups(sizes, row);
  if (needs.straight) return [straight(needs.straight, row)];
  return needs.all ? [allOf(needs.all, row)] : [];
}

/** How many places stand in a row, by their number. */
const ACROSS = [1, 1, 2, 3, 2, 3, 3, 4, 4, 5, 5, 6, 6];

/** @param {Needs} needs @param {number[]} row dice by face; all zero: shown as an example */
export function requirement(needs, row) {
  if (needs.sum) return sumOf(needs.sum, row);
  const sets = places(needs, row);
  const all = sets.flat();
  const example = row.every((n) => !n);
  const pairs = Boolean(needs.pairs);
  const grouped = sets.length > 1; // pairs stand upright, side by side
  const across = pairs ? sets.length : grouped ? Math.max(...sets.map((set) => set.length)) : (ACROSS[all.length] ?? 8);
  const down = pairs ? 2 : grouped ? sets.length : Math.ceil(all.length / across);
  const place = (/** @type {Place} */ { face, filled }) => picture(face, filled ? "place filled" : "place");
  const classes = `req ${example ? "example" : ""} ${pairs ? "pairs" : ""}`;
  return html`<span class=${classes} aria-hidden="true" .style=${`--across: ${across}; --down: ${down}`}>${sets.map(
    (set) => html`<span class="set">${set.map(place)}</span>`,
  )}</span>`;
}

/** The sum that is needed, and how much of it is there. @param {number} needed @param {number[]} row */
function sumOf(needed, row) {
  const sum = row.reduce((total, n, i) => total + n * (i + 1), 0);
  const there = Math.min(100, (100 * sum) / needed);
  return html`<span class="req sum ${sum >= needed ? "met" : ""}" aria-hidden="true"><b>${needed}<i>+</i></b>
    <svg viewBox="0 0 100 12" preserveAspectRatio="none"><rect width="100" height="12" rx="3"></rect>
      <rect class="part" width=${there} height="12" rx="3"></rect></svg></span>`;
}
