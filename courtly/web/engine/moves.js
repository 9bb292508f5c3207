/** A game's moves and random events as numbers, with their names. */
import { UnknownValueError } from "./errors.js";

/** @typedef {import("../core/api-types.js").Move} Move @typedef {import("../core/api-types.js").Value} Value */
/** @typedef {import("./description.js").GameDescription} GameDescription */

export class Moves {
  /** @param {GameDescription} description */
  constructor({ moves, events, hidden, public_args, move_count }) {
    this.verbs = { ...moves, ...events };
    /** For each secret verb, the verb that others see. */
    this.hidden = new Map(Object.entries(hidden));
    this.publicArgs = public_args;
    /** The number of moves of players; random events follow. */
    this.count = move_count;
    /** @type {Move[]} by id */
    this.named = [];
    for (const [verb, { first, args }] of Object.entries(this.verbs)) {
      /** @type {Record<string, Value>[]} */
      let rows = [{}];
      for (const [name, { values }] of Object.entries(args))
        rows = rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value })));
      for (const [i, row] of rows.entries())
        this.named[first + i] = Object.freeze({ id: first + i, verb, args: Object.freeze(row) });
    }
  }

  /** Return the verb, and the arguments or null, that an audience sees that may not see the move. @param {number} id */
  hideArguments(id) {
    const { verb, args } = this.named[id];
    const publicArgs = this.publicArgs[verb].map((name) => [name, args[name]]);
    return {
      verb: this.hidden.get(verb) ?? verb,
      args: publicArgs.length ? Object.freeze(Object.fromEntries(publicArgs)) : null,
    };
  }

  /** Return a move as text, such as "keep face=4". @param {number} id */
  toWords(id) {
    const { verb, args } = this.named[id];
    return [verb, ...Object.entries(args).map(([name, value]) => `${name}=${value}`)].join(" ");
  }

  /**
   * Return the id of a move given as text. The names of the arguments may be left out: "keep 4". Throws
   * UnknownValueError if there is no such move.
   * @param {string} words
   */
  read(words) {
    const [verb, ...values] = words.split(/\s+/).filter(Boolean);
    if (!Object.hasOwn(this.verbs, verb ?? "")) throw new UnknownValueError(`unknown verb '${verb ?? ""}'`);
    const { first, args } = this.verbs[verb];
    const names = Object.keys(args);
    if (values.length !== names.length)
      throw new UnknownValueError(
        `${verb} takes ${names.join(", ") || "nothing"}, not ${values.join(" ") || "nothing"}`,
      );
    let place = 0;
    for (const [i, name] of names.entries()) {
      const equals = values[i].lastIndexOf("=");
      if (equals >= 0 && values[i].slice(0, equals) !== name)
        throw new UnknownValueError(`${verb} takes ${names.join(", ")}, not ${values[i].slice(0, equals)}`);
      const texts = args[name].values.map(String);
      const index = texts.indexOf(values[i].slice(equals + 1));
      if (index < 0) throw new UnknownValueError(`${verb}: ${values[i]} is not one of ${texts.join(", ")}`);
      place = place * texts.length + index;
    }
    return first + place;
  }
}
