/** What is wrong with a game's board, told on the page while the game goes on without it. */
import { html } from "lit";
import { t } from "../core/i18n.js";

/** @typedef {import("../board-sdk/board-types.js").Board} Board */
/** @typedef {{said: string, place: string}} Fault what went wrong, and the file of the game with its line, if known */

/** What is no function cannot throw; sentences may be sound where the picture is not. */
const THINGS = ["ends", "replies"];
const SENTENCES = ["prompt", "plain", ...THINGS];

/**
 * What went wrong, once it has been reported: only then browsers tell in which line something cannot be read.
 * @param {unknown} error @param {string} game
 */
export function report(error, game) {
  let fault = faultOf({ error }, game);
  const hear = (/** @type {ErrorEvent} */ event) => {
    fault = faultOf(event, game);
  };
  addEventListener("error", hear);
  reportError(error);
  removeEventListener("error", hear);
  return fault;
}

/** @param {{error: any, filename?: string, lineno?: number}} event @param {string} game @returns {Fault} */
export function faultOf({ error, filename, lineno }, game) {
  const there = `${error?.stack} ${filename}:${lineno}:0`;
  const place = there.match(new RegExp(`/games/${game}/([^\\s():]+:\\d+):\\d`))?.[1] ?? "";
  return { said: [String(error), ...missing(game)].join("\n"), place };
}

/** Modules that the board asked for and that are not there: an import that fails does not name them. */
const missing = (/** @type {string} */ game) =>
  performance
    .getEntriesByType("resource")
    .filter((entry) => /** @type {any} */ (entry).responseStatus === 404)
    .flatMap(({ name }) => name.match(new RegExp(`/games/${game}/(.+\\.js)$`))?.[1] ?? [])
    .map((file) => t("fault-missing", { file }));

/** What is left to try of a board that threw: at first its sentences too. Null: nothing. @param {Board} board */
export function less(board) {
  const kept = board.board ? SENTENCES : THINGS;
  const left = Object.entries(board).filter(([name]) => kept.includes(name));
  return left.length < Object.keys(board).length ? /** @type {Board} */ (Object.fromEntries(left)) : null;
}

/** @param {Fault} fault @param {boolean} pictured is the board shown all the same? */
export const told = ({ said, place }, pictured) => html`<div class="fault" role="alert">
    <p>${t(pictured ? "fault-aside" : "fault-picture")}</p>
    <pre>${place ? `${place}: ` : ""}${said}</pre></div>`;
