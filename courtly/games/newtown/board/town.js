/** The town: lands, trees, the castle, houses and craftsmen; as a model on the table or as a flat map. */
import { html, nothing, svg } from "lit";
import { showing } from "../../../web/board-sdk/tooltips.js";
import { DEVICES } from "../../../web/board-sdk/seat-shield.js";
import { icons } from "../../../web/board-sdk/icons.js";
import { phone } from "../../../web/core/user-settings.js";
import { unseen } from "../../../web/components/visually-hidden.js";
import { resident, residentWords } from "./cards.js";
import { at, drawHouse, frame, shape, TILT } from "./house.js";
import { blocksIn, floors } from "./pictures.js";
import { boxOf, percent } from "./position.js";

/**
 * @typedef {import("./position.js").Position} Position @typedef {import("./position.js").House} House
 * @typedef {import("../../../web/core/api-types.js").Move} Move
 */

const TILE = 9; // cubes along a land
/** How the reader looks at the town; not part of the game. @type {{turns: number, flat: boolean | null}} */
const look = { turns: 0, flat: null };

/** @param {Position} p */
export function town(p) {
  const flat = look.flat ?? phone();
  const { ui } = p;
  const change = (/** @type {Partial<typeof look>} */ patch) => () => {
    Object.assign(look, patch);
    ui.set({});
  };
  return html`<section class="town ${flat ? "flat" : "model"}" aria-label=${ui.t("newtown-town")}>
    ${flat ? map(p) : model(p)}
    <div class="view-tools">
      ${
        flat
          ? nothing
          : html`<button class="icon-button" title=${ui.t("newtown-turn-view")} aria-label=${ui.t("newtown-turn-view")}
            @click=${change({ turns: (look.turns + 1) % 4 })}>
            <svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path
                d="M4 12a8 8 0 1 0 3-6.2M7 2v4h4"></path></svg></button>`
      }
      <button class="icon-button" aria-pressed=${flat}
        @click=${change({ flat: !flat })}>${ui.t(flat ? "newtown-view-model" : "newtown-view-flat")}</button>
    </div>
    ${latest(p)}${facts(p)}
  </section>`;
}

/** What can be done by choosing a land. @param {Position} p @param {number} land @returns {Move[]} */
const offers = (p, land) => ["go", "aim", "walk"].flatMap((verb) => p.ui.can(verb, { land: p.lands[land] }));

/**
 * Original rules: does this player build here, once the craftsman has walked here?
 * @param {Position} p @param {number} land
 */
const goal = (p, land) => p.pips && p.facts.goals.includes(land);

/** What pointing at a land tells, and a click does. @param {Position} p @param {number} land */
function listeners(p, land) {
  const [move] = offers(p, land);
  const on = showing(p.ui, `land-${land}`);
  return { ...on, click: move ? () => p.ui.play(move) : on.tap };
}

/** A land in words, for those who do not see it. @param {Position} p @param {number} land */
export function landWords(p, land) {
  const { ui, s } = p;
  const parts = [
    p.landName(land),
    ui.t(`newtown-ground-${p.ground(land)}`),
    ui.t("newtown-points", { n: p.landPoints(land) }),
  ];
  if (s.tree[land]) parts.push(ui.t("newtown-tree"));
  for (const house of p.housesOn(land)) parts.push(houseWords(p, house));
  if (goal(p, land)) parts.push(ui.t("newtown-goal"));
  const here = p.seats.filter((seat) => s.craftsman[seat] === land);
  if (here.length) parts.push(ui.t("newtown-craftsmen", { names: ui.names(here) }));
  return ui.parts(parts);
}

/** @param {Position} p @param {House} house */
export const houseWords = (p, house) =>
  p.ui.t("newtown-house-of", { name: p.ui.name(house.owner), form: house.form, n: p.base(house.form) });

/** What there is to know of the land, the land card or the residents pointed at. @param {Position} p */
function facts(p) {
  const { ui, s } = p;
  const [kind, which] = (ui.local.detail ?? "").split("-");
  if (!kind) return nothing;
  if (kind === "resident") return guestFacts(p, which);
  const land = Number(which);
  const card = kind === "card";
  const houses = p.housesOn(land);
  const here = p.seats.filter((seat) => s.craftsman[seat] === land);
  return html`<aside class="facts ground-${p.ground(land)} ${!card && liesLeft(p, land) ? "right" : ""}">
    <header><b>${p.landName(land)}</b><span>${ui.t(`newtown-ground-${p.ground(land)}`)}</span></header>
    <p>${ui.sentences([
      ui.t("newtown-land-brings", { n: p.landPoints(land) }),
      land === p.king ? ui.t("newtown-king-brings") : ui.t("newtown-chance", { ways: p.facts.ways[land] }),
      ...(s.tree[land] ? [ui.t("newtown-tree-does", { n: s.round })] : []),
    ])}</p>
    ${
      card
        ? html`<p><b>${ui.t("newtown-land-card")}</b> ${ui.sentences([
            ui.t(`newtown-ability-${p.ground(land)}`),
            ui.t(`newtown-from-${p.box.grounds[p.ground(land)].from}`),
            ui.t("newtown-card-end"),
          ])}</p>`
        : nothing
    }
    ${houses.map(
      (house) => html`<p class="tint-${house.owner}">${ui.shield(house.owner, "tiny")} ${houseWords(p, house)}
      <small>${ui.t("newtown-built-of", { blocks: blocksIn(house) })}</small>${floors(p, house)}</p>`,
    )}
    ${p.facts.free[land] ? html`<p class="quiet">${ui.t("newtown-room-for", { n: p.facts.free[land] })}</p>` : nothing}
    ${
      here.length
        ? html`<p>${ui.t("newtown-craftsmen", {
            names: ui.names(here),
          })}</p>`
        : nothing
    }
  </aside>`;
}

/** What the latest building brought, and what changed hands with it. @param {Position} p */
function latest(p) {
  const { ui, s, gained } = p;
  const house = p.house(s.house);
  if (!gained.length) return nothing;
  const what = ui.parts([p.landName(house.land), ...(house.blocks.length ? [houseWords(p, house)] : [])]);
  const taken = s.taken_from
    ? [ui.t("newtown-taken", { name: ui.name(house.owner), loser: ui.name(s.taken_from - 1) })]
    : [];
  if (s.handed) taken.push(ui.t("newtown-handed"));
  return html`<div class="latest" data-key="latest"><div><h2>${ui.t("newtown-latest", { house: what })}</h2>
    ${taken.length ? html`<p>${ui.sentences(taken)}</p>` : nothing}
    <ul>${gained.map(
      ({ seat, source, points }) => html`
      <li class="tint-${seat}">${ui.shield(seat, "tiny")}
        ${ui.t(`newtown-source-${source}`)} <b>${ui.plus(points)}</b></li>`,
    )}</ul></div>
    ${s.handed ? resident(p, p.residents[s.handed - 1], "handed") : nothing}</div>`;
}

/**
 * Does this land lie in the left half of the picture? Then its card is shown on the right.
 * @param {Position} p @param {number} land
 */
function liesLeft(p, land) {
  const rows = turned(p.rows, look.turns);
  const y = rows.findIndex((row) => row.includes(land));
  return rows[y].indexOf(land) < y;
}

/** A card about the residents pointed at. @param {Position} p @param {string} name */
function guestFacts(p, name) {
  const { ui } = p;
  const [who, ...lines] = residentWords(p, name);
  return html`<aside class="facts"><header><b>${who}</b></header>
    ${[...lines, ui.t("newtown-unhoused-cost", { points: p.box.residents[name].points })].map(
      (line) => html`<p
        >${line}</p>`,
    )}</aside>`;
}

// --- the model -------------------------------------------------------------------------------------------------------

/** @param {Position} p */
function model(p) {
  const rows = turned(p.rows, look.turns);
  const cells = rows.flatMap((row, y) => row.map((land, x) => ({ land, x, y }))).filter(({ land }) => land !== null);
  const empty = turned(p.places, look.turns).flatMap((row, y) => row.map((place, x) => ({ place, x, y })));
  cells.sort((a, b) => a.x + a.y - b.x - b.y);
  return html`<svg class="model" viewBox="-368 34 736 494" role="group">
    <defs>${textures("matrix(1 .58 -1 .58 0 0)")}</defs>
    ${empty.map(({ place, x, y }) => (place === null ? nothing : site(p, place, x, y)))}
    ${cells.map(({ land, x, y }) => tile(p, /** @type {number} */ (land), x, y))}
    ${cells.map(({ land, x, y }) => above(p, /** @type {number} */ (land), x, y))}</svg>`;
}

/** @template T @param {T[][]} rows @param {number} turns @returns {T[][]} */
const turned = (rows, turns) =>
  turns
    ? turned(
        rows[0].map((_, x) => rows.map((row) => row[x]).reverse()),
        turns - 1,
      )
    : rows;

/** @param {Position} p @param {number} land @param {number} x @param {number} y */
function tile(p, land, x, y) {
  const { ui, s } = p;
  const ground = p.ground(land);
  const [go] = offers(p, land);
  const { enter, leave, focus, blur, click } = listeners(p, land);
  const houses = p.housesOn(land);
  const classes = [
    "tile",
    `ground-${ground}`,
    go ? "open" : "",
    p.chooser !== null && s.craftsman[p.chooser] === land ? "current" : "",
  ].join(" ");
  return svg`<g class=${classes} data-key="land-${land}"
      transform=${`translate(${(x - y) * TILE * 10} ${(x + y) * TILE * 10 * TILT})`}
    role=${go ? "button" : "img"} tabindex="0"
      aria-label=${go ? ui.order(go) : landWords(p, land)}
      @pointerenter=${enter} @pointerleave=${leave} @focus=${focus} @blur=${blur} @click=${click}
      @keydown=${(/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          click();
        }
      }}>
    <path class="side y" d=${shape(at(0.1, 8.9), at(8.9, 8.9), at(8.9, 8.9, -0.9), at(0.1, 8.9, -0.9))}></path>
    <path class="side x" d=${shape(at(8.9, 0.1), at(8.9, 8.9), at(8.9, 8.9, -0.9), at(8.9, 0.1, -0.9))}></path>
    <path class="top" d=${square(0.1)}></path>
    <path class="texture" fill="url(#newtown-${ground})" d=${square(0.1)}></path>
    <path class="rim" d=${square(0.35)}></path>
    ${land === p.king ? castle() : nothing}
    ${s.tree[land] ? tree(land === p.king ? 5.1 : 2.9, land === p.king ? 5.1 : 2.9) : nothing}
    ${houses.map(
      (house) => svg`<g class="house tint-${house.owner}" data-key="house-${house.id}"
      transform=${spot(house)}>${drawHouse(house, look.turns)}</g>`,
    )}
  </g>`;
}

/**
 * A place without a land, on which one may be laid.
 * @param {Position} p @param {number} place @param {number} x @param {number} y
 */
function site(p, place, x, y) {
  const { ui } = p;
  const [move] = ui.can("settle", { place });
  const click = () => move && ui.play(move);
  return svg`<g class="site ${move ? "open" : ""}" data-key="place-${place}"
      transform=${`translate(${(x - y) * TILE * 10} ${(x + y) * TILE * 10 * TILT})`}
    role=${move ? "button" : "img"} tabindex="0"
      aria-label=${move ? ui.order(move) : ui.t("newtown-place", { place })} @click=${click}
      @keydown=${(/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          click();
        }
      }}>
    <path class="bare" d=${square(0.35)}></path><text class="readable" transform="translate(${at(4.5, 4.5)})"
      y="6">${place}</text></g>`;
}

/** A square this far within a land's edges. @param {number} inset */
const square = (inset) =>
  shape(at(inset, inset), at(TILE - inset, inset), at(TILE - inset, TILE - inset), at(inset, TILE - inset));

/**
 * What must not be hidden by the lands in front: whose houses, who stands here, the number.
 * @param {Position} p @param {number} land
 * @param {number} x @param {number} y
 */
function above(p, land, x, y) {
  const here = p.seats.filter((seat) => p.s.craftsman[seat] === land);
  return svg`<g class="above ground-${p.ground(land)} ${offers(p, land).length ? "open" : ""}"
    transform=${`translate(${(x - y) * TILE * 10} ${(x + y) * TILE * 10 * TILT})`}>
    ${p.housesOn(land).map((house) => flag(p, house))}${here.map((seat, i) =>
      pawn(p, seat, i, here.length),
    )}${sign(p, land)}</g>`;
}

/** The first house stands on the left, the second on the right. @param {House} house */
function spot(house) {
  const { box } = boxOf(house.form);
  const [w, d] = look.turns % 2 ? [box[1], box[0]] : box;
  const [x, y] = house.which === 0 ? [2.35 - w / 2, 6.4 - d / 2] : [6.4 - w / 2, 2.35 - d / 2];
  return `translate(${at(x, y)})`;
}

/** The owner's shield on the roof: no house is told by colour alone. @param {Position} p @param {House} house */
function flag(p, house) {
  const { box, penthouse } = boxOf(house.form);
  const top = box[2] + (penthouse ? 2.5 : 0.3 * Math.min(box[0], box[1]) + 0.2);
  const [cx, cy] = (house.which === 0 ? at(2.35, 6.4, top) : at(6.4, 2.35, top)).split(" ").map(Number);
  const persons = p.over ? p.facts.persons[house.id] : 0;
  return svg`<g transform="translate(${cx - 8} ${cy - 12})">${arms(house.owner)}
    ${
      persons
        ? svg`<g class="people" data-key="people-${house.id}"><rect x="14" y="1" width="25" height="15" rx="7"></rect>
          <circle cx="21" cy="6" r="2.4"></circle><path d="M17 13c0-6 8-6 8 0z"></path><text x="32"
              y="13">${persons}</text></g>`
        : nothing
    }</g>`;
}

/** A seat's shield, small, within the picture. @param {number} seat */
const arms = (seat) => svg`<g class="arms tint-${seat}" transform="scale(.34)">
  <path class="field" d="M4 3h40v25c0 13-9 21-20 25C13 49 4 41 4 28z"></path>
    <path class="device" transform="translate(10.5 10) scale(.0527)" d=${icons[DEVICES[seat]]}></path></g>`;

/** @param {Position} p @param {number} land */
function sign(p, land) {
  const note = noteOn(p, land);
  const [x, y] = at(7.1, 7.1).split(" ").map(Number);
  const wide = land === p.king ? 27 : 16;
  return svg`<g class="sign" transform="translate(${x} ${y})"><g class="readable"><rect x=${-wide} y="-13"
      width=${wide * 2} height="24" rx="6"></rect>
    <text y="6">${p.short(land)}</text>
    ${
      note
        ? svg`<g class="odds"><rect x="-23" y="-36" width="46" height="20" rx="10"></rect><text
          y="-21">${note}</text></g>`
        : nothing
    }</g></g>`;
}

/** How likely the land is, or that it is the one to build on. @param {Position} p @param {number} land */
function noteOn(p, land) {
  const chance = p.chance(land);
  return chance ? percent(chance) : goal(p, land) && p.s.craftsman[p.seat] !== land ? p.ui.t("newtown-goal-short") : "";
}

/** @param {Position} p @param {number} seat @param {number} i @param {number} count */
function pawn(p, seat, i, count) {
  const along = (i - (count - 1) / 2) * 1.9;
  const [x, y] = at(5.5 + along, 5.5 - along)
    .split(" ")
    .map(Number);
  return svg`<g class="pawn tint-${seat} ${p.seat === seat ? "acting" : ""}" data-key="pawn-${seat}"
      transform="translate(${x} ${y})">
    <g class="body"><ellipse cx="0" cy="1" rx="9" ry="4.5"></ellipse>
    <path d="M-8 0C-7-9-4-12-3-17h6c1 5 4 8 5 17a8 4 0 0 1-16 0z"></path><circle cx="0" cy="-22" r="7"></circle></g>
      <g transform="translate(-6 -14) scale(.75)">${arms(seat)}</g></g>`;
}

/** @param {number} x @param {number} y */
function tree(x, y) {
  const [cx, cy] = at(x, y).split(" ").map(Number);
  return svg`<g class="tree" transform="translate(${cx} ${cy})"><ellipse class="shadow" cx="3" cy="1" rx="15"
      ry="7"></ellipse>
    <path class="trunk" d="M-3 0h6l-1-16h-4z"></path>
    <circle cx="-8" cy="-21" r="10"></circle><circle cx="8" cy="-22" r="10.5"></circle><circle cx="0" cy="-31"
        r="12"></circle>
      <circle class="light" cx="-3" cy="-35" r="6"></circle></g>`;
}

/** A keep with four towers. */
function castle() {
  const block = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {number} */ w,
    /** @type {number} */ h,
    kind = "",
  ) => svg`
    <path class="stone left ${kind}" d=${shape(
      at(x, y + w),
      at(x + w, y + w),
      at(x + w, y + w, h),
      at(x, y + w, h),
    )}></path>
    <path class="stone right ${kind}" d=${shape(
      at(x + w, y),
      at(x + w, y + w),
      at(x + w, y + w, h),
      at(x + w, y, h),
    )}></path>
    <path class="stone top ${kind}" d=${shape(
      at(x, y, h),
      at(x + w, y, h),
      at(x + w, y + w, h),
      at(x, y + w, h),
    )}></path>`;
  const spire = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {number} */ w,
    /** @type {number} */ z,
  ) => svg`
    <path class="spire left" d=${shape(
      at(x - 0.1, y + w + 0.1, z),
      at(x + w + 0.1, y + w + 0.1, z),
      at(x + w / 2, y + w / 2, z + 1.7),
    )}></path>
    <path class="spire right" d=${shape(
      at(x + w + 0.1, y - 0.1, z),
      at(x + w + 0.1, y + w + 0.1, z),
      at(x + w / 2, y + w / 2, z + 1.7),
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
    <path class="gate" d=${shape(
      at(2.1, 4.05),
      at(2.9, 4.05),
      at(2.9, 4.05, 1.1),
      at(2.5, 4.05, 1.5),
      at(2.1, 4.05, 1.1),
    )}></path></g>`;
}

/** The four materials and the King's pavement, drawn flat, and laid down with `lie`. @param {string} [lie] */
const textures = (lie = "") =>
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

// --- the flat map ----------------------------------------------------------------------------------------------------

/** @param {Position} p */
function map(p) {
  return html`<svg class="patterns" aria-hidden="true"><defs>${textures()}</defs></svg><div class="map">${p.rows.map(
    (row, y) => row.map((land, x) => (land === null ? bare(p, p.places[y][x]) : plot(p, land))),
  )}</div>`;
}

/** Where no land lies: a place for one, or nothing. @param {Position} p @param {number | null} place */
function bare(p, place) {
  if (place === null) return html`<span></span>`;
  const { ui } = p;
  const [move] = ui.can("settle", { place });
  return html`<button class="plot bare ${move ? "open" : ""}" data-key="place-${place}" ?disabled=${!move}
      @click=${() => move && ui.play(move)}>${unseen(move ? ui.order(move) : ui.t("newtown-place", { place }))}<b
        aria-hidden="true">${place}</b></button>`;
}

/** @param {Position} p @param {number} land */
function plot(p, land) {
  const { ui, s } = p;
  const [go] = offers(p, land);
  const { enter, leave, focus, blur, click } = listeners(p, land);
  const here = p.seats.filter((seat) => s.craftsman[seat] === land);
  const note = noteOn(p, land);
  return html`<button class="plot ground-${p.ground(land)} ${go ? "open" : ""}" data-key="land-${land}"
      @pointerenter=${enter} @pointerleave=${leave} @focus=${focus} @blur=${blur} @click=${click}>
    <svg class="texture" aria-hidden="true"><rect width="100%" height="100%"
        fill="url(#newtown-${p.ground(land)})"></rect></svg>
    ${land === p.king ? html`<svg class="keep" viewBox="-44 -56 88 104" aria-hidden="true">${castle()}</svg>` : nothing}
    ${unseen(go ? ui.order(go) : landWords(p, land))}<span class="plot-head" aria-hidden="true">
      <b>${p.short(land)}</b>${
        s.tree[land] ? html`<svg class="leaf" viewBox="-20 -46 40 50">${tree(0, 0)}</svg>` : nothing
      }</span>
    <span class="plot-houses">${p.housesOn(land).map(
      (house) =>
        html`<span class="tint-${house.owner}" data-key="house-${house.id}">
        <svg class="mini" viewBox=${frame(house.form)}
          aria-hidden="true">${drawHouse(house)}</svg>${ui.shield(house.owner, "tiny")}</span>`,
    )}</span>
    <span class="plot-pawns">${here.map(
      (seat) =>
        html`<svg class="pawn tint-${seat}" data-key="pawn-${seat}" viewBox="-10 -30 20 36" aria-hidden="true"><g
            class="body">
        <path d="M-8 0C-7-9-4-12-3-17h6c1 5 4 8 5 17a8 4 0 0 1-16 0z"></path><circle cx="0" cy="-22"
            r="7"></circle></g></svg>`,
    )}</span>
    ${note ? html`<i class="odds" aria-hidden="true">${note}</i>` : nothing}</button>`;
}
