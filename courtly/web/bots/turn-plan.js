/** The plan of a hint in games whose policy computes decisions exactly, the same as in courtly/bots/turn_plan.py. */
import { Generator } from "./generator.js";
import { roundHalfToEven } from "./statistics.js";
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

const TURNS_PER_PLAN = 20;
const MIN_TURNS_PER_PLAN = 10; // if time suffices for fewer, the hint does not tell where the plan leads
const MAX_AIMS = 3;
const MIN_AIM_SHARE = 0.1;
const [MIN_PERCENT, MAX_PERCENT] = [5, 95];
const SIMULATIONS = 1000; // determines the working memory

/** Return whether hints for the game can have plans. @param {Memory} memory */
export const hasPlans = ({ description }) => description.search?.aims !== undefined;

/**
 * Return the plan that begins with a move.
 * @param {Memory} memory of an instance for searches @param {PositionView} view of a seat @param {number} move
 * @param {number} seed @param {number} [turns] how many to simulate @param {import("./search.js").Pause} [pause]
 * @param {number} [timeLimitMs] after which fewer are simulated; only one, if less than half of them are possible
 * @returns {Promise<TurnPlan>}
 */
export async function planTurn(memory, view, move, seed, turns = TURNS_PER_PLAN, pause, timeLimitMs = Infinity) {
  const about = /** @type {SearchDescription} */ (memory.description.search);
  const { lengths, aims: [firstAim, aimCount] = [0, 0] } = about;
  const { notes_per_simulation: notesPerSimulation = 0, max_notes: maxNotes = 0 } = about;
  memory.clear();
  const moves = memory.makeRow(lengths.moves);
  const out = memory.makeRow(lengths.out);
  const line = memory.makeRow(lengths.line);
  const room = Math.min(notesPerSimulation * SIMULATIONS, maxNotes);
  const notes = memory.makeRow(room, [room]);
  /** @type {TurnPlan} */
  const plan = { moves: [], aims: new Map(), turns: 0 };
  const began = performance.now();
  while (plan.turns < turns) {
    const states = memory.makeRecords(1, view.state);
    const rng = memory.makeRow(memory.description.generator_length, new Generator(seed, plan.turns).describe());
    const seat = /** @type {number} */ (view.seat);
    memory.call("play_turn", states, seat, move, firstAim, aimCount, rng, moves, out, notes, line);
    const [count, certainCount, ...made] = memory.readNumbers(line, lengths.line);
    const last = made[count - 1];
    if (last >= firstAim && last < firstAim + aimCount) plan.aims.set(last, (plan.aims.get(last) ?? 0) + 1);
    plan.moves = made.slice(0, certainCount);
    plan.turns++;
    await pause?.();
    const passedMs = performance.now() - began;
    const affordable = (plan.turns * timeLimitMs) / passedMs;
    if (affordable < (plan.turns === 1 ? MIN_TURNS_PER_PLAN : plan.turns + 1)) break;
  }
  if (plan.turns < Math.min(turns, MIN_TURNS_PER_PLAN)) plan.aims.clear();
  return plan;
}

/**
 * Return the moves that follow the first one before chance decides, and the moves that the turn most likely leads to.
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
    .slice(0, MAX_AIMS)
    .map(([aim, count]) => ({ move: named[aim], percent: limitPercent(roundHalfToEven((100 * count) / turns)) }));
  if (likely.length) reasons.push({ id: "help-aims", args: { aims: likely } });
  return reasons;
}

/** @param {number} percent */
const limitPercent = (percent) => Math.min(Math.max(percent, MIN_PERCENT), MAX_PERCENT);
