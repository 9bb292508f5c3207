/**
 * How the blocks of a house lie in it: one exact packing, found anew for the picture. The rules know that there is one
 * (packing.py).
 */

/** @typedef {[number, number, number]} Triple x, y, z: of a cell, or the sides of a box */

export const SIZES = [1, 2, 3, 4, 5, 6];

/** Blocks in a key: five bits for each size. @param {number} key @returns {number[]} sizes, the largest first */
export const blocksOf = (key) => SIZES.toReversed().flatMap((size) => Array((key >> (5 * size - 5)) & 31).fill(size));

/**
 * Every way a flat block lies in space, as offsets from its first cell (by z, then y, then x).
 * @type {Map<string, Triple[][]>}
 */
const turned = new Map();

/** @param {number[][]} flat cells x, y @returns {Triple[][]} */
function orientations(flat) {
  const name = JSON.stringify(flat);
  const known = turned.get(name);
  if (known) return known;
  /** @type {Map<string, Triple[]>} */
  const found = new Map();
  for (const axes of [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ]) {
    for (let signs = 0; signs < 8; signs++) {
      const cells = flat
        .map(([x, y]) => axes.map((axis, i) => [x, y, 0][axis] * ((signs >> i) & 1 ? -1 : 1)))
        .sort((a, b) => a[2] - b[2] || a[1] - b[1] || a[0] - b[0]);
      const [first] = cells;
      const moved = cells.map((c) => /** @type {Triple} */ (c.map((v, i) => v - first[i])));
      found.set(JSON.stringify(moved), moved);
    }
  }
  const out = [...found.values()];
  turned.set(name, out);
  return out;
}

/** @type {Map<string, {offset: [number, number], cells: number[]} | null>} */
const solved = new Map();

/**
 * Pack blocks around an old box that stands anywhere in a new one.
 * @param {Triple | null} old @param {Triple} box @param {number} key
 * @param {Record<string, number[][]>} shapes cells of each size
 * @returns {{offset: [number, number], cells: number[]} | null} where the old box stands, and for every cell (x
 *   fastest, then y, then z) the number of its block; -1: old
 */
export function pack(old, box, key, shapes) {
  const name = `${old}>${box}:${key}`;
  if (!solved.has(name)) solved.set(name, search(old, box, key, shapes));
  return solved.get(name) ?? null;
}

/** @param {Triple | null} old @param {Triple} box @param {number} key @param {Record<string, number[][]>} shapes */
function search(old, [w, d, h], key, shapes) {
  const at = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) => (z * d + y) * w + x;
  for (let dy = 0; dy <= d - (old?.[1] ?? d); dy++) {
    for (let dx = 0; dx <= w - (old?.[0] ?? w); dx++) {
      const cells = Array(w * d * h).fill(-2);
      for (let z = 0; old && z < old[2]; z++)
        for (let y = 0; y < old[1]; y++) for (let x = 0; x < old[0]; x++) cells[at(x + dx, y + dy, z)] = -1;
      const left = SIZES.map((size) => (key >> (5 * size - 5)) & 31);
      if (fill(cells, left, 0, [w, d, h], shapes)) return { offset: /** @type {[number, number]} */ ([dx, dy]), cells };
    }
  }
  return null;
}

/**
 * Cover the first free cell with the largest block that leads on.
 * @param {number[]} cells @param {number[]} left @param {number} block @param {Triple} box
 * @param {Record<string, number[][]>} shapes @returns {boolean}
 */
function fill(cells, left, block, [w, d, h], shapes) {
  const first = cells.indexOf(-2);
  if (first < 0) return true;
  const x = first % w;
  const y = Math.floor(first / w) % d;
  const z = Math.floor(first / (w * d));
  for (let size = 6; size > 0; size--) {
    if (!left[size - 1]) continue;
    for (const shape of orientations(shapes[size])) {
      const spots = shape.map(([a, b, c]) =>
        x + a < 0 || x + a >= w || y + b < 0 || y + b >= d || z + c >= h ? -1 : ((z + c) * d + y + b) * w + x + a,
      );
      if (!spots.every((spot) => spot >= 0 && cells[spot] === -2)) continue;
      for (const spot of spots) cells[spot] = block;
      left[size - 1]--;
      if (fill(cells, left, block + 1, [w, d, h], shapes)) return true;
      left[size - 1]++;
      for (const spot of spots) cells[spot] = -2;
    }
  }
  return false;
}
