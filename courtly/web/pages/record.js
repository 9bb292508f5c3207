/** A record that somebody has brought, at /replay: played back, or else why not, and the log alone where it has one. */
import { html, nothing, render } from "lit";
import { brought, chooser, keep, takeDrops } from "../components/record-picker.js";
import { redrawDialogs, said } from "../components/dialogs.js";
import { shield } from "../board-sdk/seat-shield.js";
import { ask } from "../core/http-client.js";
import { followed, wished } from "./finished-table.js";
import { Replay } from "../game-view/replay/replay.js";
import { onSetting } from "../core/user-settings.js";
import { lay } from "../game-view/game-view.js";
import { labelled, load, t } from "../core/i18n.js";
import { Ui } from "../board-sdk/board-context.js";

/** @typedef {import("../core/api-types.js").Seat} Seat @typedef {import("../game-view/replay/replay.js").Eyes} Eyes */
/** @typedef {{seat: number, text: string}} Said what is told of a line of the record; seat -1: of nobody */

const MOST = 3000; // lines of a log that are shown

export function start() {
  const viewer = new Viewer();
  takeDrops((text) => viewer.bring(text));
  brought().then((text) => viewer.show(text));
}

/** Shows records, one at a time. */
export class Viewer {
  /** @param {() => void} [leave] back to where they are brought to, on the same page; else that is a page of its own */
  constructor(leave) {
    this.back = leave;
    /** @type {import("../game-view/game-view.js").Table | null} */
    this.table = null;
    this.times = 0; // something was put away: what was asked for before is not wanted any more
    /** @type {Promise<void>} */
    this.shown = Promise.resolve();
    this.drawn = () => {};
    onSetting(async () => {
      await load();
      this.drawn();
    });
  }

  get host() {
    return /** @type {HTMLElement} */ (document.getElementById("page"));
  }

  /** Another one. @param {string} text */
  bring(text) {
    keep(text);
    if (!this.back) history.replaceState(null, "", "/replay");
    return this.show(text);
  }

  /** One after another: what is answered late is not laid over what came after. @param {string} text "": none so far */
  show(text) {
    this.leave();
    const now = this.times;
    const next = () => (this.times === now ? this.#show(text) : undefined);
    this.shown = this.shown.then(next, next);
    return this.shown;
  }

  /** @param {string} text */
  async #show(text) {
    const now = this.times;
    try {
      if (text) await this.#play(text);
      else this.#draw();
    } catch (/** @type {any} */ error) {
      const log = /^error-record-/.test(error.id) ? await logOf(text) : [];
      const wrong = text.split("\n")[(error.args?.line ?? 0) - 1] ?? "";
      if (this.times === now) this.#draw({ error, log, wrong });
    }
  }

  /** What is shown is put away. */
  leave() {
    this.table?.leave();
    this.table = null;
    this.times++;
    this.drawn = () => {};
    render(nothing, this.host);
  }

  /** @param {string} text */
  async #play(text) {
    const now = this.times;
    const fetch = (/** @type {Eyes} */ eyes) =>
      ask("POST", `/api/replay?seat=${eyes ?? ""}`, new Blob([text], { type: "application/x-ndjson" }));
    const first = await fetch("all");
    if (this.times !== now) return;
    const replay = new Replay(first.table, async (eyes) => (eyes === "all" ? first : fetch(eyes)), {
      leave: this.back,
    });
    const { eyes, ply } = this.back ? { eyes: /** @type {Eyes} */ ("all"), ply: 0 } : wished(first.table.seats);
    if (!this.back) followed(replay, "/replay");
    await replay.look(eyes, ply);
    const table = await lay(this.host, first.table, replay, replay);
    if (this.times === now) this.table = table;
    else table.leave();
  }

  /** @param {{error: any, log: Said[], wrong: string} | null} [found] */
  #draw(found = null) {
    const { error = null, log = [], wrong = "" } = found ?? {};
    this.drawn = () => this.#draw(found);
    document.title = `${t("replay")} – ${t("courtly")}`;
    render(
      html`<main class="sheet nowhere record"><span class="logo" aria-hidden="true"></span>
      <h1>${t("replay")}</h1>
      ${error ? html`<p role="alert">${said(error)}</p>` : html`<p>${t("record-drop")}</p>`}
      ${
        wrong
          ? html`<pre class="wrong" lang="en" tabindex="0">${wrong.slice(0, 400)}\n\n${error.args.why ?? ""}</pre>`
          : nothing
      }
      <p class="buttons">${chooser((text) => this.bring(text))}
        ${
          this.back
            ? html`<button class="button quiet" @click=${this.back}>${t("offline-play")}</button>`
            : html`<a class="button quiet" href="/">${t("to-lobby")}</a>`
        }</p>
      ${
        log.length
          ? html`<section><h2>${t("log")}</h2><ol class="log">${log.map(
              ({ seat, text }) => html`<li class="turn">${seat < 0 ? html`<span></span>` : shield(seat, "tiny")}
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
 * What a record tells without the rules it was played by: its lines, in the words that the game has now, if it is
 * there at all. @param {string} text @returns {Promise<Said[]>}
 */
async function logOf(text) {
  /** @type {any[]} */
  const lines = [];
  for (const line of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .slice(0, MOST)) {
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
  const about = await ask("GET", `/api/games/${encodeURIComponent(head.game)}`).catch(() => null);
  if (about) await load(about.id);
  const none = /** @type {any} */ (() => []);
  const shell = { seats: () => /** @type {any} */ (seats), cues: none, play: none, foresee: none, refresh: none };
  const ui = about && new Ui(about, shell);
  const tell = (/** @type {number} */ seat, /** @type {string} */ words) => {
    const [verb, ...rest] = String(words).split(" ");
    const args = Object.fromEntries(
      rest.map((one) => {
        const [name, value] = one.split("=");
        return [name, /^-?\d+$/.test(value) ? Number(value) : value];
      }),
    );
    const told = ui?.tell({ n: 0, seat, verb, args }, true) || words;
    return { seat, text: seat < 0 || told !== words || !names[seat] ? told : labelled(names[seat], words) };
  };
  return lines.slice(1).flatMap((line) => {
    const seat = Number.isInteger(line.seat) ? line.seat : -1;
    if (line.event) return [tell(-1, line.event)];
    if (Array.isArray(line.moves)) return line.moves.map((/** @type {string} */ move) => tell(seat, move));
    return line.undo ? [{ seat, text: t("log-undo", { name: names[seat] || `${seat + 1}` }) }] : [];
  });
}
