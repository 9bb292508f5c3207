/** The API of a board: texts, names, legal moves and the board's own interface state. */
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
  formatRepeated,
  joinSentences,
  formatSigned,
  translateArgs,
} from "../core/i18n.js";

/**
 * @typedef {import("../core/api-types.js").View} View @typedef {import("../core/api-types.js").Move} Move
 * @typedef {import("../core/api-types.js").Cue} Cue @typedef {import("../core/api-types.js").Change} Change
 */
/**
 * @typedef {import("../core/api-types.js").GameInfo} About @typedef {import("../core/api-types.js").Seat} Seat
 * @typedef {import("../core/api-types.js").Args} Args
 */

/** @typedef {Cue & {completes?: Cue}} JoinedCue an event that says in one sentence what the move before it did, too */

/** Return the seats of changes, each once. @param {Change[]} changes */
const listSeats = (changes) => [...new Set(changes.map(({ seat }) => seat))];

export class BoardContext {
  /**
   * @param {About} about
   * @param {{seats: () => Seat[], cues: (seat: number | null) => Cue[], play: (moves: Move[]) => void,
   *   preview: (moves: Move[]) => Promise<View | null>, refresh: () => void,
   *   moveText?: (move: Move) => string | undefined, cueText?: (cue: Cue) => string | undefined,
   *   goOn?: () => void}} shell `moveText` and `cueText`: the board's own text of a move or cue, if it has one; `goOn`:
   *   shows what waits until the reader goes on
   */
  constructor(about, shell) {
    this.about = about;
    this.shell = shell;
    /** @type {View | null} */
    this.view = null;
    /** May moves be made? False while a command is pending and while newer views wait for an animation. */
    this.canPlay = true;
    /** Is a past game shown? */
    this.isReplay = false;
    /**
     * The board's own state, such as what is picked or unfolded. It is reset when the decision changes.
     * @type {Record<string, any>}
     */
    this.local = {};
    /** @type {Record<string, Record<string, any>>} */
    this.pageStates = {};
    /** @type {{of: View | null, after: Map<string, View | null>}} results of `preview` for one view */
    this.previewedViews = { of: null, after: new Map() };
    /** @type {Record<string, (string | number)[]>} values by argument name, over all moves and events */
    this.values = {};
    for (const { args } of [...Object.values(about.moves), ...Object.values(about.events)]) {
      for (const [name, { values }] of Object.entries(args)) this.values[name] = values;
    }
  }

  /** The seat whose view is shown; null for a spectator. @returns {number | null} */
  get me() {
    return this.view?.seat ?? null;
  }

  /** State that the board keeps for this audience as long as the page is open. @returns {Record<string, any>} */
  get pageState() {
    const me = String(this.me);
    this.pageStates[me] ??= {};
    return this.pageStates[me];
  }

  /** The cues that this audience has received, up to the current view. */
  get cues() {
    return this.shell.cues(this.me).filter((cue) => cue.n < (this.view?.seq ?? 0));
  }

  /**
   * Return whether the result of these verbs is still to be shown: until another seat acts, this player can act, or the
   * game is over. False after a jump in a replay.
   * @param {string[]} verbs
   */
  isStillShown(verbs) {
    const { cues = [], legal = [], over } = this.view ?? {};
    const last = cues.findLastIndex((cue) => verbs.includes(cue.verb));
    return last >= 0 && !cues.slice(last + 1).some((cue) => cue.seat >= 0) && !(this.canPlay && (legal.length || over));
  }

  /** @param {string} id @param {Args} [args] arguments with translated names are translated */
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

  /** Join the names of these players. @param {number[]} seats */
  playerNames(seats) {
    return formatList(seats.map((seat) => this.playerName(seat)));
  }

  /** Format a number as `t` does. @param {number} n */
  formatNumber(n) {
    return formatNumber(n);
  }
  /** Format a number with a plus sign, also for 0. @param {number} n */
  formatPlus(n) {
    return formatPlus(n);
  }
  /** Format a number with its sign. @param {number} n */
  formatSigned(n) {
    return formatSigned(n);
  }
  /**
   * Return "A: b"; without a value, only the label for a value that is drawn.
   * @param {string} label @param {string | number} [value]
   */
  formatLabelled(label, value) {
    return formatLabelled(label, value);
  }

  /** Join alternatives, as in "A or B". @param {string[]} words */
  formatAlternatives(words) {
    return formatAlternatives(words);
  }

  /** Join facts about one thing, side by side. @param {string[]} words */
  joinParts(words) {
    return joinParts(words);
  }

  /** Join sentences, with or without closing punctuation. @param {string[]} parts */
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

  /** Render a seat's shield. @param {number} seat @param {string} [extra] */
  renderShield(seat, extra = "") {
    return renderShield(seat, extra);
  }

  /**
   * Return the legal moves of a verb with these arguments. While a command is pending they do not change, to avoid
   * flicker; playing one then has no effect.
   * @param {string} verb @param {Args} [args] @returns {Move[]}
   */
  legalMoves(verb, args = {}) {
    return (this.view?.legal ?? []).filter(
      (move) => move.verb === verb && Object.entries(args).every(([k, v]) => move.args[k] === v),
    );
  }

  /**
   * Return the move with this verb and arguments, even if it is not legal yet: for several moves sent together, of
   * which the later ones become legal by the first.
   * @param {string} verb @param {Args} [args] @returns {Move}
   */
  findMove(verb, args = {}) {
    const { first, args: kinds } = this.about.moves[verb];
    let index = 0;
    for (const [name, { values }] of Object.entries(kinds)) index = index * values.length + values.indexOf(args[name]);
    return { id: first + index, verb, args };
  }

  /**
   * Return moves by their ids. A move that is not legal yet has an empty verb.
   * @param {number[]} ids @returns {Move[]}
   */
  movesByIds(ids) {
    return ids.map((id) => this.view?.legal.find((move) => move.id === id) ?? { id, verb: "", args: {} });
  }

  /** Return the name of a number of a field, such as a phase. @param {string} field @param {number} number */
  fieldValueName(field, number) {
    return this.about.fields[field]?.names?.[number] ?? "";
  }

  /**
   * Return the view after these moves, in this order. Null until the server has answered, which redraws the board, and
   * if the server cannot know it before they are made.
   * @param {...Move} moves @returns {View | null}
   */
  preview(...moves) {
    if (this.previewedViews.of !== this.view) this.previewedViews = { of: this.view, after: new Map() };
    const { after } = this.previewedViews;
    const key = moves.map(({ id }) => id).join(" ");
    if (!after.has(key)) {
      after.set(key, null);
      this.shell.preview(moves).then((view) => {
        after.set(key, view);
        this.shell.refresh();
      });
    }
    return after.get(key) ?? null;
  }

  /** Send these moves, to be made in this order, all or none. @param {...Move} moves */
  play(...moves) {
    if (this.canPlay && moves.length) this.shell.play(moves);
  }

  /** Show what has happened after a view that holds what follows (`holds` of the board). */
  goOn() {
    this.shell.goOn?.();
  }

  /** @param {Record<string, any>} patch */
  setLocal(patch) {
    if (Object.keys(patch).length) countChange();
    Object.assign(this.local, patch);
    this.shell.refresh();
  }

  /** Return the text of a move's button. @param {Move} move @param {number} [times] how often it is made in a row */
  moveText(move, times = 1) {
    return this.shell.moveText?.(move) || this.#usualMoveText(move, times);
  }

  /** @param {Move} move @param {number} times */
  #usualMoveText(move, times) {
    return this.#format(`${this.about.id}-do-${move.verb}`, move.verb, move.args, null, times);
  }

  /** Return the texts of moves as a list; equal neighbours are one text with a count. @param {Move[]} moves */
  movesText(moves) {
    // a board's own text is about the current position, so only the first move can have it
    const format = (/** @type {Move} */ move, times = 1) =>
      move === moves[0] ? this.moveText(move, times) : this.#usualMoveText(move, times);
    /** @type {{move: Move, times: number}[]} */
    const groups = [];
    for (const move of moves) {
      const last = groups.at(-1);
      if (last && format(last.move) === format(move)) last.times++;
      else groups.push({ move, times: 1 });
    }
    return formatList(groups.map(({ move, times }) => format(move, times)));
  }

  /**
   * Return the text of a cue, or "" if the catalogue has none.
   * @param {JoinedCue} cue
   * @param {boolean} [open] is all information shown? Then events whose receiver is not known have another text
   * @param {number} [times] how often it happened in a row
   */
  cueText(cue, open = false, times = 1) {
    const ownText = this.shell.cueText?.(cue);
    const text = ownText ? formatRepeated(() => ownText, times) : this.#usualCueText(cue, open, times);
    const changes = [...(cue.completes?.changes ?? []), ...(cue.changes ?? [])];
    const amounts = this.#formatAmounts(cue, changes, times);
    const said = text && amounts ? t("log-amounts", { text, amounts }) : text;
    return joinSentences([said, ...this.#listRevealed(changes)]);
  }

  /**
   * Return what a cue changed, "+6 points · Anna: −1 gem", with the player whom its text is about first and without a
   * name; "" if it says nothing about amounts.
   * @param {JoinedCue} cue @param {Change[]} changes @param {number} times
   */
  #formatAmounts(cue, changes, times) {
    const subject = cue.seat < 0 ? this.#findOnlySeat(cue) : cue.seat;
    const seats = listSeats(changes.filter(({ revealed }) => !revealed)).sort(
      (a, b) => Number(b === subject) - Number(a === subject) || a - b,
    );
    const texts = seats.map((seat) => {
      const amounts = formatList(
        changes
          .filter((change) => change.seat === seat && !change.revealed)
          .map(({ name, n }) => this.#formatAmount(name, formatSigned(n * times), n * times)),
      );
      return seat === subject ? amounts : formatLabelled(this.playerName(seat), amounts);
    });
    return joinParts(texts);
  }

  /**
   * If a cue revealed anything, return for each seat what: "Anna shows 3 diamonds, King on rubies", each on a line.
   * @param {Change[]} changes
   */
  #listRevealed(changes) {
    const revealed = changes.filter((change) => change.revealed);
    if (!revealed.length) return [];
    return this.shell.seats().map(({ seat }) => {
      const amounts = revealed
        .filter((change) => change.seat === seat)
        .map(({ name, n }) => this.#formatAmount(name, formatNumber(n), n));
      const id = amounts.length ? "log-shows" : "log-shows-nothing";
      return `\n${t(id, { name: this.playerName(seat), list: formatList(amounts) })}`;
    });
  }

  /**
   * Return "+6 points".
   * @param {string} name @param {string} n the number as a text @param {number} many
   */
  #formatAmount(name, n, many) {
    return t(`${this.about.id}-counted-${name}`, { n, many: Math.abs(many) });
  }

  /** Return the player whom an event names; undefined if it names none or several. @param {Cue} event */
  #findOnlySeat({ verb, args }) {
    const seats = Object.entries(this.#argTypes(verb)).filter(([, { seat }]) => seat);
    return seats.length === 1 ? args?.[seats[0][0]] : undefined;
  }

  /** @param {JoinedCue} cue @param {boolean} open @param {number} times */
  #usualCueText(cue, open, times) {
    const { completes } = cue;
    const id = `${this.about.id}-do-${cue.verb}`;
    if (completes) {
      const joined = this.#isComplete(cue) ? `${id}.joined` : `${id}.joined-hidden`;
      const args = { ...completes.args, ...cue.args };
      return hasText(joined) ? this.#format(joined, cue.verb, args, cue.seat, times, completes.verb) : "";
    }
    const receiver = cue.to ?? (open ? null : this.me);
    const attribute = !this.#isComplete(cue)
      ? "hidden"
      : open && receiver === null && hasText(`${id}.open`)
        ? "open"
        : "log";
    const text = `${id}.${attribute}`;
    const seat = cue.seat < 0 ? receiver : cue.seat;
    return hasText(text) ? this.#format(text, cue.verb, cue.args ?? {}, seat, times) : "";
  }

  /**
   * Return the player and the button's text of a move that the log leaves out, "Anna: No Alchemist"; "" if the move is
   * not known.
   * @param {Cue} cue
   */
  silentCueText(cue) {
    if (cue.seat < 0 || cue.verb === "undo" || !this.#isComplete(cue)) return "";
    const text = this.#format(`${this.about.id}-do-${cue.verb}`, cue.verb, cue.args ?? {}, null, 1);
    return formatLabelled(this.playerName(cue.seat), text);
  }

  /**
   * Return the text of events of one kind in a row: one sentence, `.several`, whose `$list` is made of the `.item` of
   * each; "" if the catalogue has none.
   * @param {Cue[]} events
   */
  eventsText(events) {
    const { verb } = events[0];
    const id = `${this.about.id}-do-${verb}`;
    if (!hasText(`${id}.several`)) return "";
    /** @type {Map<string, Cue[]>} */
    const kinds = new Map();
    for (const event of events) {
      const kind = JSON.stringify(event.args);
      kinds.set(kind, [...(kinds.get(kind) ?? []), event]);
    }
    const list = [...kinds.values()].map((equal) =>
      this.#format(`${id}.item`, verb, equal[0].args ?? {}, equal[0].seat, equal.length),
    );
    return t(`${id}.several`, { list: formatList(list) });
  }

  /** Return the arguments of a verb. @param {string} verb */
  #argTypes(verb) {
    return (this.about.moves[verb] ?? this.about.events[verb])?.args ?? {};
  }

  /** Return whether a cue has all its arguments, or only the public ones. @param {Cue} cue */
  #isComplete({ verb, args }) {
    return args !== null && Object.keys(this.#argTypes(verb)).every((arg) => arg in args);
  }

  /**
   * @param {string} id @param {string} verb @param {Args} args @param {number | null} seat @param {number} times
   * @param {string} [completed] the verb whose arguments are there too
   */
  #format(id, verb, args, seat, times, completed = verb) {
    const kinds = { ...this.#argTypes(completed), ...this.#argTypes(verb) };
    const translatedArgs = translateArgs(this.about.id, args, kinds, (n) => this.playerName(n));
    if (seat !== null && seat >= 0) translatedArgs.name = this.playerName(seat);
    return formatRepeated((n) => t(id, { ...translatedArgs, times: n }), times);
  }
}
