/**
 * Houses of wooden blocks in isometric view. A cube is ten units wide; x goes down to the right, y down to the left, z
 * up.
 */
import { svg } from "lit";
import { parseForm } from "./position.js";

/**
 * @typedef {import("./position.js").Built} Built
 * @typedef {{x: number, y: number, z: number, block: number, size: number}} Cube
 */

export const CUBE_WIDTH = 10;
export const VIEW_TILT = 0.58; // vertical compression of the ground plane
/** @param {number} x @param {number} y @param {number} [z] @returns {string} a point of the picture */
export const project = (x, y, z = 0) =>
  `${((x - y) * CUBE_WIDTH).toFixed(1)} ${((x + y) * CUBE_WIDTH * VIEW_TILT - z * CUBE_WIDTH).toFixed(1)}`;
/** @param {...string} points */
export const closedPath = (...points) => `M${points.join("L")}Z`;

/** @typedef {{cubes: Cube[], box: [number, number, number], penthouse: boolean}} HouseModel */

/** Return the cubes of a house, each with its block. @param {Built} house @returns {HouseModel} */
function buildModel({ form, cells }) {
  const { box, penthouse } = parseForm(form);
  const [w, d, h] = box;
  const sizes = new Map();
  for (const block of cells) sizes.set(block, (sizes.get(block) ?? 0) + 1);
  const cubes = cells.map((block, i) => {
    const n = i - w * d * h;
    const spot =
      n < 0
        ? { x: i % w, y: Math.floor(i / w) % d, z: Math.floor(i / (w * d)) }
        : { x: (n % 2) + 0.5, y: Math.floor(n / 2) + 0.5, z: h + 0.3 };
    return { ...spot, block, size: sizes.get(block) };
  });
  return { cubes, box, penthouse };
}

/** Return the model after quarter turns of the view. @param {HouseModel} house @param {number} turns */
function turnModel({ cubes, box: [w, d, h], penthouse }, turns) {
  const turn = (/** @type {number} */ x, /** @type {number} */ y) =>
    turns === 1 ? [d - 1 - y, x] : turns === 2 ? [w - 1 - x, d - 1 - y] : turns === 3 ? [y, w - 1 - x] : [x, y];
  return {
    cubes: cubes.map((cube) => {
      const [x, y] = turn(cube.x, cube.y);
      return { ...cube, x, y };
    }),
    box:
      turns % 2
        ? /** @type {[number, number, number]} */ ([d, w, h])
        : /** @type {[number, number, number]} */ ([w, d, h]),
    penthouse,
  };
}

/**
 * Draw a wall: the faces of its cubes by the size of their blocks, and the joints between blocks.
 * @param {Cube[]} cubes @param {"x" | "y"} side
 */
function drawWall(cubes, side) {
  if (!cubes.length) return svg``;
  const across = side === "x" ? "y" : "x";
  const edge = Math.max(...cubes.map((cube) => cube[side]));
  const facing = cubes.filter((cube) => cube[side] === edge);
  const point = (/** @type {number} */ a, /** @type {number} */ z) =>
    side === "x" ? project(edge + 1, a, z) : project(a, edge + 1, z);
  /** @type {Map<number, Cube[]>} */
  const sizes = new Map();
  for (const cube of facing) sizes.set(cube.size, [...(sizes.get(cube.size) ?? []), cube]);
  const find = (/** @type {number} */ a, /** @type {number} */ z) =>
    facing.find((cube) => cube[across] === a && cube.z === z)?.block;
  const joints = facing
    .flatMap((cube) => {
      const a = cube[across];
      const z = cube.z;
      return [
        find(a + 1, z) !== cube.block ? `M${point(a + 1, z)}L${point(a + 1, z + 1)}` : "",
        find(a, z + 1) !== cube.block ? `M${point(a, z + 1)}L${point(a + 1, z + 1)}` : "",
      ];
    })
    .join("");
  const low = Math.min(...facing.map((cube) => cube.z));
  const high = Math.max(...facing.map((cube) => cube.z)) + 1;
  const left = Math.min(...facing.map((cube) => cube[across]));
  const right = Math.max(...facing.map((cube) => cube[across])) + 1;
  const whole = closedPath(point(left, low), point(right, low), point(right, high), point(left, high));
  return svg`${[...sizes.values()].map(
    (some) => svg`<path class="wood b${some[0].size}"
      d=${some
        .map((cube) =>
          closedPath(
            point(cube[across], cube.z),
            point(cube[across] + 1, cube.z),
            point(cube[across] + 1, cube.z + 1),
            point(cube[across], cube.z + 1),
          ),
        )
        .join("")}></path>`,
  )}
    <path class="shade edge ${side}" d=${whole}></path><path class="joint" d=${joints}></path>`;
}

/**
 * Draw a hip roof over a rectangle.
 * @param {number} x @param {number} y @param {number} w @param {number} d @param {number} z
 */
function drawRoof(x, y, w, d, z) {
  const o = 0.22;
  const rise = 0.42 * Math.min(w, d) + 0.3;
  const half = Math.min(w, d) / 2;
  const [x0, y0, x1, y1] = [x - o, y - o, x + w + o, y + d + o];
  const a = w > d ? [x0 + half + o, y + d / 2] : [x + w / 2, y0 + half + o];
  const b = w > d ? [x1 - half - o, y + d / 2] : [x + w / 2, y1 - half - o];
  const [A, B] = [project(a[0], a[1], z + rise), project(b[0], b[1], z + rise)];
  const corner = [project(x0, y0, z), project(x1, y0, z), project(x1, y1, z), project(x0, y1, z)];
  return svg`<path class="roof back" d=${
    closedPath(corner[0], corner[1], w > d ? B : A, A) + closedPath(corner[0], corner[3], w > d ? A : B, A)
  }></path>
    <path class="roof right" d=${closedPath(corner[1], corner[2], B, w > d ? B : A)}></path>
    <path class="roof left" d=${closedPath(corner[3], corner[2], B, w > d ? A : B)}></path>`;
}

/** Draw a flat roof with a penthouse. @param {number} w @param {number} d @param {number} z */
const drawTerrace = (w, d, z) => svg`<path class="roof left"
  d=${closedPath(
    project(-0.15, d + 0.15, z),
    project(w + 0.15, d + 0.15, z),
    project(w + 0.15, d + 0.15, z + 0.3),
    project(-0.15, d + 0.15, z + 0.3),
  )}></path>
  <path class="roof right" d=${closedPath(
    project(w + 0.15, -0.15, z),
    project(w + 0.15, d + 0.15, z),
    project(w + 0.15, d + 0.15, z + 0.3),
    project(w + 0.15, -0.15, z + 0.3),
  )}></path>
  <path class="roof back" d=${closedPath(
    project(-0.15, -0.15, z + 0.3),
    project(w + 0.15, -0.15, z + 0.3),
    project(w + 0.15, d + 0.15, z + 0.3),
    project(-0.15, d + 0.15, z + 0.3),
  )}></path>`;

/**
 * Draw a house at the origin.
 * @param {Built} house
 * @param {number} [turns] quarter turns of the view
 */
export function drawHouse(house, turns = 0) {
  const {
    cubes,
    box: [w, d, h],
    penthouse,
  } = turnModel(buildModel(house), turns);
  const main = cubes.filter((cube) => cube.z < h);
  const attic = cubes.filter((cube) => cube.z >= h);
  return svg`<path class="shadow"
    d=${closedPath(project(0, 0), project(w + 0.5, 0.5), project(w + 0.9, d + 0.9), project(0, d + 0.2))}></path>
    ${drawWall(main, "y")}${drawWall(main, "x")}
    ${
      penthouse
        ? svg`${drawTerrace(w, d, h)}${drawWall(attic, "y")}${drawWall(attic, "x")}${drawRoof(
            (w - 2) / 2,
            (d - 2) / 2,
            2,
            2,
            h + 1.3,
          )}`
        : drawRoof(0, 0, w, d, h)
    }`;
}

/** Return the viewBox of a house's picture. @param {string} form @returns {string} a viewBox */
export function houseViewBox(form) {
  const {
    box: [w, d, h],
    penthouse,
  } = parseForm(form);
  const top = h + (penthouse ? 2.9 : 0.42 * Math.min(w, d) + 0.5);
  return `${-(d + 0.7) * CUBE_WIDTH} ${-top * CUBE_WIDTH - 1} ${(w + d + 1.8) * CUBE_WIDTH} ${
    (top + (w + d) * VIEW_TILT + 1.2) * CUBE_WIDTH
  }`;
}

/**
 * Draw the cubes of one floor from above, with the joints between blocks.
 * @param {Cube[]} cubes @param {(cube: Cube) => boolean} [missing]
 */
function drawSlab(cubes, missing = () => false) {
  const find = (/** @type {number} */ x, /** @type {number} */ y) =>
    cubes.find((cube) => cube.x === x && cube.y === y && !missing(cube));
  return cubes
    .toSorted((a, b) => a.x + a.y - b.x - b.y)
    .map((cube) => {
      const { x, y, size } = cube;
      const top = [project(x, y, 1), project(x + 1, y, 1), project(x + 1, y + 1, 1), project(x, y + 1, 1)];
      if (missing(cube))
        return svg`<path class="missing"
          d=${closedPath(project(x, y), project(x + 1, y), project(x + 1, y + 1), project(x, y + 1))}></path>`;
      const front = closedPath(top[3], top[2], project(x + 1, y + 1), project(x, y + 1));
      const right = closedPath(top[1], top[2], project(x + 1, y + 1), project(x + 1, y));
      const sides = [find(x, y - 1), find(x + 1, y), find(x, y + 1), find(x - 1, y)];
      return svg`<path class="wood b${size}" d=${closedPath(...top)}></path>
      ${sides[2] ? "" : svg`<path class="wood b${size}" d=${front}></path><path class="shade y" d=${front}></path>`}
      ${sides[1] ? "" : svg`<path class="wood b${size}" d=${right}></path><path class="shade x" d=${right}></path>`}
      <path class="joint" d=${sides
        .map((other, i) => (other?.block === cube.block ? "" : `M${top[i]}L${top[(i + 1) % 4]}`))
        .join("")}></path>`;
    });
}

/** @param {number} w @param {number} d @param {number} [floors] @returns {string} a viewBox for floors side by side */
const slabViewBox = (w, d, floors = 1) =>
  `${-d * CUBE_WIDTH - 1} ${-CUBE_WIDTH - 1} ${
    ((w + d) * floors + (floors - 1) * 0.6) * CUBE_WIDTH + 2
  } ${(w + d) * CUBE_WIDTH * VIEW_TILT + CUBE_WIDTH + 2}`;

/** Draw a single block. @param {number} size @param {Record<string, number[][]>} shapes */
export const drawBlock = (size, shapes) => drawSlab(shapes[size].map(([x, y]) => ({ x, y, z: 0, block: 0, size })));

/** @param {number} size @param {Record<string, number[][]>} shapes @returns {string} a viewBox for drawBlock */
export const blockViewBox = (size, shapes) =>
  slabViewBox(Math.max(...shapes[size].map(([x]) => x)) + 1, Math.max(...shapes[size].map(([, y]) => y)) + 1);

/**
 * Draw a house floor by floor, so that every block is visible.
 * @param {Built} house @param {number[]} [toCome] sizes of the last blocks, which are not laid yet
 * @returns {{frame: string, drawing: unknown}}
 */
export function drawFloors(house, toCome = []) {
  const {
    cubes,
    box: [w, d, h],
    penthouse,
  } = buildModel(house);
  const floors = h + Number(penthouse);
  const rest = [...toCome];
  const missing = new Set();
  for (const { block, size } of cubes.toReversed()) {
    if (missing.has(block) || !rest.includes(size)) continue;
    missing.add(block);
    rest.splice(rest.indexOf(size), 1);
  }
  return {
    frame: slabViewBox(w, d, floors),
    drawing: Array.from(
      { length: floors },
      (_, z) => svg`<g transform=${`translate(${z * (w + d + 0.6) * CUBE_WIDTH})`}>
        ${drawSlab(
          cubes.filter((cube) => Math.floor(cube.z) === z),
          (cube) => missing.has(cube.block),
        )}</g>`,
    ),
  };
}
