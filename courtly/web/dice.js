/** A die drawn as a die, for boards, logs and requirements. */
import { html, svg } from "lit";

/** @type {[number, number, number[]][]} each pip: x, y, the faces that show it */
const PIPS = [
  [27, 27, [2, 3, 4, 5, 6]], [73, 73, [2, 3, 4, 5, 6]], [73, 27, [4, 5, 6]], [27, 73, [4, 5, 6]],
  [27, 50, [6]], [73, 50, [6]], [50, 50, [1, 3, 5]],
];

/**
 * @param {number} face 1 to 6; 0: blank
 * @param {string} [extra] more classes: "small" inside a line of text, "kept" on a gold tray
 */
export const die = (face, extra = "") => html`<svg class="die ${extra}" viewBox="0 0 100 100" aria-hidden="true">
  <rect x="4" y="4" width="92" height="92" rx="20"></rect>
  ${PIPS.map(([x, y, faces]) => svg`<circle class=${faces.includes(face) ? "pip" : "pip off"} cx=${x} cy=${y} r="9.5"></circle>`)}</svg>`;
