/** The fields of a state, which is a record of bytes. */
import { UnknownValueError } from "./errors.js";

/** @typedef {import("./description.js").GameDescription} GameDescription */
/** @typedef {import("./description.js").Field} Field */
/** @typedef {number | any[]} FieldValue a number, or nested lists of numbers */

/** Return the first number of a field. @param {Uint8Array} state @param {Field} field */
export const readNumber = (state, field) =>
  readAt(new DataView(state.buffer, state.byteOffset), field.size, field.offset);

/** @param {DataView} view @param {1 | 2 | 4} size @param {number} offset */
function readAt(view, size, offset) {
  if (size === 1) return view.getInt8(offset);
  return size === 2 ? view.getInt16(offset, true) : view.getInt32(offset, true);
}

/**
 * Return the value of a field, or of a part of it.
 * @param {Uint8Array} state @param {Field} field @param {number} [axis] the first axis of the part
 * @param {number} [offset] where the part begins @returns {FieldValue}
 */
function readField(state, { size, shape, ...field }, axis = 0, offset = field.offset) {
  const view = new DataView(state.buffer, state.byteOffset);
  let next = offset;
  /** @type {(axis: number) => FieldValue} */
  const readRows = (axis) => {
    if (axis < shape.length) return Array.from({ length: shape[axis] }, () => readRows(axis + 1));
    next += size;
    return readAt(view, size, next - size);
  };
  return readRows(axis);
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
  const rowBytes = rest.reduce((product, length) => product * length, field.size);
  return Array.from({ length: rows }, (_, row) =>
    row === seat || seat === "all" ? readField(state, field, 1, field.offset + row * rowBytes) : null,
  );
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
  const view = new DataView(state.buffer);
  for (const [name, { offset, size, option }] of Object.entries(record.fields)) {
    if (!option.length) continue;
    const value = options[name] ?? option[0];
    if (!option.includes(value))
      throw new UnknownValueError(`${name} may be one of ${option.join(", ")}, not ${JSON.stringify(value)}`);
    if (size === 1) view.setInt8(offset, value);
    else if (size === 2) view.setInt16(offset, value, true);
    else view.setInt32(offset, value, true);
  }
  const unknown = Object.keys(options).filter((name) => !record.fields[name]?.option.length);
  if (unknown.length) throw new UnknownValueError(`unknown options: ${unknown.join(", ")}`);
  return state;
}

/** Return true if the stored fields of two states are equal. @param {GameDescription} description
 * @param {Uint8Array} state @param {Uint8Array} other */
export function haveEqualFields({ record }, state, other) {
  for (let i = 0; i < record.stored; i++) if (state[i] !== other[i]) return false;
  return true;
}
