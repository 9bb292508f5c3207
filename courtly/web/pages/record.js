/**
 * The replay of a record, at /replay. If it cannot be replayed, the page says why and shows the log alone, if there is
 * one.
 */
import { html, nothing, render } from "lit";
import { loadRecord, renderRecordButton, storeRecord, acceptDroppedRecords } from "../components/record-picker.js";
import { redrawDialogs, formatError } from "../components/dialogs.js";
import { renderShield } from "../board-sdk/seat-shield.js";
import { request } from "../core/http-client.js";
import { syncAddress, readAddress } from "./finished-table.js";
import { Replay } from "../game-view/replay/replay.js";
import { onSettingChange } from "../core/user-settings.js";
import { mountGameView } from "../game-view/game-view.js";
import { formatLabelled, loadCatalogues, t } from "../core/i18n.js";
import { BoardContext } from "../board-sdk/board-context.js";

/**
 * @typedef {import("../core/api-types.js").Seat} Seat
 * @typedef {import("../game-view/replay/replay.js").Viewpoint} Viewpoint
 */
/** @typedef {{seat: number, text: string}} LogEntry the text of a line of the record; seat -1: no seat */

const MAX_LOG_LINES = 3000; // lines

export function start() {
  const viewer = new RecordViewer();
  acceptDroppedRecords((text) => viewer.openRecord(text));
  loadRecord().then((text) => viewer.showRecord(text));
}

/** Shows records, one at a time. */
export class RecordViewer {
  /** @param {() => void} [leave] goes back to the choice of a record on the same page; by default that is a page */
  constructor(leave) {
    this.leaveRecord = leave;
    /** @type {import("../game-view/game-view.js").GameView | null} */
    this.table = null;
    this.generation = 0; // incremented by `leave`, so that answers to earlier requests are ignored
    /** @type {Promise<void>} */
    this.lastShown = Promise.resolve();
    this.redraw = () => {};
    onSettingChange(async () => {
      await loadCatalogues();
      this.redraw();
    });
  }

  get host() {
    return /** @type {HTMLElement} */ (document.getElementById("page"));
  }

  /** Show another record. @param {string} text */
  openRecord(text) {
    storeRecord(text);
    if (!this.leaveRecord) history.replaceState(null, "", "/replay");
    return this.showRecord(text);
  }

  /**
   * Show a record after the previous ones, so that late answers do not replace newer content.
   * @param {string} text "": none so far
   */
  showRecord(text) {
    this.leave();
    const now = this.generation;
    const next = () => (this.generation === now ? this.#showNow(text) : undefined);
    this.lastShown = this.lastShown.then(next, next);
    return this.lastShown;
  }

  /** @param {string} text */
  async #showNow(text) {
    const now = this.generation;
    try {
      if (text) await this.#replay(text);
      else this.#draw();
    } catch (/** @type {any} */ error) {
      const log = /^error-record-/.test(error.id) ? await readLog(text) : [];
      const badLine = text.split("\n")[(error.args?.line ?? 0) - 1] ?? "";
      if (this.generation === now) this.#draw({ error, log, wrong: badLine });
    }
  }

  /** Close the record. */
  leave() {
    this.table?.leave();
    this.table = null;
    this.generation++;
    this.redraw = () => {};
    render(nothing, this.host);
  }

  /** @param {string} text */
  async #replay(text) {
    const now = this.generation;
    const fetch = (/** @type {Viewpoint} */ eyes) =>
      request("POST", `/api/replay?seat=${eyes ?? ""}`, new Blob([text], { type: "application/x-ndjson" }));
    const first = await fetch("all");
    if (this.generation !== now) return;
    const replay = new Replay(first.table, async (viewpoint) => (viewpoint === "all" ? first : fetch(viewpoint)), {
      leave: this.leaveRecord,
      exportRecord: async () => text,
    });
    const { eyes, ply } = this.leaveRecord
      ? { eyes: /** @type {Viewpoint} */ ("all"), ply: 0 }
      : readAddress(first.table.seats);
    if (!this.leaveRecord) syncAddress(replay, "/replay");
    await replay.setViewpoint(eyes, ply);
    const table = await mountGameView(this.host, first.table, replay, replay);
    if (this.generation === now) this.table = table;
    else table.leave();
  }

  /** @param {{error: any, log: LogEntry[], wrong: string} | null} [found] */
  #draw(found = null) {
    const { error = null, log = [], wrong = "" } = found ?? {};
    this.redraw = () => this.#draw(found);
    document.title = `${t("replay")} – ${t("courtly")}`;
    render(
      html`<main class="sheet nowhere record"><span class="logo" aria-hidden="true"></span>
      <h1>${t("replay")}</h1>
      ${error ? html`<p role="alert">${formatError(error)}</p>` : html`<p>${t("record-drop")}</p>`}
      ${
        wrong
          ? html`<pre class="wrong" lang="en" tabindex="0">${wrong.slice(0, 400)}\n\n${error.args.why ?? ""}</pre>`
          : nothing
      }
      <p class="buttons">${renderRecordButton((text) => this.openRecord(text))}
        ${
          this.leaveRecord
            ? html`<button class="button quiet" @click=${this.leaveRecord}>${t("offline-play")}</button>`
            : html`<a class="button quiet" href="/">${t("to-lobby")}</a>`
        }</p>
      ${
        log.length
          ? html`<section><h2>${t("log")}</h2><ol class="log">${log.map(
              ({ seat, text }) => html`<li class="turn">${seat < 0 ? html`<span></span>` : renderShield(seat, "tiny")}
              <span>${text}</span></li>`,
            )}</ol></section>`
          : nothing
      }</main>`,
      this.host,
    );
    redrawDialogs();
  }
}

/**
 * Return the log of a record that cannot be replayed: its lines, in the texts of the game's present version, if the
 * game is installed.
 * @param {string} text @returns {Promise<LogEntry[]>}
 */
async function readLog(text) {
  /** @type {any[]} */
  const lines = [];
  for (const line of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .slice(0, MAX_LOG_LINES)) {
    if (!/[^ \t\r]/.test(line)) continue;
    try {
      lines.push(JSON.parse(line));
    } catch {
      break;
    }
  }
  const head = lines[0] ?? {};
  const names = Array.isArray(head.seats) ? head.seats : [];
  const seats = names.map((/** @type {unknown} */ name, /** @type {number} */ seat) => ({ seat, name: String(name) }));
  const about = await request("GET", `/api/games/${encodeURIComponent(head.game)}`).catch(() => null);
  if (about) await loadCatalogues(about.id);
  const returnEmpty = /** @type {any} */ (() => []);
  const shell = {
    seats: () => /** @type {any} */ (seats),
    cues: returnEmpty,
    play: returnEmpty,
    preview: returnEmpty,
    refresh: returnEmpty,
  };
  const ui = about && new BoardContext(about, shell);
  const describe = (/** @type {number} */ seat, /** @type {string} */ words) => {
    const [verb, ...rest] = String(words).split(" ");
    const args = Object.fromEntries(
      rest.map((one) => {
        const [name, value] = one.split("=");
        return [name, /^-?\d+$/.test(value) ? Number(value) : value];
      }),
    );
    const text = ui?.cueText({ n: 0, seat, verb, args }, true) || words;
    return { seat, text: seat < 0 || text !== words || !names[seat] ? text : formatLabelled(names[seat], words) };
  };
  return lines.slice(1).flatMap((line) => {
    const seat = Number.isInteger(line.seat) ? line.seat : -1;
    if (line.event) return [describe(-1, line.event)];
    if (Array.isArray(line.moves)) return line.moves.map((/** @type {string} */ move) => describe(seat, move));
    return line.undo ? [{ seat, text: t("log-undo", { name: names[seat] || `${seat + 1}` }) }] : [];
  });
}
