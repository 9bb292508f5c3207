/** A web worker that plays the match of this browser, and answers the page's commands, one at a time. */
import { CommandRefusedError } from "../engine/errors.js";
import { CommandDispatcher } from "./command-dispatcher.js";
import { GameLibrary } from "./game-library.js";

const GAMES_FOLDER = new URL("../compiled/", import.meta.url);

const dispatcher = new CommandDispatcher(new GameLibrary(fetchFile));
let previous = Promise.resolve();

addEventListener("message", ({ data: { what, with: args } }) => {
  previous = previous.then(async () => {
    try {
      postMessage(await dispatcher.answer(what, args));
    } catch (/** @type {any} */ error) {
      postMessage({ wrong: error.message });
    }
  });
});

/** Fetch a file of the compiled games. @param {string} path */
async function fetchFile(path) {
  const response = await fetch(new URL(path, GAMES_FOLDER)).catch(() => null);
  if (response?.ok) return response;
  const content = await response?.json().catch(() => null);
  const { id, args } = content?.error ?? { id: "error-not-loaded" };
  throw new CommandRefusedError(id, args);
}
