/** Dice as SVG, for boards, logs and requirements. */
import { html, svg } from "lit";

/** @type {[number, number, number[]][]} each pip: x, y, the faces that show it */
const PIP_POSITIONS = [
  [27, 27, [2, 3, 4, 5, 6]],
  [73, 73, [2, 3, 4, 5, 6]],
  [73, 27, [4, 5, 6]],
  [27, 73, [4, 5, 6]],
  [27, 50, [6]],
  [73, 50, [6]],
  [50, 50, [1, 3, 5]],
];

const pipPath = (/** @type {number} */ x, /** @type {number} */ y) =>
  `M${x - 9.5} ${y}a9.5 9.5 0 1 0 19 0a9.5 9.5 0 1 0-19 0`;
const FACE_PATHS = [0, 1, 2, 3, 4, 5, 6].map((face) =>
  PIP_POSITIONS.flatMap(([x, y, faces]) => (faces.includes(face) ? [pipPath(x, y)] : [])).join(""),
);

/**
 * Render a die that never rolls, with fewer elements, because a page may show hundreds.
 * @param {number} face 1 to 6; 0: blank
 * @param {string} [extra] more classes
 */
export const renderStaticDie = (
  face,
  extra = "",
) => html`<svg class="die ${extra}" viewBox="0 0 100 100" aria-hidden="true">
  <rect x="4" y="4" width="92" height="92" rx="20"></rect><path class="pip" d=${FACE_PATHS[face]}></path></svg>`;

/**
 * @param {number} face 1 to 6; 0: blank
 * @param {string} [extra] more classes: "small" inside a line of text, "kept" on a gold tray
 */
export const renderDie = (face, extra = "") => html`<svg class="die ${extra}" viewBox="0 0 100 100" aria-hidden="true">
  <rect x="4" y="4" width="92" height="92" rx="20"></rect>
  ${PIP_POSITIONS.map(
    ([x, y, faces]) => svg`<circle class=${faces.includes(face) ? "pip" : "pip off"} cx=${x} cy=${y}
      r="9.5"></circle>`,
  )}</svg>`;
