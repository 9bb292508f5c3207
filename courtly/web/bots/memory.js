/** The memory of a compiled game, and calls of its entry points with rows and records. */
import { writeFields } from "../engine/record-fields.js";

/**
 * @typedef {import("../engine/description.js").GameDescription} GameDescription
 * @typedef {{address: number, lengths: number[]}} Block rows of numbers, or records, side by side
 */

const PAGE_BYTES = 65536;
const WORD_BYTES = 8;

export class Memory {
  /** @param {any} exports of an instance of the module, used for nothing else @param {GameDescription} description */
  constructor(exports, description) {
    this.exports = exports;
    this.description = description;
    this.end = exports.heap_base.value;
    this.usedEnd = this.end; // beyond it memory still has its first zeros, and the system need not provide it yet
  }

  /** Release everything that was allocated. */
  clear() {
    this.end = this.exports.heap_base.value;
  }

  /** @param {number} bytes @param {number[]} lengths @param {boolean} isZeroed @returns {Block} */
  #allocate(bytes, lengths, isZeroed = true) {
    const address = Math.ceil(this.end / WORD_BYTES) * WORD_BYTES;
    this.end = address + bytes;
    const missing = this.end - this.exports.memory.buffer.byteLength;
    if (missing > 0) this.exports.memory.grow(Math.ceil(missing / PAGE_BYTES));
    const used = Math.min(this.end, this.usedEnd) - address;
    if (isZeroed && used > 0) new Uint8Array(this.exports.memory.buffer, address, used).fill(0);
    this.usedEnd = Math.max(this.usedEnd, this.end);
    return { address, lengths };
  }

  /**
   * Allocate a row that begins with these numbers; the others are 0.
   * @param {number} length @param {Iterable<number | bigint>} numbers
   */
  makeRow(length, numbers = []) {
    const row = this.#allocate(length * WORD_BYTES, [length]);
    this.readWords(row, length).set(Array.from(numbers, BigInt));
    return row;
  }

  /** Allocate a row of arbitrary numbers. @param {number} length */
  makeUsedRow(length) {
    return this.#allocate(length * WORD_BYTES, [length], false);
  }

  /** Allocate rows of numbers. @param {BigInt64Array[]} rows of one length */
  makeTable(rows) {
    const length = rows[0].length;
    const table = this.makeRows(rows.length, length);
    for (const [i, row] of rows.entries()) this.readWords(table, rows.length * length).set(row, i * length);
    return table;
  }

  /**
   * Allocate records, the first of which has the fields of a view.
   * @param {number} count @param {Record<string, any>} state of a view
   */
  makeRecords(count, state) {
    const { size } = this.description.record;
    const records = this.#allocate(count * size, [count]);
    writeFields(this.description, new Uint8Array(this.exports.memory.buffer, records.address, size), state);
    return records;
  }

  /** Allocate a record with the fields of a view. @param {Record<string, any>} state of a view */
  makeRecord(state) {
    return { ...this.makeRecords(1, state), lengths: [] };
  }

  /** Allocate a record with the bytes of another one. @param {number} address of the other @param {number} size */
  copyRecord(address, size) {
    const copy = this.#allocate(size, [], false);
    new Uint8Array(this.exports.memory.buffer).copyWithin(copy.address, address, address + size);
    return copy;
  }

  /** Return bytes of the memory, until it grows. @param {number} address @param {number} length */
  readBytes(address, length) {
    return new Uint8Array(this.exports.memory.buffer, address, length);
  }

  /** Allocate rows of zeros. @param {number} count @param {number} length */
  makeRows(count, length) {
    return this.#allocate(count * length * WORD_BYTES, [count, length]);
  }

  /** Return the first numbers of a row, until memory grows. @param {Block} row @param {number} count */
  readWords(row, count) {
    return new BigInt64Array(this.exports.memory.buffer, row.address, count);
  }

  /** Return the first numbers of a row. @param {Block} row @param {number} count */
  readNumbers(row, count) {
    return Array.from(this.readWords(row, count), Number);
  }

  /**
   * Call an entry point. Returns its number; NaN if it has none.
   * @param {string} name @param {...(number | Block)} values
   */
  call(name, ...values) {
    const operands = this.description.entry_points[name].parameters.flatMap(({ operands: types }, i) => {
      const value = values[i];
      const numbers = typeof value === "number" ? [value] : [value.address, ...value.lengths];
      return types.map((type, k) => (type === "i64" ? BigInt(numbers[k]) : numbers[k]));
    });
    return Number(this.exports[name](...operands));
  }
}
