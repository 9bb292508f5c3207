/**
 * The map, drawn as an old chart from the board's data: coasts, countries, roads, sites with cloisters, seals with
 * cardinals, alliances.
 */
import { html, nothing, ref, svg } from "lit";
import { findTabStop, mapKeyHandlers } from "../../../web/board-sdk/arrow-keys.js";
import { PanZoom, MAX_ZOOM } from "../../../web/board-sdk/pan-zoom.js";
import { delegatedTooltipHandlers, tooltipHandlers } from "../../../web/board-sdk/tooltips.js";
import { SEAT_DEVICES } from "../../../web/core/player-names.js";
import { icons } from "../../../web/board-sdk/icons.js";
import { currentLanguage } from "../../../web/core/user-settings.js";
import { keepLegible } from "./legible.js";
import { closeOffer, toggleOffer } from "./offer.js";
import { fitMap, getMap } from "./stretch.js";
import { renderGains } from "./tally.js";

/**
 * @typedef {import("./position.js").Position} Position @typedef {import("./position.js").Site} Site
 * @typedef {import("./position.js").Country} Country
 */
/**
 * @typedef {import("./position.js").Alliance} Alliance
 * @typedef {import("../../../web/core/api-types.js").Move} Move
 */

const HOUSE_PATH = "M-10 11V-2L0-12 10-2V11Z";
const CROSS_PATH = "M0-19v7M-3-16h6";
const DOOR_PATH = "M-3 11V5a3 3 0 0 1 6 0v6Z";
const ROBE_PATH = "M-7 10C-7 0-4-3 0-3S7 0 7 10Z";
/** Divisions of a round seal, by country. */
const SEAL_FIELD_PATHS = [
  "M-30-8H30V8H-30Z",
  "M-9-30H9V30H-9Z",
  "M-30-30H0V0H30V30H0V0H-30Z",
  "M-30 22 0-12 30 22V38L0 6-30 38Z",
  "M-34-20-20-34 34 20 20 34Z",
  "M-7-30H7V-7H30V7H7V30H-7V7H-30V-7H-7Z",
  "M-30 0H30V30H-30Z",
  "M-26-26H-9V30H-26ZM9-26H26V30H9Z",
  "M-30-30H30L0 14Z",
  "M-30-22H30V-9H-30ZM-30 5H30V18H-30Z",
];
const MAP_MARGIN = 26; // around all sites, seals and ribbons
const SEAL_RADIUS = 29;
const MAX_SITE_RADIUS = 34;
// clickable radius of a seal, and maximum and minimum for a site: 24 px on a phone
const MIN_SITE_RADIUS = 31;
const TAP_TOLERANCE_PX = 26; // a tap this near to an open target selects it

/** @type {WeakMap<import("../../../web/board-sdk/board-context.js").BoardContext, PanZoom>} */
const panZooms = new WeakMap();

/** Return the pan and zoom state of this board's map. @param {Position} p */
export function getPanZoom(p) {
  const found = panZooms.get(p.ui);
  if (found) return found;
  const panZoom = new PanZoom();
  panZoom.onScaleChange = keepLegible;
  panZoom.extent = computeExtent(getMap(p.ui));
  panZoom.onResize = (viewport) => {
    if (!fitMap(p.ui, computeExtent(p.ui.about.components), viewport)) return;
    panZoom.extent = computeExtent(getMap(p.ui));
    if (panZoom.isMeasured) p.ui.setLocal({});
  };
  panZoom.onZoomLimitChange = () => p.ui.setLocal({});
  panZooms.set(p.ui, panZoom);
  return panZoom;
}

/** @param {Position} p */
export function renderChart(p) {
  const from = getPanZoom(p);
  return html`<section class="chart" aria-label=${p.ui.t("cardinal-map")} @keydown=${from.onKeyDown}>
    <svg class="map" ${ref(from.attach)} role="group" aria-label=${p.ui.t("cardinal-map")}
        aria-keyshortcuts="+ -" @pointerdown=${from.onPointerDown} @pointermove=${from.onPointerMove}
      @pointerup=${from.onPointerUp} @pointercancel=${from.onPointerUp} @wheel=${from.onWheel}
        @dblclick=${from.onDoubleClick}
      @click=${from.clickListener}>
      ${from.isMeasured ? renderMap(p) : nothing}
    </svg>
    <div class="zoom"><button class="icon-button" aria-label=${p.ui.t("cardinal-nearer")}
        title="${p.ui.t("cardinal-nearer")} (+)" ?disabled=${from.viewWindow.zoom === MAX_ZOOM}
        @click=${() => from.zoomBy(1)}>+</button>
      <button class="icon-button" aria-label=${p.ui.t("cardinal-farther")} title="${p.ui.t("cardinal-farther")} (−)"
          ?disabled=${from.viewWindow.zoom === 1} @click=${() => from.zoomBy(-1)}>−</button></div>
  </section>`;
}

/** Render everything on the map. @param {Position} p */
function renderMap(p) {
  const on = delegatedTooltipHandlers(p.ui, keyOf);
  const keys = mapKeyHandlers(p.ui, ".thing", keyOf);
  const targets = p.targetKeys;
  p.tabStop = findTabStop(
    p.ui,
    targets,
    targets.filter((key) => movesAt(p, key).length > 0),
  );
  return svg`<defs>${
    /* a scoped style sheet does not apply to elements instantiated by <use> */ p.seats.map(
      (seat) =>
        svg`<g id="house-${seat}"><path d=${HOUSE_PATH + CROSS_PATH} fill="var(--tint)" stroke="#1d130d"
          stroke-width="1.600"
            stroke-linejoin="round"></path><path fill="#fff" transform="translate(-7.2 -5.4) scale(.0281)"
            d=${icons[SEAT_DEVICES[seat]]}></path></g>`,
    )
  }</defs>
      <g @click=${(/** @type {MouseEvent} */ event) => chooseNearest(p, event)}>${renderSea(p)}${p.countries.map(
        (country) => renderCountry(p, country),
      )}
      <g class="roads">${renderRoads(p)}</g>
      <g class="chains">${p.siteNames.map((site) => renderChainLink(p, site))}</g>
      <g>${p.alliances.map((one) => renderAllianceLines(p, one))}</g>${renderNames(p)}</g>
      <g @click=${(/** @type {Event} */ event) => chooseTarget(p, keyOf(event.target))}
          @keydown=${(/** @type {KeyboardEvent} */ event) => {
            keys.press(event);
            pressTarget(p, event);
          }}
          @focusin=${(/** @type {FocusEvent} */ event) => {
            revealPlace(p, event);
            on.focus(event);
            keys.focus(event);
          }}
          @reveal=${(/** @type {Event} */ event) => revealPlace(p, event)}
        @focusout=${on.blur} @pointerover=${on.over} @pointerout=${on.out}>
        ${p.countries.map((country, n) =>
          renderSeal(p, country, n),
        )}${p.sites.map((one) => renderSite(p, one))}${p.alliances.map((one) => renderAlliance(p, one))}</g>
      ${renderGains(p)}`;
}

/**
 * Return the extent of everything on a map, with a margin.
 * @param {Record<string, any>} map @returns {import("../../../web/board-sdk/pan-zoom.js").Box}
 */
function computeExtent({ sites, countries, alliances }) {
  const places = /** @type {Point[]} */ ([
    ...sites,
    ...countries.map((/** @type {Country} */ { seal }) => seal),
    ...alliances.map((/** @type {Alliance} */ { label }) => label),
  ]);
  const xs = places.map(({ x }) => x);
  const ys = places.map(({ y }) => y);
  const x = Math.min(...xs) - MAP_MARGIN;
  const y = Math.min(...ys) - MAP_MARGIN;
  return { x, y, w: Math.max(...xs) + MAP_MARGIN - x, h: Math.max(...ys) + MAP_MARGIN - y };
}

/**
 * Select the nearest open target for a tap on the background, if one is within a thumb's reach.
 * @param {Position} p @param {MouseEvent} event
 */
function chooseNearest(p, event) {
  const map = /** @type {Element} */ (event.currentTarget).closest(".map");
  const near = [...(map?.querySelectorAll(".thing.open > .hit") ?? [])].map((target) => {
    const { x, y, width, height } = target.getBoundingClientRect();
    return { target, far: Math.hypot(x + width / 2 - event.clientX, y + height / 2 - event.clientY) };
  });
  const best = near.sort((a, b) => a.far - b.far)[0];
  if (best?.far < TAP_TOLERANCE_PX) chooseTarget(p, best.target.parentElement?.getAttribute("data-at") ?? "");
  else if (p.ui.local.offer) closeOffer(p);
  else if (p.ui.local.detail) p.ui.setLocal({ detail: null });
}

// --- land and sea ----------------------------------------------------------------------------------------------------

/** @param {Position} p */
function renderSea(p) {
  const coast = p.map.outline?.land;
  return svg`<rect class="sea" x="-3000" y="-3000" width="7000" height="7000"></rect>
    ${coast ? [28, 13].map((width) => svg`<path class="shore" d=${coast} stroke-width=${width}></path>`) : nothing}
    ${coast ? svg`<path class="foreign" d=${coast}></path>` : nothing}`;
}

/**
 * Render a country's area: its outline, or without one, a wash around its sites and roads.
 * @param {Position} p @param {Country} country
 */
function renderCountry(p, { id, seal }) {
  const hue = `ground hue-${p.cardTypeIndex(id)}`;
  const outline = p.map.outline?.countries?.[id];
  if (outline) {
    return svg`<clipPath id="within-${id}"><path d=${outline}></path></clipPath><g
        class="${hue} ${isHighlighted(p, id) ? "lit" : ""}" data-ground=${id}><path class="rim" d=${outline}
        clip-path="url(#within-${id})"></path><path class="wash" d=${outline}></path></g>`;
  }
  const inland = p.map.roads.filter(
    (/** @type {any} */ { a, b }) => p.site(a).country === id && p.site(b).country === id,
  );
  const line = inland
    .map((/** @type {any} */ { a, b }) => `M${p.site(a).x} ${p.site(a).y}L${p.site(b).x} ${p.site(b).y}`)
    .join("");
  const spokes = p.sites
    .filter((one) => one.country === id)
    .map(({ x, y }) => `M${seal.x} ${seal.y}L${x} ${y}`)
    .join("");
  return svg`<g class="${hue} blot" data-ground=${id}><path d=${line + spokes}></path></g>`;
}

/** Return whether this country, or one of its alliances, is pointed at. @param {Position} p @param {string} id */
function isHighlighted(p, id) {
  const [kind, which] = (p.ui.local.detail ?? "").split("-");
  if (kind !== "pact") return kind === "seal" && which === id;
  const { a, b } = p.alliance(Number(which));
  return a === id || b === id;
}

/**
 * Render the country names, narrower if the board data limits the space; on a small map, a long Japanese name in two
 * lines if there is space.
 * @param {Position} p
 */
function renderNames(p) {
  const ja = currentLanguage() === "ja";
  const wide = ja ? 1 : 0.66; // width of a letter, relative to its height
  const rim = 0.4; // outline at both ends, as browsers measure it
  return svg`<g class="names" aria-hidden="true">${p.countries.map(({ id, seal }) => {
    const { x, y, room, small } = p.map.outline?.names?.[id] ?? { x: seal.x, y: seal.y + 44 };
    const name = p.countryName(id);
    return svg`<text class=${ja && small ? "at-large" : ""} x=${x} y=${y}
        .style=${room ? `--fit: ${room / (name.length * wide + rim)}` : ""}>${name}</text>
      ${ja && small ? renderNameInTwoLines(name, small) : nothing}`;
  })}</g>`;
}

/**
 * Render a katakana name in two lines, broken before a full-size kana.
 * @param {string} name @param {Point & {line?: string}} at
 */
function renderNameInTwoLines(name, { x, y, line }) {
  const whole = [...name.matchAll(/[^ァィゥェォッャュョーン]/g)].map(({ index }) => index ?? 0);
  const middle = name.length / 2;
  const cut = whole.reduce((best, here) => (Math.abs(here - middle) <= Math.abs(best - middle) ? here : best));
  return svg`${line ? svg`<path class="leader at-small" d=${line}></path>` : nothing}
    <text class="at-small" y=${y}><tspan x=${x} dy="-.15em">${name.slice(0, cut)}</tspan><tspan x=${x}
        dy="1.06em">${name.slice(cut)}</tspan></text>`;
}

/** Render all roads, one path for each kind. @param {Position} p */
function renderRoads(p) {
  const kinds = /** @type {string[]} */ ([...new Set(p.map.roads.map((/** @type {any} */ { kind }) => kind))]);
  const lines = kinds.map((kind) =>
    p.map.roads
      .filter((/** @type {any} */ road) => road.kind === kind)
      .map((/** @type {any} */ { a, b }) => `M${p.site(a).x} ${p.site(a).y}L${p.site(b).x} ${p.site(b).y}`)
      .join(""),
  );
  return ["bed", "road"].map((part) =>
    kinds.map((kind, i) => svg`<path class="${part} ${kind}" d=${lines[i]}></path>`),
  );
}

/** Render the chain's road to this site, in its owner's colour. @param {Position} p @param {string} id */
function renderChainLink(p, id) {
  const from = p.chainPredecessor(id);
  if (!from || from === id) return nothing;
  const a = p.site(id);
  const b = p.site(from);
  return svg`<g class="seat-${p.owner(id)}"><path class="chain-edge" d="M${a.x} ${a.y}L${b.x} ${b.y}"></path><path
      class="chain" d="M${a.x} ${a.y}L${b.x} ${b.y}"></path></g>`;
}

// --- targets ---------------------------------------------------------------------------------------------------------

/**
 * Render a target on the map with a tooltip, shown on focus, hover or tap. If the selected cards have moves there, it
 * is a button that makes the first of them; if only other cards do, a button that offers those.
 * @param {Position} p @param {string} key @param {string} label @param {Point} at @param {boolean} open
 * @param {string} cls @param {unknown} content
 * @typedef {import("./position.js").Point} Point
 */
function renderTarget(p, key, label, { x, y }, open, cls, content) {
  const isPayable = !open && p.payments(key).length > 0;
  return svg`<g class="thing ${cls} ${open ? "open" : isPayable ? "payable" : ""} ${
    p.ui.local.offer === key ? "asked" : ""
  }" transform="translate(${x} ${y})" role="button" tabindex=${p.tabStop === key ? 0 : -1} aria-disabled=${
    !open && !isPayable
  } data-at=${key} aria-label=${label} aria-describedby="cardinal-note">${content}</g>`;
}

/** Return the key of the target that contains this element, or "". @param {EventTarget | null} target */
const keyOf = (target) => (target instanceof Element && target.closest(".thing")?.getAttribute("data-at")) || "";

/**
 * Return the moves that place a piece on a target, such as "site-FR5", "seal-FR" or "pact-14".
 * @param {Position} p @param {string} key @returns {Move[]}
 */
function movesAt(p, key) {
  const [kind, id] = key.split("-");
  if (kind === "site") return p.placements("cloister").filter(({ args }) => args.site === id);
  return kind === "seal" ? p.placements("cardinal").filter(({ args }) => args.country === id) : [];
}

/** @param {Position} p @param {string} key */
function chooseTarget(p, key) {
  const moves = movesAt(p, key);
  if (moves.length) p.ui.play(moves[0]);
  else if (p.payments(key).length) toggleOffer(p, key);
  else if (p.ui.local.offer) closeOffer(p);
  else if (key) tooltipHandlers(p.ui, key).tap();
}

/** @param {Position} p @param {KeyboardEvent} event */
function pressTarget(p, event) {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  chooseTarget(p, keyOf(event.target));
}

/** Pan to the focused target. @param {Position} p @param {Event} event */
function revealPlace(p, { target }) {
  const place = /** @type {SVGGElement} */ (/** @type {Element} */ (target).closest(".thing"))?.transform.baseVal[0]
    .matrix;
  if (place) getPanZoom(p).reveal({ x: place.e, y: place.f });
}

/** @param {Position} p @param {Site} one */
function renderSite(p, one) {
  const { ui } = p;
  const owner = p.owner(one.id);
  const open = movesAt(p, `site-${one.id}`).length > 0;
  const label = ui.t(owner < 0 ? "cardinal-site-free" : "cardinal-site-taken", {
    place: p.siteName(one.id),
    country_name: p.countryName(one.country),
    owner: owner < 0 ? "" : ui.playerName(owner),
  });
  const content = svg`<circle class="hit" r=${siteRadius(p, one)}></circle><g class="grown"><circle class="spot"
      r="20"></circle>${open ? svg`<circle class="glow" r="17"></circle>` : nothing}
    ${
      owner < 0
        ? svg`<path class="plot" d=${HOUSE_PATH + CROSS_PATH}></path>`
        : svg`<use class="house" href="#house-${owner}"
          data-house=${one.id}></use>`
    }</g>`;
  return renderTarget(p, `site-${one.id}`, label, one, open, `site ${owner < 0 ? "" : `seat-${owner}`}`, content);
}

/**
 * Return the clickable radius of a site: without overlapping its neighbours, but wide enough for a finger.
 * @param {Position} p @param {Site} one
 */
function siteRadius(p, one) {
  const far = (/** @type {Point} */ { x, y }) => Math.hypot(x - one.x, y - one.y);
  return Math.max(
    MIN_SITE_RADIUS,
    Math.min(
      MAX_SITE_RADIUS,
      ...p.sites.filter((other) => other !== one).map((other) => far(other) / 2),
      ...p.countries.map(({ seal }) => far(seal) - SEAL_RADIUS),
    ),
  );
}

/** Render a small house (cloister) for text beside the map. @param {number} seat */
export const renderCloister = (
  seat,
) => html`<svg class="piece seat-${seat}" viewBox="-12 -22 24 35" aria-hidden="true"><path class="cross"
    d="M0-20v8M-3.4-16.5h6.8"></path>
  <path class="walls" d=${HOUSE_PATH}></path><path class="door" d=${DOOR_PATH}></path></svg>`;

/** Render a small cardinal for text beside the map. @param {number} seat */
export const renderCardinal = (seat) =>
  html`<svg class="piece seat-${seat}" viewBox="-12 -16 24 28" aria-hidden="true">${renderFigure()}</svg>`;

const renderFigure = () =>
  svg`<path class="robe" d=${ROBE_PATH}></path><circle class="face" cy="-6" r="4.4"></circle><path class="hat"
      d="M-8.5-8.4C-5-9.4 5-9.4 8.5-8.4 5-7.2-5-7.2-8.5-8.4M-4.2-9C-4-13.4 4-13.4 4.2-9Z"></path>`;

/** @param {Position} p @param {Country} country @param {number} n */
function renderSeal(p, { id, seal: at }, n) {
  const open = movesAt(p, `seal-${id}`).length > 0;
  const held = p.seats.filter((seat) => p.cardinals(id)[seat]);
  const standing = p.standing(id);
  const top = p.top(id);
  const content = svg`<circle class="hit" r=${SEAL_RADIUS}></circle><circle class="spot"
      r="31"></circle>${open ? svg`<circle class="glow" r="32"></circle>` : nothing}
    <clipPath id="round-${id}"><circle r="24"></circle></clipPath><circle class="wax" r="26"></circle>
    <g clip-path="url(#round-${id})"><path class="field ${held.length ? "faint" : ""}"
        d=${SEAL_FIELD_PATHS[n % SEAL_FIELD_PATHS.length]}></path></g><circle class="ring" r="24"></circle>`;
  return svg`${renderTarget(
    p,
    `seal-${id}`,
    p.countryTitle(id),
    at,
    open,
    `seal hue-${p.cardTypeIndex(id)} ${isHighlighted(p, id) ? "lit" : ""}`,
    content,
  )}
    <g class="above" aria-hidden="true" transform="translate(${at.x} ${at.y})">${held.map((seat, i) =>
      renderStanding(p, id, seat, i, held.length),
    )}
    ${
      top
        ? svg`<g class="cap ${p.isFull(id) ? "full" : ""}" transform="translate(0 ${chooseCapSide(p, at) * 29})"><g
          class="badge"><rect x="-15" y="-8" width="30" height="16" rx="8"></rect><text
          y="4.200">${standing}/${top}</text></g></g>`
        : nothing
    }</g>`;
}

/**
 * Return -1 (above the seal) or 1 (below), whichever is further from the nearest site.
 * @param {Position} p @param {Point} at
 */
function chooseCapSide(p, at) {
  const room = [-1, 1].map((side) =>
    Math.min(...p.sites.map(({ x, y }) => Math.hypot((x - at.x) / 1.6, y - at.y - side * 32))),
  );
  return room[0] >= room[1] ? -1 : 1;
}

/**
 * Render one of a country's cardinals: up to three in a row, more in two rows.
 * @param {Position} p @param {string} country @param {number} seat @param {number} i @param {number} of
 */
function renderStanding(p, country, seat, i, of) {
  const first = of > 3 ? Math.ceil(of / 2) : of;
  const row = i < first ? 0 : 1;
  const across = row ? of - first : first;
  const x = ((row ? i - first : i) - (across - 1) / 2) * (of > 3 ? 15 : across > 2 ? 15 : 18);
  const y = of > 3 ? -8 + row * 17 : 2;
  const size = of > 3 ? 0.72 : of > 2 ? 0.86 : 1.08;
  const count = p.cardinals(country)[seat];
  return svg`<g class="standing seat-${seat} ${p.isLeading(country, seat) ? "leads" : ""}"
      transform="translate(${x} ${y}) scale(${size})" data-standing="${country}-${seat}">
    <g class="inner">${renderFigure()}</g>${svg`<text class="count" y="9.4">${count}</text>`}</g>`;
}

/** @param {Position} p @param {Alliance} one */
function renderAllianceLines(p, { number, a, b, drawing, label }) {
  const about = p.ui.local.detail;
  const shown = about === `pact-${number}` || about === `seal-${a}` || about === `seal-${b}`;
  if (drawing !== "dashed" && !shown) return nothing;
  return svg`${[a, b].map((id) => {
    const { seal } = p.country(id);
    return svg`<path class="dashes ${shown ? "lit" : ""}" d="M${label.x} ${label.y}L${seal.x} ${seal.y}"></path>`;
  })}`;
}

/**
 * Render an alliance's number on its ribbon, with the colours of the leaders on both sides.
 * @param {Position} p @param {Alliance} one
 */
function renderAlliance(p, { number, a, b, label: at }) {
  const { leaders } = p.allianceValue(number);
  const label = p.ui.t("cardinal-pact", { number, a: p.countryName(a), b: p.countryName(b) });
  const half = number > 9 ? 10 : 7;
  const content = svg`<circle class="hit" r="17"></circle><g class="badge"><circle class="spot" r="15"></circle><path
      class="tails" d="M${-half}-3H${-half - 7}l3 5.500-3 5.500H${half + 7}l-3-5.500 3-5.500Z"></path><rect
      class="ribbon" x=${-half} y="-7.500" width=${2 * half} height="14" rx="2"></rect>
    <text y="3.900">${number}</text>${leaders.map(
      (seat, i) =>
        svg`<circle class="won seat-${seat}" cx=${(i - (leaders.length - 1) / 2) * 8} cy="10" r="3.800"></circle>`,
    )}</g>`;
  return renderTarget(p, `pact-${number}`, label, at, false, "pact", content);
}
