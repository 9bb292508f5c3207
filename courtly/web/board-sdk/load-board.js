/** Loads a game's board and its style sheet. */
import { gameUrl } from "../core/i18n.js";

/** @typedef {import("../core/api-types.js").GameInfo} About @typedef {import("./board-types.js").Board} Board */

/**
 * Load the board; `error` says why it failed. A game without a board gets the plain rendering.
 * @param {string} game @param {Promise<About>} about @returns {Promise<{board: Board, error?: unknown}>}
 */
export async function loadBoard(game, about) {
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = new URL("board/board.css", gameUrl(game)).href;
  try {
    const board = await import(new URL("board/board.js", gameUrl(game)).href);
    await new Promise((done) => {
      style.onload = style.onerror = done;
      document.head.append(style);
    });
    return { board };
  } catch (error) {
    return (await about).board ? { board: {}, error } : { board: {} };
  }
}
