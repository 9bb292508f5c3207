/** The map, drawn as an old chart from the board's data: coasts, countries, roads, sites with cloisters, seals with cardinals, alliances. */
import { html, nothing, ref, svg } from "lit";
import { DEVICES } from "../../web/heraldry.js";
import { icons } from "../../web/icons.js";
import { Camera, NEAREST } from "./camera.js";

/** @typedef {import("./position.js").Position} Position @typedef {import("./position.js").Site} Site @typedef {import("./position.js").Country} Country */
/** @typedef {import("./position.js").Alliance} Alliance @typedef {import("../../web/types.js").Move} Move */

const HOUSE = "M-10 11V-2L0-12 10-2V11Z", DOOR = "M-3 11V5a3 3 0 0 1 6 0v6Z";
const ROBE = "M-7 10C-7 0-4-3 0-3S7 0 7 10Z";
/** Divisions of a round shield, one for each country in turn. */
const FIELDS = ["M-30-8H30V8H-30Z", "M-9-30H9V30H-9Z", "M-30-30H0V0H30V30H0V0H-30Z", "M-30 22 0-12 30 22V38L0 6-30 38Z", "M-34-20-20-34 34 20 20 34Z",
  "M-7-30H7V-7H30V7H7V30H-7V7H-30V-7H-7Z", "M-30 0H30V30H-30Z", "M-26-26H-9V30H-26ZM9-26H26V30H9Z", "M-30-30H30L0 14Z", "M-30-22H30V-9H-30ZM-30 5H30V18H-30Z"];
const MARGIN = 26;                               // round all sites, seals and ribbons
const SEAL = 28, REACH = 34;                     // how far from its middle a seal, and at most a site, can be clicked
const THUMB = 26;                                // px beside a target that is open where a tap still means it

export const camera = new Camera();

/** @param {Position} p */
export function chart(p) {
  camera.whole = frame(p);
  camera.turned = () => p.ui.set({});
  return html`<section class="chart" aria-label=${p.ui.t("cardinal-map")} @keydown=${camera.key}>
    <svg class="map" ${ref(camera.hold)} role="group" tabindex="0" aria-label=${p.ui.t("cardinal-map")} aria-keyshortcuts="+ -" @pointerdown=${camera.down} @pointermove=${camera.move}
      @pointerup=${camera.up} @pointercancel=${camera.up} @wheel=${camera.wheel} @dblclick=${camera.twice} @click=${camera.click}>
      <g @click=${beside}>${sea(p)}${p.countries.map((country) => land(p, country))}
      <g class="roads">${p.map.roads.map((/** @type {any} */ road) => way(p, road))}</g>${names(p)}
      <g class="chains">${p.siteNames.map((site) => stroke(p, site))}</g>
      <g>${p.alliances.map((one) => dashes(p, one))}</g></g>
      <g>${p.countries.map((country, n) => seal(p, country, n))}</g>
      <g>${p.sites.map((one) => site(p, one))}</g>
      <g>${p.alliances.map((one) => pact(p, one))}</g>
    </svg>
    <div class="zoom"><button class="icon-button" aria-label=${p.ui.t("cardinal-nearer")} title="${p.ui.t("cardinal-nearer")} (+)" ?disabled=${camera.sight.near === NEAREST} @click=${() => camera.zoom(1)}>+</button>
      <button class="icon-button" aria-label=${p.ui.t("cardinal-farther")} title="${p.ui.t("cardinal-farther")} (−)" ?disabled=${camera.sight.near === 1} @click=${() => camera.zoom(-1)}>−</button></div>
  </section>`;
}

/** Everything that lies on the map, with a margin. @param {Position} p @returns {import("./camera.js").Box} */
function frame(p) {
  const places = [...p.sites, ...p.countries.map(({ seal }) => seal), ...p.alliances.map(({ label }) => label)];
  const xs = places.map(({ x }) => x), ys = places.map(({ y }) => y), x = Math.min(...xs) - MARGIN, y = Math.min(...ys) - MARGIN;
  return { x, y, w: Math.max(...xs) + MARGIN - x, h: Math.max(...ys) + MARGIN - y };
}

/** A tap on open ground means the nearest target, where one is near enough for a thumb. @param {MouseEvent} event */
function beside(event) {
  const map = /** @type {Element} */ (event.currentTarget).closest(".map"), targets = [...map?.querySelectorAll(".thing.open > .hit") ?? []].map((target) => {
    const { x, y, width, height } = target.getBoundingClientRect();
    return { target, far: Math.hypot(x + width / 2 - event.clientX, y + height / 2 - event.clientY) };
  });
  const best = targets.sort((a, b) => a.far - b.far)[0];
  if (best?.far < THUMB) best.target.parentElement?.dispatchEvent(new MouseEvent("click"));
}

// --- land and sea -----------------------------------------------------------------------------------------------------------------

/** @param {Position} p */
function sea(p) {
  const coast = p.map.outline?.land;
  return svg`<rect class="sea" x="-3000" y="-3000" width="7000" height="7000"></rect>
    ${coast ? [30, 22, 14, 7].map((width) => svg`<path class="shore" d=${coast} stroke-width=${width}></path>`) : nothing}
    ${coast ? svg`<path class="foreign" d=${coast}></path>` : nothing}`;
}

/** A country's ground: its outline, or where the board brings none, a wash round its sites and roads. @param {Position} p @param {Country} country */
function land(p, { id, seal }) {
  const hue = `ground hue-${p.hue(id)}`, outline = p.map.outline?.countries?.[id];
  if (outline) {
    return svg`<clipPath id="within-${id}"><path d=${outline}></path></clipPath><g class=${hue}><path class="wash" d=${outline}></path>
      <path class="rim" d=${outline} clip-path="url(#within-${id})"></path><path class="border" d=${outline}></path></g>`;
  }
  const ways = p.map.roads.filter((/** @type {any} */ { a, b }) => p.site(a).country === id && p.site(b).country === id);
  const line = ways.map((/** @type {any} */ { a, b }) => `M${p.site(a).x} ${p.site(a).y}L${p.site(b).x} ${p.site(b).y}`).join("");
  const spokes = p.sites.filter((one) => one.country === id).map(({ x, y }) => `M${seal.x} ${seal.y}L${x} ${y}`).join("");
  return svg`<g class="${hue} blot"><path d=${line + spokes}></path></g>`;
}

/** @param {Position} p */
function names(p) {
  return svg`<g class="names" aria-hidden="true">${p.countries.map(({ id, seal }) => {
    const { x, y } = p.map.outline?.names?.[id] ?? { x: seal.x, y: seal.y + 44 };
    return svg`<text x=${x} y=${y}>${p.countryName(id)}</text>`;
  })}</g>`;
}

/** @param {Position} p @param {{a: string, b: string, kind: string}} road */
function way(p, { a, b, kind }) {
  const from = p.site(a), to = p.site(b);
  return svg`<path class="bed ${kind}" d="M${from.x} ${from.y}L${to.x} ${to.y}"></path><path class="road ${kind}" d="M${from.x} ${from.y}L${to.x} ${to.y}"></path>`;
}

/** A chain's road to this site, in its owner's colour. @param {Position} p @param {string} id */
function stroke(p, id) {
  const from = p.linked(id);
  if (!from || from === id) return nothing;
  const a = p.site(id), b = p.site(from);
  return svg`<g class="seat-${p.owner(id)}"><path class="chain-edge" d="M${a.x} ${a.y}L${b.x} ${b.y}"></path><path class="chain" d="M${a.x} ${a.y}L${b.x} ${b.y}"></path></g>`;
}

// --- what can be pointed at -------------------------------------------------------------------------------------------------------

/**
 * Something on the map with words of its own: shown on focus, hover or tap. With moves it is a button that makes the first.
 * @param {Position} p @param {string} key @param {string} label @param {Place} at @param {Move[]} moves @param {string} cls @param {unknown} drawn
 * @typedef {import("./position.js").Place} Place
 */
function thing(p, key, label, { x, y }, moves, cls, drawn) {
  const show = () => { if (p.ui.local.about !== key) p.ui.set({ about: key }); };
  const focus = () => {
    camera.show({ x, y });
    show();
  };
  const hide = () => { if (p.ui.local.about === key) p.ui.set({ about: null }); };
  const act = () => { if (moves.length) p.ui.play(moves[0]); else show(); };
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  };
  return svg`<g class="thing ${cls} ${moves.length ? "open" : ""}" transform="translate(${x} ${y})" role="button" tabindex="0" aria-disabled=${!moves.length} data-at=${key}
    aria-label=${label} aria-describedby="cardinal-note" @click=${act} @keydown=${press} @focus=${focus} @blur=${hide} @pointerenter=${show} @pointerleave=${hide}>${drawn}</g>`;
}

/** @param {Position} p @param {Site} one */
function site(p, one) {
  const { ui } = p, owner = p.owner(one.id), moves = p.placements("cloister").filter(({ args }) => args.site === one.id);
  const label = ui.t(owner < 0 ? "cardinal-site-free" : "cardinal-site-taken", { place: p.siteName(one.id), country_name: p.countryName(one.country), owner: owner < 0 ? "" : ui.name(owner) });
  const drawn = svg`<circle class="hit" r=${reach(p, one)}></circle><g class="grown"><circle class="spot" r="20"></circle>${moves.length ? svg`<circle class="glow" r="17"></circle>` : nothing}
    ${owner < 0 ? svg`<path class="plot" d=${HOUSE}></path><path class="cross" d="M0-19v7M-3-16h6"></path>` : house(owner, one.id)}</g>`;
  return thing(p, `site-${one.id}`, label, one, moves, `site ${owner < 0 ? "" : `seat-${owner}`}`, drawn);
}

/** As far round a site as it can be clicked without reaching into its neighbours. @param {Position} p @param {Site} one */
function reach(p, one) {
  const far = (/** @type {Place} */ { x, y }) => Math.hypot(x - one.x, y - one.y);
  return Math.min(REACH, ...p.sites.filter((other) => other !== one).map((other) => far(other) / 2), ...p.countries.map(({ seal }) => far(seal) - SEAL));
}

/** @param {number} seat @param {string} id */
const house = (seat, id) => svg`<g class="house" data-house=${id}><path class="cross" d="M0-20v8M-3.4-16.5h6.8"></path><path class="walls" d=${HOUSE}></path>
  <path class="device" transform="translate(-7.2 -5.4) scale(.0281)" d=${icons[DEVICES[seat]]}></path></g>`;

/** A little house for words beside the map. @param {number} seat */
export const cloister = (seat) => html`<svg class="piece seat-${seat}" viewBox="-12 -22 24 35" aria-hidden="true"><path class="cross" d="M0-20v8M-3.4-16.5h6.8"></path>
  <path class="walls" d=${HOUSE}></path><path class="door" d=${DOOR}></path></svg>`;

/** A little cardinal for words beside the map. @param {number} seat */
export const cardinal = (seat) => html`<svg class="piece seat-${seat}" viewBox="-12 -16 24 28" aria-hidden="true">${figure()}</svg>`;

const figure = () => svg`<path class="robe" d=${ROBE}></path><circle class="face" cy="-6" r="4.4"></circle><path class="hat" d="M-8.5-8.4C-5-9.4 5-9.4 8.5-8.4 5-7.2-5-7.2-8.5-8.4M-4.2-9C-4-13.4 4-13.4 4.2-9Z"></path>`;

/** @param {Position} p @param {Country} country @param {number} n */
function seal(p, { id, seal: at }, n) {
  const { ui } = p, moves = p.placements("cardinal").filter(({ args }) => args.country === id);
  const held = p.seats.filter((seat) => p.cardinals(id)[seat]), standing = p.standing(id), top = p.top(id);
  const label = ui.t("cardinal-seal", { country_name: p.countryName(id), standing, top });
  const drawn = svg`<circle class="hit" r=${SEAL}></circle><circle class="spot" r="31"></circle>${moves.length ? svg`<circle class="glow" r="32"></circle>` : nothing}
    <clipPath id="round-${id}"><circle r="24"></circle></clipPath><circle class="wax" r="26"></circle>
    <g clip-path="url(#round-${id})"><path class="field ${held.length ? "faint" : ""}" d=${FIELDS[n % FIELDS.length]}></path></g><circle class="ring" r="24"></circle>`;
  return svg`${thing(p, `seal-${id}`, label, at, moves, `seal hue-${p.hue(id)}`, drawn)}
    <g class="above" aria-hidden="true" transform="translate(${at.x} ${at.y})">${held.map((seat, i) => standingAt(p, id, seat, i, held.length))}
    ${top ? svg`<g class="cap ${standing >= top ? "full" : ""}" transform="translate(0 -29)"><g class="grown"><rect x="-18" y="-9" width="36" height="17" rx="8"></rect><text y="4">${standing}/${top}</text></g></g>` : nothing}</g>`;
}

/** Up to three in a row, five in two. @param {Position} p @param {string} country @param {number} seat @param {number} i @param {number} of */
function standingAt(p, country, seat, i, of) {
  const first = of > 3 ? Math.ceil(of / 2) : of, row = i < first ? 0 : 1, across = row ? of - first : first;
  const x = ((row ? i - first : i) - (across - 1) / 2) * (of > 3 ? 15 : across > 2 ? 15 : 18), y = of > 3 ? -8 + row * 17 : 2;
  const size = of > 3 ? 0.72 : of > 2 ? 0.86 : 1.08, count = p.cardinals(country)[seat];
  return svg`<g class="standing seat-${seat} ${p.leads(country, seat) ? "leads" : ""}" transform="translate(${x} ${y}) scale(${size})" data-standing="${country}-${seat}">
    <g class="inner">${figure()}</g>${svg`<text class="count" y="9.4">${count}</text>`}</g>`;
}

/** @param {Position} p @param {Alliance} one */
function dashes(p, { a, b, drawing, label }) {
  const lit = [a, b].some((id) => p.ui.local.about === `seal-${id}`);
  if (drawing !== "dashed" && !lit) return nothing;
  return svg`${[a, b].map((id) => {
    const { seal } = p.country(id);
    return svg`<path class="dashes ${lit ? "lit" : ""}" d="M${label.x} ${label.y}L${seal.x} ${seal.y}"></path>`;
  })}`;
}

/** An alliance's number on its ribbon, with the colours of who leads on both sides. @param {Position} p @param {Alliance} one */
function pact(p, { number, a, b, label: at }) {
  const leaders = p.seats.filter((seat) => p.leads(a, seat) && p.leads(b, seat));
  const label = p.ui.t("cardinal-pact", { number, a: p.countryName(a), b: p.countryName(b) });
  const drawn = svg`<circle class="hit" r="17"></circle><g class="grown"><circle class="spot" r="20"></circle><path class="tails" d="M-13-3-20-3-16.500 3-20 9-9 9ZM13-3 20-3 16.500 3 20 9 9 9Z"></path><rect class="ribbon" x="-12" y="-9.500" width="24" height="18" rx="2"></rect>
    <text y="4.500">${number}</text>${leaders.map((seat, i) => svg`<circle class="won seat-${seat}" cx=${(i - (leaders.length - 1) / 2) * 9} cy="13" r="4.200"></circle>`)}</g>`;
  return thing(p, `pact-${number}`, label, at, [], "pact", drawn);
}
