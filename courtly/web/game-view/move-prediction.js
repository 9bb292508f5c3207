/** Shows what moves lead to before the server has answered, as far as the rules say it from what the seat sees. */
import { preparePreviews, previewOnDevice } from "../local/device-games.js";

/**
 * @typedef {import("./game-view.js").GameView} GameView @typedef {import("./game-view.js").Command} Command
 * @typedef {import("../core/api-types.js").Cue} Cue
 */

const PREPARE_DELAY_MS = 500; // after the first view, so that it is drawn first

export class MovePrediction {
  /** @param {GameView} table */
  constructor(table) {
    this.table = table;
    /**
     * What is shown and not yet confirmed: `cues` were predicted, `log` ends with them.
     * @type {{key: string, seat: number, cues: Cue[], log: Cue[]} | null}
     */
    this.shown = null;
    this.isPrepared = false;
  }

  /** Load the game on this device, soon after the reader's first view. */
  prepare() {
    if (this.isPrepared || !this.#isPossible) return;
    this.isPrepared = true;
    setTimeout(() => preparePreviews(this.table.info.game), PREPARE_DELAY_MS);
  }

  /** Whether the view on the screen is a prediction. */
  get isShown() {
    return this.shown !== null;
  }

  /** Return the log of a seat, with what was predicted; null without a prediction. @param {number | null} seat */
  findLog(seat) {
    return this.shown?.seat === seat ? this.shown?.log : null;
  }

  /** Whether this device may know the game. A game without a server answers at once by itself. */
  get #isPossible() {
    const { info, about, mySeats } = this.table;
    return info.id !== "" && about.help_available && mySeats.length > 0;
  }

  /**
   * Show the view after the moves of a command, unless the server answers sooner. The end of the game is not predicted.
   * @param {Command} command
   */
  async show(command) {
    const { table } = this;
    const { seat, key, moves } = command;
    const view = table.views.get(seat);
    if (!this.#isPossible || !view || !moves.length) return;
    const predicted = await previewOnDevice(
      table.info.game,
      view,
      moves.map(({ id }) => id),
    );
    if (!predicted || predicted.over || table.pendingCommand !== command || table.seat !== seat) return;
    this.shown = { key, seat, cues: predicted.cues, log: [...(table.logs.get(seat) ?? []), ...predicted.cues] };
    table.viewPlayer.enqueue({ view: predicted, cues: predicted.cues });
  }

  /**
   * Return the cues of a new view that were not shown by a prediction, which it replaces.
   * @param {number | null} seat @param {Cue[]} cues
   */
  dropShown(seat, cues) {
    const { shown } = this;
    if (shown?.seat !== seat) return cues;
    this.shown = null;
    const isConfirmed = shown?.cues.every((cue, i) => JSON.stringify(cue) === JSON.stringify(cues[i]));
    return isConfirmed ? cues.slice(shown?.cues.length) : cues;
  }

  /** Show the true view again after the command with this key was refused. @param {string} [key] */
  withdraw(key) {
    const { shown, table } = this;
    if (shown?.key !== key || !shown) return;
    this.shown = null;
    const view = table.views.get(shown.seat);
    if (view && table.seat === shown.seat) table.viewPlayer.enqueue({ view, cues: [] });
  }

  /** Forget the prediction, since another view is shown. */
  forget() {
    this.shown = null;
  }
}
