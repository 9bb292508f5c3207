/** A web worker that plays the match of this browser, and answers the page's commands, one at a time. */
import { CommandDispatcher } from "./command-dispatcher.js";
import { GameLibrary } from "./game-library.js";

const GAMES_FOLDER = new URL("../compiled/", import.meta.url);

const library = new GameLibrary(async (path) => {
  const response = await fetch(new URL(path, GAMES_FOLDER));
  if (!response.ok) throw new Error(`${path}: ${response.status} ${response.statusText}`);
  return response;
});
const dispatcher = new CommandDispatcher(library);
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
