/** The sources of points by country, alliance and chain, during the game and at its end. */
import { html, nothing } from "lit";
import { hideVisually } from "../../../web/components/visually-hidden.js";
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
  return html`${listTies(p).map(
    ({ points, seats }) =>
      html`<p class="tie">${ui.t("cardinal-tie", {
        n: points,
        list: ui.formatList(seats.map(([seat, left]) => `${ui.playerName(seat)} ${left}`)),
      })}</p>`,
  )}${renderScores(p)}`;
}

/**
 * Return the points that several seats have, the most first, with these seats and their pieces left, which break the
 * tie.
 * @param {Position} p @returns {{points: number, seats: [number, number][]}[]}
 */
function listTies({ facts, state }) {
  const tied = /** @type {[number, number][]} */ (facts.tied);
  const points = new Set(tied.map(([seat]) => /** @type {number} */ (state.score[seat])));
  return [...points]
    .sort((a, b) => b - a)
    .map((n) => ({
      points: n,
      seats: tied.filter(([seat]) => state.score[seat] === n).sort(([, a], [, b]) => b - a),
    }));
}

/**
 * One row of points.
 * @typedef {{head: string, values: number[], extra?: (seat: number) => unknown, cls?: string}} Row
 */

/** Render all points: a table for each kind, a column for each player. @param {Position} p */
export function renderScores(p) {
  const { ui, state } = p;
  const total = (/** @type {string} */ head, /** @type {number[]} */ values) => ({ head, values, cls: "total" });
  const sumUp = (/** @type {number[][]} */ points) => total(ui.t("cardinal-sum"), points.map(sum));
  const chains = total(ui.t("cardinal-chains-sum"), state.chain_points);
  return html`<div class="ledger-tables">
    ${
      state.scored > 0
        ? renderPart(p, "cardinal-interim", [...listInterimRows(p), sumUp(state.interim_points)])
        : nothing
    }
    ${renderPart(p, p.over ? "cardinal-final-countries" : "cardinal-now-countries", [
      ...listCountryRows(p),
      sumUp(state.country_points),
    ])}
    ${renderPart(p, "cardinal-alliances", [...listAllianceRows(p), sumUp(state.alliance_points)])}
    ${renderPart(p, "cardinal-chains", [
      { ...chains, extra: (seat) => renderChainLengths(p, seat) },
      {
        head: ui.t(p.over ? "cardinal-total" : "cardinal-if-now"),
        values: p.seats.map((seat) => p.pointsIfScoredNow(seat)),
        cls: "grand",
      },
    ])}</div>
    <p class="legend">${ui.t("cardinal-legend-countries")}</p><p class="legend">${ui.t("cardinal-legend")}</p>`;
}

/** @param {Position} p @param {string} titleId @param {Row[]} rows */
function renderPart(p, titleId, rows) {
  const { ui } = p;
  return html`<table class="ledger-table"><caption class="part">${ui.t(titleId)}</caption>
    <thead><tr><td></td>${p.seats.map(
      (seat) =>
        html`<th scope="col" title=${ui.playerName(seat)}>${ui.renderShield(seat, "tiny")}${hideVisually(
          ui.playerName(seat),
        )}</th>`,
    )}</tr></thead>
    <tbody>${rows.map(
      ({ head, values, extra, cls }) =>
        html`<tr class=${cls ?? nothing}><th scope="row">${head}</th>${p.seats.map(
          (seat) => html`<td class=${values[seat] ? nothing : "zero"}>${extra?.(seat) ?? nothing}${values[seat]}</td>`,
        )}</tr>`,
    )}</tbody></table>`;
}

/** @param {number[][]} rows @param {number} i */
const column = (rows, i) => rows.map((points) => points[i]);

/** @param {Position} p @returns {Row[]} */
const listInterimRows = (p) =>
  p.countryNames
    .map((id, i) => ({ head: p.countryName(id), values: column(p.state.interim_points, i) }))
    .filter(({ values }) => sum(values));

/** Return the rows of the countries that have cloisters, whose numbers are in brackets. @param {Position} p */
const listCountryRows = (p) =>
  p.countryNames.flatMap((id, i) => {
    const cloisters = p.cloisters(id);
    const extra = (/** @type {number} */ seat) =>
      cloisters[seat] ? html`<small>(${cloisters[seat]})</small> ` : nothing;
    return p.top(id) ? [{ head: p.countryName(id), values: column(p.state.country_points, i), extra }] : [];
  });

/**
 * Return the rows of the alliances that are worth points; at the end, of those that brought some.
 * @param {Position} p
 */
const listAllianceRows = (p) =>
  p.allianceNames.flatMap((number, i) => {
    const { a, b } = p.alliance(Number(number));
    const values = column(p.state.alliance_points, i);
    if (!p.allianceValue(Number(number)).worth || (p.over && !sum(values))) return [];
    const extra = (/** @type {number} */ seat) =>
      html`<small>${[a, b].map((id) => (p.isLeading(id, seat) ? "●" : "○"))}</small> `;
    const [names, standing] = [
      { a: p.countryName(a), b: p.countryName(b) },
      { sa: p.standing(a), sb: p.standing(b) },
    ];
    return [{ head: p.ui.t("cardinal-pact-row", { number: Number(number), ...names, ...standing }), values, extra }];
  });

/** @param {Position} p @param {number} seat */
const renderChainLengths = (p, seat) => {
  const lengths = p.chains(seat).map((chain) => chain.length);
  return lengths.length > 1 ? html`<small>(${lengths.join(" + ")})</small> ` : nothing;
};
