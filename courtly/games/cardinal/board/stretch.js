/**
 * Stretches the map in one direction where the screen is small and has room there, so that the places are farther
 * apart. Pieces and texts keep their proportions.
 */
import { MIN_SCALE_PX } from "./legible.js";

const MAX_STRETCH = 1.25;
const STEP = 0.05; // so coarse that a bar that grows by a few px does not redraw the map
const UNCHANGED = { x: 1, y: 1 };

/**
 * @typedef {{x: number, y: number}} Stretch a factor for each direction
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */

/** @type {WeakMap<BoardContext, {stretch: Stretch, map: Record<string, any>}>} */
const stretchedMaps = new WeakMap();

/** Return the map as it is drawn now. @param {BoardContext} ui @returns {Record<string, any>} */
export const getMap = (ui) => stretchedMaps.get(ui)?.map ?? ui.about.components;

/**
 * Fit the map to a window. Returns whether it has changed.
 * @param {BoardContext} ui @param {{w: number, h: number}} extent of the unstretched map
 * @param {{width: number, height: number}} viewport px
 */
export function fitMap(ui, extent, viewport) {
  const stretch = chooseStretch(extent, viewport);
  const before = stretchedMaps.get(ui)?.stretch ?? UNCHANGED;
  if (stretch.x === before.x && stretch.y === before.y) return false;
  stretchedMaps.set(ui, { stretch, map: stretchMap(ui.about.components, stretch) });
  return true;
}

/** @param {{w: number, h: number}} extent @param {{width: number, height: number}} viewport @returns {Stretch} */
function chooseStretch(extent, viewport) {
  const x = viewport.width / extent.w;
  const y = viewport.height / extent.h;
  if (Math.min(x, y) >= MIN_SCALE_PX) return UNCHANGED;
  const limit = (/** @type {number} */ factor) =>
    Math.floor(Math.min(Math.max(factor, 1), MAX_STRETCH) / STEP + 1e-6) * STEP;
  return { x: limit(x / y), y: limit(y / x) };
}

/** @param {Record<string, any>} map @param {Stretch} by @returns {Record<string, any>} */
function stretchMap(map, by) {
  const move = (/** @type {any} */ place) => ({ ...place, x: place.x * by.x, y: place.y * by.y });
  const redraw = (/** @type {string} */ path) =>
    path.replace(/(-?[\d.]+) (-?[\d.]+)/g, (_, x, y) => `${round(x * by.x)} ${round(y * by.y)}`);
  const each = (/** @type {Record<string, any>} */ parts, /** @type {(part: any) => any} */ change) =>
    Object.fromEntries(Object.entries(parts).map(([id, part]) => [id, change(part)]));
  const { sites, countries, alliances, outline } = map;
  return {
    ...map,
    sites: sites.map(move),
    countries: countries.map((/** @type {any} */ country) => ({ ...country, seal: move(country.seal) })),
    alliances: alliances.map((/** @type {any} */ alliance) => ({ ...alliance, label: move(alliance.label) })),
    outline: outline && {
      ...outline,
      land: redraw(outline.land),
      countries: each(outline.countries, redraw),
      names: each(outline.names, (name) => ({
        ...move(name),
        ...(name.room && { room: name.room * by.x }),
        ...(name.small && {
          small: { ...move(name.small), ...(name.small.line && { line: redraw(name.small.line) }) },
        }),
      })),
    },
  };
}

/** @param {number} number */
const round = (number) => Math.round(number * 10) / 10;
