/** The sale: all trays turned over, with the origin of every number. */
import { html, nothing } from "lit";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { renderCloseButton } from "./counter.js";
import { renderChangeable } from "./alchemist.js";
import { renderIcon, renderTinyCard } from "./cards.js";
import { renderStone } from "./gems.js";
import { SALE_VERBS } from "./position.js";

/** @typedef {import("./position.js").Position} Position */
/** @typedef {import("../../../web/core/api-types.js").Cue} Cue */

/** The moves that answer a question. */
export const ANSWERS = ["cancel", "discard", "show_hand", "take", "decline", "cardinal", "no_cardinal"];

export const BUYING_PHASES = ["influence", "purchase"];

/**
 * The table of a sale. `early`: the prices are not known yet; `isLaid`: it shows what is laid, instead of what was
 * shown; `at`: the step that is explained.
 * @typedef {{gems: string[], early: boolean, isLaid?: boolean, number: number, at?: string, remarks: string,
 *   buttons?: unknown}} Sheet
 */

/**
 * Return whether the outcome of a sale is shown: until the reader closes it or acts, and after the last sale; and while
 * the alchemist's owner decides whether to change it. An answer to a question, which may be given by itself, is no act.
 * Spectators and replays see it until a player acts.
 * @param {Position} p
 */
export function isSaleShown(p) {
  const { ui, me, phase, state, view, over } = p;
  if (phase === "alchemist") return true;
  if (phase === "show" || !state.sales || ui.pageState.away === p.closedId(state.sales)) return false;
  if (over) return true;
  const isReader = me !== null && !ui.isReplay;
  const cues = isReader ? ui.cues : view.cues;
  const last = cues.findLastIndex(({ verb }) => SALE_VERBS.includes(verb));
  const isAct = (/** @type {Cue} */ { seat, verb }) => (isReader ? seat === me && !ANSWERS.includes(verb) : seat >= 0);
  return last >= 0 && !cues.slice(last + 1).some(isAct);
}

/** Return whether a player looks at the outcome of a sale, and the game goes on afterwards. @param {Position} p */
export const isReading = (p) => p.me !== null && !p.ui.isReplay && !p.over && p.phase !== "alchemist" && isSaleShown(p);

/** The steps of a sale: the part that is shown, and the message id of its name. */
const SALE_STEPS = [
  ["shown", "necklace-step-shown"],
  ["rarity", "necklace-rarity"],
  ["price", "necklace-step-price"],
  ["sold", "necklace-step-sold"],
  ["gifts", "necklace-outcome-gifts"],
];

/** @param {Position} p */
export function renderResults(p) {
  const { ui } = p;
  const early = p.phase === "alchemist";
  const gems = early ? p.fashion : [...p.gems].sort((a, b) => p.gemResult(b).fashion - p.gemResult(a).fashion);
  const at = ui.local.why?.startsWith("step-") ? ui.local.why : "";
  const buttons = early ? nothing : html`${renderGoOnButton(p)}${renderSteps(p, at)}`;
  return renderSheet(p, { gems, early, number: p.sale + 1, at, remarks: explainNumber(p, gems), buttons });
}

/** Render what all have laid so far, where it is known: in a replay with everything open. @param {Position} p */
export function renderLaid(p) {
  const { ui, state, fashion: gems } = p;
  const remarks = ui.t("necklace-laid-so-far");
  return renderSheet(p, { gems, early: true, isLaid: true, number: state.sales + 1, remarks });
}

/** @param {Position} p @param {Sheet} sheet */
function renderSheet(p, sheet) {
  const { ui } = p;
  const { gems, early, number, at = "", remarks, buttons = nothing } = sheet;
  const title = ui.t("necklace-sale", { n: number });
  return html`<section class="paper reading results ${at}" data-key="sale" data-report aria-label=${title}>
    <header><h2>${title}</h2><p class="why" data-key="sale-remarks" aria-live="polite">${remarks}</p>${buttons}</header>
    <div class="scroll" tabindex="0" role="region" aria-label=${ui.t("necklace-step-shown")}><table>
      <thead><tr><td></td>${gems.map(
        (gem) => html`<th scope="col">${renderStone(gem)}<span>${ui.t(`necklace-gem-${gem}`)}</span></th>`,
      )}
        <th scope="col">${ui.t(early ? "necklace-card-banker" : "necklace-total")}</th></tr></thead>
      <tbody>${p.seats.map((seat) => renderSeatRow(p, sheet, seat))}</tbody>
      ${renderTotals(p, sheet)}
    </table></div>
  </section>`;
}

/** Render the button that closes the sale and shows what has happened since. @param {Position} p */
function renderGoOnButton(p) {
  const { ui } = p;
  const close = () => {
    ui.pageState.away = p.closedId(p.state.sales);
    ui.setLocal({ panel: "" });
    ui.goOn();
  };
  return isReading(p)
    ? html`<button class="button close" @click=${close}>${ui.t("necklace-go-on")}</button>`
    : renderCloseButton(p, close);
}

/**
 * Render the totals of each gem and its price, as far as it is known.
 * @param {Position} p @param {Sheet} sheet
 */
function renderTotals(p, sheet) {
  const { ui } = p;
  const { gems, early } = sheet;
  const total = (/** @type {string} */ gem) => p.seats.reduce((sum, seat) => sum + stonesOf(p, sheet, seat, gem), 0);
  const row = (/** @type {string} */ kind, /** @type {string} */ name, /** @type {(gem: string) => unknown} */ cell) =>
    html`<tr class=${kind} data-key="sale-row-${kind}"><th scope="row">${ui.t(name)}</th>${gems.map(
      (gem) => html`<td>${cell(gem)}</td>`,
    )}<td></td></tr>`;
  return html`<tfoot>
    ${
      early && !gems.some(total)
        ? nothing
        : row("total", "necklace-all-stones", (gem) => html`<b data-key="stones-${gem}">${total(gem)}</b>`)
    }
    ${
      early
        ? nothing
        : row("rarity", "necklace-rarity", (gem) =>
            renderExplained(
              p,
              `rarity-${gem}`,
              html`<span class="plaque blue" data-key="rarity-${gem}">${ui.formatPlus(p.gemResult(gem).rarity)}</span>`,
              rarityText(p, gem),
            ),
          )
    }
    ${row(
      "popular",
      "necklace-fashion",
      (gem) => html`<span class="plaque red">${ui.formatPlus(early ? p.bonus(gem) : p.gemResult(gem).fashion)}</span>`,
    )}
    ${
      early
        ? nothing
        : row("price", "necklace-step-price", (gem) =>
            renderExplained(
              p,
              `price-${gem}`,
              html`<b data-key="price-${gem}">${p.gemResult(gem).price}</b>`,
              priceOriginText(p, gem),
            ),
          )
    }
  </tfoot>`;
}

/** @param {Position} p @param {string} at */
function renderSteps(p, at) {
  const { ui } = p;
  const some = SALE_STEPS.filter(([step]) => step !== "gifts" || p.state.gifts[p.sale].some(Boolean));
  return html`<div class="steps" role="group" aria-label=${ui.t("necklace-steps")}>${some.map(
    ([step, name], i) => html`
    <button data-key="step-${step}" aria-pressed=${at === `step-${step}`} @click=${() =>
      ui.setLocal({ why: at === `step-${step}` ? "" : `step-${step}` })}><b>${i + 1}</b> ${ui.t(name)}</button>`,
  )}</div>`;
}

/**
 * Render a number that shows its origin on tap, hover and focus.
 * @param {Position} p @param {string} key @param {unknown} inside @param {string} words
 */
function renderExplained(p, key, inside, words) {
  const { ui } = p;
  return html`<button class="ask ${ui.local.why === key ? "on" : ""}" title=${words}
      @click=${() => ui.setLocal({ why: key })}
    @pointerenter=${(/** @type {PointerEvent} */ e) => e.pointerType === "mouse" && ui.setLocal({ why: key })}
    @focus=${() => ui.local.why !== key && ui.setLocal({ why: key })}>${inside}${hideVisually(words)}</button>`;
}

/** @param {Position} p @param {string} gem */
const rarityText = (p, gem) => p.ui.t("necklace-why-rarity", { gem, n: p.gemResult(gem).stones });

/** @param {Position} p @param {string} gem */
const priceOriginText = (p, gem) =>
  p.ui.t("necklace-why-price", {
    gem,
    fashion: p.gemResult(gem).fashion,
    rarity: p.gemResult(gem).rarity,
    sum: p.gemResult(gem).price,
  });

/** Return the cards of a seat. @param {Position} p @param {Sheet} sheet @param {number} seat @returns {number[]} */
function cardsOf({ state }, { isLaid }, seat) {
  const { shown, tray, openly } = state;
  return isLaid
    ? tray[seat].map((/** @type {number} */ n, /** @type {number} */ i) => n + openly[seat][i])
    : shown[seat];
}

/**
 * Return how many stones of a gem a seat has there.
 * @param {Position} p @param {Sheet} sheet @param {number} seat @param {string} gem @returns {number}
 */
function stonesOf(p, sheet, seat, gem) {
  if (!sheet.isLaid) return p.state.stones[seat][p.gems.indexOf(gem)];
  const { cards } = p.trayContents(cardsOf(p, sheet, seat), gem);
  return cards.reduce((sum, [card, n]) => sum + n * p.cardInfo(card).stones, 0);
}

/** @param {Position} p @param {Sheet} sheet @param {number} seat */
function renderSeatRow(p, sheet, seat) {
  const { ui } = p;
  const { gems, early } = sheet;
  const bankers = p.bankerCount(cardsOf(p, sheet, seat));
  const gift = early ? 0 : p.state.gifts[p.sale][seat];
  const gave = html`<span class="gift" data-key="gift-${seat}"
      title=${ui.t("necklace-gift")}>${renderIcon("queens_necklace")}${ui.formatSigned(gift)}</span>`;
  return html`<tr class="tint-${seat} ${seat === p.me ? "me" : ""}"><th
      scope="row">${ui.renderShield(seat, "tiny")} ${ui.playerName(seat)}</th>
    ${gems.map((gem) => html`<td>${renderCell(p, sheet, seat, gem)}</td>`)}
    <td class="sum">${bankers ? renderTinyCard(p, "banker", bankers) : nothing}${gift ? gave : nothing}${
      early ? nothing : html`<b data-key="sum-${seat}">${ui.formatNumber(p.saleIncome(p.sale, seat))}</b>`
    }</td></tr>`;
}

/**
 * Render what a seat showed of a gem, and its income.
 * @param {Position} p @param {Sheet} sheet @param {number} seat @param {string} gem
 */
function renderCell(p, sheet, seat, gem) {
  const { early } = sheet;
  const laid = p.trayContents(cardsOf(p, sheet, seat), gem);
  const stones = stonesOf(p, sheet, seat, gem);
  const income = early ? 0 : p.income(p.sale, seat, gem);
  const isAsked = early && seat === p.me && p.ui.legalMoves("alchemist").length > 0;
  const shown = isAsked
    ? renderChangeable(p, gem, laid.cards, stones)
    : stones
      ? html`<b>${stones}</b>${renderStone(gem, "small")}`
      : nothing;
  const pieces = html`${shown}${laid.rings ? renderTinyCard(p, "ring", laid.rings) : nothing}${
    laid.king ? renderTinyCard(p, "king", 1) : nothing
  }${laid.necklace ? renderTinyCard(p, "queens_necklace", 1) : nothing}`;
  if (isAsked) return html`<span class="lot own" data-key="lot-${seat}-${gem}">${pieces}</span>`;
  if (!stones && !laid.rings && !laid.king && !laid.necklace) return html`<span class="dash">–</span>`;
  if (early) return html`<span class="lot" data-key="lot-${seat}-${gem}">${pieces}</span>`;
  return renderExplained(
    p,
    `cell-${seat}-${gem}`,
    html`<span class="lot ${income ? "sells" : ""} ${p.gemResult(gem).stopped ? "stopped" : ""}"
        data-key="lot-${seat}-${gem}">${pieces}
    ${income ? html`<strong>${p.ui.formatNumber(income)}</strong>` : nothing}</span>`,
    cellText(p, seat, gem),
  );
}

/** @param {Position} p @param {number} seat @param {string} gem */
function cellText(p, seat, gem) {
  const { ui } = p;
  const { price, changed, why } = p.gemResult(gem);
  const stones = p.state.stones[seat][p.gems.indexOf(gem)];
  const { rings } = p.trayContents(p.state.shown[seat], gem);
  const income = p.income(p.sale, seat, gem);
  const turned = p.state.alchemist === seat && changed ? [alchemistText(p)] : [];
  const bonus = p.facts.bankers[seat];
  const each = bonus ? `(${ui.t("necklace-cell-plus-banker", { price, bonus })})` : String(price);
  const sums = { stones, rings, price: each, sum: income };
  const free = p.gemResult(gem).void ? [ui.t("necklace-why-void", { gem })] : [];
  const sold = ui.t("necklace-why-sold", { name: ui.playerName(seat), gem, sum: income });
  /** @type {Record<string, () => string[]>} */
  const words = {
    nothing: () => [ui.t("necklace-cell-stones", { n: 0 })],
    stopped: () => [ui.t("necklace-why-stopped", { gem })],
    worthless: () => [ui.t("necklace-why-worthless", { gem })],
    less: () => [ui.t("necklace-why-less", { name: ui.playerName(seat), gem })],
    sold: () => [sold, ...free],
    stones: () => [sold, ui.t("necklace-cell-sum", sums), ...free],
    rings: () => [sold, ui.t("necklace-cell-sum-rings", sums), ...free],
  };
  return ui.joinSentences([...words[why[seat]](), ...turned]);
}

/** @param {Position} p */
export const alchemistText = (p) =>
  p.ui.t("necklace-why-alchemist", {
    name: p.ui.playerName(p.state.alchemist),
    card: p.names[p.state.changed],
    gem: p.gems[p.state.into],
  });

/**
 * Explain the selected number, or list the remarks on this sale.
 * @param {Position} p @param {string[]} gems
 */
function explainNumber(p, gems) {
  const { ui } = p;
  const [kind, a, b] = (ui.local.why ?? "").split("-");
  if (kind === "rarity") return rarityText(p, a);
  if (kind === "price") return priceOriginText(p, a);
  if (kind === "cell") return cellText(p, Number(a), b);
  if (kind === "step") return stepText(p, gems, a);
  return ui.joinSentences(listRemarks(p, gems)) || (p.phase === "alchemist" ? "" : ui.t("necklace-steps"));
}

/** Return the rule of a step and its result. @param {Position} p @param {string[]} gems @param {string} step */
function stepText(p, gems, step) {
  const came =
    step === "shown" && p.state.alchemist >= 0
      ? [alchemistText(p)]
      : step === "sold"
        ? listKings(p, gems)
        : step === "gifts"
          ? listGifts(p, gems)
          : [];
  return p.ui.joinSentences([p.ui.t(`necklace-explain-${step}`), ...came]);
}

/**
 * Return texts on gems that a king stops, and on kings that the necklace voids.
 * @param {Position} p @param {string[]} gems @returns {string[]}
 */
const listKings = (p, gems) =>
  gems.flatMap((gem) =>
    p.gemResult(gem).stopped
      ? p.ui.t("necklace-why-stopped", { gem })
      : p.gemResult(gem).void
        ? p.ui.t("necklace-why-void", { gem })
        : [],
  );

/** @param {Position} p @param {string[]} gems @returns {string[]} */
const listGifts = (p, gems) =>
  gems.flatMap((gem) => {
    const { wearer, pay } = p.gemResult(gem);
    return pay.map((seat) =>
      p.ui.t("necklace-why-gift", { name: p.ui.playerName(seat), wearer: p.ui.playerName(wearer) }),
    );
  });

/**
 * Return remarks: seats that showed nothing, the alchemist, kings, gifts.
 * @param {Position} p @param {string[]} gems @returns {string[]}
 */
export function listRemarks(p, gems) {
  const { ui } = p;
  const out = [];
  if (!p.seats.some((seat) => p.state.shown[seat].some(Boolean))) out.push(ui.t("necklace-nothing-shown"));
  if (p.state.alchemist >= 0) out.push(alchemistText(p));
  return p.phase === "alchemist" ? out : [...out, ...listKings(p, gems), ...listGifts(p, gems)];
}
