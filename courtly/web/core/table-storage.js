/**
 * What this browser keeps of each table: notes, how far its talk has been read. The tables that were quiet longest are
 * forgotten when there are too many. A private window may refuse to keep anything; then it holds for the page.
 */

/**
 * @typedef {{read?: number, notes?: Record<string, string>, sent?: import("../game-view/game-view.js").Command | null,
 *   recalls?: Record<string, string>, at?: number, sealed?: import("./number-exchange.js").StoredNumbers}}
 * StoredTable
 * `read`: when the last
 *   was said that was seen; `notes` of each seat; `sent`: a command that waits for the connection; `recalls`: tokens by
 *   which seats that links carried away can be taken back; `at`: when something was kept last; `sealed`: the numbers
 *   that this browser added, with the receipt
 */

const STORAGE_KEY = "courtly-tables";
const MAX_STORED_TABLES = 200; // tables

/** @type {Record<string, StoredTable>} */
let fallback = {};

/** @returns {Record<string, StoredTable>} */
function readAll() {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}");
  } catch {
    return fallback;
  }
}

/** @param {string} table @returns {StoredTable} */
export const loadTableData = (table) => readAll()[table] ?? {};

/** @param {string} table @param {StoredTable} changes */
export function saveTableData(table, changes) {
  const tables = readAll();
  tables[table] = { ...tables[table], ...changes, at: Date.now() };
  const newest = Object.entries(tables).sort(([, one], [, other]) => (other.at ?? 0) - (one.at ?? 0));
  fallback = Object.fromEntries(newest.slice(0, MAX_STORED_TABLES));
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(fallback));
  } catch {
    /* not allowed to keep anything */
  }
}
