/** The compiled games that can be played in this browser, each loaded when it is first needed. */
import { advise } from "../bots/advice.js";
import { chooseMove } from "../bots/bot.js";
import { judge } from "../bots/game-analysis.js";
import { Memory } from "../bots/memory.js";
import { CommandRefusedError } from "../engine/errors.js";
import { Game } from "../engine/game.js";

/**
 * @typedef {import("../engine/description.js").GameDescription} GameDescription
 */

const ADVICE_TIME_MS = 270;

export class PlayableGame {
  /** @param {WebAssembly.Module} module @param {GameDescription} description */
  constructor(module, description) {
    this.module = module;
    this.description = description;
    this.game = new Game(new WebAssembly.Instance(module).exports, description);
    /** @type {Memory | null} of an instance for searches */
    this.searchMemory = null;
  }

  /**
   * Return the id of the move that a bot makes.
   * @param {string} name of the bot @param {import("../bots/search.js").PositionView} view
   * @param {import("../bots/generator.js").Generator} generator @param {import("../bots/search.js").Pause} [pause]
   * @returns {Promise<number>}
   */
  chooseMove(name, view, generator, pause) {
    return chooseMove(this.#prepareSearch(), name, view, generator, pause);
  }

  /**
   * Return each seat's chance to win and, if `hints`, the best moves for the seat that sees this view.
   * @param {import("../bots/search.js").PositionView} view @param {boolean} hints
   * @param {import("../bots/search.js").Pause} [pause]
   */
  advise(view, hints, pause) {
    return advise(this.#prepareSearch(), view, hints, pause, ADVICE_TIME_MS);
  }

  /**
   * Judge a decision of a finished game.
   * @param {import("../bots/game-analysis.js").Choice} choice @param {number} simulations of each move
   * @param {import("../bots/search.js").Pause} [pause]
   */
  judge(choice, simulations, pause) {
    return judge(this.#prepareSearch(), simulations, choice, pause);
  }

  /** Return memory for a decision. An exact solution gets new memory, most of whose large table it never touches. */
  #prepareSearch() {
    if (!this.searchMemory || this.description.search?.certainty)
      this.searchMemory = new Memory(new WebAssembly.Instance(this.module).exports, this.description);
    return this.searchMemory;
  }
}

export class GameLibrary {
  /**
   * @param {(path: string) => Promise<Response>} fetchFile fetches a file of the folder with the compiled games: for
   *   each game GAME.wasm and GAME.json, and GAME-lesson.json if it has a lesson
   * @param {() => Promise<{id: string}[]>} fetchGames fetches the list of games
   */
  constructor(fetchFile, fetchGames) {
    this.fetchFile = fetchFile;
    this.fetchGames = fetchGames;
    /** @type {Map<string, Promise<PlayableGame>>} */
    this.games = new Map();
  }

  /** Return whether there is such a game. @param {string} id */
  async has(id) {
    return (await this.fetchGames()).some((game) => game.id === id);
  }

  /** Load a game. @param {string} id @returns {Promise<PlayableGame>} */
  load(id) {
    const loading = this.games.get(id) ?? this.#load(id);
    this.games.set(id, loading);
    loading.catch(() => this.games.delete(id)); // may succeed another time
    return loading;
  }

  /**
   * Return the lesson of a game. Throws CommandRefusedError if it has none.
   * @param {string} id
   */
  async loadLesson(id) {
    const [{ game }, description, { LocalLesson }] = await Promise.all([
      this.load(id),
      this.fetchFile(`${id}-lesson.json`).then((response) => response.json()),
      import("./local-lesson.js"),
    ]);
    return new LocalLesson(game, description);
  }

  /** @param {string} id */
  async #load(id) {
    if (typeof WebAssembly === "undefined") throw new CommandRefusedError("error-no-webassembly");
    const [code, description] = await Promise.all([
      this.fetchFile(`${id}.wasm`).then((response) => response.arrayBuffer()),
      this.fetchFile(`${id}.json`).then((response) => response.json()),
    ]);
    return new PlayableGame(await WebAssembly.compile(code), description);
  }
}
