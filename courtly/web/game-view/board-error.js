/** What is wrong with a game's board, told on the page while the game goes on without it. */
import { html } from "lit";
import { t } from "../core/i18n.js";

/** @typedef {import("../board-sdk/board-types.js").Board} Board */
/**
 * @typedef {{message: string, location: string}} BoardError what went wrong, and the file of the game with its
 *   line, if known
 */

/** What is no function cannot throw; sentences may be sound where the picture is not. */
const NON_RENDERING_EXPORTS = ["ends", "replies"];
const TEXT_EXPORTS = ["prompt", "plain", ...NON_RENDERING_EXPORTS];

/**
 * What went wrong, once it has been reported: only then browsers tell in which line something cannot be read.
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

/** Modules that the board asked for and that are not there: an import that fails does not name them. */
const listMissingModules = (/** @type {string} */ game) =>
  performance
    .getEntriesByType("resource")
    .filter((entry) => /** @type {any} */ (entry).responseStatus === 404)
    .flatMap(({ name }) => name.match(new RegExp(`/games/${game}/(.+\\.js)$`))?.[1] ?? [])
    .map((file) => t("fault-missing", { file }));

/** What is left to try of a board that threw: at first its sentences too. Null: nothing. @param {Board} board */
export function reduceBoard(board) {
  const keptNames = board.board ? TEXT_EXPORTS : NON_RENDERING_EXPORTS;
  const left = Object.entries(board).filter(([name]) => keptNames.includes(name));
  return left.length < Object.keys(board).length ? /** @type {Board} */ (Object.fromEntries(left)) : null;
}

/** @param {BoardError} fault @param {boolean} pictured is the board shown all the same? */
export const renderBoardError = ({ message, location }, pictured) => html`<div class="fault" role="alert">
    <p>${t(pictured ? "fault-aside" : "fault-picture")}</p>
    <pre>${location ? `${location}: ` : ""}${message}</pre></div>`;
