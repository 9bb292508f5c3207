/** Check the dice: with what this browser kept, and every random event of a finished game calculated again. */
import { html, nothing } from "lit";
import { dialog, redrawDialogs, said } from "../components/dialogs.js";
import { ask } from "../core/http-client.js";
import { save } from "../core/save-file.js";
import { judge, receiptOf } from "./number-exchange.js";
import { hex, hmac, sha256, unhex } from "./sha256.js";
import { t } from "../core/i18n.js";

/** @typedef {import("./game-view.js").Table} Table @typedef {import("./number-exchange.js").Finding} Finding */
/** @typedef {import("../core/api-types.js").Cue} Cue @typedef {import("../core/api-types.js").RandomEvent} Draw */
/** @typedef {import("../core/api-types.js").TableInfo} TableInfo */

/** @param {Table} table */
export function proof(table) {
  const { info } = table;
  const receipt = receiptOf(info.id);
  /** @type {Finding[] | "working" | "failed"} */
  let verdict = "working";
  /** @type {Finding | "working" | string | null} by the rules, once it was asked for; a string says why it cannot be */
  let ruled = null;
  const askRules = async () => {
    ruled = "working";
    redrawDialogs();
    ruled = await byTheRules(table, counted(verdict));
    redrawDialogs();
  };
  if (info.secret) {
    examined(info).then((found) => {
      verdict = found;
      redrawDialogs();
    });
  }
  dialog(
    "proof",
    () => t("prove-dice"),
    () => html`
    <p>${t(info.secret ? "proof-intro" : "proof-later")}</p>
    ${info.secret ? told(verdict, ruled, askRules) : nothing}
    <dl><dt>${t("proof-commitment")}</dt><dd><code>${info.commitment}</code></dd>
      ${info.secret ? html`<dt>${t("proof-secret")}</dt><dd><code>${info.secret}</code></dd>` : nothing}
      <dt>${t("proof-nonces")}</dt><dd>${info.nonces.map((nonce) => html`<code>${nonce || "–"}</code> `)}</dd></dl>
    ${
      receipt
        ? html`<p>${t("proof-receipt-help")}</p><button class="button quiet small"
          @click=${() => save(JSON.stringify(receipt), `${info.game}-${info.id}-receipt.json`)}>${t(
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
function told(verdict, ruled, askRules) {
  if (typeof verdict === "string") return html`<p role="status">${t(`proof-${verdict}`)}</p>`;
  const found = typeof ruled === "string" || !ruled ? verdict : summedUp(verdict, ruled);
  return html`<div role="status"><ul class="verdict">
    ${found.map(({ state, text, args }) => html`<li class=${state}>${t(text, args)}</li>`)}</ul>
    ${typeof ruled === "string" ? html`<p>${ruled === "working" ? t("proof-working") : ruled}</p>` : nothing}
    <p>${t("proof-unknowable")}</p></div>
    ${
      ruled === "working" || found !== verdict || !verdict.some(({ text }) => text === "proof-lists")
        ? nothing
        : html`<p>${t("offline-size", { megabytes: document.documentElement.dataset.megabytes ?? "" })}</p>
          <p class="buttons"><button class="button quiet small" @click=${askRules}>${t("proof-rules")}</button></p>`
    }`;
}

/** @param {Finding[] | string} verdict */
const counted = (verdict) =>
  Array.isArray(verdict) && verdict.some(({ text }) => text === "proof-counted-entries") ? undefined : "events";

/**
 * What was found once the rules were asked, too.
 * @param {Finding[]} verdict @param {Finding} ruled @returns {Finding[]}
 */
function summedUp(verdict, ruled) {
  const found = verdict.map((one) => (one.text === "proof-lists" ? ruled : one));
  if (ruled.state === "wrong") return found.filter(({ text }) => !["proof-bound", "proof-consistent"].includes(text));
  return found.map((one) => (one.text === "proof-bound" ? { ...one, text: "proof-fair" } : one));
}

/**
 * Replay the record by the game's rules in this browser, and compare it with what was shown here.
 * @param {Table} table @param {"events" | undefined} numbered what numbers its draws: see docs/protocol.md
 * @returns {Promise<Finding | string>} why it cannot be done, as text
 */
async function byTheRules({ info, logs }, numbered) {
  const [{ House }, { keepAll }] = await Promise.all([
    import("../offline/local-game.js"),
    import("../offline/service-worker-setup.js"),
  ]);
  const house = new House();
  try {
    const record = await ask("GET", `/api/tables/${info.id}/record`);
    const { secret, table, nonces, counted } = JSON.parse(record.slice(0, record.indexOf("\n"))).chance;
    const drawn = [info.secret, info.id, info.nonces, numbered];
    let same = JSON.stringify([secret, table, nonces, counted]) === JSON.stringify(drawn);
    for (const [seat, log] of logs) {
      const { cues } = await house.ask("replay", record, seat);
      same &&= isShown(log, cues);
    }
    keepAll().catch(() => {});
    return { state: same ? "right" : "wrong", text: same ? "proof-rules-right" : "proof-rules-other" };
  } catch (/** @type {any} */ error) {
    if (error.id === "error-record") return { state: "wrong", text: "proof-rules-wrong", args: error.args };
    return said(error);
  } finally {
    house.close();
  }
}

/** Is what an audience was shown all that the record gives, to its end? @param {Cue[]} log @param {Cue[]} cues */
function isShown(log, cues) {
  const told = (/** @type {Cue} */ cue) => JSON.stringify([cue.seat, cue.verb, cue.args]);
  return (log.at(-1)?.n ?? -1) === cues.length - 1 && log.every((cue) => told(cue) === told(cues[cue.n]));
}

/** @param {TableInfo} info @returns {Promise<Finding[] | "failed">} */
async function examined(info) {
  try {
    return verify(info, await ask("GET", `/api/tables/${info.id}/draws`));
  } catch {
    return "failed";
  }
}

/** @type {Map<string, Finding[]>} what is wrong with the dice of finished games of this page */
const wrongs = new Map();

/** At the end of a game: heard of only where something is wrong. @param {Table} table */
export function alarm(table) {
  const { info } = table;
  if (!info.id || !info.secret || !receiptOf(info.id)) return nothing;
  if (!wrongs.has(info.id)) {
    wrongs.set(info.id, []);
    examined(info).then((found) => {
      wrongs.set(info.id, found === "failed" ? [] : found.filter(({ state }) => state === "wrong"));
      table.refresh();
    });
  }
  const wrong = wrongs.get(info.id) ?? [];
  if (!wrong.length) return nothing;
  return html`<div class="alarm" role="alert"><b>${t("proof-alarm")}</b>
    <ul class="verdict">${wrong.map(({ text, args }) => html`<li class="wrong">${t(text, args)}</li>`)}</ul></div>`;
}

/** @param {TableInfo} info @param {Draw[]} draws @returns {Finding[]} */
export function verify(info, draws) {
  const receipt = receiptOf(info.id);
  const secret = unhex(info.secret ?? "");
  const counted = draws.every(({ place }, n) => place === n) ? "events" : "entries";
  const found = judge(receipt, { table: info.id, secret: info.secret ?? "", nonces: info.nonces, counted });
  if (hex(sha256(secret)) !== info.commitment) found.push({ state: "wrong", text: "proof-secret-wrong" });
  const wrong = draws.find(
    ({ ply, move, moves, weights }, n) =>
      moves[chosen(secret, `${info.id}|${info.nonces.join(",")}|${counted === "events" ? n : ply}`, weights)] !== move,
  );
  if (wrong) found.push({ state: "wrong", text: "proof-events-wrong", args: { ply: wrong.ply } });
  else found.push({ state: "right", text: "proof-events-right", args: { count: draws.length } });
  if (draws.length) found.push({ state: "unsure", text: "proof-lists" });
  if (counted === "entries" || found.some(({ state }) => state === "wrong")) return found;
  return [receipt ? { state: "right", text: "proof-bound" } : { state: "unsure", text: "proof-consistent" }, ...found];
}

const RANGE = 1n << 64n;

/**
 * Which outcome the secret gives: see docs/protocol.md, "Chance".
 * @param {Uint8Array} secret @param {string} event @param {number[]} weights
 */
function chosen(secret, event, weights) {
  const total = BigInt(weights.reduce((sum, weight) => sum + weight, 0));
  const bound = RANGE - (RANGE % total);
  for (let attempt = 0; ; attempt++) {
    const number = new DataView(hmac(secret, new TextEncoder().encode(`${event}|${attempt}`)).buffer).getBigUint64(0);
    if (number >= bound) continue; // so that every outcome gets its exact share
    let rest = Number(number % total);
    return weights.findIndex((weight) => {
      rest -= weight;
      return rest < 0;
    });
  }
}
