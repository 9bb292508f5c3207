/**
 * The random numbers that this browser contributes to a game's dice. The browser first sends a number's SHA-256 (the
 * pledge) and, once all pledges are published, the number. It keeps as a receipt what the server had published by then.
 * See docs/protocol.md, "Chance".
 */
import { saveTableData, loadTableData } from "./table-storage.js";
import { request, randomHex } from "./http-client.js";
import { toHex, sha256, fromHex } from "./sha256.js";

/**
 * @typedef {import("./api-types.js").TableInfo} TableInfo
 * @typedef {{"courtly-receipt": 1 | 2, table: string, game: string, commitment: string, pledges: (string | null)[],
 *   numbers: Record<string, string>, attempts: number}} Receipt
 *   form 1: draws may be numbered by journal entries, see docs/protocol.md; `pledges`: by seat, null without a pledge;
 *   `numbers`: of this browser's seats; `attempts`: how often numbers were sent, 0 if the server accepted none
 * @typedef {{own: Record<string, {number: string, spent?: string}>, receipt?: Receipt}} StoredNumbers
 */

const NUMBER_BYTES = 32;
const RETRY_MS = 2000;

/** Return the SHA-256 of a number, both in hexadecimal. @param {string} number */
const hashNumber = (number) => toHex(sha256(fromHex(number)));

/** @param {string} table @returns {StoredNumbers} */
const loadNumbers = (table) => loadTableData(table).sealed ?? { own: {} };

/** @param {string} table @returns {Receipt | undefined} */
export const getReceipt = (table) => loadNumbers(table).receipt;

/** Store a new number for a seat and return its pledge. @param {string} table @param {number} seat */
export function createPledge(table, seat, number = randomHex(NUMBER_BYTES)) {
  const storedNumbers = loadNumbers(table);
  saveTableData(table, { sealed: { ...storedNumbers, own: { ...storedNumbers.own, [seat]: { number } } } });
  return hashNumber(number);
}

/**
 * Open a table, or its rematch, with a number of this browser. Resolves once the number is sent, or if it cannot be
 * sent yet.
 * @param {string} path @param {object} body @returns {Promise<TableInfo>}
 */
export async function openTable(path, body) {
  const number = randomHex(NUMBER_BYTES);
  const pledge = hashNumber(number);
  const info = await request("POST", path, { ...body, pledge: pledge });
  const seat = info.seats.find((/** @type {any} */ one) => one.you && one.pledge === pledge);
  if (seat) createPledge(info.id, seat.seat, number);
  else if (info.seats.some((/** @type {any} */ one) => one.you)) storeRefusalReceipt(info);
  await sendDueNumbers(info);
  return info;
}

/** Store a receipt that this browser contributed no number, so that the server cannot claim one later. */
function storeRefusalReceipt(/** @type {TableInfo} */ info) {
  if (loadNumbers(info.id).receipt) return;
  saveTableData(info.id, { sealed: { ...loadNumbers(info.id), receipt: createReceipt(info, {}, 0) } });
}

/**
 * @param {TableInfo} info @param {Record<string, string>} numbers @param {number} attempts @returns {Receipt}
 */
const createReceipt = (info, numbers, attempts) => ({
  "courtly-receipt": 2,
  table: info.id,
  game: info.game,
  commitment: info.commitment,
  pledges: info.seats.map(({ seat, pledge }) => pledge || (info.nonces[seat] ? hashNumber(info.nonces[seat]) : null)),
  numbers,
  attempts,
});

/** @type {Map<string, TableInfo>} the last state received of each table */
const latestInfo = new Map();
/** @type {Set<string>} tables with a request in progress */
const sendingTables = new Set();
/** @type {Set<string>} commitments of tables whose foreign pledge was replaced, once each */
const replacedCommitments = new Set();

/** Send the pledges and numbers that this browser owes to a table before the game begins. @param {TableInfo} info */
export async function sendDueNumbers(info) {
  latestInfo.set(info.id, info);
  if (info.status !== "waiting" || sendingTables.has(info.id)) return;
  sendingTables.add(info.id);
  try {
    for (let current = info, body = nextMessage(current); body; body = nextMessage(current)) {
      const answer = await request("POST", `/api/tables/${info.id}/number`, body);
      const latest = latestInfo.get(info.id);
      current = latest && latest !== current ? latest : answer;
      latestInfo.set(info.id, current);
    }
  } catch {
    setTimeout(() => sendDueNumbers(latestInfo.get(info.id) ?? info), RETRY_MS);
  } finally {
    sendingTables.delete(info.id);
  }
}

/** Return the next message to send, or null if there is none. @param {TableInfo} info */
function nextMessage(info) {
  if (info.status !== "waiting") return null;
  for (const seat of info.seats) {
    if (!seat.you || seat.pledge === null || info.nonces[seat.seat]) continue;
    const ownNumber = loadNumbers(info.id).own[seat.seat];
    const isPledged = ownNumber && hashNumber(ownNumber.number) === seat.pledge;
    const receivedKey = JSON.stringify([info.commitment, info.seats.map((seat) => seat.pledge)]);
    if (!isPledged && seat.pledge) {
      if (replacedCommitments.has(info.commitment)) continue; // another browser of the same guest replaced it again
      replacedCommitments.add(info.commitment);
    }
    if (!isPledged || (ownNumber.spent && ownNumber.spent !== receivedKey))
      return { seat: seat.seat, pledge: createPledge(info.id, seat.seat) };
    if (!canSendNumbers(info)) continue;
    storeReceipt(info, seat.seat, receivedKey);
    return { seat: seat.seat, nonce: ownNumber.number };
  }
  return null;
}

/**
 * Store the receipt; called before the number is sent.
 * @param {TableInfo} info @param {number} seat @param {string} seen
 */
function storeReceipt(info, seat, seen) {
  const { own, receipt } = loadNumbers(info.id);
  const first = own[seat].spent !== seen;
  const before = receipt?.commitment === info.commitment ? receipt.numbers : {};
  const attempts = (receipt?.attempts ?? 0) + (first && !Object.keys(before).length ? 1 : 0);
  const numbers = { ...before, [seat]: own[seat].number };
  saveTableData(info.id, {
    sealed: {
      own: { ...own, [seat]: { number: own[seat].number, spent: seen } },
      receipt: createReceipt(info, numbers, attempts),
    },
  });
}

/**
 * Return whether all pledges are in and every player who still has to send a number is connected.
 * @param {TableInfo} info
 */
const canSendNumbers = (info) =>
  info.seats.every(
    ({ seat, kind, pledge, you, connected }) =>
      kind !== "open" && pledge !== "" && (pledge === null || info.nonces[seat] || you || connected),
  );

/** When a game has begun, store a receipt if the server accepted no number of this browser. @param {TableInfo} info */
export function noteGameStart(info) {
  const ownNumbers = loadNumbers(info.id).own;
  if (info.status === "playing" && Object.keys(ownNumbers).length) storeRefusalReceipt(info);
}

/**
 * @typedef {{state: "right" | "wrong" | "unsure", text: string, args?: Record<string, any>}} Finding
 */

/**
 * Return what a receipt proves about a finished game.
 * @param {Receipt | undefined} receipt
 * @param {{table: string, secret: string, nonces: string[], counted: "events" | "entries"}} drawn `counted`: whether
 *   draws are numbered by events or by journal entries
 * @returns {Finding[]}
 */
export function judgeReceipt(receipt, { table, secret, nonces, counted }) {
  const seats = (/** @type {(nonce: string, seat: number) => unknown} */ which) =>
    nonces.flatMap((nonce, seat) => (which(nonce, seat) ? [seat + 1] : [])).join(", ");
  /** @type {Finding[]} */
  const found = [];
  const addFinding = (/** @type {Finding["state"]} */ state, /** @type {string} */ text, args = {}) =>
    found.push({ state, text, args });
  if (counted === "entries")
    addFinding(receipt?.["courtly-receipt"] === 2 ? "wrong" : "unsure", "proof-counted-entries");
  if (receipt) {
    const secretMatches = receipt.table === table && receipt.commitment === hashNumber(secret);
    addFinding(secretMatches ? "right" : "wrong", secretMatches ? "proof-secret-kept" : "proof-secret-changed");
    const ownNumbers = Object.entries(receipt.numbers);
    if (!ownNumbers.length) addFinding("wrong", "proof-number-refused");
    else if (ownNumbers.every(([seat, number]) => nonces[Number(seat)] === number))
      addFinding("right", "proof-number-in");
    else addFinding("wrong", "proof-number-out");
    const changedSeats = seats(
      (nonce, seat) => !(seat in receipt.numbers) && (nonce ? hashNumber(nonce) : null) !== receipt.pledges[seat],
    );
    if (changedSeats) addFinding("wrong", "proof-others-changed", { seats: changedSeats });
    if (receipt.attempts > 1) addFinding("unsure", "proof-redrawn", { count: receipt.attempts - 1 });
  }
  const weak = seats((nonce) => nonce && isWeak(nonce, nonces));
  if (weak) addFinding("wrong", "proof-numbers-weak", { seats: weak });
  const seatsWithoutNumber = seats((nonce) => !nonce);
  if (seatsWithoutNumber) addFinding("unsure", "proof-nothing-added", { seats: seatsWithoutNumber });
  return found;
}

/** Return whether a number is guessable, or equal to another seat's. @param {string} nonce @param {string[]} all */
const isWeak = (nonce, all) =>
  nonce.length < 32 || new Set(nonce.match(/../g)).size < 4 || all.filter((other) => other === nonce).length > 1;
