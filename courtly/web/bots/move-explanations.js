/** Reasons for and against a move, the same as those of courtly/bots/move_explanations.py. */
import { Generator } from "./generator.js";
import { CONFIDENCE_95_FACTOR } from "./search.js";
import { roundHalfToEven } from "../core/percentages.js";
import { mean, variance } from "./statistics.js";

/**
 * @typedef {import("../core/api-types.js").Reason} Reason @typedef {import("./memory.js").Memory} Memory
 * @typedef {import("../engine/description.js").SearchDescription} SearchDescription
 * @typedef {import("./search.js").PositionView} PositionView @typedef {import("./search.js").WinChances} WinChances
 */

/**
 * What players count in one world: of the player before a move, and of all seats right after it and at the player's
 * next turn or a later one; `later` is null if the game has no policy that could play the other seats.
 * @typedef {{before: number[], next: number[][], later: number[][] | null}} Continuation
 */

const WORLDS_PER_MOVE = 20;
const MIN_COUNT_DIFFERENCE = 0.5; // a smaller difference is ignored
const MIN_RIVAL_DIFFERENCE = 1; // the same for what another player counts
const MIN_PART_SHARE = 0.5; // of a difference that a part makes up and that is named for it
const LATER_TURNS = 4; // the turn until which moves are followed that differ in nothing at the next one
const OPEN_SPREAD_RATIO = 1.6; // how many times the spread after the other moves the spread must be to count as open
const FAVOURABLE_REASONS = ["help-more", "help-denies", "help-rival-less"];
const MIN_SHARE_DIFFERENCE = 0.02; // of a rival's chance

/**
 * Return the reasons for each of these moves, whose chances are known.
 * @param {Memory} memory of an instance for searches @param {PositionView} view of a seat
 * @param {Map<number, WinChances>} found @param {number} seed @param {import("./search.js").Pause} [pause]
 * @returns {Promise<Map<number, Reason[]>>}
 */
export async function explainMoves(memory, view, found, seed, pause) {
  const seat = /** @type {number} */ (view.seat);
  const { counted, parts, follows } = /** @type {SearchDescription} */ (memory.description.search);
  const moves = [...found.keys()];
  const isCounted = counted.length > 0;
  const courses = await playContinuations(memory, view, moves, seed, 1, pause);
  const immediate = dropShared(courses, (own) => (isCounted ? immediateChanges(counted, own, seat) : []));
  const later = turnChanges(counted, parts, courses, seat);
  const reasons = new Map(
    moves.map((move) => [
      move,
      [
        ...(immediate.get(move) ?? []),
        ...dropRepeated(counted, immediate.get(move) ?? [], later.get(move) ?? []),
        ...rivalChanges(counted, seat, found, courses, move),
      ],
    ]),
  );
  const best = findClearlyBest(seat, found);
  const lacksFavour = best !== null && !isFavoured(reasons.get(best) ?? []);
  if (!isCounted || !follows || (!lacksFavour && [...reasons.values()].every((some) => some.length))) return reasons;
  const coursesLater = await playContinuations(memory, view, moves, seed, LATER_TURNS, pause);
  const changesLater = turnChanges(counted, parts, coursesLater, seat);
  for (const [move, some] of reasons) {
    const farther = [...(changesLater.get(move) ?? []), ...rivalCounts(counted, seat, found, coursesLater, move)];
    if (!some.length || (move === best && lacksFavour && isFavoured(farther)))
      some.push(...farther.map(({ id, args }) => ({ id, args: { ...args, later: 1 } })));
  }
  return reasons;
}

/**
 * Return the move with the highest chance of the seat if it exceeds the next by more than the margin of error.
 * @param {number} seat @param {Map<number, WinChances>} found @returns {number | null}
 */
function findClearlyBest(seat, found) {
  const [first, second] = [...found].toSorted(([, a], [, b]) => b.shares[seat] - a.shares[seat]);
  if (!second) return null;
  const error = CONFIDENCE_95_FACTOR * Math.sqrt(first[1].errors[seat] ** 2 + second[1].errors[seat] ** 2);
  return first[1].shares[seat] - second[1].shares[seat] > error ? first[0] : null;
}

/** Return whether one of the reasons says that the move is better than the others. @param {Reason[]} reasons */
const isFavoured = (reasons) => reasons.some(({ id }) => FAVOURABLE_REASONS.includes(id));

/**
 * Return the continuations of each move until the player's turn with this number, in the same worlds.
 * @param {Memory} memory @param {PositionView} view @param {number[]} moves @param {number} seed @param {number} turns
 * @param {import("./search.js").Pause} [pause]
 */
async function playContinuations(memory, view, moves, seed, turns, pause) {
  const { counted } = /** @type {SearchDescription} */ (memory.description.search);
  /** @type {Map<number, Continuation[]>} */
  const courses = new Map();
  for (const move of moves) {
    const continuations = [];
    for (let world = 0; world < WORLDS_PER_MOVE && counted.length; world++) {
      continuations.push(playContinuation(memory, view, move, new Generator(seed, world), turns));
      await pause?.();
    }
    courses.set(move, continuations);
  }
  return courses;
}

/**
 * Return, for each move, how it compares with the others at the end of the continuations, or what is expected then.
 * @param {string[]} names @param {string[]} parts of the first @param {Map<number, Continuation[]>} courses
 * @param {number} seat
 * @returns {Map<number, Reason[]>}
 */
function turnChanges(names, parts, courses, seat) {
  if (!names.length) return new Map();
  const moves = [...courses.keys()];
  const expected = dropShared(courses, (own) => expectedChanges(names, own, seat));
  return new Map(
    moves.map((move) => {
      const others = moves.filter((other) => other !== move);
      const compared = laterChanges(names, parts, seat, courses, move, others);
      return [move, compared.length ? compared : (expected.get(move) ?? [])];
    }),
  );
}

/**
 * Return the reasons of each move; none if several moves all have the same, which do not tell them apart.
 * @param {Map<number, Continuation[]>} courses @param {(own: Continuation[]) => Reason[]} explain
 * @returns {Map<number, Reason[]>}
 */
function dropShared(courses, explain) {
  const reasons = new Map([...courses].map(([move, own]) => [move, explain(own)]));
  const kinds = new Set([...reasons.values()].map((some) => JSON.stringify(some)));
  return reasons.size > 1 && kinds.size === 1 ? new Map() : reasons;
}

/**
 * Make the move in an imagined world, and continue until its player's turn with this number.
 * @param {Memory} memory @param {PositionView} view @param {number} move @param {Generator} generator
 * @param {number} turns @returns {Continuation}
 */
function playContinuation(memory, view, move, generator, turns) {
  const { max_seats: seats, generator_length: generatorLength, row_length: rowLength } = memory.description;
  const {
    counted,
    parts,
    follows,
    weights_length: weightsLength,
  } = /** @type {SearchDescription} */ (memory.description.search);
  memory.clear();
  const states = memory.makeRecords(1, view.state);
  const rng = memory.makeRow(generatorLength, generator.describe());
  const moves = memory.makeRow(rowLength);
  const weights = memory.makeRow(weightsLength);
  const width = counted.length + parts.length;
  const counts = memory.makeRows(3 * seats, width);
  const seat = /** @type {number} */ (view.seat);
  memory.call("continue_match", states, seat, move, turns * Number(follows), rng, moves, weights, counts);
  const numbers = memory.readNumbers(counts, 3 * seats * width);
  const readBlock = (/** @type {number} */ block) =>
    Array.from({ length: view.state.players }, (_, other) => {
      const begin = (block * seats + other) * width;
      return numbers.slice(begin, begin + width);
    });
  return { before: readBlock(0)[seat], next: readBlock(1), later: follows ? readBlock(2) : null };
}

/**
 * Return what a move changes before any other seat acts, as far as it is the same in all worlds.
 * @param {string[]} names @param {Continuation[]} courses @param {number} seat @returns {Reason[]}
 */
function immediateChanges(names, courses, seat) {
  const { before, next } = courses[0];
  const changes = names.flatMap((name, i) => {
    const after = next[seat][i];
    const isCertain = courses.every((course) => course.next[seat][i] === after);
    return after !== before[i] && isCertain ? [{ name, n: after - before[i] }] : [];
  });
  return changes.length ? [{ id: "help-at-once", args: { counted: changes } }] : [];
}

/**
 * Return by how much a counted number differs at the next turn from its mean after the other moves, in the same worlds:
 * the first number if it differs, with the part of it that differs most, else the one that differs most clearly; and
 * the range of the first if that is unusually wide.
 * @param {string[]} names @param {string[]} parts of the first @param {number} seat
 * @param {Map<number, Continuation[]>} courses @param {number} move
 * @param {number[]} others @returns {Reason[]}
 */
function laterChanges(names, parts, seat, courses, move, others) {
  const listNumbers = (/** @type {number} */ of, i = 0) =>
    (courses.get(of) ?? []).flatMap(({ later }) => (later ? [later[seat][i]] : []));
  const own = listNumbers(move);
  const rest = others.map((other) => listNumbers(other));
  if (!own.length || !rest.length) return [];
  /** @type {Reason[]} */
  let reasons = [];
  let clearest = 1; // the least ratio of a difference to what could be chance
  const compare = (/** @type {number} */ i) =>
    compareNumbers(
      listNumbers(move, i),
      others.map((other) => listNumbers(other, i)),
    );
  for (const [i, name] of names.entries()) {
    const { ratio, difference } = compare(i);
    if (ratio < clearest || (i > 0 && ratio === clearest && reasons.length)) continue;
    const id = difference > 0 ? "help-more" : "help-less";
    const compared = parts.map((part, k) => ({ part, ...compare(names.length + k) }));
    const main = i ? null : findMainPart(compared, difference);
    const counted = [{ name, n: roundAmount(Math.abs(difference)) }];
    reasons = [{ id, args: { counted, ...(main && { part: main }) } }];
    clearest = i ? ratio : Infinity;
  }
  const deviation = Math.sqrt(variance(own));
  const usual = mean(rest.map((row) => Math.sqrt(variance(row))));
  if (deviation >= 1 && deviation > OPEN_SPREAD_RATIO * usual) {
    const sorted = [...own].sort((a, b) => a - b);
    const tenth = Math.floor(own.length / 10);
    reasons.push({
      id: "help-open",
      args: { name: names[0], low: sorted[tenth], high: sorted[own.length - 1 - tenth] },
    });
  }
  return reasons;
}

/**
 * Return the later reasons without one that only repeats what the move changes at once: that a card more is a card more
 * later, too. The goal of the game is always named.
 * @param {string[]} names @param {Reason[]} immediate @param {Reason[]} later
 */
function dropRepeated(names, immediate, later) {
  const changes = immediate.flatMap(({ args }) => /** @type {{name: string, n: number}[]} */ (args.counted));
  return later.filter(({ id, args }) => {
    if (!["help-more", "help-less"].includes(id)) return true;
    const [{ name }] = args.counted;
    return (
      name === names[0] || !changes.some((change) => change.name === name && change.n > 0 === (id === "help-more"))
    );
  });
}

/**
 * Return the part of the first number that makes up most of its difference, at least half of it, or null.
 * @param {{part: string, ratio: number, difference: number}[]} compared @param {number} whole the difference
 */
function findMainPart(compared, whole) {
  const clear = compared.filter(({ ratio }) => ratio >= 1);
  const shares = clear.map(({ difference }) => difference / whole);
  const largest = Math.max(...shares);
  return largest >= MIN_PART_SHARE ? clear[shares.indexOf(largest)].part : null;
}

/**
 * Return the mean difference of a counted number from its mean after the other moves, as a multiple of the least
 * difference that counts as one, and itself.
 * @param {number[]} own in each world @param {number[][]} rest
 */
function compareNumbers(own, rest) {
  const differences = own.map((count, world) => count - mean(rest.map((row) => row[world])));
  const difference = mean(differences);
  const least = Math.max(MIN_COUNT_DIFFERENCE, 2 * Math.sqrt(variance(differences) / differences.length));
  return { ratio: Math.abs(difference) / least, difference };
}

/**
 * Return by how much what players count will have changed at the player's next turn, on average.
 * @param {string[]} names @param {Continuation[]} courses @param {number} seat @returns {Reason[]}
 */
function expectedChanges(names, courses, seat) {
  const laterCounts = courses.flatMap(({ later }) => (later ? [later[seat]] : []));
  if (!laterCounts.length) return [];
  const changes = names.flatMap((name, i) => {
    const difference = mean(laterCounts.map((row) => row[i])) - courses[0].before[i];
    const amount = roundAmount(Math.abs(difference));
    return amount ? [{ name, n: difference > 0 ? amount : -amount }] : [];
  });
  return changes.length ? [{ id: "help-expected", args: { counted: changes } }] : [];
}

/**
 * Return the opponent whose chance falls most, and the one whose chance rises most, compared with the other moves; if
 * there is none, the one whose count differs.
 * @param {string[]} names @param {number} seat @param {Map<number, WinChances>} found
 * @param {Map<number, Continuation[]>} courses @param {number} move @returns {Reason[]}
 */
function rivalChanges(names, seat, found, courses, move) {
  const changes = rivalChances(
    seat,
    found,
    move,
    [...found.keys()].filter((other) => other !== move),
  );
  return changes.length ? changes : rivalCounts(names, seat, found, courses, move);
}

/**
 * Return the opponent whose chance falls most, and the one whose chance rises most, compared with the other moves.
 * @param {number} seat @param {Map<number, WinChances>} found @param {number} move @param {number[]} others
 * @returns {Reason[]}
 */
function rivalChances(seat, found, move, others) {
  const { shares, errors, counted } = /** @type {WinChances} */ (found.get(move));
  if (!others.length || !counted) return []; // an exact solution only computes the seat's own chance
  if (shares.length === 2) return []; // the only opponent's chance is what the seat's own leaves
  const rest = others.map((other) => /** @type {WinChances} */ (found.get(other)));
  const changes = shares.flatMap((share, rival) => {
    const change = share - mean(rest.map((chances) => chances.shares[rival]));
    const error = Math.sqrt(errors[rival] ** 2 + mean(rest.map((chances) => chances.errors[rival] ** 2)));
    const isClear = Math.abs(change) > Math.max(MIN_SHARE_DIFFERENCE, CONFIDENCE_95_FACTOR * error);
    return rival !== seat && isClear ? [{ change, rival }] : [];
  });
  changes.sort((a, b) => a.change - b.change || a.rival - b.rival);
  const [least, most] = [changes[0], changes.at(-1)];
  /** @type {Reason[]} */
  const reasons = [];
  if (least?.change < 0)
    reasons.push({ id: "help-denies", args: { seat: least.rival, percent: roundHalfToEven(-100 * least.change) } });
  if (most && most.change > 0)
    reasons.push({ id: "help-helps", args: { seat: most.rival, percent: roundHalfToEven(100 * most.change) } });
  return reasons;
}

/**
 * Return the opponent whose first number at the end of the continuations differs most clearly from that after the other
 * moves.
 * @param {string[]} names @param {number} seat @param {Map<number, WinChances>} found
 * @param {Map<number, Continuation[]>} courses @param {number} move @returns {Reason[]}
 */
function rivalCounts(names, seat, found, courses, move) {
  const { shares, counted } = /** @type {WinChances} */ (found.get(move));
  const listNumbers = (/** @type {number} */ of, /** @type {number} */ rival) =>
    (courses.get(of) ?? []).flatMap(({ later }) => (later ? [later[rival][0]] : []));
  const others = [...found.keys()].filter((other) => other !== move);
  if (!others.length || !counted || !names.length || !listNumbers(move, seat).length) return [];
  const compared = shares.flatMap((_, rival) => {
    if (rival === seat) return [];
    const rest = others.map((other) => listNumbers(other, rival));
    return [{ rival, ...compareNumbers(listNumbers(move, rival), rest) }];
  });
  const { rival, ratio, difference } = compared.reduce((first, each) => (each.ratio > first.ratio ? each : first));
  if (ratio < 1 || Math.abs(difference) < MIN_RIVAL_DIFFERENCE) return [];
  const id = difference > 0 ? "help-rival-more" : "help-rival-less";
  return [{ id, args: { seat: rival, counted: [{ name: names[0], n: roundAmount(Math.abs(difference)) }] } }];
}

/** Round an amount to its precision: halves below 2, whole numbers above. @param {number} amount */
const roundAmount = (amount) => (amount >= 2 ? roundHalfToEven(amount) : roundHalfToEven(2 * amount) / 2);
