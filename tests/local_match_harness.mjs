/**
 * Runs the commands of a page without a server, for tests. `node local_match_harness.mjs WEB GAMES`, with the folder of the
 * modules and the folder of the compiled games, reads a list of commands from standard input, and prints the list of
 * their answers.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [web, games] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${web}/local/${name}`));
const { CommandDispatcher } = await load("command-dispatcher.js");
const { GameLibrary } = await load("game-library.js");
const dispatcher = new CommandDispatcher(
  new GameLibrary(
    async (path) => new Response(readFileSync(`${games}/${path}`)),
    async () => JSON.parse(readFileSync(`${games}/games.json`, "utf8")),
  ),
);

const answers = [];
for (const { what, with: args } of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    answers.push(await dispatcher.answer(what, args));
  } catch (error) {
    answers.push({ wrong: error.message });
  }
}
process.stdout.write(JSON.stringify(answers));
