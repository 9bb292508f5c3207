/** Icons of the shell's own buttons, drawn with strokes on a 24 × 24 grid. */
import { html } from "lit";

const ICON_PATHS = {
  back: "M15 5l-7 7 7 7",
  close: "M6 6l12 12M18 6L6 18",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  book: "M4 5a2 2 0 0 1 2-2h5v17H6a2 2 0 0 0-2 2zM20 5a2 2 0 0 0-2-2h-5v17h5a2 2 0 0 1 2 2z",
  log: "M5 4h14M5 9h14M5 14h9M5 19h6",
  menu: "M4 6h16M4 12h16M4 18h16",
  text: "M5 5h14M12 5v15M9 20h6",
  picture: "M3 5h18v14H3zM3 16l5-5 4 4 4-5 5 5",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  play: "M7 4l13 8-13 8z",
  pause: "M8 5v14M16 5v14",
  before: "M15 5l-8 7 8 7",
  after: "M9 5l8 7-8 7",
  farBack: "M19 5l-7 7 7 7M12 5l-7 7 7 7",
  farOn: "M5 5l7 7-7 7M12 5l7 7-7 7",
  people:
    "M8 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2 20c0-4 2.5-6 6-6s6 2 6 6M16 11a3 3 0 1 0-1-5.8M17 14c3 0 5 2 5 6",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 3",
  eye: "M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  bot: "M6 9h12v10H6zM12 5v4M12 4.5v.5M9.5 13v1.5M14.5 13v1.5M3 12v4M21 12v4",
  away: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM6 6l12 12",
  dice: "M5 5h14v14H5zM9 9v.01M15 15v.01M15 9v.01M9 15v.01M12 12v.01",
  hint: "M9 18h6M10 21h4M8.5 15c-2-1.4-3-3.3-3-5.5a6.5 6.5 0 0 1 13 0c0 2.2-1 4.1-3 5.5v.5h-7z",
  qr: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h3v3M20 14v6h-6",
  chat: "M4 5h16v11h-9l-5 4v-4H4z",
  mute: "M4 10v4h4l5 4V6l-5 4zM17 10l4 4M21 10l-4 4",
  chart: "M4 4v16h16M7 15l4-5 3 3 5-7",
  more: "M5 12v.01M12 12v.01M19 12v.01",
};

/** @param {keyof typeof ICON_PATHS} name */
export const renderUiIcon = (name) =>
  html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d=${ICON_PATHS[name]}></path></svg>`;
