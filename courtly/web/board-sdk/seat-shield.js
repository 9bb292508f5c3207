/** Shields with the colour and device of each seat, so that colour alone does not identify a seat. */
import { html, svg } from "lit";
import { icons } from "./icons.js";
import { SEAT_DEVICES } from "../core/player-names.js";

const SHIELD_OUTLINE = "M4 3h40v25c0 13-9 21-20 25C13 49 4 41 4 28z";

/** @param {string} path */
const renderDevice = (path) => svg`<path class="device" d=${path}></path>`;

/**
 * Render a seat's shield. It is decorative, as the name is beside it.
 * @param {number} seat @param {string} [extra] more classes
 */
export const renderShield = (
  seat,
  extra = "",
) => html`<svg class="shield seat-${seat} ${extra}" viewBox="0 0 48 56" aria-hidden="true">
  <path class="field" d=${SHIELD_OUTLINE}></path>
  <g transform="translate(10.5 10) scale(.0527)">${renderDevice(icons[SEAT_DEVICES[seat]])}</g></svg>`;

/**
 * Render a shield in a heraldic colour with any 512 × 512 drawing on it.
 * @param {string} tincture gules, azure, vert, purpure, tenne, sable or or @param {string} path
 */
export const renderEmblem = (
  tincture,
  path,
) => html`<svg class="shield ${tincture}" viewBox="0 0 48 56" aria-hidden="true">
  <path class="field" d=${SHIELD_OUTLINE}></path>
  <g transform="translate(10.5 10) scale(.0527)">${renderDevice(path)}</g></svg>`;
