/** Pieces and words that stay readable however far the map is, and do not swell however near. */

// px to a unit of the map: below the first, pieces and words grow; above the last they grow no more
const SMALL = 0.72;
const GROWTH = 1.55;
const LARGE = 1.5;
const READABLE = 12; // px that letters have at least
const WORD = 15.5; // units of the map that names, and numbers on badges, have without being grown
const BADGE = 12;

/** @param {SVGSVGElement} map @param {number} scale px to a unit */
export function legible(map, scale) {
  const grow = Math.min(Math.max(SMALL / scale, 1), GROWTH, LARGE / scale);
  map.style.setProperty("--grow", `${grow}`);
  map.style.setProperty("--word", `${Math.max(READABLE / scale, Math.min(WORD, (WORD * LARGE) / scale))}`);
  map.style.setProperty("--badge", `${Math.max(READABLE / scale / BADGE, Math.min(1, LARGE / scale))}`);
  map.classList.toggle("small", scale < SMALL);
}
