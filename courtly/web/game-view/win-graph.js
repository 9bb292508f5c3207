/** A graph of each player's chance to win over a game, with a movable position. */
import { html, svg } from "lit";
import { joinSentences, t } from "../core/i18n.js";
import { sharesToPercents, toPercent } from "../core/percentages.js";
import { findBestMove, findPlayedMove } from "./decision-ranking.js";

/**
 * @typedef {import("../bots/game-analysis.js").GrowingReview} Review
 * @typedef {import("../core/api-types.js").Decision} Decision
 */
/** @typedef {import("../board-sdk/board-context.js").BoardContext} BoardContext */

const LINE_DASHES = ["", "7 3", "2 3", "9 3 2 3", "4 4", "1 5"]; // by seat: colour alone must not identify a line

const MAX_LINE_POINTS = 40; // of a line, besides turning points: with more, the lines of a long game are a tangle

/**
 * Return the number of a decision in its game, and how many there are.
 * @param {Review} found @param {number} i the index of the decision in the review
 */
export const numberDecision = ({ decisions, numbers, choiceCount }, i) => ({
  number: (numbers?.[i] ?? i) + 1,
  count: choiceCount ?? decisions.length,
});

/**
 * @param {Review} found @param {number[]} turning indices of the marked decisions
 * @param {number} at the selected decision @param {(at: number) => void} selectDecision @param {BoardContext} ui
 */
export function renderWinGraph(found, turning, at, selectDecision, ui) {
  const { decisions, balances } = found;
  const seats = balances.map((_, seat) => seat);
  const x = (/** @type {number} */ i) => {
    const { number, count } = numberDecision(found, i);
    return (100 * (number - 1)) / count;
  };
  const selected = decisions[at];
  const percents = sharesToPercents(findPlayedMove(selected).chances);
  const place = (/** @type {number} */ i) => numberDecision(found, i).number - 1;
  const slide = (/** @type {Event} */ event) => {
    const slider = /** @type {HTMLInputElement} */ (event.target);
    const to = Number(slider.value);
    const next =
      to > place(at)
        ? decisions.findIndex((_, i) => place(i) >= to)
        : decisions.findLastIndex((_, i) => place(i) <= to);
    const chosen = next < 0 ? at : next; // not every decision is known while a review grows
    slider.value = String(place(chosen));
    selectDecision(chosen);
  };
  const nearest = (/** @type {PointerEvent} */ event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const to = (100 * (event.clientX - box.left)) / box.width;
    const distances = decisions.map((_, i) => Math.abs(x(i) - to));
    selectDecision(distances.indexOf(Math.min(...distances)));
  };
  return html`<figure class="chances" aria-label=${t("review-chances")}>
    <div class="plot" @pointerdown=${nearest} @pointermove=${(/** @type {PointerEvent} */ event) => {
      if (event.buttons) nearest(event);
    }}>
      ${[100, 50, 0].map((chance) => html`<small class="scale" .style=${`top: ${100 - chance}%`}>${chance}</small>`)}
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        ${[0, 25, 50, 75, 100].map((y) => svg`<path class="grid" d="M0 ${y}H100"></path>`)}
        ${seats.map(
          (seat) =>
            svg`<path class="line seat-${seat}" stroke-dasharray=${LINE_DASHES[seat]}
              d=${linePath(found, seat, x)}></path>`,
        )}
        <path class="here" d="M${x(at)} 0V100"></path>
      </svg>
      ${turning.map(
        (i) => html`<span class="turn-mark tint-${decisions[i].seat} ${i === at ? "here" : ""}" aria-hidden="true"
          .style=${`left: ${x(i)}%;
            top: ${100 - toPercent(findPlayedMove(decisions[i]).chances[decisions[i].seat])}%`}></span>`,
      )}
    </div>
    <input type="range" min="0" max=${numberDecision(found, at).count - 1}
        .value=${String(place(at))} aria-label=${t("review-chances")}
        aria-valuetext=${joinSentences([
          t("review-decision", numberDecision(found, at)),
          t("review-moved", {
            name: ui.playerName(selected.seat),
            played: ui.moveText(findPlayedMove(selected).move),
            chances: ui.formatList(
              seats.map((seat) =>
                t("review-chance", {
                  name: ui.playerName(seat),
                  chance: percents[seat],
                }),
              ),
            ),
          }),
        ])}
        @input=${slide}>
    <figcaption>${seats.map(
      (seat) => html`<span class="seat-${seat}">
        <svg class="sample" viewBox="0 0 34 6" aria-hidden="true">
          <path class="line" stroke-dasharray=${LINE_DASHES[seat]} d="M1 3H33"></path></svg>
        ${ui.renderShield(seat, "tiny")}<span>${t("review-chance", {
          name: ui.playerName(seat),
          chance: percents[seat],
        })}</span></span>`,
    )}</figcaption></figure>`;
}

/**
 * Return a seat's line: its chance at the start, after the decisions, at a turning point also after the best move, and
 * the result. In a long game each point is the mean of a few decisions.
 * @param {Review} found @param {number} seat @param {(i: number) => number} x
 */
function linePath({ decisions, balances, numbers }, seat, x) {
  const { begin, end } = balances[seat];
  const points = groupDecisions(decisions).flatMap((group) => {
    const [first] = group;
    const shares = group.map((i) => findPlayedMove(decisions[i]).chances[seat]);
    const best = decisions[first].turning ? [findBestMove(decisions[first]).chances[seat]] : [];
    return [...best, mean(shares)].map((share) => [mean(group.map(x)), share]);
  });
  const result = numbers ? [] : [[100, end]]; // while decisions before it are missing, the line would not lead there
  return `M${[[0, begin], ...points, ...result].map(([left, share]) => `${left} ${100 - 100 * share}`).join("L")}`;
}

/**
 * Return groups of neighbouring decisions, as indices: few enough for a legible line. A turning point is alone.
 * @param {Decision[]} decisions
 */
function groupDecisions(decisions) {
  const size = Math.ceil(decisions.length / MAX_LINE_POINTS);
  /** @type {number[][]} */
  const groups = [];
  for (const [i, { turning }] of decisions.entries()) {
    const isNew = i % size === 0 || turning || decisions[i - 1].turning;
    if (isNew) groups.push([i]);
    else groups.at(-1)?.push(i);
  }
  return groups;
}

/** @param {number[]} numbers */
const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
