/** A finished game at /t/<id>?ply=…, played back; the address follows where it is. */
import { complain } from "../dialogs.js";
import { ask } from "../net.js";
import { Replay } from "./replay.js";
import { lay } from "../table/table.js";

/** @typedef {import("../types.js").TableInfo} TableInfo @typedef {import("./replay.js").Eyes} Eyes */

const SOON = 400; // ms in which changes of the address are gathered

/** @param {HTMLElement} host @param {TableInfo} info */
export async function show(host, info) {
  const wish = new URLSearchParams(location.search);
  const seat = Number(wish.get("seat") ?? Number.NaN);
  const eyes = seat in info.seats ? seat : "all";
  const link = (/** @type {number} */ ply, /** @type {Eyes} */ seen) =>
    `/t/${info.id}?ply=${ply}${seen === "all" ? "" : `&seat=${seen}`}`;
  const fetch = (/** @type {Eyes} */ seen) => ask("GET", `/api/tables/${info.id}/replay?seat=${seen ?? ""}`);
  const replay = new Replay(info, fetch, { link });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let soon;
  replay.moved = () => {
    clearTimeout(soon);
    soon = setTimeout(() => history.replaceState(null, "", link(replay.view.ply ?? 0, replay.eyes)), SOON);
  };
  replay.look(eyes, Number(wish.get("ply")) || 0).catch(complain);
  await lay(host, info, replay, replay);
}
