/**
 * What this browser keeps of each table: notes, how far its talk has been read. The tables that were quiet longest are
 * forgotten when there are too many. A private window may refuse to keep anything; then it holds for the page.
 */

/**
 * @typedef {{read?: number, notes?: Record<string, string>, sent?: import("../game-view/game-view.js").Command | null,
 *   recalls?: Record<string, string>, at?: number, sealed?: import("../game-view/number-exchange.js").Sealed}} Kept
 * `read`: when the last
 *   was said that was seen; `notes` of each seat; `sent`: a command that waits for the connection; `recalls`: tokens by
 *   which seats that links carried away can be taken back; `at`: when something was kept last; `sealed`: the numbers
 *   that this browser added, with the receipt
 */

const KEY = "courtly-tables";
const MOST = 200; // tables

/** @type {Record<string, Kept>} */
let fallback = {};

/** @returns {Record<string, Kept>} */
function all() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return fallback;
  }
}

/** @param {string} table @returns {Kept} */
export const kept = (table) => all()[table] ?? {};

/** @param {string} table @param {Kept} more */
export function keep(table, more) {
  const tables = all();
  tables[table] = { ...tables[table], ...more, at: Date.now() };
  const newest = Object.entries(tables).sort(([, one], [, other]) => (other.at ?? 0) - (one.at ?? 0));
  fallback = Object.fromEntries(newest.slice(0, MOST));
  try {
    localStorage.setItem(KEY, JSON.stringify(fallback));
  } catch {
    /* not allowed to keep anything */
  }
}
