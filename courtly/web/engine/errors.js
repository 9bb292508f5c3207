/** The errors of matches and records. */

/** A command that cannot be carried out. It has changed nothing. */
export class CommandRefusedError extends Error {
  /** @param {string} id the id of a message in the catalogues @param {Record<string, any>} args its parameters */
  constructor(id, args = {}) {
    super(id);
    this.id = id;
    this.args = args;
  }
}

/** A journal that cannot be replayed. */
export class JournalCorruptedError extends Error {
  /** @param {number} ply the first invalid entry @param {string} reason */
  constructor(ply, reason) {
    super(`entry ${ply}: ${reason}`);
    this.ply = ply;
    this.reason = reason;
  }
}

/** A record that is invalid. */
export class InvalidRecordError extends Error {
  /** @param {number} line the first invalid line, counted from 1 @param {string} reason */
  constructor(line, reason) {
    super(`line ${line}: ${reason}`);
    this.line = line;
    this.reason = reason;
  }
}

/** Text or numbers that name no move, or a setup that the game does not have. */
export class UnknownValueError extends Error {}

/** A fault in the rules of a game. */
export class RulesError extends Error {}
