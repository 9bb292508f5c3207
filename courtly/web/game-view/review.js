/** The review of a finished game, made on request: chances over its course, turning points, choices and luck. */
import { html, nothing } from "lit";
import { findBestMove, findPlayedMove, isAboutBest, listTurningPoints, rankMoves } from "./decision-ranking.js";
import { renderWinGraph, toPercent, roundToTotal } from "./win-graph.js";
import { openDialog, redrawDialogs, formatError } from "../components/dialogs.js";
import { formatSigned, t } from "../core/i18n.js";

/**
 * @typedef {import("./game-view.js").GameView} GameView
 * @typedef {import("../board-sdk/board-context.js").BoardContext} BoardContext
 */
/**
 * @typedef {import("../core/api-types.js").Review} Review
 * @typedef {import("../core/api-types.js").Decision} Decision
 */
/** @typedef {(at: number) => void} SelectDecision looks at a decision */

/** Format a change of a chance, in percentage points. @param {number} change in percent */
const formatChange = (change) => formatSigned(change);

/** @param {GameView} table */
export function openReview(table) {
  const { gameReview, info } = table;
  let selected = -1;
  gameReview.begin();
  openDialog(
    "review",
    () => t("review-title"),
    (close) => {
      const { review } = gameReview;
      if (!review) return renderReviewProgress(table);
      if (selected < 0) selected = firstOfInterest(review, table);
      const selectDecision = (/** @type {number} */ at) => {
        selected = at;
        redrawDialogs();
      };
      const ply = review.decisions[selected]?.ply ?? 0;
      return html`${renderReview(review, selected, selectDecision, table.ui)}
        <p class="buttons">${
          info.id
            ? html`<a class="button" href="/t/${info.id}?ply=${ply}">${t("replay-here")}</a>`
            : html`<button class="button" @click=${() => {
                close();
                replayFrom(table, ply);
              }}>${t("replay-here")}</button>`
        }</p>`;
    },
  );
}

/** Show the replay of a game without a server, with its review. @param {GameView} table @param {number} ply */
async function replayFrom(table, ply) {
  await (await import("./replay/from-live-game.js")).replayFinishedGame(table, ply);
  table.panel = "review";
  table.refresh();
}

/**
 * Return the turning point to show first: the largest of the reader, if there is one.
 * @param {Review} review @param {GameView} table
 */
function firstOfInterest({ decisions }, { mySeats }) {
  const turningPoints = listTurningPoints(decisions);
  const own = turningPoints.find((i) => mySeats.some(({ seat }) => seat === decisions[i].seat));
  return own ?? turningPoints[0] ?? 0;
}

/** Render the progress of the review, or why there is none. @param {GameView} table */
export function renderReviewProgress({ gameReview }) {
  gameReview.update();
  const { progress, error } = gameReview;
  const { state, judged, total, ahead } = progress;
  if (error || state === "failed")
    return html`<p role="alert">${error ? formatError(error) : t("review-failed")}</p>
      <div class="buttons"><button class="button"
        @click=${() => gameReview.begin(true)}>${t("review-again")}</button></div>`;
  const text = total
    ? t("review-working", { done: judged, of: total })
    : ahead
      ? t("review-waits", { ahead })
      : t("review-soon");
  return html`<p>${text}</p>
    <progress aria-label=${t("review-title")} max="1" value=${total ? judged / total : nothing}></progress>`;
}

/** Return whether the replay has such a panel. @param {GameView} table */
export const isReviewPanelOffered = ({ replay, gameReview }) =>
  replay?.info.status === "over" && gameReview.isOffered && !gameReview.isImpossible;

/**
 * Render the review beside a replay. A click on a point of the graph goes to its moment, and the mark follows the
 * replay.
 * @param {GameView} table
 */
export const renderReviewPanel = (table) => html`<h2>${t("review-title")}</h2>${renderPanelContent(table)}`;

/** @param {GameView} table */
function renderPanelContent(table) {
  const { gameReview, ui } = table;
  const { review, progress, error } = gameReview;
  const replay = /** @type {import("./replay/replay.js").Replay} */ (table.replay);
  if (!review && !error && progress.state === "none")
    return html`<p><button class="button" @click=${() => gameReview.begin()}>${t("review")}</button></p>`;
  if (!review) return renderReviewProgress(table);
  const { decisions } = review;
  const ply = replay.view?.ply ?? 0;
  const at = Math.max(
    0,
    decisions.findLastIndex((decision) => decision.ply <= ply),
  );
  const goToDecision = (/** @type {number} */ to) => {
    replay.pause();
    replay.goTo(replay.indexOfPly(decisions[to].ply));
  };
  return renderReview(review, at, goToDecision, ui);
}

/**
 * @param {Review} found
 * @param {number} at the selected decision
 * @param {SelectDecision} selectDecision
 * @param {BoardContext} ui
 */
export function renderReview(found, at, selectDecision, ui) {
  const turningPoints = listTurningPoints(found.decisions);
  return html`
    <p class="quiet">${t("review-how", { count: found.decisions.length, simulations: found.simulations })}</p>
    ${
      found.decisions.length
        ? html`${renderWinGraph(found, turningPoints, at, selectDecision, ui)}${renderDecision(found, at, ui)}`
        : nothing
    }
    <section><h3>${t(turningPoints.length ? "review-turning" : "review-no-turning")}</h3>
      <ol class="turnings">${turningPoints.map(
        (i) => html`<li>
        <button aria-pressed=${i === at}
          @click=${() => selectDecision(i)}>${renderTurningPoint(found.decisions[i], ui)}</button></li>`,
      )}</ol></section>
    <section><h3>${t("review-balance")}</h3>${renderBalances(found, ui)}<p
      class="quiet">${t("review-luck-is")}</p></section>
    <details><summary>${t("review-table")}</summary>${renderFigures(found, ui)}</details>`;
}

/** Render a turning point: the move played, and the better one. @param {Decision} decision @param {BoardContext} ui */
function renderTurningPoint(decision, ui) {
  const { seat } = decision;
  const [best, played] = [findBestMove(decision), findPlayedMove(decision)];
  const [chance, instead] = [best, played].map(({ chances }) => toPercent(chances[seat]));
  return html`${ui.renderShield(seat, "tiny")}<b>${t("review-point", {
    name: ui.playerName(seat),
    played: ui.moveText(played.move),
  })}</b>
    <span>${t("review-better", {
      better: ui.moveText(best.move),
      chance,
      instead,
      loss: chance - instead,
      error: toPercent(Math.hypot(best.error, played.error)),
    })}</span>`;
}

/**
 * Render the selected decision: the possible moves and the chances after each.
 * @param {Review} found @param {number} at @param {BoardContext} ui
 */
function renderDecision(found, at, ui) {
  const decision = found.decisions[at];
  const { seat } = decision;
  const ranked = rankMoves(decision);
  const played = findPlayedMove(decision);
  return html`<section class="decision tint-${seat}">
    <h3>${ui.renderShield(seat, "tiny")}<span class="name">${ui.playerName(seat)}</span>
      <small>${t("review-decision", { number: at + 1, count: found.decisions.length })}</small></h3>
    <ul>${ranked.map((examined, i) => {
      const { move, chances, error } = examined;
      const rank = i === 0 ? t("review-best") : isAboutBest(decision, examined) ? t("review-about-best") : "";
      return html`<li>
      <span>${ui.moveText(move)}${[rank, examined === played ? t("review-played") : ""]
        .filter(Boolean)
        .map((tag) => html`<i class="tag">${tag}</i>`)}</span>
      <span class="share"><b>${t("review-percent", { chance: toPercent(chances[seat]) })}</b> <small>${t(
        "review-within",
        { error: toPercent(error) },
      )}</small></span>
      <span class="bar-of" aria-hidden="true"><span
        .style=${`width: ${toPercent(chances[seat])}%`}></span></span></li>`;
    })}</ul></section>`;
}

/** Render the sources of each player's chances. @param {Review} found @param {BoardContext} ui */
function renderBalances(found, ui) {
  return html`<div class="wide"><table>
    <thead><tr><th>${t("seats")}</th><th>${t("review-begin")}</th><th>${t("review-own")}</th>
      <th>${t("review-others")}</th><th>${t("review-luck")}</th><th>${t("review-end")}</th></tr></thead>
    <tbody>${found.balances.map(({ begin, choices, error, others, luck, end }, seat) => {
      const [own, theirs, chance] = roundToTotal([choices, others, luck], toPercent(end) - toPercent(begin));
      return html`<tr>
      <th scope="row">${ui.renderShield(seat, "tiny")} <span class="name">${ui.playerName(seat)}</span></th>
      <td>${t("review-percent", { chance: toPercent(begin) })}</td>
      <td>${formatChange(own)} <small>${t("review-within", { error: toPercent(error) })}</small></td>
      <td>${formatChange(theirs)}</td><td>${formatChange(chance)}</td>
      <td>${t("review-percent", { chance: toPercent(end) })}</td></tr>`;
    })}</tbody></table></div>`;
}

/**
 * Render the graph's data as a table: the chances after each decision.
 * @param {Review} found @param {BoardContext} ui
 */
function renderFigures(found, ui) {
  const seats = found.balances.map((_, seat) => seat);
  return html`<div class="wide" tabindex="0" role="region" aria-label=${t("review-table")}><table>
    <thead><tr><td></td><th>${t("review-played")}</th><th>${t("review-best")}</th>
      ${seats.map((seat) => html`<th>${ui.playerName(seat)}</th>`)}</tr></thead>
    <tbody>${found.decisions.map(
      (decision, i) => html`<tr>
      <th scope="row">${i + 1}</th>
      <td>${t("review-point", {
        name: ui.playerName(decision.seat),
        played: ui.moveText(findPlayedMove(decision).move),
      })}</td>
      <td>${isAboutBest(decision, findPlayedMove(decision)) ? "" : ui.moveText(findBestMove(decision).move)}</td>
      ${findPlayedMove(decision).chances.map(
        (chance) => html`<td>${t("review-percent", { chance: toPercent(chance) })}</td>`,
      )}
      </tr>`,
    )}</tbody></table></div>`;
}
