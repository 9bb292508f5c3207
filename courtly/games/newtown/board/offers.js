/**
 * What can be built here now: every house with its picture and the points it would bring, and the laying of its blocks.
 */
import { html, nothing } from "lit";
import { unseen } from "../../../web/components/visually-hidden.js";
import { action, cardUses, svgGem } from "./dice.js";
import { block, floors, picture } from "./pictures.js";
import { carving } from "./original.js";

/**
 * @typedef {import("./position.js").Position} Position @typedef {import("../../../web/core/api-types.js").Move} Move
 */

/** @param {Position} p */
export function building(p) {
  const { ui, s } = p;
  const land = s.craftsman[p.seat];
  const { away } = p.facts;
  const news = ui.can("build");
  const extensions = [...ui.can("extend"), ...ui.can("take_over")];
  const count = news.length + extensions.length;
  const chosen = selected(p);
  const groups = p.housesOn(land).map(({ owner, form, which }) => ({
    title: ui.t(owner === p.seat ? "newtown-extend-own" : "newtown-take-over", { name: ui.name(owner), form }),
    moves: extensions.filter((move) => move.args.which === ui.about.moves.extend.args.which.values[which]),
  }));
  return html`${count ? nothing : html`<p>${ui.t(away ? "newtown-elsewhere" : "newtown-nothing-fits")}</p>`}
    <div class="offers ${count > 6 ? "many" : ""} ${chosen ? "chosen" : ""}">
      ${[{ title: ui.t("newtown-new-houses"), moves: news }, ...groups]
        .filter(({ moves }) => moves.length)
        .map(
          ({ title, moves }) => html`
            <h3>${title}</h3><ul>${moves.map((move) => offer(p, move, move === chosen))}</ul>`,
        )}</div>
    ${
      chosen
        ? confirm(p, chosen)
        : html`${cardUses(p)}${carving(p)}
          <div class="acts">${ui
            .can("move")
            .map((move) => action(p, move, html`${svgGem()} ${ui.order(move)}`, "quiet"))}
            ${ui.can("end").map((move) => action(p, move, ui.order(move), count ? "quiet" : ""))}</div>`
    }`;
}

/** The offer looked at. @param {Position} p @returns {Move | undefined} */
const selected = (p) =>
  [...p.ui.can("build"), ...p.ui.can("extend"), ...p.ui.can("take_over")].find((move) => move.id === p.ui.local.offer);

/** @param {Position} p @param {Move} move @param {boolean} chosen */
function offer(p, move, chosen) {
  const { ui } = p;
  const found = p.offer(move);
  return html`<li><button class="offer ${chosen ? "chosen" : ""}" aria-pressed=${chosen}
      @click=${() => ui.set({ offer: chosen ? null : move.id })}>
    ${picture(found, p.seat)}${unseen(ui.parts([ui.order(move), ui.t("newtown-points", { n: found.sum })]))}
      <span class="name" aria-hidden="true">${ui.t(`newtown-form-${move.args.form}`)}</span>
      <span class="size" aria-hidden="true">${move.args.form.replaceAll("x", "×").replace("p", " +")}</span>
      <b class="plus" aria-hidden="true">${ui.plus(found.sum)}</b></button></li>`;
}

/** What the chosen offer brings, line by line, and the button that builds it. @param {Position} p @param {Move} move */
function confirm(p, move) {
  const { ui } = p;
  const found = p.offer(move);
  return html`<div class="confirm"><header><h3>${ui.t(
    `newtown-form-${move.args.form}`,
  )}</h3>${floors(p, found)}</header>
    <dl>${p
      .lines(found)
      .map(
        ([source, points]) => html`<div><dt>${ui.t(`newtown-source-${source}`)}</dt><dd>${ui.plus(points)}</dd></div>`,
      )}
      ${found.others.map((points, seat) =>
        points
          ? html`<div class="other"><dt>${ui.t("newtown-patterns-to", { name: ui.name(seat) })}</dt>
        <dd>${ui.plus(points)}</dd></div>`
          : nothing,
      )}</dl>
    <p class="also">${ui.sentences([
      ui.t("newtown-persons", { n: p.base(move.args.form) }),
      ...(found.resident ? [ui.t("newtown-then-resident")] : []),
      ...(found.loser >= 0 ? [ui.t("newtown-then-take-over", { name: ui.name(found.loser) })] : []),
      ...(found.gems ? [ui.t("newtown-then-gems", { n: found.gems })] : []),
    ])}</p>
    <div class="acts">${action(p, move, ui.t(`newtown-confirm-${move.verb}`))}
      <button class="button quiet back"
          @click=${() => ui.set({ offer: null })}>${ui.t("newtown-back")}</button></div></div>`;
}

/** Laying blocks where they can be chosen: the house as far as it has been packed. @param {Position} p */
export function laying(p) {
  const { ui, s } = p;
  const form = p.forms[s.plan];
  const { laying: house } = p.facts;
  return html`<div class="laying"><p>${ui.t("newtown-lay-help", {
    form,
    n: s.room,
  })}</p>${floors(p, { form, ...house }, house.rest)}</div>
    <div class="acts">${ui
      .can("lay")
      .map((move) =>
        action(p, move, html`${block(p, move.args.size)} ${ui.t("newtown-block", { n: move.args.size })}`, "quiet"),
      )}</div>`;
}

/**
 * A house to live in: the number of its land, and which it is if both would do.
 * @param {Position} p @param {Move} move @param {Move[]} moves
 */
function lodge(p, move, moves) {
  const [name, which] = move.args.house.split("-");
  const land = p.lands.indexOf(name);
  const both = moves.filter(({ args }) => args.house.startsWith(`${name}-`)).length > 1;
  return html`<button class="way ground-${p.ground(land)}" @click=${() => p.ui.play(move)}>${unseen(
    p.ui.t(`newtown-house-${move.args.house}`),
  )}
    <b aria-hidden="true">${p.short(land)}</b>${
      both ? html`<small aria-hidden="true">${which}</small>` : nothing
    }</button>`;
}

/** Who lives where, decided by hand. @param {Position} p */
export function lodging(p) {
  const { ui, s } = p;
  const guests = p.guests(p.chooser ?? 0);
  return html`<ul class="lodgings">${guests.map((card) => {
    const home = s.home[p.residents.indexOf(card)];
    const moves = ui.can("lodge", { resident: card });
    return html`<li><b>${ui.t(`newtown-resident-${card}`)}</b> ${
      home >= 0
        ? html`<span>${p.landName(home >> 1)}</span>`
        : moves.length
          ? moves.map((move) => lodge(p, move, moves))
          : html`<span class="quiet">${ui.t("newtown-no-home")}</span>`
    }</li>`;
  })}</ul><div class="acts">${ui.can("close").map((move) => action(p, move))}</div>`;
}
