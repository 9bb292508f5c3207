/** Blocks and houses as pictures with words. */
import { html, svg } from "lit";
import { blockFrame, drawBlock, drawFloors, drawHouse, frame } from "./house.js";

/** @typedef {import("./position.js").Position} Position @typedef {import("./position.js").Stage} Stage */

/** A block, drawn. @param {Position} p @param {number} size @param {string} [extra] */
export const block = (p, size, extra = "") =>
  html`<svg class="block s${size} ${extra}" viewBox=${blockFrame(size, p.box.blocks)}
      aria-hidden="true">${drawBlock(size, p.box.blocks)}</svg>`;

/** A picture of a house. @param {Position} p @param {Stage[]} stages @param {number} owner */
export const picture = (p, stages, owner) =>
  html`<svg class="house-picture tint-${owner}" viewBox=${frame(stages.at(-1)?.form ?? "2x2x1")}
    aria-hidden="true">${svg`<g class="house">${drawHouse(stages, p.box.blocks)}</g>`}</svg>`;

/**
 * A house floor by floor.
 * @param {Position} p @param {Stage[]} stages @param {number[]} [toCome] sizes of blocks still to be laid
 */
export function floors(p, stages, toCome) {
  const { frame: box, drawing } = drawFloors(stages, p.box.blocks, toCome);
  return html`<svg class="floors" viewBox=${box} role="img"
    aria-label=${p.ui.t("newtown-floors", { blocks: blocksIn(p, stages) })}>${svg`${drawing}`}</svg>`;
}

/** The blocks of a house, one stage after the other. @param {Position} p @param {Stage[]} stages */
export const blocksIn = (p, stages) => stages.map(({ key }) => p.blocks(key).join("+")).join(" | ");
