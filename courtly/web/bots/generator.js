/** A random generator, which draws the same words as one of courtly/engine/rng.py. */
import { deriveGenerator, philox, WORD_BITS } from "../engine/philox.js";

const BLOCK_WORDS = 64n; // words that compiled code computes at a time

export class Generator {
  /**
   * @param {number | bigint} seed from 0 to 2**63 - 1
   * @param {number} stream generators of one seed and different streams are independent
   */
  constructor(seed, stream = 0) {
    const { key, stream: ownStream } = deriveGenerator(BigInt(seed), BigInt(stream));
    this.key = key;
    this.stream = ownStream;
    this.drawn = 0n;
  }

  /** Return 32 random bits. */
  drawWord() {
    return philox(this.drawn++, this.stream, this.key);
  }

  /** Return a random number from 0 to n - 1. @param {number} n */
  drawBelow(n) {
    return Number((this.drawWord() * BigInt(n)) >> WORD_BITS);
  }

  /** Return the numbers with which compiled code goes on to draw. */
  describe() {
    return [BLOCK_WORDS, this.key, this.stream, this.drawn];
  }
}
