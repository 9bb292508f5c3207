/** The files of the games that can be played without a server. */
import { CommandRefusedError } from "../engine/errors.js";

const COMPILED_FOLDER = new URL("../compiled/", import.meta.url);
const LIST_URL = new URL("../offline/games.json", import.meta.url);

/**
 * Return what is known of each game before play starts. Throws CommandRefusedError if it cannot be loaded.
 * @returns {Promise<import("../core/api-types.js").OfflineGame[]>}
 */
export const fetchGames = async () => (await fetchFile(LIST_URL)).json();

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
