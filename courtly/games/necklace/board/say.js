/** What is said of the table: what to do now, the seats, the state in sentences, and how the game came out. */
import { html, nothing } from "lit";
import { unseen } from "../../../web/components/visually-hidden.js";
import { does, icon, listed, tiny } from "./cards.js";
import { falls } from "./counter.js";
import { stone } from "./gems.js";
import { Position } from "./position.js";
import { remarks } from "./sale.js";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/board-context.js").Ui} Ui
 */

// --- what to do now --------------------------------------------------------------------------------------------------

/** @param {View} view @param {Ui} ui */
export function prompt(view, ui) {
  const p = new Position(view, ui);
  const { s } = p;
  const can = (/** @type {string} */ verb) => view.legal.some((move) => move.verb === verb);
  if (!p.mine) return "";
  const none = view.legal.length === 1 ? "-none" : "";
  switch (p.phase) {
    case "show":
      return ui.t("necklace-prompt-show");
    case "forger":
      return ui.t("necklace-prompt-forger", { name: ui.name(s.active), gem: p.gems[s.gem] });
    case "queen":
      return ui.t(`necklace-prompt-queen${none}`, { card: p.names[s.offered] });
    case "cardinal":
      return ui.t(`necklace-prompt-cardinal${none}`);
    case "alchemist":
      return ui.t(`necklace-prompt-alchemist${none}`);
    default:
      break;
  }
  if (ui.local.use === "forger")
    return ui.t(
      ui.local.target === null && s.players > 2 ? "necklace-prompt-forger-target" : "necklace-prompt-forger-gem",
    );
  if (["confessor", "thief", "favorite"].includes(ui.local.use)) return ui.t(`necklace-prompt-${ui.local.use}`);
  if (!can("buy") && !s.bought)
    return ui.t(`necklace-prompt-${p.facts.courtier ? "courtier" : view.legal.length > 1 ? "influence" : "nothing"}`);
  return p.phase === "influence"
    ? ui.t("necklace-prompt-turn", { n: s.budget })
    : ui.t("necklace-prompt-buy", { n: s.budget });
}

// --- the seats -------------------------------------------------------------------------------------------------------

/** @param {View} view @param {number} n @param {Ui} ui */
export function seat(view, n, ui) {
  const p = new Position(view, ui);
  const { s } = p;
  const { cards, unknown } = p.known(n);
  const ready = p.phase === "show" && !view.pending.includes(n);
  return html`<span class="necklace-seat">
    <span class="line">${
      view.over
        ? nothing
        : html`<b class="pounds" data-key="pounds-${n}">${ui.t("necklace-seat-pounds", { n: s.score[n] })}</b>`
    }<span>${ui.t("necklace-seat-cards", { n: s.size[n] })}</span>
      ${s.necklace === n ? badge(ui, "queens_necklace", "necklace-seat-necklace") : nothing}
      ${s.held[n] ? badge(ui, "merchant", "necklace-seat-merchant") : nothing}
      ${ready ? html`<span class="badge ready">${ui.t("necklace-seat-ready")}</span>` : nothing}</span>
    ${laidOpenly(p, n)}${
      n === p.me || !s.size[n]
        ? nothing
        : html`<span class="known">
          ${
            cards.length
              ? unseen(ui.labelled(ui.t(p.me === null ? "necklace-seat-public" : "necklace-seat-known")))
              : nothing
          }
          ${cards.map(([card, k]) => tiny(p, card, k, `known-${n}-${card}`))}
          ${
            unknown
              ? html`<span class="unknown" data-key="unknown-${n}"
                      title=${ui.t("necklace-seat-unknown", { n: unknown })}>
                <span aria-hidden="true">?<b>${unknown}</b></span>${unseen(
                  ui.t("necklace-seat-unknown", { n: unknown }),
                )}</span>`
              : nothing
          }
          ${p.lacks(n).map(
            (gem) => html`<span class="lacks" title=${ui.t("necklace-seat-lacks", { gem })}>${stone(gem)}
              ${unseen(ui.t("necklace-seat-lacks", { gem }))}</span>`,
          )}</span>`
    }
  </span>`;
}

/** What a seat has laid openly for the sale. @param {Position} p @param {number} n */
function laidOpenly(p, n) {
  const laid = p.openly(n);
  if (!laid.length) return nothing;
  return html`<span class="known openly" data-key="openly-${n}"><small>${p.ui.labelled(
    p.ui.t("necklace-open"),
  )}</small> ${laid.map(
    ({ piece, card, n: k, gem }) =>
      html`<span class="piece">${tiny(p, card, k, `open-${n}-${piece}`)}${gem ? stone(gem) : nothing}</span>`,
  )}</span>`;
}

/** @param {Ui} ui @param {string} picture @param {string} text */
const badge = (ui, picture, text) =>
  html`<span class="badge" title=${ui.t(text)}>${icon(picture)}${unseen(ui.t(text))}</span>`;

// --- in sentences ----------------------------------------------------------------------------------------------------

/** @param {View} view @param {Ui} ui @returns {{heading: string, lines: string[]}[]} */
export function plain(view, ui) {
  const p = new Position(view, ui);
  const { s } = p;
  const sections = [
    { heading: ui.t("necklace-plain-table"), lines: tableLines(p) },
    { heading: ui.t("necklace-row"), lines: p.offers.map((offer) => slotLine(p, offer)) },
  ];
  if (p.me !== null)
    sections.push({
      heading: ui.t("necklace-hand"),
      lines: p.hand.map(([card, n]) => ui.t("necklace-plain-card", { card, n, does: does(p, card) })),
    });
  if (p.phase === "show" && p.me !== null)
    sections.push({
      heading: ui.t("necklace-tray"),
      lines: [
        ui.t("necklace-plain-tray", { list: pieces(p, s.tray[p.me]) }),
        ...(p.openly(p.me).length ? [ui.t("necklace-plain-open", { list: pieces(p, s.openly[p.me]) })] : []),
      ],
    });
  sections.push({ heading: ui.t("seats"), lines: p.seats.flatMap((n) => seatLines(p, n)) });
  if (s.sales || p.phase === "alchemist")
    sections.push({ heading: ui.t("necklace-sale", { n: p.sale + 1 }), lines: saleLines(p) });
  return sections;
}

/** @param {Position} p @param {import("./position.js").Offer} offer */
function slotLine(p, offer) {
  const { ui } = p;
  const { slot, card } = offer;
  if (!card) return ui.t("necklace-plain-slot", { slot: slot + 1, card: ui.t("necklace-empty-slot"), ladder: "" });
  return ui.t("necklace-plain-slot", { slot: slot + 1, card, ladder: falls(p, offer) });
}

/** @param {Position} p */
function tableLines(p) {
  const { ui, s } = p;
  const due = p.clock;
  const lines = [
    ui.t("necklace-plain-fashion", {
      list: ui.list(p.fashion.map((gem) => `${ui.t(`necklace-gem-${gem}`)} +${p.bonus(gem)}`)),
    }),
    ui.t("necklace-plain-turn", { name: ui.name(s.active), n: s.budget }),
    ui.t("necklace-deck", { n: s.left }),
  ];
  if (due)
    lines.push(
      ui.labelled(
        ui.t("necklace-clock", { n: s.merchants + 1 }),
        ui.t(due.least === due.most ? "necklace-clock-in" : "necklace-clock-between", { n: due.least, ...due }),
      ),
    );
  for (const n of p.seats.filter((other) => s.held[other]))
    lines.push(ui.t("necklace-clock-held", { name: ui.name(n) }));
  return lines;
}

/** @param {Position} p @param {number} n */
function seatLines(p, n) {
  const { ui, s } = p;
  const { cards, unknown } = p.known(n);
  const lines = [
    ui.t("necklace-plain-player", {
      name: ui.name(n),
      pounds: s.score[n],
      cards: ui.t("necklace-seat-cards", { n: s.size[n] }),
    }),
  ];
  const list = { list: listed(p, cards), unknown: ui.t("necklace-seat-unknown", { n: unknown }) };
  if (n !== p.me && s.size[n])
    lines.push(ui.t(p.me === null ? "necklace-plain-publicly" : "necklace-plain-known", list));
  if (s.necklace === n) lines.push(ui.t("necklace-wears", { name: ui.name(n) }));
  if (n !== p.me && p.openly(n).length)
    lines.push(ui.t("necklace-plain-lays", { name: ui.name(n), list: pieces(p, s.openly[n]) }));
  return [
    ...lines,
    ...(n === p.me ? [] : p.lacks(n).map((gem) => ui.labelled(ui.name(n), ui.t("necklace-seat-lacks", { gem })))),
  ];
}

/** What lies in a tray, in words. @param {Position} p @param {number[]} row */
function pieces(p, row) {
  const { ui } = p;
  return (
    ui.list(
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
function saleLines(p) {
  const { ui, s } = p;
  const early = p.phase === "alchemist";
  const prices = p.gems.map((gem) => ui.t("necklace-plain-sale", { gem, ...p.gem(gem) }));
  return [
    ...(early ? [] : prices),
    ...remarks(p, p.gems),
    ...p.seats.map((n) =>
      ui.t("necklace-plain-shown", {
        name: ui.name(n),
        list: pieces(p, s.shown[n]),
        sum: early ? 0 : p.sum(p.sale, n),
      }),
    ),
  ];
}

// --- the end ---------------------------------------------------------------------------------------------------------

/** Pounds alone, without what breaks a tie. @param {View} view @param {number} n @param {Ui} ui */
export const score = (view, n, ui) => ui.t("necklace-seat-pounds", { n: view.state.score[n] });

/** How each sum came about, sale by sale. @param {View} view @param {Ui} ui */
export function outcome(view, ui) {
  const p = new Position(view, ui);
  const { s } = p;
  const sales = s.income.map((/** @type {unknown} */ _, /** @type {number} */ i) => i);
  const some = (/** @type {number} */ n) => (n ? ui.number(n) : "–");
  const cells = (/** @type {(n: number) => unknown} */ made) => p.seats.map((n) => html`<td>${made(n)}</td>`);
  return html`<div class="necklace-outcome"><table><thead><tr><td></td>${p.seats.map(
    (n) => html`<th scope="col">${ui.shield(n, "tiny")} ${ui.name(n)}</th>`,
  )}</tr></thead>
    ${sales.map(
      (/** @type {number} */ sale) => html`<tbody>
      <tr class="head"><th scope="row">${ui.t("necklace-outcome-sale", {
        n: sale + 1,
      })}</th>${cells((n) => ui.number(p.sum(sale, n)))}</tr>
      ${p.gems
        .filter((gem) => p.seats.some((n) => p.income(sale, n, gem)))
        .map(
          (gem) => html`<tr>
            <th scope="row">${stone(gem)} ${ui.t(`necklace-gem-${gem}`)}</th>${cells((n) =>
              some(p.income(sale, n, gem)),
            )}</tr>`,
        )}
      ${
        p.seats.some((n) => s.gifts[sale][n])
          ? html`<tr>
            <th scope="row">${icon("queens_necklace")} ${ui.t("necklace-outcome-gifts")}</th>${cells((n) =>
              some(s.gifts[sale][n]),
            )}</tr>`
          : nothing
      }</tbody>`,
    )}
    <tfoot><tr><th scope="row">${ui.t("necklace-outcome-total")}</th>${p.seats.map(
      (n) => html`<td><b>${ui.number(s.score[n])}</b></td>`,
    )}</tr></tfoot></table>
    ${s.tie_break ? html`<p class="quiet">${ui.t("necklace-outcome-tie-break")}</p>` : nothing}</div>`;
}
