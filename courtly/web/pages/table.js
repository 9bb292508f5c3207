/** The page of a table, at /t/<id>. */
import { ReconnectingSocket, request } from "../core/http-client.js";
import { mountGameView } from "../game-view/game-view.js";

/** Load the table with this id and show it. @param {HTMLElement} host @param {string} id */
export async function start(host, id) {
  const info = await request("GET", `/api/tables/${encodeURIComponent(id)}`);
  if (info.status === "over" && new URLSearchParams(location.search).has("ply"))
    return (await import("./finished-table.js")).showFinishedTable(host, info);
  await mountGameView(host, info, new ReconnectingSocket(`/ws/tables/${info.id}`));
}
