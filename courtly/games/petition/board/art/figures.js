/**
 * The characters as half-length figures, drawn for this game, on 64 × 72 units. The hand: a dark line of 1.4 units with
 * round joints, flat colours of the palette below, light from the upper left, so that the right side of face and body
 * lies in shade. The garment has the colour of the character's family. Hats, hair and tools tell who it is; everybody
 * looks at the reader.
 */

/** @typedef {[path: string, fill: string]} Layer */
/** @typedef {{skin: string, back?: Layer[], front: Layer[], isMasked?: boolean}} Figure */

const GARMENT = "garment"; // in the colour of the family
const SKINS = { pale: "#f3d3ae", tan: "#dcab7c", dark: "#a8734d" };
const HAIR = { dark: "#3b2a20", red: "#a6592a", blond: "#dcb05a", grey: "#d9d3c6" };
const LINEN = "#fdf6e6";
const GOLD = "#e0ad45";
const STEEL = "#b6bdc6";
const WOOD = "#8f673c";
const STRAW = "#e5c677";
const WINE = "#8e3a34";
const NIGHT = "#39456e";
const LEAF = "#7d9a57";

const SHAFT = "M51.5 12h3.5v60h-3.5z";
const HAND = "M47.5 55c1.5-2.5 8-2.5 9.5 0 .8 2.5.3 5.5-2 6.5h-5.5c-2.5-1-3-4-2-6.5z";
const LONG_BEARD = "M22 33c0 6 2 5 3.5 4 3-2 10-2 13 0 1.5 1 3.5 2 3.5-4 2 9 1 23-10 29-11-6-12-20-10-29z";
const SHORT_BEARD =
  "M21.6 31c.4 4 1.5 5.5 4 5.2 3-1.2 9.8-1.2 12.8 0 2.5.3 3.6-1.2 4-5.2 1.6 10-3 17.5-10.4 17.5S20 41 21.6 31z";
const MOUSTACHE = "M32 36.5c-3-2-7-1-8.5 2 3 1 6 .8 8.5-.6 2.5 1.4 5.5 1.6 8.5.6-1.5-3-5.5-4-8.5-2z";
const LONG_HAIR = "M32 15c-11 0-14 8-14 17 0 8-1 15-4 20h36c-3-5-4-12-4-20 0-9-3-17-14-17z";
const FRINGE = "M21 31c-1-9 3-15 11-15s12 6 11 15c-2-5-6-8-11-8s-9 3-11 8z";
const ERMINE = "M8 62c3-9 10-13 17-14l7 5 7-5c7 1 14 5 17 14-4-3-9-4-13-4l-11 7-11-7c-4 0-9 1-13 4z";
const COLLAR = "M18 50l14 8 14-8-4-4-10 6-10-6z";

/** @type {Record<string, Figure>} */
export const figures = {
  fool: {
    skin: SKINS.pale,
    front: [
      ["M32 12C21 8 8 14 6 33c4-4 9-5 14.5-3 1-5 5-8 11.5-8z", GARMENT],
      ["M32 12c11-4 24 2 26 21-4-4-9-5-14.5-3-1-5-5-8-11.5-8z", GOLD],
      ["M6 32.5a3 3 0 1 0 .1 0zM58 32.5a3 3 0 1 0 .1 0z", GOLD],
      ["M14 54l6-6 5 6 7-6 7 6 5-6 6 6-5 8-6-5-7 6-7-6-6 5z", GOLD],
    ],
  },
  charlatan: {
    skin: SKINS.tan,
    isMasked: true,
    front: [
      [MOUSTACHE, HAIR.dark],
      ["M20 28c4-2 8-1 12 1 4-2 8-3 12-1 0 6-3 8-7 7-2-.5-4-2-5-3-1 1-3 2.5-5 3-4 1-7-1-7-7z", LINEN],
      ["M28 30.5h.1M36 30.5h.1", "none"],
      ["M10 24c3-4 6-12 22-12s19 8 22 12c-7-3-14-4-22-4s-15 1-22 4z", GARMENT],
      ["M42 15c2-9 9-12 15-10-3 2-5 8-12 12z", GOLD],
    ],
  },
  farmer: {
    skin: SKINS.tan,
    back: [
      [SHAFT, WOOD],
      ["M53 18c-5-4-5-10 0-14 5 4 5 10 0 14z", STRAW],
      ["M53 30c-6-1-8-6-7-11 6 1 8 6 7 11zM53 30c6-1 8-6 7-11-6 1-8 6-7 11z", STRAW],
    ],
    front: [
      ["M6 27c6-4 13-4 15-5 1-8 5-12 11-12s10 4 11 12c2 1 9 1 15 5-8 3-17 4-26 4S14 30 6 27z", STRAW],
      ["M21 22c6 2.5 16 2.5 22 0l.6 3.5c-7 2.5-16 2.5-23.2 0z", WINE],
      [HAND, SKINS.tan],
    ],
  },
  maid: {
    skin: SKINS.pale,
    back: [
      [SHAFT, WOOD],
      ["M47 16h12.5l-1.5-14c-2 2-3 2-4.7 0-1.7 2-3 2-4.8 0z", STRAW],
    ],
    front: [
      [FRINGE, HAIR.red],
      ["M19 30c-4-3-4-9 0-11 1-6 7-9 13-9s12 3 13 9c4 2 4 8 0 11-2-6-6-9-13-9s-11 3-13 9z", LINEN],
      ["M22 52l10 6 10-6 3 20H19z", LINEN],
      [HAND, SKINS.pale],
    ],
  },
  philosopher: {
    skin: SKINS.pale,
    front: [
      ["M21 31c-3-2-3-9 1-13 0 4 0 8-1 13zM43 31c3-2 3-9-1-13 0 4 0 8 1 13z", HAIR.grey],
      [LONG_BEARD, HAIR.grey],
      ["M41 50c6-2 12-2 17 0v16c-5-2-11-2-17 0z", LINEN],
      ["M44.5 54.5q5-1.4 10 0M44.5 58.5q5-1.4 10 0M44.5 62.5q5-1.4 10 0", "none"],
    ],
  },
  laborer: {
    skin: SKINS.dark,
    back: [
      [SHAFT, WOOD],
      ["M43 9h18v9H43z", STEEL],
    ],
    front: [
      [SHORT_BEARD, HAIR.dark],
      ["M20 27c0-9 5-13 12-13s12 4 12 13c-7-4-17-4-24 0z", WINE],
      ["M44 26l7 3-3 2 1 4-6-7z", WINE],
      [HAND, SKINS.dark],
    ],
  },
  guard: {
    skin: SKINS.pale,
    back: [
      [SHAFT, WOOD],
      ["M53.3 1l3 9h-6zM50 12c-5-2-8 0-9 4 3 6 6 7 9 5zM56.5 13l5 3-5 4z", STEEL],
    ],
    front: [
      ["M11 28c5-2 8-3 10-5 0-9 5-13 11-13s11 4 11 13c2 2 5 3 10 5-6 2-13 2.5-21 2.5S17 30 11 28z", STEEL],
      ["M32 10v12", "none"],
      [MOUSTACHE, HAIR.red],
      [COLLAR, STEEL],
      [HAND, SKINS.pale],
    ],
  },
  hunter: {
    skin: SKINS.tan,
    back: [
      ["M50 8c11 14 11 46 0 62l-1.5-2c8-15 8-43 0-58z", WOOD],
      ["M49.5 9v60", "none"],
    ],
    front: [
      [SHORT_BEARD, HAIR.red],
      ["M17 27c2-10 8-14 16-14 6 0 10 3 16 12-5 0-8 1-11 3-7-3-14-3-21-1z", LEAF],
      ["M25 18C22 9 15 5 9 7c5 2 6 9 12 13z", WINE],
      [HAND, SKINS.tan],
    ],
  },
  astronomer: {
    skin: SKINS.dark,
    front: [
      [SHORT_BEARD, HAIR.grey],
      ["M20 26c0-9 5-14 12-14s12 5 12 14c-8-3-16-3-24 0z", NIGHT],
      ["M26 18.5l1 2 2 .2-1.5 1.3.5 2-2-1-2 1 .5-2-1.5-1.3 2-.2z", GOLD],
      ["M50 46a9.5 9.5 0 1 1-.1 0z", GOLD],
      ["M50 49.5a6 6 0 1 1-.1 0zM44 55.5h12M50 49.5v12", "none"],
    ],
  },
  merchant: {
    skin: SKINS.tan,
    front: [
      [MOUSTACHE, HAIR.dark],
      ["M19 28c-6-7-1-16 11-16 10 0 20 3 19 10-1 4-5 4-8 4-7-2-16-1-22 2z", GARMENT],
      ["M20 27.5c7-3 16-3.5 23-1.5l-.5 3c-7-2-15-1.5-22 1z", GOLD],
      ["M38 50h22v1.8H38zM48 44h2v12h-2z", WOOD],
      ["M37 60h9c-.5 3.5-8.5 3.5-9 0zM53 60h9c-.5 3.5-8.5 3.5-9 0z", GOLD],
      ["M41.5 51l-4.3 9M41.5 51l4.3 9M57.5 51l-4.3 9M57.5 51l4.3 9", "none"],
    ],
  },
  noblewoman: {
    skin: SKINS.pale,
    back: [["M40 4c12 10 16 26 15 50l-8-2c1-18-2-30-11-40z", LINEN]],
    front: [
      ["M19.5 27C24 16 32 6 42 2c3 8 3 15 1.5 24-7-5-16-5-24 1z", GARMENT],
      ["M19.5 27c7-6 17-6.5 24-1l.5 3.5c-8-4.5-17-4-25 .5z", GOLD],
      ["M42 68C36 60 38 50 44 45c8-1 14 2 17 8z", LINEN],
      ["M42 68l4-22M42 68l11-20M42 68l16-16", "none"],
    ],
  },
  pawnbroker: {
    skin: SKINS.pale,
    front: [
      [SHORT_BEARD, HAIR.dark],
      ["M20 27v-9c0-4 24-4 24 0v9c-8-3-16-3-24 0z", HAIR.dark],
      ["M28 28a3.6 3.6 0 1 1-.1 0zM36 28a3.6 3.6 0 1 1-.1 0z", "#ffffff66"],
      ["M45 54c-6 4-8 13-3 16h14c5-3 3-12-3-16 2-2 3-4 2-6-3 1-9 1-12 0-1 2 0 4 2 6z", WOOD],
      ["M49 58.5a4 4 0 1 1-.1 0z", GOLD],
    ],
  },
  knight: {
    skin: SKINS.pale,
    back: [["M36 14C34 4 42 0 52 3c-3 2-3 6 0 9-5-1-9 1-12 5z", WINE]],
    isMasked: true,
    front: [
      ["M19 30c0-12 5-17 13-17s13 5 13 17c0 10-5 16-13 16s-13-6-13-16z", STEEL],
      ["M19 28.5l13-2 13 2v4l-13-1.5-13 1.5z", HAIR.dark],
      ["M32 13v14M32 36v9M27 37v4M37 37v4", "none"],
      [COLLAR, STEEL],
      ["M52 20l3 3v32h-6V23zM45 55h14v3.5H45zM50.5 58.5h3.5v9h-3.5z", STEEL],
    ],
  },
  magician: {
    skin: SKINS.pale,
    back: [
      [SHAFT, WOOD],
      ["M53.3 4a6 6 0 1 1-.1 0z", GOLD],
    ],
    front: [
      [LONG_BEARD, HAIR.grey],
      ["M13 28c5-2 8-5 10-11 2-5 4-10 11-16 1 8 4 12 6 16 2 6 5 9 11 11-12 3-26 3-38 0z", GARMENT],
      ["M31 12l1 2.4 2.5.2-1.9 1.7.6 2.5-2.2-1.3-2.2 1.3.6-2.5-1.9-1.7 2.5-.2z", GOLD],
      [HAND, SKINS.pale],
    ],
  },
  alchemist: {
    skin: SKINS.tan,
    back: [["M32 11c-12 0-16 9-16 20 0 8 1 14-2 20h36c-3-6-2-12-2-20 0-11-4-20-16-20z", GARMENT]],
    front: [
      [MOUSTACHE, HAIR.dark],
      [
        "M20.5 32c-1-11 4-16 11.5-16s12.5 5 11.5 16c3-3 3.5-7 2.5-11-2-6-7-10-14-10s-12 4-14 10c-1 4-.5 8 2.5 11z",
        GARMENT,
      ],
      ["M47 46h7v2h-1v6c6 2 8 6 7.5 10-1 4-18 4-20 0-.5-4 1.5-8 7.5-10v-6h-1z", "#e6f0ef"],
      ["M42 61c4 2 14 2 18 0 1 7-19 7-18 0z", LEAF],
    ],
  },
  bishop: {
    skin: SKINS.pale,
    back: [
      [SHAFT, GOLD],
      ["M55 22h-3.5C51 12 61 14 60 8c-.5-4-7-4-8 0l-3-1c1-7 13-7 14 0 1 8-8 8-8 15z", GOLD],
    ],
    front: [
      ["M20 27C18 18 24 8 32 2c8 6 14 16 12 25-8-3-16-3-24 0z", LINEN],
      ["M30.5 8h3v6h4v3h-4v7h-3v-7h-4v-3h4z", GOLD],
      ["M20 26.5c8-3 16-3 24 0v4c-8-3-16-3-24 0z", GOLD],
      [COLLAR, GOLD],
      [HAND, SKINS.pale],
    ],
  },
  nobleman: {
    skin: SKINS.pale,
    front: [
      ["M20 40c-3-4-3-10 0-15 1 6 1 10 2 13zM44 40c3-4 3-10 0-15-1 6-1 10-2 13z", HAIR.dark],
      [MOUSTACHE, HAIR.dark],
      ["M10 25c3-2 8-3 10-4 1-6 5-9 12-9s11 3 12 9c2 1 7 2 10 4-7 3-14 3.5-22 3.5S17 28 10 25z", GARMENT],
      ["M38 14c3-8 12-13 21-10-2 8-9 12-19 14z", LINEN],
      ["M15 52c0-4 3-3 4-5 2 1 4-1 6 1 2-1 4 1 7 0 3 1 5-1 7 0 2-2 4 0 6-1 1 2 4 1 4 5-8 6-26 6-34 0z", LINEN],
      ["M20 48l3 7M27 49l1.5 7.5M37 49l-1.5 7.5M44 48l-3 7", "none"],
    ],
  },
  general: {
    skin: SKINS.tan,
    back: [
      [SHAFT, WOOD],
      ["M51.5 12V1c-5 3-10-1-16 2v13c6-3 11 1 16-2z", WINE],
    ],
    front: [
      [SHORT_BEARD, HAIR.grey],
      ["M14 28c4-1 6-3 7-6 2-5 6-8 11-8s9 3 11 8c1 3 3 5 7 6-4 3-8 2-11 0-5-2-9-2-14 0-3 2-7 3-11 0z", STEEL],
      ["M24 16c1-7 15-7 16 0-5-3-11-3-16 0z", GOLD],
      [COLLAR, STEEL],
      ["M9 60c2-7 6-10 11-11l2 7-10 7zM55 60c-2-7-6-10-11-11l-2 7 10 7z", GOLD],
      [HAND, SKINS.tan],
    ],
  },
  king: {
    skin: SKINS.pale,
    back: [
      [SHAFT, GOLD],
      ["M53.3 2l2 4 4 .5-3 3 .7 4.5-3.7-2-3.7 2 .7-4.5-3-3 4-.5z", GOLD],
    ],
    front: [
      [ERMINE, LINEN],
      ["M14 57v2M20 53v2M44 53v2M50 57v2M32 61v2", "none"],
      ["M20.5 29c0 5 1.5 7.5 4.5 7 4-2 10-2 14 0 3 .5 4.5-2 4.5-7 3 14-3 26-11.5 26S17.5 43 20.5 29z", HAIR.red],
      ["M19 25L16 8l8 7 8-11 8 11 8-7-3 17c-8-3-18-3-26 0z", GOLD],
      ["M19 25c8-3 18-3 26 0v4c-8-3-18-3-26 0z", WINE],
      [HAND, SKINS.pale],
    ],
  },
  queen: {
    skin: SKINS.pale,
    back: [[LONG_HAIR, HAIR.blond]],
    front: [
      [FRINGE, HAIR.blond],
      ["M20 21l-2-12 6 5 4-9 4 8 4-8 4 9 6-5-2 12c-8-3-16-3-24 0z", GOLD],
      [ERMINE, LINEN],
      ["M14 57v2M20 53v2M44 53v2M50 57v2", "none"],
      ["M32 57l3.5 4-3.5 4-3.5-4z", WINE],
    ],
  },
};
