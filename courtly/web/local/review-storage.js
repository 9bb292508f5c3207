/**
 * The reviews that this device has made or begun. Above a limit the oldest are removed. If storage is full or not
 * allowed, a review is made again when it is needed again.
 */
import { REVIEW_FORMAT, SIMULATIONS } from "../bots/review-settings.js";
import { sha256, toHex } from "../core/sha256.js";

/**
 * @typedef {import("../core/api-types.js").Decision} Decision @typedef {import("../core/api-types.js").Review} Review
 */

const KEY_PREFIX = "courtly-review-";
const MAX_STORED_REVIEWS = 20;
const MAX_STORED_CHARACTERS = 1_500_000; // of all reviews; a site can store about 5 million

/**
 * Return the key under which the review of a game is stored. It is the same for all records of the game, in which the
 * players may have other names, and another one for other games, formats of reviews, and numbers of simulations.
 * @param {string} record
 */
export function getReviewKey(record) {
  const content = JSON.stringify([REVIEW_FORMAT, SIMULATIONS, removeNames(record)]);
  return KEY_PREFIX + toHex(sha256(new TextEncoder().encode(content)));
}

/** @param {string} record */
function removeNames(record) {
  const end = record.indexOf("\n");
  try {
    const { seats: _, ...head } = JSON.parse(record.slice(0, end));
    return [head, record.slice(end)];
  } catch {
    return record; // it is not valid, which the review will find
  }
}

/**
 * Return a stored review; null if there is none, or none that can be read.
 * @param {string} key @returns {Review | null}
 */
export function loadReview(key) {
  const content = loadContent(key);
  return isReview(content) ? content : null;
}

/**
 * Return the decisions that were judged before the review was interrupted, each at its index.
 * @param {string} key @returns {(Decision | null)[]}
 */
export function loadDecisions(key) {
  const content = loadContent(key);
  return Array.isArray(content) ? content.map((decision) => (isDecision(decision) ? decision : null)) : [];
}

/** @param {string} key @returns {any} */
function loadContent(key) {
  try {
    const text = localStorage.getItem(key) ?? "";
    return JSON.parse(text.slice(text.indexOf(" ")));
  } catch {
    return null;
  }
}

/**
 * Store a review, or the decisions that have been judged for it.
 * @param {string} key @param {Review | (Decision | null)[]} content
 */
export function storeReview(key, content) {
  const text = `${Date.now()} ${JSON.stringify(content)}`;
  if (text.length > MAX_STORED_CHARACTERS) return;
  try {
    makeRoom(key, text.length);
    localStorage.setItem(key, text);
  } catch {
    /* storage is full or not allowed */
  }
}

/**
 * Remove the oldest reviews, so that another one can be stored.
 * @param {string} key @param {number} length of its text
 */
function makeRoom(key, length) {
  const newestFirst = Object.keys(localStorage)
    .filter((other) => other.startsWith(KEY_PREFIX) && other !== key)
    .map((other) => ({ other, text: localStorage.getItem(other) ?? "" }))
    .sort((one, two) => readTime(two.text) - readTime(one.text));
  let total = length;
  for (const [i, { other, text }] of newestFirst.entries()) {
    total += text.length;
    if (i + 1 >= MAX_STORED_REVIEWS || total > MAX_STORED_CHARACTERS) localStorage.removeItem(other);
  }
}

/** @param {string} text of a stored review */
const readTime = (text) => Number.parseFloat(text) || 0;

/** @param {any} content */
const isReview = (content) =>
  content?.form === REVIEW_FORMAT &&
  [content.scores, content.balances].every((list) => Array.isArray(list) && list.length === content.players) &&
  Array.isArray(content.decisions) &&
  content.decisions.every(isDecision);

/** @param {any} decision */
const isDecision = (decision) =>
  Array.isArray(decision?.tallies) && Boolean(decision.tallies[decision.played]?.chances);
