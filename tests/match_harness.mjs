/**
 * Plays matches of courtly/web/engine, for tests. `node match_harness.mjs WEB CODE DESCRIPTION`, with the folder of
 * the modules and a game's files, reads a list of jobs from standard input, and prints the list of their results.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [web, codeFile, descriptionFile] = process.argv.slice(2);
const { addLegalMoves, previewFromView } = await import(pathToFileURL(`${web}/local/view-preview.js`));
const load = (name) => import(pathToFileURL(`${web}/engine/${name}`));
const { loadGame } = await load("game.js");
const { Match } = await load("match.js");
const { CommittedChance, SeededChance, SimulatedChance } = await load("chance.js");
const { CommandRefusedError, InvalidRecordError, UnknownValueError } = await load("errors.js");
const { iterateRecord, readHead } = await load("record-reader.js");
const { writeRecord } = await load("record-writer.js");
const { ViewHistory, replayDecisions } = await load("view-history.js");
const game = await loadGame(readFileSync(codeFile), JSON.parse(readFileSync(descriptionFile, "utf8")));

const CHANCES = {
  seeded: (seed) => new SeededChance(BigInt(seed)),
  simulated: (seed, number, moves) => new SimulatedChance(BigInt(seed), BigInt(number), moves),
  committed: (...parameters) => new CommittedChance(...parameters),
};

// the history of each viewpoint
const writeHistories = (matches, players, withPlies) => {
  const histories = [...Array(players).keys(), null, "all"].map((viewpoint) => new ViewHistory(viewpoint));
  for (const match of matches) for (const history of histories) history.recordMoment(match);
  return histories.map((history) => history.replay(withPlies));
};

const COMMANDS = {
  view: (match, seat, since) => match.view(seat, since),
  play: (match, seat, moves, seq, at) => match.play(seat, moves, { seq: seq ?? undefined, at }),
  undo: (match, seat, seq, at) => match.undo(seat, { seq: seq ?? undefined, at }),
  preview: (match, seat, moves, seq) => match.preview(seat, moves, seq ?? undefined),
  record: (match, extraKeys) => writeRecord(match, extraKeys),
  // the record of the match that the journal describes
  replay: (match) => {
    const { players, chance, entries } = match;
    const { options } = match.position;
    return writeRecord(Match.replay(game, { players, options, chance }, entries));
  },
  histories: (match, withPlies) => writeHistories(replayDecisions(match), match.players, withPlies),
};

// the outcome of a preview as text
const tryPreview = (preview) => {
  try {
    return JSON.stringify(preview());
  } catch (error) {
    if (error instanceof CommandRefusedError) return JSON.stringify({ refused: error.id, args: error.args });
    throw error;
  }
};

const JOBS = {
  // how often previews from the view equal those of the match, in a random match; so do the legal moves
  foresight: ({ players, options, seed, movesPerDecision, maxDecisions }) => {
    const match = new Match(game, { players, options, chance: new SeededChance(BigInt(seed)) });
    let number = seed;
    const draw = (below) => {
      number = (1103515245 * number + 12345) % 2 ** 31;
      return (number >> 8) % below;
    };
    const counts = { equal: 0, refused: 0, different: [] };
    for (let left = maxDecisions; left && !match.position.isOver; left--) {
      const { pending } = match.position;
      const seat = pending[draw(pending.length)];
      const legal = match.position.legal(seat);
      for (let other = 0; other < match.players; other++) {
        const { legal: expected, ...view } = match.view(other, 0);
        const { legal: found } = addLegalMoves(game, view);
        if (JSON.stringify(found) !== JSON.stringify(expected)) counts.different.push([other, found, expected]);
      }
      const moves = [...Array(movesPerDecision)].map(() => [legal[draw(legal.length)]]);
      moves.push([draw(game.description.move_count)], [legal[draw(legal.length)], legal[draw(legal.length)]]);
      for (const ids of moves) {
        const found = tryPreview(() => previewFromView(game, match.view(seat, 0), ids));
        const expected = tryPreview(() => match.preview(seat, ids));
        if (found !== expected) counts.different.push([seat, ids, found, expected]);
        else counts[expected.startsWith('{"refused"') ? "refused" : "equal"]++;
      }
      match.play(seat, [legal[draw(legal.length)]]);
    }
    return counts;
  },

  // the results of commands, each as JSON text; the id and arguments of the message of a refused command
  match: ({ chance: [kind, ...parameters], commands, ...setup }) => {
    let match;
    try {
      match = new Match(game, { ...setup, chance: CHANCES[kind](...parameters) });
    } catch (error) {
      if (error instanceof UnknownValueError) return "not a setup of the game";
      throw error;
    }
    return commands.map(([name, ...args]) => {
      try {
        return JSON.stringify(COMMANDS[name](match, ...args));
      } catch (error) {
        if (error instanceof CommandRefusedError) return JSON.stringify({ refused: error.id, args: error.args });
        throw error;
      }
    });
  },

  // the number of decisions, the views at the end, the histories and the record of a record; or its first invalid line
  record: ({ text }) => {
    try {
      const { seats } = readHead(text);
      let last;
      let decisions = 0;
      for (const match of iterateRecord(game, text)) {
        last = match;
        decisions++;
      }
      const audiences = [...Array(last.players).keys(), null];
      const histories = JSON.stringify(writeHistories(iterateRecord(game, text), last.players, true));
      const views = audiences.map((seat) => JSON.stringify(last.view(seat, 0)));
      return { decisions, views, histories, record: writeRecord(last, seats && { seats }) };
    } catch (error) {
      if (error instanceof InvalidRecordError) return { line: error.line, reason: error.reason };
      throw error;
    }
  },
};

const results = JSON.parse(readFileSync(0, "utf8")).map(({ job, ...parameters }) => JOBS[job](parameters));
process.stdout.write(JSON.stringify(results));
