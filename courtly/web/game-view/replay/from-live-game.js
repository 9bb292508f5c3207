/** From a table back to what was: while a game is played to one's last turn, with the eyes of one's own seat. */
import { complain } from "../../components/dialogs.js";
import { ask } from "../../core/http-client.js";
import { Replay } from "./replay.js";

/** @typedef {import("../game-view.js").Table} Table @typedef {import("./replay.js").Eyes} Eyes */

/** What is played back of a table. @param {Table} table */
function past(table) {
  const { info, source } = table;
  const fetch = (/** @type {Eyes} */ eyes) =>
    source.past?.(eyes) ?? ask("GET", `/api/tables/${info.id}/replay?seat=${eyes ?? ""}`);
  return new Replay(info, fetch, { back: () => table.lookAhead() });
}

/** @param {Table} table */
export async function back(table) {
  const { seat } = table;
  const replay = past(table);
  try {
    await replay.look(seat);
  } catch (error) {
    return complain(error);
  }
  const own = replay.cues.findLast((cue) => cue.seat === seat && cue.verb !== "undo");
  replay.at = own ? replay.views.findIndex((view) => view.seq > own.n) : 0;
  if (table.seat === seat && !table.replay) table.lookBack(replay);
}

/** A game that is over, from its beginning. @param {Table} table */
export async function relive(table) {
  const replay = past(table);
  await replay.look("all").then(() => table.lookBack(replay), complain);
}
