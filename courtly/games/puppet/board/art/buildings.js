/**
 * The buildings, drawn for this game on 80 × 64 units. The hand: a dark line of 1.4 units with round joints, flat
 * colours of the palette below, light from the upper left, so that right walls lie in shade. Roofs, flags and awnings
 * have the colour of the category.
 */

/** @typedef {[path: string, fill: string]} Layer */

const KIND = "kind";
const WALL = "#f4e6c8";
const SHADE = "#d8c19a";
const STONE = "#c9c4b8";
const DARK_STONE = "#9d978b";
const WOOD = "#a97c4b";
const DARK = "#4a3526";
const GOLD = "#e0ad45";
const LEAF = "#7d9a57";
const DARK_LEAF = "#54713f";
const WATER = "#9cc0d8";
const GLASS = "#d3e6e6";
const ROSE = "#c8605a";

/** @type {Layer} */
const GROUND = ["M4 58h72c-3 3-69 3-72 0z", LEAF];

/** @type {Record<string, Layer[]>} */
export const buildings = {
  palace: [
    GROUND,
    ["M22 28h36v30H22z", WALL],
    ["M46 28h12v30H46z", SHADE],
    ["M10 22h14v36H10zM56 22h14v36H56z", WALL],
    ["M8 22l9-15 9 15zM54 22l9-15 9 15zM20 28l20-13 20 13z", KIND],
    ["M17 7V2l6 2-6 2M63 7V2l6 2-6 2", GOLD],
    ["M35 58V46c0-6 10-6 10 0v12z", DARK],
    ["M15 30h4v7h-4zM61 30h4v7h-4zM27 34h4v6h-4zM49 34h4v6h-4z", DARK],
  ],
  treasury: [
    GROUND,
    ["M14 30h52v28H14z", WALL],
    ["M50 30h16v28H50z", SHADE],
    ["M9 30l31-18 31 18z", KIND],
    ["M40 18a4.5 4.5 0 1 1-.1 0z", GOLD],
    ["M19 33h4v21h-4zM57 33h4v21h-4zM29 33h4v21h-4zM47 33h4v21h-4z", WALL],
    ["M11 54h58v4H11z", STONE],
    ["M36 38h8v16h-8z", DARK],
    ["M60 58c0-4 12-4 12 0v3c0 3-12 3-12 0z", GOLD],
  ],
  garden: [
    ["M4 56h72c-3 5-69 5-72 0z", LEAF],
    ["M8 56V40c6-5 14-5 19 0v16zM53 56V40c5-5 13-5 19 0v16z", DARK_LEAF],
    ["M28 56c2-4 22-4 24 0z", WATER],
    ["M38.5 54V36h3v18zM30 42c2 5 18 5 20 0z", STONE],
    ["M40 36c-6-2-8 2-8 5M40 36c6-2 8 2 8 5", "none"],
    ["M12 44a3 3 0 1 1-.1 0zM20 49a3 3 0 1 1-.1 0zM60 49a3 3 0 1 1-.1 0zM67 43a3 3 0 1 1-.1 0z", ROSE],
    ["M22 56V26c0-22 36-22 36 0v30h-3.5V27c0-17-29-17-29 0v29z", KIND],
  ],
  quarry: [
    GROUND,
    ["M6 58l10-28 16-12 18 6 14 10 12 24z", STONE],
    ["M50 24l14 10 12 24H58z", DARK_STONE],
    ["M16 30l14 6 20-12M30 36l-4 22", "none"],
    ["M22 58l4-9h12l4 9zM42 58l3-6h9l3 6z", STONE],
    ["M62 58l5-44h3l5 44h-3.5L68.5 24 65.5 58z", WOOD],
    ["M44 14l32-6v4l-32 6z", WOOD],
    ["M48 17v9", "none"],
    ["M43 26h10v7H43z", KIND],
  ],
  arena: [
    GROUND,
    ["M8 56V28c0-12 64-12 64 0v28c-8 4-56 4-64 0z", WALL],
    ["M56 22c10 1 16 3 16 6v28c-4 2-10 3-16 3z", SHADE],
    ["M8 28c0-12 64-12 64 0s-64 12-64 0z", GOLD],
    ["M16 27c0-7 48-7 48 0s-48 7-48 0z", WOOD],
    ["M14 56V45c0-5 7-5 7 0v12zM27 58V47c0-5 7-5 7 0v12zM46 59V47c0-5 7-5 7 0v11zM59 57V45c0-5 7-5 7 0v11z", DARK],
    ["M20 20V8l9 3-9 3M60 20V8l9 3-9 3", KIND],
  ],
  botanic: [
    GROUND,
    ["M12 58V32l28-18 28 18v26z", GLASS],
    ["M40 14l28 18v26H40z", "#b9d4d2"],
    ["M22 58c-3-8 0-16 6-20 5 5 8 12 4 20zM46 58c-4-10 0-18 7-24 7 7 8 16 4 24z", DARK_LEAF],
    ["M12 32h56M40 14v44M26 23v35M54 23v35", "none"],
    ["M10 32L40 12l30 20-2 3-28-18-28 18z", KIND],
    ["M10 56h60v3H10z", WOOD],
  ],
  ranch: [
    GROUND,
    ["M16 58V32l8-12 20-8 20 8 8 12v26z", WALL],
    ["M56 17l8 3 8 12v26H56z", SHADE],
    ["M12 32l10-14 22-9 22 9 10 14h-6l-7-9-19-7-19 7-6 9z", KIND],
    ["M34 58V40h20v18z", WOOD],
    ["M34 40l20 18M54 40L34 58M40 24h8v8h-8z", "none"],
    ["M2 58V46M10 58V46M0 50h12M0 54h12", "none"],
  ],
  cathedral: [
    GROUND,
    ["M14 58V24h14v34zM52 58V24h14v34z", WALL],
    ["M28 58V34l12-10 12 10v24z", WALL],
    ["M46 29l6 5v24h-6zM60 24h6v34h-6z", SHADE],
    ["M12 24l9-20 9 20zM50 24l9-20 9 20zM26 35l14-12 14 12-2 2-12-10-12 10z", KIND],
    ["M40 36a5.5 5.5 0 1 1-.1 0z", WATER],
    ["M35 58V52c0-6 10-6 10 0v6zM19 32h4v10h-4zM57 32h4v10h-4z", DARK],
  ],
  barracks: [
    GROUND,
    ["M8 34h64v24H8z", STONE],
    ["M54 34h18v24H54z", DARK_STONE],
    ["M8 34v-6h6v4h6v-4h6v4h6v-4h16v4h6v-4h6v4h6v-4h6v6z", STONE],
    ["M34 32V18h12v14z", STONE],
    ["M40 18V4l14 4-14 4", KIND],
    ["M33 58V46h14v12z", WOOD],
    ["M40 46v12M14 42h4v7h-4zM23 42h4v7h-4zM54 42h4v7h-4zM63 42h4v7h-4z", DARK],
  ],
  store: [
    GROUND,
    ["M12 26h56v32H12z", WALL],
    ["M54 26h14v32H54z", SHADE],
    ["M16 26l6-14h36l6 14z", WOOD],
    ["M8 26h64l-3 10c-3 3-7 3-10 0-3 3-7 3-10 0-3 3-7 3-9 0-3 3-6 3-9 0-3 3-7 3-10 0-3 3-7 3-10 0z", KIND],
    ["M18 58V43h14v15z", DARK],
    ["M38 42h24v10H38z", GLASS],
    ["M36 52h28v6H36zM44 42h5v10h-5z", WOOD],
  ],
  weapon: [
    GROUND,
    ["M14 28h40v30H14z", WALL],
    ["M42 28h12v30H42z", SHADE],
    ["M9 28l25-16 25 16z", KIND],
    ["M54 58V18h10v40z", DARK_STONE],
    ["M59 14c-4-2-2-6 0-8 3 3 5 5 3 8z", STONE],
    ["M34 18l4 3v14l3 2h-5v5h-4v-5h-5l3-2V21z", STONE],
    ["M28 58V46h12v12z", DARK],
    ["M62 58v-6h-4v-4h18v4h-5v6z", DARK],
  ],
  diner: [
    GROUND,
    ["M12 30h56v28H12z", WALL],
    ["M54 30h14v28H54z", SHADE],
    ["M8 30l8-14h48l8 14z", KIND],
    ["M52 16V6h7v10z", DARK_STONE],
    ["M18 37h12v10H18zM50 37h12v10H50z", GOLD],
    ["M24 37v10M56 37v10", "none"],
    ["M34 58V42c0-4 12-4 12 0v16z", WOOD],
    ["M34 20h12v8H34z", WALL],
    ["M37 22v2.5c0 2 6 2 6 0V22zM40 26v1.5", GOLD],
  ],
  arch: [
    GROUND,
    ["M14 58V22h52v36H52V42c0-14-24-14-24 0v16z", WALL],
    ["M54 22h12v36H54z", SHADE],
    ["M10 22v-5h60v5zM16 17v-7h48v7z", STONE],
    ["M36 10l4-8 4 8z", GOLD],
    ["M18 28h6v24h-6zM56 28h6v24h-6z", STONE],
    ["M32 32h16v5H32z", KIND],
    ["M12 58v-4h18v4zM50 58v-4h18v4z", STONE],
  ],
  island: [
    ["M2 48h76c0 14-76 14-76 0z", WATER],
    ["M10 50c4-10 14-12 30-12s26 2 30 12c-8 5-52 5-60 0z", LEAF],
    ["M32 42V22h18v20z", WALL],
    ["M44 22h6v20h-6z", SHADE],
    ["M29 22l12-12 12 12z", KIND],
    ["M38 42v-8h6v8z", DARK],
    ["M19 44l2-16h2l1 16z", WOOD],
    ["M22 28c-8-5-12 0-13 3 5-2 9-1 13-3 2 2 7 2 10 5 0-5-4-9-10-5z", DARK_LEAF],
    ["M58 54c3 4 12 4 15 0zM65 54V44l6 6z", WALL],
  ],
  forest: [
    GROUND,
    ["M17 58V40h6v18zM57 58V40h6v18z", WOOD],
    ["M20 8l12 18h-5l9 16H4l9-16H8zM60 8l12 18h-5l9 16H44l9-16h-5z", DARK_LEAF],
    ["M34 60c2-8 2-14-3-20 4 0 6 2 7 5 0-5 0-8-2-11 4 1 6 5 6 10 1-3 3-5 7-5-5 6-5 13-2 21z", DARK],
    ["M40 8c14 0 20 8 18 16-2 10-10 12-18 12s-16-2-18-12C20 16 26 8 40 8z", KIND],
    ["M35 21h.1M45 21h.1", "none"],
    ["M33 27q7 5 14 0", "none"],
  ],
  black: [
    GROUND,
    ["M14 30h52v28H14z", DARK_STONE],
    ["M10 30l6-16h48l6 16z", KIND],
    ["M20 58V38h40v20z", DARK],
    ["M16 34c6 4 8 14 4 24h-4zM64 34c-6 4-8 14-4 24h4z", ROSE],
    ["M33 54c0-8 2-12 7-12s7 4 7 12z", KIND],
    ["M37.5 48h.1M42.5 48h.1", "none"],
    ["M24 54h32v4H24z", WOOD],
    ["M66 26h6v7h-6z", GOLD],
  ],
};
