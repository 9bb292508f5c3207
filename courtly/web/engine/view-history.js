/**
 * What one viewpoint saw in a match from the beginning: the same as `ViewHistory` of courtly/session/view_history.py.
 * Moves that were taken back are left out.
 *
 * Only the cues of the viewpoint decide which views are recorded. So the history of a running game discloses nothing to
 * a seat that it did not see before.
 */
import { Match } from "./match.js";
import { viewState } from "./record-fields.js";

/** @typedef {import("../core/api-types.js").Cue} Cue @typedef {import("../core/api-types.js").Replay} Replay */
/** @typedef {import("./position.js").Position} Position */
/** @typedef {number | null | "all"} Viewpoint a seat, the spectators (null), or everything open */
/**
 * The view at a decision. `seq`: the number of cues; `keptCues`: the number of those whose moves were not taken back.
 * @typedef {{ply: number, seq: number, keptCues: number, position: Position}} Moment
 */

export class ViewHistory {
  /** @param {Viewpoint} viewpoint */
  constructor(viewpoint) {
    this.viewpoint = viewpoint;
    /** @type {Cue[]} */
    this.cues = [];
    /** @type {Cue[]} the cues of moves that were not taken back */
    this.keptCues = [];
    /** @type {Moment[]} */
    this.moments = [];
    this.entryCount = 0;
  }

  /**
   * Record the view at a decision, or at the end of the game, if the viewpoint has received cues since the last one.
   * @param {Match} match
   */
  recordMoment(match) {
    const newCues = this.viewpoint === "all" ? this.#openCues(match) : match.cues(this.viewpoint, this.cues.length);
    if (this.moments.length && !newCues.length) return;
    for (const cue of newCues) {
      if (cue.verb === "undo") this.#takeBack(cue);
      else this.keptCues.push(cue);
    }
    this.cues.push(...newCues);
    const [seq, keptCues] = [this.cues.length, this.keptCues.length];
    if (this.moments.at(-1)?.keptCues === keptCues) this.moments.pop();
    this.moments.push({ ply: match.entries.length, seq, keptCues, position: match.position });
  }

  /** Return a cue with all arguments for each new entry. @param {Match} match @returns {Cue[]} */
  #openCues({ entries, doneMoves, players, game }) {
    const newEntries = entries.slice(this.entryCount);
    this.entryCount = entries.length;
    let at = doneMoves.length - newEntries.filter(({ undo }) => !undo).length;
    return newEntries.map(({ ply, seat, move, undo }) => {
      if (undo) return { n: ply, seat, verb: "undo", args: { count: undo } };
      const { verb, args } = game.moves.named[move];
      const { audience, changes } = doneMoves[at++];
      const informed = Array.from({ length: players }, (_, other) => other).filter(
        (other) => audience >= 0 && (audience >> other) & 1,
      );
      const isForOne = seat === game.description.event_seat && informed.length === 1;
      return { n: ply, seat, verb, args, ...(changes.length && { changes }), ...(isForOne && { to: informed[0] }) };
    });
  }

  /** Remove what an undo took back. @param {Cue} undo */
  #takeBack({ seat, args }) {
    const removed = this.keptCues.filter((cue) => cue.seat === seat).slice(-(args?.count ?? 0));
    this.keptCues = this.keptCues.filter((cue) => !removed.includes(cue));
    while ((this.moments.at(-1)?.seq ?? 0) > removed[0].n) this.moments.pop();
  }

  /**
   * Return the whole history: each moment as its difference from the one before.
   * @param {boolean} withPlies whether to include the places in the journal, which disclose silent moves
   * @returns {Replay}
   */
  replay(withPlies) {
    /** @type {Record<string, any>} */
    let before = {};
    const moments = this.moments.map((moment) => {
      const view = this.#view(moment);
      const changed = findChanges(before, view);
      before = view;
      return { ply: withPlies ? moment.ply : null, changed };
    });
    return { cues: this.cues, moments };
  }

  /** Return a view as `Match.view` does, without legal moves and undo. @param {Moment} moment */
  #view({ position, seq }) {
    const view = {
      seat: this.viewpoint === "all" ? null : this.viewpoint,
      state: viewState(position.game.description, position.state, this.viewpoint),
      pending: position.pending,
      legal: [],
      seq,
      undo: false,
      over: position.isOver,
      scores: position.scores,
      cues: [],
    };
    const facts = position.game.rules.findFacts(view);
    return facts ? { ...view, facts } : view;
  }
}

/**
 * Return the changed values of a view; of the state and the facts, only their changed keys.
 * @param {Record<string, any>} before @param {Record<string, any>} now
 */
function findChanges(before, now) {
  const changed = pickChanged(before, now);
  for (const name of ["state", "facts"])
    if (name in changed && name in before) changed[name] = pickChanged(before[name], now[name]);
  return changed;
}

/** @param {Record<string, any>} before @param {Record<string, any>} now */
function pickChanged(before, now) {
  const isChanged = (/** @type {string} */ name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]);
  return Object.fromEntries(Object.entries(now).filter(([name]) => isChanged(name)));
}

/**
 * Yield a replay of a match at each of its decisions; it is the same object.
 * @param {Match} finished @returns {Generator<Match>}
 */
export function* replayDecisions({ game, players, chance, entries, position }) {
  const match = new Match(game, { players, options: position.options, chance, start: false });
  if (!match.position.isChance) yield match;
  for (const [i, entry] of entries.entries()) {
    match.follow(entry);
    if (entries[i + 1]?.batch !== entry.batch && !match.position.isChance) yield match;
  }
}
