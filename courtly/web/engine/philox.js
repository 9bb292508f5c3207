/** Random words, the same as those of courtly/engine/rng.py. */

export const WORD_MASK = 0xffffffffn;
export const WORD_BITS = 32n;
const PHILOX_MULTIPLIER = 0xd256d193n;
const PHILOX_WEYL = 0x9e3779b9n;
const PHILOX_ROUNDS = 10;

/**
 * Return the first of the two words of Philox2x32-10.
 * @param {bigint} counter @param {bigint} stream @param {bigint} key
 */
export function philox(counter, stream, key) {
  let [x, y] = [counter, stream];
  for (let round = 0; round < PHILOX_ROUNDS; round++) {
    const product = PHILOX_MULTIPLIER * x;
    x = (product >> WORD_BITS) ^ key ^ y;
    y = product & WORD_MASK;
    key = (key + PHILOX_WEYL) & WORD_MASK;
  }
  return x;
}

/**
 * Return the key and the stream of a simulation's generator: those of different streams are independent.
 * @param {bigint} seed from 0 to 2**63 - 1 @param {bigint} stream
 */
export function deriveGenerator(seed, stream) {
  const [low, high] = [seed & WORD_MASK, seed >> WORD_BITS];
  return { key: philox(low, high, 0n), stream: (philox(high, low, 1n) + stream) & WORD_MASK };
}
