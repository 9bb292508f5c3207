/** While a game is played: back to one's last turn, with the eyes of one's own seat. */
import { complain } from "../dialogs.js";
import { ask } from "../net.js";
import { Replay } from "./replay.js";

/** @typedef {import("../table/table.js").Table} Table */

/** @param {Table} table */
export async function back(table) {
  const { seat, info } = table;
  const replay = new Replay(info, (eyes) => ask("GET", `/api/tables/${info.id}/replay?seat=${eyes ?? ""}`), {
    back: () => table.lookAhead(),
  });
  try {
    await replay.look(seat);
  } catch (error) {
    return complain(error);
  }
  const own = replay.cues.findLast((cue) => cue.seat === seat && cue.verb !== "undo");
  replay.at = own ? replay.views.findIndex((view) => view.seq > own.n) : 0;
  if (table.seat === seat && !table.replay) table.lookBack(replay);
}
