import { svg } from "lit";

/** A drawing for each honour, 32 by 32. */
const HONOUR_PATHS = {
  slippers: "M4 20c0-4 3-6 6-5l7 3c2 1 2 5 0 5H6c-1 0-2-1-2-3z M15 13c0-4 3-6 6-5l7 3c2 1 2 5 0 5h-9",
  candle: "M13 13h6v11h-6zM8 24h16l-3 4H11z M16 3c4 4 2 7 0 7s-4-3 0-7z",
  curtain: "M4 4h24M6 4c0 10 4 11 3 24H5zM26 4c0 10-4 11-3 24h4zM6 4c8 1 9 6 10 6s2-5 10-6",
  basin: "M3 15h26c0 7-5 10-9 10h-8c-4 0-9-3-9-10zM12 25l-2 3h12l-2-3 M16 3c4 5 3 8 0 8s-4-3 0-8z",
  gloves: `M10 28V17l-4-4c-1-2 1-3 3-2l3 3V6c0-2 3-2 3 0v6V4c0-2 3-2 3 0v8-6c0-2 3-2 3 0v8-5c0-2 3-2 3 0v9c0 4-3 6-3 10z
    M10 24h11`,
  wig: `M16 4c7 0 10 5 9 11 3 1 4 5 1 7 1 4-2 6-5 5 0-5-1-10-1-12-3 1-6-1-8-3 0 5 0 10-1 15-3 1-6-1-5-5-3-2-2-6 1-7
    C6 9 9 4 16 4z`,
  shirt: "M12 4c2 3 6 3 8 0l9 6-3 6-4-2v14H10V14l-4 2-3-6zM16 7v10",
  cloak: "M13 4h6c6 3 9 14 9 24-7-3-17-3-24 0 0-10 3-21 9-24z M13 4c0 4 6 4 6 0M16 8v18",
  sword: "M27 4l-1 7-12 12-4-4L22 7zM7 17l8 8M10 22l-5 5",
  crown: "M5 25L3 9l8 6 5-10 5 10 8-6-2 16zM5 25h22v3H5z",
};

export const renderHonour = (honour) =>
  svg`<svg viewBox="0 0 32 32" aria-hidden="true"><path d=${HONOUR_PATHS[honour]} /></svg>`;
