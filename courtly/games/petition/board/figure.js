/** Draws a character as a figure once the drawings are loaded; until then, and where it is small, as a shield. */
import { html, nothing, svg } from "lit";
import { renderEmblem } from "../../../web/board-sdk/seat-shield.js";
import { icons } from "./art/icons.js";
import { FAMILY_TINCTURES } from "./position.js";

/**
 * @typedef {import("./position.js").Position} Position @typedef {import("./art/figures.js").Layer} Layer
 * @typedef {import("./art/figures.js").Figure} Figure
 */

const BODY = "M7 72c0-13 6-21 17-23.500l8 4 8-4C51 51 57 59 57 72z";
const BODY_SHADE = "M40 48.500C51 51 57 59 57 72H47c0-10-2-17-7-23.500z";
const NECK = "M27 40h10v9l-5 4.500-5-4.500z";
const HEAD = "M21.500 30c0-8 4.500-12 10.500-12s10.500 4 10.500 12c0 8-4.500 14-10.500 14S21.500 38 21.500 30z";
const HEAD_SHADE = "M33 18c5.500.300 9.500 4.300 9.500 12 0 8-4.500 14-10.500 14 4-4 6-9 6-14s-2-9-5-12z";
const EYES = "M28 30.500h.1M36 30.500h.1";
const NOSE_AND_MOUTH = "M32 31.500l-1.300 3.600h2M29.500 39q2.500 1.400 5 0";

/** @type {Record<string, Figure> | null} */
let figures = null;
let isLoading = false;

/** Load the drawings after the board, and draw it again. @param {Position} p */
async function loadFigures({ ui }) {
  if (isLoading) return;
  isLoading = true;
  try {
    ({ figures } = await import("./art/figures.js"));
    ui.setLocal({});
  } catch {
    isLoading = false; // shields remain; the next drawing tries again
  }
}

/** Render a character's shield. @param {Position} p @param {string} card */
export const renderCrest = (p, card) => renderEmblem(FAMILY_TINCTURES[p.characters[card].family], icons[card]);

/** @param {Layer} layer */
const renderLayer = ([path, fill]) =>
  fill === "garment" ? svg`<path class="garment" d=${path}></path>` : svg`<path d=${path} fill=${fill}></path>`;

/**
 * Render a character's portrait, and the shield for where there is no room.
 * @param {Position} p @param {string} card
 */
export function renderPortrait(p, card) {
  if (!figures) loadFigures(p);
  const figure = figures?.[card];
  if (!figure) return renderCrest(p, card);
  const { skin, back = [], front, isMasked } = figure;
  return html`${renderCrest(p, card)}<svg class="portrait" viewBox="0 0 64 72" aria-hidden="true">
    ${back.map(renderLayer)}${renderLayer([BODY, "garment"])}<path class="shade" d=${BODY_SHADE}></path>
    ${renderLayer([NECK, skin])}${renderLayer([HEAD, skin])}<path class="shade" d=${HEAD_SHADE}></path>
    ${isMasked ? nothing : svg`<path class="eyes" d=${EYES}></path><path class="line" d=${NOSE_AND_MOUTH}></path>`}
    ${front.map(renderLayer)}</svg>`;
}
