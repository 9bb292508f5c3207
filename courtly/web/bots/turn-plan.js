/** The plan of a hint in games whose policy computes decisions exactly, the same as in courtly/bots/turn_plan.py. */
import { Generator } from "./generator.js";
import { roundHalfToEven, sharesToPercents } from "../core/percentages.js";
import { Moves } from "../engine/moves.js";

/**
 * @typedef {import("../core/api-types.js").Reason} Reason @typedef {import("./memory.js").Memory} Memory
 * @typedef {import("../engine/description.js").SearchDescription} SearchDescription
 * @typedef {import("./search.js").PositionView} PositionView
 */

/**
 * The moves of a turn until chance decides, the first one included, and how many of the simulated turns end with each
 * of the moves that the turn is played for.
 * @typedef {{moves: number[], aims: Map<number, number>, turns: number}} TurnPlan
 */

const MAX_TURNS = 400;
const MAX_SOLUTIONS = 150; // after them, the turn that has begun is the last one
const MIN_TURNS = 10; // if time suffices for fewer, the hint does not tell where the plan leads
const MAX_TURN_MOVES = 100;
const MAX_AIMS = 3;
const MIN_AIM_SHARE = 0.1;
const CONFIDENCE_95_FACTOR = 1.96; // half the width of a 95 % interval, in standard errors
const SIMULATIONS = 1000; // determines the working memory
const PAUSE_INTERVAL_MS = 40;
const [AFTER_CHANCE, TURN_OVER] = [1, 2]; // what a move leads to

/** Return whether hints for the game can have plans. @param {Memory} memory */
export const hasPlans = ({ description }) => description.search?.aims !== undefined;

/**
 * Return the plan that begins with a move.
 * @param {Memory} memory of an instance for searches @param {PositionView} view of a seat @param {number} move
 * @param {number} seed @param {number} [maxTurns] how many to simulate @param {import("./search.js").Pause} [pause]
 * @param {number} [timeLimitMs] after which fewer are simulated; only one, if few are possible
 * @returns {Promise<TurnPlan>}
 */
export async function planTurn(memory, view, move, seed, maxTurns = MAX_TURNS, pause, timeLimitMs = Infinity) {
  const simulation = new TurnSimulation(memory, view);
  /** @type {TurnPlan} */
  const plan = { moves: [], aims: new Map(), turns: 0 };
  const began = performance.now();
  let pausedAt = began;
  while (plan.turns < maxTurns && simulation.bestMoves.size < MAX_SOLUTIONS) {
    const { played, certain } = simulation.play(move, new Generator(seed, plan.turns));
    const last = /** @type {number} */ (played.at(-1));
    if (simulation.isAim(last)) plan.aims.set(last, (plan.aims.get(last) ?? 0) + 1);
    plan.moves = played.slice(0, certain);
    plan.turns++;
    const now = performance.now();
    if (now - pausedAt > PAUSE_INTERVAL_MS) {
      await pause?.();
      pausedAt = performance.now();
    }
    const isFirst = plan.turns === 1;
    if ((now - began) * (isFirst ? MIN_TURNS : 1) > timeLimitMs) break;
  }
  if (plan.turns < Math.min(maxTurns, MIN_TURNS)) plan.aims.clear();
  return plan;
}

/** Plays turns of the seat of a view, and solves each decision once. */
class TurnSimulation {
  /** @param {Memory} memory @param {PositionView} view */
  constructor(memory, view) {
    const { lengths, ...about } = /** @type {SearchDescription} */ (memory.description.search);
    const { notes_per_simulation: notesPerSimulation = 0, max_notes: maxNotes = 0, aims = [0, 0] } = about;
    this.memory = memory;
    this.view = view;
    this.aims = aims;
    /** The best move in each position, by the stored bytes of its state. @type {Map<string, number>} */
    this.bestMoves = new Map();
    memory.clear();
    this.moves = memory.makeRow(lengths.moves);
    this.out = memory.makeRow(lengths.out);
    const room = Math.min(notesPerSimulation * SIMULATIONS, maxNotes);
    this.notes = memory.makeRow(room, [room]);
    this.end = memory.end;
  }

  /** @param {number} move */
  isAim(move) {
    const [first, count] = this.aims;
    return move >= first && move < first + count;
  }

  /**
   * Play the turn that begins with a move, in an imagined world. Returns its moves, and how many of them come before
   * the first random event.
   * @param {number} move @param {Generator} generator
   */
  play(move, generator) {
    const { memory, view, moves, out } = this;
    memory.end = this.end; // the states of the last turn are no longer needed
    const states = memory.makeRecords(1, view.state);
    const rng = memory.makeRow(memory.description.generator_length, generator.describe());
    /** @type {number[]} */
    const played = [];
    let certain = 0;
    for (let next = move; ; next = this.#findBestMove(states)) {
      const isFirst = played.length ? 0 : 1;
      const seat = /** @type {number} */ (view.seat);
      const result = memory.call("continue_turn", states, seat, next, isFirst, rng, moves, out);
      played.push(next);
      if (result === AFTER_CHANCE && !certain) certain = played.length;
      if (result === TURN_OVER || this.isAim(next) || played.length === MAX_TURN_MOVES)
        return { played, certain: certain || played.length };
    }
  }

  /** @param {import("./memory.js").Block} states */
  #findBestMove(states) {
    const { memory, view, moves, out, notes } = this;
    const { size, stored } = memory.description.record;
    const key = String.fromCharCode(...memory.readBytes(states.address, stored));
    const known = this.bestMoves.get(key);
    if (known !== undefined) return known;
    const end = memory.end;
    const state = memory.copyRecord(states.address, size);
    const count = memory.call("solve_decision", state, /** @type {number} */ (view.seat), moves, out, notes);
    memory.end = end;
    const values = memory.readNumbers(out, count);
    const best = memory.readNumbers(moves, count)[values.indexOf(Math.max(...values))];
    this.bestMoves.set(key, best);
    return best;
  }
}

/**
 * Return the moves that follow the first one before chance decides, and the moves that the turn most likely leads to,
 * with the share of the turns and its margin of error in percent.
 * @param {Memory} memory @param {TurnPlan} plan @returns {Reason[]}
 */
export function explainPlan({ description }, { moves, aims, turns }) {
  const { named } = new Moves(description);
  /** @type {Reason[]} */
  const reasons = [];
  if (moves.length > 1) reasons.push({ id: "help-plan", args: { moves: moves.slice(1).map((move) => named[move]) } });
  const likely = [...aims]
    .filter(([aim, count]) => !moves.includes(aim) && count >= MIN_AIM_SHARE * turns)
    .sort(([aim, count], [other, otherCount]) => otherCount - count || aim - other)
    .slice(0, MAX_AIMS);
  const estimates = likely.map(([, count]) => estimateShare(count, turns));
  const percents = sharesToPercents(estimates.map(({ share }) => share));
  const told = likely.map(([aim], i) => ({
    move: named[aim],
    percent: percents[i],
    margin: roundHalfToEven(100 * CONFIDENCE_95_FACTOR * estimates[i].error),
  }));
  if (likely.length) reasons.push({ id: "help-aims", args: { aims: told } });
  return reasons;
}

/**
 * Return a share and its standard error, counting two more turns of each kind: so even what has always happened has
 * one.
 * @param {number} count @param {number} turns
 */
function estimateShare(count, turns) {
  const share = (count + 2) / (turns + 4);
  return { share, error: Math.sqrt((share * (1 - share)) / (turns + 4)) };
}
