/** Amounts in the log: what a move has changed. The same as courtly/engine/logged.py. */
import { readField } from "./record-fields.js";

/** @typedef {import("../core/api-types.js").Change} Change */

/**
 * Return whether a state is in one of these phases.
 * @param {number[]} phases @param {Uint8Array} state @param {import("./description.js").Field} phase the field
 */
const isIn = (phases, state, phase) => phases.includes(/** @type {number} */ (readField(state, phase)));

/**
 * @param {import("./description.js").GameDescription} description @param {Uint8Array} before the state before the move
 * @param {Uint8Array} after the state after it @param {number} seat that has moved, or that of random events
 * @param {string} verb of the move or event
 * @returns {Change[]}
 */
export function findChanges({ logged, record, event_seat }, before, after, seat, verb) {
  /** @type {Change[]} */
  const changes = [];
  for (const { field, names, verbs, revealed_after: phases } of logged) {
    if (verbs.length && !verbs.includes(verb)) continue;
    const { [field]: about, phase } = record.fields;
    if (phases.length && (!isIn(phases, before, phase) || isIn(phases, after, phase))) continue;
    const then = [readField(before, about)].flat(2);
    const now = [readField(after, about)].flat(2);
    for (const [i, number] of now.entries()) {
      const owner = about.shape.length ? Math.floor(i / names.length) : seat;
      const name = names[i % names.length];
      if (phases.length) {
        if (number) changes.push({ seat: owner, name, n: number, revealed: true });
      } else if (number !== then[i] && owner !== event_seat) changes.push({ seat: owner, name, n: number - then[i] });
    }
  }
  return changes;
}
