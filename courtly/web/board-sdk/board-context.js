/** What a board may use: words, names, its legal moves, and a place for its own interface state. */
import { called } from "../core/player-names.js";
import { noteChange } from "../core/double-click-guard.js";
import { shield } from "./seat-shield.js";
import { t, has, choices, labelled, list, number, parts, plus, sentences, signed, words } from "../core/i18n.js";

/**
 * @typedef {import("../core/api-types.js").View} View @typedef {import("../core/api-types.js").Move} Move
 * @typedef {import("../core/api-types.js").Cue} Cue
 */
/**
 * @typedef {import("../core/api-types.js").GameInfo} About @typedef {import("../core/api-types.js").Seat} Seat
 * @typedef {import("../core/api-types.js").Args} Args
 */

export class Ui {
  /**
   * @param {About} about
   * @param {{seats: () => Seat[], cues: (seat: number | null) => Cue[], play: (moves: Move[]) => void,
   *   foresee: (moves: Move[]) => Promise<View | null>, refresh: () => void}} shell
   */
  constructor(about, shell) {
    this.about = about;
    this.shell = shell;
    /** @type {View | null} */
    this.view = null;
    /** May moves be made now? Not while one is on its way, nor while newer views wait behind an animation. */
    this.free = true;
    /**
     * The board's own state: what is picked, unfolded … forgotten when the decision changes.
     * @type {Record<string, any>}
     */
    this.local = {};
    /** @type {Record<string, Record<string, any>>} */
    this.byAudience = {};
    /** @type {{of: View | null, after: Map<string, View | null>}} what the server foresees of a view */
    this.foresight = { of: null, after: new Map() };
    /** @type {Record<string, (string | number)[]>} values by argument name, over all moves and events */
    this.axes = {};
    for (const { args } of [...Object.values(about.moves), ...Object.values(about.events)]) {
      for (const [name, { values }] of Object.entries(args)) this.axes[name] = values;
    }
  }

  /** The seat this page looks from, or null. @returns {number | null} */
  get me() {
    return this.view?.seat ?? null;
  }

  /** What the board keeps for this audience as long as the page is open. @returns {Record<string, any>} */
  get kept() {
    const me = String(this.me);
    this.byAudience[me] ??= {};
    return this.byAudience[me];
  }

  /** All that this audience has been told, up to the view. */
  get cues() {
    return this.shell.cues(this.me).filter((cue) => cue.n < (this.view?.seq ?? 0));
  }

  /**
   * Does what these verbs brought still lie open? Until somebody acts, or this player can, or the game is over; not
   * where a replay jumps to.
   * @param {string[]} verbs
   */
  open(verbs) {
    const { cues = [], legal = [], over } = this.view ?? {};
    const last = cues.findLastIndex((cue) => verbs.includes(cue.verb));
    return last >= 0 && !cues.slice(last + 1).some((cue) => cue.seat >= 0) && !(this.free && (legal.length || over));
  }

  /** @param {string} id @param {Args} [args] arguments with names of their own are put into words */
  t(id, args = {}) {
    return t(
      id,
      words(this.about.id, args, {}, (n) => this.name(n)),
    );
  }

  /** "A, B, C". @param {string[]} words */
  list(words) {
    return list(words);
  }

  /** What players are called, one after another. @param {number[]} seats */
  names(seats) {
    return list(seats.map((seat) => this.name(seat)));
  }

  /** A number, in the form that `t` has for it. @param {number} n */
  number(n) {
    return number(n);
  }
  /** A number with a plus, 0 too. @param {number} n */
  plus(n) {
    return plus(n);
  }
  /** A number with its sign. @param {number} n */
  signed(n) {
    return signed(n);
  }
  /** "A: b". Where the value is drawn the label stands alone. @param {string} label @param {string | number} [value] */
  labelled(label, value) {
    return labelled(label, value);
  }

  /** "A or B". @param {string[]} words */
  choices(words) {
    return choices(words);
  }

  /** What is told of one thing, side by side. @param {string[]} words */
  parts(words) {
    return parts(words);
  }

  /** Sentences, with an end of their own or without, one after another. @param {string[]} parts */
  sentences(parts) {
    return sentences(parts);
  }

  /** @param {string} id */
  has(id) {
    return has(id);
  }

  /** @param {number} seat */
  name(seat) {
    return called(this.shell.seats()[seat]);
  }

  /** The seat's shield, drawn. @param {number} seat @param {string} [extra] */
  shield(seat, extra = "") {
    return shield(seat, extra);
  }

  /**
   * The legal moves of a verb whose arguments match. They stay while a move is on its way, so that nothing flickers;
   * playing them then does nothing.
   * @param {string} verb @param {Args} [args] @returns {Move[]}
   */
  can(verb, args = {}) {
    return (this.view?.legal ?? []).filter(
      (move) => move.verb === verb && Object.entries(args).every(([k, v]) => move.args[k] === v),
    );
  }

  /**
   * A move by its words, legal now or not: for several moves sent at once, of which the later are legal only after the
   * first.
   * @param {string} verb @param {Args} [args] @returns {Move}
   */
  move(verb, args = {}) {
    const { first, args: kinds } = this.about.moves[verb];
    let index = 0;
    for (const [name, { values }] of Object.entries(kinds)) index = index * values.length + values.indexOf(args[name]);
    return { id: first + index, verb, args };
  }

  /** Moves by their numbers; those that are not legal yet have no words. @param {number[]} ids @returns {Move[]} */
  numbered(ids) {
    return ids.map((id) => this.view?.legal.find((move) => move.id === id) ?? { id, verb: "", args: {} });
  }

  /** The name of a number that a field of the view has, a phase … @param {string} field @param {number} number */
  named(field, number) {
    return this.about.fields[field]?.names?.[number] ?? "";
  }

  /**
   * The view as it would be after these moves, in this order. Null until the server has answered, which draws the board
   * anew, and where it cannot be known before they are made.
   * @param {...Move} moves @returns {View | null}
   */
  foreseen(...moves) {
    if (this.foresight.of !== this.view) this.foresight = { of: this.view, after: new Map() };
    const { after } = this.foresight;
    const key = moves.map(({ id }) => id).join(" ");
    if (!after.has(key)) {
      after.set(key, null);
      this.shell.foresee(moves).then((view) => {
        after.set(key, view);
        this.shell.refresh();
      });
    }
    return after.get(key) ?? null;
  }

  /** Send these moves: all or none, in this order. @param {...Move} moves */
  play(...moves) {
    if (this.free && moves.length) this.shell.play(moves);
  }

  /** @param {Record<string, any>} patch */
  set(patch) {
    if (Object.keys(patch).length) noteChange();
    Object.assign(this.local, patch);
    this.shell.refresh();
  }

  /** The words on a move's button. @param {Move} move */
  order(move) {
    return this.#say(`${this.about.id}-do-${move.verb}`, move.verb, move.args, null);
  }

  /**
   * What a cue tells, or "" where the catalogue has nothing to say.
   * @param {Cue} cue @param {boolean} [open] does everything lie open? Then what its player was told is nobody's alone
   */
  tell(cue, open = false) {
    const id = `${this.about.id}-do-${cue.verb}`;
    const attribute = !this.#whole(cue) ? "hidden" : open && has(`${id}.open`) ? "open" : "log";
    return has(`${id}.${attribute}`) ? this.#say(`${id}.${attribute}`, cue.verb, cue.args ?? {}, cue.seat) : "";
  }

  /** The arguments of a verb. @param {string} verb */
  #kinds(verb) {
    return (this.about.moves[verb] ?? this.about.events[verb])?.args ?? {};
  }

  /** Does a cue tell all, or only what everybody is told? @param {Cue} cue */
  #whole({ verb, args }) {
    return args !== null && Object.keys(this.#kinds(verb)).every((arg) => arg in args);
  }

  /** @param {string} id @param {string} verb @param {Args} args @param {number | null} seat */
  #say(id, verb, args, seat) {
    const kinds = this.#kinds(verb);
    const said = words(this.about.id, args, kinds, (n) => this.name(n));
    if (seat !== null && seat >= 0) said.name = this.name(seat);
    return t(id, said);
  }
}
