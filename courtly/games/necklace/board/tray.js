/** The viewer's tray while it is secret: what is laid out for each gem, and what is known of the others' stones. */
import { html, nothing } from "lit";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { renderSmallCard, renderTinyCard } from "./cards.js";
import { renderStone } from "./gems.js";
import { PIECE_BY_CARD } from "./position.js";

/**
 * @typedef {import("./position.js").Position} Position
 * @typedef {import("../../../web/core/api-types.js").Move} Move
 */

/** @param {Position} p */
export function renderTray(p) {
  const { ui } = p;
  const me = /** @type {number} */ (p.me);
  const mine = p.state.tray[me];
  const bankers = p.bankerCount(mine) + p.bankerCount(p.state.openly[me]);
  return html`<section class="trays" aria-label=${ui.t("necklace-tray")}>
    ${p.fashion.map((gem) => renderTrayColumn(p, mine, gem))}
    <p class="note-line">${
      bankers
        ? html`${renderTinyCard(p, "banker", bankers)} <span>${ui.joinParts([
            ui.t("necklace-tray-bankers", { n: p.facts.tray.bonus }),
            ui.t("necklace-rivals-help"),
          ])}</span>`
        : html`<span>${ui.t("necklace-tray-empty")}</span> <span>${ui.t("necklace-rivals-help")}</span>`
    }</p>
  </section>`;
}

/** @param {Position} p @param {number[]} mine @param {string} gem */
function renderTrayColumn(p, mine, gem) {
  const { ui } = p;
  const laid = p.trayContents(mine, gem);
  const worth = p.trayValue(gem);
  const use = ui.local.use;
  const [place] = use in PIECE_BY_CARD ? ui.legalMoves(p.layVerb(PIECE_BY_CARD[use]), { gem }) : [];
  const openly = p
    .laidOpenly(/** @type {number} */ (p.me))
    .filter((laid) => gem === (laid.gem || p.cardInfo(laid.card).gem));
  const all = p
    .countCards(p.facts.tray.left)
    .flatMap(([card, n]) =>
      p.cardInfo(card).gem === gem ? Array(n).fill(ui.findMove(p.layVerb("lay"), { card })) : [],
    );
  const with_ = Object.entries(PIECE_BY_CARD).map(([card, word]) => ({
    card,
    name: `${word}_${gem}`,
    n: mine[p.showable.indexOf(`${word}_${gem}`)],
  }));
  return html`<div class="tray ${place ? "can" : ""}" role="group"
      aria-label=${ui.t("necklace-tray-gem", { gem, n: worth.stones })}
      @click=${place ? () => ui.play(place) : nothing}>
    <header>${renderStone(gem)}<b>${ui.t(`necklace-gem-${gem}`)}</b><span>${ui.formatPlus(p.bonus(gem))}</span></header>
    <div class="velvet">${laid.cards.map(([card, n]) =>
      renderSmallCard(p, card, n, { key: `tray-${card}`, act: takeBackAction(p, card), where: `tray-${gem}` }),
    )}
      ${with_
        .filter(({ n }) => n)
        .map(({ card, name, n }) =>
          renderSmallCard(p, card, n, { key: `tray-${name}`, act: takeBackAction(p, name), where: `tray-${gem}` }),
        )}
      ${openly.map(({ piece, card, n }) =>
        renderSmallCard(p, card, n, { key: `open-${piece}`, where: `open-${gem}`, seen: ui.t("necklace-open") }),
      )}</div>
    ${renderRivals(p, gem)}
    <footer>${worth.stones ? html`<span>${ui.t("necklace-tray-worth", worth)}</span>` : nothing}
      ${
        place
          ? html`<button class="button small" @click=${(/** @type {Event} */ e) => {
              e.stopPropagation();
              ui.play(place);
            }}>${ui.moveText(place)}</button>`
          : all.length
            ? html`<button class="button quiet small" @click=${() => ui.play(...all)}>${ui.t("necklace-tray-all", {
                gem,
              })}</button>`
            : nothing
      }</footer>
  </div>`;
}

/**
 * Render the stones of a gem that the viewer knows the others to have.
 * @param {Position} p @param {string} gem
 */
function renderRivals(p, gem) {
  const { ui } = p;
  const rivals = p.seats.filter((seat) => seat !== p.me);
  return html`<ul class="rivals" aria-label=${ui.t("necklace-rivals")}>${rivals.map((seat) => {
    const { n, more } = p.knownStones(seat, gem);
    const words = ui.t("necklace-rival", { name: ui.playerName(seat), n, more: more ? "yes" : "no" });
    return html`<li class=${n || more ? "" : "none"} title=${words}>${ui.renderShield(seat, "tiny")}<b
        aria-hidden="true">${n}${more ? "+" : ""}</b>${hideVisually(words)}</li>`;
  })}</ul>`;
}

/**
 * Return the action that takes one card back: takes back all cards and lays the others again.
 * @param {Position} p @param {string} name
 */
function takeBackAction(p, name) {
  /** @type {number[] | undefined} */
  const ids = p.facts.tray.back[name];
  return ids ? () => p.ui.play(...p.ui.movesByIds(ids)) : null;
}
