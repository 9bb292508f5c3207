/** The houses that can be built here now, with their pictures and points, and the laying of their blocks. */
import { html, nothing } from "lit";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { renderMoveButton, renderCardUses, renderGem } from "./dice.js";
import { listBlockSizes } from "./packing.js";
import { renderBlock, renderFloors, renderHouse } from "./pictures.js";
import { renderCarving } from "./original.js";
import { explainNoBuilding } from "./why.js";

/**
 * @typedef {import("./position.js").Position} Position @typedef {import("../../../web/core/api-types.js").Move} Move
 */

/** @param {Position} p */
export function renderBuilding(p) {
  const { ui, state } = p;
  const land = state.craftsman[p.seat];
  const { away } = p.facts;
  const news = ui.legalMoves("build");
  const moves = ui.legalMoves("move");
  const extensions = [...ui.legalMoves("extend"), ...ui.legalMoves("take_over")];
  const count = news.length + extensions.length;
  const chosen = selectedOffer(p);
  const groups = p.housesOn(land).map(({ owner, form, which }) => ({
    title: ui.t(owner === p.seat ? "newtown-extend-own" : "newtown-take-over", { name: ui.playerName(owner), form }),
    moves: extensions.filter((move) => move.args.which === ui.about.moves.extend.args.which.values[which]),
  }));
  return html`${
    count
      ? nothing
      : html`<p>${ui.t(away ? "newtown-elsewhere" : "newtown-nothing-fits")}</p>${
          away ? nothing : html`<p class="limits">${explainNoBuilding(p)}</p>`
        }`
  }
    <div class="offers ${count > 6 ? "many" : ""} ${chosen ? "chosen" : ""}">
      ${[{ title: ui.t("newtown-new-houses"), moves: news }, ...groups]
        .filter(({ moves }) => moves.length)
        .map(
          ({ title, moves }) => html`
            <h3>${title}</h3><ul>${moves.map((move) => renderOffer(p, move, move === chosen))}</ul>`,
        )}</div>
    ${
      chosen
        ? renderConfirmation(p, chosen)
        : html`${renderCardUses(p)}${renderCarving(p)}
          ${
            moves.length
              ? html`<div class="acts">${moves.map((move) =>
                  renderMoveButton(p, move, html`${renderGem()} ${ui.moveText(move)}`, "quiet"),
                )}</div>`
              : nothing
          }
          <div class="acts">${ui
            .legalMoves("end")
            .map((move) => renderMoveButton(p, move, ui.moveText(move), count ? "quiet" : ""))}</div>`
    }`;
}

/** Return the selected offer. @param {Position} p @returns {Move | undefined} */
const selectedOffer = (p) =>
  [...p.ui.legalMoves("build"), ...p.ui.legalMoves("extend"), ...p.ui.legalMoves("take_over")].find(
    (move) => move.id === p.ui.local.offer,
  );

/** @param {Position} p @param {Move} move @param {boolean} chosen */
function renderOffer(p, move, chosen) {
  const { ui } = p;
  const found = p.findOffer(move);
  return html`<li><button class="offer ${chosen ? "chosen" : ""}" aria-pressed=${chosen}
      @click=${() => ui.setLocal({ offer: chosen ? null : move.id })}>
    ${renderHouse(found, p.seat)}${hideVisually(
      ui.joinParts([ui.moveText(move), ui.t("newtown-points", { n: found.sum })]),
    )}
      <span class="name" aria-hidden="true">${ui.t(`newtown-form-${move.args.form}`)}</span>
      <span class="size" aria-hidden="true">${move.args.form.replaceAll("x", "×").replace("p", " +")}</span>
      <b class="plus" aria-hidden="true">${ui.formatPlus(found.sum)}</b></button></li>`;
}

/**
 * Render the points of the selected offer, line by line, and the button that builds it.
 * @param {Position} p @param {Move} move
 */
function renderConfirmation(p, move) {
  const { ui } = p;
  const found = p.findOffer(move);
  return html`<div class="confirm"><div class="gains"><header><h3>${ui.t(
    `newtown-form-${move.args.form}`,
  )}</h3>${renderFloors(p, found)}</header>
    <dl>${p
      .pointLines(found)
      .map(
        ([source, points]) =>
          html`<div><dt>${ui.t(`newtown-source-${source}`)}</dt><dd>${ui.formatPlus(points)}</dd></div>`,
      )}
      ${found.others.map((points, seat) =>
        points
          ? html`<div class="other"><dt>${ui.t("newtown-patterns-to", { name: ui.playerName(seat) })}</dt>
        <dd>${ui.formatPlus(points)}</dd></div>`
          : nothing,
      )}</dl>
    <p class="also">${ui.joinSentences([
      ui.t("newtown-persons", { n: p.basePoints(move.args.form) }),
      ...(found.resident ? [ui.t("newtown-then-resident")] : []),
      ...(found.loser >= 0 ? [ui.t("newtown-then-take-over", { name: ui.playerName(found.loser) })] : []),
      ...(found.gems ? [ui.t("newtown-then-gems", { n: found.gems })] : []),
    ])}</p></div>
    <div class="acts">${renderMoveButton(p, move, ui.t(`newtown-confirm-${move.verb}`))}
      <button class="button quiet back"
          @click=${() => ui.setLocal({ offer: null })}>${ui.t("newtown-back")}</button></div></div>`;
}

/** Render the choice of blocks: the house as far as it has been packed. @param {Position} p */
export function renderLaying(p) {
  const { ui, state } = p;
  const form = p.forms[state.plan];
  return html`<div class="laying"><p>${ui.t("newtown-lay-help", {
    form,
    n: state.room,
  })}</p>${renderFloors(p, p.houseInProgress, listBlockSizes(p.facts.laying.rest))}</div>
    <div class="acts">${ui
      .legalMoves("lay")
      .map((move) =>
        renderMoveButton(
          p,
          move,
          html`${renderBlock(p, move.args.size)} ${ui.t("newtown-block", { n: move.args.size })}`,
          "quiet",
        ),
      )}</div>`;
}

/**
 * Render a button for a house: its land's number and, if both houses of the land are possible, which one.
 * @param {Position} p @param {Move} move @param {Move[]} moves
 */
function renderLodgeButton(p, move, moves) {
  const [name, which] = move.args.house.split("-");
  const land = p.lands.indexOf(name);
  const both = moves.filter(({ args }) => args.house.startsWith(`${name}-`)).length > 1;
  return html`<button class="way ground-${p.ground(land)}" @click=${() => p.ui.play(move)}>${hideVisually(
    p.ui.t(`newtown-house-${move.args.house}`),
  )}
    <b aria-hidden="true">${p.shortLandName(land)}</b>${
      both ? html`<small aria-hidden="true">${which}</small>` : nothing
    }</button>`;
}

/** Render the manual assignment of residents to houses. @param {Position} p */
export function renderLodging(p) {
  const { ui, state } = p;
  const guests = p.residentsOf(p.chooser ?? 0);
  return html`<ul class="lodgings">${guests.map((card) => {
    const home = state.home[p.residents.indexOf(card)];
    const moves = ui.legalMoves("lodge", { resident: card });
    return html`<li><b>${ui.t(`newtown-resident-${card}`)}</b> ${
      home >= 0
        ? html`<span>${p.landName(home >> 1)}</span>`
        : moves.length
          ? moves.map((move) => renderLodgeButton(p, move, moves))
          : html`<span class="quiet">${ui.t("newtown-no-home")}</span>`
    }</li>`;
  })}</ul><div class="acts">${ui.legalMoves("close").map((move) => renderMoveButton(p, move))}</div>`;
}
