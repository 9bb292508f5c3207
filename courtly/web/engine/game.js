/** A compiled game: its rules and what a table needs to know of it. */
import { CompiledRules } from "./compiled-rules.js";
import { Moves } from "./moves.js";

/** @typedef {import("./description.js").GameDescription} GameDescription */

const DESCRIPTION_FORMAT = 5; // FORMAT of module_compiler.py

export class Game {
  /** @param {WebAssembly.Exports} exports of an instance of the module @param {GameDescription} description */
  constructor(exports, description) {
    if (description.format !== DESCRIPTION_FORMAT)
      throw new Error(`expected a description of format ${DESCRIPTION_FORMAT}, found ${description.format}`);
    this.description = description;
    this.id = description.game;
    this.rules = new CompiledRules(exports, description);
    this.moves = new Moves(description);
    /** The numbers of players that the game allows, in ascending order. */
    this.players = [...description.record.fields.players.option].sort((a, b) => a - b);
  }
}

/**
 * Load a game from the files that `courtly webassembly` writes.
 * @param {BufferSource} code the bytes of the module @param {GameDescription} description
 */
export async function loadGame(code, description) {
  const { instance } = await WebAssembly.instantiate(code);
  return new Game(instance.exports, description);
}
