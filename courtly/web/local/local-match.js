/** A match of people at one browser and bots: the same rules, views and bots as at a table of a server. */
import { Generator } from "../bots/generator.js";
import { fromHex, hmac } from "../core/sha256.js";
import { CommittedChance } from "../engine/chance.js";
import { Match } from "../engine/match.js";
import { writeRecord } from "../engine/record-writer.js";
import { replayDecisions, ViewHistory } from "../engine/view-history.js";
import { makeDetachedTable } from "./detached-table.js";

/**
 * @typedef {import("./game-library.js").PlayableGame} PlayableGame
 * @typedef {{bot?: string, name?: string}} Occupant a bot, or a person at this browser
 * @typedef {import("../game-view/replay/replay.js").Viewpoint} Viewpoint
 */

const TABLE_ID = "offline";
const SEED_BYTES = 7; // of the generator of a bot's decision

export class LocalMatch {
  /**
   * @param {PlayableGame} playable @param {Occupant[]} occupants of the seats
   * @param {Record<string, number>} options of the table @param {string} secret of its chance, in hexadecimal
   * @param {"events" | "entries"} counted what numbers the draws
   */
  constructor(playable, occupants, options, secret, counted = "events") {
    this.playable = playable;
    this.occupants = occupants;
    this.secret = secret;
    const chance = new CommittedChance(secret, TABLE_ID, [], counted);
    this.match = new Match(playable.game, { players: occupants.length, options, chance });
    this.humanSeats = [...occupants.keys()].filter((seat) => occupants[seat].bot === undefined);
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
    const [[version, , occupants, options, secret, counted = "entries"], ...entries] = JSON.parse(text);
    const installed = playable.game.description.version;
    if (version !== installed)
      throw new Error(`the game was begun with version ${version} of the rules; installed is ${installed}`);
    const local = new LocalMatch(playable, occupants, options, secret, counted);
    const { players, chance } = local.match;
    local.match = Match.replay(
      playable.game,
      { players, options, chance },
      entries.map((/** @type {any[]} */ [ply, seat, move, at, batch, undo]) => ({ ply, seat, move, at, batch, undo })),
    );
    return local;
  }

  /** Return everything that must be stored to restore the match, as JSON. */
  write() {
    const { game, position, chance, entries } = this.match;
    const { counted } = /** @type {CommittedChance} */ (chance);
    const head = [game.description.version, game.id, this.occupants, position.options, this.secret, counted];
    return JSON.stringify([
      head,
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
