/** Reads records and checks everything in them: see courtly/engine/transcript.py. */
import { readChance } from "./chance.js";
import { InvalidRecordError, JournalCorruptedError } from "./errors.js";
import { parseJson } from "./json-text.js";
import { Match } from "./match.js";
import { outcomeWeights, RECORD_FORMAT } from "./record-writer.js";

/** @typedef {import("./game.js").Game} Game @typedef {import("./match.js").Entry} Entry */

const BYTE_ORDER_MARK = "\ufeff";
const BLANK = /^[ \t\r]*$/;

/**
 * Return the first line of a record, which names its game; {} if the record is empty. Throws InvalidRecordError if it
 * is not JSON.
 * @param {string} text @returns {Record<string, any>}
 */
export const readHead = (text) => numberedLines(text).next().value?.line ?? {};

/**
 * Replay a record and check everything: the legality of moves and undos, every random outcome, and the scores. Throws
 * InvalidRecordError, with the first invalid line.
 * @param {Game} game @param {string} text
 */
export function readRecord(game, text) {
  let last;
  for (const match of iterateRecord(game, text)) last = match;
  return /** @type {Match} */ (last);
}

/**
 * Yield the match of a record at each decision and at its end; it is the same object. A line is read only when the
 * caller asks for the next match. Throws InvalidRecordError at the first invalid line.
 * @param {Game} game @param {string} text @returns {Generator<Match>}
 */
export function* iterateRecord(game, text) {
  const lines = numberedLines(text);
  const first = lines.next().value;
  if (!first) throw new InvalidRecordError(1, "the file is empty");
  const match = orInvalidLine(first.number, "", () => beginMatch(game, first.line));
  if (!match.position.isChance) yield match;
  let { number } = first;
  /** @type {Record<string, any>} */
  let end = {};
  for (let next = lines.next().value; next; next = lines.next().value) {
    const { line } = next;
    number = next.number;
    if ("over" in line && !("ply" in line)) {
      end = line;
      break;
    }
    orInvalidLine(number, "cannot be read: ", () => followLine(match, line));
    if (!match.position.isChance) yield match;
  }
  const { isOver, scores } = match.position;
  if (end.over !== isOver || JSON.stringify(end.scores ?? null) !== JSON.stringify(scores))
    throw new InvalidRecordError(
      number,
      `the replay ends with over: ${isOver}, scores: ${JSON.stringify(scores)}, but the record ends otherwise`,
    );
  const more = lines.next().value;
  if (more) throw new InvalidRecordError(more.number, "follows the line that ends the record");
  yield match;
}

/**
 * Return a result, or throw any error as an InvalidRecordError of this line.
 * @template T @param {number} number @param {string} prefix of the reason @param {() => T} compute @returns {T}
 */
function orInvalidLine(number, prefix, compute) {
  try {
    return compute();
  } catch (/** @type {any} */ error) {
    if (error instanceof JournalCorruptedError) throw new InvalidRecordError(number, error.reason);
    throw new InvalidRecordError(number, `${prefix}${error.message}`);
  }
}

/** Return why the first line is not that of a record. @param {Record<string, any>} head */
export const describeFormat = ({ courtly }) =>
  `is not a record of format ${RECORD_FORMAT}: "courtly" is ${JSON.stringify(courtly)}`;

/** @param {Game} game @param {Record<string, any>} head */
function beginMatch(game, head) {
  const { version, earlier } = game.description;
  if (head.courtly !== RECORD_FORMAT) throw new Error(describeFormat(head));
  if (head.game !== game.id) throw new Error(`is a record of ${JSON.stringify(head.game)}, expected ${game.id}`);
  const isEarlier = Object.hasOwn(earlier, head.version);
  if (head.version !== version && !isEarlier)
    throw new Error(`needs version ${JSON.stringify(head.version)} of ${game.id}, but version ${version} is installed`);
  const chance = readChance(head.chance);
  const options = head.options || {};
  if (!isObject(options)) throw new Error("options are not an object");
  return new Match(game, {
    players: head.players || 0,
    options: { ...(isEarlier && earlier[head.version]), ...options },
    chance,
    start: false,
  });
}

/** Apply the entries of a line. @param {Match} match @param {Record<string, any>} line */
function followLine(match, line) {
  if ("of" in line && !haveEqualWeights(line.of, outcomeWeights(match.position)))
    throw new JournalCorruptedError(line.ply, 'the rules give other possible events or weights than "of"');
  for (const entry of readEntries(match, line)) match.follow(entry, true);
}

/** @param {any} listed @param {Record<string, number>} weights */
function haveEqualWeights(listed, weights) {
  const names = Object.keys(weights);
  return (
    isObject(listed) &&
    Object.keys(listed).length === names.length &&
    names.every((name) => Object.hasOwn(listed, name) && listed[name] === weights[name])
  );
}

/** @param {Match} match @param {Record<string, any>} line @returns {Entry[]} */
function readEntries({ game: { moves, description } }, line) {
  const { ply, seat, at = null, undo } = line;
  if (!Number.isInteger(ply)) throw new Error('"ply" is not a whole number');
  if ("undo" in line) return [{ ply, seat, move: -1, at, batch: ply, undo }];
  if ("event" in line)
    return [{ ply, seat: description.event_seat, move: moves.read(line.event), at, batch: ply, undo: 0 }];
  /** @type {string[]} */
  const words = line.moves;
  return words.map((move, i) => ({ ply: ply + i, seat, move: moves.read(move), at, batch: ply, undo: 0 }));
}

/**
 * Yield the lines of a record, with their numbers in the file, counted from 1. A byte order mark and blank lines are
 * skipped. Only a line feed ends a line, because other separators may be part of a name. Throws InvalidRecordError at
 * the first line that is not a JSON object.
 * @param {string} text @returns {Generator<{number: number, line: Record<string, any>}, undefined>}
 */
function* numberedLines(text) {
  const content = text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
  for (const [index, raw] of content.split("\n").entries()) {
    if (BLANK.test(raw)) continue;
    let line;
    try {
      line = parseJson(raw);
    } catch {
      throw new InvalidRecordError(index + 1, "is not JSON");
    }
    if (!isObject(line)) throw new InvalidRecordError(index + 1, "is not a JSON object");
    yield { number: index + 1, line };
  }
}

/** @param {any} value */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
