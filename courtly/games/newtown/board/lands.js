/** Laying the lands: the remaining ones, and the one picked up. */
import { html, nothing } from "lit";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { renderMoveButton } from "./dice.js";

/**
 * @typedef {import("./position.js").Position} Position
 * @typedef {import("../../../web/core/api-types.js").Move} Move
 */

/** @param {Position} p */
export function renderPicking(p) {
  const { ui } = p;
  const { unlaid } = p.facts;
  const settles = ui.legalMoves("settle");
  return html`<p>${ui.t("newtown-help-picking", { n: unlaid.length + (p.state.picked >= 0 ? 1 : 0) })}</p>
    ${p.state.picked >= 0 ? renderLandChip(p, p.state.picked) : nothing}
    ${
      settles.length
        ? html`<div class="acts places">${settles.map((move) => {
            const words = html`<span aria-hidden="true">${move.args.place}</span>${hideVisually(ui.moveText(move))}`;
            return renderMoveButton(p, move, words, "quiet small");
          })}</div>`
        : html`<ul class="unlaid" aria-label=${ui.t("newtown-unlaid")}>${unlaid.map(
            (/** @type {number} */ land) =>
              html`<li>${renderLandChip(p, land, ...ui.legalMoves("pick", { land: p.lands[land] }))}</li>`,
          )}</ul>`
    }`;
}

/** Render a land beside the town. @param {Position} p @param {number} land @param {Move} [move] picks it up */
function renderLandChip(p, land, move) {
  const { ui } = p;
  const words = html`<b>${p.shortLandName(land)}</b> <small>${ui.t(`newtown-ground-${p.ground(land)}`)}</small>`;
  return move
    ? html`<button class="chip ground-${p.ground(land)}" @click=${() => ui.play(move)}>${words}</button>`
    : html`<p class="chip ground-${p.ground(land)}">${words}</p>`;
}
