/**
 * Searches with the bots of courtly/web/bots, for tests. `node search_harness.mjs WEB CODE DESCRIPTION`, with the
 * folder of the modules and a game's files, reads a list of jobs from standard input, and prints the list of their
 * results.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [web, codeFile, descriptionFile] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${web}/bots/${name}`));
const { Memory } = await load("memory.js");
const { Search } = await load("search.js");
const { advise } = await load("advice.js");
const { chooseMove } = await load("bot.js");
const { Generator } = await load("generator.js");
const description = JSON.parse(readFileSync(descriptionFile, "utf8"));
const { instance } = await WebAssembly.instantiate(readFileSync(codeFile));
const memory = new Memory(instance.exports, description);

const yieldOnce = () => Promise.resolve();
const JOBS = {
  think: ({ view, simulations, seed, pauses, limit }) => {
    const pause = pauses ? yieldOnce : undefined;
    return new Search(memory, simulations, limit).think(view, BigInt(seed), pause);
  },
  chances: ({ view, simulations, seed, move, limit }) =>
    new Search(memory, simulations, limit).findChances(view, move, BigInt(seed), limit === 0 ? yieldOnce : undefined),
  choose: ({ view, bot, seed }) => chooseMove(memory, bot, view, new Generator(BigInt(seed))),
  advise: ({ view, hints, limit }) => advise(memory, view, hints, undefined, limit),
  // words and numbers below some that a generator draws
  draw: ({ seed, stream, below }) => {
    const generator = new Generator(BigInt(seed), stream);
    return [...Array(100)].map(() => [Number(generator.drawWord()), generator.drawBelow(below)]);
  },
};

const results = [];
for (const { job, ...parameters } of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    results.push(await JOBS[job](parameters));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    results.push({ error: error.message });
  }
}
process.stdout.write(JSON.stringify(results));
