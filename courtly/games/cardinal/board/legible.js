/** Keeps pieces and text on the map readable at every zoom level, without letting them grow with the map. */

// px per unit of the map: pieces and text are enlarged below the minimum and stop growing above the maximum
export const MIN_SCALE_PX = 0.72;
const MAX_GROWTH = 1.55;
const MAX_SCALE_PX = 1.8;
const MIN_LETTER_PX = 12; // minimum height of letters
const WORD_UNITS = 15.5; // unscaled height of names, and of numbers on badges, in units of the map
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
