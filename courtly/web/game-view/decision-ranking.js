/** Which of a decision's moves was best, the same wherever a review names it: as in courtly/review/text.py. */

/**
 * @typedef {import("../core/api-types.js").Decision} Decision
 * @typedef {import("../core/api-types.js").ExaminedMove} ExaminedMove
 */

/** Return the move that was played. @param {Decision} decision */
export const findPlayedMove = ({ tallies, played }) => tallies[played];

/** Return the examined moves, the best for their player first. @param {Decision} decision */
export const rankMoves = ({ seat, tallies }) => tallies.toSorted((a, b) => b.chances[seat] - a.chances[seat]);

/** Return the best of the examined moves. @param {Decision} decision */
export const findBestMove = (decision) => rankMoves(decision)[0];

/**
 * Return whether a move is about as good as the best: the difference is within the margin of error.
 * @param {Decision} decision @param {ExaminedMove} move
 */
export function isAboutBest(decision, move) {
  const best = findBestMove(decision);
  return best.chances[decision.seat] - move.chances[decision.seat] <= Math.hypot(best.error, move.error);
}

/** Return what the player lost by not playing the best move: a share. @param {Decision} decision */
const findLoss = (decision) =>
  findBestMove(decision).chances[decision.seat] - findPlayedMove(decision).chances[decision.seat];

/** Return the indices of the turning points, the largest loss first. @param {Decision[]} decisions */
export const listTurningPoints = (decisions) =>
  decisions
    .flatMap(({ turning }, i) => (turning ? [i] : []))
    .sort((a, b) => findLoss(decisions[b]) - findLoss(decisions[a]));
