/** A web worker that plays the match of this browser, and answers the commands of the page. */
import { CommandRefusedError } from "../engine/errors.js";
import { CommandDispatcher } from "./command-dispatcher.js";
import { fetchCompiledFile, fetchGames } from "./game-files.js";
import { GameLibrary } from "./game-library.js";

const dispatcher = new CommandDispatcher(new GameLibrary(fetchCompiledFile, fetchGames));
const { port1: sender, port2: receiver } = new MessageChannel();
let previous = Promise.resolve();
let lastNumber = -1; // of a command
let cancelledBefore = 0; // the number of the first command that is not cancelled

addEventListener("message", ({ data: { number, what, with: args } }) => {
  if (what === "cancel") {
    cancelledBefore = lastNumber + 1;
    return;
  }
  lastNumber = number;
  previous = previous.then(() => run(number, what, args));
});

/** Run a command, and send the reply. @param {number} number of the call @param {string} what @param {any[]} args */
async function run(number, what, args) {
  const pause = async () => {
    await takeMessages();
    if (number < cancelledBefore) throw new CommandRefusedError("error-stale");
  };
  try {
    postMessage({ number, ...(await dispatcher.answer(what, args, pause)) });
  } catch (/** @type {any} */ error) {
    postMessage({ number, wrong: error.message });
  }
}

/** Let the worker handle the messages that have arrived. @returns {Promise<void>} */
function takeMessages() {
  return new Promise((done) => {
    receiver.onmessage = () => done();
    sender.postMessage(null);
  });
}
