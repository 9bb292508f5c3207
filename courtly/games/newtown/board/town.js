/** The town: lands, trees, the castle, houses and craftsmen; as a 3D model or as a flat map. */
import { html, nothing, ref, svg } from "lit";
import { findTabStop, mapKeyHandlers } from "../../../web/board-sdk/arrow-keys.js";
import { tooltipHandlers } from "../../../web/board-sdk/tooltips.js";
import { SEAT_DEVICES } from "../../../web/core/player-names.js";
import { icons } from "../../../web/board-sdk/icons.js";
import { isSmallScreen } from "../../../web/core/user-settings.js";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { placeBeside } from "./beside.js";
import { renderResident, residentTexts } from "./cards.js";
import { project, drawHouse, houseViewBox, closedPath, VIEW_TILT } from "./house.js";
import { drawPeople, drawPoints, ownedCardPoints, renderPeople, renderPoints, residentPoints } from "./moving-in.js";
import { formatBlocks, renderFloors } from "./pictures.js";
import { parseForm, formatPercent } from "./position.js";
import { explainCard, explainLand, explainResident } from "./why.js";

/**
 * @typedef {import("./position.js").Position} Position @typedef {import("./position.js").House} House
 * @typedef {import("../../../web/core/api-types.js").Move} Move
 */

const TILE_CUBES = 9; // length of a land, in cubes
/** The reader's view of the town; not part of the game. @type {{turns: number, flat: boolean | null}} */
const townView = { turns: 0, flat: null };

/** @param {Position} p */
export function renderTown(p) {
  const flat = townView.flat ?? isSmallScreen();
  const { ui } = p;
  const change = (/** @type {Partial<typeof townView>} */ patch) => () => {
    Object.assign(townView, patch);
    ui.setLocal({});
  };
  return html`<section class="town ${flat ? "flat" : "model"}" aria-label=${ui.t("newtown-town")}>
    ${flat ? renderMap(p) : renderModel(p)}
    <div class="view-tools">
      ${
        flat
          ? nothing
          : html`<button class="icon-button" title=${ui.t("newtown-turn-view")} aria-label=${ui.t("newtown-turn-view")}
            @click=${change({ turns: (townView.turns + 1) % 4 })}>
            <svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path
                d="M4 12a8 8 0 1 0 3-6.2M7 2v4h4"></path></svg></button>`
      }
      <button class="icon-button" aria-pressed=${flat}
        @click=${change({ flat: !flat })}>${ui.t(flat ? "newtown-view-model" : "newtown-view-flat")}</button>
    </div>
    ${renderLatest(p)}${renderFacts(p)}
  </section>`;
}

/** Return the moves that choose a land. @param {Position} p @param {number} land @returns {Move[]} */
const landMoves = (p, land) => ["go", "aim", "walk"].flatMap((verb) => p.ui.legalMoves(verb, { land: p.lands[land] }));

/**
 * Original rules: return whether the player builds on this land once the craftsman has walked there.
 * @param {Position} p @param {number} land
 */
const isGoal = (p, land) => p.hasPips && p.facts.goals.includes(land);

/** Return the handlers of a land: its tooltip, and its move on a click. @param {Position} p @param {number} land */
function landListeners(p, land) {
  const [move] = landMoves(p, land);
  const on = tooltipHandlers(p.ui, `land-${land}`);
  return { ...on, click: move ? () => p.ui.play(move) : on.tap };
}

/** Return the description of a land for screen readers. @param {Position} p @param {number} land */
export function landText(p, land) {
  const { ui, state } = p;
  const parts = [
    p.landName(land),
    ui.t(`newtown-ground-${p.ground(land)}`),
    ui.t("newtown-points", { n: p.landPoints(land) }),
  ];
  if (state.tree[land]) parts.push(ui.t("newtown-tree"));
  for (const house of p.housesOn(land)) parts.push(houseText(p, house));
  if (isGoal(p, land)) parts.push(ui.t("newtown-goal"));
  const seatsHere = p.seats.filter((seat) => state.craftsman[seat] === land);
  if (seatsHere.length) parts.push(ui.t("newtown-craftsmen", { names: ui.playerNames(seatsHere) }));
  return ui.joinParts(parts);
}

/** @param {Position} p @param {House} house */
export const houseText = (p, house) =>
  p.ui.t("newtown-house-of", { name: p.ui.playerName(house.owner), form: house.form, n: p.basePoints(house.form) });

/** Render the tooltip of the land, land card or residents pointed at. @param {Position} p */
function renderFacts(p) {
  const { ui, state } = p;
  const [kind, which] = (ui.local.detail ?? "").split("-");
  if (!kind) return nothing;
  if (kind === "resident") return renderResidentFacts(p, which);
  const land = Number(which);
  const card = kind === "card";
  const houses = p.housesOn(land);
  const seatsHere = p.seats.filter((seat) => state.craftsman[seat] === land);
  const place = (/** @type {Element | undefined} */ tooltip) =>
    tooltip && !card && queueMicrotask(() => placeBeside(/** @type {HTMLElement} */ (tooltip), `land-${land}`));
  return html`<aside ${ref(place)} class="facts ground-${p.ground(land)} ${
    card ? "about-card" : isLeftHalf(p, land) ? "right" : ""
  }">
    <header><b>${p.landName(land)}</b><span>${ui.t(`newtown-ground-${p.ground(land)}`)}</span></header>
    <p>${ui.joinSentences([
      ui.t("newtown-land-brings", { n: p.landPoints(land) }),
      land === p.king ? ui.t("newtown-king-brings") : ui.t("newtown-chance", { ways: p.facts.ways[land] }),
      ...(state.tree[land] ? [ui.t("newtown-tree-does", { n: state.round })] : []),
    ])}</p>
    ${
      card
        ? html`<p><b>${ui.t("newtown-land-card")}</b> ${ui.joinSentences([
            ui.t(`newtown-ability-${p.ground(land)}`),
            ui.t(`newtown-from-${p.box.grounds[p.ground(land)].from}`),
            ui.t("newtown-card-end"),
          ])}</p>`
        : nothing
    }
    ${houses.map(
      (house) => html`<p class="tint-${house.owner}">${ui.renderShield(house.owner, "tiny")} ${houseText(p, house)}
      <small>${ui.t("newtown-built-of", { blocks: formatBlocks(house) })}</small>${renderFloors(p, house)}</p>`,
    )}
    ${p.facts.free[land] ? html`<p class="quiet">${ui.t("newtown-room-for", { n: p.facts.free[land] })}</p>` : nothing}
    ${
      seatsHere.length
        ? html`<p>${ui.t("newtown-craftsmen", {
            names: ui.playerNames(seatsHere),
          })}</p>`
        : nothing
    }
    ${renderReason(card ? explainCard(p, land) : explainLand(p, land))}
  </aside>`;
}

/** Render why this cannot be done now. @param {string} reason */
const renderReason = (reason) => (reason ? html`<p class="reason">${reason}</p>` : nothing);

/** Render what the latest building brought, and which cards changed hands. @param {Position} p */
function renderLatest(p) {
  const { ui, state, latestGains } = p;
  const house = p.house(state.house);
  if (!latestGains.length) return nothing;
  const houseName = ui.joinParts([p.landName(house.land), ...(house.blocks.length ? [houseText(p, house)] : [])]);
  const taken = state.taken_from
    ? [ui.t("newtown-taken", { name: ui.playerName(house.owner), loser: ui.playerName(state.taken_from - 1) })]
    : [];
  if (state.handed) taken.push(ui.t("newtown-handed"));
  return html`<div class="latest" data-key="latest"><div><h2>${ui.t("newtown-latest", { house: houseName })}</h2>
    ${taken.length ? html`<p>${ui.joinSentences(taken)}</p>` : nothing}
    <ul>${latestGains.map(
      ({ seat, source, points }) => html`
      <li class="tint-${seat}">${ui.renderShield(seat, "tiny")}
        ${ui.t(`newtown-source-${source}`)} <b>${ui.formatPlus(points)}</b></li>`,
    )}</ul></div>
    ${state.handed ? renderResident(p, p.residents[state.handed - 1], "handed") : nothing}</div>`;
}

/**
 * Return whether this land is in the left half of the picture, so that its card is shown on the right.
 * @param {Position} p @param {number} land
 */
function isLeftHalf(p, land) {
  const rows = rotateRows(p.rows, townView.turns);
  const y = rows.findIndex((row) => row.includes(land));
  return rows[y].indexOf(land) < y;
}

/** Render a card about the residents pointed at. @param {Position} p @param {string} name */
function renderResidentFacts(p, name) {
  const { ui } = p;
  const [who, ...lines] = residentTexts(p, name);
  return html`<aside class="facts about-card"><header><b>${who}</b></header>
    ${[...lines, ui.t("newtown-unhoused-cost", { points: p.box.residents[name].points })].map(
      (line) => html`<p
        >${line}</p>`,
    )}${renderReason(explainResident(p, name))}</aside>`;
}

/**
 * Choose the land that Tab leads to, and return the handlers of the keys on the map.
 * @param {Position} p @param {string} selector of a land or an empty place
 */
function keepTabStop(p, selector) {
  const settling = p.ui.legalMoves("settle").map(({ args }) => `place-${args.place}`);
  const lands = p.rows.flat().filter((land) => land !== null);
  const going = lands.filter((land) => landMoves(p, land).length > 0).map((land) => `land-${land}`);
  const all = [...lands.map((land) => `land-${land}`), ...settling];
  p.tabStop = findTabStop(p.ui, all, [...going, ...settling]);
  return mapKeyHandlers(p.ui, selector, (place) => place.getAttribute("data-key"));
}

// --- the model
// --------------------------------------------------------------------------------------------------------

/** @param {Position} p */
function renderModel(p) {
  const rows = rotateRows(p.rows, townView.turns);
  const cells = rows.flatMap((row, y) => row.map((land, x) => ({ land, x, y }))).filter(({ land }) => land !== null);
  const empty = rotateRows(p.places, townView.turns).flatMap((row, y) => row.map((place, x) => ({ place, x, y })));
  cells.sort((a, b) => a.x + a.y - b.x - b.y);
  const keys = keepTabStop(p, ":is(.tile, .site)");
  return html`<svg class="model" viewBox="-368 34 736 494" role="group" @keydown=${keys.press}
      @focusin=${keys.focus}>
    <defs>${renderTextures("matrix(1 .58 -1 .58 0 0)")}</defs>
    ${empty.map(({ place, x, y }) => (place === null ? nothing : renderSite(p, place, x, y)))}
    ${cells.map(({ land, x, y }) => renderTile(p, /** @type {number} */ (land), x, y))}
    ${cells.map(({ land, x, y }) => renderOverlay(p, /** @type {number} */ (land), x, y))}</svg>`;
}

/** @template T @param {T[][]} rows @param {number} turns @returns {T[][]} */
const rotateRows = (rows, turns) =>
  turns
    ? rotateRows(
        rows[0].map((_, x) => rows.map((row) => row[x]).reverse()),
        turns - 1,
      )
    : rows;

/** @param {Position} p @param {number} land @param {number} x @param {number} y */
function renderTile(p, land, x, y) {
  const { ui, state } = p;
  const ground = p.ground(land);
  const [go] = landMoves(p, land);
  const { enter, leave, focus, blur, click } = landListeners(p, land);
  const key = `land-${land}`;
  const houses = p.housesOn(land);
  const classes = [
    "tile",
    `ground-${ground}`,
    go ? "open" : "",
    p.chooser !== null && state.craftsman[p.chooser] === land ? "current" : "",
  ].join(" ");
  return svg`<g class=${classes} data-key=${key}
      transform=${`translate(${(x - y) * TILE_CUBES * 10} ${(x + y) * TILE_CUBES * 10 * VIEW_TILT})`}
    role=${go ? "button" : "img"} tabindex=${p.tabStop === key ? 0 : -1}
      aria-label=${go ? ui.moveText(go) : landText(p, land)}
      @pointerenter=${enter} @pointerleave=${leave} @focus=${focus} @blur=${blur} @click=${click}
      @keydown=${(/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          click();
        }
      }}>
    <path class="side y" d=${closedPath(
      project(0.1, 8.9),
      project(8.9, 8.9),
      project(8.9, 8.9, -0.9),
      project(0.1, 8.9, -0.9),
    )}></path>
    <path class="side x" d=${closedPath(
      project(8.9, 0.1),
      project(8.9, 8.9),
      project(8.9, 8.9, -0.9),
      project(8.9, 0.1, -0.9),
    )}></path>
    <path class="top" d=${squarePath(0.1)}></path>
    <path class="texture" fill="url(#newtown-${ground})" d=${squarePath(0.1)}></path>
    <path class="rim" d=${squarePath(0.35)}></path>
    ${land === p.king ? renderCastle() : nothing}
    ${state.tree[land] ? renderTree(land === p.king ? 5.1 : 2.9, land === p.king ? 5.1 : 2.9) : nothing}
    ${houses.map(
      (house) => svg`<g class="house tint-${house.owner}" data-key="house-${house.id}"
      transform=${housePlacement(house)}>${drawHouse(house, townView.turns)}</g>`,
    )}
  </g>`;
}

/**
 * Render an empty place on which a land may be laid.
 * @param {Position} p @param {number} place @param {number} x @param {number} y
 */
function renderSite(p, place, x, y) {
  const { ui } = p;
  const [move] = ui.legalMoves("settle", { place });
  const key = `place-${place}`;
  const click = () => move && ui.play(move);
  return svg`<g class="site ${move ? "open" : ""}" data-key=${key}
      transform=${`translate(${(x - y) * TILE_CUBES * 10} ${(x + y) * TILE_CUBES * 10 * VIEW_TILT})`}
    role=${move ? "button" : "img"} tabindex=${p.tabStop === key ? 0 : -1}
      aria-label=${move ? ui.moveText(move) : ui.t("newtown-place", { place })} @click=${click}
      @keydown=${(/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          click();
        }
      }}>
    <path class="bare" d=${squarePath(0.35)}></path><text class="readable" transform="translate(${project(4.5, 4.5)})"
      y="6">${place}</text></g>`;
}

/** Return the path of a square this far inside a land's edges. @param {number} inset */
const squarePath = (inset) =>
  closedPath(
    project(inset, inset),
    project(TILE_CUBES - inset, inset),
    project(TILE_CUBES - inset, TILE_CUBES - inset),
    project(inset, TILE_CUBES - inset),
  );

/**
 * Render what the lands in front must not hide: the owners' shields, the craftsmen, the number.
 * @param {Position} p @param {number} land
 * @param {number} x @param {number} y
 */
function renderOverlay(p, land, x, y) {
  const seatsHere = p.seats.filter((seat) => p.state.craftsman[seat] === land);
  return svg`<g class="above ground-${p.ground(land)} ${landMoves(p, land).length ? "open" : ""}"
    transform=${`translate(${(x - y) * TILE_CUBES * 10} ${(x + y) * TILE_CUBES * 10 * VIEW_TILT})`}>
    ${p.housesOn(land).map((house) => renderFlag(p, house))}${seatsHere.map((seat, i) =>
      renderPawn(p, seat, i, seatsHere.length),
    )}${renderSign(p, land)}</g>`;
}

/** Return the position of a house on its land: the first on the left, the second on the right. @param {House} house */
function housePlacement(house) {
  const { box } = parseForm(house.form);
  const [w, d] = townView.turns % 2 ? [box[1], box[0]] : box;
  const [x, y] = house.which === 0 ? [2.35 - w / 2, 6.4 - d / 2] : [6.4 - w / 2, 2.35 - d / 2];
  return `translate(${project(x, y)})`;
}

/**
 * Render the owner's shield on the roof, so that colour alone does not identify the owner.
 * @param {Position} p @param {House} house
 */
function renderFlag(p, house) {
  const { box, penthouse } = parseForm(house.form);
  const top = box[2] + (penthouse ? 2.5 : 0.3 * Math.min(box[0], box[1]) + 0.2);
  const [cx, cy] = (house.which === 0 ? project(2.35, 6.4, top) : project(6.4, 2.35, top)).split(" ").map(Number);
  const [x, y] = (house.which === 0 ? project(2.6, 8.7) : project(8.7, 2.6)).split(" ").map(Number);
  return svg`<g transform="translate(${cx - 8} ${cy - 12})">${renderArms(house.owner)}</g>${drawPeople(p, house, x, y)}
    ${p.over ? drawPoints(p, `counted-house-${house.id}`, residentPoints(p, house.id), cx, cy - 4) : nothing}`;
}

/** Render a small shield of a seat inside the picture. @param {number} seat */
const renderArms = (seat) => svg`<g class="arms tint-${seat}" transform="scale(.34)">
  <path class="field" d="M4 3h40v25c0 13-9 21-20 25C13 49 4 41 4 28z"></path>
    <path class="device" transform="translate(10.5 10) scale(.0527)" d=${icons[SEAT_DEVICES[seat]]}></path></g>`;

/** @param {Position} p @param {number} land */
function renderSign(p, land) {
  const note = landNote(p, land);
  const [x, y] = project(7.1, 7.1).split(" ").map(Number);
  const wide = land === p.king ? 27 : 16;
  return svg`<g class="sign" transform="translate(${x} ${y})"><g class="readable"><rect x=${-wide} y="-13"
      width=${wide * 2} height="24" rx="6"></rect>
    <text y="6">${p.shortLandName(land)}</text>
    ${
      note
        ? svg`<g class="odds"><rect x="-23" y="-36" width="46" height="20" rx="10"></rect><text
          y="-21">${note}</text></g>`
        : nothing
    }</g></g>
    ${p.over ? drawPoints(p, `counted-card-${land}`, ownedCardPoints(p, land), x, y - 24) : nothing}`;
}

/** Return the land's probability, or a note that it is the one to build on. @param {Position} p @param {number} land */
function landNote(p, land) {
  const chance = p.rollPercents?.[land];
  return chance
    ? formatPercent(chance)
    : isGoal(p, land) && p.state.craftsman[p.seat] !== land
      ? p.ui.t("newtown-goal-short")
      : "";
}

/** @param {Position} p @param {number} seat @param {number} i @param {number} count */
function renderPawn(p, seat, i, count) {
  const along = (i - (count - 1) / 2) * 1.9;
  const [x, y] = project(5.5 + along, 5.5 - along)
    .split(" ")
    .map(Number);
  return svg`<g class="pawn tint-${seat} ${p.seat === seat ? "acting" : ""}" data-key="pawn-${seat}"
      transform="translate(${x} ${y})">
    <g class="body"><ellipse cx="0" cy="1" rx="9" ry="4.5"></ellipse>
    <path d="M-8 0C-7-9-4-12-3-17h6c1 5 4 8 5 17a8 4 0 0 1-16 0z"></path><circle cx="0" cy="-22" r="7"></circle></g>
      <g transform="translate(-6 -14) scale(.75)">${renderArms(seat)}</g></g>`;
}

/** @param {number} x @param {number} y */
function renderTree(x, y) {
  const [cx, cy] = project(x, y).split(" ").map(Number);
  return svg`<g class="tree" transform="translate(${cx} ${cy})"><ellipse class="shadow" cx="3" cy="1" rx="15"
      ry="7"></ellipse>
    <path class="trunk" d="M-3 0h6l-1-16h-4z"></path>
    <circle cx="-8" cy="-21" r="10"></circle><circle cx="8" cy="-22" r="10.5"></circle><circle cx="0" cy="-31"
        r="12"></circle>
      <circle class="light" cx="-3" cy="-35" r="6"></circle></g>`;
}

/** Render a keep with four towers. */
function renderCastle() {
  const block = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {number} */ w,
    /** @type {number} */ h,
    kind = "",
  ) => svg`
    <path class="stone left ${kind}" d=${closedPath(
      project(x, y + w),
      project(x + w, y + w),
      project(x + w, y + w, h),
      project(x, y + w, h),
    )}></path>
    <path class="stone right ${kind}" d=${closedPath(
      project(x + w, y),
      project(x + w, y + w),
      project(x + w, y + w, h),
      project(x + w, y, h),
    )}></path>
    <path class="stone top ${kind}" d=${closedPath(
      project(x, y, h),
      project(x + w, y, h),
      project(x + w, y + w, h),
      project(x, y + w, h),
    )}></path>`;
  const spire = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {number} */ w,
    /** @type {number} */ z,
  ) => svg`
    <path class="spire left" d=${closedPath(
      project(x - 0.1, y + w + 0.1, z),
      project(x + w + 0.1, y + w + 0.1, z),
      project(x + w / 2, y + w / 2, z + 1.7),
    )}></path>
    <path class="spire right" d=${closedPath(
      project(x + w + 0.1, y - 0.1, z),
      project(x + w + 0.1, y + w + 0.1, z),
      project(x + w / 2, y + w / 2, z + 1.7),
    )}></path>`;
  const towers = [
    [0.7, 0.7],
    [3.3, 0.7],
    [0.7, 3.3],
    [3.3, 3.3],
  ];
  return svg`<g class="castle" transform="translate(0 4) scale(.9)">${[towers[0]].map(
    ([x, y]) => svg`${block(x, y, 1, 4)}${spire(x, y, 1, 4)}`,
  )}
    ${block(1.2, 1.2, 2.6, 3, "keep")}${spire(1.7, 1.7, 1.6, 3)}
    ${towers.slice(1).map(([x, y]) => svg`${block(x, y, 1, 3.2)}${spire(x, y, 1, 3.2)}`)}
    <path class="gate" d=${closedPath(
      project(2.1, 4.05),
      project(2.9, 4.05),
      project(2.9, 4.05, 1.1),
      project(2.5, 4.05, 1.5),
      project(2.1, 4.05, 1.1),
    )}></path></g>`;
}

/**
 * Render the four materials and the King's pavement as patterns; `lie` transforms them onto the ground.
 * @param {string} [lie]
 */
const renderTextures = (lie = "") =>
  [
    ["lawn", 30, svg`<path d="M4 8l2-5 2 5M18 20l2-5 2 5M24 9l1-4 2 4M8 25l2-4 1 4"></path>`],
    ["paved", 20, svg`<path d="M0 0h20v20H0zM10 0v10M0 10h20M5 10v10M15 10v10"></path>`],
    ["brick", 16, svg`<path d="M0 0h16M0 8h16M4 0v8M12 8v8"></path>`],
    ["mud", 40, svg`<path d="M3 10c8-5 14 4 22 0M16 28c6-4 10 3 18 0M2 34c4-2 7 2 11 0"></path>`],
    ["king", 28, svg`<path d="M14 0L28 14L14 28L0 14z"></path>`],
  ].map(
    ([name, size, lines]) => svg`<pattern id="newtown-${name}" class="lines-${name}" width=${size} height=${size}
            patternUnits="userSpaceOnUse"
      patternTransform=${lie}>${lines}</pattern>`,
  );

// --- the flat map
// -----------------------------------------------------------------------------------------------------

/** @param {Position} p */
function renderMap(p) {
  const keys = keepTabStop(p, ".plot");
  return html`<svg class="patterns" aria-hidden="true"><defs>${renderTextures()}</defs></svg><div
    class="map" @keydown=${keys.press} @focusin=${keys.focus}>${p.rows.map((row, y) =>
      row.map((land, x) => (land === null ? renderEmptyPlot(p, p.places[y][x]) : renderPlot(p, land))),
    )}</div>`;
}

/** Render a place without a land: a place for one, or nothing. @param {Position} p @param {number | null} place */
function renderEmptyPlot(p, place) {
  if (place === null) return html`<span></span>`;
  const { ui } = p;
  const [move] = ui.legalMoves("settle", { place });
  const key = `place-${place}`;
  return html`<button class="plot bare ${move ? "open" : ""}" data-key=${key} tabindex=${p.tabStop === key ? 0 : -1}
      ?disabled=${!move}
      @click=${() => move && ui.play(move)}>${hideVisually(
        move ? ui.moveText(move) : ui.t("newtown-place", { place }),
      )}<b
        aria-hidden="true">${place}</b></button>`;
}

/** @param {Position} p @param {number} land */
function renderPlot(p, land) {
  const { ui, state } = p;
  const [go] = landMoves(p, land);
  const { enter, leave, focus, blur, click } = landListeners(p, land);
  const seatsHere = p.seats.filter((seat) => state.craftsman[seat] === land);
  const note = landNote(p, land);
  const key = `land-${land}`;
  return html`<button class="plot ground-${p.ground(land)} ${go ? "open" : ""}" data-key=${key}
      tabindex=${p.tabStop === key ? 0 : -1}
      @pointerenter=${enter} @pointerleave=${leave} @focus=${focus} @blur=${blur} @click=${click}>
    <svg class="texture" aria-hidden="true"><rect width="100%" height="100%"
        fill="url(#newtown-${p.ground(land)})"></rect></svg>
    ${
      land === p.king
        ? html`<svg class="keep" viewBox="-44 -56 88 104"
      aria-hidden="true">${renderCastle()}</svg>`
        : nothing
    }
    ${hideVisually(go ? ui.moveText(go) : landText(p, land))}<span class="plot-head" aria-hidden="true">
      <b>${p.shortLandName(land)}</b>${
        state.tree[land] ? html`<svg class="leaf" viewBox="-20 -46 40 50">${renderTree(0, 0)}</svg>` : nothing
      }</span>
    <span class="plot-houses">${p.housesOn(land).map(
      (house) =>
        html`<span class="tint-${house.owner}" data-key="house-${house.id}">
        <svg class="mini" viewBox=${houseViewBox(house.form)}
          aria-hidden="true">${drawHouse(house)}</svg>${ui.renderShield(house.owner, "tiny")}${renderPeople(p, house)}
        ${p.over ? renderPoints(p, `counted-house-${house.id}`, residentPoints(p, house.id)) : nothing}</span>`,
    )}</span>
    <span class="plot-pawns">${seatsHere.map(
      (seat) =>
        html`<svg class="pawn tint-${seat}" data-key="pawn-${seat}" viewBox="-10 -30 20 36" aria-hidden="true"><g
            class="body">
        <path d="M-8 0C-7-9-4-12-3-17h6c1 5 4 8 5 17a8 4 0 0 1-16 0z"></path><circle cx="0" cy="-22"
            r="7"></circle></g></svg>`,
    )}</span>
    ${p.over ? renderPoints(p, `counted-card-${land}`, ownedCardPoints(p, land)) : nothing}
    ${note ? html`<i class="odds" aria-hidden="true">${note}</i>` : nothing}</button>`;
}
