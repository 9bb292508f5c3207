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
 * @typedef {{to: number[], moves: Move[]}} Outcome the picked dice's new faces (empty: rolled again), and the moves
 * @typedef {{card: number, dice: number[], moves: number[], to: number[], then: number[]}} Way
 *   a way to use a character: the picked dice, the moves, and the resulting faces. With moves in `then`, any number of
 *   such ways can be used, and these moves follow
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
 * Return how a character can be used now according to the rules (facts_ways.py).
 * @param {Position} p @param {string} card @returns {Way[]}
 */
export const listWays = (p, card) => p.facts.ways.filter((/** @type {Way} */ way) => p.cards[way.card] === card);

/** Return whether a character is used by one move, without a choice. @param {Way[]} ways */
export const isImmediate = (ways) => ways.length === 1 && !ways[0].dice.length;

/**
 * Return whether this face may be picked as another die.
 * @param {Position} p @param {string} card @param {number[]} picked faces @param {number} face
 */
export function isPickable(p, card, picked, face) {
  const wanted = countFaces([...picked, face]);
  const fit = (/** @type {number[]} */ dice) => countFaces(dice).every((n, i) => wanted[i] <= n);
  return listWays(p, card).some(({ dice, then }) => (then.length ? dice[0] === face : fit(dice)));
}

/** Return the maximum number of dice that can be picked. @param {Position} p @param {string} card */
export function maxPicked(p, card) {
  return Math.max(
    0,
    ...listWays(p, card).map(({ dice, then }) => (then.length ? Number.POSITIVE_INFINITY : dice.length)),
  );
}

/**
 * Return the possible outcomes for the picked dice.
 * @param {Position} p @param {string} card @param {number[]} picked @returns {Outcome[]}
 */
export function listOutcomes(p, card, picked) {
  const ways = listWays(p, card);
  const wanted = String(countFaces(picked));
  const parts = picked.flatMap((face) => ways.filter(({ dice, then }) => then.length && dice[0] === face));
  if (parts.length) {
    const moves = [...parts.flatMap((part) => part.moves), ...parts[0].then];
    return [{ to: parts.flatMap(({ to }) => to), moves: p.ui.movesByIds(moves) }];
  }
  return ways
    .filter(({ dice, then }) => !then.length && String(countFaces(dice)) === wanted)
    .map(({ dice, moves, to }) => ({ to: reorderFaces(picked, dice, to), moves: p.ui.movesByIds(moves) }));
}

/**
 * Return the new faces in the order in which the dice were picked.
 * @param {number[]} picked @param {number[]} dice @param {number[]} to
 */
function reorderFaces(picked, dice, to) {
  if (to.length !== picked.length) return to;
  const left = [...dice];
  return picked.map((face) => {
    const i = left.indexOf(face);
    left[i] = 0;
    return to[i];
  });
}
