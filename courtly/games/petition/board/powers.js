/**
 * Using a character: the player picks dice, then the outcome, and all moves are sent together. The choices are in
 * `ui.local`: `power` (the character), `picked` (keys of active dice), `choice` (index of the outcome).
 */
import { countFaces } from "./position.js";

/**
 * @typedef {import("../../../web/core/api-types.js").Move} Move
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */
/** @typedef {import("./position.js").Position} Position */
/**
 * @typedef {{to: number[] | null, moves: Move[]}} Outcome the picked dice's new faces (null: rolled again), and the
 *   moves
 * @typedef {{card: number, ways: [number[], number[], number[] | null][], each: [number, number, number[] | null][],
 *   then: number[]}} Use
 */

/** Return whether the player can choose to use this character. @param {string} card @param {BoardContext} ui */
export const isActivatable = (card, { about: { moves } }) => card in moves || moves.add.args.card.values.includes(card);

/**
 * Return the character in use: picked here, or started by an earlier move.
 * @param {Position} p @returns {string | null}
 */
export function powerInUse(p) {
  if (!p.canAct) return null;
  return p.cards[p.facts.using] ?? p.ui.local.power ?? null;
}

/** Return whether the use of a character has started and not ended. @param {Position} p */
export const isPowerBegun = (p) => p.facts.using >= 0;

/**
 * Return how a character can be used now according to the rules (uses in shown.py).
 * @param {Position} p @param {string} card @returns {Use | undefined}
 */
export const findUse = (p, card) => p.facts.uses?.find((/** @type {Use} */ use) => p.cards[use.card] === card);

/** Return whether it is used by one move, without a choice. @param {Use} use */
export const isImmediate = ({ ways, each }) => !each.length && ways.length === 1 && !ways[0][0].length;

/**
 * Return whether this face may be picked as another die.
 * @param {Position} p @param {string} card @param {number[]} picked faces @param {number} face
 */
export function isPickable(p, card, picked, face) {
  const { ways = [], each = [] } = findUse(p, card) ?? {};
  const wanted = countFaces([...picked, face]);
  const fit = (/** @type {number[]} */ dice) => countFaces(dice).every((n, i) => wanted[i] <= n);
  return each.some(([one]) => one === face) || ways.some(([dice]) => fit(dice));
}

/** Return the maximum number of dice that can be picked. @param {Position} p @param {string} card */
export function maxPicked(p, card) {
  const { ways = [], each = [] } = findUse(p, card) ?? {};
  return each.length ? Number.POSITIVE_INFINITY : Math.max(0, ...ways.map(([dice]) => dice.length));
}

/**
 * Return the possible outcomes for the picked dice.
 * @param {Position} p @param {string} card @param {number[]} picked @returns {Outcome[]}
 */
export function listOutcomes(p, card, picked) {
  const { ways = [], each = [], then = [] } = findUse(p, card) ?? {};
  const wanted = String(countFaces(picked));
  const together = ways
    .filter(([dice]) => String(countFaces(dice)) === wanted)
    .map(([dice, moves, to]) => ({ to: reorderFaces(picked, dice, to), moves: p.ui.movesByIds(moves) }));
  const parts = picked.flatMap((face) => each.filter(([one]) => one === face));
  if (!parts.length) return together;
  const to = parts.flatMap(([, , faces]) => faces ?? []);
  return [{ to: to.length ? to : null, moves: p.ui.movesByIds([...parts.map(([, move]) => move), ...then]) }];
}

/**
 * Return the new faces in the order in which the dice were picked.
 * @param {number[]} picked @param {number[]} dice @param {number[] | null} to
 */
function reorderFaces(picked, dice, to) {
  if (to?.length !== picked.length) return to;
  const left = [...dice];
  return picked.map((face) => {
    const i = left.indexOf(face);
    left[i] = 0;
    return to[i];
  });
}
