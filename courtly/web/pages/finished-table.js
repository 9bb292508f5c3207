/** The replay of a finished game, at /t/<id>?ply=…, with its review at …&review; the URL follows the position. */
import { showError } from "../components/dialogs.js";
import { request } from "../core/http-client.js";
import { Replay } from "../game-view/replay/replay.js";
import { momentAddress } from "../game-view/replay/viewpoint.js";
import { mountGameView } from "../game-view/game-view.js";
import { showReviewBesideReplay } from "../game-view/review.js";

/**
 * @typedef {import("../core/api-types.js").TableInfo} TableInfo @typedef {import("../core/api-types.js").Seat} Seat
 * @typedef {import("../game-view/replay/replay.js").Viewpoint} Viewpoint
 */

const ADDRESS_DELAY_MS = 400; // changes of the URL within this time are merged

/** @param {HTMLElement} host @param {TableInfo} info */
export async function showFinishedTable(host, info) {
  const fetch = (/** @type {Viewpoint} */ viewpoint) =>
    request("GET", `/api/tables/${info.id}/replay?seat=${viewpoint ?? ""}`);
  const path = `/t/${info.id}`;
  const back = () => {
    replay.pause();
    replay.onClose();
    location.href = path;
  };
  const replay = new Replay(info, fetch, { link: () => currentAddress(path, replay), back });
  syncAddress(replay, path);
  const { eyes, ply } = readAddress(info.seats);
  const loading = replay.setViewpoint(eyes, ply).catch(showError);
  const table = await mountGameView(host, info, replay, replay);
  if (!new URLSearchParams(location.search).has("review")) return;
  await loading;
  showReviewBesideReplay(table);
  if (ply) table.gameReview.onReady = () => {}; // that moment is what the reader came for
}

/** @param {string} path @param {Replay} replay */
const currentAddress = (path, { view, viewpoint }) => momentAddress(path, view.ply, viewpoint);

/** Return the viewpoint and ply in the URL. @param {Seat[]} seats @returns {{eyes: Viewpoint, ply: number}} */
export function readAddress(seats) {
  const query = new URLSearchParams(location.search);
  const seat = query.get("seat") ?? "";
  return {
    eyes: /^\d$/.test(seat) && Number(seat) in seats ? Number(seat) : "all",
    ply: Number(query.get("ply")) || 0,
  };
}

/**
 * Keep the URL up to date, which still opens the review if it did.
 * @param {Replay} replay @param {string} path
 */
export function syncAddress(replay, path) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  replay.onMove = () => {
    clearTimeout(timer);
    const review = new URLSearchParams(location.search).has("review") ? "&review" : "";
    timer = setTimeout(() => history.replaceState(null, "", currentAddress(path, replay) + review), ADDRESS_DELAY_MS);
  };
  replay.onClose = () => clearTimeout(timer); // another page's URL must not change
}
