/**
 * The rules of a game as WebAssembly. Every call takes a state as bytes and leaves them unchanged. After a trap, such
 * as a division by zero in faulty rules, the game must be loaded again.
 */
import { RulesError } from "./errors.js";
import { NOTHING, readFacts } from "./facts.js";
import { writeFields } from "./record-fields.js";

/** @typedef {import("./description.js").GameDescription} GameDescription */

const PAGE_BYTES = 65536;
const WORD_BYTES = 8;

/** Return the first address from this one on where a record or a row may begin. @param {number} address */
const align = (address) => Math.ceil(address / WORD_BYTES) * WORD_BYTES;

export class CompiledRules {
  /** @param {any} exports of an instance of the module @param {GameDescription} description */
  constructor(exports, description) {
    const { record, single_position: position } = description;
    this.exports = exports;
    this.description = description;
    this.stateAddress = align(exports.heap_base.value);
    this.rowsAddress = align(this.stateAddress + record.size);
    const rowCount = Object.keys(position.rows).length;
    const factsAddress = this.rowsAddress + rowCount * position.row_length * WORD_BYTES;
    const factsLength = description.facts?.length ?? 0;
    const end = factsAddress + factsLength * Int32Array.BYTES_PER_ELEMENT;
    const missing = end - exports.memory.buffer.byteLength;
    if (missing > 0) exports.memory.grow(Math.ceil(missing / PAGE_BYTES));
    /** The state that the rules work on. */
    this.state = new Uint8Array(exports.memory.buffer, this.stateAddress, record.size);
    const toRow = (/** @type {number} */ place) => this.rowsAddress + place * position.row_length * WORD_BYTES;
    this.movesAddress = toRow(position.rows.moves);
    this.moves = new BigInt64Array(exports.memory.buffer, this.movesAddress, position.row_length);
    this.generator = new BigInt64Array(exports.memory.buffer, toRow(position.rows.rng), position.row_length);
    this.weights = new BigInt64Array(exports.memory.buffer, toRow(position.rows.weights), position.row_length);
    this.factNumbers = new Int32Array(exports.memory.buffer, factsAddress, factsLength);
    this.rows = /** @type {const} */ ([this.rowsAddress, BigInt(rowCount), BigInt(position.row_length)]);
  }

  /** Return the initial state of a game whose options are set. @param {Uint8Array} state */
  begin(state) {
    this.state.set(state);
    this.exports.begin(this.stateAddress);
    return this.state.slice();
  }

  /** Return the legal moves of a seat. @param {Uint8Array} state @param {number} seat */
  listMoves(state, seat) {
    this.state.set(state);
    const length = BigInt(this.description.single_position.row_length);
    const count = Number(this.exports.list_moves(this.stateAddress, 1n, BigInt(seat), this.movesAddress, length));
    if (count < 0) throw new RulesError("legal() lists a number that is not a move, or more moves than its bound");
    return Array.from(this.moves.subarray(0, count), Number);
  }

  /** Return the possible random events, and the weight of each. @param {Uint8Array} state */
  listOutcomes(state) {
    const count = this.#run(state, "outcomes", 0, 0);
    if (count < 0) throw new RulesError("chance() lists no event, a number that is no event, or an invalid weight");
    return {
      moves: Array.from(this.moves.subarray(0, count), Number),
      weights: Array.from(this.weights.subarray(0, count), Number),
    };
  }

  /**
   * Return the state after a legal move of a seat.
   * @param {Uint8Array} state @param {number} seat @param {number} move
   */
  makeMove(state, seat, move) {
    this.state.set(state);
    const [, , length] = this.rows;
    const result = this.exports.make_move(this.stateAddress, 1n, BigInt(seat), BigInt(move), this.movesAddress, length);
    if (result < 0n)
      throw new RulesError(`move ${move} of seat ${seat} is not legal, or leaves an invalid \`pending\``);
    return this.state.slice();
  }

  /** Return the state after a possible random event. @param {Uint8Array} state @param {number} event */
  letHappen(state, event) {
    if (this.#run(state, "event", this.description.event_seat, event) < 0)
      throw new RulesError(`event ${event} is not possible`);
    return this.state.slice();
  }

  /** Return the audience of a move or event. @param {Uint8Array} state @param {number} seat @param {number} move */
  findAudience(state, seat, move) {
    return this.#run(state, "audience", seat, move);
  }

  /**
   * Return the bits of the seats that learn something hidden from a move or event.
   * @param {Uint8Array} state @param {number} seat @param {number} move
   */
  findReveals(state, seat, move) {
    return this.#run(state, "reveals", seat, move);
  }

  /**
   * Return the state with random values, consistent with what a seat sees, in place of what it does not see.
   * @param {Uint8Array} state @param {number} seat @param {bigint[]} generator the numbers of a generator
   */
  imagine(state, seat, generator) {
    this.generator.fill(0n);
    this.generator.set(generator);
    this.#run(state, "imagine", seat, 0);
    return this.state.slice();
  }

  /** Return the scores of all seats. @param {Uint8Array} state @param {number} players */
  computeScores(state, players) {
    this.#run(state, "scores", 0, 0);
    return Array.from(this.moves.subarray(0, players), Number);
  }

  /**
   * Return the number of the reason why a move is not legal; -1 if the rules give none.
   * @param {Uint8Array} state @param {number} seat @param {number} move
   */
  findRefusal(state, seat, move) {
    this.state.set(state);
    return Number(this.exports.find_refusal(this.stateAddress, 1n, BigInt(seat), BigInt(move)));
  }

  /**
   * Return the facts for a board that follow from a view; null if the game has none.
   * @param {{seat: number | null, state: Record<string, any>}} view
   */
  findFacts({ seat, state }) {
    const { facts, event_seat: nobody, single_position: position } = this.description;
    if (!facts) return null;
    writeFields(this.description, this.state, state);
    this.factNumbers.fill(NOTHING);
    const operands = [BigInt(seat ?? nobody), this.factNumbers.byteOffset, this.movesAddress];
    this.exports.find_facts(this.stateAddress, 1n, ...operands, BigInt(position.row_length));
    return readFacts(facts, this.factNumbers, state.players);
  }

  /**
   * @param {Uint8Array} state @param {keyof import("./description.js").SinglePosition["operations"]} operation
   * @param {number} seat @param {number} move
   */
  #run(state, operation, seat, move) {
    this.state.set(state);
    if (operation === "scores") this.moves.fill(0n);
    const number = BigInt(this.description.single_position.operations[operation]);
    return Number(this.exports.run_operation(this.stateAddress, 1n, ...this.rows, number, BigInt(seat), BigInt(move)));
  }
}
