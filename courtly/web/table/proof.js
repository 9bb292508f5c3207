/** Check the dice: the commitment, and every random event of a finished game, calculated again on this page. */
import { html, nothing } from "lit";
import { dialog, redrawDialogs } from "../dialogs.js";
import { ask } from "../net.js";
import { hex, hmac, sha256, unhex } from "./sha256.js";
import { t } from "../texts.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../types.js").Draw} Draw */
/** @typedef {{secretRight: boolean, count: number, wrong: number | null}} Verdict */

/** @param {Table} table */
export function proof(table) {
  const info = table.info;
  /** @type {Verdict | "working" | "failed"} */
  let verdict = "working";
  if (info.secret) {
    ask("GET", `/api/tables/${info.id}/draws`)
      .then(
        (draws) => verify(info, draws),
        () => /** @type {const} */ ("failed"),
      )
      .then((found) => {
        verdict = found;
        redrawDialogs();
      });
  }
  dialog(
    "proof",
    () => t("prove-dice"),
    () => html`
    <p>${t(info.secret ? "proof-intro" : "proof-later")}</p>
    ${info.secret ? told(verdict) : nothing}
    <dl><dt>${t("proof-commitment")}</dt><dd><code>${info.commitment}</code></dd>
      ${info.secret ? html`<dt>${t("proof-secret")}</dt><dd><code>${info.secret}</code></dd>` : nothing}
      <dt>${t("proof-nonces")}</dt><dd>${info.nonces.map((nonce) => html`<code>${nonce}</code> `)}</dd></dl>
    <p><a href="/proof" target="_blank">${t("proof-apart")}</a></p>`,
  );
}

/** @param {Verdict | "working" | "failed"} verdict */
function told(verdict) {
  if (typeof verdict === "string") return html`<p role="status">${t(`proof-${verdict}`)}</p>`;
  const { secretRight, count, wrong } = verdict;
  return html`<div role="status"><ul class="verdict">
    <li class=${secretRight ? "right" : "wrong"}>${t(secretRight ? "proof-secret-right" : "proof-secret-wrong")}</li>
    <li class=${wrong === null ? "right" : "wrong"}>${
      wrong === null ? t("proof-events-right", { count }) : t("proof-events-wrong", { ply: wrong })
    }</li></ul></div>`;
}

/** @param {import("../types.js").TableInfo} info @param {Draw[]} draws @returns {Verdict} */
export function verify(info, draws) {
  const secret = unhex(info.secret ?? "");
  const wrong = draws.find(
    ({ ply, move, moves, weights }) =>
      moves[chosen(secret, `${info.id}|${info.nonces.join(",")}|${ply}`, weights)] !== move,
  );
  return { secretRight: hex(sha256(secret)) === info.commitment, count: draws.length, wrong: wrong?.ply ?? null };
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
