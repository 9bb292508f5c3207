/** A match of people at one browser and bots: the same rules, views and bots as at a table of a server. */
import { Generator } from "../bots/generator.js";
import { fromHex, hmac } from "../core/sha256.js";
import { CommittedChance, readChance, SuccessiveChance } from "../engine/chance.js";
import { CommandRefusedError } from "../engine/errors.js";
import { parseJson, writeJson } from "../engine/json-text.js";
import { Match } from "../engine/match.js";
import { readRecord } from "../engine/record-reader.js";
import { writeRecord } from "../engine/record-writer.js";
import { replayDecisions, ViewHistory } from "../engine/view-history.js";
import { makeDetachedTable } from "./detached-table.js";

/**
 * @typedef {import("./game-library.js").PlayableGame} PlayableGame
 * @typedef {{bot?: string, name?: string}} Occupant a bot, or a person at this browser
 * @typedef {import("../game-view/replay/replay.js").Viewpoint} Viewpoint
 */
/**
 * Where the match was played on from another game: the ply, the number of the next move, the chance before, as JSON,
 * and the address of that moment, if it has one.
 * @typedef {{ply: number, move: number, chance: string, address?: string}} Origin
 */

const DEFAULT_BOT = "squire";
const TABLE_ID = "offline";
const SEED_BYTES = 7; // of the generator of a bot's decision

export class LocalMatch {
  /**
   * @param {PlayableGame} playable @param {Occupant[]} occupants of the seats
   * @param {Record<string, number>} options of the table @param {string} secret of its chance, in hexadecimal
   * @param {"events" | "entries"} counted what numbers the draws
   * @param {Origin} [origin]
   */
  constructor(playable, occupants, options, secret, counted = "events", origin = undefined) {
    this.playable = playable;
    this.occupants = occupants;
    this.secret = secret;
    this.counted = counted;
    this.origin = origin;
    this.match = new Match(playable.game, { ...this.#setup, options });
    this.humanSeats = [...occupants.keys()].filter((seat) => occupants[seat].bot === undefined);
  }

  get #setup() {
    const { occupants, secret, counted, origin } = this;
    const own = new CommittedChance(secret, TABLE_ID, [], counted);
    const chance = origin ? SuccessiveChance.extend(readChance(parseJson(origin.chance)), origin.ply, own) : own;
    return { players: occupants.length, chance, undoFrom: origin?.ply };
  }

  /**
   * Return a match that begins at a decision of another game, with the moves before. Its chance is new from there on,
   * because a reader of the record knows what came of the old one.
   * @param {PlayableGame} playable @param {string} record of the other game @param {number} ply of the decision
   * @param {number} seat of the person; bots get the others
   * @param {{bot: string | null, name: string}[]} seats of the other game; in records bots are named by their level
   * @param {string} secret of the new chance @param {string} [address] of the decision
   */
  static playOn(playable, record, ply, seat, seats, secret, address) {
    const { players, chance, entries: all, position: last } = readRecord(playable.game, record);
    const entries = all.slice(0, ply);
    const past = Match.replay(playable.game, { players, options: last.options, chance }, entries);
    if (!past.position.pending.includes(seat)) throw new CommandRefusedError("error-stale");
    const levels = playable.description.search?.levels ?? {};
    const occupants = seats.map(({ bot, name }, other) => {
      const level = [bot, name].find((word) => word && Object.hasOwn(levels, word));
      if (other !== seat) return { bot: level ?? DEFAULT_BOT };
      return { name: level ? "" : name };
    });
    const moveCount = past.doneMoves.filter((move) => move.seat !== playable.description.event_seat).length;
    const origin = { ply, move: moveCount + 1, chance: writeJson(chance.describe()), address };
    const local = new LocalMatch(playable, occupants, last.options, secret, "events", origin);
    local.#follow(last.options, entries);
    return local;
  }

  /** Return the game of a stored match. @param {string} text @returns {string} its id */
  static readGame(text) {
    return JSON.parse(text)[0][1];
  }

  /**
   * Return the match that a text describes. Throws Error if it was begun with another version of the rules, and
   * JournalCorruptedError if the journal is not valid.
   * @param {PlayableGame} playable @param {string} text from `write`
   */
  static restore(playable, text) {
    const [[version, , occupants, options, secret, counted = "entries", origin], ...entries] = JSON.parse(text);
    const installed = playable.game.description.version;
    if (version !== installed)
      throw new Error(`the game was begun with version ${version} of the rules; installed is ${installed}`);
    const local = new LocalMatch(playable, occupants, options, secret, counted, origin);
    local.#follow(
      options,
      entries.map((/** @type {any[]} */ [ply, seat, move, at, batch, undo]) => ({ ply, seat, move, at, batch, undo })),
    );
    return local;
  }

  /** Replay a journal. @param {Record<string, number>} options @param {import("../engine/match.js").Entry[]} entries */
  #follow(options, entries) {
    this.match = Match.replay(this.playable.game, { ...this.#setup, options }, entries);
  }

  /** Return everything that must be stored to restore the match, as JSON. */
  write() {
    const { game, position, entries } = this.match;
    const { occupants, secret, counted, origin } = this;
    const head = [game.description.version, game.id, occupants, position.options, secret, counted];
    return JSON.stringify([
      origin ? [...head, origin] : head,
      ...entries.map(({ ply, seat, move, at, batch, undo }) => [ply, seat, move, at, batch, undo]),
    ]);
  }

  /** Return the table, as a server describes one. */
  describeTable() {
    const table = makeDetachedTable(
      this.match,
      this.occupants.map(({ name }) => name ?? ""),
    );
    table.help = "on"; // no one else is there to ask
    for (const [seat, { bot }] of this.occupants.entries()) {
      if (bot !== undefined) Object.assign(table.seats[seat], { kind: "bot", bot });
      else Object.assign(table.seats[seat], { kind: seat === this.humanSeats[0] ? "person" : "local", you: true });
    }
    return table;
  }

  /** Return the view of each person at this browser, or the spectators' view if only bots play. */
  listViews() {
    return (this.humanSeats.length ? this.humanSeats : [null]).map((seat) => this.match.view(seat, 0));
  }

  /** Return everything that a viewpoint has seen from the beginning. @param {Viewpoint} viewpoint */
  writeHistory(viewpoint) {
    const history = new ViewHistory(viewpoint);
    for (const match of replayDecisions(this.match)) history.recordMoment(match);
    return history.replay(this.match.position.isOver);
  }

  /** Return the record of the game so far. */
  writeRecord() {
    return writeRecord(this.match, { seats: this.occupants.map(({ name, bot }) => name || (bot ?? "")) });
  }

  /**
   * Make the next bot's move. Returns false if no bot is to move.
   * @param {import("../bots/search.js").Pause} [pause]
   */
  async playNextBot(pause) {
    const { match, occupants } = this;
    const seat = match.position.pending.find((pending) => !this.humanSeats.includes(pending));
    if (seat === undefined) return false;
    const level = /** @type {string} */ (occupants[seat].bot);
    const move = await this.playable.chooseMove(level, match.view(seat, 0), this.#makeGenerator(seat), pause);
    match.play(seat, [move]);
    return true;
  }

  /** Return the generator of a bot's next decision. @param {number} seat */
  #makeGenerator(seat) {
    const count = this.match.entries.filter((entry) => entry.seat === seat).length;
    const text = new TextEncoder().encode(`${TABLE_ID}|bot|${seat}|${count}`);
    const bytes = hmac(fromHex(this.secret), text).slice(0, SEED_BYTES);
    return new Generator(bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n));
  }
}
