/** Amounts in the log: what a move has changed. The same as courtly/engine/logged.py. */
import { readField } from "./record-fields.js";

/** @typedef {import("../core/api-types.js").Change} Change */

/**
 * @param {import("./description.js").GameDescription} description @param {Uint8Array} before the state before the move
 * @param {Uint8Array} after the state after it @param {number} seat that has moved, or that of random events
 * @param {string} verb of the move or event
 * @returns {Change[]}
 */
export function findChanges({ logged, record, event_seat }, before, after, seat, verb) {
  /** @type {Change[]} */
  const changes = [];
  for (const { field, names, verbs } of logged) {
    if (verbs.length && !verbs.includes(verb)) continue;
    const { [field]: about } = record.fields;
    const then = [readField(before, about)].flat(2);
    const now = [readField(after, about)].flat(2);
    for (const [i, number] of now.entries()) {
      const owner = about.shape.length ? Math.floor(i / names.length) : seat;
      if (number !== then[i] && owner !== event_seat)
        changes.push({ seat: owner, name: names[i % names.length], n: number - then[i] });
    }
  }
  return changes;
}
