/** The sources of random events, with the same draws as those of courtly/engine/rng.py. */
import { drawOutcome, indexOfDraw } from "../core/committed-draw.js";
import { fromHex, sha256, toHex } from "../core/sha256.js";
import { deriveGenerator, philox, WORD_BITS, WORD_MASK } from "./philox.js";

/**
 * Chooses an index with a probability proportional to its weight; the same for the same arguments. `ply`: the event's
 * place in the journal, which also counts moves that were taken back; `event`: how many random events came before.
 * `describe` returns the parameters from which a record can repeat the draws; a BigInt stands for a whole number that
 * `number` cannot hold.
 * @typedef {{choose: (ply: number, event: number, weights: number[]) => number,
 *   describe: () => Record<string, any>}} ChanceSource
 */

const SEED_LIMIT = 1n << 63n;

/**
 * Return the index that a random word selects, with probabilities proportional to the weights.
 * @param {bigint} word of 32 bits @param {number[]} weights
 */
export function pickWeighted(word, weights) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return indexOfDraw(Number((word * BigInt(total)) >> WORD_BITS), weights);
}

/** @param {bigint} number */
const toPlainNumber = (number) => (number <= Number.MAX_SAFE_INTEGER ? Number(number) : number);

/** Return a whole number from 0 to 2**63 - 1. Throws RangeError for another one. @param {number | bigint} number */
function toSeed(number) {
  const seed = BigInt(number);
  if (seed < 0n || seed >= SEED_LIMIT)
    throw new RangeError(`a seed is a whole number from 0 to 2**63 - 1, not ${seed}`);
  return seed;
}

/** Random outcomes computed from a seed. */
export class SeededChance {
  /** @param {number | bigint} seed from 0 to 2**63 - 1 */
  constructor(seed) {
    this.seed = toSeed(seed);
    const [low, high] = [this.seed & WORD_MASK, this.seed >> WORD_BITS];
    this.stream = philox(high, low, 2n);
    this.key = philox(low, high, 2n);
  }

  /** @param {number} ply @param {number} _event @param {number[]} weights */
  choose(ply, _event, weights) {
    return pickWeighted(philox(BigInt(ply), this.stream, this.key), weights);
  }

  describe() {
    return { seed: toPlainNumber(this.seed) };
  }
}

/** The random outcomes of a simulated match, as its generator gave them. */
export class SimulatedChance {
  /**
   * @param {number | bigint} seed of the simulation @param {number | bigint} game its number in the simulation
   * @param {boolean} moves whether the same generator also chose the moves, one number each
   */
  constructor(seed, game, moves) {
    this.seed = toSeed(seed);
    this.game = toSeed(game);
    this.moves = moves;
    this.generator = deriveGenerator(this.seed, this.game);
  }

  /** @param {number} ply @param {number} event @param {number[]} weights */
  choose(ply, event, weights) {
    const place = BigInt(this.moves ? ply : event) & WORD_MASK;
    return pickWeighted(philox(place, this.generator.stream, this.generator.key), weights);
  }

  describe() {
    return { seed: toPlainNumber(this.seed), game: toPlainNumber(this.game), moves: this.moves };
  }
}

/** Random outcomes that anyone can verify with the secret: see "Chance" in docs/protocol.md. */
export class CommittedChance {
  /**
   * @param {string} secret in hexadecimal @param {string} table @param {string[]} nonces of the seats
   * @param {"events" | "entries"} counted what numbers the draws: random events, or entries of the journal
   */
  constructor(secret, table, nonces, counted = "events") {
    if (!/^([0-9a-f]{2})*$/i.test(secret)) throw new RangeError("a secret has pairs of hexadecimal digits");
    if (counted !== "events" && counted !== "entries")
      throw new RangeError(`draws are counted by events or entries, not by ${JSON.stringify(counted)}`);
    this.secret = fromHex(secret);
    this.table = table;
    this.nonces = nonces;
    this.counted = counted;
  }

  get commitment() {
    return toHex(sha256(this.secret));
  }

  /** @param {number} ply @param {number} event @param {number[]} weights */
  choose(ply, event, weights) {
    const place = this.counted === "events" ? event : ply;
    return drawOutcome(this.secret, `${this.table}|${this.nonces.join(",")}|${place}`, weights);
  }

  describe() {
    return {
      commitment: this.commitment,
      secret: toHex(this.secret),
      table: this.table,
      nonces: this.nonces,
      ...(this.counted === "events" && { counted: this.counted }),
    };
  }
}

/** A source and the ply from which it gives the outcomes. @typedef {{from: number, source: ChanceSource}} Part */

/** Several sources, one after the other: the chance of a game that was played on from a position of another game. */
export class SuccessiveChance {
  /** @param {Part[]} parts in order; the first from 0 */
  constructor(parts) {
    if (!parts.length || parts.some(({ from }, i) => (i ? from <= parts[i - 1].from : from !== 0)))
      throw new RangeError("the first source is from 0, each other one from a later entry");
    this.parts = parts;
  }

  /**
   * Return the chance of a game that is played on from an entry of its journal.
   * @param {ChanceSource} before @param {number} from @param {ChanceSource} source of the outcomes from there on
   */
  static extend(before, from, source) {
    const parts = before instanceof SuccessiveChance ? before.parts : [{ from: 0, source: before }];
    return new SuccessiveChance([...parts.filter((part) => part.from < from), { from, source }]);
  }

  /** @param {number} ply @param {number} event @param {number[]} weights */
  choose(ply, event, weights) {
    const { source } = /** @type {Part} */ (this.parts.findLast(({ from }) => from <= ply));
    return source.choose(ply, event, weights);
  }

  describe() {
    return { sources: this.parts.map(({ from, source }) => ({ ...(from && { from }), ...source.describe() })) };
  }
}

class CommitmentError extends Error {}

/**
 * Return the source that `describe` has described. Throws Error if the description cannot be read.
 * @param {any} described @returns {ChanceSource}
 */
export function readChance(described) {
  try {
    if (!("sources" in described)) return readSource(described);
    return new SuccessiveChance(
      described.sources.map((/** @type {any} */ part) => ({ from: readFirstPly(part), source: readSource(part) })),
    );
  } catch (error) {
    if (error instanceof CommitmentError) throw error;
    throw new Error(`the source of chance cannot be read: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {any} described a single source @returns {ChanceSource} */
function readSource(described) {
  if ("game" in described) return new SimulatedChance(described.seed, described.game, Boolean(described.moves));
  if ("seed" in described) return new SeededChance(described.seed);
  const { secret, table, nonces, counted = "entries" } = described;
  const source = new CommittedChance(secret, String(table), nonces.map(String), counted);
  if (source.commitment !== described.commitment) throw new CommitmentError("the secret does not match the commitment");
  return source;
}

/** Return the ply from which a source gives the outcomes. @param {any} part @returns {number} */
function readFirstPly({ from = 0 }) {
  if (!Number.isSafeInteger(from)) throw new RangeError('"from" is not a whole number');
  return from;
}
