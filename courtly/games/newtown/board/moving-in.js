/** The end of the game: residents walk to their houses, and points are shown where they are counted. */
import { html, nothing, svg } from "lit";

/**
 * @typedef {import("./position.js").Position} Position @typedef {import("./position.js").House} House
 * @typedef {import("../../../web/board-sdk/animation.js").AnimationKit} AnimationKit
 */

const MAX_FIGURES = 5; // drawn in front of a house; the number beside them counts all
const LONGEST_COUNT_MS = 6000;
const STEP_MS = 420; // from one thing that counts to the next
const WALK_MS = 1100;
const WALK_DISTANCE = { x: -64, y: 37 }; // along the ground of the model
const SHOWN_MS = 1500; // points, while they rise

/** Draw a person standing at a point. @param {number} x @param {number} y @param {number} look selects the clothes */
const drawFigure = (x, y, look) => svg`<g class="figure look-${look % 5}" transform="translate(${x} ${y})">
  <path class="coat" d="M-3.4 0C-3.6-5-2.4-7.6 0-7.600s3.6 2.6 3.4 7.600q-3.4 1.3-6.8 0z"></path>
  <path class="head" d="M-2.2-9.700a2.2 2.2 0 1 1 4.4 0a2.2 2.2 0 1 1-4.4 0"></path>
  <path class="hair" d="M-2.3-9.600c-.3-3.4 4.9-3.4 4.6 0c-1.4-1.1-3.2-1.1-4.6 0"></path></g>`;

/** Draw this many persons side by side. @param {number} persons @param {number} look */
const drawFigures = (persons, look) =>
  Array.from({ length: Math.min(persons, MAX_FIGURES) }, (_, i) =>
    drawFigure((i - (Math.min(persons, MAX_FIGURES) - 1) / 2) * 7, 0, look + i),
  );

/**
 * Draw the people who have moved into a house, their number, and the points that rise from it at the end.
 * @param {Position} p @param {House} house @param {number} x @param {number} y the ground in front of the house
 */
export function drawPeople(p, house, x, y) {
  const persons = p.facts.persons[house.id];
  if (!persons) return nothing;
  return svg`<g class="arrivals" data-key="guests-${house.id}">
      <g transform="translate(${x} ${y}) scale(1.5)">${drawFigures(persons, house.id)}</g></g>
    <g class="people" data-key="people-${house.id}" transform="translate(${x - 14} ${y + 2})">
      <rect width="28" height="15" rx="7"></rect>
      <path d="M4.5 13c0-7 8-7 8 0zM6.2 4.800a2.3 2.3 0 1 1 4.6 0a2.3 2.3 0 1 1-4.6 0"></path>
      <text x="19.5" y="12">${persons}</text></g>`;
}

/** Draw points over a place of the model; they are only seen while they rise. @param {Position} p @param {string} key
 * @param {number} points @param {number} x @param {number} y
 */
export const drawPoints = (p, key, points, x, y) =>
  points
    ? svg`<g class="counted" data-key=${key} transform="translate(${x} ${y})" aria-hidden="true"><rect x="-19" y="-13"
        width="38" height="21" rx="10"></rect><text y="3">${p.ui.formatSigned(points)}</text></g>`
    : nothing;

/** Render the people in a house on the flat map. @param {Position} p @param {House} house */
export function renderPeople(p, house) {
  const persons = p.facts.persons[house.id];
  if (!persons) return nothing;
  const width = Math.min(persons, MAX_FIGURES) * 7 + 2;
  return html`<span class="guests" data-key="guests-${house.id}" aria-hidden="true"><svg
      viewBox="${-width / 2} -13 ${width} 14">${drawFigures(persons, house.id)}</svg><b
      data-key="people-${house.id}">${persons}</b></span>`;
}

/** Render points on the flat map; they are only seen while they rise. @param {Position} p @param {string} key
 * @param {number} points
 */
export const renderPoints = (p, key, points) =>
  points ? html`<b class="counted" data-key=${key} aria-hidden="true">${p.ui.formatSigned(points)}</b>` : nothing;

/** Return the points of the residents of a house. @param {Position} p @param {number} house */
export const residentPoints = ({ state, residents, box }, house) =>
  residents.reduce((sum, name, i) => sum + (state.home[i] === house ? box.residents[name].points : 0), 0);

/** Return the points of the land card of a land, if a player owns it. @param {Position} p @param {number} land */
export const ownedCardPoints = (p, land) => (p.state.land_owner[land] >= 0 ? p.landCardPoints(land) : 0);

/** Let residents walk to a house. @param {AnimationKit} kit @param {number} house */
export function animateArrival(kit, house) {
  const { x, y } = WALK_DISTANCE;
  const at = (/** @type {number} */ part, hop = 0) => `${x * part}px ${y * part - hop}px`;
  const steps = [1, 0.86, 0.72, 0.58, 0.44, 0.3, 0.16, 0];
  kit.animate(
    `guests-${house}`,
    steps.map((part, i) => ({ translate: at(part, i % 2 ? 3 : 0), opacity: i ? 1 : 0 })),
    WALK_MS,
    { easing: "linear" },
  );
  kit.animate(`people-${house}`, [{ opacity: 0 }, { opacity: 0, offset: 0.85 }, { opacity: 1 }], WALK_MS);
}

/** Let points rise from a place. @param {AnimationKit} kit @param {string} key */
const animatePoints = (kit, key) =>
  kit.animate(
    key,
    [
      { visibility: "visible", opacity: 0, translate: "0 6px" },
      { visibility: "visible", opacity: 1, translate: "0 -6px", offset: 0.15 },
      { visibility: "visible", opacity: 1, translate: "0 -14px", offset: 0.8 },
      { visibility: "visible", opacity: 0, translate: "0 -22px" },
    ],
    SHOWN_MS,
  );

/**
 * Show the count at the end, seat by seat: land cards, then the residents of one house after the other. `before` has
 * the residents that had moved in already.
 * @param {AnimationKit} kit
 */
export function animateCount(kit) {
  const { before, view } = kit;
  if (!before || before.over) return;
  const { state } = view;
  const seats = Array.from({ length: state.players }, (_, seat) => seat);
  const events = seats.flatMap((seat) => [
    ...listWhere(state.land_owner, seat).map((land) => ({ points: `counted-card-${land}`, house: -1 })),
    ...listWhere(state.owner, seat).map((house) => ({ points: `counted-house-${house}`, house })),
  ]);
  const shown = events.filter(({ points }) => kit.element(points));
  const step = Math.min(STEP_MS, LONGEST_COUNT_MS / Math.max(shown.length, 1));
  for (const seat of seats) kit.countFrom(`score-${seat}`, before.state.score[seat], step * shown.length + WALK_MS);
  for (const { points, house } of shown) {
    const lived = before.state.home.includes(house);
    if (house >= 0 && !lived) animateArrival(kit, house);
    animatePoints(kit, points);
    kit.delay(step);
  }
}

/** Return the indices of a value. @param {number[]} values @param {number} value */
const listWhere = (values, value) => values.flatMap((other, i) => (other === value ? [i] : []));
