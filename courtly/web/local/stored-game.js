/** The game in this browser, stored so that it can be continued. See `LocalMatch.write` for its text. */

const STORAGE_KEY = "courtly-offline";

/** Return the stored local game, or "" if there is none. */
export function loadGame() {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? "";
  } catch {
    return "";
  }
}

/**
 * Return the id of a stored game's game and, if it was played on from another game, the number of the move from which;
 * {id: ""} if it cannot be read.
 * @param {string} text @returns {{id: string, move?: number}}
 */
export function readStoredGame(text) {
  try {
    const [[, id, , , , , origin]] = JSON.parse(text);
    return { id, move: origin?.move };
  } catch {
    return { id: "" };
  }
}

/** Store the local game. Return false if the browser refuses. @param {string} text */
export function saveGame(text) {
  try {
    localStorage.setItem(STORAGE_KEY, text);
    return true;
  } catch {
    return false;
  }
}
