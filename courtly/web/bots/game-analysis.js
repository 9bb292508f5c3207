/**
 * The analysis of a finished game, the same as that of courtly/review/analysis.py: a search judges every decision with
 * a choice, from what its player knew then.
 */
import { explainMoves } from "./move-explanations.js";
import { Position } from "../engine/position.js";
import { REVIEW_FORMAT } from "./review-settings.js";
import { CONFIDENCE_95_FACTOR, Search } from "./search.js";
import { roundShare } from "./statistics.js";
import { explainPlan, hasPlans, planTurn } from "./turn-plan.js";

/**
 * @typedef {import("../core/api-types.js").Balance} Balance @typedef {import("../core/api-types.js").Decision} Decision
 * @typedef {import("../core/api-types.js").Move} Move @typedef {import("../core/api-types.js").Review} Review
 * @typedef {import("../engine/match.js").Entry} Entry @typedef {import("../engine/match.js").Match} Match
 * @typedef {import("../engine/description.js").GameDescription} GameDescription
 * @typedef {import("./search.js").PositionView} PositionView @typedef {import("./search.js").WinChances} WinChances
 */
/**
 * A decision with a choice: the view of its seat, and the move that it made. `goesOn`: the seat has learned nothing
 * since its previous decision.
 * @typedef {{ply: number, seat: number, view: PositionView, move: number, goesOn: boolean}} Choice
 */

/**
 * A review for which further decisions are being judged. `numbers`: the index of each of its decisions among the
 * `choiceCount` choices of the game.
 * @typedef {Review & {numbers?: number[], choiceCount?: number}} GrowingReview
 */

const EXAMINED_MOVES = 2; // examined for each decision, in addition to the one that was played
const SHARE_DECIMALS = 4; // of chances
const MIN_TURNING_LOSS = 0.05;
const TURNING_ERROR_FACTOR = 1.5; // how many standard errors the loss must exceed

/** Return the entries of a journal that were not taken back. @param {Entry[]} entries */
function listRemaining(entries) {
  /** @type {Entry[]} */
  const left = [];
  for (const entry of entries) {
    if (entry.undo) {
      const last = left.findLastIndex((removed) => removed.seat === entry.seat) + 1;
      left.splice(last - entry.undo, entry.undo);
    } else left.push(entry);
  }
  return left;
}

/** Return the decisions of a match with more than one legal move, in order. @param {Match} match @returns {Choice[]} */
export function listChoices({ game, players, position: last, entries }) {
  /** @type {Choice[]} */
  const choices = [];
  let position = Position.begin(game, players, last.options);
  /** @type {Set<number>} seats that have decided and noticed nothing since */
  const unaware = new Set();
  for (const { ply, seat, move } of listRemaining(entries)) {
    if (seat !== game.description.event_seat) {
      const view = position.view(seat);
      if (view.legal.length > 1) {
        choices.push({ ply, seat, view, move, goesOn: unaware.has(seat) });
        unaware.add(seat);
      }
    }
    for (const other of [...unaware]) if (isNoticedBy(position, other, seat, move)) unaware.delete(other);
    position = position.after(seat, move);
  }
  return choices;
}

/**
 * Return whether a seat notices a move of another seat, or learns something from any move.
 * @param {Position} position @param {number} other @param {number} seat @param {number} move
 */
function isNoticedBy(position, other, seat, move) {
  if ((position.reveals(seat, move) >> other) & 1) return true;
  const isShown = ((position.audience(seat, move) >> other) & 1) === 1;
  return other !== seat && (!position.isSilent(seat, move) || isShown);
}

/**
 * Return the search's judgement of a decision. It depends on the view and the ply alone.
 * @param {import("./memory.js").Memory} memory of an instance for searches @param {number} simulations
 * @param {Choice} choice @param {import("./search.js").Pause} [pause] @returns {Promise<Decision>}
 */
export async function judge(memory, simulations, { ply, seat, view, move: played, goesOn }, pause) {
  const search = new Search(memory, simulations);
  const number = ply * (EXAMINED_MOVES + 2);
  const best = (await search.think(view, number, pause)).lines.slice(0, EXAMINED_MOVES).map(({ move }) => move);
  const moves = best.includes(played) ? best : [...best, played];
  /** @type {Map<number, WinChances>} */
  const found = new Map();
  for (const [i, move] of moves.entries()) found.set(move, await search.findChances(view, move, number + 1 + i, pause));
  const compared = findMistake(found, seat, played);
  const reasons = compared.size ? await explainMoves(memory, view, compared, number, pause) : new Map();
  if (hasPlans(memory))
    for (const [move, some] of reasons) {
      const plan = await planTurn(memory, view, move, number, undefined, pause);
      some.unshift(...explainPlan(memory, plan));
    }
  const tallies = [...found].map(([move, { shares, errors }]) => ({
    move: /** @type {Move} */ (view.legal.find(({ id }) => id === move)),
    chances: shares.map(roundChance),
    error: roundChance(CONFIDENCE_95_FACTOR * errors[seat]),
    reasons: reasons.get(move) ?? [],
  }));
  return {
    ply,
    seat,
    goes_on: goesOn,
    played: moves.indexOf(played),
    tallies,
    loss: 0,
    error: 0,
    turning: false,
  };
}

/**
 * Return the best and the played move with their chances, if the played one is clearly worse; otherwise nothing.
 * @param {Map<number, WinChances>} found @param {number} seat @param {number} playedMove
 * @returns {Map<number, WinChances>}
 */
function findMistake(found, seat, playedMove) {
  const [bestMove, best] = [...found].reduce((first, each) =>
    each[1].shares[seat] > first[1].shares[seat] ? each : first,
  );
  const played = /** @type {WinChances} */ (found.get(playedMove));
  const error = CONFIDENCE_95_FACTOR * Math.sqrt(best.errors[seat] ** 2 + played.errors[seat] ** 2);
  if (best.shares[seat] - played.shares[seat] <= error) return new Map();
  return new Map([
    [bestMove, best],
    [playedMove, played],
  ]);
}

/**
 * Fill in the loss of each decision.
 *
 * If the player decided again without having learned anything, the played move gets the chances of the best move of
 * that later decision: simulations play worse from there than a player who searches again.
 * @param {Decision[]} decisions
 */
function addLosses(decisions) {
  /** @type {Map<number, Decision>} for each seat, its next decision */
  const nextBySeat = new Map();
  for (const decision of decisions.toReversed()) {
    const { seat, played, tallies } = decision;
    const after = nextBySeat.get(seat);
    nextBySeat.set(seat, decision);
    if (played === 0) continue;
    if (after?.goes_on) {
      const { chances, error } = after.tallies[0];
      Object.assign(tallies[played], { chances, error });
    }
    const loss = tallies[0].chances[seat] - tallies[played].chances[seat];
    const error = Math.sqrt(tallies[0].error ** 2 + tallies[played].error ** 2);
    decision.loss = roundChance(loss);
    decision.error = roundChance(error);
    decision.turning = loss >= MIN_TURNING_LOSS && loss > TURNING_ERROR_FACTOR * error;
  }
}

/** Return each seat's share of the victory. @param {number[]} scores */
function shareVictory(scores) {
  const most = Math.max(...scores);
  const winners = scores.filter((score) => score === most).length;
  return scores.map((score) => Number(score === most) / winners);
}

/**
 * Return where each seat's chances came from: begin + choices + others + luck = end.
 * @param {Decision[]} decisions @param {number[]} end @returns {Balance[]}
 */
function computeBalances(decisions, end) {
  return end.map((won, seat) => {
    const begin = decisions.length ? decisions[0].tallies[0].chances[seat] : won;
    let before = begin;
    let [choices, others, luck, variance] = [0, 0, 0, 0];
    for (const decision of decisions) {
      const best = decision.tallies[0].chances[seat];
      const after = decision.tallies[decision.played].chances[seat];
      luck += best - before;
      if (decision.seat === seat) {
        choices += after - best;
        variance += decision.error ** 2;
      } else others += after - best;
      before = after;
    }
    luck += won - before;
    return {
      begin: roundChance(begin),
      choices: roundChance(choices),
      error: roundChance(Math.sqrt(variance)),
      others: roundChance(others),
      luck: roundChance(luck),
      end: roundChance(won),
    };
  });
}

/**
 * Return the analysis of a finished match, given its judged decisions.
 * @param {Match} match @param {number} simulations @param {Decision[]} decisions @returns {Review}
 */
export function makeReview({ game, players, position }, simulations, decisions) {
  const scores = /** @type {number[]} */ (position.scores);
  addLosses(decisions);
  return {
    form: REVIEW_FORMAT,
    game: game.id,
    version: game.description.version,
    players,
    simulations: game.description.search?.certainty ? 0 : simulations,
    scores,
    decisions,
    balances: computeBalances(decisions, shareVictory(scores)),
  };
}

/**
 * Return the analysis of a finished match, given some of its judged decisions. A decision whose loss depends on the
 * next one of its player is left out until that is judged.
 * @param {Match} match @param {number} simulations @param {Choice[]} choices
 * @param {(Decision | null)[]} decisions at the indices of their choices; they are altered
 * @returns {GrowingReview}
 */
export function makeGrowingReview(match, simulations, choices, decisions) {
  /** @type {Map<number, number>} for each seat, its next choice */
  const nextBySeat = new Map();
  /** @type {number[]} */
  const numbers = [];
  for (const [i, { seat }] of [...choices.entries()].reverse()) {
    const decision = decisions[i];
    const next = nextBySeat.get(seat) ?? i;
    const nextDecision = decisions[next];
    nextBySeat.set(seat, i);
    if (next > i && nextDecision && !decision) nextDecision.goes_on = false; // the decision before it is not this one
    const isComplete = next === i || !choices[next].goesOn || nextDecision;
    if (decision && (decision.played === 0 || isComplete)) numbers.unshift(i);
  }
  const judged = /** @type {Decision[]} */ (decisions.filter(Boolean));
  const review = makeReview(match, simulations, judged);
  const shown = numbers.map((i) => /** @type {Decision} */ (decisions[i]));
  return { ...review, decisions: shown, numbers, choiceCount: choices.length };
}

/** @param {number} share */
const roundChance = (share) => roundShare(share, SHARE_DECIMALS);
