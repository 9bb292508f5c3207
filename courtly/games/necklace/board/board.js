/** The board of Queen's Necklace: the jeweller's counter, the sale, my hand. */
import { html } from "lit";
import { closeOnOutsideTap } from "../../../web/board-sdk/tooltips.js";
import { renderLedger, renderOverview, renderPeekedHand, renderRow, renderShelf } from "./counter.js";
import { renderMyCards } from "./hand.js";
import { Position, SALE_VERBS } from "./position.js";
import { ANSWERS, BUYING_PHASES, isReading, isSaleShown, renderLaid, renderResults } from "./sale.js";
import { renderTray } from "./tray.js";

export { about } from "./about.js";
export { cues } from "./cues.js";
export { moveText, outcome, plain, prompt, score, seat } from "./say.js";

/**
 * The choices and their buttons, which the page brings into view. While a card's destination is chosen, other cards are
 * left out.
 */
export const choices =
  ".necklace:not(.placing) :is(.nk-card, .nk-small, .tile).can, .becomes, .acts button, .trays footer button, " +
  ".nk-detail button";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/core/api-types.js").Cue} Cue
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */

/** A sale: all lay their cards at once, and it is counted. */
export const shared = [
  ...["lay", "ring", "king", "necklace", "banker", "clear", "commit"],
  ...["lay_open", "ring_open", "king_open", "necklace_open", "banker_open"],
  ...["stops", "sells", "pays"],
];

/** The events that the log puts into one sentence with the move before them. */
export const completes = { steal: "thief" };
/** What tells most about a turn, first. */
export const headlines = [
  ...["buy", "sells", "stops"],
  ...["musketeers", "thief", "steal", "forger", "favorite", "confessor", "take", "merchant", "end"],
];
/** Until something is sold, all choose. @param {Cue[][]} turns @param {number} at @param {BoardContext} ui */
export const headline = (turns, at, ui) =>
  turns[at].some(({ verb }) => shared.includes(verb)) ? ui.t("necklace-together") : "";

/** Answers to decisions that only some hands have. */
export const replies = [...ANSWERS, "alchemist", "no_alchemist"];

/** What happens after a sale waits until the reader has looked at it. @param {View} view @param {BoardContext} ui */
export const holds = (view, ui) => {
  const p = new Position(view, ui);
  const canClose = view.legal.length && BUYING_PHASES.includes(p.phase); // whose first move closes it
  return isReading(p) && !canClose && view.cues.some(({ verb }) => SALE_VERBS.includes(verb));
};

/** @param {View} view @param {BoardContext} ui */
export function board(view, ui) {
  const p = new Position(view, ui);
  const { panel } = ui.local;
  const sale = isSaleShown(p) || panel === "sale";
  const laying = p.phase === "show" && (p.me !== null || p.isLayingOpen);
  return html`<div class="necklace ${p.phase} ${laying && ui.local.use ? "placing" : ""}"
      @click=${closeOnOutsideTap(ui, ".nk-cell")}
      @reveal=${(/** @type {Event} */ { target }) =>
        panel && !(/** @type {Element} */ (target).checkVisibility()) && ui.setLocal({ panel: "" })}>
    ${renderShelf(p, sale)}
    <div class="counter ${sale || panel === "cards" || laying ? "selling" : ""}">
      ${renderRow(p)}
      ${
        panel === "cards"
          ? renderOverview(p)
          : sale
            ? renderResults(p)
            : laying
              ? p.me === null
                ? renderLaid(p)
                : renderTray(p)
              : html`${renderLedger(p)}${renderPeekedHand(p)}`
      }
    </div>
    ${renderMyCards(p)}
  </div>`;
}
