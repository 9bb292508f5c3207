/** Writes a match as a record: see courtly/engine/transcript.py. */
import { CommittedChance, SuccessiveChance } from "./chance.js";
import { writeJson } from "./json-text.js";

/** @typedef {import("./match.js").Match} Match @typedef {import("./match.js").Entry} Entry */
/** @typedef {import("./position.js").Position} Position */

export const RECORD_FORMAT = 1;

/**
 * Return the game so far as JSON Lines.
 * @param {Match} match @param {Record<string, any>} extraKeys additional keys of the first line, such as `seats`
 */
export function writeRecord(match, extraKeys = {}) {
  const { description, id } = match.game;
  const head = {
    courtly: RECORD_FORMAT,
    game: id,
    version: description.version,
    players: match.players,
    options: match.position.options,
    chance: match.chance.describe(),
    ...extraKeys,
  };
  const end = { over: match.position.isOver, scores: match.position.scores };
  return [head, ...commandLines(match), end].map((line) => `${writeJson(line)}\n`).join("");
}

/** Return the lines of the commands and random events. @param {Match} match */
function commandLines(match) {
  const { moves, description } = match.game;
  const events = match.doneMoves.filter(({ seat }) => seat === description.event_seat); // none was taken back
  const listsOutcomes = [CommittedChance, SuccessiveChance].some((kind) => match.chance instanceof kind);
  let eventCount = 0;
  return groupByBatch(match.entries).map((entries) => {
    const { ply, seat, move, at, undo } = entries[0];
    /** @type {Record<string, any>} */
    const line = { ply };
    if (undo) Object.assign(line, { seat, undo });
    else if (seat === description.event_seat) {
      line.event = moves.toWords(move);
      const { before } = events[eventCount++];
      if (listsOutcomes) line.of = outcomeWeights(before);
    } else Object.assign(line, { seat, moves: entries.map((entry) => moves.toWords(entry.move)) });
    return at === null ? line : { ...line, at };
  });
}

/** @param {Entry[]} entries */
function groupByBatch(entries) {
  /** @type {Entry[][]} */
  const groups = [];
  for (const entry of entries) {
    if (groups.at(-1)?.[0].batch === entry.batch) groups.at(-1)?.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

/** Return the weights of the possible random events, by their words. @param {Position} position */
export function outcomeWeights(position) {
  const { moves, weights } = position.outcomes();
  return Object.fromEntries(moves.map((move, i) => [position.game.moves.toWords(move), weights[i]]));
}
