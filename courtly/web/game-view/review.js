/** The review of a finished game, made on request: chances over its course, turning points, choices and luck. */
import { html, nothing } from "lit";
import {
  findBestMove,
  findDecisionHere,
  findPlayedMove,
  isAboutBest,
  listCostliest,
  listTurningPoints,
  rankMoves,
} from "./decision-ranking.js";
import { formatReason } from "./reason-text.js";
import { marginBeside, roundToTotal, sharesToPercents, toPercent } from "../core/percentages.js";
import { numberDecision, renderWinGraph } from "./win-graph.js";
import { openDialog, redrawDialogs, formatError } from "../components/dialogs.js";
import { formatSigned, joinSentences, t } from "../core/i18n.js";
import { isPanelDrawer } from "../core/user-settings.js";
import { renderDecisionButton } from "./play-on.js";

/**
 * @typedef {import("./game-view.js").GameView} GameView
 * @typedef {import("../board-sdk/board-context.js").BoardContext} BoardContext
 */
/**
 * @typedef {import("../bots/game-analysis.js").GrowingReview} Review
 * @typedef {import("../core/api-types.js").Decision} Decision
 */

let areReasonsOpen = false; // as the reader left them at another decision
const COMPARISONS = ["help-more", "help-less", "help-denies", "help-helps", "help-rival-more", "help-rival-less"];

/** @typedef {(at: number) => void} SelectDecision looks at a decision */

/** Format a change of a chance, in percentage points. @param {number} change in percent */
const formatChange = (change) => formatSigned(change);

/** Show the review: beside the board, or in a dialog where there is no room for that. @param {GameView} table */
export function openReview(table) {
  table.gameReview.begin();
  if (isPanelDrawer()) openReviewDialog(table);
  else openReviewBesideBoard(table);
}

/** Show the end of the game and its review. @param {GameView} table */
async function openReviewBesideBoard(table) {
  await replayWithReview(table, Infinity, "all");
  showReviewBesideReplay(table);
}

/**
 * Show the review beside the replay, which goes to the first turning point once the review is ready, unless the reader
 * has gone elsewhere before.
 * @param {GameView} table
 */
export function showReviewBesideReplay(table) {
  const { gameReview, replay } = table;
  if (!replay) return;
  table.panel = "review";
  table.panelOpen = isPanelDrawer();
  table.refresh();
  const { index } = replay;
  gameReview.onReady = () => {
    const { review } = gameReview;
    if (!review?.decisions.length || table.replay !== replay || replay.index !== index) return;
    goToDecision(replay, review.decisions[firstOfInterest(review, table)]);
  };
  if (gameReview.review) gameReview.onReady();
}

/** @param {GameView} table @param {number} [ply] of the decision that is selected first */
function openReviewDialog(table, ply) {
  const { gameReview } = table;
  let selectedPly = ply;
  openDialog(
    "review",
    () => t("review-title"),
    (close) => {
      const review = gameReview.review ?? gameReview.growing;
      if (!review) return renderReviewProgress(table);
      const { decisions } = review;
      if (!decisions.length) return renderReviewProgress(table);
      if (gameReview.review) selectedPly ??= decisions[firstOfInterest(review, table)]?.ply;
      const selected = selectedPly === undefined ? firstOfInterest(review, table) : findIndexAt(decisions, selectedPly);
      const selectDecision = (/** @type {number} */ other) => {
        selectedPly = decisions[other].ply;
        redrawDialogs();
      };
      const seeOnBoard = () => {
        close();
        const back = () => {
          table.returnToGame();
          openReviewDialog(table, selectedPly);
        };
        selectedPly = decisions[selected].ply;
        replayWithReview(table, selectedPly, decisions[selected].seat, { back, backText: "review-return" });
      };
      const actions = html`<button class="button quiet small" @click=${seeOnBoard}>${t("replay-here")}</button>
        ${renderDecisionButton(table, decisions[selected])}`;
      return html`${renderProgressAbove(table)}
        ${renderReview(review, selected, selectDecision, table, actions)}`;
    },
  );
}

/**
 * Show the replay of this game with its review.
 * @param {GameView} table @param {number} ply @param {import("./replay/replay.js").Viewpoint} viewpoint
 * @param {{back: () => void, backText: string}} [leading] see `Replay`
 */
async function replayWithReview(table, ply, viewpoint, leading) {
  await (await import("./replay/from-live-game.js")).replayFinishedGame(table, ply, viewpoint, leading);
  table.panel = "review";
  table.refresh();
}

/** @param {import("./replay/replay.js").Replay} replay @param {Decision} decision */
function goToDecision(replay, { ply }) {
  replay.pause();
  replay.goTo(replay.indexOfPly(ply));
}

/**
 * Return the decision to show first: the reader's costliest one, otherwise the largest turning point of the others,
 * otherwise the reader's first.
 * @param {Review} review @param {GameView} table
 */
function firstOfInterest({ decisions }, table) {
  const { own, others } = listOfInterest(decisions, table);
  const firstOwn = decisions.findIndex((decision) => isOwnDecision(decision, table));
  return [...own, ...others][0] ?? Math.max(firstOwn, 0);
}

/**
 * Return the indices of the reader's costliest decisions and of the others' turning points.
 * @param {Decision[]} decisions @param {GameView} table
 */
const listOfInterest = (decisions, table) => ({
  own: listCostliest(decisions, (decision) => isOwnDecision(decision, table)),
  others: listTurningPoints(decisions).filter((i) => !isOwnDecision(decisions[i], table)),
});

/**
 * Return whether the reader made a decision, in a replay too, whatever view it shows.
 * @param {Decision} decision @param {GameView} table
 */
const isOwnDecision = ({ seat }, { info, replay }) => (replay?.info ?? info).seats[seat].you;

/**
 * Return the index of the last decision up to a ply, or of the first.
 * @param {Decision[]} decisions @param {number} ply
 */
const findIndexAt = (decisions, ply) =>
  Math.max(
    0,
    decisions.findLastIndex((decision) => decision.ply <= ply),
  );

/**
 * Return the index of the decision that the replay shows, or of the last one before.
 * @param {Decision[]} decisions @param {import("./replay/replay.js").Replay} replay
 */
function findShownDecision(decisions, replay) {
  const here = findDecisionHere(decisions, replay);
  return here < 0 ? findIndexAt(decisions, replay.view?.ply ?? 0) : here;
}

/** Render the progress above a review that is not complete. @param {GameView} table */
const renderProgressAbove = (table) => (table.gameReview.review ? nothing : renderReviewProgress(table));

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
export const renderReviewPanel = (table) =>
  html`<h2 class="unseen">${t("review-title")}</h2>${renderPanelContent(table)}`;

/** @param {GameView} table */
function renderPanelContent(table) {
  const { gameReview } = table;
  const replay = /** @type {import("./replay/replay.js").Replay} */ (table.replay);
  if (!gameReview.isRequested && gameReview.progress.state === "none") gameReview.begin();
  const review = gameReview.review ?? gameReview.growing;
  if (!review) return renderReviewProgress(table);
  const { decisions } = review;
  const at = findShownDecision(decisions, replay);
  return html`${renderProgressAbove(table)}
    ${renderReview(review, at, (to) => goToDecision(replay, decisions[to]), table)}`;
}

/**
 * @param {Review} found
 * @param {number} at the selected decision
 * @param {SelectDecision} selectDecision
 * @param {GameView} table
 * @param {unknown} [action] what can be done with the selected decision
 */
export function renderReview(found, at, selectDecision, table, action = nothing) {
  const { ui } = table;
  const { own, others } = listOfInterest(found.decisions, table);
  const isGrowing = found.numbers !== undefined;
  if (isGrowing && !found.decisions.length) return nothing;
  return html`
    ${
      found.decisions.length
        ? html`${renderDecision(found, at, ui, action)}
          <section><h3>${t("review-chances")}</h3>
          ${renderWinGraph(found, [...own, ...others], at, selectDecision, ui)}</section>`
        : nothing
    }
    ${isGrowing && !own.length && !others.length ? nothing : renderTurningPoints(found, at, selectDecision, table)}
    ${isGrowing ? nothing : renderTotals(found, ui)}`;
}

/**
 * Render the reader's costliest decisions, which can be learnt from, then the turning points of the others.
 * @param {Review} found @param {number} at @param {SelectDecision} selectDecision @param {GameView} table
 */
function renderTurningPoints({ decisions }, at, selectDecision, table) {
  const { own, others } = listOfInterest(decisions, table);
  /** @type {[string, number[]][]} */
  const lists = [
    ["review-costliest", own],
    [own.length ? "review-turning-others" : others.length ? "review-turning" : "review-no-turning", others],
  ];
  return lists
    .filter(([title, points]) => points.length || title === "review-no-turning")
    .map(
      ([title, points]) => html`<section><h3>${t(title)}</h3>
    <ol class="turnings">${points.map(
      (i) => html`<li>
      <button aria-pressed=${i === at} @click=${(/** @type {MouseEvent} */ event) => {
        const list = /** @type {Element} */ (event.currentTarget).closest(".review");
        selectDecision(i);
        list?.querySelector(".decision")?.scrollIntoView({ block: "nearest" });
      }}>${renderTurningPoint(decisions[i], table.ui)}</button></li>`,
    )}</ol></section>`,
    );
}

/** Render what needs all decisions: luck, and the figures. @param {Review} found @param {BoardContext} ui */
const renderTotals = (found, ui) =>
  html`<section><h3>${t("review-balance")}</h3>${renderBalances(found, ui)}<p
      class="quiet">${t("review-luck-is")}</p></section>
    <details><summary>${t("review-table")}</summary>${renderFigures(found, ui)}</details>
    <p class="quiet">${t("review-how", { count: found.decisions.length, simulations: found.simulations })}</p>`;

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
 * Render the selected decision: the chances after the best move and the one that was played, or the second best, and on
 * request after the others.
 * @param {Review} found @param {number} at @param {BoardContext} ui @param {unknown} action
 */
function renderDecision(found, at, ui, action) {
  const decision = found.decisions[at];
  const { seat } = decision;
  const [best, ...rest] = rankMoves(decision);
  const played = findPlayedMove(decision);
  const second = played === best ? rest[0] : played;
  const others = rest.filter((examined) => examined !== second);
  return html`<section class="decision tint-${seat}">
    <h3>${ui.renderShield(seat, "tiny")}<span class="name">${ui.playerName(seat)}</span>
      <small>${t("review-decision", numberDecision(found, at))}</small></h3>
    ${action === nothing ? nothing : html`<p class="buttons">${action}</p>`}
    <ul>${[best, ...(second ? [second] : [])].map((examined) => renderExaminedMove(decision, examined, ui))}</ul>
    ${
      others.length
        ? html`<details><summary>${t("review-other-moves", { count: others.length })}</summary>
          <ul>${others.map((examined) => renderExaminedMove(decision, examined, ui))}</ul></details>`
        : nothing
    }${renderReasons(decision, ui)}</section>`;
}

/**
 * Render the reasons for the best move, and those for the worse one that was played which do not compare it with the
 * best.
 * @param {Decision} decision @param {BoardContext} ui
 */
function renderReasons(decision, ui) {
  const [best, played] = [findBestMove(decision), findPlayedMove(decision)];
  const ownReasons = played.reasons.filter(({ id }) => !COMPARISONS.includes(id));
  if (isAboutBest(decision, played)) return nothing;
  const list = [
    { move: best.move, reasons: best.reasons },
    { move: played.move, reasons: ownReasons },
  ].filter(({ move, reasons }) => move === best.move || reasons.length);
  return html`<details ?open=${areReasonsOpen} @toggle=${(/** @type {Event} */ event) => {
    areReasonsOpen = /** @type {HTMLDetailsElement} */ (event.target).open;
  }}><summary>${t("review-why")}</summary>${list.map(
    ({ move, reasons }) => html`<p><b>${ui.moveText(move)}</b><br>
      ${
        reasons.length
          ? joinSentences(reasons.map((reason) => formatReason(ui, reason, true, 1)))
          : t("review-why-unclear")
      }</p>`,
  )}</details>`;
}

/**
 * @param {Decision} decision @param {import("../core/api-types.js").ExaminedMove} examined one of its moves
 * @param {BoardContext} ui
 */
function renderExaminedMove(decision, examined, ui) {
  const { move, chances, error } = examined;
  const chance = toPercent(chances[decision.seat]);
  const rank =
    examined === findBestMove(decision) ? "review-best" : isAboutBest(decision, examined) ? "review-about-best" : "";
  return html`<li>
      <span>${ui.moveText(move)}${[rank, examined === findPlayedMove(decision) ? "review-played" : ""]
        .filter(Boolean)
        .map((tag) => html`<i class="tag ${tag}">${t(tag)}</i>`)}</span>
      <span class="share"><b>${t("review-percent", { chance })}</b> <small>${t("review-within", {
        error: marginBeside(chance, toPercent(error)),
      })}</small></span>
      <span class="bar-of" aria-hidden="true"><span .style=${`width: ${chance}%`}></span></span></li>`;
}

/** Render the sources of each player's chances. @param {Review} found @param {BoardContext} ui */
function renderBalances(found, ui) {
  const begins = sharesToPercents(found.balances.map(({ begin }) => begin));
  const ends = sharesToPercents(found.balances.map(({ end }) => end));
  return html`<div class="wide"><table>
    <thead><tr><th>${t("seats")}</th><th>${t("review-begin")}</th><th>${t("review-own")}</th>
      <th>${t("review-others")}</th><th>${t("review-luck")}</th><th>${t("review-end")}</th></tr></thead>
    <tbody>${found.balances.map(({ choices, error, others, luck }, seat) => {
      const changes = [choices, others, luck].map((change) => 100 * change);
      const [own, theirs, chance] = roundToTotal(changes, ends[seat] - begins[seat]);
      return html`<tr>
      <th scope="row">${ui.renderShield(seat, "tiny")} <span class="name">${ui.playerName(seat)}</span></th>
      <td>${t("review-percent", { chance: begins[seat] })}</td>
      <td>${formatChange(own)} <small>${t("review-within", { error: toPercent(error) })}</small></td>
      <td>${formatChange(theirs)}</td><td>${formatChange(chance)}</td>
      <td>${t("review-percent", { chance: ends[seat] })}</td></tr>`;
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
      ${sharesToPercents(findPlayedMove(decision).chances).map(
        (chance) => html`<td>${t("review-percent", { chance })}</td>`,
      )}
      </tr>`,
    )}</tbody></table></div>`;
}
