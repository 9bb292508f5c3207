/** The log: what happened, told in the reader's language, grouped by who acted. */
import { guard, html, nothing, repeat } from "lit";
import { shield } from "../board-sdk/seat-shield.js";
import { language } from "../core/user-settings.js";
import { catalogues, sentences, t } from "../core/i18n.js";
import { unseen } from "../components/visually-hidden.js";

/**
 * @typedef {import("../core/api-types.js").Cue} Cue @typedef {import("../board-sdk/board-types.js").Board} Board
 * @typedef {import("../board-sdk/board-context.js").Ui} Ui @typedef {import("./game-view.js").Table} Table
 * @typedef {import("./replay/replay.js").Replay} Replay
 */
/**
 * @typedef {{cue: Cue, after: Cue[], times: number}} Line a cue, how often it came in a row, and the events drawn as
 *   glyphs on its line
 */
/** @typedef {{n: number, seat: number, lines: Line[]}} Turn */

/** What stands: cues that were taken back are gone, each undo stays as a line of its own. @param {Cue[]} cues */
export function standing(cues) {
  /** @type {Cue[]} */
  const out = [];
  for (const cue of cues) {
    if (cue.verb === "undo") {
      for (let left = cue.args?.count ?? 0, i = out.length - 1; left > 0 && i >= 0; i--) {
        if (out[i].seat === cue.seat && out[i].verb !== "undo") {
          out.splice(i, 1);
          left--;
        }
      }
      if (out.at(-1)?.verb === "undo" && out.at(-1)?.seat === cue.seat) out.pop();
    }
    out.push(cue);
  }
  return out;
}

/**
 * A turn begins when somebody else acts, and after a move or event that the board says ends one: what chance does then
 * belongs to the next. What happens before anybody acts is nobody's: the table is being set.
 * @param {Cue[]} cues @param {Board} board
 * @param {(cue: Cue) => boolean} [speaks] is anything told of it? Else it has no line, and parts no equal lines
 * @returns {Turn[]}
 */
export function turns(cues, board, speaks = () => true) {
  /** @type {Turn[]} */
  const out = [];
  let ended = false;
  for (const cue of standing(cues)) {
    let turn = out.at(-1);
    const another = turn && cue.seat >= 0 && turn.seat !== cue.seat && (turn.seat >= 0 || out.length === 1);
    if (!turn || ended || another) {
      turn = { n: cue.n, seat: cue.seat, lines: [] };
      out.push(turn);
    }
    if (turn.seat < 0) turn.seat = cue.seat;
    ended = board.ends?.includes(cue.verb) ?? false;
    if (!speaks(cue)) continue;
    const line = turn.lines.at(-1);
    if (line && cue.seat < 0 && cue.args && board.glyphs?.[cue.verb]) line.after.push(cue);
    else if (line && !line.after.length && same(line.cue, cue)) line.times++;
    else turn.lines.push({ cue, after: [], times: 1 });
  }
  return out;
}

/** @param {Cue} one @param {Cue} other */
const same = (one, other) =>
  one.seat === other.seat &&
  one.verb === other.verb &&
  one.verb !== "undo" &&
  JSON.stringify(one.args) === JSON.stringify(other.args);

/** @param {Cue} cue @param {Ui} ui @param {Replay | null} [replay] */
const told = (cue, ui, replay) =>
  cue.verb === "undo" ? t("log-undo", { name: ui.name(cue.seat) }) : replay ? replay.tell(cue) : ui.tell(cue);

/**
 * Is anything told of a cue? @param {Board} board @param {Ui} ui @param {Replay | null} [replay]
 * @returns {(cue: Cue) => boolean}
 */
const speaking = (board, ui, replay) => (cue) =>
  Boolean((cue.args && board.glyphs?.[cue.verb]) || told(cue, ui, replay));

/** @param {string} what @param {number} times */
const repeated = (what, times) => (what && times > 1 ? t("log-times", { what, times }) : what);

/**
 * @param {Line} line @param {Board} board @param {Ui} ui
 * @param {Replay | null} replay where a line leads to its moment
 */
function lineOf({ cue, after, times }, board, ui, replay) {
  const text = repeated(told(cue, ui, replay), times);
  const own = cue.seat < 0 && cue.args && board.glyphs?.[cue.verb];
  if (!text && !after.length && !own) return nothing;
  const line = html`${own ? glyph(cue, board, ui) : text} ${after.map((event) => glyph(event, board, ui))}`;
  return replay
    ? html`<li data-n=${cue.n}><button class="moment" @click=${() => replay.jump(cue.n)}>${line}</button></li>`
    : html`<li>${line}</li>`;
}

/** @param {Cue} cue @param {Board} board @param {Ui} ui */
const glyph = (cue, board, ui) =>
  html`<span class="glyph of-game">${board.glyphs?.[cue.verb]?.(cue, ui)}${unseen(ui.tell(cue))}</span>`;

/**
 * What is said of all that a table has heard: anew only where something is new, because it may be much.
 * @param {Table} table @param {() => unknown} say
 */
const heard = ({ heard, view, info, replay }, say) =>
  guard([heard, heard.length, replay ?? view, info, language(), catalogues], say);

/** All that happened, the newest first. @param {Table} table */
export const log = (table) => heard(table, () => groups(table));

/** @param {Table} table */
function groups({ heard, board, ui, replay }) {
  const all = turns(heard, board, speaking(board, ui, replay)).reverse();
  const pending = ui.view?.pending ?? [];
  if (all.length > 1 && all[0].seat === -1 && !replay && pending.length === 1) all[0].seat = pending[0];
  const drawn = all
    .map((turn) => ({
      ...turn,
      drawn: turn.lines.map((line) => lineOf(line, board, ui, replay)).filter((line) => line !== nothing),
    }))
    .filter((turn) => turn.drawn.length);
  return html`<ol class="log" reversed>${repeat(
    drawn,
    (turn) => turn.n,
    (turn) => html`<li class="turn">
    ${turn.seat >= 0 ? shield(turn.seat, "tiny") : nothing}<ol>${turn.drawn}</ol></li>`,
  )}</ol>`;
}

const FEW = 12;
const MANY = 60; // lines

/**
 * What happened lately, oldest first, a line at a time: what is new comes at the end, so that those who hear the page
 * are told all of it. @param {Table} table
 */
export const news = (table) =>
  table.replay
    ? latest(table.replay.news, 0, table.board, table.ui, table.replay)
    : heard(table, () => latest(table.heard, table.fresh, table.board, table.ui));

/**
 * @param {Cue[]} cues @param {number} fresh how many of them came last, together @param {Board} board @param {Ui} ui
 * @param {Replay | null} [replay]
 */
function latest(cues, fresh, board, ui, replay) {
  const most = Math.min(Math.max(fresh, FEW), MANY);
  const lines = turns(cues.slice(-3 * most), board, speaking(board, ui, replay))
    .flatMap((turn) => turn.lines)
    .slice(-most)
    .map(({ cue, after, times }) => ({
      key: `${cue.n} ${times} ${after.length}`,
      text: sentences(
        [repeated(told(cue, ui, replay), times), ...after.map((event) => told(event, ui, replay))].filter(Boolean),
      ),
    }));
  return html`<div role="log" aria-live="polite" class="news">${repeat(
    lines.filter(({ text }) => text),
    ({ key }) => key,
    ({ text }) => html`<p>${text}</p>`,
  )}</div>`;
}
