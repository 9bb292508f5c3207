/** One table: what the server says of it, which view is shown, and what is sent. Drawing is in table-page.js. */
import { nothing, render } from "lit";
import { focused, follow, keepFocus, showChoices, toTop } from "./focus-choices.js";
import { Advice } from "./hints.js";
import { paint } from "../components/seat-color-picker.js";
import { Clocks } from "../components/clock.js";
import { complain, redrawDialogs } from "../components/dialogs.js";
import { noteChange } from "../core/double-click-guard.js";
import { faultOf, less, report } from "./board-error.js";
import { keep, kept } from "../core/table-storage.js";
import { Player } from "../board-sdk/animation.js";
import { ask, Line, lostBy, randomHex } from "../core/http-client.js";
import { Recap } from "./replay/while-away.js";
import { Replies } from "./response-masking.js";
import { begun, tend } from "./number-exchange.js";
import { onCrowding, onSetting, setting } from "../core/user-settings.js";
import { load, t } from "../core/i18n.js";
import { loadBoard } from "../board-sdk/load-board.js";
import { shortcuts } from "./shortcuts.js";
import { showPending } from "./seats.js";
import { page } from "./table-page.js";
import { Turn } from "../core/turn-alerts.js";
import { Talk } from "./chat.js";
import { Ui } from "../board-sdk/board-context.js";

/**
 * @typedef {import("../core/api-types.js").View} View @typedef {import("../core/api-types.js").Move} Move
 * @typedef {import("../core/api-types.js").Cue} Cue
 */
/**
 * @typedef {import("../core/api-types.js").TableInfo} TableInfo @typedef {import("../core/api-types.js").GameInfo} About
 * @typedef {import("../board-sdk/board-types.js").Board} Board @typedef {import("./replay/replay.js").Replay} Replay
 */

/**
 * Where a table's messages come from: a socket (`Line`), or whatever else can say them, a record or a list. It begins
 * when it is opened. `hello` tells it what has been heard before, for one that is cut off and begins again.
 * @typedef {import("../core/api-types.js").FromServer} FromServer
 * @typedef {{hello: () => object, hear: (message: FromServer) => void,
 *   state: (connected: boolean, restarts: boolean) => void}} Listener
 * One that no server stands behind tells of the `past`, as its eyes saw it, and gives the `record`, if it can. `leave`:
 * back to where it was chosen, on the same page; `close`: nobody listens any more.
 * @typedef {import("./replay/replay.js").Eyes} Eyes @typedef {import("../core/api-types.js").Replay} Told
 * @typedef {{open: (listener: Listener) => void, send: (message: object) => void,
 *   past?: (eyes: Eyes) => Promise<Told>, record?: () => Promise<string>, leave?: () => void,
 *   close?: () => void}} Source
 */

/**
 * Who leads through what is seen, as a lesson does: what they say in the bar, what they point at, and a look at what
 * was drawn.
 * @typedef {{draw: () => unknown, marked: Element[], look: () => void}} Guide
 */

/**
 * What was sent: moves, or none where one is taken back.
 * @typedef {{seat: number, seq: number, key: string, message: object, moves: Move[]}} Command
 */

/** The table of this name, as the server tells of it. @param {HTMLElement} host @param {string} id */
export async function start(host, id) {
  const info = await ask("GET", `/api/tables/${encodeURIComponent(id)}`);
  if (info.status === "over" && new URLSearchParams(location.search).has("ply"))
    return (await import("../pages/finished-table.js")).show(host, info);
  await lay(host, info, new Line(`/ws/tables/${info.id}`));
}

/**
 * A table that this source tells of. `replay`: it is the source, and what it tells is past. `guide`: leads through it.
 * @param {HTMLElement} host @param {TableInfo} info @param {Source} source @param {Replay | null} [replay]
 * @param {Guide | null} [guide]
 */
export async function lay(host, info, source, replay = null, guide = null) {
  const asked = ask("GET", `/api/games/${info.game}`);
  const [about, { board, wrong }] = await Promise.all([asked, loadBoard(info.game, asked), load(info.game)]);
  const table = new Table(host, info, about, board, source);
  table.guide = guide;
  if (wrong) table.fault = report(wrong, info.game);
  addEventListener("error", (event) => table.blame(event), table.until);
  addEventListener("unhandledrejection", ({ reason }) => table.blame({ error: reason }), table.until);
  onSetting(async () => {
    await load(info.game);
    table.refresh();
  }, table.until.signal);
  onCrowding(() => table.refresh(), table.until);
  // what could not be seen is read now
  document.addEventListener("visibilitychange", () => table.refresh(), table.until);
  shortcuts(table);
  table.replay = replay;
  if (replay) replay.table = table;
  table.open();
  return table;
}

/**
 * The number of the cue that comes next: a view of a long game begins later than with the first.
 * @param {Cue[]} cues
 */
const next = (cues) => (cues.at(-1)?.n ?? -1) + 1;

export class Table {
  /**
   * @param {HTMLElement} host @param {TableInfo} info @param {About} about @param {Board} board
   * @param {Source} source
   */
  constructor(host, info, about, board, source) {
    this.host = host;
    this.info = info;
    this.about = about;
    this.board = board;
    this.source = source;
    /** @type {Guide | null} */
    this.guide = null;
    this.lost = ""; // why there is no connection
    this.left = new AbortController(); // has the page turned to something else?
    this.until = { signal: this.left.signal };
    /** @type {Replay | null} what is past is looked at */
    this.replay = null;
    /** @type {"log" | "rules" | "advice" | "talk" | "review"} */
    this.panel = info.status === "waiting" ? "rules" : "log";
    this.panelOpen = false; // where it is a drawer
    /** @type {Map<number | null, View>} the newest view of each seat held here */
    this.views = new Map();
    /** @type {Map<number | null, Cue[]>} */
    this.logs = new Map();
    /** @type {Map<number | null, number>} how many cues came with the newest view of each */
    this.came = new Map();
    /** @type {Command | null} what is on its way */
    this.sent = null;
    /** @type {Command | null} what waits for the connection, as this browser keeps it */
    this.waits = kept(info.id).sent ?? null;
    /**
     * Who asked what moves would lead to, by the key of the question.
     * @type {Map<string, (view: View | null) => void>}
     */
    this.asked = new Map();
    this.ended = false; // is the end of the game on the screen?
    /** @type {Element | null} the bar that is measured */
    this.bar = null;
    /** @type {import("./board-error.js").Fault | null} what is wrong with the board */
    this.fault = null;
    /**
     * The last moves, and the decision they answered.
     * @typedef {{key: string, message: any, moves: Move[], decision: string}} Sent
     */
    /** @type {Sent | null} */
    this.last = null;
    /** @type {Sent | null} moves that came too late, to be sent once more */
    this.again = null;
    /** @type {number | null} the seat this page looks from */
    this.seat = null;
    /** @type {number | null} hot seat: the player the device is to be handed to */
    this.handTo = null;
    this.ui = new Ui(about, {
      seats: () => this.info.seats,
      cues: (seat) => this.logs.get(seat) ?? [],
      play: (moves) => this.play(moves),
      foresee: (moves) => this.#foresee(moves),
      refresh: () => this.refresh(),
    });
    this.advice = new Advice(this);
    this.turn = new Turn(this);
    this.talk = new Talk(this);
    this.recap = new Recap(this);
    this.replies = new Replies(() => this.refresh());
    this.clocks = new Clocks(this);
    this.clocks.hear(info.clocks);
    this.player = new Player(
      () => this.host.querySelector(".table"),
      (view) => this.#show(view),
      () => this.board.cues,
      about,
    );
  }

  get connected() {
    return !this.lost;
  }
  get plain() {
    return setting("plain") === "yes" || !this.board.board;
  }
  get view() {
    return this.ui.view;
  }
  /** What this seat has been told. */
  get heard() {
    return this.handTo === null ? (this.logs.get(this.seat) ?? []) : [];
  }
  /** How many of these came last, together. */
  get fresh() {
    return this.came.get(this.seat) ?? 0;
  }
  get mine() {
    return this.info.seats.filter((seat) => seat.you);
  }
  /** Does a bot play the seat that is looked from? */
  get replaced() {
    return this.seat !== null && Boolean(this.info.seats[this.seat].standin);
  }

  open() {
    this.source.open({
      hello: () => ({ since: Object.fromEntries([...this.logs].map(([seat, cues]) => [String(seat), next(cues)])) }),
      hear: (message) => this.#listen(message),
      state: (connected, restarts) => {
        this.lost = lostBy(connected, restarts);
        if (connected && this.sent) this.source.send(this.sent.message); // the same key: it is not made twice
        this.refresh();
      },
    });
    this.refresh();
  }

  /** The page turns to something else. */
  leave() {
    this.left.abort();
    this.replay?.pause();
    this.source.close?.();
    this.player.forget();
    this.turn.look(false);
    render(nothing, this.host);
  }

  // --- what was, in place of what is

  /** Is there a turn of mine to look back at? */
  get canLookBack() {
    const { replay, info, seat, handTo } = this;
    const told = info.id !== "" || this.source.past;
    const acted = this.ui.cues.some((cue) => cue.seat === seat && cue.verb !== "undo");
    return !replay && told && info.status === "playing" && handTo === null && acted;
  }

  /** Back to my last turn. */
  async recall() {
    if (this.canLookBack) await (await import("./replay/from-live-game.js")).back(this);
  }

  /** @param {Replay} replay */
  lookBack(replay) {
    this.startOver();
    this.replay = replay;
    replay.table = this;
    replay.open({ hello: () => ({}), hear: (message) => this.#hear(message), state: () => {} });
  }

  /** To the game, which has gone on meanwhile. */
  lookAhead() {
    if (!this.replay) return;
    this.replay.pause();
    this.info = this.replay.info;
    this.replay = null;
    this.player.rate = 1;
    this.startOver();
    this.source.send({ type: "resync" }); // where there is no connection the next one begins with all of it
    this.refresh();
  }

  // --- what the source says

  /** Who looks back hears of what is when they come back. @param {FromServer} message */
  #listen(message) {
    const { replay } = this;
    if (!replay || replay === this.source || !["table", "view"].includes(message.type)) return this.#hear(message);
    if (message.type === "table") replay.info = message.table;
    else replay.outdated = true;
    this.refresh();
  }

  /** @param {FromServer} message */
  #hear(message) {
    if (message.type === "table") this.#hearTable(message.table);
    else if (message.type === "view") this.#hearView(message.view);
    else if (message.type === "talk" || message.type === "said") this.talk.hear(message);
    else if (message.type === "clocks") this.clocks.hear(message.clocks);
    else if (message.type === "foreseen") this.#foreseen(message.key, message.view);
    else if (message.type === "error" && !this.#foreseen(message.key, null)) {
      const sent = this.sent?.key === message.key ? this.sent : null;
      if (sent && message.error.id === "error-unsure") this.#askAgain(sent);
      else if (sent || !message.key) this.sent = null;
      if (message.error.id === "error-stale") this.source.send({ type: "resync" });
      if (message.error.id === "error-stale" && this.last?.key === message.key) this.again = this.last;
      else complain(message.error);
    }
    this.refresh();
  }

  /** Nobody knows whether that was done: its key will tell. @param {{message: object}} sent */
  #askAgain(sent) {
    setTimeout(() => this.sent === sent && this.source.send(sent.message), 2000);
  }

  /** @param {TableInfo} info */
  #hearTable(info) {
    const seats = (/** @type {TableInfo} */ table) =>
      JSON.stringify(table.seats.filter((seat) => seat.you).map((seat) => seat.seat));
    const changed = seats(info) !== seats(this.info);
    if (this.info.status === "waiting" && info.status === "playing" && this.panel === "rules") this.panel = "log";
    this.info = info;
    tend(info);
    begun(info);
    this.clocks.hear(info.clocks);
    if (!changed) return;
    for (const seat of [...this.views.keys()]) {
      if (seat === null ? this.mine.length : !info.seats[seat].you) this.#forget(seat);
    }
    this.#look();
  }

  /** @param {number | null} seat */
  #forget(seat) {
    this.views.delete(seat);
    this.logs.delete(seat);
    this.came.delete(seat);
  }

  /** As if nothing had been heard so far. */
  startOver() {
    for (const seat of [...this.views.keys()]) this.#forget(seat);
    this.player.forget();
    this.sent = this.seat = this.handTo = this.ui.view = null;
  }

  /** @param {View} view */
  #hearView(view) {
    const log = this.logs.get(view.seat) ?? [];
    const fresh = view.cues.filter((cue) => cue.n >= next(log));
    log.push(...fresh);
    this.logs.set(view.seat, log);
    this.views.set(view.seat, view);
    if (this.sent?.seat === view.seat && this.sent.seq < view.seq) this.sent = null; // our move is in it
    this.#sendKept(view);
    this.came.set(view.seat, fresh.length);
    if (this.seat === view.seat && this.view) this.player.push({ view, cues: this.replay ? view.cues : fresh });
    this.#playAgain(view);
    this.#look();
    this.recap.look();
  }

  /**
   * Others who choose at the same time may be heard of while a move is on its way: it is sent once more if the same
   * decision still stands.
   * @param {View} view
   */
  #playAgain(view) {
    const again = this.again;
    if (again?.message.seat !== view.seat) return;
    this.again = null;
    if (again.decision !== decision(view)) return complain({ id: "error-stale" });
    const key = randomHex(12);
    const message = { ...again.message, key, seq: view.seq };
    this.sent = { seat: message.seat, seq: view.seq, key, message, moves: again.moves };
    this.source.send(message);
  }

  /**
   * What waited for the connection when the page was left is sent when it is back, if nothing has happened since: under
   * the same key, so that it is not done twice.
   * @param {View} view
   */
  #sendKept(view) {
    const { waits } = this;
    if (this.sent || !waits || waits.seat !== view.seat || this.replay) return;
    if (waits.seq === view.seq) {
      this.sent = waits;
      this.source.send(waits.message);
    } else {
      this.#keepWaiting(null);
    }
  }

  /** @param {Command | null} command */
  #keepWaiting(command) {
    if (command?.key === this.waits?.key) return;
    this.waits = command;
    keep(this.info.id, { sent: command });
  }

  // --- which seat is looked from

  /** Look from the seat that has to decide. Where something is hidden, a change of people waits behind a curtain. */
  #look() {
    const due = this.#due();
    if (due === undefined || (due === this.seat && this.view)) {
      if (due !== undefined) this.handTo = null;
      return;
    }
    if (this.about.hidden && this.mine.length > 1 && due !== null) this.handTo = due;
    else this.lookFrom(due);
  }

  /** @returns {number | null | undefined} */
  #due() {
    const held = [...this.views.keys()].filter((seat) =>
      seat === null ? !this.mine.length : this.info.seats[seat].you,
    );
    if (!held.length) return undefined;
    if (held.includes(this.seat) && this.views.get(this.seat)?.legal.length) return this.seat;
    const pending = held.find((seat) => this.views.get(seat)?.legal.length);
    if (pending !== undefined) return pending;
    if (this.handTo !== null && held.includes(this.handTo)) return this.handTo;
    return held.includes(this.seat) ? this.seat : held[0];
  }

  /** @param {number | null} seat */
  lookFrom(seat) {
    this.handTo = null;
    this.seat = seat;
    const view = this.views.get(seat);
    if (!view) return;
    if (this.about.hidden) this.player.forget();
    this.player.push({ view, cues: [] });
    this.refresh();
  }

  /** @param {View} view */
  #show(view) {
    const before = this.ui.view;
    const acted = view.cues.some((cue) => cue.seat === view.seat || cue.seat === -1 || cue.verb === "undo");
    if (!before || before.seat !== view.seat || acted || decision(before) !== decision(view)) this.ui.local = {};
    if (!this.replay && (!before || decision(before) !== decision(view))) noteChange();
    this.ui.view = view;
    this.replies.look(view, this.#known(view), this.board.replies ?? []);
    this.#draw();
  }

  // --- what is sent

  /** @param {Move[]} moves */
  play(moves) {
    if (this.replies.keep(moves)) this.refresh();
    else this.#play(moves);
  }

  /** @param {Move[]} moves */
  #play(moves) {
    this.#send({ type: "play", moves: moves.map((move) => move.id) }, moves);
  }

  /**
   * The view after these moves; null where it cannot be known.
   * @param {Move[]} moves @returns {Promise<View | null>}
   */
  #foresee(moves) {
    const key = randomHex(12);
    const ids = moves.map((move) => move.id);
    this.source.send({ type: "foresee", key, seat: this.seat, seq: this.view?.seq, moves: ids });
    return new Promise((answer) => this.asked.set(key, answer));
  }

  /** @param {string | undefined} key @param {View | null} view @returns {boolean} was that asked? */
  #foreseen(key = "", view) {
    this.asked.get(key)?.(view);
    return this.asked.delete(key);
  }

  undo() {
    if (this.view?.undo) this.#send({ type: "undo" }, []);
  }

  /** @param {object} command @param {Move[]} moves in it */
  #send(command, moves) {
    if (!this.ui.free || this.seat === null || !this.view) return;
    const key = randomHex(12);
    const message = { ...command, key, seat: this.seat, seq: this.view.seq };
    this.sent = { seat: this.seat, seq: this.view.seq, key, message, moves };
    this.last = moves.length ? { key, message, moves, decision: decision(this.view) } : null;
    this.source.send(message);
    follow();
    this.refresh();
  }

  /**
   * A command about the table itself: sit, leave, seat, standin, back, rematch, ticket.
   * @param {string} what @param {object} [body]
   */
  async tell(what, body = {}) {
    try {
      return await ask("POST", `/api/tables/${this.info.id}/${what}`, body);
    } catch (error) {
      complain(error);
      return null;
    }
  }

  // --- drawing

  refresh() {
    if (this.due) return;
    this.due = true;
    queueMicrotask(() => {
      this.due = false;
      this.#draw();
    });
  }

  /** Draws. A board that throws is left out, and so is what it has half drawn: it would never come right again. */
  #draw() {
    if (this.left.signal.aborted) return;
    try {
      this.#drawAll();
    } catch (error) {
      const left = less(this.board);
      if (!left) throw error;
      const fault = report(error, this.info.game);
      if (this.board.board || !this.fault) this.fault = fault;
      this.board = left;
      const fresh = /** @type {HTMLElement} */ (this.host.cloneNode());
      this.host.replaceWith(fresh);
      this.host = fresh;
      this.#draw();
    }
  }

  /** Something was thrown, but not while drawing: told if it was by the board. @param {{error: unknown}} event */
  blame(event) {
    const fault = faultOf(event, this.info.game);
    if (!fault.place) return;
    this.fault = fault;
    this.refresh();
  }

  #drawAll() {
    this.ui.free = !this.replay && !this.sent && !this.player.waiting.length && this.handTo === null;
    const due = this.ui.free && !this.replaced ? this.replies.take() : null;
    if (due) this.#play(due);
    const before = focused();
    render(page(this), this.host);
    paint(this);
    this.#measureBar();
    redrawDialogs();
    showPending(this);
    const question = this.player.busy ? "" : this.#question;
    keepFocus(this, before, question, showChoices(this, question));
    this.advice.look();
    this.replay?.mark();
    this.talk.look();
    this.guide?.look();
    if (this.sent && !this.connected) this.#keepWaiting(this.sent);
    else if (!this.sent && this.waits && this.views.has(this.waits.seat)) this.#keepWaiting(null);
    this.clocks.tick();
    this.#noticeEnd();
    const mine = question !== "";
    this.turn.look(mine);
    document.title = `${mine ? "● " : ""}${t(this.about.id)} – ${t("courtly")}`;
  }

  /** What lies over a board from the bar on has to know how tall that is: as tall as the words in it need. */
  #measureBar() {
    const bar = this.host.querySelector(".bar");
    if (!bar || bar === this.bar) return;
    this.bar = bar;
    new ResizeObserver(() =>
      bar.parentElement?.style.setProperty("--over", `${bar.getBoundingClientRect().height}px`),
    ).observe(bar);
  }

  /** What a decision is known by, even where the same moves are offered again. @param {View} view */
  #known(view) {
    return `${view.seat} ${this.ui.cues.filter((cue) => cue.seat === view.seat).length} ${decision(view)}`;
  }

  /** What is asked of whoever sits here; "": nothing. */
  get #question() {
    const { view, handTo } = this;
    if (handTo !== null) return `hand ${handTo}`;
    return view?.legal.length && !view.over && !this.replaced ? this.#known(view) : "";
  }

  /** When the end of the game appears, it is what everybody wants to see. */
  #noticeEnd() {
    const heading = document.getElementById("end-heading");
    if (heading && !this.ended) {
      heading.focus({ preventScroll: true });
      toTop(/** @type {HTMLElement} */ (heading.closest(".end")));
    }
    this.ended = heading !== null;
  }
}

/** What a decision is known by. @param {View} view */
const decision = (view) => view.legal.map((move) => move.id).join(" ");
