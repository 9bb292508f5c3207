/** The replay of a record in this browser. */
import { CommandRefusedError, InvalidRecordError } from "../engine/errors.js";
import { describeFormat, iterateRecord, readHead } from "../engine/record-reader.js";
import { RECORD_FORMAT } from "../engine/record-writer.js";
import { ViewHistory } from "../engine/view-history.js";
import { makeDetachedTable } from "./detached-table.js";

/** @typedef {import("./game-library.js").GameLibrary} GameLibrary */
/** @typedef {import("./local-match.js").Viewpoint} Viewpoint */

const MAX_QUOTED_LENGTH = 40; // characters of a game's name or version in an error
const MAX_NAME_CHARACTERS = 24;
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u; // control and formatting characters, and separators of lines
const LONE_SURROGATE = /\p{Cs}/gu; // half of a character, which cannot be sent
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Return what a viewpoint saw in the game of a record, with the table. Throws CommandRefusedError if the record is not
 * valid, its game or its version of it is not there, or it has no such seat.
 * @param {GameLibrary} library @param {string} text @param {Viewpoint} viewpoint
 */
export async function replayRecord(library, text, viewpoint) {
  try {
    const head = readHead(text);
    const playable = head.courtly === RECORD_FORMAT ? await loadGame(library, head) : null;
    if (typeof viewpoint === "number" && !(viewpoint >= 0 && viewpoint < head.players))
      throw new CommandRefusedError("error-unknown-seat", { seat: viewpoint });
    if (!playable) throw new InvalidRecordError(1, describeFormat(head));
    const history = new ViewHistory(viewpoint);
    /** @type {any} */
    let last;
    for (const match of iterateRecord(playable.game, text)) {
      history.recordMoment(match);
      last = match;
    }
    return { ...history.replay(true), table: makeDetachedTable(last, readNames(head, last.players)) };
  } catch (error) {
    if (!(error instanceof InvalidRecordError)) throw error;
    throw new CommandRefusedError("error-record", { line: error.line, why: error.reason });
  }
}

/** @param {GameLibrary} library @param {Record<string, any>} head */
async function loadGame(library, head) {
  const quote = (/** @type {any} */ value) =>
    [...String(value)].slice(0, MAX_QUOTED_LENGTH).join("").replace(LONE_SURROGATE, "?");
  const id = quote(head.game);
  if (!(await library.has(id))) throw new CommandRefusedError("error-record-game", { game: id });
  const playable = await library.load(id);
  const { version, earlier } = playable.description;
  if (head.version !== version && !Object.hasOwn(earlier, head.version))
    throw new CommandRefusedError("error-record-version", {
      game: id,
      played: quote(head.version),
      installed: version,
    });
  return playable;
}

/**
 * Return the names of the seats; "" for a name that cannot be shown.
 * @param {Record<string, any>} head @param {number} players
 */
const readNames = ({ seats }, players) =>
  Array.from({ length: players }, (_, seat) => {
    const name = Array.isArray(seats) && typeof seats[seat] === "string" ? seats[seat].normalize("NFC").trim() : "";
    return [...name].length <= MAX_NAME_CHARACTERS && VISIBLE.test(name) && !INVISIBLE.test(name) ? name : "";
  });
