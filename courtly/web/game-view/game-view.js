/** The state of one table: what the server sent, which view is shown, and what is sent. table-page.js renders it. */
import { nothing, render } from "lit";
import { captureFocus, followNextChoice, scrollToTop, showChoices } from "./focus-choices.js";
import { GameReview } from "./game-review.js";
import { HintController } from "./hints.js";
import { previewOnDevice } from "../local/device-games.js";
import { MovePrediction } from "./move-prediction.js";
import { applySeatColours } from "../components/seat-color-picker.js";
import { ClockDisplay } from "../components/clock.js";
import { showError, showToast, redrawDialogs } from "../components/dialogs.js";
import { countChange } from "../core/double-click-guard.js";
import { locateError, reduceBoard, reportAndLocate } from "./board-error.js";
import { saveTableData, loadTableData } from "../core/table-storage.js";
import { ViewPlayer } from "../board-sdk/animation.js";
import { request, connectionMessage, randomHex } from "../core/http-client.js";
import { RecentMoves } from "./recent-moves.js";
import { EndDisplay } from "./end-display.js";
import { findEndOfLastTurn } from "./log.js";
import { LogScroller } from "./log-scroller.js";
import { WhileAway } from "./replay/while-away.js";
import { ResponseMask } from "./response-masking.js";
import { noteGameStart, sendDueNumbers } from "../core/number-exchange.js";
import { onPanelDrawerChange, onSettingChange, getSetting } from "../core/user-settings.js";
import { loadCatalogues, t } from "../core/i18n.js";
import { loadBoard } from "../board-sdk/load-board.js";
import { installShortcuts } from "./shortcuts.js";
import { scrollToPending } from "./seats.js";
import { renderPage } from "./table-page.js";
import { TurnAlerts } from "../core/turn-alerts.js";
import { Chat } from "./chat.js";
import { BoardContext } from "../board-sdk/board-context.js";

/**
 * @typedef {import("../core/api-types.js").View} View @typedef {import("../core/api-types.js").Move} Move
 * @typedef {import("../core/api-types.js").Cue} Cue
 */
/**
 * @typedef {import("../core/api-types.js").TableInfo} TableInfo @typedef {import("../core/api-types.js").GameInfo}
 * About
 * @typedef {import("../board-sdk/board-types.js").Board} Board @typedef {import("./replay/replay.js").Replay} Replay
 */

/**
 * The source of a table's messages: a socket (`ReconnectingSocket`), or a record, a lesson or a local game. It sends
 * messages after `open`. `helloFields` returns what has been received so far, for a source that reconnects.
 * @typedef {import("../core/api-types.js").FromServer} FromServer
 * @typedef {{helloFields: () => object, onMessage: (message: FromServer) => void,
 *   onStateChange: (connected: boolean, restarts: boolean) => void}} SourceListener
 * A source without a server may have `fetchReplay` (the game so far, from a viewpoint) and `exportRecord`; and
 * `fromMove` and `fromAddress`, the number of the move from which a game was played on, and its address. `leave` goes
 * back, on the same page, to where the game was chosen; `close` is called when the table is left.
 * @typedef {import("./replay/replay.js").Viewpoint} Viewpoint @typedef {import("../core/api-types.js").Replay}
 * ReplayData
 * @typedef {{open: (listener: SourceListener) => void, send: (message: object) => void,
 *   fetchReplay?: (eyes: Viewpoint) => Promise<ReplayData>, exportRecord?: () => Promise<string>, fromMove?: number,
 *   fromAddress?: string, leave?: () => void, close?: () => void}} Source
 */

/**
 * Guides the reader through what is shown, as a lesson does: `render` gives a text for the bar, `markedElements` the
 * elements to highlight, and `onDraw` is called after each redraw.
 * @typedef {{render: () => unknown, prompt: string, markedElements: Element[], onDraw: () => void}} Guide
 */

/**
 * A command that was sent: moves, or none for an undo.
 * @typedef {{seat: number, seq: number, key: string, message: object, moves: Move[]}} Command
 */

/**
 * Show a table with this source. `replay`: the source, if it is a replay of a past game. `guide`: see `Guide`.
 * @param {HTMLElement} host @param {TableInfo} info @param {Source} source @param {Replay | null} [replay]
 * @param {Guide | null} [guide]
 */
export async function mountGameView(host, info, source, replay = null, guide = null) {
  const aboutRequest = request("GET", `/api/games/${info.game}`);
  const [about, { board, error }] = await Promise.all([
    aboutRequest,
    loadBoard(info.game, aboutRequest),
    loadCatalogues(info.game),
  ]);
  const table = new GameView(host, info, about, board, source);
  table.guide = guide;
  if (error) table.boardError = reportAndLocate(error, info.game);
  addEventListener("error", (event) => table.reportBoardError(event), table.listenerOptions);
  addEventListener(
    "unhandledrejection",
    ({ reason }) => table.reportBoardError({ error: reason }),
    table.listenerOptions,
  );
  onSettingChange(async () => {
    await loadCatalogues(info.game);
    table.refresh();
  }, table.listenerOptions.signal);
  onPanelDrawerChange(() => table.refresh(), table.listenerOptions);
  // a page that becomes visible marks its messages as read
  document.addEventListener("visibilitychange", () => table.refresh(), table.listenerOptions);
  addEventListener("tooltip", () => table.closeNote(), table.listenerOptions);
  installShortcuts(table);
  table.replay = replay;
  if (replay) replay.table = table;
  table.open();
  return table;
}

/**
 * Return the number of the next cue. The first cue of a long game's view may not be number 0.
 * @param {Cue[]} cues
 */
const nextCueNumber = (cues) => (cues.at(-1)?.n ?? -1) + 1;

export class GameView {
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
    this.connectionMessage = ""; // why there is no connection; "" if there is one
    this.abortController = new AbortController(); // aborted when the table is left
    this.listenerOptions = { signal: this.abortController.signal };
    /** @type {Replay | null} the replay that is shown instead of the live game */
    this.replay = null;
    /** @type {"log" | "rules" | "advice" | "chat" | "review"} */
    this.panel = info.status === "waiting" ? "rules" : "log";
    this.panelOpen = false; // only if the panel is a drawer
    /** @type {Map<number | null, View>} the newest view of each seat held here */
    this.views = new Map();
    /** @type {Map<number | null, Cue[]>} */
    this.logs = new Map();
    /** @type {Map<number | null, number>} how many cues came with the newest view of each */
    this.freshCounts = new Map();
    /** @type {Command | null} sent, not yet answered */
    this.pendingCommand = null;
    /** @type {Command | null} stored in this browser until the connection is back */
    this.storedCommand = loadTableData(info.id).sent ?? null;
    /**
     * Callbacks that wait for the result of `preview`, by the key of the request.
     * @type {Map<string, (view: View | null) => void>}
     */
    this.previewRequests = new Map();
    this.isEndShown = false; // is the end of the game on the screen?
    /** @type {Element | null} the bar whose height is observed */
    this.measuredBar = null;
    /** @type {import("./board-error.js").BoardError | null} the last error of the board */
    this.boardError = null;
    /**
     * The last moves sent, and the decision that they answered.
     * @typedef {{key: string, message: any, moves: Move[], decision: string}} SentMoves
     */
    /** @type {SentMoves | null} */
    this.lastMoves = null;
    /** @type {SentMoves | null} moves that the server rejected as stale, to be sent again */
    this.movesToRetry = null;
    /** @type {number | null} the seat this page looks from */
    this.seat = null;
    /** @type {number | null} hot seat: the player the device is to be handed to */
    this.handTo = null;
    this.ui = new BoardContext(about, {
      seats: () => this.info.seats,
      cues: (seat) => this.#cuesOf(seat),
      play: (moves) => this.play(moves),
      preview: (moves) => this.#preview(moves),
      refresh: () => this.refresh(),
      goOn: () => this.viewPlayer.goOn(),
      moveText: (move) => (this.ui.view ? this.board.moveText?.(move, this.ui.view, this.ui) : undefined),
      cueText: (cue) => this.board.cueText?.(cue, this.ui, this.cues),
    });
    this.hints = new HintController(this);
    this.gameReview = new GameReview(this);
    this.turnAlerts = new TurnAlerts(this);
    this.chat = new Chat(this);
    this.whileAway = new WhileAway(this);
    this.responseMask = new ResponseMask(() => this.refresh());
    this.prediction = new MovePrediction(this);
    this.recentMoves = new RecentMoves(this);
    this.logScroller = new LogScroller(this);
    this.endDisplay = new EndDisplay(this);
    this.clocks = new ClockDisplay(this);
    this.clocks.update(info.clocks);
    this.viewPlayer = new ViewPlayer(
      () => this.host.querySelector(".table"),
      (view) => this.#showView(view),
      () => this.board.cues,
      about,
      (view) => !this.isPlain && !this.guide && Boolean(this.board.holds?.(view, this.ui)),
    );
  }

  get isConnected() {
    return !this.connectionMessage;
  }
  get isPlain() {
    return getSetting("plain") === "yes" || !this.board.board;
  }
  get view() {
    return this.ui.view;
  }
  /** The cues that this seat has received. */
  get cues() {
    return this.handTo === null ? this.#cuesOf(this.seat) : [];
  }

  /** Close the board's tooltip, over or under which something else is to be read now. */
  closeNote() {
    if (this.ui.local.detail) this.ui.setLocal({ detail: null });
  }

  /** @param {number | null} seat */
  #cuesOf(seat) {
    return this.prediction.findLog(seat) ?? this.logs.get(seat) ?? [];
  }
  /** The number of cues that came with the newest view, or were predicted after it. */
  get freshCount() {
    return this.prediction.shown?.cues.length ?? this.freshCounts.get(this.seat) ?? 0;
  }
  get mySeats() {
    return this.info.seats.filter((seat) => seat.you);
  }
  /** Whether the game is over and its result may be shown. */
  get isResultShown() {
    return Boolean(this.view?.over && !this.viewPlayer.isBusy && !this.replay && this.endDisplay.isDue);
  }
  /** Whether a bot plays the seat whose view is shown. */
  get isReplaced() {
    return this.seat !== null && Boolean(this.info.seats[this.seat].substitute);
  }

  open() {
    this.source.open({
      helloFields: () => ({
        since: Object.fromEntries([...this.logs].map(([seat, cues]) => [String(seat), nextCueNumber(cues)])),
      }),
      onMessage: (message) => this.#onMessage(message),
      onStateChange: (connected, restarts) => {
        this.connectionMessage = connectionMessage(connected, restarts);
        // the key makes the command idempotent
        if (connected && this.pendingCommand) this.source.send(this.pendingCommand.message);
        this.refresh();
      },
    });
    this.refresh();
  }

  /** Close the table; the page shows something else. */
  leave() {
    this.abortController.abort();
    this.replay?.pause();
    this.source.close?.();
    this.viewPlayer.reset();
    this.turnAlerts.update(false);
    render(nothing, this.host);
  }

  // --- replay

  /** Whether this seat has a turn to look back at. */
  get canLookBack() {
    const { replay, info, seat, handTo } = this;
    const canReplay = info.id !== "" || this.source.fetchReplay;
    const hasTurn = findEndOfLastTurn(this.ui.cues, seat) !== undefined;
    return !replay && canReplay && info.status === "playing" && handTo === null && hasTurn;
  }

  /** Show the replay from this seat's last turn. @param {boolean} [plays] whether it plays at once */
  async reviewLastTurn(plays = false) {
    if (this.canLookBack) await (await import("./replay/from-live-game.js")).replayLastTurn(this, plays);
  }

  /** @param {Replay} replay */
  showReplay(replay) {
    this.reset();
    this.replay = replay;
    replay.table = this;
    replay.open({
      helloFields: () => ({}),
      onMessage: (message) => this.#handleMessage(message),
      onStateChange: () => {},
    });
  }

  /** Return from the replay to the live game, which may have gone on. */
  returnToGame() {
    if (!this.replay) return;
    this.replay.pause();
    this.info = this.replay.info;
    this.replay = null;
    this.viewPlayer.rate = 1;
    this.reset();
    this.source.send({ type: "resync" }); // without a connection, the next one starts with a snapshot
    this.refresh();
  }

  // --- messages

  /**
   * Handle a message of the source. During a replay, updates of the live game are not shown until the player returns to
   * it.
   * @param {FromServer} message
   */
  #onMessage(message) {
    const { replay } = this;
    if (!replay || replay === this.source || !["table", "view"].includes(message.type))
      return this.#handleMessage(message);
    if (message.type === "table") replay.info = message.table;
    else replay.isOutdated = true;
    this.refresh();
  }

  /** @param {FromServer} message */
  #handleMessage(message) {
    if (message.type === "table") this.#updateTable(message.table);
    else if (message.type === "view") this.#updateView(message.view);
    else if (message.type === "chat_page" || message.type === "chat_message") this.chat.handleMessage(message);
    else if (message.type === "clocks") this.clocks.update(message.clocks);
    else if (message.type === "preview") this.#resolvePreview(message.key, message.view);
    else if (message.type === "error" && !this.#resolvePreview(message.key, null)) {
      const sent = this.pendingCommand?.key === message.key ? this.pendingCommand : null;
      if (sent && message.error.id === "error-unsure") this.#resendLater(sent);
      else if (sent || !message.key) this.pendingCommand = null;
      this.prediction.withdraw(message.key);
      if (message.error.id === "error-stale") this.source.send({ type: "resync" });
      if (message.error.id === "error-stale" && this.lastMoves?.key === message.key) this.movesToRetry = this.lastMoves;
      else showError(message.error);
    }
    this.refresh();
  }

  /**
   * The server does not know whether the command was committed: send it again with the same key.
   * @param {{message: object}} sent
   */
  #resendLater(sent) {
    setTimeout(() => this.pendingCommand === sent && this.source.send(sent.message), 2000);
  }

  /** @param {TableInfo} info */
  #updateTable(info) {
    const seats = (/** @type {TableInfo} */ table) =>
      JSON.stringify(table.seats.filter((seat) => seat.you).map((seat) => seat.seat));
    const changed = seats(info) !== seats(this.info);
    if (this.info.status === "waiting" && info.status === "playing" && this.panel === "rules") this.panel = "log";
    this.info = info;
    sendDueNumbers(info);
    noteGameStart(info);
    this.clocks.update(info.clocks);
    if (!changed) return;
    for (const seat of [...this.views.keys()]) {
      if (seat === null ? this.mySeats.length : !info.seats[seat].you) this.#forgetSeat(seat);
    }
    this.#updateSeat();
  }

  /** @param {number | null} seat */
  #forgetSeat(seat) {
    this.views.delete(seat);
    this.logs.delete(seat);
    this.freshCounts.delete(seat);
  }

  /** Forget everything received so far. */
  reset() {
    for (const seat of [...this.views.keys()]) this.#forgetSeat(seat);
    this.viewPlayer.reset();
    this.prediction.forget();
    this.pendingCommand = this.seat = this.handTo = this.ui.view = null;
  }

  /** @param {View} view */
  #updateView(view) {
    const log = this.logs.get(view.seat) ?? [];
    const newCues = view.cues.filter((cue) => cue.n >= nextCueNumber(log));
    log.push(...newCues);
    this.logs.set(view.seat, log);
    // a replay that is opened brings the cues after its position, too
    if (this.replay) view = { ...view, cues: view.cues.filter(({ n }) => n < view.seq) };
    this.views.set(view.seat, view);
    // the view contains our move
    if (this.pendingCommand?.seat === view.seat && this.pendingCommand.seq < view.seq) this.pendingCommand = null;
    this.#sendStored(view);
    this.prediction.prepare();
    this.freshCounts.set(view.seat, newCues.length);
    const unshownCues = this.replay ? view.cues : this.prediction.dropShown(view.seat, newCues);
    if (this.seat === view.seat && this.view)
      this.viewPlayer.enqueue({ view: { ...view, cues: unshownCues }, cues: unshownCues });
    this.#retryMoves(view);
    this.#updateSeat();
    this.whileAway.update();
  }

  /**
   * After a rejection as stale, send the moves again if the same decision still stands: others who choose at the same
   * time may have moved while they were in transit.
   * @param {View} view
   */
  #retryMoves(view) {
    const moves = this.movesToRetry;
    if (moves?.message.seat !== view.seat) return;
    this.movesToRetry = null;
    if (moves.decision !== decisionKey(view)) return showError({ id: "error-stale" });
    const key = randomHex(12);
    const message = { ...moves.message, key, seq: view.seq };
    this.pendingCommand = { seat: message.seat, seq: view.seq, key, message, moves: moves.moves };
    this.source.send(message);
    this.prediction.show(this.pendingCommand);
  }

  /**
   * Send the command that was stored when the page was left without a connection, if nothing has happened since. It has
   * the same key, so the server carries it out once.
   * @param {View} view
   */
  #sendStored(view) {
    const { storedCommand } = this;
    if (this.pendingCommand || !storedCommand || storedCommand.seat !== view.seat || this.replay) return;
    if (storedCommand.seq === view.seq) {
      this.pendingCommand = storedCommand;
      this.source.send(storedCommand.message);
    } else {
      this.#storeCommand(null);
    }
  }

  /** @param {Command | null} command */
  #storeCommand(command) {
    if (command?.key === this.storedCommand?.key) return;
    this.storedCommand = command;
    saveTableData(this.info.id, { sent: command });
  }

  // --- the seat whose view is shown

  /**
   * Show the view of the seat that has to decide. In games with hidden information, a curtain is shown between two
   * players who share the device.
   */
  #updateSeat() {
    const due = this.#seatToShow();
    if (due === undefined || (due === this.seat && this.view)) {
      if (due !== undefined) this.handTo = null;
      return;
    }
    if (this.about.hidden && this.mySeats.length > 1 && due !== null) this.handTo = due;
    else this.showSeat(due);
  }

  /** @returns {number | null | undefined} */
  #seatToShow() {
    const mySeats = [...this.views.keys()].filter((seat) =>
      seat === null ? !this.mySeats.length : this.info.seats[seat].you,
    );
    if (!mySeats.length) return undefined;
    if (mySeats.includes(this.seat) && this.views.get(this.seat)?.legal.length) return this.seat;
    const pending = mySeats.find((seat) => this.views.get(seat)?.legal.length);
    if (pending !== undefined) return pending;
    if (this.handTo !== null && mySeats.includes(this.handTo)) return this.handTo;
    return mySeats.includes(this.seat) ? this.seat : mySeats[0];
  }

  /** @param {number | null} seat */
  showSeat(seat) {
    this.handTo = null;
    this.seat = seat;
    this.prediction.forget();
    const view = this.views.get(seat);
    if (!view) return;
    if (this.about.hidden) this.viewPlayer.reset();
    this.viewPlayer.enqueue({ view, cues: [] });
    this.refresh();
  }

  /** @param {View} view */
  #showView(view) {
    const before = this.ui.view;
    const hasActed =
      !before || before.seat !== view.seat || view.cues.some((cue) => cue.seat === view.seat || cue.verb === "undo");
    const { detail } = this.ui.local; // what others do does not take a tooltip away
    if (hasActed) this.ui.local = {};
    else if (view.cues.some((cue) => cue.seat === -1) || decisionKey(before) !== decisionKey(view))
      this.ui.local = { detail };
    if (!this.replay && (!before || decisionKey(before) !== decisionKey(view))) countChange();
    this.ui.view = view;
    if (!this.prediction.isShown) this.responseMask.update(view, this.#decisionId(view), this.board.replies ?? []);
    this.#draw();
  }

  // --- commands

  /** @param {Move[]} moves */
  play(moves) {
    if (this.responseMask.hold(moves)) this.refresh();
    else this.#sendMoves(moves);
  }

  /** @param {Move[]} moves */
  #sendMoves(moves) {
    this.#sendCommand({ type: "play", moves: moves.map((move) => move.id) }, moves);
  }

  /**
   * Return the view after these moves, or null if it cannot be known. It is found on this device or, while the game is
   * not loaded here, by the server.
   * @param {Move[]} moves @returns {Promise<View | null>}
   */
  async #preview(moves) {
    const key = randomHex(12);
    const ids = moves.map((move) => move.id);
    const found = this.info.id && this.view ? await previewOnDevice(this.info.game, this.view, ids) : undefined;
    if (found !== undefined) return found;
    this.source.send({ type: "preview", key, seat: this.seat, seq: this.view?.seq, moves: ids });
    return new Promise((resolve) => this.previewRequests.set(key, resolve));
  }

  /** @param {string | undefined} key @param {View | null} view @returns {boolean} was there such a request? */
  #resolvePreview(key = "", view) {
    this.previewRequests.get(key)?.(view);
    return this.previewRequests.delete(key);
  }

  /** Take the last move back, or say when that is possible. */
  undo() {
    if (this.view?.undo) this.#sendCommand({ type: "undo" }, []);
    else if (this.ui.canPlay && this.seat !== null) showToast(t("undo-none"));
  }

  /** @param {object} command @param {Move[]} moves the moves in the command */
  #sendCommand(command, moves) {
    if (!this.ui.canPlay || this.seat === null || !this.view) return;
    const key = randomHex(12);
    const message = { ...command, key, seat: this.seat, seq: this.view.seq };
    this.pendingCommand = { seat: this.seat, seq: this.view.seq, key, message, moves };
    this.lastMoves = moves.length ? { key, message, moves, decision: decisionKey(this.view) } : null;
    this.source.send(message);
    this.prediction.show(this.pendingCommand);
    followNextChoice();
    this.refresh();
  }

  /**
   * Send a command about the table itself, such as "sit" or "leave". Return the answer; after an error, show the error
   * and return null.
   * @param {string} name the last part of the path, see "Commands of a table" in docs/protocol.md
   * @param {object} [body]
   */
  async postCommand(name, body = {}) {
    try {
      return await request("POST", `/api/tables/${this.info.id}/${name}`, body);
    } catch (error) {
      showError(error);
      return null;
    }
  }

  // --- rendering

  /** Redraw soon. What is drawn in the meantime counts. */
  refresh() {
    if (this.isRedrawQueued) return;
    this.isRedrawQueued = true;
    queueMicrotask(() => this.isRedrawQueued && this.#draw());
  }

  /**
   * Render the page. If the board throws, remove its faulty parts and render again in a new element, because lit cannot
   * update a half-rendered one.
   */
  #draw() {
    this.isRedrawQueued = false;
    if (this.abortController.signal.aborted) return;
    try {
      this.#render();
    } catch (error) {
      const left = reduceBoard(this.board);
      if (!left) throw error;
      const fault = reportAndLocate(error, this.info.game);
      if (this.board.board || !this.boardError) this.boardError = fault;
      this.board = left;
      const newHost = /** @type {HTMLElement} */ (this.host.cloneNode());
      this.host.replaceWith(newHost);
      this.host = newHost;
      this.#draw();
    }
  }

  /** Report an error that was thrown outside rendering, if the board caused it. @param {{error: unknown}} event */
  reportBoardError(event) {
    const fault = locateError(event, this.info.game);
    if (!fault.location) return;
    this.boardError = fault;
    this.refresh();
  }

  #render() {
    this.ui.isReplay = this.replay !== null;
    this.ui.canPlay = !this.replay && !this.pendingCommand && !this.viewPlayer.queue.length && this.handTo === null;
    const due = this.ui.canPlay && !this.isReplaced ? this.responseMask.takeDue() : null;
    if (due) this.#sendMoves(due);
    const before = captureFocus();
    this.endDisplay.update();
    render(renderPage(this), this.host);
    applySeatColours(this);
    this.#measureBar();
    redrawDialogs();
    scrollToPending(this);
    const question = this.viewPlayer.isBusy || this.prediction.isShown ? "" : this.#openQuestion;
    showChoices(this, before, question);
    this.hints.update();
    this.recentMoves.mark();
    this.logScroller.update();
    this.replay?.markLogLine();
    this.chat.markRead();
    this.guide?.onDraw();
    if (this.pendingCommand && !this.isConnected) this.#storeCommand(this.pendingCommand);
    else if (!this.pendingCommand && this.storedCommand && this.views.has(this.storedCommand.seat))
      this.#storeCommand(null);
    this.clocks.writeAll();
    this.#focusEnd();
    const isMyTurn = question !== "" || this.isDecisionHeld;
    this.turnAlerts.update(isMyTurn);
    document.title = `${isMyTurn ? "● " : ""}${t(this.about.id)} – ${t("courtly")}`;
  }

  /** Set the CSS variable `--over` to the height of the bar, for elements placed below it. */
  #measureBar() {
    const bar = this.host.querySelector(".bar");
    if (!bar || bar === this.measuredBar) return;
    this.measuredBar = bar;
    new ResizeObserver(() =>
      bar.parentElement?.style.setProperty("--over", `${bar.getBoundingClientRect().height}px`),
    ).observe(bar);
  }

  /** Whether this seat has to decide, once the reader has gone on. */
  get isDecisionHeld() {
    return this.viewPlayer.isHeld && Boolean(this.views.get(this.seat)?.legal.length);
  }

  /** Return a string that identifies a decision, even if the same moves are offered again. @param {View} view */
  #decisionId(view) {
    return `${view.seat} ${this.ui.cues.filter((cue) => cue.seat === view.seat).length} ${decisionKey(view)}`;
  }

  /** The open decision of this seat, or "". */
  get #openQuestion() {
    const { view, handTo } = this;
    if (handTo !== null) return `hand ${handTo}`;
    return view?.legal.length && !view.over && !this.isReplaced ? this.#decisionId(view) : "";
  }

  /** Scroll to the end of the game when it appears, and focus its heading. */
  #focusEnd() {
    const heading = document.getElementById("end-heading");
    if (heading && !this.isEndShown) {
      heading.focus({ preventScroll: true });
      const end = /** @type {HTMLElement} */ (heading.closest(".end"));
      scrollToTop(end);
      this.endDisplay.countUp(end);
    }
    this.isEndShown = heading !== null;
  }
}

/** Return a string that identifies a decision by its legal moves. @param {View} view */
const decisionKey = (view) => view.legal.map((move) => move.id).join(" ");
