/** The sources of points by country, alliance and chain, during the game and at its end. */
import { html, nothing } from "lit";
import { sum, Position } from "./position.js";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */

/** Return a final score as text. @param {View} view @param {number} n @param {BoardContext} ui */
export const score = (view, n, ui) => ui.t("cardinal-points", { n: view.state.score[n] });

/** @param {View} view @param {BoardContext} ui */
export function outcome(view, ui) {
  const p = new Position(view, ui);
  const tied = /** @type {[number, number][]} */ (p.facts.tied);
  return html`${
    tied.length
      ? html`<p>${ui.t("cardinal-tie", {
          list: ui.formatList(tied.map(([seat, left]) => `${ui.playerName(seat)} ${left}`)),
        })}</p>`
      : nothing
  }${renderScores(p)}`;
}

/** Render all points as a table, a column for each player. @param {Position} p */
export function renderScores(p) {
  const { ui, state } = p;
  const held = state.scored > 0;
  const row = (
    /** @type {unknown} */ head,
    /** @type {number[]} */ values,
    /** @type {string} */ cls,
    /** @type {((seat: number) => unknown)} */ extra = () => nothing,
  ) => html`<tr class=${cls}>
    <th scope="row">${head}</th>${p.seats.map(
      (seat) => html`<td class=${values[seat] ? "" : "zero"}>${extra(seat)}${values[seat]}</td>`,
    )}</tr>`;
  const column = (/** @type {number[][]} */ rows, /** @type {number} */ i) => rows.map((points) => points[i]);
  const part = (/** @type {string} */ head) =>
    html`<tr class="part"><th colspan=${p.seats.length + 1} scope="rowgroup">${head}</th></tr>`;
  const bracket = (/** @type {number} */ n) => (n ? html`<small>(${n})</small> ` : nothing);
  return html`<div class="wide"><table class="ledger-table"><thead><tr><td></td>${p.seats.map(
    (seat) => html`<th scope="col">${ui.renderShield(seat, "tiny")}<span>${ui.playerName(seat)}</span></th>`,
  )}</tr></thead><tbody>
    ${
      held
        ? [
            part(ui.t("cardinal-interim")),
            p.countryNames.map((id, i) =>
              sum(column(state.interim_points, i))
                ? row(p.countryName(id), column(state.interim_points, i), "")
                : nothing,
            ),
            row(ui.t("cardinal-sum"), state.interim_points.map(sum), "total"),
          ]
        : nothing
    }
    ${part(ui.t(p.over ? "cardinal-final-countries" : "cardinal-now-countries"))}
    ${p.countryNames.map((id, i) =>
      p.top(id)
        ? row(p.countryName(id), column(state.country_points, i), "", (seat) => bracket(p.cloisters(id)[seat]))
        : nothing,
    )}
    ${row(ui.t("cardinal-sum"), state.country_points.map(sum), "total")}
    ${part(ui.t("cardinal-alliances"))}
    ${p.allianceNames.map((number, i) => renderAllianceRow(p, Number(number), i, row, column))}
    ${row(ui.t("cardinal-sum"), state.alliance_points.map(sum), "total")}
    ${part(ui.t("cardinal-chains"))}
    ${row(ui.t("cardinal-chains-sum"), state.chain_points, "total", (seat) => renderChainLengths(p, seat))}
    ${row(
      ui.t(p.over ? "cardinal-total" : "cardinal-if-now"),
      p.seats.map((seat) => p.pointsIfScoredNow(seat)),
      "grand",
    )}
  </tbody></table></div><p class="legend">${ui.t("cardinal-legend-countries")}</p><p
      class="legend">${ui.t("cardinal-legend")}</p>`;
}

/**
 * @param {Position} p @param {number} number @param {number} i
 * @param {(head: unknown, values: number[], cls: string, extra?: (seat: number) => unknown) => unknown} row
 * @param {(rows: number[][], i: number) => number[]} column
 */
function renderAllianceRow(p, number, i, row, column) {
  const { a, b } = p.alliance(number);
  if (!p.allianceValue(number).worth) return nothing;
  const leads = (/** @type {number} */ seat) =>
    html`<small>${[a, b].map((id) => (p.isLeading(id, seat) ? "●" : "○"))}</small> `;
  return row(
    p.ui.t("cardinal-pact-row", {
      number,
      a: p.countryName(a),
      b: p.countryName(b),
      sa: p.standing(a),
      sb: p.standing(b),
    }),
    column(p.state.alliance_points, i),
    "",
    leads,
  );
}

/** @param {Position} p @param {number} seat */
const renderChainLengths = (p, seat) => {
  const lengths = p.chains(seat).map((chain) => chain.length);
  return lengths.length > 1 ? html`<small>(${lengths.join(" + ")})</small> ` : nothing;
};
