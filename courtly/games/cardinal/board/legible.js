/** Pieces and words that stay readable however far the map is, and do not swell however near. */

// px to a unit of the map: below the first, pieces and words grow; above the last they grow no more
const MIN_SCALE_PX = 0.72;
const MAX_GROWTH = 1.55;
const MAX_SCALE_PX = 1.5;
const MIN_LETTER_PX = 12; // px that letters have at least
const WORD_UNITS = 15.5; // units of the map that names, and numbers on badges, have without being grown
const BADGE_UNITS = 12;

/** @param {SVGSVGElement} map @param {number} scale px to a unit */
export function keepLegible(map, scale) {
  const grow = Math.min(Math.max(MIN_SCALE_PX / scale, 1), MAX_GROWTH, MAX_SCALE_PX / scale);
  map.style.setProperty("--grow", `${grow}`);
  map.style.setProperty(
    "--word",
    `${Math.max(MIN_LETTER_PX / scale, Math.min(WORD_UNITS, (WORD_UNITS * MAX_SCALE_PX) / scale))}`,
  );
  map.style.setProperty(
    "--badge",
    `${Math.max(MIN_LETTER_PX / scale / BADGE_UNITS, Math.min(1, MAX_SCALE_PX / scale))}`,
  );
  map.classList.toggle("small", scale < MIN_SCALE_PX);
}
