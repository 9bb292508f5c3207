/** The end of a game: final scores and next actions, in one view even on a phone; below, how each score was reached. */
import { html, nothing } from "lit";
import { showError } from "../components/dialogs.js";
import { renderAlarm, openVerification } from "./verify-chance.js";
import { replayAddress } from "./replay/viewpoint.js";
import { openReview } from "./review.js";
import { formatResult } from "./status-line.js";
import { downloadFile } from "../core/save-file.js";
import { openTable } from "../core/number-exchange.js";
import { t } from "../core/i18n.js";

/** @typedef {import("./game-view.js").GameView} GameView */

/** Render the result, or the button that brings it back. @param {GameView} table */
export function renderGameEnd(table) {
  const { ui, board, info, endDisplay } = table;
  if (endDisplay.isAside)
    return html`<div class="end-aside"><button class="button small" @click=${() => endDisplay.putAside(false)}>${t(
      "end-show",
    )}</button></div>`;
  const view = /** @type {import("../core/api-types.js").View} */ (ui.view);
  const scores = view.scores ?? [];
  const ranks = info.seats.map((seat) => seat.seat).sort((a, b) => scores[b] - scores[a]);
  return html`<section class="end" aria-labelledby="end-heading">
    <h2 id="end-heading" tabindex="-1">${formatResult(table)}</h2>
    ${renderAlarm(table)}
    <ol class="ranks">${ranks.map(
      (seat) => html`<li class="tint-${seat} ${scores[seat] === scores[ranks[0]] ? "best" : ""}">
      <span class="place">${1 + ranks.filter((other) => scores[other] > scores[seat]).length}</span>
      ${ui.renderShield(seat)}<b class="name">${ui.playerName(seat)}${renderTag(info.seats, seat)}</b><b
      class="score of-game">${board.score?.(view, seat, ui) ?? scores[seat]}</b></li>`,
    )}</ol>
    <div class="buttons">${renderRematch(table)}
      ${renderWatchLink(table)}
      ${renderReviewButton(table)}
      ${
        table.isPlain
          ? nothing
          : html`<button class="button quiet" @click=${() => endDisplay.putAside(true)}>${t("end-board")}</button>`
      }
      ${table.source.leave ? nothing : html`<a class="button quiet" href="/">${t("to-lobby")}</a>`}</div>
    ${renderReviewUnavailable(table)}
    <div class="outcome of-game">${board.outcome?.(view, ui)}</div>
    ${renderVerifyButtons(table)}
  </section>`;
}

/**
 * Render a bot's level, or which player is the reader.
 * @param {import("../core/api-types.js").Seat[]} seats @param {number} n
 */
function renderTag(seats, n) {
  const { kind, bot, you } = seats[n];
  const isOnlyMe = you && seats.filter((seat) => seat.you).length === 1;
  const text = kind === "bot" ? t("seat-bot", { bot: t(`bot-${bot}`) }) : isOnlyMe ? t("you") : "";
  return text ? html` <span class="tag">${text}</span>` : nothing;
}

/** Render the link to the replay. @param {GameView} table */
function renderWatchLink(table) {
  const { info, source } = table;
  if (info.id) return html`<a class="button quiet" href=${replayAddress(info.id, info.seats)}>${t("replay-watch")}</a>`;
  if (!source.fetchReplay) return nothing;
  return html`<button class="button quiet"
      @click=${async () =>
        (await import("./replay/from-live-game.js")).replayFinishedGame(table)}>${t("replay-watch")}</button>`;
}

/** Render the buttons for checking the dice and downloading the record. @param {GameView} table */
function renderVerifyButtons(table) {
  const { info, source } = table;
  if (!info.id && source.exportRecord)
    return html`<div class="buttons"><button class="button quiet small"
      @click=${async () => downloadFile(await /** @type {any} */ (source).exportRecord(), `${info.game}.jsonl`)}>${t(
        "download-record",
      )}</button></div>`;
  if (!info.id) return nothing;
  return html`<div class="buttons">
      <button class="button quiet small" @click=${() => openVerification(table)}>${t("prove-chance")}</button>
      <a class="button quiet small" href="/api/tables/${info.id}/record"
          download="${info.game}-${info.id}.jsonl">${t("download-record")}</a>
    </div>`;
}

/** @param {GameView} table */
function renderRematch(table) {
  const { leave } = table.source;
  if (leave) return html`<button class="button" @click=${leave}>${t("rematch")}</button>`;
  if (!table.info.id) return html`<a class="button" href=${location.pathname}>${t("rematch")}</a>`;
  if (table.info.rematch_id)
    return html`<a class="button" href="/t/${table.info.rematch_id}">${t("rematch-ready")}</a>`;
  if (!table.mySeats.length) return nothing;
  return html`<button class="button" @click=${async () => {
    try {
      location.href = `/t/${(await openTable(`/api/tables/${table.info.id}/rematch`, {})).id}`;
    } catch (error) {
      showError(error);
    }
  }}>${t("rematch")}</button>`;
}

/** Render the button that opens the review. @param {GameView} table */
function renderReviewButton(table) {
  if (!table.gameReview.isOffered) return nothing;
  const cannot = table.gameReview.isImpossible;
  return html`<button class="button quiet" ?disabled=${cannot} aria-describedby=${cannot ? "review-lacks" : nothing}
      @click=${() => openReview(table)}>${t("review")}</button>`;
}

/** @param {GameView} table */
const renderReviewUnavailable = ({ gameReview }) =>
  gameReview.isImpossible ? html`<p class="lacks quiet" id="review-lacks">${t("error-no-machine-code")}</p>` : nothing;
