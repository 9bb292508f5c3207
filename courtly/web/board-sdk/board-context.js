/** What a board may use: words, names, its legal moves, and a place for its own interface state. */
import { playerName } from "../core/player-names.js";
import { countChange } from "../core/double-click-guard.js";
import { renderShield } from "./seat-shield.js";
import {
  t,
  hasText,
  formatAlternatives,
  formatLabelled,
  formatList,
  formatNumber,
  joinParts,
  formatPlus,
  joinSentences,
  formatSigned,
  translateArgs,
} from "../core/i18n.js";

/**
 * @typedef {import("../core/api-types.js").View} View @typedef {import("../core/api-types.js").Move} Move
 * @typedef {import("../core/api-types.js").Cue} Cue
 */
/**
 * @typedef {import("../core/api-types.js").GameInfo} About @typedef {import("../core/api-types.js").Seat} Seat
 * @typedef {import("../core/api-types.js").Args} Args
 */

export class BoardContext {
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
    this.canPlay = true;
    /**
     * The board's own state: what is picked, unfolded … forgotten when the decision changes.
     * @type {Record<string, any>}
     */
    this.local = {};
    /** @type {Record<string, Record<string, any>>} */
    this.pageStates = {};
    /** @type {{of: View | null, after: Map<string, View | null>}} what the server foresees of a view */
    this.foreseenViews = { of: null, after: new Map() };
    /** @type {Record<string, (string | number)[]>} values by argument name, over all moves and events */
    this.values = {};
    for (const { args } of [...Object.values(about.moves), ...Object.values(about.events)]) {
      for (const [name, { values }] of Object.entries(args)) this.values[name] = values;
    }
  }

  /** The seat this page looks from, or null. @returns {number | null} */
  get me() {
    return this.view?.seat ?? null;
  }

  /** What the board keeps for this audience as long as the page is open. @returns {Record<string, any>} */
  get pageState() {
    const me = String(this.me);
    this.pageStates[me] ??= {};
    return this.pageStates[me];
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
  isStillShown(verbs) {
    const { cues = [], legal = [], over } = this.view ?? {};
    const last = cues.findLastIndex((cue) => verbs.includes(cue.verb));
    return last >= 0 && !cues.slice(last + 1).some((cue) => cue.seat >= 0) && !(this.canPlay && (legal.length || over));
  }

  /** @param {string} id @param {Args} [args] arguments with names of their own are put into words */
  t(id, args = {}) {
    return t(
      id,
      translateArgs(this.about.id, args, {}, (n) => this.playerName(n)),
    );
  }

  /** "A, B, C". @param {string[]} words */
  formatList(words) {
    return formatList(words);
  }

  /** What players are called, one after another. @param {number[]} seats */
  playerNames(seats) {
    return formatList(seats.map((seat) => this.playerName(seat)));
  }

  /** A number, in the form that `t` has for it. @param {number} n */
  formatNumber(n) {
    return formatNumber(n);
  }
  /** A number with a plus, 0 too. @param {number} n */
  formatPlus(n) {
    return formatPlus(n);
  }
  /** A number with its sign. @param {number} n */
  formatSigned(n) {
    return formatSigned(n);
  }
  /** "A: b". Where the value is drawn the label stands alone. @param {string} label @param {string | number} [value] */
  formatLabelled(label, value) {
    return formatLabelled(label, value);
  }

  /** "A or B". @param {string[]} words */
  formatAlternatives(words) {
    return formatAlternatives(words);
  }

  /** What is told of one thing, side by side. @param {string[]} words */
  joinParts(words) {
    return joinParts(words);
  }

  /** Sentences, with an end of their own or without, one after another. @param {string[]} parts */
  joinSentences(parts) {
    return joinSentences(parts);
  }

  /** @param {string} id */
  hasText(id) {
    return hasText(id);
  }

  /** @param {number} seat */
  playerName(seat) {
    return playerName(this.shell.seats()[seat]);
  }

  /** The seat's shield, drawn. @param {number} seat @param {string} [extra] */
  renderShield(seat, extra = "") {
    return renderShield(seat, extra);
  }

  /**
   * The legal moves of a verb whose arguments match. They stay while a move is on its way, so that nothing flickers;
   * playing them then does nothing.
   * @param {string} verb @param {Args} [args] @returns {Move[]}
   */
  legalMoves(verb, args = {}) {
    return (this.view?.legal ?? []).filter(
      (move) => move.verb === verb && Object.entries(args).every(([k, v]) => move.args[k] === v),
    );
  }

  /**
   * A move by its words, legal now or not: for several moves sent at once, of which the later are legal only after the
   * first.
   * @param {string} verb @param {Args} [args] @returns {Move}
   */
  findMove(verb, args = {}) {
    const { first, args: kinds } = this.about.moves[verb];
    let index = 0;
    for (const [name, { values }] of Object.entries(kinds)) index = index * values.length + values.indexOf(args[name]);
    return { id: first + index, verb, args };
  }

  /** Moves by their numbers; those that are not legal yet have no words. @param {number[]} ids @returns {Move[]} */
  movesByIds(ids) {
    return ids.map((id) => this.view?.legal.find((move) => move.id === id) ?? { id, verb: "", args: {} });
  }

  /** The name of a number that a field of the view has, a phase … @param {string} field @param {number} number */
  fieldValueName(field, number) {
    return this.about.fields[field]?.names?.[number] ?? "";
  }

  /**
   * The view as it would be after these moves, in this order. Null until the server has answered, which draws the board
   * anew, and where it cannot be known before they are made.
   * @param {...Move} moves @returns {View | null}
   */
  foresee(...moves) {
    if (this.foreseenViews.of !== this.view) this.foreseenViews = { of: this.view, after: new Map() };
    const { after } = this.foreseenViews;
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
    if (this.canPlay && moves.length) this.shell.play(moves);
  }

  /** @param {Record<string, any>} patch */
  setLocal(patch) {
    if (Object.keys(patch).length) countChange();
    Object.assign(this.local, patch);
    this.shell.refresh();
  }

  /** The words on a move's button. @param {Move} move */
  moveText(move) {
    return this.#format(`${this.about.id}-do-${move.verb}`, move.verb, move.args, null);
  }

  /**
   * What a cue tells, or "" where the catalogue has nothing to say.
   * @param {Cue} cue @param {boolean} [open] does everything lie open? Then what its player was told is nobody's alone
   */
  cueText(cue, open = false) {
    const id = `${this.about.id}-do-${cue.verb}`;
    const attribute = !this.#isComplete(cue) ? "hidden" : open && hasText(`${id}.open`) ? "open" : "log";
    return hasText(`${id}.${attribute}`) ? this.#format(`${id}.${attribute}`, cue.verb, cue.args ?? {}, cue.seat) : "";
  }

  /** The arguments of a verb. @param {string} verb */
  #argTypes(verb) {
    return (this.about.moves[verb] ?? this.about.events[verb])?.args ?? {};
  }

  /** Does a cue tell all, or only what everybody is told? @param {Cue} cue */
  #isComplete({ verb, args }) {
    return args !== null && Object.keys(this.#argTypes(verb)).every((arg) => arg in args);
  }

  /** @param {string} id @param {string} verb @param {Args} args @param {number | null} seat */
  #format(id, verb, args, seat) {
    const kinds = this.#argTypes(verb);
    const translated = translateArgs(this.about.id, args, kinds, (n) => this.playerName(n));
    if (seat !== null && seat >= 0) translated.name = this.playerName(seat);
    return t(id, translated);
  }
}
