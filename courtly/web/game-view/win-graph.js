/** A graph of each player's chance to win over a game, with a movable position. */
import { html, svg } from "lit";
import { joinSentences, t } from "../core/i18n.js";
import { findBestMove, findPlayedMove } from "./decision-ranking.js";

/** @typedef {import("../core/api-types.js").Review} Review */
/** @typedef {import("../board-sdk/board-context.js").BoardContext} BoardContext */

const LINE_DASHES = ["", "7 3", "2 3", "9 3 2 3", "4 4", "1 5"]; // by seat: colour alone must not identify a line

/** @param {number} chance */
export const toPercent = (chance) => Math.round(100 * chance);

/**
 * Round changes to whole percents with this sum. The remainder goes where the rounding error is largest.
 * @param {number[]} changes @param {number} whole
 */
export function roundToTotal(changes, whole) {
  const percents = changes.map(toPercent);
  for (let left = whole - percents.reduce((sum, one) => sum + one, 0); left; left -= Math.sign(left)) {
    const errors = changes.map((change, i) => Math.sign(left) * (100 * change - percents[i]));
    percents[errors.indexOf(Math.max(...errors))] += Math.sign(left);
  }
  return percents;
}

/**
 * @param {Review} found @param {number[]} turning indices of the marked decisions
 * @param {number} at the selected decision @param {(at: number) => void} selectDecision @param {BoardContext} ui
 */
export function renderWinGraph(found, turning, at, selectDecision, ui) {
  const { decisions, balances } = found;
  const seats = balances.map((_, seat) => seat);
  const x = (/** @type {number} */ i) => (100 * i) / decisions.length;
  const selected = decisions[at];
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
    <input type="range" min="0" max=${decisions.length - 1} .value=${String(at)} aria-label=${t("review-chances")}
        aria-valuetext=${joinSentences([
          t("review-decision", { number: at + 1, count: decisions.length }),
          t("review-moved", {
            name: ui.playerName(selected.seat),
            played: ui.moveText(findPlayedMove(selected).move),
            chances: ui.formatList(
              seats.map((seat) =>
                t("review-chance", {
                  name: ui.playerName(seat),
                  chance: toPercent(findPlayedMove(selected).chances[seat]),
                }),
              ),
            ),
          }),
        ])}
        @input=${(/** @type {Event} */ event) =>
          selectDecision(Number(/** @type {HTMLInputElement} */ (event.target).value))}>
    <figcaption>${seats.map(
      (seat) => html`<span class="seat-${seat}">
        <svg class="sample" viewBox="0 0 34 6" aria-hidden="true">
          <path class="line" stroke-dasharray=${LINE_DASHES[seat]} d="M1 3H33"></path></svg>
        ${ui.renderShield(seat, "tiny")}<span>${t("review-chance", {
          name: ui.playerName(seat),
          chance: toPercent(findPlayedMove(selected).chances[seat]),
        })}</span></span>`,
    )}</figcaption></figure>`;
}

/**
 * Return a seat's line: the chance after each decision, at a turning point also the chance after the best move, and the
 * result.
 * @param {Review} found @param {number} seat @param {(i: number) => number} x
 */
function linePath({ decisions, balances }, seat, x) {
  const steps = decisions.flatMap((decision, i) =>
    [...(decision.turning ? [findBestMove(decision)] : []), findPlayedMove(decision)].map(
      ({ chances }) => `${x(i)} ${100 - 100 * chances[seat]}`,
    ),
  );
  return `M${[...steps, `100 ${100 - 100 * balances[seat].end}`].join("L")}`;
}
