/** Facts: what the rules derive from a view. The meaning of their declaration: courtly/engine/facts.py. */

/** @typedef {import("./description.js").Fact} Fact @typedef {import("./description.js").FactAxis} FactAxis */
/** @typedef {import("./description.js").FactsDescription} FactsDescription */

export const NOTHING = -(2 ** 31); // a number that has no value

/**
 * Return facts as boards get them.
 * @param {FactsDescription} description @param {Int32Array} numbers that a compiled game has written
 * @param {number} players how many there are
 */
export const readFacts = ({ fields }, numbers, players) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, fact]) => [name, readFact(fact, numbersOf(fact, numbers), fact.axes, players)]),
  );

/** Return how many numbers stand for a value along these axes. @param {Fact} fact @param {FactAxis[]} axes */
const countNumbers = (fact, axes) => axes.reduce((count, { length }) => count * length, fact.length ?? 1);

/** Return the numbers of a field. @param {Fact} fact @param {Int32Array} numbers of a record */
const numbersOf = (fact, numbers) => numbers.subarray(fact.offset, fact.offset + countNumbers(fact, fact.axes));

/**
 * @param {Fact} fact @param {Int32Array} numbers @param {FactAxis[]} axes @param {number} players
 * @returns {any}
 */
function readFact(fact, numbers, [axis, ...inner], players) {
  if (!axis) return readItem(fact, numbers, players);
  const size = countNumbers(fact, inner);
  const count = axis.kind === "players" ? players : axis.length;
  const parts = Array.from({ length: count }, (_, i) => numbers.subarray(i * size, (i + 1) * size));
  const read = (/** @type {Int32Array} */ part) => readFact(fact, part, inner, players);
  if (axis.kind === "up-to") {
    const end = parts.findIndex((part) => !hasValue(fact, part));
    return parts.slice(0, end < 0 ? count : end).map(read);
  }
  if (axis.kind === "keyed") {
    const { names } = /** @type {{names: string[]}} */ (axis);
    return Object.fromEntries(parts.flatMap((part, i) => (hasValue(fact, part) ? [[names[i], read(part)]] : [])));
  }
  const items = parts.map(read);
  return axis.kind === "players" || items.some((item) => item !== null) ? items : null;
}

/** @param {Fact} fact @param {Int32Array} numbers @param {number} players */
function readItem(fact, numbers, players) {
  if (fact.kind === "record")
    return hasValue(fact, numbers) ? readFacts(/** @type {FactsDescription} */ (fact), numbers, players) : null;
  const [number] = numbers;
  if (number === NOTHING) return null;
  if (fact.kind === "word") return /** @type {string[]} */ (fact.words)[number];
  if (fact.kind === "members") return Array.from({ length: 31 }, (_, i) => i).filter((i) => (number >> i) & 1);
  return number;
}

/**
 * Return whether any number of a value has one. Working space of records does not count.
 * @param {Fact} fact @param {Int32Array} numbers of one value, or of several side by side @returns {boolean}
 */
function hasValue(fact, numbers) {
  if (fact.kind !== "record") return numbers.some((number) => number !== NOTHING);
  const { length, fields } = /** @type {FactsDescription} */ (fact);
  for (let begin = 0; begin < numbers.length; begin += length)
    if (Object.values(fields).some((inner) => hasValue(inner, numbersOf(inner, numbers.subarray(begin))))) return true;
  return false;
}
