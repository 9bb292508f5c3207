/** The log: what happened, in the reader's language, grouped by turns. */
import { guard, html, nothing, repeat } from "lit";
import { renderShield } from "../board-sdk/seat-shield.js";
import { currentLanguage } from "../core/user-settings.js";
import { catalogueCount, joinSentences, t } from "../core/i18n.js";
import { hideVisually } from "../components/visually-hidden.js";

/**
 * @typedef {import("../core/api-types.js").Cue} Cue @typedef {import("../board-sdk/board-types.js").Board} Board
 * @typedef {import("../board-sdk/board-context.js").JoinedCue} JoinedCue
 * @typedef {import("../board-sdk/board-context.js").BoardContext} BoardContext @typedef
 * {import("./game-view.js").GameView} GameView
 * @typedef {import("./replay/replay.js").Replay} Replay
 */
/**
 * @typedef {{cue: JoinedCue, events: Cue[], times: number}} LogLine a cue, how often it came in a row, and the events
 *   drawn as glyphs on its line
 */
/**
 * @typedef {{n: number, seat: number, isShared: boolean, cues: Cue[], lines: LogLine[]}} LogTurn `isShared`: all
 *   players act at once
 */

const MAX_UNFOLDED_LINES = 3; // a turn of more lines is a sentence that opens

/** Remove the cues that were undone. Each series of undos of a seat leaves one undo cue. @param {Cue[]} cues */
export function dropUndone(cues) {
  /** @type {Cue[]} */
  const kept = [];
  for (const cue of cues) {
    if (cue.verb === "undo") {
      for (let left = cue.args?.count ?? 0, i = kept.length - 1; left > 0 && i >= 0; i--) {
        if (kept[i].seat === cue.seat && kept[i].verb !== "undo") {
          kept.splice(i, 1);
          left--;
        }
      }
      if (kept.at(-1)?.verb === "undo" && kept.at(-1)?.seat === cue.seat) kept.pop();
    }
    kept.push(cue);
  }
  return kept;
}

/**
 * Return the last move of a seat's last turn, which ended when another seat acted; undefined during its first turn.
 * @param {Cue[]} cues @param {number | null} seat
 */
export function findEndOfLastTurn(cues, seat) {
  const kept = dropUndone(cues).filter((cue) => cue.seat >= 0 && cue.verb !== "undo");
  const end = kept.findLastIndex((cue) => cue.seat !== seat);
  return kept.slice(0, Math.max(end, 0)).findLast((cue) => cue.seat === seat);
}

/**
 * Group cues by turn. A turn begins when another seat acts, and after a cue that ends a turn (`board.ends`), so that
 * the random events after it belong to the next turn; after one of `board.mayEnd` a turn goes on unless a random event
 * follows. A phase in which all act at once (`board.shared`) is a group of its own, with the random events before it.
 * Events before the first action (the setup) have no seat.
 * @param {Cue[]} cues @param {Board} board
 * @param {(cue: Cue) => boolean} [speaks] has the cue a line? A cue without one does not separate equal lines
 * @param {(cue: Cue) => string} [describe] its line: equal lines in a row become one
 * @returns {LogTurn[]}
 */
export function groupByTurn(cues, board, speaks = () => true, describe = (cue) => JSON.stringify(cue.args)) {
  /** @type {LogTurn[]} */
  const turns = [];
  let lastVerb = "";
  for (const cue of dropUndone(cues)) {
    let turn = turns.at(-1);
    const isShared = board.shared?.includes(cue.verb) || (cue.verb === "undo" && turn?.isShared) || false;
    const hasEnded = board.ends?.includes(lastVerb) || (cue.seat < 0 && board.mayEnd?.includes(lastVerb));
    if (!turn || hasEnded || beginsTurn(cue, isShared, turn, turns.length === 1)) {
      turn = { n: cue.n, seat: -1, isShared: false, cues: [], lines: [] };
      turns.push(turn);
    }
    if (isShared) turn.isShared = true;
    else if (turn.seat < 0 && !turn.isShared) turn.seat = cue.seat;
    lastVerb = cue.verb;
    turn.cues.push(cue);
    const joined = joinToMove(cue, turn.lines.at(-1), board);
    const isJoined = joined !== null && speaks(joined);
    if (isJoined) turn.lines.pop();
    if (isJoined || speaks(cue)) addLine(turn.lines, isJoined ? joined : cue, board, describe);
  }
  return turns;
}

/**
 * Return the cue of an event that completes the move on the line before it (`board.completes`): both are one sentence.
 * @param {Cue} cue @param {LogLine | undefined} line @param {Board} board @returns {JoinedCue | null}
 */
const joinToMove = (cue, line, board) =>
  line?.times === 1 && !line.events.length && board.completes?.[cue.verb] === line.cue.verb
    ? { ...cue, seat: line.cue.seat, completes: line.cue }
    : null;

/** @param {LogLine[]} lines @param {JoinedCue} cue @param {Board} board @param {(cue: Cue) => string} describe */
function addLine(lines, cue, board, describe) {
  const line = lines.at(-1);
  if (line && cue.seat < 0 && cue.args && board.glyphs?.[cue.verb]) line.events.push(cue);
  else if (line && !line.events.length && areSameCue(line.cue, cue, describe)) line.times++;
  else lines.push({ cue, events: [], times: 1 });
}

/**
 * Return whether a turn begins with this cue, because another seat acts.
 * @param {Cue} cue @param {boolean} isShared @param {LogTurn} turn the turn before it @param {boolean} isSetup
 */
function beginsTurn(cue, isShared, turn, isSetup) {
  if (isShared) return !turn.isShared && (turn.seat >= 0 || isSetup);
  return cue.seat >= 0 && (turn.isShared || (turn.seat !== cue.seat && (turn.seat >= 0 || isSetup)));
}

/** @param {Cue} cue @param {Cue} other @param {(cue: Cue) => string} describe */
const areSameCue = (cue, other, describe) =>
  cue.seat === other.seat && cue.verb === other.verb && cue.verb !== "undo" && describe(cue) === describe(other);

/** @param {Cue} cue @param {BoardContext} ui @param {Replay | null} [replay] @param {number} [times] in a row */
const cueText = (cue, ui, replay, times) =>
  cue.verb === "undo"
    ? t("log-undo", { name: ui.playerName(cue.seat) })
    : replay
      ? replay.cueText(cue, times)
      : ui.cueText(cue, false, times);

/**
 * Return whether a cue has a line in the log.
 * @param {Board} board @param {BoardContext} ui @param {Replay | null} [replay]
 * @returns {(cue: Cue) => boolean}
 */
const hasLine = (board, ui, replay) => (cue) =>
  Boolean((cue.args && board.glyphs?.[cue.verb]) || cueText(cue, ui, replay));

/**
 * Group cues by turn, as the log shows them.
 * @param {Cue[]} cues @param {Board} board @param {BoardContext} ui @param {Replay | null} [replay]
 */
export const groupLines = (cues, board, ui, replay) =>
  groupByTurn(cues, board, hasLine(board, ui, replay), (cue) =>
    board.glyphs?.[cue.verb] ? JSON.stringify(cue.args) : cueText(cue, ui, replay),
  );

/**
 * Render what a line says.
 * @param {LogLine} line @param {Board} board @param {BoardContext} ui @param {Replay | null} replay
 */
function renderLine({ cue, events, times }, board, ui, replay) {
  const text = cueText(cue, ui, replay, times);
  const ownGlyph = cue.seat < 0 && cue.args && board.glyphs?.[cue.verb];
  if (!text && !events.length && !ownGlyph) return nothing;
  return html`${ownGlyph ? renderGlyph(cue, board, ui) : text} ${events.map((event) => renderGlyph(event, board, ui))}`;
}

/**
 * Describe the events of a line: equal kinds in a row in one sentence, where the catalogue has one for them.
 * @param {Cue[]} events @param {BoardContext} ui @param {Replay | null} [replay]
 * @returns {string[]}
 */
function describeEvents(events, ui, replay) {
  /** @type {Cue[][]} */
  const runs = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (run?.[0].verb === event.verb) run.push(event);
    else runs.push([event]);
  }
  return runs.flatMap((run) => {
    const text = run.length > 1 ? ui.eventsText(run) : "";
    return text ? [text] : run.map((event) => cueText(event, ui, replay));
  });
}

/** @param {Cue} cue @param {Board} board @param {BoardContext} ui */
const renderGlyph = (cue, board, ui) =>
  html`<span class="glyph of-game">${board.glyphs?.[cue.verb]?.(cue, ui)}${hideVisually(ui.cueText(cue))}</span>`;

/**
 * Render only when the cues or their texts change, because a log may be long.
 * @param {GameView} table @param {() => unknown} renderContent @param {number} [firstUnseenCue]
 */
const cacheByCues = ({ cues, view, info, replay, ui }, renderContent, firstUnseenCue) =>
  guard(
    [cues, cues.length, firstUnseenCue, replay ?? view, ui.me, info, currentLanguage(), catalogueCount],
    renderContent,
  );

/** Render the log, oldest turn first. A line appears once its animation has ended. @param {GameView} table */
export function renderLog(table) {
  const { firstUnseenCue } = table.viewPlayer;
  return cacheByCues(table, () => renderTurns(table, firstUnseenCue), firstUnseenCue);
}

/** @param {GameView} table @param {number} firstUnseenCue */
function renderTurns({ cues, board, ui, replay, seat }, firstUnseenCue) {
  const seen = replay ? cues : cues.filter(({ n }) => n < firstUnseenCue);
  const all = groupLines(seen, board, ui, replay);
  const pending = ui.view?.pending ?? [];
  const last = all.at(-1);
  if (last && all.length > 1 && last.seat === -1 && !last.isShared && !replay && pending.length === 1)
    last.seat = pending[0];
  const turnsWithLines = all
    .map((turn, at) => ({
      ...turn,
      outcome: turn.lines.length > MAX_UNFOLDED_LINES && !replay ? describeOutcome(all, at, board, ui) : "",
      drawn: turn.lines
        .map(({ cue, ...line }) => ({ cue, text: renderLine({ cue, ...line }, board, ui, replay) }))
        .filter(({ text }) => text !== nothing),
    }))
    .filter((turn) => turn.drawn.length);
  const lastOwnIndex = turnsWithLines.findLastIndex((turn) => turn.seat === seat);
  const firstRecentIndex = Math.min(lastOwnIndex < 0 ? Infinity : lastOwnIndex, turnsWithLines.length - 1);
  return html`<ol class="log">${repeat(
    turnsWithLines,
    (turn) => turn.n,
    (turn, index) =>
      html`<li class="turn">${turn.seat >= 0 ? renderShield(turn.seat, "tiny") : nothing}${
        turn.drawn.length > MAX_UNFOLDED_LINES && !replay
          ? renderFoldedTurn(turn, board, ui, index >= firstRecentIndex, index === 0)
          : html`<ol>${turn.drawn.map((line) => renderItem(line, replay))}</ol>`
      }</li>`,
  )}</ol>`;
}

/** @typedef {{cue: Cue, text: unknown}} DrawnLine */

/** Render a line; in a replay it leads to its moment. @param {DrawnLine} line @param {Replay | null} replay */
const renderItem = ({ cue, text }, replay) =>
  replay
    ? html`<li data-n=${cue.n}><button class="moment" @click=${() => replay.jumpToCue(cue.n)}>${text}</button></li>`
    : html`<li>${text}</li>`;

/**
 * Render a long turn as its most telling line or its outcome (while it has none, its player's first action), which
 * opens into all lines. Turns since the reader's last one are open.
 * @param {{seat: number, drawn: DrawnLine[], outcome: string}} turn @param {Board} board @param {BoardContext} ui
 * @param {boolean} isRecent @param {boolean} isFirst
 */
function renderFoldedTurn({ seat, drawn, outcome }, board, ui, isRecent, isFirst) {
  const count = drawn.length;
  const isOfAll = seat < 0;
  const title = isOfAll ? t(isFirst ? "log-setup" : "log-together") : t("log-turn", { name: ui.playerName(seat) });
  const firstAction = isOfAll || outcome ? undefined : findFirstAction(drawn, seat);
  const line = isOfAll && isFirst ? undefined : (findHeadline(drawn, board) ?? firstAction);
  const headline = line?.text ?? outcome;
  const more = line ? count - 1 : count;
  return html`<details ?open=${isRecent}><summary><span class="headline">${headline || title}</span> <span
      class="more">${t(headline ? "log-more" : "log-lines", { count: more })}</span><span
      class="all">${title}</span></summary>
    <ol>${drawn.map((line) => renderItem(line, null))}</ol></details>`;
}

/**
 * Return the line that tells most about a turn: the first kind of `board.headlines` that occurs.
 * @template {{cue: Cue}} Line @param {Line[]} lines @param {Board} board
 */
export function findHeadline(lines, board) {
  const verb = board.headlines?.find((kind) => lines.some(({ cue }) => cue.verb === kind));
  return lines.findLast(({ cue }) => cue.verb === verb);
}

/** Return a player's first action in a turn. @template {{cue: Cue}} Line @param {Line[]} lines @param {number} seat */
export const findFirstAction = (lines, seat) => lines.find(({ cue }) => cue.seat === seat && cue.verb !== "undo");

/**
 * Return what came of a turn, in the game's words, or "": for turns of which no line of `board.headlines` tells it.
 * @param {LogTurn[]} turns @param {number} at the turn's index @param {Board} board @param {BoardContext} ui
 */
export const describeOutcome = (turns, at, board, ui) =>
  board.headline?.(
    turns.map(({ cues }) => cues),
    at,
    ui,
  ) ?? "";

const MIN_NEWS_LINES = 12;
const MAX_NEWS_LINES = 60;

/**
 * Render the latest cues, oldest first, one per line. New lines are at the end, so that screen readers announce all of
 * them.
 * @param {GameView} table
 */
export const renderNews = (table) =>
  table.replay
    ? renderLatest(table.replay.announcedCues, 0, table.board, table.ui, table.replay)
    : cacheByCues(table, () => renderLatest(table.cues, table.freshCount, table.board, table.ui));

/**
 * Return the lines of a turn as sentences.
 * @param {LogTurn} turn @param {Board} board @param {BoardContext} ui @param {Replay | null} [replay]
 */
export const describeTurn = ({ lines }, board, ui, replay) =>
  lines
    .map(({ cue, events, times }) => {
      const isEvent = cue.seat < 0 && cue.args && board.glyphs?.[cue.verb];
      const texts = isEvent
        ? describeEvents([cue, ...events], ui, replay)
        : [cueText(cue, ui, replay, times), ...describeEvents(events, ui, replay)];
      return { key: `${cue.n} ${times} ${events.length}`, text: joinSentences(texts.filter(Boolean)) };
    })
    .filter(({ text }) => text);

/**
 * Return the lines of the log as sentences.
 * @param {Cue[]} cues @param {Board} board @param {BoardContext} ui @param {Replay | null} [replay]
 */
const describeLines = (cues, board, ui, replay) =>
  groupLines(cues, board, ui, replay).flatMap((turn) => describeTurn(turn, board, ui, replay));

/**
 * @param {Cue[]} cues @param {number} newCount how many of them came with the last view @param {Board} board @param
 * {BoardContext} ui
 * @param {Replay | null} [replay]
 */
function renderLatest(cues, newCount, board, ui, replay) {
  const maxLines = Math.min(Math.max(newCount, MIN_NEWS_LINES), MAX_NEWS_LINES);
  return html`<div role="log" aria-live="polite" class="news">${repeat(
    describeLines(cues.slice(-3 * maxLines), board, ui, replay).slice(-maxLines),
    ({ key }) => key,
    ({ text }) => html`<p>${text}</p>`,
  )}</div>`;
}
