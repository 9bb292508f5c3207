/** From a table to its replay in one's own view: during a game from the last turn, afterwards from the beginning. */
import { showError } from "../../components/dialogs.js";
import { request } from "../../core/http-client.js";
import { isPanelDrawer } from "../../core/user-settings.js";
import { findEndOfLastTurn, groupByTurn } from "../log.js";
import { Replay } from "./replay.js";
import { findOwnViewpoint } from "./viewpoint.js";

/** @typedef {import("../game-view.js").GameView} GameView @typedef {import("./replay.js").Viewpoint} Viewpoint */

/**
 * Return a replay of this table, with a button that leads back.
 * @param {GameView} table @param {{back?: () => void, backText?: string}} [leading]
 */
function createReplay(table, { back = () => table.returnToGame(), backText } = {}) {
  const { info, source } = table;
  const fetch = (/** @type {Viewpoint} */ eyes) =>
    source.fetchReplay?.(eyes) ?? request("GET", `/api/tables/${info.id}/replay?seat=${eyes ?? ""}`);
  return new Replay(info, fetch, { back, backText });
}

/**
 * Show the last turn of this seat from the position before its first move; or, if it plays at once, what happened
 * since.
 * @param {GameView} table @param {boolean} plays
 */
export async function replayLastTurn(table, plays) {
  const { seat } = table;
  const replay = createReplay(table);
  try {
    await replay.setViewpoint(seat);
  } catch (error) {
    return showError(error);
  }
  const { cues, views } = replay;
  const last = findEndOfLastTurn(cues, seat);
  const turn = groupByTurn(cues, table.board).find((some) => last && some.cues.includes(last));
  const first = turn?.cues.find((cue) => cue.seat === seat && cue.verb !== "undo") ?? last;
  if (last && first)
    replay.index = plays
      ? views.findIndex((view) => view.seq > last.n)
      : Math.max(
          views.findLastIndex((view) => view.seq <= first.n),
          0,
        );
  if (table.seat !== seat || table.replay) return;
  if (isPanelDrawer()) table.panelOpen = false; // the log, from which it is called, covers the board
  table.showReplay(replay);
  if (plays && replay.index < replay.lastIndex) replay.play();
}

/**
 * Show the replay of a finished game, if it can be loaded.
 * @param {GameView} table @param {number} [ply] the position @param {Viewpoint} [viewpoint]
 * @param {Parameters<typeof createReplay>[1]} [leading]
 */
export async function replayFinishedGame(table, ply = 0, viewpoint = findOwnViewpoint(table.info.seats), leading = {}) {
  const replay = createReplay(table, leading);
  await replay.setViewpoint(viewpoint, ply).then(() => table.showReplay(replay), showError);
}
