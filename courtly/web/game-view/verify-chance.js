/** Verification of chance: by this browser's receipt, and by recomputing every random event of a finished game. */
import { html, nothing } from "lit";
import { openDialog, redrawDialogs, formatError } from "../components/dialogs.js";
import { request } from "../core/http-client.js";
import { downloadFile } from "../core/save-file.js";
import { judgeReceipt, getReceipt } from "../core/number-exchange.js";
import { drawOutcome } from "../core/committed-draw.js";
import { toHex, sha256, fromHex } from "../core/sha256.js";
import { t } from "../core/i18n.js";

/** @typedef {import("./game-view.js").GameView} GameView */
/** @typedef {import("../core/number-exchange.js").Finding} Finding */
/** @typedef {import("../core/api-types.js").Cue} Cue @typedef {import("../core/api-types.js").RandomEvent} Draw */
/** @typedef {import("../core/api-types.js").TableInfo} TableInfo */

/** @param {GameView} table */
export function openVerification(table) {
  const { info } = table;
  const receipt = getReceipt(info.id);
  /** @type {Finding[] | "working" | "failed"} */
  let verdict = "working";
  /** @type {Finding | "working" | string | null} the result by the rules, on request; a string says why it failed */
  let drawsFinding = null;
  const askRules = async () => {
    drawsFinding = "working";
    redrawDialogs();
    drawsFinding = await verifyByRules(table, numberingOf(verdict));
    redrawDialogs();
  };
  if (info.secret) {
    fetchFindings(info).then((found) => {
      verdict = found;
      redrawDialogs();
    });
  }
  openDialog(
    "proof",
    () => t("prove-chance"),
    () => html`
    <p>${t(info.secret ? "proof-intro" : "proof-later")}</p>
    ${info.secret ? renderVerdict(verdict, drawsFinding, askRules) : nothing}
    <dl><dt>${t("proof-commitment")}</dt><dd><code>${info.commitment}</code></dd>
      ${info.secret ? html`<dt>${t("proof-secret")}</dt><dd><code>${info.secret}</code></dd>` : nothing}
      <dt>${t("proof-nonces")}</dt><dd>${info.nonces.map((nonce) => html`<code>${nonce || "–"}</code> `)}</dd></dl>
    ${
      receipt
        ? html`<p>${t("proof-receipt-help")}</p><button class="button quiet small"
          @click=${() => downloadFile(JSON.stringify(receipt), `${info.game}-${info.id}-receipt.json`)}>${t(
            "proof-receipt",
          )}</button>`
        : nothing
    }
    <p><a href="/proof" target="_blank">${t("proof-apart")}</a></p>`,
  );
}

/**
 * @param {Finding[] | "working" | "failed"} verdict @param {Finding | string | null} ruled @param {() => void} askRules
 */
function renderVerdict(verdict, ruled, askRules) {
  if (typeof verdict === "string") return html`<p role="status">${t(`proof-${verdict}`)}</p>`;
  const found = typeof ruled === "string" || !ruled ? verdict : mergeFindings(verdict, ruled);
  return html`<div role="status"><ul class="verdict">
    ${found.map(({ state, text, args }) => html`<li class=${state}>${t(text, args)}</li>`)}</ul>
    ${typeof ruled === "string" ? html`<p>${ruled === "working" ? t("proof-working") : ruled}</p>` : nothing}
    <p>${t("proof-unknowable")}</p></div>
    ${
      ruled === "working" || found !== verdict || !verdict.some(({ text }) => text === "proof-lists")
        ? nothing
        : html`<p class="buttons"><button class="button quiet small"
            @click=${askRules}>${t("proof-rules")}</button></p>`
    }`;
}

/** @param {Finding[] | string} verdict */
const numberingOf = (verdict) =>
  Array.isArray(verdict) && verdict.some(({ text }) => text === "proof-counted-entries") ? undefined : "events";

/**
 * Add the result of the verification by the rules to the findings.
 * @param {Finding[]} verdict @param {Finding} ruled @returns {Finding[]}
 */
function mergeFindings(verdict, ruled) {
  const findings = verdict.map((finding) => (finding.text === "proof-lists" ? ruled : finding));
  if (ruled.state === "wrong")
    return findings.filter(({ text }) => !["proof-bound", "proof-consistent"].includes(text));
  return findings.map((finding) => (finding.text === "proof-bound" ? { ...finding, text: "proof-fair" } : finding));
}

/**
 * Replay the record with the game's rules in this browser, and compare it with the cues shown here.
 * @param {GameView} table @param {"events" | undefined} numbered how its draws are numbered: see docs/protocol.md
 * @returns {Promise<Finding | string>} a text if it cannot be done
 */
async function verifyByRules({ info, logs }, numbered) {
  const { GameWorkerClient } = await import("../local/game-worker-client.js");
  const games = new GameWorkerClient();
  try {
    const record = await request("GET", `/api/tables/${info.id}/record`);
    const { secret, table, nonces, counted } = JSON.parse(record.slice(0, record.indexOf("\n"))).chance;
    const expected = [info.secret, info.id, info.nonces, numbered];
    let isConsistent = JSON.stringify([secret, table, nonces, counted]) === JSON.stringify(expected);
    for (const [seat, log] of logs) {
      const { cues } = await games.call("replay", record, seat);
      isConsistent &&= isShown(log, cues);
    }
    return { state: isConsistent ? "right" : "wrong", text: isConsistent ? "proof-rules-right" : "proof-rules-other" };
  } catch (/** @type {any} */ error) {
    if (error.id === "error-record") return { state: "wrong", text: "proof-rules-wrong", args: error.args };
    return formatError(error);
  } finally {
    games.close();
  }
}

/** Return whether the cues that an audience saw match the record, to its end. @param {Cue[]} log @param {Cue[]} cues */
function isShown(log, cues) {
  const toKey = (/** @type {Cue} */ cue) => JSON.stringify([cue.seat, cue.verb, cue.args]);
  return (log.at(-1)?.n ?? -1) === cues.length - 1 && log.every((cue) => toKey(cue) === toKey(cues[cue.n]));
}

/** @param {TableInfo} info @returns {Promise<Finding[] | "failed">} */
async function fetchFindings(info) {
  try {
    return verify(info, await request("GET", `/api/tables/${info.id}/draws`));
  } catch {
    return "failed";
  }
}

/** @type {Map<string, Finding[]>} failed findings of finished games, by table */
const failuresByTable = new Map();

/** Render a warning at the end of a game if the verification fails. @param {GameView} table */
export function renderAlarm(table) {
  const { info } = table;
  if (!info.id || !info.secret || !getReceipt(info.id)) return nothing;
  if (!failuresByTable.has(info.id)) {
    failuresByTable.set(info.id, []);
    fetchFindings(info).then((found) => {
      failuresByTable.set(info.id, found === "failed" ? [] : found.filter(({ state }) => state === "wrong"));
      table.refresh();
    });
  }
  const failures = failuresByTable.get(info.id) ?? [];
  if (!failures.length) return nothing;
  return html`<div class="alarm" role="alert"><b>${t("proof-alarm")}</b>
    <ul class="verdict">${failures.map(({ text, args }) => html`<li class="wrong">${t(text, args)}</li>`)}</ul></div>`;
}

/** @param {TableInfo} info @param {Draw[]} draws @returns {Finding[]} */
export function verify(info, draws) {
  const receipt = getReceipt(info.id);
  const secret = fromHex(info.secret ?? "");
  const numbering = draws.every(({ draw }, n) => draw === n) ? "events" : "entries";
  const found = judgeReceipt(receipt, {
    table: info.id,
    secret: info.secret ?? "",
    nonces: info.nonces,
    counted: numbering,
  });
  if (toHex(sha256(secret)) !== info.commitment) found.push({ state: "wrong", text: "proof-secret-wrong" });
  const mismatch = draws.find(
    ({ ply, move, moves, weights }, n) =>
      moves[drawOutcome(secret, `${info.id}|${info.nonces.join(",")}|${numbering === "events" ? n : ply}`, weights)] !==
      move,
  );
  if (mismatch) found.push({ state: "wrong", text: "proof-events-wrong", args: { ply: mismatch.ply } });
  else found.push({ state: "right", text: "proof-events-right", args: { count: draws.length } });
  if (draws.length) found.push({ state: "unsure", text: "proof-lists" });
  if (numbering === "entries" || found.some(({ state }) => state === "wrong")) return found;
  return [receipt ? { state: "right", text: "proof-bound" } : { state: "unsure", text: "proof-consistent" }, ...found];
}
