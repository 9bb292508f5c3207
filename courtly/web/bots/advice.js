/** Help for players: chances to win, and the best moves with reasons, the same as those of courtly/bots/advice.py. */
import { explainMoves } from "./move-explanations.js";
import { CONFIDENCE_95_FACTOR, Search } from "./search.js";
import { roundHalfToEven } from "../core/percentages.js";
import { roundShare } from "./statistics.js";
import { explainPlan, hasPlans, planTurn } from "./turn-plan.js";

/**
 * @typedef {import("../core/api-types.js").Advice} Advice
 * @typedef {import("./search.js").PositionView} PositionView @typedef {import("./search.js").WinChances} WinChances
 */

const CHANCE_SIMULATIONS = 600; // for the chances
const SEARCH_SIMULATIONS = 1500; // for good moves
const HINT_SIMULATIONS = 1000; // for the chances after each of them
const MAX_HINTS = 3;
// the parts of a time limit: for good moves, for the chances after each; the rest is for reasons
const SEARCH_TIME = 0.32;
const HINT_TIME = 0.16;
const PLAN_TIME = 0.25; // for each plan, in games whose chances take no time
const ADVICE_SEED = 1; // of the simulations

/**
 * Return each seat's chance to win and, if `hints`, the best moves for the seat that sees this view: the chances are
 * then those after the best one.
 * @param {import("./memory.js").Memory} memory of an instance for searches @param {PositionView} view
 * @param {boolean} hints @param {import("./search.js").Pause} [pause]
 * @param {number} [timeLimitMs] after which fewer simulations are made, but a third at least
 * @returns {Promise<Advice>}
 */
export async function advise(memory, view, hints, pause, timeLimitMs = Infinity) {
  const { seat, legal } = view;
  if (!hints || seat === null || legal.length < 2) {
    const chances = new Search(memory, CHANCE_SIMULATIONS, timeLimitMs);
    return makeAdvice(await chances.findChances(view, null, ADVICE_SEED, pause));
  }
  const search = new Search(memory, SEARCH_SIMULATIONS, timeLimitMs * SEARCH_TIME);
  const { lines } = await search.think(view, ADVICE_SEED, pause);
  const after = new Search(memory, HINT_SIMULATIONS, timeLimitMs * HINT_TIME);
  /** @type {Map<number, WinChances>} */
  const found = new Map();
  const moves = lines.map(({ move }) => move);
  for (const move of hasPlans(memory) ? await chooseDifferentPlans(memory, view, moves) : moves.slice(0, MAX_HINTS))
    found.set(move, await after.findChances(view, move, ADVICE_SEED, pause));
  const explanations = await explainMoves(memory, view, found, ADVICE_SEED, pause);
  if (hasPlans(memory))
    for (const [move, reasons] of explanations) {
      const plan = await planTurn(memory, view, move, ADVICE_SEED, undefined, pause, timeLimitMs * PLAN_TIME);
      reasons.unshift(...explainPlan(memory, plan));
    }
  const best = [...found].sort(([, a], [, b]) => b.shares[seat] - a.shares[seat]);
  const advice = makeAdvice(best[0][1]);
  for (const [move, chances] of best)
    advice.hints.push({
      move: /** @type {import("../core/api-types.js").Move} */ (legal.find(({ id }) => id === move)),
      wins: toThousandths(chances.shares[seat]),
      margin: toMargin(chances.errors[seat]),
      reasons: explanations.get(move) ?? [],
    });
  return advice;
}

/** Return an advice with these chances and no hints. @param {WinChances} chances @returns {Advice} */
const makeAdvice = ({ shares, errors, counted }) => ({
  wins: shares.map(toThousandths),
  margin: toMargin(...errors),
  counted,
  hints: [],
});

/**
 * Return the first moves. Of several that begin the same plan, such as keeping the same dice in another order, only the
 * first is among them.
 * @param {import("./memory.js").Memory} memory @param {PositionView} view @param {number[]} moves
 */
async function chooseDifferentPlans(memory, view, moves) {
  /** @type {Map<string, number>} */
  const chosen = new Map();
  for (const move of moves) {
    const plan = await planTurn(memory, view, move, ADVICE_SEED, 1);
    const key = plan.moves.sort((a, b) => a - b).join();
    if (!chosen.has(key)) chosen.set(key, move);
    if (chosen.size === MAX_HINTS) break;
  }
  return chosen.values();
}

/** @param {number} share */
const toThousandths = (share) => Math.round(1000 * roundShare(share, 3));

/** @param {...number} errors */
const toMargin = (...errors) => roundHalfToEven(1000 * CONFIDENCE_95_FACTOR * Math.max(...errors));
