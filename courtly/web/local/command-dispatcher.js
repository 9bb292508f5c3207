/** Runs the commands of the page for the match in this browser. */
import { CommandRefusedError } from "../engine/errors.js";
import { LocalMatch } from "./local-match.js";
import { addLegalMoves, previewFromView } from "./view-preview.js";

/** @typedef {import("./game-library.js").GameLibrary} GameLibrary */

export class CommandDispatcher {
  /** @param {GameLibrary} library */
  constructor(library) {
    this.library = library;
    /** @type {LocalMatch | null} */
    this.local = null;
    /** @type {import("./record-review.js").RecordReview | null} */
    this.review = null;
    /** @type {import("../bots/search.js").Pause | undefined} of the command that runs */
    this.pause = undefined;
  }

  /**
   * Run a command, and return its answer, or the error with which it was refused.
   * @param {string} name @param {any[]} args
   * @param {import("../bots/search.js").Pause} [pause] called regularly by commands that take long
   */
  async answer(name, args, pause) {
    this.pause = pause;
    try {
      return { answer: await COMMANDS[name](this, ...args) };
    } catch (error) {
      if (!(error instanceof CommandRefusedError)) throw error;
      return { error: { id: error.id, args: error.args } };
    }
  }

  /** Return the match that was begun. */
  get current() {
    if (!this.local) throw new Error("no game has begun");
    return this.local;
  }

  /** Return the review that was begun. */
  get currentReview() {
    if (!this.review) throw new Error("no review has begun");
    return this.review;
  }
}

/** The commands by name. @type {Record<string, (dispatcher: CommandDispatcher, ...args: any[]) => any>} */
const COMMANDS = {
  prepare: async ({ library }, game) => {
    await library.load(game);
    return null;
  },
  lesson: async ({ library }, game, request) => (await library.loadLesson(game)).answer(request),
  replay: async ({ library }, text, viewpoint) => {
    const { replayRecord } = await import("./record-replay.js");
    return replayRecord(library, text, viewpoint);
  },
  open: async (dispatcher, game, occupants, options, secret) => {
    dispatcher.local = new LocalMatch(await dispatcher.library.load(game), occupants, options, secret);
    return null;
  },
  play_on: async (dispatcher, game, record, ply, seat, seats, secret, address) => {
    const playable = await dispatcher.library.load(game);
    dispatcher.local = LocalMatch.playOn(playable, record, ply, seat, seats, secret, address);
    return null;
  },
  restore: async (dispatcher, text) => {
    dispatcher.local = LocalMatch.restore(await dispatcher.library.load(LocalMatch.readGame(text)), text);
    return null;
  },
  table: ({ current }) => current.describeTable(),
  text: ({ current }) => current.write(),
  views: ({ current }) => current.listViews(),
  play: ({ current }, seat, moves, seq) => current.match.play(seat, moves, { seq }).length,
  undo: ({ current }, seat, seq) => current.match.undo(seat, { seq }).length,
  preview: ({ current }, seat, moves, seq) => current.match.preview(seat, moves, seq),
  history: ({ current }, viewpoint) => current.writeHistory(viewpoint),
  record: ({ current }) => current.writeRecord(),
  preview_view: async ({ library }, game, view, moves) => previewFromView((await library.load(game)).game, view, moves),
  play_next_bot: ({ current, pause }) => current.playNextBot(pause),
  begin_review: async (dispatcher, record) => {
    const { RecordReview } = await import("./record-review.js");
    dispatcher.review = await RecordReview.open(dispatcher.library, record);
    return dispatcher.review.seats;
  },
  judge: ({ currentReview, pause }, choice) => currentReview.judge(choice, pause),
  summarize_review: ({ currentReview }, decisions) => currentReview.summarize(decisions),
  finish_review: ({ currentReview }, decisions) => currentReview.finish(decisions),
  advise: async ({ library, pause }, id, view, hints) => {
    const playable = await library.load(id);
    return playable.advise(view.legal ? view : addLegalMoves(playable.game, view), hints, pause);
  },
};
