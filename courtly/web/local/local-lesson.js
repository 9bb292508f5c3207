/**
 * A game's lesson in this browser: guided first steps on real positions. The same as
 * courtly/engine/scenarios/lesson.py, which describes it.
 */
import { Generator } from "../bots/generator.js";
import { pickWeighted } from "../engine/chance.js";
import { CommandRefusedError } from "../engine/errors.js";
import { Match } from "../engine/match.js";
import { Position } from "../engine/position.js";
import { writeFields } from "../engine/record-fields.js";
import { makeDetachedTable } from "./detached-table.js";

/**
 * @typedef {import("../core/api-types.js").LessonStep} LessonStep @typedef {import("../core/api-types.js").View} View
 */
/**
 * A step as `Lesson.describe` gives it: its text, the elements to highlight, the position that it gives (null: the
 * previous one), the moves before it with their seats, and the accepted answers.
 * @typedef {{say: string, show: string[], state: Record<string, any> | null, do: [number, number][],
 *   ask: number[][]}} DescribedStep
 */
/**
 * The progress of a learner: the position, the present step, the moves made in each step, the step that gave the
 * position, and the remaining moves of the answer that was begun (null: other moves were made).
 * @typedef {{match: Match, number: number, done: number[][], since: number, rest: number[] | null}} LessonPoint
 */

const LEARNER_SEAT = 0;
const RIVAL_BOT = "squire"; // as which the other seats are shown

/** @type {import("../engine/chance.js").ChanceSource} */
const NO_CHANCE = {
  choose() {
    throw new Error("the lesson says which random events happen");
  },
  describe: () => ({}),
};

export class LocalLesson {
  /**
   * @param {import("../engine/game.js").Game} game
   * @param {{options: Record<string, number>, steps: DescribedStep[]}} description
   */
  constructor(game, { options, steps }) {
    this.game = game;
    this.options = options;
    this.steps = steps;
  }

  /**
   * Return a step, as a server answers a request for one. Throws CommandRefusedError if there is no such step, or a
   * move is not legal.
   * @param {{done?: number[][], at?: string, preview_moves?: number[]}} request `done`: the moves in each step up to
   *   the one that is returned; or `at`: the key of its text; the moves of which a preview is asked for
   * @returns {LessonStep}
   */
  answer({ done = [], at = "", preview_moves: previewMoves = [] }) {
    const { match, number, done: accepted, since, rest } = this.#findPoint(at ? this.#playUntil(at) : done);
    const step = this.steps[number];
    const view = match.view(LEARNER_SEAT, 0);
    const expectsMove = step.ask.length > 0;
    return {
      done: accepted,
      steps: this.steps.length,
      position_step: since,
      text_key: step.say,
      highlights: step.show,
      expects_move: expectsMove,
      off_script: rest === null,
      suggested_move: rest?.length ? this.game.moves.named[rest[0]] : null,
      table: this.#describeTable(match),
      view: {
        ...view,
        legal: rest !== null && expectsMove ? view.legal : [],
        undo: accepted[accepted.length - 1].length > 0,
      },
      preview: previewMoves.length ? /** @type {View} */ (match.preview(LEARNER_SEAT, previewMoves)) : null,
    };
  }

  /** @param {Match} match */
  #describeTable(match) {
    const table = makeDetachedTable(
      match,
      Array.from({ length: match.players }, () => ""),
    );
    table.options = this.options;
    for (const seat of table.seats)
      if (seat.seat === LEARNER_SEAT) seat.you = true;
      else Object.assign(seat, { kind: "bot", bot: RIVAL_BOT });
    return table;
  }

  /** Return the position that a step gives, as a match. @param {Record<string, any>} fields */
  #begin(fields) {
    const { description } = this.game;
    const state = new Uint8Array(description.record.size);
    writeFields(description, state, fields);
    return new Match(this.game, { position: new Position(this.game, state), chance: NO_CHANCE, start: false });
  }

  /**
   * Return the moves, by step, that lead to a step if the learner follows the suggestions.
   * @param {string} textKey
   */
  #playUntil(textKey) {
    const target = this.steps.findIndex(({ say }) => say === textKey);
    if (target < 0) throw new CommandRefusedError("error-unknown-page");
    /** @type {number[][]} */
    let done = [[]];
    while (done.length <= target) {
      const { rest } = this.#findPoint(done);
      done = rest?.length ? this.#findPoint([...done.slice(0, -1), rest]).done : [...done, []];
    }
    return done;
  }

  /**
   * Return the progress after these moves, a list for each step. Moves that do not belong to the lesson are dropped
   * with all steps after them.
   * @param {number[][]} movesByStep @returns {LessonPoint}
   */
  #findPoint(movesByStep) {
    const last = Math.min(movesByStep.length, this.steps.length) - 1;
    let match = this.#begin(/** @type {Record<string, any>} */ (this.steps[0].state));
    let since = 0;
    const done = [];
    for (let number = 0; ; number++) {
      const { state, do: moves, ask } = this.steps[number];
      if (number && state) [match, since] = [this.#begin(state), number];
      for (const [seat, move] of moves) match.apply(seat, move);
      let stepMoves = number <= last ? movesByStep[number] : [];
      const isPast =
        number < this.steps.length - 1 &&
        (ask.length ? ask.some((answer) => String(answer) === String(stepMoves)) : number < last);
      if (!ask.length || (!isPast && number < last)) stepMoves = [];
      const rest = findRest(ask, stepMoves);
      for (const move of stepMoves) {
        match.position.check(LEARNER_SEAT, [move]);
        match.apply(LEARNER_SEAT, move);
      }
      done.push(stepMoves);
      if (isPast) continue;
      if (rest === null) this.#drawEvents(match);
      return { match, number, done, since, rest };
    }
  }

  /** Let random events happen until a seat has to decide. @param {Match} match */
  #drawEvents(match) {
    while (match.position.isChance) {
      const { moves, weights } = match.position.outcomes();
      const word = new Generator(0, match.entries.length).drawWord();
      match.apply(this.game.description.event_seat, moves[pickWeighted(word, weights)]);
    }
  }
}

/**
 * Return the remaining moves of the first answer that begins with these moves; null if there is none.
 * @param {number[][]} answers @param {number[]} played
 */
function findRest(answers, played) {
  if (!answers.length && !played.length) return [];
  const begun = answers.find((answer) => String(answer.slice(0, played.length)) === String(played));
  return begun ? begun.slice(played.length) : null;
}
