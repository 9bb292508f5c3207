/** The fields of a state, which is a record of bytes. */
import { UnknownValueError } from "./errors.js";

/** @typedef {import("./description.js").GameDescription} GameDescription */
/** @typedef {import("./description.js").Field} Field */
/** @typedef {number | any[]} FieldValue a number, or nested lists of numbers */

const NUMBER_ARRAYS = { 1: Int8Array, 2: Int16Array, 4: Int32Array };

/**
 * Return numbers of a field.
 * @param {Uint8Array} state @param {Field} field @param {number} count @param {number} offset where they begin
 */
const numbersOf = (state, { size }, count, offset) =>
  new NUMBER_ARRAYS[size](/** @type {ArrayBuffer} */ (state.buffer), state.byteOffset + offset, count);

/** Return the first number of a field. @param {Uint8Array} state @param {Field} field */
export const readNumber = (state, field) => numbersOf(state, field, 1, field.offset)[0];

/** @param {number[]} lengths */
const product = (lengths) => lengths.reduce((total, length) => total * length, 1);

/**
 * Return the value of a field, or of a part of it.
 * @param {Uint8Array} state @param {Field} field @param {number[]} [shape] of the part
 * @param {number} [offset] where the part begins @returns {FieldValue}
 */
export function readField(state, field, shape = field.shape, offset = field.offset) {
  /** @type {any[]} */
  let rows = Array.from(numbersOf(state, field, product(shape), offset));
  for (const length of shape.slice(1).reverse())
    rows = Array.from({ length: rows.length / length }, (_, i) => rows.slice(i * length, (i + 1) * length));
  return shape.length ? rows : rows[0];
}

/**
 * Return the fields that one seat may see, or a spectator (null). The rows of other seats in private fields are null,
 * unless `seat` is "all"; secret fields are missing.
 * @param {GameDescription} description @param {Uint8Array} state @param {number | null | "all"} seat
 */
export function viewState({ record }, state, seat) {
  /** @type {Record<string, any>} */
  const seen = {};
  for (const [name, field] of Object.entries(record.fields)) {
    if (field.visible === "public") seen[name] = readField(state, field);
    if (field.visible === "private") seen[name] = readPrivateRows(state, field, seat);
  }
  return seen;
}

/** @param {Uint8Array} state @param {Field} field @param {number | null | "all"} seat */
function readPrivateRows(state, field, seat) {
  const [rows, ...rest] = field.shape;
  const rowBytes = field.size * product(rest);
  return Array.from({ length: rows }, (_, row) =>
    row === seat || seat === "all" ? readField(state, field, rest, field.offset + row * rowBytes) : null,
  );
}

/**
 * Write the fields of a view into a state; what the view hides becomes 0.
 * @param {GameDescription} description @param {Uint8Array} state @param {Record<string, any>} seen
 */
export function writeFields({ record }, state, seen) {
  state.fill(0);
  for (const [name, field] of Object.entries(record.fields)) {
    const rowBytes = field.size * product(field.shape.slice(1));
    /** @type {any[]} */
    const rows = field.shape.length ? (seen[name] ?? []) : [seen[name] ?? 0];
    for (const [row, value] of rows.entries()) {
      const numbers = [value ?? 0].flat(Infinity);
      numbersOf(state, field, numbers.length, field.offset + row * rowBytes).set(numbers);
    }
  }
}

/**
 * Return the value of each option, `players` included.
 * @param {GameDescription} description @param {Uint8Array} state
 */
export function readOptions({ record }, state) {
  const options = Object.entries(record.fields).filter(([, { option }]) => option.length);
  return Object.fromEntries(options.map(([name, field]) => [name, readNumber(state, field)]));
}

/**
 * Return a blank state with these options; the others have their defaults. Throws UnknownValueError if an option is
 * unknown, or does not have this value.
 * @param {GameDescription} description @param {Record<string, number>} options
 */
export function makeBlankState({ record }, options) {
  const state = new Uint8Array(record.size);
  for (const [name, field] of Object.entries(record.fields)) {
    const { option, offset } = field;
    if (!option.length) continue;
    const value = Object.hasOwn(options, name) ? options[name] : option[0];
    if (!option.includes(value))
      throw new UnknownValueError(`${name} may be one of ${option.join(", ")}, not ${JSON.stringify(value)}`);
    numbersOf(state, field, 1, offset)[0] = value;
  }
  const unknown = Object.keys(options).filter((name) => !record.fields[name]?.option?.length);
  if (unknown.length) throw new UnknownValueError(`unknown options: ${unknown.join(", ")}`);
  return state;
}

/**
 * Return true if the stored fields of two states are equal.
 * @param {GameDescription} description @param {Uint8Array} state @param {Uint8Array} other
 */
export function haveEqualFields({ record }, state, other) {
  for (let i = 0; i < record.stored; i++) if (state[i] !== other[i]) return false;
  return true;
}
