/** The game in this browser, stored so that it can be continued. See `LocalMatch.write` for its text. */
import { sha256, toHex } from "../core/sha256.js";

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
 * Return the id of a stored game's game and, if it was played on from another game, the number of the move from which
 * and the address of that moment; {id: ""} if it cannot be read.
 * @param {string} text @returns {{id: string, move?: number, address?: string}}
 */
export function readStoredGame(text) {
  try {
    const [[, id, , , , , origin]] = JSON.parse(text);
    return { id, move: origin?.move, address: origin?.address };
  } catch {
    return { id: "" };
  }
}

/** Return what tells a record from others in an address. @param {string} record */
export const identifyRecord = (record) => toHex(sha256(new TextEncoder().encode(record))).slice(0, 16);

/** Return the game that the address of a moment belongs to: a table, or a record. @param {string} address */
export const gameOfAddress = (address) => address.replace(/\?[^#]*/, "");

/** Store the local game. Return false if the browser refuses. @param {string} text */
export function saveGame(text) {
  try {
    localStorage.setItem(STORAGE_KEY, text);
    return true;
  } catch {
    return false;
  }
}
