/**
 * Drawings of the four gems: a round ruby, a step-cut emerald, a brilliant-cut diamond, a drop of amber with an
 * inclusion.
 */
import { html, svg } from "lit";

/** @typedef {ReturnType<typeof svg>} Svg */

const renderFacets = (/** @type {string} */ d) => svg`<path class="facets" d=${d}></path>`;

/** @type {Record<string, Svg>} */
const GEM_DRAWINGS = {
  ruby: svg`<circle class="body" cx="16" cy="16" r="13"></circle><path class="table"
      d="M11 8h10l5 8-5 8H11l-5-8z"></path>
    ${renderFacets("M11 8L8 5.5M21 8l3-2.5M26 16h3M21 24l3 2.5M11 24l-3 2.5M6 16H3M11 8h10l5 8-5 8H11l-5-8z")}<path
    class="light" d="M11 8h5l-5 8-5 0z"></path>`,
  emerald: svg`<path class="body" d="M9 2h14l5 5v18l-5 5H9l-5-5V7z"></path><path class="table"
      d="M12 9h8l2 2v10l-2 2h-8l-2-2V11z"></path>
    ${renderFacets(`M10 5.500h12l3 3v15l-3 3H10l-3-3v-15zM9 2l3 7M23 2l-3 7M28 7l-6 4M28 25l-6-4M23 30l-3-7M9 30l3-7
      M4 25l6-4M4 7l6 4M12 9h8l2 2v10l-2 2h-8l-2-2V11z`)}
    <path class="light" d="M12 9h5l-7 9v-7z"></path>`,
  diamond: svg`<path class="body" d="M8 5h16l7 8-15 16L1 13z"></path><path class="table"
      d="M8 5h16l-3.500 8h-9z"></path>
    ${renderFacets("M1 13h30M8 5l3.500 8L16 29l4.500-16L24 5M16 5l-4.500 8M16 5l4.500 8")}<path class="light"
    d="M8 5h8l-4.500 8H1z"></path>`,
  amber: svg`<path class="body" d="M16 1.500c4 6 10 11.500 10 18a10 10.500 0 0 1-20 0c0-6.500 6-12 10-18z"></path><path
      class="table" d="M16 8c2.500 4 6 8 6 12a6 6.500 0 0 1-12 0c0-4 3.500-8 6-12z"></path>
    <path class="insect" d="M15 17l2 2 1-1M16 19l-2 3M17 19l1 3M14 18l-2-1"></path><path class="light"
        d="M12 14c-3 4-3 8-1 10-3-1-4-7 1-10z"></path>`,
};

/** Render a stone. It is decorative, as its name is beside it. @param {string} gem @param {string} [extra] */
export const renderStone = (gem, extra = "") =>
  html`<svg class="stone ${gem} ${extra}" viewBox="0 0 32 32" aria-hidden="true">${GEM_DRAWINGS[gem]}</svg>`;

/** Render the stones of a card. @param {string} gem @param {number} n */
export const renderStones = (gem, n) =>
  html`<span class="stones n${n}">${Array.from({ length: n }, () => renderStone(gem))}</span>`;
