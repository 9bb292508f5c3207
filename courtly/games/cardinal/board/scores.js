/** How points come about: country by country, alliance by alliance, chain by chain; as it stands, and at the end. */
import { html, nothing } from "lit";
import { sum, Position } from "./position.js";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/board-context.js").Ui} Ui
 */

/** A final score as its players read it. @param {View} view @param {number} n @param {Ui} ui */
export const score = (view, n, ui) => ui.t("cardinal-points", { n: view.state.score[n] });

/** @param {View} view @param {Ui} ui */
export function outcome(view, ui) {
  const p = new Position(view, ui);
  const tied = /** @type {[number, number][]} */ (p.facts.tied);
  return html`${
    tied.length
      ? html`<p>${ui.t("cardinal-tie", { list: ui.list(tied.map(([seat, left]) => `${ui.name(seat)} ${left}`)) })}</p>`
      : nothing
  }${table(p)}`;
}

/** All points as a table: a column for each player. @param {Position} p */
export function table(p) {
  const { ui, s } = p;
  const held = s.scored > 0;
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
    (seat) => html`<th scope="col">${ui.shield(seat, "tiny")}<span>${ui.name(seat)}</span></th>`,
  )}</tr></thead><tbody>
    ${
      held
        ? [
            part(ui.t("cardinal-interim")),
            p.countryNames.map((id, i) =>
              sum(column(s.interim_points, i)) ? row(p.countryName(id), column(s.interim_points, i), "") : nothing,
            ),
            row(ui.t("cardinal-sum"), s.interim_points.map(sum), "total"),
          ]
        : nothing
    }
    ${part(ui.t(p.over ? "cardinal-final-countries" : "cardinal-now-countries"))}
    ${p.countryNames.map((id, i) =>
      p.top(id)
        ? row(p.countryName(id), column(s.country_points, i), "", (seat) => bracket(p.cloisters(id)[seat]))
        : nothing,
    )}
    ${row(ui.t("cardinal-sum"), s.country_points.map(sum), "total")}
    ${part(ui.t("cardinal-alliances"))}
    ${p.allianceNames.map((number, i) => pact(p, Number(number), i, row, column))}
    ${row(ui.t("cardinal-sum"), s.alliance_points.map(sum), "total")}
    ${part(ui.t("cardinal-chains"))}
    ${row(ui.t("cardinal-chains-sum"), s.chain_points, "total", (seat) => chained(p, seat))}
    ${row(
      ui.t(p.over ? "cardinal-total" : "cardinal-if-now"),
      p.seats.map((seat) => p.ifScoredNow(seat)),
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
function pact(p, number, i, row, column) {
  const { a, b } = p.alliance(number);
  if (!p.allied(number).worth) return nothing;
  const leads = (/** @type {number} */ seat) =>
    html`<small>${[a, b].map((id) => (p.leads(id, seat) ? "●" : "○"))}</small> `;
  return row(
    p.ui.t("cardinal-pact-row", {
      number,
      a: p.countryName(a),
      b: p.countryName(b),
      sa: p.standing(a),
      sb: p.standing(b),
    }),
    column(p.s.alliance_points, i),
    "",
    leads,
  );
}

/** @param {Position} p @param {number} seat */
const chained = (p, seat) => {
  const lengths = p.chains(seat).map((chain) => chain.length);
  return lengths.length > 1 ? html`<small>(${lengths.join(" + ")})</small> ` : nothing;
};
