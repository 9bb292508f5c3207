/**
 * A match: one play of a game, whichever it is, with its journal, its views and undo. The same as `Match` of
 * courtly/engine/match.py, with compiled rules.
 */
import { CommandRefusedError, JournalCorruptedError } from "./errors.js";
import { Position } from "./position.js";
import { findChanges } from "./logged.js";
import { findUndo } from "./undo.js";

/** @typedef {import("../core/api-types.js").Cue} Cue @typedef {import("../core/api-types.js").View} View */
/** @typedef {import("../core/api-types.js").Change} Change */
/** @typedef {import("./chance.js").ChanceSource} ChanceSource @typedef {import("./game.js").Game} Game */
/** @typedef {import("./position.js").Audience} Audience @typedef {import("./position.js").MoveLike} MoveLike */
/** @typedef {import("./undo.js").DoneMove} DoneMove @typedef {import("./undo.js").Undo} Undo */
/**
 * An entry of the journal: its index, the seat that acted (-1 for a random event), the id of the move or event (-1 for
 * an undo), a timestamp of the caller or null, the ply of the first of the moves that were made in the same call, and
 * how many moves of the seat an undo takes back (0 for moves and events).
 * @typedef {{ply: number, seat: number, move: number, at: any, batch: number, undo: number}} Entry
 */
/**
 * The number of players (if missing, the fewest that the game allows), options (the others have their defaults), where
 * random events come from, and the timestamp of the first ones. `start`: false to stop before the first random event.
 * `position`: the position to begin from, instead of `players` and `options`. `undoFrom`: the first entry of the
 * journal that a seat can take back.
 * @typedef {{players?: number, options?: Record<string, number>, chance: ChanceSource, at?: any, start?: boolean,
 *   position?: Position, undoFrom?: number}} Setup
 */

const UNDO_LIMIT_MOVES = 1000; // a seat can take back per match, because the journal keeps every undo for ever
const MAX_VIEW_CUES = 2000; // in one view, so that its size does not grow with the length of the game

export class Match {
  /**
   * Begin a match. Throws UnknownValueError if the game does not have this number of players, option or value.
   * @param {Game} game @param {Setup} setup
   */
  constructor(game, setup) {
    const { players = game.players[0], options = {}, chance, at = null, start = true, position, undoFrom = 0 } = setup;
    this.game = game;
    this.chance = chance;
    this.undoFrom = undoFrom;
    this.position = position ?? Position.begin(game, players, options);
    this.players = this.position.players;
    /** @type {Entry[]} the journal */
    this.entries = [];
    /** @type {DoneMove[]} */
    this.doneMoves = [];
    /** How many moves each seat has taken back. */
    this.undoCounts = Array.from({ length: this.players }, () => 0);
    /** @type {Cue[][]} the cues by audience, the spectators last */
    this.streams = Array.from({ length: this.players + 1 }, () => []);
    /** @type {Map<number, Undo | null>} by seat; cleared by each entry */
    this.undoBySeat = new Map();
    if (start) this.#continue(at);
  }

  /** Return how many cues this audience has received. @param {Audience} seat */
  seq(seat) {
    return this.#stream(seat).length;
  }

  /** Return the cues that this audience has received, from number `since` on. @param {Audience} seat */
  cues(seat, since = 0) {
    return this.#stream(seat).slice(Math.max(since, 0));
  }

  /** @param {Audience} seat */
  #stream(seat) {
    return this.streams[seat ?? this.players];
  }

  /**
   * Make moves in order: all of them or none. Random events that become due happen too. Throws CommandRefusedError if
   * the moves are not allowed now.
   * @param {number} seat @param {MoveLike[]} moves @param {{at?: any, seq?: number}} [when] a timestamp for the
   *   entries; the `seq` of the view on which the seat decided
   * @returns {Entry[]} the new entries, random events included
   */
  play(seat, moves, { at = null, seq } = {}) {
    const ids = this.#check(seat, moves, seq);
    const first = this.entries.length;
    for (const move of ids) this.#enter(seat, move, at, first);
    this.#continue(at);
    return this.entries.slice(first);
  }

  /**
   * Return the view that this seat would have, with the cues, after making these moves. Throws CommandRefusedError if
   * the moves are not allowed now; or if the last of them would reveal something to the seat or make a random event
   * due, which a seat may only learn by making the move.
   * @param {number} seat @param {MoveLike[]} moves @param {number} [seq] of the view on which the seat decided
   */
  preview(seat, moves, seq) {
    const ids = this.#check(seat, moves, seq);
    const after = this.#copy();
    for (const move of ids) {
      const isRevealed = (after.position.reveals(seat, move) >> seat) & 1;
      if (!isRevealed) after.#enter(seat, move, null, after.entries.length);
      if (isRevealed || after.position.isChance)
        throw new CommandRefusedError("error-unforeseen", { move: this.game.moves.named[move] });
    }
    return after.view(seat, this.seq(seat));
  }

  /** @param {number} seat @param {MoveLike[]} moves @param {number} [seq] */
  #check(seat, moves, seq) {
    this.position.checkSeat(seat);
    if (seq !== undefined && seq !== this.seq(seat)) throw new CommandRefusedError("error-stale");
    return this.position.check(seat, moves);
  }

  #copy() {
    const { game, position, chance, undoFrom } = this;
    const copy = new Match(game, { position, chance, undoFrom, start: false });
    copy.entries = [...this.entries];
    copy.doneMoves = [...this.doneMoves];
    copy.undoCounts = [...this.undoCounts];
    copy.streams = this.streams.map((stream) => [...stream]);
    return copy;
  }

  /**
   * Make a move that is known to be legal, or a random event that is possible, as an entry of its own. No random event
   * follows.
   * @param {number} seat @param {number} move
   */
  apply(seat, move) {
    this.#enter(seat, move, null, this.entries.length);
  }

  /** Let random events happen until a seat has to decide. @param {any} at */
  #continue(at) {
    while (this.position.isChance)
      this.#enter(this.game.description.event_seat, this.#drawEvent(), at, this.entries.length);
    for (const seat of this.position.pending) this.position.legal(seat); // throws if the seat has no move
  }

  /** Return the random event that the source selects. */
  #drawEvent() {
    const { moves, weights } = this.position.outcomes();
    return moves[this.chance.choose(this.entries.length, this.position.events, weights)];
  }

  /** @param {number} seat @param {number} move @param {any} at @param {number} batch */
  #enter(seat, move, at, batch) {
    const before = this.position;
    const doneMove = {
      seat,
      move,
      batch,
      audience: before.audience(seat, move),
      reveals: before.reveals(seat, move),
      before,
      changes: /** @type {Change[]} */ ([]),
    };
    const { verb, args } = this.game.moves.named[move];
    this.position = before.after(seat, move);
    doneMove.changes = findChanges(this.game.description, before.state, this.position.state, seat, verb);
    this.undoBySeat.clear();
    this.entries.push({ ply: this.entries.length, seat, move, at, batch, undo: 0 });
    this.doneMoves.push(doneMove);
    const changes = doneMove.changes.length ? { changes: doneMove.changes } : {};
    const hidden = this.game.moves.hideArguments(move);
    for (const [audience, stream] of this.streams.entries()) {
      const n = stream.length;
      if (this.#seesArguments(audience, doneMove)) stream.push({ n, seat, verb, args, ...changes });
      else if (this.#isNoticedBy(audience, doneMove)) stream.push({ n, seat, ...hidden });
    }
  }

  /** @param {number} audience a seat, or `players` for spectators @param {DoneMove} doneMove */
  #seesArguments(audience, { seat, audience: bits }) {
    return audience === seat || bits < 0 || (audience < this.players && ((bits >> audience) & 1) === 1);
  }

  /** Return whether an audience receives a cue for this move. @param {number} audience @param {DoneMove} doneMove */
  #isNoticedBy(audience, doneMove) {
    return !(doneMove.audience & this.game.description.silent) || this.#seesArguments(audience, doneMove);
  }

  // --- taking back ---

  /** @param {number} seat */
  #findUndo(seat) {
    let undo = this.undoBySeat.get(seat);
    if (undo === undefined) {
      undo = this.position.isOver ? null : findUndo(this.doneMoves, this.position, seat);
      this.undoBySeat.set(seat, undo);
    }
    return undo;
  }

  /**
   * Return how many of its moves this seat would take back now: its last batch, or 0 if undo is not possible.
   * @param {Audience} seat
   */
  canUndo(seat) {
    if (seat === null || !(this.undoCounts[seat] < UNDO_LIMIT_MOVES)) return 0;
    const { removed = [] } = this.#findUndo(seat) ?? {};
    return removed[0]?.batch >= this.undoFrom ? removed.length : 0;
  }

  /**
   * Take back the last batch of a seat. Throws CommandRefusedError if that is not possible.
   * @param {number} seat @param {{at?: any, seq?: number}} [when] as for `play`
   * @returns {Entry[]} the new entry
   */
  undo(seat, { at = null, seq } = {}) {
    if (seq !== undefined && seq !== this.seq(seat)) throw new CommandRefusedError("error-stale");
    if (!this.canUndo(seat)) throw new CommandRefusedError("error-no-undo");
    return [this.#takeBack(seat, at)];
  }

  /** @param {number} seat @param {any} at */
  #takeBack(seat, at) {
    const { removed, remaining, position } = /** @type {Undo} */ (this.#findUndo(seat));
    this.position = position;
    this.doneMoves = remaining;
    this.undoCounts[seat] += removed.length;
    this.undoBySeat.clear();
    for (const [audience, stream] of this.streams.entries()) {
      const count = removed.filter((doneMove) => this.#isNoticedBy(audience, doneMove)).length;
      if (count) stream.push({ n: stream.length, seat, verb: "undo", args: { count } });
    }
    const ply = this.entries.length;
    const entry = { ply, seat, move: -1, at, batch: ply, undo: removed.length };
    this.entries.push(entry);
    return entry;
  }

  // --- what is seen ---

  /**
   * Return everything that an audience may know: see docs/protocol.md.
   * @param {Audience} seat @param {number | null} since the first cue to include, of the last MAX_VIEW_CUES; null for
   *   no cues
   * @returns {View}
   */
  view(seat, since = null) {
    const view = this.position.view(seat);
    const facts = this.game.rules.findFacts(view);
    return {
      ...view,
      seq: this.seq(seat),
      undo: this.canUndo(seat) > 0,
      over: this.position.isOver,
      scores: this.position.scores,
      cues: since === null ? [] : this.cues(seat, Math.max(since, this.seq(seat) - MAX_VIEW_CUES)),
      ...(facts && { facts }),
    };
  }

  // --- replay ---

  /**
   * Return the match that a journal describes. Throws JournalCorruptedError, with the first invalid entry.
   * @param {Game} game @param {Setup} setup @param {Iterable<Entry>} entries
   */
  static replay(game, setup, entries) {
    const match = new Match(game, { ...setup, start: false });
    for (const entry of entries) match.follow(entry);
    return match;
  }

  /**
   * Apply an entry of a journal. Throws JournalCorruptedError if it is not possible here, or if a random event is not
   * the one that the source selects.
   * @param {Entry} entry @param {boolean} withinLimit true to apply UNDO_LIMIT_MOVES too
   */
  follow({ ply, seat, move, at, batch, undo }, withinLimit = false) {
    const { game, position } = this;
    if (ply !== this.entries.length) throw new JournalCorruptedError(ply, `entry ${this.entries.length} is missing`);
    const isSeat = Number.isInteger(seat) && seat >= 0 && seat < this.players;
    if (undo) {
      if (!isSeat || this.#findUndo(seat)?.removed.length !== undo)
        throw new JournalCorruptedError(ply, "these moves could not be taken back");
      if (withinLimit && !this.canUndo(seat))
        throw new JournalCorruptedError(ply, `a seat can take back at most ${UNDO_LIMIT_MOVES} moves in a game`);
      this.#takeBack(seat, at);
      return;
    }
    if (seat === game.description.event_seat) {
      if (!position.isChance) throw new JournalCorruptedError(ply, "no random event was due");
      if (!position.outcomes().moves.includes(move))
        throw new JournalCorruptedError(ply, "this random event was not possible");
      if (this.#drawEvent() !== move)
        throw new JournalCorruptedError(ply, "the random outcome is not the one that the source of chance gives");
    } else if (!isSeat || !position.legal(seat).includes(move))
      throw new JournalCorruptedError(ply, "the move is not legal");
    this.#enter(seat, move, at, batch);
  }
}
