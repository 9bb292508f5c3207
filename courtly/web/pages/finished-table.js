/** A finished game at /t/<id>?ply=…, played back; the address follows where it is. */
import { complain } from "../components/dialogs.js";
import { ask } from "../core/http-client.js";
import { Replay } from "../game-view/replay/replay.js";
import { lay } from "../game-view/game-view.js";

/**
 * @typedef {import("../core/api-types.js").TableInfo} TableInfo @typedef {import("../core/api-types.js").Seat} Seat
 * @typedef {import("../game-view/replay/replay.js").Eyes} Eyes
 */

const SOON = 400; // ms in which changes of the address are gathered

/** @param {HTMLElement} host @param {TableInfo} info */
export async function show(host, info) {
  const fetch = (/** @type {Eyes} */ eyes) => ask("GET", `/api/tables/${info.id}/replay?seat=${eyes ?? ""}`);
  const replay = new Replay(info, fetch, { link: () => address(`/t/${info.id}`, replay) });
  followed(replay, `/t/${info.id}`);
  const { eyes, ply } = wished(info.seats);
  replay.look(eyes, ply).catch(complain);
  await lay(host, info, replay, replay);
}

/** The address of the moment that is looked at. @param {string} path @param {Replay} replay */
const address = (path, { view, eyes }) => `${path}?ply=${view.ply ?? 0}${eyes === "all" ? "" : `&seat=${eyes}`}`;

/** What the address asks for. @param {Seat[]} seats @returns {{eyes: Eyes, ply: number}} */
export function wished(seats) {
  const wish = new URLSearchParams(location.search);
  const seat = wish.get("seat") ?? "";
  return { eyes: /^\d$/.test(seat) && Number(seat) in seats ? Number(seat) : "all", ply: Number(wish.get("ply")) || 0 };
}

/** The address follows. @param {Replay} replay @param {string} path */
export function followed(replay, path) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let soon;
  replay.moved = () => {
    clearTimeout(soon);
    soon = setTimeout(() => history.replaceState(null, "", address(path, replay)), SOON);
  };
  replay.closed = () => clearTimeout(soon); // the address is another's
}
