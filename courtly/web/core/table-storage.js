/**
 * What this browser stores for each table, such as notes and how far the chat was read. Above a limit the tables that
 * were stored longest ago are removed. If storage is not allowed (private window), it lasts as long as the page.
 */

/**
 * @typedef {{read?: number, notes?: Record<string, string>, sent?: import("../game-view/game-view.js").Command | null,
 *   reclaimTokens?: Record<string, string>, at?: number, sealed?: import("./number-exchange.js").StoredNumbers}}
 * StoredTable
 *   `read`: time of the last chat message seen; `notes`: by seat; `sent`: a command to send when the connection is
 *   back; `reclaimTokens`: by seat, tokens that reclaim a seat which a link moved to another browser; `at`: time of the
 *   last change; `sealed`: the numbers that this browser contributed, with the receipt
 */

const STORAGE_KEY = "courtly-tables";
const MAX_STORED_TABLES = 200;

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

/** Return whether this browser has been at a table. */
export const hasStoredTables = () => Object.keys(readAll()).length > 0;

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
    /* storage is not allowed */
  }
}
