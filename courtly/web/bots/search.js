/** The search of a compiled game, with the same results as courtly/bots/search/search.py. */
import { calibrateShares, findTrust, replaceShare } from "./calibration.js";
import { Generator } from "./generator.js";
import { mean, variance } from "./statistics.js";

/**
 * @typedef {import("../core/api-types.js").Move} Move
 * @typedef {{seat: number | null, state: Record<string, any>, pending: number[], legal: Move[]}} PositionView
 * @typedef {import("./memory.js").Memory} Memory
 * @typedef {import("../engine/description.js").SearchDescription} SearchDescription
 */

/**
 * What a search found about a move: its visits, the mean reward from 0 to 1, and the share of victories after it.
 * @typedef {{move: number, visits: number, value: number, wins: number}} MoveEvaluation
 */

/**
 * Each seat's chance to win, and its standard error. `counted`: counted in simulated games, not computed exactly.
 * @typedef {{shares: number[], errors: number[], counted: boolean}} WinChances
 */

/**
 * Called about every `PAUSE_INTERVAL_MS`; the search goes on when the promise is fulfilled, and ends if it is rejected.
 * @typedef {() => Promise<void>} Pause
 */

const VICTORY_PARTS = 60;
const CHANCE_RUNS = 8; // independent runs for an estimate of chances
const EXACT_STANDARD_ERROR = 0.02; // of the chances of exact solutions
const FIRST_SLICE_SIMULATIONS = 16; // before the first pause
/** Half the width of a 95 % interval, in standard errors that are estimated from CHANCE_RUNS runs. */
export const CONFIDENCE_95_FACTOR = 2.36;
const PAUSE_INTERVAL_MS = 40;
const MIN_SIMULATIONS_SHARE = 1 / 3; // of the simulations, which are made even after the time limit
const MAX_OVERTIME_RATIO = 4; // how many times the time limit a search may take for them
const NOT_ZEROED = new Set(["moved", "habits"]); // large rows whose first contents do not matter
const SEED_SHIFT = 31n; // of the first of the two words of a seed

export class Search {
  /**
   * @param {Memory} memory of an instance for searches @param {number} simulations for each decision
   * @param {number} [timeLimitMs] after which a search that pauses ends, once it has made a third of its simulations;
   *   on a slow device it ends after four times that time even with fewer
   */
  constructor(memory, simulations, timeLimitMs = Infinity) {
    this.memory = memory;
    this.simulations = simulations;
    this.timeLimitMs = timeLimitMs;
    this.description = memory.description;
    this.about = /** @type {SearchDescription} */ (memory.description.search);
  }

  /**
   * Return the id of the move that a bot of this strength makes.
   * @param {PositionView} view @param {Generator} generator @param {Pause} [pause]
   */
  async choose(view, generator, pause) {
    const seed = (generator.drawWord() << SEED_SHIFT) ^ generator.drawWord();
    if (view.legal.length === 1) return view.legal[0].id;
    const { lines } = await this.think(view, seed, pause);
    return lines[0].move;
  }

  /**
   * Return the evaluation of the moves of a seat with several legal moves, the best one first, and each seat's share of
   * the victories. Throws RangeError if there is nothing to choose.
   * @param {PositionView} view @param {number | bigint} seed of the simulations @param {Pause} [pause]
   * @returns {Promise<{lines: MoveEvaluation[], wins: number[]}>}
   */
  async think(view, seed, pause) {
    const { seat, legal } = view;
    if (seat === null || legal.length < 2) throw new RangeError("there is nothing to choose");
    if (this.about.certainty) {
      const { worths, shares } = this.#solve(view, seat);
      const lines = legal.map(({ id }) => {
        const worth = /** @type {number} */ (worths.get(id));
        return { move: id, visits: this.simulations, value: worth, wins: worth };
      });
      return { lines: lines.sort((a, b) => b.value - a.value), wins: shares };
    }
    const { edge_width: width, reward_scale: scale } = this.about;
    const { timeLimitMs, simulations } = this;
    const tree = { view, moveCount: legal.length, simulations, timeLimitMs, generator: new Generator(seed) };
    const { moved, wins, made } = await this.#growTree(tree, pause);
    const lines = legal.map(({ id }, i) => {
      const [visits, reward] = moved.slice(i * width);
      const won = wins[this.description.max_seats + i];
      const tries = Math.max(1, visits);
      return { move: id, visits, value: reward / tries / scale, wins: won / tries / VICTORY_PARTS };
    });
    lines.sort((a, b) => b.visits - a.visits || b.value - a.value);
    const shares = wins.slice(0, view.state.players).map((won) => won / VICTORY_PARTS / made);
    return { lines, wins: shares };
  }

  /**
   * Return each seat's chance to win, as far as the seat of this view can know it. Throws RangeError if the view has no
   * seat or no pending decision, or the move is not one of several legal ones.
   * @param {PositionView} view @param {number | null} move the first move of all simulations; null for good moves of
   *   the pending seat
   * @param {number | bigint} seed of the simulations @param {Pause} [pause] @returns {Promise<WinChances>}
   */
  async findChances(view, move, seed, pause) {
    const { seat, legal, pending } = view;
    const index = legal.findIndex(({ id }) => id === move);
    if (seat === null || !pending.length || (move !== null && (legal.length < 2 || index < 0)))
      throw new RangeError("there is nothing to choose");
    const { shares, errors, counted } = await this.#estimateShares(view, seat, move === null ? -1 : index, seed, pause);
    const trust = findTrust(this.about, shares.length);
    const calibrate = (/** @type {number} */ share) => calibrateShares([share], shares.length, trust)[0];
    const spans = shares.map((share, i) => calibrate(share + errors[i]) - calibrate(share - errors[i]));
    const calibrated = calibrateShares(shares, shares.length, trust);
    return {
      shares: replaceShare(calibrated, seat, calibrated[seat]),
      errors: spans.map((span) => span / 2),
      counted,
    };
  }

  /**
   * Return each seat's share of the victories in simulations that are played to the end.
   * @param {PositionView} view @param {number} seat @param {number} index of the first move; -1 for good moves
   * @param {number | bigint} seed @param {Pause} [pause] @returns {Promise<WinChances>}
   */
  async #estimateShares(view, seat, index, seed, pause) {
    const { legal, state } = view;
    if (this.about.certainty) {
      const { worths, shares } = this.#solve(view, legal.length ? seat : view.pending[0]);
      const known =
        index < 0 ? shares : replaceShare(shares, seat, /** @type {number} */ (worths.get(legal[index].id)));
      return { shares: known, errors: shares.map(() => EXACT_STANDARD_ERROR), counted: false };
    }
    const { decisions, events } = this.description.bounds;
    const settings = { only: index, draws: 1, longest: decisions + events, horizon: this.about.lengths.done + 1 };
    const simulations = Math.max(1, Math.floor(this.simulations / CHANCE_RUNS));
    const timeLimitMs = this.timeLimitMs / CHANCE_RUNS;
    const open = { ...view, state: this.#reopenChoices(state, seat) };
    const tree = { view: open, moveCount: index < 0 ? 0 : legal.length, simulations, timeLimitMs, settings };
    /** @type {number[][]} */
    const runs = [];
    let total = 0;
    for (let run = 0; run < CHANCE_RUNS; run++) {
      const { wins, made } = await this.#growTree({ ...tree, generator: new Generator(seed, run) }, pause);
      runs.push(wins.slice(0, state.players).map((won) => won / VICTORY_PARTS / made));
      total += made;
    }
    const least = 1 / (total + 2); // even 0 or all victories are not certain
    const shares = runs[0].map((_, i) => mean(runs.map((run) => run[i])));
    const errors = shares.map((share, i) => {
      const spread = variance(
        runs.map((run) => run[i]),
        share,
      );
      const smallest = (Math.max(least, share) * Math.max(least, 1 - share)) / (total / CHANCE_RUNS);
      return Math.sqrt(Math.max(spread, smallest) / CHANCE_RUNS);
    });
    return { shares, errors, counted: true };
  }

  /**
   * Return the state with the secret decisions of the other seats open again: see courtly/bots/secret_choices.py.
   * @param {Record<string, any>} state @param {number} seat
   */
  #reopenChoices(state, seat) {
    if (!this.about.secret_phases.includes(state.phase)) return state;
    return { ...state, pending: state.pending | (((1 << state.players) - 1) & ~(1 << seat)) };
  }

  /**
   * Return the value of each legal move, and each seat's chance to win.
   * @param {PositionView} view @param {number} seat
   */
  #solve(view, seat) {
    const { memory, about } = this;
    memory.clear();
    const state = memory.makeRecord(view.state);
    const moves = memory.makeRow(about.lengths.moves);
    const out = memory.makeRow(about.lengths.out);
    const { certainty = 1, notes_per_simulation: each = 0, max_notes: most = 0 } = about;
    const room = Math.min(Math.max(1, each * this.simulations), most);
    const notes = memory.makeRow(room, [room]);
    const count = memory.call("solve_decision", state, seat, moves, out, notes);
    const values = memory.readNumbers(out, count + view.state.players).map((value) => value / certainty);
    return {
      worths: new Map(memory.readNumbers(moves, count).map((move, i) => [move, values[i]])),
      shares: values.slice(count),
    };
  }

  /**
   * Return how often each move of the root was made and the sum of its rewards, in `moved`, the victories of seats and
   * moves, and the number of simulations made.
   * @param {{view: PositionView, moveCount: number, simulations: number, timeLimitMs: number, generator: Generator,
   *   settings?: Record<string, number>}} tree
   * @param {Pause} [pause]
   */
  async #growTree({ view, moveCount, simulations, timeLimitMs, generator, settings }, pause) {
    const { memory, about } = this;
    const { max_seats: seats, bounds, record, move_count: gameMoves, entry_points: entryPoints } = this.description;
    memory.clear();
    const states = memory.makeRecords(2, view.state);
    const words = { address: states.address, lengths: [2, record.size / BigInt64Array.BYTES_PER_ELEMENT] };
    const masks = memory.makeTable(about.masks.map(readHexWords));
    /** @type {Record<string, number>} */
    const lengths = {
      ...about.lengths,
      nodes: about.node_width * 2 ** Math.ceil(Math.log2(2 * simulations + 2)),
      moved: Math.min(about.max_moved, about.edge_width * Math.max(1, simulations) * bounds.moves),
      wins: seats + moveCount,
    };
    /** @type {Record<string, Iterable<number | bigint>>} */
    const contents = { rng: generator.describe(), dials: Object.values({ ...about.settings, ...settings }) };
    const names = entryPoints.search.parameters.slice(6).map(({ name }) => name);
    const rows = Object.fromEntries(
      names.map((name) => [
        name,
        NOT_ZEROED.has(name) ? memory.makeUsedRow(lengths[name]) : memory.makeRow(lengths[name], contents[name]),
      ]),
    );
    const least = Math.ceil(simulations * MIN_SIMULATIONS_SHARE);
    const began = performance.now();
    let slice = pause ? FIRST_SLICE_SIMULATIONS : simulations;
    let made = 0;
    while (made < simulations) {
      const count = Math.min(slice, simulations - made);
      const started = performance.now();
      memory.call("search", states, words, masks, view.seat ?? 0, count, gameMoves, ...Object.values(rows));
      made += count;
      if (!pause) continue;
      const tookMs = performance.now() - started;
      if (tookMs < PAUSE_INTERVAL_MS / 3) slice *= 2;
      else if (tookMs > PAUSE_INTERVAL_MS) slice = Math.max(1, Math.floor(slice / 2));
      await pause();
      const passedMs = performance.now() - began;
      if (passedMs > MAX_OVERTIME_RATIO * timeLimitMs) break;
      const affordable = made < least ? least - made : Math.floor((made * (timeLimitMs - passedMs)) / passedMs);
      if (affordable < 1) break;
      slice = Math.min(slice, affordable);
    }
    return {
      made,
      moved: memory.readNumbers(rows.moved, about.edge_width * moveCount),
      wins: memory.readNumbers(rows.wins, lengths.wins),
    };
  }
}

/** Return 64-bit numbers from their bytes in hexadecimal. @param {string} text */
function readHexWords(text) {
  const bytes = Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return new BigInt64Array(bytes.buffer);
}
