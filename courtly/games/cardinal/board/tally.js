/** A scoring on the map: country by country, what each player gets, and a track with the points. */
import { html, nothing, svg } from "lit";
import { sum } from "./position.js";

/** @typedef {import("./position.js").Position} Position */
/**
 * @typedef {{at: import("./position.js").Point, countries: string[], chains: number[], gains: number[]}} Step
 * a country, an alliance or a player's chains, with the points of each seat
 */

const CHIP_WIDTH = 34; // in units of the map
/** Return the scoring that came with this view, if any. @param {Position} p @returns {"interim" | "final" | null} */
function findScoring({ view }) {
  const cue = (view.cues ?? []).findLast(({ verb }) => verb === "interim" || verb === "final");
  return /** @type {"interim" | "final" | null} */ (cue?.verb ?? null);
}

/** Return what is counted, in this order. @param {Position} p @param {"interim" | "final"} scoring @returns {Step[]} */
function listSteps(p, scoring) {
  const { state } = p;
  const gainsOf = (/** @type {number[][]} */ points, /** @type {number} */ i) => p.seats.map((seat) => points[seat][i]);
  const countryPoints = scoring === "interim" ? state.interim_points : state.country_points;
  const countries = p.countryNames.map((id, i) => ({
    at: p.country(id).seal,
    countries: [id],
    chains: [],
    gains: gainsOf(countryPoints, i),
  }));
  if (scoring === "interim") return countries.filter(({ gains }) => sum(gains));
  const alliances = p.allianceNames.map((number, i) => {
    const { a, b, label } = p.alliance(Number(number));
    return { at: label, countries: [a, b], chains: [], gains: gainsOf(state.alliance_points, i) };
  });
  const chains = p.seats
    .filter((seat) => state.chain_points[seat])
    .map((seat) => {
      const [longest] = [...p.chains(seat)].sort((a, b) => b.length - a.length);
      return {
        at: p.site(longest[Math.floor(longest.length / 2)]),
        countries: [],
        chains: [seat],
        gains: p.seats.map((other) => (other === seat ? state.chain_points[seat] : 0)),
      };
    });
  return [...countries, ...alliances, ...chains].filter(({ gains }) => sum(gains));
}

/** Render the points of each step, which are visible only while they are counted: see cues.js. @param {Position} p */
export function renderGains(p) {
  const scoring = findScoring(p);
  if (!scoring) return nothing;
  return svg`<g class="tally" aria-hidden="true">${listSteps(p, scoring).map(
    ({ at, countries, chains, gains }) =>
      svg`<g transform="translate(${at.x} ${at.y})"><g class="gain" data-gains=${gains.join(" ")}
          data-countries=${countries.join(" ")} data-chains=${chains.join(" ")}>${renderChips(p, gains)}</g></g>`,
  )}</g>`;
}

/** @param {Position} p @param {number[]} gains */
function renderChips(p, gains) {
  const scorers = p.seats.filter((seat) => gains[seat]);
  return scorers.map((seat, i) => {
    const x = (i - (scorers.length - 1) / 2) * (CHIP_WIDTH + 4);
    return svg`<g class="seat-${seat}" transform="translate(${x} 0)"><rect x=${-CHIP_WIDTH / 2} y="-14"
      width=${CHIP_WIDTH} height="28" rx="9"></rect><text y="6">${p.ui.formatPlus(gains[seat])}</text></g>`;
  });
}

/**
 * Render the track: a lane for each player. It is visible during the scoring, and until another player acts.
 * @param {Position} p
 */
export function renderTrack(p) {
  const scoring = findScoring(p);
  if (!scoring) return nothing;
  const { score } = p.state;
  const isKept = scoring === "interim" && p.ui.isStillShown(["interim"]);
  const most = Math.max(...p.seats.map((seat) => score[seat]), 1);
  const lanes = p.seats.map(
    (seat) =>
      html`<p class="lane seat-${seat}" data-lane=${seat}>${p.ui.renderShield(seat, "tiny")}<span class="way"><i
          .style="width: ${(100 * score[seat]) / most}%"></i></span><strong
          data-key="lane-${seat}">${score[seat]}</strong></p>`,
  );
  return html`<div class="track reading ${isKept ? "kept" : ""}" aria-hidden="true"
      data-most=${most}><b>${p.ui.t(`cardinal-do-${scoring}`)}</b>${lanes}</div>`;
}
