/** Small signs on cards: what a land card does, and the grounds. */
import { html, svg } from "lit";

/** A small die with one pip at an offset. @param {number} x @param {string} colour */
const drawDie = (x, colour) => svg`<g class="sign-die ${colour}" transform="translate(${x} 2)"><rect x=".6" y=".6"
    width="12.8" height="12.8" rx="3"></rect><circle cx="7" cy="7" r="1.9"></circle></g>`;

/** What each land card changes: its width and its drawing. @type {Record<string, [number, unknown]>} */
const ABILITIES = {
  lawn: [36, svg`${drawDie(0, "white")}<path d="M1 15.5L13 2.5"></path>${drawDie(22, "white")}${drawDie(18, "white")}`],
  paved: [44, svg`${drawDie(18, "black")}${drawDie(9, "red")}${drawDie(0, "green")}<path d="M39 5v8M35 9h8"></path>`],
  brick: [46, svg`${drawDie(0, "green")}<path d="M18 6.5h10l-3-3M28 11.5h-10l3 3"></path>${drawDie(32, "black")}`],
  mud: [
    28,
    svg`<path class="cube top" d="M8 2l7 3.5l-7 3.5l-7-3.5z"></path><path class="cube left"
        d="M1 5.5v8l7 3.5v-8z"></path><path class="cube right" d="M15 5.5v8l-7 3.5v-8z"></path>
      <path d="M23 2v8M19 6h8M19 14.5h8"></path>`,
  ],
};

/** Render the sign of a land card's ability. @param {string} ground */
export const renderAbilitySign = (ground) => html`<svg class="ability-sign"
    viewBox="0 0 ${ABILITIES[ground][0]} 18" aria-hidden="true">${ABILITIES[ground][1]}</svg>`;

/** The same strokes as on the lands of the town. @type {Record<string, string>} */
const GROUND_STROKES = {
  lawn: "M3 11l2-6 2 6M10 9l2-6 2 6M17 11l2-6 2 6",
  paved: "M0 4.5h22M0 9.5h22M6 0v4.5M16 0v4.5M11 4.5v5M6 9.5v4.5M16 9.5v4.5",
  brick: "M0 4.5h22M0 9.5h22M4 0v4.5M14 0v4.5M9 4.5v5M19 4.5v5M4 9.5v4.5M14 9.5v4.5",
  mud: "M2 5c4-4 6 3 11 0M9 11c3-3 6 3 11 0",
};

/** Render the sign of a ground. @param {string} ground */
export const renderGroundSign = (ground) => html`<svg class="ground-sign" viewBox="0 0 22 14"
    aria-hidden="true"><path d=${GROUND_STROKES[ground]}></path></svg>`;
