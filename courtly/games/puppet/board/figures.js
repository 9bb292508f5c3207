/** Drawings: jointed figures on strings, goods as chips, buildings and events as pictures. */
import { html, nothing, svg } from "lit";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { icons } from "./art/icons.js";

/**
 * The tunic's colour and the pose: shoulder, elbow and hip angles in degrees.
 * @type {Record<string, [string, number, number, number, number]>}
 */
const SERVANT_POSES = {
  alchemist: ["#7d5aa0", 38, 95, -150, 8],
  smith: ["#5b6672", 30, 60, -60, 12],
  cook: ["#b56a2c", 24, 80, -110, 6],
  reaper: ["#2b2a2e", 10, 30, -125, 3],
  elephant: ["#8a7a5c", 50, 70, -70, 16],
  foundation: ["#2f6a5b", 15, 110, -20, 5],
  general: ["#a03a34", 20, 40, -165, 14],
  hermit: ["#6b5a48", 42, 110, -45, 4],
  imp: ["#b02f50", 60, 130, -140, 22],
  princess: ["#c06a94", 34, 60, -75, 7],
};
/**
 * The headgear of each servant, on a head of radius 13 at (50, 34).
 * @type {Record<string, [string, string][]>} path, colour
 */
const SERVANT_HEADS = {
  alchemist: [["M37 25L52 3l11 22q-13-6-26 0z", "#5d3f80"]],
  smith: [
    ["M37 30a13 13 0 0 1 26 0q-13-5-26 0z", "#3d464f"],
    ["M39 38c2 11 20 11 22 0-6 4-16 4-22 0z", "#5b3a1e"],
  ],
  cook: [["M39 27c-9-10 2-18 8-13 3-6 13-5 13 2 7 1 6 9 1 11z", "#fffaf0"]],
  reaper: [["M35 49c-5-20 3-32 15-32s20 12 15 32l-6-6c2-11-2-15-9-15s-11 4-9 15z", "#19181b"]],
  elephant: [
    ["M37 29c-2-10 6-15 13-15s15 5 13 15q-13-7-26 0z", "#c9a24a"],
    ["M47 19h6v7h-6z", "#a8413b"],
  ],
  foundation: [["M34 25h32v-4h-6V8H40v13h-6z", "#1e3a33"]],
  general: [
    ["M36 32c-1-12 6-17 14-17s15 5 14 17l-6-4H42z", "#8a8f98"],
    ["M50 16c2-9 12-12 18-7-6 0-11 4-14 9z", "#c2453d"],
  ],
  hermit: [
    ["M36 31a14 14 0 0 1 28 0q-14-8-28 0z", "#4d4033"],
    ["M39 38c0 17 9 21 11 21s11-4 11-21c-6 4-16 4-22 0z", "#e9e2d3"],
  ],
  imp: [
    ["M41 25l-7-13 11 6zM59 25l7-13-11 6z", "#7d1633"],
    ["M38 29a13 13 0 0 1 24 0q-12-6-24 0z", "#4a1020"],
  ],
  princess: [
    ["M37 33c-3 12-2 18-6 24 10-1 10-14 11-24zM63 33c3 12 2 18 6 24-10-1-10-14-11-24z", "#e0b95c"],
    ["M37 32a13 13 0 0 1 26 0q-13-9-26 0z", "#e0b95c"],
    ["M41 22l2-8 4 5 3-7 3 7 4-5 2 8z", "#fff3c9"],
  ],
};
const WOOD_COLOUR = "#d9b184";
const LINE_COLOUR = "#5b3a1e";

/**
 * Draw an arm or a leg: two segments with a joint.
 * @param {number} x @param {number} y @param {number} a @param {number} b @param {number} length @param {string} colour
 */
function drawLimb(x, y, a, b, length, colour) {
  const point = (/** @type {number} */ px, /** @type {number} */ py, /** @type {number} */ degrees) => [
    px + length * Math.sin((degrees * Math.PI) / 180),
    py + length * Math.cos((degrees * Math.PI) / 180),
  ];
  const [kx, ky] = point(x, y, a);
  const [hx, hy] = point(kx, ky, b);
  return {
    hand: [hx, hy],
    drawn: svg`<path d="M${x} ${y}L${kx} ${ky}" stroke=${colour} stroke-width="9" stroke-linecap="round"></path>
    <path d="M${kx} ${ky}L${hx} ${hy}" stroke=${WOOD_COLOUR} stroke-width="7" stroke-linecap="round"></path>
    <circle cx=${kx} cy=${ky} r="3.2" fill=${LINE_COLOUR}></circle><circle cx=${hx} cy=${hy} r="5" fill=${WOOD_COLOUR}
      stroke=${LINE_COLOUR}
        stroke-width="1"></circle>`,
  };
}

/**
 * Render a servant on its strings.
 * @param {string} servant @param {string} [fate] "killed": the strings are cut; "stolen": another hand holds them
 */
export function renderPuppet(servant, fate = "") {
  const [tunic, shoulder, elbow, other, hip] = SERVANT_POSES[servant];
  const limp = fate === "killed";
  const right = drawLimb(62, 54, limp ? 12 : shoulder, limp ? -4 : elbow, 17, tunic);
  const left = drawLimb(38, 54, limp ? -12 : other + 90, limp ? 4 : other, 17, tunic);
  const legs = [drawLimb(44, 88, -hip, -2, 15, tunic), drawLimb(56, 88, hip, hip / 2, 15, tunic)];
  return html`<svg class="figure ${fate}" viewBox="0 0 100 126" aria-hidden="true">
    <g class="strings" stroke-width="1">${
      limp
        ? svg`<path d="M50 6v9M22 8v7M78 8v7"></path>`
        : svg`<path d="M50 6V24M22 8L${left.hand[0]} ${left.hand[1]}M78 8L${right.hand[0]} ${right.hand[1]}"></path>`
    }</g>
    <path d="M16 7H84M50 2v10" stroke="#8a6238" stroke-width="5" stroke-linecap="round"></path>
    <g transform=${
      limp ? "rotate(9 50 60) translate(0 5)" : ""
    }>${legs.map((leg) => leg.drawn)}${left.drawn}${right.drawn}
      <path d="M38 48h24l6 42H32z" fill=${tunic} stroke="#0003" stroke-linejoin="round"></path>
      <circle cx="50" cy="34" r="13" fill=${WOOD_COLOUR} stroke=${LINE_COLOUR} stroke-width="1.2"></circle>
      <path d="M45 33v.1M55 33v.1" stroke=${LINE_COLOUR} stroke-width="3.4" stroke-linecap="round"></path><path
          d="M45 40q5 ${limp ? -3 : 3} 10 0" fill="none" stroke=${LINE_COLOUR} stroke-width="1.6"
          stroke-linecap="round"></path>
      ${SERVANT_HEADS[servant].map(([path, colour]) => svg`<path d=${path} fill=${colour} stroke="#0003"></path>`)}
      <g transform="translate(39.5 55) scale(.041)"><path d=${icons[servant]} fill="#fff8e8"></path></g></g></svg>`;
}

/** Render an unknown servant: a figure under cloth. @param {boolean} [choosing] not chosen yet */
export const renderVeiled = (
  choosing = false,
) => html`<svg class="figure veiled ${choosing ? "choosing" : ""}" viewBox="0 0 100 126" aria-hidden="true">
  <g class="strings" stroke-width="1"><path d="M50 6V26M22 8L34 60M78 8L66 60"></path></g>
  <path d="M16 7H84M50 2v10" stroke="#8a6238" stroke-width="5" stroke-linecap="round"></path>
  <path class="cloth"
      d="M50 22c13 0 17 12 18 26 3 20 8 44 12 62-7-4-11 5-16 1s-9 5-14 1-9 4-14-1-9 3-16-1
        c4-18 9-42 12-62 1-14 5-26 18-26z"></path>
  <path class="fold" d="M42 56c-2 16-4 32-8 48M58 56c2 16 4 32 8 48M50 60v44"></path></svg>`;

/** The shapes of the four goods: coin, loaf, sword, rosette. @type {Record<string, unknown>} */
const GOOD_SHAPES = {
  gold: svg`<circle cx="12" cy="12" r="10.5" fill="#e2b23c" stroke="#8d6621"></circle><circle cx="12" cy="12" r="7"
      fill="none" stroke="#8d6621"></circle><path d="M12 7.5v9M9 12h6" stroke="#8d6621" stroke-width="1.6"></path>`,
  food: svg`<path d="M2 13c0-6 4.5-9 10-9s10 3 10 9c0 4-3 6-10 6S2 17 2 13z" fill="#6c9a45"
      stroke="#35551f"></path><path d="M8 6l-2 5M13 5.4l-2 5M18 6.6l-2 4.6" stroke="#e8f2d4" stroke-width="1.6"
      stroke-linecap="round"></path>`,
  soldier: svg`<path d="M12 1l3.2 4.5V15H8.800V5.500z" fill="#7fa3d6" stroke="#24467c"
      stroke-linejoin="round"></path><path d="M5 15.500h14M12 16v6" stroke="#24467c" stroke-width="3"
      stroke-linecap="round"></path>`,
  honour: svg`<path d="M8 13l-3 9 4-1.800L11.500 23l1-7M16 13l3 9-4-1.800L12.500 23z" fill="#7d2622"></path><path
      d="M12 .8l2.400 2 3.100-.2.800 3 2.600 1.700-1.200 2.900 1.200 2.900-2.600 1.700-.8 3-3.100-.2-2.400 2
        -2.400-2-3.100.2-.8-3-2.600-1.700 1.200-2.900L3.100 7.300l2.600-1.700.8-3 3.100.2z"
      fill="#c2453d" stroke="#7d2622"></path><circle cx="12" cy="10.200" r="4" fill="#f6ded0"></circle>`,
};

/** @param {string} good @param {string} [extra] */
export const renderChip = (good, extra = "") =>
  html`<svg class="chip ${good} ${extra}" viewBox="0 0 24 24" aria-hidden="true">${GOOD_SHAPES[good]}</svg>`;

/**
 * Render goods with their amounts, with a text for screen readers.
 * @param {import("./position.js").Position} p @param {[string, number][]} amounts
 * @param {(good: string) => unknown} [after]
 */
export const renderGoods = (p, amounts, after = () => nothing) =>
  html`<span class="goods">${hideVisually(p.formatAmounts(amounts))}${amounts.map(
    ([good, n]) => html`<span class="amount" aria-hidden="true">${renderChip(good)}<b>${n}</b>${after(good)}</span>`,
  )}</span>`;

/** @param {string} name @param {string} [extra] */
export const renderIcon = (name, extra = "") =>
  html`<svg class="icon ${extra}" viewBox="0 0 512 512" aria-hidden="true"><path d=${icons[name]}></path></svg>`;
