/** The texts of the game: what to do now, the seats, the state in sentences, and the outcome. */
import { html, nothing } from "lit";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { isSmallScreen } from "../../../web/core/user-settings.js";
import { effectText, renderIcon, formatCards, renderTinyCard } from "./cards.js";
import { priceText } from "./counter.js";
import { renderStone } from "./gems.js";
import { Position } from "./position.js";
import { isSaleShown, listRemarks } from "./sale.js";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */

// --- what to do now --------------------------------------------------------------------------------------------------

/** @param {View} view @param {BoardContext} ui */
export function prompt(view, ui) {
  const p = new Position(view, ui);
  const { state } = p;
  const can = (/** @type {string} */ verb) => view.legal.some((move) => move.verb === verb);
  if (!p.canAct) return "";
  if (p.phase !== "alchemist" && isSaleShown(p)) return ui.t("necklace-prompt-sale");
  const none = view.legal.length === 1 ? "-none" : "";
  switch (p.phase) {
    case "show":
      return ui.t("necklace-prompt-show");
    case "forger":
      return ui.t("necklace-prompt-forger", { name: ui.playerName(state.active), gem: p.gems[state.gem] });
    case "queen":
      return ui.t(`necklace-prompt-queen${none}`, { card: p.names[state.offered] });
    case "cardinal":
      return ui.t(`necklace-prompt-cardinal${none}`);
    case "alchemist":
      return ui.t(`necklace-prompt-alchemist${none}`);
    default:
      break;
  }
  if (ui.local.use === "forger")
    return ui.t(
      ui.local.target === null && state.players > 2 ? "necklace-prompt-forger-target" : "necklace-prompt-forger-gem",
    );
  if (["confessor", "thief", "favorite"].includes(ui.local.use)) return ui.t(`necklace-prompt-${ui.local.use}`);
  if (!can("buy") && !state.bought)
    return ui.t(`necklace-prompt-${p.facts.courtier ? "courtier" : view.legal.length > 1 ? "influence" : "nothing"}`);
  if (p.phase === "influence") return ui.t("necklace-prompt-turn", { n: state.budget });
  return ui.t(`necklace-prompt-${can("buy") || !state.budget ? "buy" : "too-little"}`, { n: state.budget });
}

/**
 * Return the text of a purchase with its price, or of a move that ends a show with what is shown then.
 * @param {import("../../../web/core/api-types.js").Move} move @param {View} view @param {BoardContext} ui
 */
export function moveText(move, view, ui) {
  if (move.verb === "buy") {
    const { card, slot } = move.args;
    const [price] = new Position(view, ui).facts.prices[slot - 1] ?? [];
    return price === undefined ? undefined : ui.t("necklace-buy-for", { card, n: price });
  }
  if (move.verb !== "commit" || !ui.legalMoves("commit").length) return undefined;
  const n = new Position(view, ui).laidCount;
  return n ? ui.t("necklace-show-cards", { n }) : ui.t("necklace-show-nothing");
}

// --- the seats -------------------------------------------------------------------------------------------------------

/** @param {View} view @param {number} n @param {BoardContext} ui */
export function seat(view, n, ui) {
  const p = new Position(view, ui);
  const { state } = p;
  const { cards, unknown } = p.knownHand(n);
  const ready = view.pending.includes(n) ? "badge ready not-yet" : "badge ready"; // it takes the same room before
  return html`<span class="necklace-seat">
    <span class="line">${
      view.over
        ? nothing
        : html`<b class="pounds" data-key="pounds-${n}">${ui.t("necklace-seat-pounds", { n: state.score[n] })}</b>`
    }<span>${ui.t("necklace-seat-cards", { n: state.size[n] })}</span>
      ${state.necklace === n ? renderBadge(ui, "queens_necklace", "necklace-seat-necklace") : nothing}
      ${state.held[n] ? renderBadge(ui, "merchant", "necklace-seat-merchant") : nothing}
      ${p.phase === "show" ? html`<span class=${ready}>${ui.t("necklace-seat-ready")}</span>` : nothing}</span>
    ${renderLaidOpenly(p, n)}${
      n === p.me || !state.size[n]
        ? nothing
        : html`<span class="known">
          ${cards.length ? html`<small>${ui.formatLabelled(ui.t(handLabel(p)))}</small>` : nothing}
          ${cards.map(([card, k]) => renderTinyCard(p, card, k, `known-${n}-${card}`))}
          ${
            unknown
              ? html`<span class="unknown" data-key="unknown-${n}"
                      title=${ui.t("necklace-seat-unknown", { n: unknown })}>
                ${ui.t("necklace-seat-unknown-short", { n: unknown })}</span>`
              : nothing
          }
          ${p.lackedGems(n).map(
            (gem) => html`<span class="lacks" title=${ui.t("necklace-seat-lacks", { gem })}>${renderStone(gem)}
              ${hideVisually(ui.t("necklace-seat-lacks", { gem }))}</span>`,
          )}</span>`
    }
  </span>`;
}

/** Return the id of the caption of a seat's cards. @param {Position} p */
function handLabel({ isOpen, me }) {
  if (isOpen) return "necklace-seat-open";
  const by = me === null ? "public" : "known";
  return isSmallScreen() ? `necklace-seat-${by}.short` : `necklace-seat-${by}`;
}

/** Render what a seat has laid openly for the sale. @param {Position} p @param {number} n */
function renderLaidOpenly(p, n) {
  const laid = p.laidOpenly(n);
  if (!laid.length) return nothing;
  return html`<span class="known openly" data-key="openly-${n}"><small>${p.ui.formatLabelled(
    p.ui.t("necklace-open"),
  )}</small> ${laid.map(
    ({ piece, card, n: k, gem }) =>
      html`<span class="piece">${renderTinyCard(
        p,
        card,
        k,
        `open-${n}-${piece}`,
      )}${gem ? renderStone(gem) : nothing}</span>`,
  )}</span>`;
}

/** @param {BoardContext} ui @param {string} picture @param {string} text */
const renderBadge = (ui, picture, text) =>
  html`<span class="badge" title=${ui.t(text)}>${renderIcon(picture)}${hideVisually(ui.t(text))}</span>`;

// --- plain rendering -------------------------------------------------------------------------------------------------

/** @param {View} view @param {BoardContext} ui @returns {{heading: string, lines: string[]}[]} */
export function plain(view, ui) {
  const p = new Position(view, ui);
  const { state } = p;
  const sections = [
    { heading: ui.t("necklace-plain-table"), lines: describeTable(p) },
    { heading: ui.t("necklace-row"), lines: p.offers.map((offer) => describeSlot(p, offer)) },
  ];
  if (p.me !== null)
    sections.push({
      heading: ui.t("necklace-hand"),
      lines: p.hand.map(([card, n]) => ui.t("necklace-plain-card", { card, n, does: effectText(p, card) })),
    });
  if (p.phase === "show" && p.me !== null)
    sections.push({
      heading: ui.t("necklace-tray"),
      lines: [
        ui.t("necklace-plain-tray", { list: formatPieces(p, state.tray[p.me]) }),
        ...(p.laidOpenly(p.me).length
          ? [ui.t("necklace-plain-open", { list: formatPieces(p, state.openly[p.me]) })]
          : []),
      ],
    });
  sections.push({ heading: ui.t("seats"), lines: p.seats.flatMap((n) => describeSeat(p, n)) });
  if (state.sales || p.phase === "alchemist")
    sections.push({ heading: ui.t("necklace-sale", { n: p.sale + 1 }), lines: describeSale(p) });
  return sections;
}

/** @param {Position} p @param {import("./position.js").Offer} offer */
function describeSlot(p, offer) {
  const { ui } = p;
  const { slot, card } = offer;
  if (!card) return ui.t("necklace-plain-slot", { slot: slot + 1, card: ui.t("necklace-empty-slot"), ladder: "" });
  return ui.t("necklace-plain-slot", { slot: slot + 1, card, ladder: priceText(p, offer) });
}

/** @param {Position} p */
function describeTable(p) {
  const { ui, state } = p;
  const due = p.drawsToSale;
  const lines = [
    ui.t("necklace-plain-fashion", {
      list: ui.formatList(p.fashion.map((gem) => `${ui.t(`necklace-gem-${gem}`)} +${p.bonus(gem)}`)),
    }),
    ui.t("necklace-plain-turn", { name: ui.playerName(state.active), n: state.budget }),
    ui.t("necklace-deck", { n: state.left }),
  ];
  if (due)
    lines.push(
      ui.formatLabelled(
        ui.t("necklace-clock", { n: state.merchants + 1 }),
        ui.t(due.least === due.most ? "necklace-clock-in" : "necklace-clock-between", { n: due.least, ...due }),
      ),
    );
  for (const n of p.seats.filter((other) => state.held[other]))
    lines.push(ui.t("necklace-clock-held", { name: ui.playerName(n) }));
  return lines;
}

/** @param {Position} p @param {number} n */
function describeSeat(p, n) {
  const { ui, state } = p;
  const { cards, unknown } = p.knownHand(n);
  const lines = [
    ui.t("necklace-plain-player", {
      name: ui.playerName(n),
      pounds: state.score[n],
      cards: ui.t("necklace-seat-cards", { n: state.size[n] }),
    }),
  ];
  const list = { list: formatCards(p, cards), unknown: ui.t("necklace-seat-unknown", { n: unknown }) };
  if (n !== p.me && state.size[n])
    lines.push(
      ui.t(
        p.isOpen ? "necklace-plain-whole-hand" : p.me === null ? "necklace-plain-publicly" : "necklace-plain-known",
        list,
      ),
    );
  if (state.necklace === n) lines.push(ui.t("necklace-wears", { name: ui.playerName(n) }));
  if (n !== p.me && p.laidOpenly(n).length)
    lines.push(ui.t("necklace-plain-lays", { name: ui.playerName(n), list: formatPieces(p, state.openly[n]) }));
  if (p.isLayingOpen)
    lines.push(ui.t("necklace-plain-covers", { name: ui.playerName(n), list: formatPieces(p, state.tray[n]) }));
  return [
    ...lines,
    ...(n === p.me
      ? []
      : p.lackedGems(n).map((gem) => ui.formatLabelled(ui.playerName(n), ui.t("necklace-seat-lacks", { gem })))),
  ];
}

/** Return the contents of a tray as text. @param {Position} p @param {number[]} row */
function formatPieces(p, row) {
  const { ui } = p;
  return (
    ui.formatList(
      p.showable.flatMap((name, i) => {
        const with_ = name.match(/^(ring|king|necklace)_(.+)$/);
        const times = row[i] > 1 ? ` ${ui.t("necklace-times", { n: row[i] })}` : "";
        if (!row[i]) return [];
        return [
          (with_
            ? ui.t("necklace-with", { card: with_[1] === "necklace" ? "queens_necklace" : with_[1], gem: with_[2] })
            : ui.t(`necklace-card-${name}`)) + times,
        ];
      }),
    ) || ui.t("necklace-none")
  );
}

/** @param {Position} p */
function describeSale(p) {
  const { ui, state } = p;
  const early = p.phase === "alchemist";
  const prices = p.gems.map((gem) => ui.t("necklace-plain-sale", { gem, ...p.gemResult(gem) }));
  return [
    ...(early ? [] : prices),
    ...listRemarks(p, p.gems),
    ...p.seats.map((n) =>
      ui.t("necklace-plain-shown", {
        name: ui.playerName(n),
        list: formatPieces(p, state.shown[n]),
        sum: early ? 0 : p.saleIncome(p.sale, n),
      }),
    ),
  ];
}

// --- the end ---------------------------------------------------------------------------------------------------------

/** Return the pounds alone, without the tie-breaker. @param {View} view @param {number} n @param {BoardContext} ui */
export const score = (view, n, ui) => ui.t("necklace-seat-pounds", { n: view.state.score[n] });

/** Render how each sum was reached, sale by sale. @param {View} view @param {BoardContext} ui */
export function outcome(view, ui) {
  const p = new Position(view, ui);
  const { state } = p;
  const sales = state.income.map((/** @type {unknown} */ _, /** @type {number} */ i) => i);
  const some = (/** @type {number} */ n) => (n ? ui.formatNumber(n) : "–");
  const cells = (/** @type {(n: number) => unknown} */ value) => p.seats.map((n) => html`<td>${value(n)}</td>`);
  return html`<div class="necklace-outcome"><table><thead><tr><td></td>${p.seats.map(
    (n) => html`<th scope="col">${ui.renderShield(n, "tiny")} ${ui.playerName(n)}</th>`,
  )}</tr></thead>
    ${sales.map(
      (/** @type {number} */ sale) => html`<tbody>
      <tr class="head"><th scope="row">${ui.t("necklace-outcome-sale", {
        n: sale + 1,
      })}</th>${cells((n) => ui.formatNumber(p.saleIncome(sale, n)))}</tr>
      ${p.gems
        .filter((gem) => p.seats.some((n) => p.income(sale, n, gem)))
        .map(
          (gem) => html`<tr>
            <th scope="row">${renderStone(gem)} ${ui.t(`necklace-gem-${gem}`)}</th>${cells((n) =>
              some(p.income(sale, n, gem)),
            )}</tr>`,
        )}
      ${
        p.seats.some((n) => state.gifts[sale][n])
          ? html`<tr>
            <th scope="row">${renderIcon("queens_necklace")} ${ui.t("necklace-outcome-gifts")}</th>${cells((n) =>
              some(state.gifts[sale][n]),
            )}</tr>`
          : nothing
      }</tbody>`,
    )}
    <tfoot><tr><th scope="row">${ui.t("necklace-outcome-total")}</th>${p.seats.map(
      (n) => html`<td><b>${ui.formatNumber(state.score[n])}</b></td>`,
    )}</tr></tfoot></table>
    ${state.tie_break ? html`<p class="quiet">${ui.t("necklace-outcome-tie-break")}</p>` : nothing}</div>`;
}
