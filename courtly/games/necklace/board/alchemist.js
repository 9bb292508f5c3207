/** The alchemist's question, answered on the table of what was shown: which card he changes, then into which gem. */
import { html, nothing } from "lit";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { cardName, renderPicture } from "./cards.js";
import { renderStone } from "./gems.js";

/** @typedef {import("./position.js").Position} Position */

/**
 * Render the viewer's cards of a gem, and the button that makes the picked card one of this gem.
 * @param {Position} p @param {string} gem @param {[string, number][]} cards @param {number} stones shown of the gem
 */
export function renderChangeable(p, gem, cards, stones) {
  const { ui } = p;
  const { use } = ui.local;
  const [into] = use ? ui.legalMoves("alchemist", { card: use, gem }) : [];
  return html`${cards.map(([card, n]) => renderCard(p, card, n))}${
    into
      ? html`<button class="becomes" title=${ui.moveText(into)} data-key="into-${gem}"
          @click=${() => ui.play(into)}><span aria-hidden="true">${stones} → <b>${
            stones + p.cardInfo(use).stones
          }</b></span>${renderStone(gem, "small")}${hideVisually(ui.moveText(into))}</button>`
      : nothing
  }`;
}

/** @param {Position} p @param {string} card @param {number} n */
function renderCard(p, card, n) {
  const { ui } = p;
  const isPicked = ui.local.use === card;
  const count = n > 1 ? html`<b class="count" aria-hidden="true">${n}</b>` : nothing;
  const inside = html`${renderPicture(p, card)}${count}${hideVisually(cardName(p, card))}`;
  return ui.legalMoves("alchemist", { card }).length
    ? html`<button class="nk-small turn can ${isPicked ? "on" : ""}" data-key="turn-${card}" aria-pressed=${isPicked}
        title=${ui.t("necklace-alchemist-pick", { card })}
        @click=${() => ui.setLocal({ use: isPicked ? "" : card })}>${inside}</button>`
    : html`<span class="nk-small turn">${inside}</span>`;
}
