/** Draws of a live table, which anyone can verify: see docs/protocol.md, "Chance". */
import { hmac } from "./sha256.js";

const UINT64_RANGE = 1n << 64n;

/**
 * Return the index of the outcome that the secret determines.
 * @param {Uint8Array} secret @param {string} event @param {number[]} weights
 */
export function drawOutcome(secret, event, weights) {
  const total = BigInt(weights.reduce((sum, weight) => sum + weight, 0));
  const bound = UINT64_RANGE - (UINT64_RANGE % total);
  for (let attempt = 0; ; attempt++) {
    const number = new DataView(hmac(secret, new TextEncoder().encode(`${event}|${attempt}`)).buffer).getBigUint64(0);
    if (number < bound) return indexOfDraw(Number(number % total), weights); // else rejected, for exact probabilities
  }
}

/**
 * Return the index whose weight covers a number below the sum of the weights.
 * @param {number} draw @param {number[]} weights
 */
export function indexOfDraw(draw, weights) {
  let rest = draw;
  return weights.findIndex((weight) => {
    rest -= weight;
    return rest < 0;
  });
}
