/** The files of the games that can be played without a server. */
import { CommandRefusedError } from "../engine/errors.js";

const COMPILED_FOLDER = new URL("../compiled/", import.meta.url);
const OFFLINE_FOLDER = new URL("../offline/", import.meta.url);

/**
 * Return the list of games. Throws CommandRefusedError if it cannot be loaded.
 * @returns {Promise<import("../core/api-types.js").OfflineGame[]>}
 */
export const fetchGames = async () => (await fetchFile(new URL("games.json", OFFLINE_FOLDER))).json();

/**
 * Return what is known of a game before play starts. Throws CommandRefusedError if it cannot be loaded.
 * @param {string} id @returns {Promise<import("../core/api-types.js").GameInfo>}
 */
export const fetchGameInfo = async (id) => (await fetchFile(new URL(`${id}.json`, OFFLINE_FOLDER))).json();

/**
 * Fetch a file of the compiled games. Throws CommandRefusedError if it cannot be loaded or there is none.
 * @param {string} path
 */
export const fetchCompiledFile = (path) => fetchFile(new URL(path, COMPILED_FOLDER));

/** @param {URL} url */
async function fetchFile(url) {
  const response = await fetch(url).catch(() => null);
  if (response?.ok) return response;
  const content = await response?.json().catch(() => null);
  const { id, args } = content?.error ?? { id: "error-not-loaded" };
  throw new CommandRefusedError(id, args);
}
