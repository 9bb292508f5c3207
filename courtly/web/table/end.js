/** The end of a game: final scores and what next, in one view even on a phone; below, how each score came about. */
import { html, nothing } from "lit";
import { proof } from "./proof.js";
import { review } from "./review.js";
import { t } from "../texts.js";

/** @typedef {import("./table.js").Table} Table */

/** @param {Table} table */
export function end(table) {
  const { ui, board, info } = table;
  const view = /** @type {import("../types.js").View} */ (ui.view);
  const scores = view.scores ?? [];
  const ranks = info.seats.map((seat) => seat.seat).sort((a, b) => scores[b] - scores[a]);
  return html`<section class="end" aria-labelledby="end-heading">
    <h2 id="end-heading" tabindex="-1">${t("game-over")}</h2>
    <ol class="ranks">${ranks.map(
      (seat) => html`<li class="tint-${seat} ${scores[seat] === scores[ranks[0]] ? "best" : ""}">
      <span class="place">${1 + ranks.filter((other) => scores[other] > scores[seat]).length}</span>
      ${ui.shield(seat)}<b class="name">${ui.name(seat)}</b><b
      class="score of-game">${board.score?.(view, seat, ui) ?? scores[seat]}</b></li>`,
    )}</ol>
    <div class="buttons">${again(table)}
      ${info.id ? html`<a class="button quiet" href="/t/${info.id}?ply=0">${t("replay-watch")}</a>` : nothing}
      ${looking(table)}<a class="button quiet" href="/">${t("to-lobby")}</a></div>
    ${lacking(table)}
    <div class="outcome of-game">${board.outcome?.(view, ui)}</div>
    ${info.id ? proofs(table) : nothing}
  </section>`;
}

/** What anybody can check, and take along. @param {Table} table */
function proofs(table) {
  const { info } = table;
  return html`<div class="buttons">
      <button class="button quiet small" @click=${() => proof(table)}>${t("prove-dice")}</button>
      <a class="button quiet small" href="/api/tables/${info.id}/record"
          download="${info.game}-${info.id}.jsonl">${t("download-record")}</a>
    </div>`;
}

/** @param {Table} table */
function again(table) {
  if (!table.info.id) return html`<a class="button" href=${location.pathname}>${t("rematch")}</a>`;
  if (table.info.next) return html`<a class="button" href="/t/${table.info.next}">${t("rematch-ready")}</a>`;
  if (!table.mine.length) return nothing;
  return html`<button class="button" @click=${async () => {
    const next = await table.tell("rematch");
    if (next) location.href = `/t/${next.id}`;
  }}>${t("rematch")}</button>`;
}

/** The way to what decided the game. @param {Table} table */
function looking(table) {
  if (!table.info.review) return nothing;
  const cannot = table.info.review.state === "impossible";
  return html`<button class="button quiet" ?disabled=${cannot} aria-describedby=${cannot ? "review-lacks" : nothing}
      @click=${() => review(table)}>${t("review")}</button>`;
}

/** @param {Table} table */
const lacking = ({ info }) =>
  info.review?.state === "impossible"
    ? html`<p class="lacks quiet" id="review-lacks">${t("error-no-machine-code")}</p>`
    : nothing;
