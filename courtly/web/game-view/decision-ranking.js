/** Which of a decision's moves was best, the same wherever a review names it: as in courtly/review/text.py. */

/**
 * @typedef {import("../core/api-types.js").Decision} Decision
 * @typedef {import("../core/api-types.js").ExaminedMove} ExaminedMove
 */

const MAX_COSTLIEST = 5; // decisions, as many as one looks at

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

/**
 * Return the indices of the decisions of a kind, the largest loss first.
 * @param {Decision[]} decisions @param {(decision: Decision) => boolean} isOfKind
 */
const listByLoss = (decisions, isOfKind) =>
  decisions
    .flatMap((decision, i) => (isOfKind(decision) ? [i] : []))
    .sort((a, b) => findLoss(decisions[b]) - findLoss(decisions[a]));

/** Return the indices of the turning points, the largest loss first. @param {Decision[]} decisions */
export const listTurningPoints = (decisions) => listByLoss(decisions, ({ turning }) => turning);

/**
 * Return the indices of the decisions of a kind that cost most: those with a clearly better move, however small the
 * loss, the largest first.
 * @param {Decision[]} decisions @param {(decision: Decision) => boolean} isOfKind
 */
export const listCostliest = (decisions, isOfKind) =>
  listByLoss(decisions, (one) => isOfKind(one) && !isAboutBest(one, findPlayedMove(one))).slice(0, MAX_COSTLIEST);

/**
 * Return the index of the decision that the replay shows, -1 if it shows none. In a player's view several plies have
 * the same position; a decision of that player comes before those of others.
 * @param {Decision[]} decisions @param {import("./replay/replay.js").Replay} replay
 */
export function findDecisionHere(decisions, { view, views, index, viewpoint }) {
  const until = view?.ply ?? 0;
  if (viewpoint === "all") return decisions.findIndex(({ ply }) => ply === until);
  const after = views[index - 1]?.ply ?? -1;
  const isHere = (/** @type {Decision} */ { ply }) => ply > after && ply <= until;
  const own = decisions.findLastIndex((decision) => decision.seat === viewpoint && isHere(decision));
  return own < 0 ? decisions.findLastIndex(isHere) : own;
}

/**
 * Return the best and the played move of the decision that a replay shows beside its review, or null.
 * @param {import("./game-view.js").GameView} table
 */
export function findReviewedMoves({ panel, replay, gameReview }) {
  const { decisions } = gameReview.review ?? gameReview.growing ?? { decisions: [] };
  const decision = replay && panel === "review" ? decisions[findDecisionHere(decisions, replay)] : undefined;
  return decision ? { best: findBestMove(decision).move, played: findPlayedMove(decision).move } : null;
}
