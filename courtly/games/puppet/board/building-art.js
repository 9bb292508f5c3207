/** Draws a building as a picture once the drawings are loaded; until then as an icon. */
import { html, svg } from "lit";
import { renderIcon } from "./figures.js";

/** @typedef {import("./position.js").Position} Position @typedef {import("./art/buildings.js").Layer} Layer */

/** @type {Record<string, Layer[]> | null} */
let buildings = null;
let isLoading = false;

/** Load the drawings after the board, and draw it again. @param {Position} p */
async function loadBuildings({ ui }) {
  if (isLoading) return;
  isLoading = true;
  try {
    ({ buildings } = await import("./art/buildings.js"));
    ui.setLocal({});
  } catch {
    isLoading = false; // icons remain; the next drawing tries again
  }
}

/** @param {Layer} layer */
const renderLayer = ([path, fill]) =>
  fill === "kind" ? svg`<path class="tinted" d=${path}></path>` : svg`<path d=${path} fill=${fill}></path>`;

/** Render a building for sale. @param {Position} p @param {string} building */
export function renderBuildingArt(p, building) {
  if (!buildings) loadBuildings(p);
  const layers = buildings?.[building];
  return layers
    ? html`<svg class="house" viewBox="0 0 80 64" aria-hidden="true">${layers.map(renderLayer)}</svg>`
    : renderIcon(building);
}
