/** A game at one point: its state, and what its rules say about it. Positions do not change. */
import { CommandRefusedError, RulesError, UnknownValueError } from "./errors.js";
import { haveEqualFields, makeBlankState, readNumber, readOptions, viewState } from "./record-fields.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {number | null} Audience a seat, or null for the spectators */
/** @typedef {number | string} MoveLike a move: its id, or text such as "keep face=4" */

const MAX_QUOTED_LENGTH = 40; // characters of an unknown move in an error

export class Position {
  /** @param {Game} game @param {Uint8Array} state @param {number} decisions @param {number} events */
  constructor(game, state, decisions = 0, events = 0) {
    this.game = game;
    this.state = state;
    /** How many moves, and how many random events, led here. */
    this.decisions = decisions;
    this.events = events;
    const { fields } = game.description.record;
    this.players = readNumber(state, fields.players);
    this.pendingBits = readNumber(state, fields.pending);
    if (this.pendingBits !== game.description.chance && this.pendingBits >> this.players)
      throw new RulesError(
        `\`pending\` is ${this.pendingBits}, which is neither a set of seats of this table nor the value for chance`,
      );
    /** @type {Map<number, number[]>} the legal moves of each seat, computed on first use */
    this.legalBySeat = new Map();
  }

  /**
   * Return the initial position. Throws UnknownValueError if the game does not have this number of players, option or
   * value.
   * @param {Game} game @param {number} players @param {Record<string, number>} options
   */
  static begin(game, players, options) {
    if (!game.players.includes(players))
      throw new UnknownValueError(`${game.id} is for ${game.players.join(", ")} players, not ${players}`);
    return new Position(game, game.rules.begin(makeBlankState(game.description, { ...options, players })));
  }

  /** The seats that may move, in ascending order. */
  get pending() {
    return Array.from({ length: this.players }, (_, seat) => seat).filter((seat) => (this.pendingBits >> seat) & 1);
  }

  /** Whether a random event is due. */
  get isChance() {
    return this.pendingBits === this.game.description.chance;
  }

  get isOver() {
    return this.pendingBits === 0;
  }

  /** Each seat's final score; null before the end. */
  get scores() {
    return this.isOver ? this.game.rules.computeScores(this.state, this.players) : null;
  }

  /** The values of the table's options, without the number of players. */
  get options() {
    const { players: _, ...options } = readOptions(this.game.description, this.state);
    return options;
  }

  /** Return the ids of the legal moves of a seat. @param {number} seat */
  legal(seat) {
    if (!((this.pendingBits >> seat) & 1) || seat >= this.players) return [];
    let moves = this.legalBySeat.get(seat);
    if (!moves) {
      moves = this.game.rules.listMoves(this.state, seat);
      if (!moves.length) throw new RulesError(`seat ${seat} is pending and has no legal move`);
      this.legalBySeat.set(seat, moves);
    }
    return moves;
  }

  /** Return the possible random events and their weights; none if no random event is due. */
  outcomes() {
    return this.isChance ? this.game.rules.listOutcomes(this.state) : { moves: [], weights: [] };
  }

  /**
   * Return the bits of the seats that would see the arguments of a move, or the number for everyone; with the bit
   * `silent`, the others receive no cue.
   * @param {number} seat @param {number} move
   */
  audience(seat, move) {
    return this.game.rules.findAudience(this.state, seat, move);
  }

  /** Return the bits of the seats that would learn something hidden. @param {number} seat @param {number} move */
  reveals(seat, move) {
    return this.game.rules.findReveals(this.state, seat, move);
  }

  /** Return whether others would receive no cue of a move. @param {number} seat @param {number} move */
  isSilent(seat, move) {
    const audience = this.audience(seat, move);
    return audience >= 0 && (audience & this.game.description.silent) !== 0;
  }

  /**
   * Return the position after a legal move, or after a possible random event. Throws RulesError if the game exceeds its
   * bounds.
   * @param {number} seat @param {number} move
   */
  after(seat, move) {
    const { rules, description } = this.game;
    const isEvent = seat === description.event_seat;
    const state = isEvent ? rules.letHappen(this.state, move) : rules.makeMove(this.state, seat, move);
    const next = new Position(this.game, state, this.decisions + Number(!isEvent), this.events + Number(isEvent));
    for (const bound of /** @type {const} */ (["decisions", "events"]))
      if (next[bound] > description.bounds[bound])
        throw new RulesError(`more than ${description.bounds[bound]} ${bound}, the bound in game.toml`);
    return next;
  }

  /** Return whether another position has the same state. @param {Position} other */
  equals(other) {
    return haveEqualFields(this.game.description, this.state, other.state);
  }

  /**
   * Check whether this seat may make these moves now, in this order, and return their ids. Throws CommandRefusedError.
   * @param {number} seat @param {MoveLike[]} moves
   */
  check(seat, moves) {
    this.checkSeat(seat);
    const ids = moves.map((move) => this.#toId(move));
    if (!ids.length) throw new CommandRefusedError("error-unknown-move", { move: "" });
    if (!this.pending.includes(seat)) throw new CommandRefusedError("error-not-your-turn");
    this.#checkLegal(seat, ids);
    return ids;
  }

  /** Throw CommandRefusedError if the game is over, or has no such seat. @param {number} seat */
  checkSeat(seat) {
    if (this.isOver) throw new CommandRefusedError("error-over");
    if (!(seat >= 0 && seat < this.players)) throw new CommandRefusedError("error-unknown-seat", { seat });
  }

  /** @param {MoveLike} move */
  #toId(move) {
    const { moves } = this.game;
    try {
      const id = typeof move === "string" ? moves.read(move) : move;
      if (Number.isInteger(id) && id >= 0 && id < moves.count) return id;
    } catch (error) {
      if (!(error instanceof UnknownValueError)) throw error;
    }
    throw new CommandRefusedError("error-unknown-move", {
      move: [...String(move)].slice(0, MAX_QUOTED_LENGTH).join(""),
    });
  }

  /**
   * Throw CommandRefusedError unless the moves are legal, one after the other. A move that reveals something to its
   * player, or makes a random event due, must be the last: otherwise the answer to whether the next move is legal would
   * disclose information without the first move being made.
   * @param {number} seat @param {number[]} moves
   */
  #checkLegal(seat, moves) {
    /** @type {Position} */
    let position = this;
    for (const [i, move] of moves.entries()) {
      if (!position.legal(seat).includes(move)) throw position.#explainRefusal(seat, move);
      if (i + 1 === moves.length) return;
      const isRevealed = (position.reveals(seat, move) >> seat) & 1;
      if (!isRevealed) position = position.after(seat, move);
      if (isRevealed || position.isChance)
        throw new CommandRefusedError("error-unseen", { move: this.game.moves.named[moves[i + 1]] });
    }
  }

  /** Return the error for a move that is not legal. @param {number} seat @param {number} move */
  #explainRefusal(seat, move) {
    const { rules, moves, description, id } = this.game;
    const reason = rules.findRefusal(this.state, seat, move);
    if (reason >= description.refusals.length) throw new RulesError(`refusal ${reason} is not a member of Refusal`);
    return new CommandRefusedError("error-illegal", {
      move: moves.named[move],
      ...(reason >= 0 && { reason: `${id}-refusal-${description.refusals[reason]}` }),
    });
  }

  /**
   * Return what an audience may know: the fields that it sees, the pending seats and its legal moves.
   * @param {Audience} seat
   */
  view(seat) {
    if (seat !== null && !(seat >= 0 && seat < this.players))
      throw new RangeError(`there is no seat ${seat} at a table for ${this.players}`);
    return {
      seat,
      state: viewState(this.game.description, this.state, seat),
      pending: this.pending,
      legal: seat === null ? [] : this.legal(seat).map((move) => this.game.moves.named[move]),
    };
  }
}
