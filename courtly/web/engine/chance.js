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
