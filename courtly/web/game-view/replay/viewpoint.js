/** From whose view the replay of a finished game opens, and the addresses of replays. */

/**
 * Return the viewpoint of the reader who played in the game; everything open for others,
 * and for a reader who played several seats.
 * @param {{seat: number, you: boolean}[]} seats @returns {number | "all"}
 */
export function findOwnViewpoint(seats) {
  const own = seats.filter(({ you }) => you);
  return own.length === 1 ? own[0].seat : "all";
}

/** Return the address of a finished table's replay. @param {string} id @param {{seat: number, you: boolean}[]} seats */
export function replayAddress(id, seats) {
  const viewpoint = findOwnViewpoint(seats);
  return `/t/${id}?ply=0${viewpoint === "all" ? "" : `&seat=${viewpoint}`}`;
}

/**
 * Return the URL of a moment of a replay.
 * @param {string} path @param {number | null} ply @param {import("./replay.js").Viewpoint} viewpoint
 */
export const momentAddress = (path, ply, viewpoint) =>
  `${path}?ply=${ply ?? 0}${viewpoint === "all" ? "" : `&seat=${viewpoint}`}`;
