/**
 * How the blocks of a house lie in it, for its picture; the rules know only which blocks fit. A search places one block
 * after another, the largest first, on the lowest free cell. A set of blocks is a number, its key: five bits for each
 * size, size 1 lowest. The cells of a box are bits of a mask: x fastest, then y, then z.
 */

/**
 * @typedef {[number, number, number]} Box
 * @typedef {Record<string, number[][]>} Shapes the cells x, y of the block of each size
 * @typedef {{box: Box, penthouse: boolean, key: number}} Stage of a house: its form then, and the blocks laid
 * @typedef {{size: number, cells: number}} Placement
 */

const SIZES = [1, 2, 3, 4, 5, 6];
const AXIS_ORDERS = ["012", "021", "102", "120", "201", "210"].map((order) => [...order].map(Number));
/** @type {Box} */
const PENTHOUSE_BOX = [2, 2, 1];

/** @param {number} key @param {number} size */
const countBlocks = (key, size) => (key >> (5 * size - 5)) & 31;

/** Return the sizes of a key's blocks, largest first. @param {number} key @returns {number[]} */
export const listBlockSizes = (key) => SIZES.toReversed().flatMap((size) => Array(countBlocks(key, size)).fill(size));

/** @param {number[]} a @param {number[]} b */
const compareLists = (a, b) => {
  const i = a.findIndex((n, at) => n !== b[at]);
  return i < 0 ? 0 : a[i] - b[i];
};

/**
 * Return the orientations of a block in space: offsets x, y, z of its cells from the first one (by z, then y, then x).
 * @param {number[][]} shape @returns {number[][][]}
 */
function orientBlock(shape) {
  const found = new Map();
  for (const [a, b, c] of AXIS_ORDERS) {
    for (let signs = 0; signs < 8; signs++) {
      const cells = shape
        .map(([x, y]) => [x, y, 0])
        .map((cell) => [cell[a], cell[b], cell[c]].map((n, axis) => ((signs >> axis) & 1 ? -n : n)))
        .sort((p, q) => compareLists(p.toReversed(), q.toReversed()));
      const offsets = cells.map((cell) => cell.map((n, axis) => n - cells[0][axis]));
      found.set(String(offsets), offsets);
    }
  }
  return [...found.values()].sort((p, q) => compareLists(p.flat(), q.flat()));
}

/** The placements in each box so far. @type {Map<string, Placement[][]>} */
const knownPlacements = new Map();
/** The cells of each house so far, by its stages. @type {Map<string, number[]>} */
const knownHouses = new Map();

/**
 * Return the value of a key, computed once.
 * @template T @param {Map<string, T>} values @param {string} key @param {() => T} compute @returns {T}
 */
function findOrCompute(values, key, compute) {
  const value = values.get(key) ?? compute();
  values.set(key, value);
  return value;
}

/**
 * Return, for every cell of a box, the blocks whose first cell it is, in the order in which they are tried.
 * @param {Shapes} shapes @param {Box} box @returns {Placement[][]}
 */
function listPlacements(shapes, [width, depth, height]) {
  const oriented = SIZES.flatMap((size) => orientBlock(shapes[size]).map((offsets) => ({ size, offsets }))).reverse();
  return Array.from({ length: width * depth * height }, (_, bit) => {
    const first = [bit % width, Math.floor(bit / width) % depth, Math.floor(bit / (width * depth))];
    return oriented.flatMap(({ size, offsets }) => {
      const at = offsets.map((offset) => offset.map((n, axis) => n + first[axis]));
      if (!at.every(([x, y, z]) => x >= 0 && x < width && y >= 0 && y < depth && z < height)) return [];
      return [{ size, cells: at.reduce((mask, [x, y, z]) => mask | (1 << ((z * depth + y) * width + x)), 0) }];
    });
  });
}

/**
 * Return the masks of an old house at every place on the ground of a larger box; without one, the empty mask.
 * @param {Box | null} old @param {Box} box @returns {number[]}
 */
function listOldMasks(old, [width, depth]) {
  if (!old) return [0];
  const masks = [];
  for (let dy = 0; dy <= depth - old[1]; dy++) {
    for (let dx = 0; dx <= width - old[0]; dx++) {
      let mask = 0;
      for (let z = 0; z < old[2]; z++) {
        for (let y = dy; y < dy + old[1]; y++) {
          for (let x = dx; x < dx + old[0]; x++) mask |= 1 << ((z * depth + y) * width + x);
        }
      }
      masks.push(mask);
    }
  }
  return masks;
}

/**
 * Return the masks of blocks that cover the remaining cells; null if there are none.
 * @param {Placement[][]} placements @param {number} mask the covered cells @param {number} key the blocks left
 * @returns {number[] | null}
 */
function coverRest(placements, mask, key) {
  const first = 31 - Math.clz32(~mask & (mask + 1));
  if (first === placements.length) return [];
  for (const { size, cells } of placements[first]) {
    if (countBlocks(key, size) && !(mask & cells)) {
      const found = coverRest(placements, mask | cells, key - (1 << (5 * size - 5)));
      if (found) return [cells, ...found];
    }
  }
  return null;
}

/**
 * Return the number of the block in each cell of a box, in the order of their first cells; -1 in the cells of an old
 * house in it, which stands where the blocks fit around it.
 * @param {Shapes} shapes @param {Box | null} old @param {Box} box @param {number} key @returns {number[]}
 */
export function packBlocks(shapes, old, box, key) {
  const placements = findOrCompute(knownPlacements, box.join(), () => listPlacements(shapes, box));
  for (const mask of listOldMasks(old, box)) {
    const found = coverRest(placements, mask, key);
    if (found) return placements.map((_, bit) => found.findIndex((cells) => (cells >> bit) & 1));
  }
  throw new Error(`expected blocks that build ${box.join("x")}, found ${listBlockSizes(key).join("+")}`);
}

/**
 * Return the number of the block in each cell of a house: x fastest, then y, then z; a penthouse's four cells come
 * last. The blocks of each stage are around those of the previous one.
 * @param {Shapes} shapes @param {Stage[]} stages @returns {number[]}
 */
export function packHouse(shapes, stages) {
  const name = stages.map(({ box, penthouse, key }) => `${box} ${penthouse} ${key}`).join("|");
  return findOrCompute(knownHouses, name, () => packStages(shapes, stages));
}

/** @param {Shapes} shapes @param {Stage[]} stages @returns {number[]} */
function packStages(shapes, stages) {
  /** @type {number[]} */
  let cells = [];
  /** @type {Box | null} */
  let old = null;
  let count = 0;
  for (const { box, penthouse, key } of stages) {
    const blocks = penthouse ? packBlocks(shapes, null, PENTHOUSE_BOX, key) : packBlocks(shapes, old, box, key);
    const inner = cells.values();
    const added = blocks.map((block) => (block < 0 ? /** @type {number} */ (inner.next().value) : count + block));
    cells = penthouse ? [...cells, ...added] : added;
    old = box;
    count += listBlockSizes(key).length;
  }
  return cells;
}
