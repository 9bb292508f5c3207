/**
 * SHA-256 and HMAC (FIPS 180-4, RFC 2104). `crypto.subtle` needs HTTPS, but tables on a home network are served over
 * plain HTTP.
 */

/** The first 64 primes. */
const PRIMES = Array.from({ length: 312 }, (_, i) => i).filter(
  (n) => n > 1 && ![2, 3, 5, 7, 11, 13, 17].some((p) => p < n && n % p === 0),
);
/** Return the first 32 bits of a number's fractional part. @param {number} x */
const fractionBits = (x) => ((x - Math.floor(x)) * 2 ** 32) | 0;
const ROUND_CONSTANTS = PRIMES.map((p) => fractionBits(Math.cbrt(p)));
const INITIAL_HASH = PRIMES.slice(0, 8).map((p) => fractionBits(Math.sqrt(p)));

/** @param {Uint8Array} message @returns {Uint8Array} 32 bytes */
export function sha256(message) {
  const padded = new Uint8Array(((message.length + 72) >> 6) << 6);
  padded.set(message);
  padded[message.length] = 0x80;
  const bytes = new DataView(padded.buffer);
  bytes.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  bytes.setUint32(padded.length - 4, message.length << 3);
  const hash = Int32Array.from(INITIAL_HASH);
  for (let at = 0; at < padded.length; at += 64) compress(hash, bytes, at);
  const out = new DataView(new ArrayBuffer(32));
  for (const [i, word] of hash.entries()) out.setInt32(4 * i, word);
  return new Uint8Array(out.buffer);
}

/** @param {number} x @param {number} n */
const rotateRight = (x, n) => (x >>> n) | (x << (32 - n));

/** Process one block of 64 bytes. @param {Int32Array} hash @param {DataView} bytes @param {number} at */
function compress(hash, bytes, at) {
  const w = new Int32Array(64);
  for (let i = 0; i < 16; i++) w[i] = bytes.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15];
    const y = w[i - 2];
    w[i] =
      (w[i - 16] +
        (rotateRight(x, 7) ^ rotateRight(x, 18) ^ (x >>> 3)) +
        w[i - 7] +
        (rotateRight(y, 17) ^ rotateRight(y, 19) ^ (y >>> 10))) |
      0;
  }
  let [a, b, c, d, e, f, g, h] = hash;
  for (let i = 0; i < 64; i++) {
    const one =
      (h +
        (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) +
        ((e & f) ^ (~e & g)) +
        ROUND_CONSTANTS[i] +
        w[i]) |
      0;
    const two = ((rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    hash[i] = (hash[i] + word) | 0;
  });
}

/** @param {Uint8Array} key @param {Uint8Array} message */
export function hmac(key, message) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(
    concatBytes(
      block.map((b) => b ^ 0x36),
      message,
    ),
  );
  return sha256(
    concatBytes(
      block.map((b) => b ^ 0x5c),
      inner,
    ),
  );
}

/** @param {Uint8Array} a @param {Uint8Array} b */
function concatBytes(a, b) {
  const out = new Uint8Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

/** @param {Uint8Array} bytes */
export const toHex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
/** @param {string} text */
export const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
