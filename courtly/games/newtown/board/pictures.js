/** Pictures of blocks and houses, with texts. */
import { html, svg } from "lit";
import { blockViewBox, drawBlock, drawFloors, drawHouse, houseViewBox } from "./house.js";

/** @typedef {import("./position.js").Position} Position @typedef {import("./position.js").Built} Built */

/** Render a block. @param {Position} p @param {number} size @param {string} [extra] */
export const renderBlock = (p, size, extra = "") =>
  html`<svg class="block s${size} ${extra}" viewBox=${blockViewBox(size, p.box.blocks)}
      aria-hidden="true">${drawBlock(size, p.box.blocks)}</svg>`;

/** Render a house. @param {Built} house @param {number} owner */
export const renderHouse = (house, owner) =>
  html`<svg class="house-picture tint-${owner}" viewBox=${houseViewBox(house.form)}
    aria-hidden="true">${svg`<g class="house">${drawHouse(house)}</g>`}</svg>`;

/**
 * Render a house floor by floor.
 * @param {Position} p @param {Built} house @param {number[]} [toCome] sizes of the blocks not laid yet
 */
export function renderFloors(p, house, toCome) {
  const { frame: box, drawing } = drawFloors(house, toCome);
  return html`<svg class="floors" viewBox=${box} role="img"
    aria-label=${p.ui.t("newtown-floors", { blocks: formatBlocks(house) })}>${svg`${drawing}`}</svg>`;
}

/** Format the block sizes of a house by stage. @param {Built} house */
export const formatBlocks = ({ blocks }) => blocks.map((sizes) => sizes.join("+")).join(" | ");
