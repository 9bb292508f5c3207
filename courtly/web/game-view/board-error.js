/** Errors of a game's board. The page reports them, and the game goes on without the faulty parts. */
import { html } from "lit";
import { t } from "../core/i18n.js";

/** @typedef {import("../board-sdk/board-types.js").Board} Board */
/**
 * @typedef {{message: string, location: string}} BoardError the error, and the game's file and line, if
 *   known
 */

/** Board exports that are not functions and so cannot throw. Text exports may work even if the drawing does not. */
const NON_RENDERING_EXPORTS = ["ends", "replies"];
const TEXT_EXPORTS = ["prompt", "plain", ...NON_RENDERING_EXPORTS];

/**
 * Report an error to the browser and return its message and location. Browsers give the line of a syntax error only in
 * the reported event.
 * @param {unknown} error @param {string} game
 */
export function reportAndLocate(error, game) {
  let fault = locateError({ error }, game);
  const onError = (/** @type {ErrorEvent} */ event) => {
    fault = locateError(event, game);
  };
  addEventListener("error", onError);
  reportError(error);
  removeEventListener("error", onError);
  return fault;
}

/** @param {{error: any, filename?: string, lineno?: number}} event @param {string} game @returns {BoardError} */
export function locateError({ error, filename, lineno }, game) {
  const trace = `${error?.stack} ${filename}:${lineno}:0`;
  const place = trace.match(new RegExp(`/games/${game}/([^\\s():]+:\\d+):\\d`))?.[1] ?? "";
  return { message: [String(error), ...listMissingModules(game)].join("\n"), location: place };
}

/** List the board's modules that could not be loaded, which a failed import does not name. */
const listMissingModules = (/** @type {string} */ game) =>
  performance
    .getEntriesByType("resource")
    .filter((entry) => /** @type {any} */ (entry).responseStatus === 404)
    .flatMap(({ name }) => name.match(new RegExp(`/games/${game}/(.+\\.js)$`))?.[1] ?? [])
    .map((file) => t("fault-missing", { file }));

/**
 * Return what remains of a board that threw: first the text exports, then those that cannot throw. Null if nothing
 * remains to be removed.
 * @param {Board} board
 */
export function reduceBoard(board) {
  const keptNames = board.board ? TEXT_EXPORTS : NON_RENDERING_EXPORTS;
  const keptEntries = Object.entries(board).filter(([name]) => keptNames.includes(name));
  return keptEntries.length < Object.keys(board).length ? /** @type {Board} */ (Object.fromEntries(keptEntries)) : null;
}

/** @param {BoardError} fault @param {boolean} isPictured is the board still shown? */
export const renderBoardError = ({ message, location }, isPictured) => html`<div class="fault" role="alert">
    <p>${t(isPictured ? "fault-aside" : "fault-picture")}</p>
    <pre>${location ? `${location}: ` : ""}${message}</pre></div>`;
