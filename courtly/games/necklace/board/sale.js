/** The sale: my tray while it is secret, then all trays turned over, with the origin of every number. */
import { html, nothing } from "lit";
import { unseen } from "../../../web/components/visually-hidden.js";
import { closing } from "./counter.js";
import { icon, small, tiny } from "./cards.js";
import { stone } from "./gems.js";
import { LAID } from "./position.js";

/**
 * @typedef {import("./position.js").Position} Position
 * @typedef {import("../../../web/core/api-types.js").Move} Move
 */

// --- my tray ---------------------------------------------------------------------------------------------------------

/** @param {Position} p */
export function tray(p) {
  const { ui } = p;
  const me = /** @type {number} */ (p.me);
  const mine = p.s.tray[me];
  const bankers = p.bankers(mine) + p.bankers(p.s.openly[me]);
  return html`<section class="trays" aria-label=${ui.t("necklace-tray")}>
    ${p.fashion.map((gem) => column(p, mine, gem))}
    <p class="note-line">${
      bankers
        ? html`${tiny(p, "banker", bankers)} ${ui.t("necklace-tray-bankers", {
            n: p.facts.tray.bonus,
          })}`
        : ui.t("necklace-tray-empty")
    }</p>
  </section>`;
}

/** @param {Position} p @param {number[]} mine @param {string} gem */
function column(p, mine, gem) {
  const { ui } = p;
  const laid = p.laid(mine, gem);
  const worth = p.worth(gem);
  const use = ui.local.use;
  const [place] = use in LAID ? ui.can(p.lays(LAID[use]), { gem }) : [];
  const openly = p.openly(/** @type {number} */ (p.me)).filter((laid) => gem === (laid.gem || p.about(laid.card).gem));
  const all = p
    .list(p.facts.tray.left)
    .flatMap(([card, n]) => (p.about(card).gem === gem ? Array(n).fill(ui.move(p.lays("lay"), { card })) : []));
  const with_ = Object.entries(LAID).map(([card, word]) => ({
    card,
    name: `${word}_${gem}`,
    n: mine[p.showable.indexOf(`${word}_${gem}`)],
  }));
  return html`<div class="tray ${place ? "can" : ""}" role="group"
      aria-label=${ui.t("necklace-tray-gem", { gem, n: worth.stones })}
      @click=${place ? () => ui.play(place) : nothing}>
    <header>${stone(gem)}<b>${ui.t(`necklace-gem-${gem}`)}</b><span>${ui.plus(p.bonus(gem))}</span></header>
    <div class="velvet">${laid.cards.map(([card, n]) =>
      small(p, card, n, { key: `tray-${card}`, act: taking(p, card), where: `tray-${gem}` }),
    )}
      ${with_
        .filter(({ n }) => n)
        .map(({ card, name, n }) =>
          small(p, card, n, { key: `tray-${name}`, act: taking(p, name), where: `tray-${gem}` }),
        )}
      ${openly.map(({ piece, card, n }) =>
        small(p, card, n, { key: `open-${piece}`, where: `open-${gem}`, seen: ui.t("necklace-open") }),
      )}</div>
    <footer>${worth.stones ? html`<span>${ui.t("necklace-tray-worth", worth)}</span>` : nothing}
      ${
        place
          ? html`<button class="button small" @click=${(/** @type {Event} */ e) => {
              e.stopPropagation();
              ui.play(place);
            }}>${ui.order(place)}</button>`
          : all.length
            ? html`<button class="button quiet small" @click=${() => ui.play(...all)}>${ui.t("necklace-tray-all", {
                gem,
              })}</button>`
            : nothing
      }</footer>
  </div>`;
}

/** Take one card back: all is taken back and the rest laid out again. @param {Position} p @param {string} name */
function taking(p, name) {
  /** @type {number[] | undefined} */
  const ids = p.facts.tray.back[name];
  return ids ? () => p.ui.play(...p.ui.numbered(ids)) : null;
}

// --- all trays turned over -------------------------------------------------------------------------------------------

/** A sale is followed step by step: what is looked at, and its name. */
const STEPS = [
  ["shown", "necklace-step-shown"],
  ["rarity", "necklace-rarity"],
  ["price", "necklace-step-price"],
  ["sold", "necklace-step-sold"],
  ["gifts", "necklace-outcome-gifts"],
];

/** @param {Position} p */
export function results(p) {
  const { ui } = p;
  const early = p.phase === "alchemist";
  const gems = early ? p.fashion : [...p.gems].sort((a, b) => p.gem(b).fashion - p.gem(a).fashion);
  const putAway = () => {
    ui.kept.away = p.s.sales;
    ui.set({ panel: "" });
  };
  const at = ui.local.why?.startsWith("step-") ? ui.local.why : "";
  return html`<section class="paper results ${at}" aria-label=${ui.t("necklace-sale", { n: p.sale + 1 })}>
    <header><h2>${ui.t("necklace-sale", { n: p.sale + 1 })}</h2><p class="why"
        aria-live="polite">${why(p, gems)}</p>${early ? nothing : closing(p, putAway)}
      ${early ? nothing : steps(p, at)}</header>
    <div class="scroll" tabindex="0" role="region" aria-label=${ui.t("necklace-step-shown")}><table>
      <thead><tr><td></td>${gems.map(
        (gem) => html`<th scope="col">${stone(gem)}<span>${ui.t(`necklace-gem-${gem}`)}</span></th>`,
      )}
        <th scope="col">${ui.t(early ? "necklace-card-banker" : "necklace-total")}</th></tr></thead>
      <tbody>${p.seats.map((seat) => line(p, gems, seat, early))}</tbody>
      ${
        early
          ? nothing
          : html`<tfoot>
              <tr class="total"><th scope="row">${ui.t("necklace-all-stones")}</th>${gems.map(
                (gem) => html`<td><b>${p.gem(gem).stones}</b></td>`,
              )}<td></td></tr>
              <tr class="rarity"><th scope="row">${ui.t("necklace-rarity")}</th>${gems.map(
                (gem) =>
                  html`<td>${ask(
                    p,
                    `rarity-${gem}`,
                    html`<span class="plaque blue" data-key="rarity-${gem}">${ui.plus(p.gem(gem).rarity)}</span>`,
                    rarityWords(p, gem),
                  )}</td>`,
              )}<td></td></tr>
              <tr class="popular"><th scope="row">${ui.t("necklace-fashion")}</th>${gems.map(
                (gem) => html`<td><span class="plaque red">${ui.plus(p.gem(gem).fashion)}</span></td>`,
              )}<td></td></tr>
              <tr class="price"><th scope="row">${ui.t("necklace-step-price")}</th>${gems.map(
                (gem) =>
                  html`<td>${ask(
                    p,
                    `price-${gem}`,
                    html`<b data-key="price-${gem}">${p.gem(gem).price}</b>`,
                    priceWords(p, gem),
                  )}</td>`,
              )}<td></td></tr>
            </tfoot>`
      }
    </table></div>
  </section>`;
}

/** @param {Position} p @param {string} at */
function steps(p, at) {
  const { ui } = p;
  const some = STEPS.filter(([step]) => step !== "gifts" || p.s.gifts[p.sale].some(Boolean));
  return html`<div class="steps" role="group" aria-label=${ui.t("necklace-steps")}>${some.map(
    ([step, name], i) => html`
    <button aria-pressed=${at === `step-${step}`} @click=${() =>
      ui.set({ why: at === `step-${step}` ? "" : `step-${step}` })}><b>${i + 1}</b> ${ui.t(name)}</button>`,
  )}</div>`;
}

/**
 * A number that says where it comes from on tap, hover and focus.
 * @param {Position} p @param {string} key @param {unknown} inside @param {string} words
 */
function ask(p, key, inside, words) {
  const { ui } = p;
  return html`<button class="ask ${ui.local.why === key ? "on" : ""}" title=${words}
      @click=${() => ui.set({ why: key })}
    @pointerenter=${(/** @type {PointerEvent} */ e) => e.pointerType === "mouse" && ui.set({ why: key })}
    @focus=${() => ui.local.why !== key && ui.set({ why: key })}>${inside}${unseen(words)}</button>`;
}

/** @param {Position} p @param {string} gem */
const rarityWords = (p, gem) => p.ui.t("necklace-why-rarity", { gem, n: p.gem(gem).stones });

/** @param {Position} p @param {string} gem */
const priceWords = (p, gem) =>
  p.ui.t("necklace-why-price", { gem, fashion: p.gem(gem).fashion, rarity: p.gem(gem).rarity, sum: p.gem(gem).price });

/** @param {Position} p @param {string[]} gems @param {number} seat @param {boolean} early */
function line(p, gems, seat, early) {
  const { ui } = p;
  const bankers = p.bankers(p.s.shown[seat]);
  const gift = early ? 0 : p.s.gifts[p.sale][seat];
  const gave = html`<span class="gift" data-key="gift-${seat}"
      title=${ui.t("necklace-gift")}>${icon("queens_necklace")}${ui.signed(gift)}</span>`;
  return html`<tr class="tint-${seat} ${seat === p.me ? "me" : ""}"><th
      scope="row">${ui.shield(seat, "tiny")} ${ui.name(seat)}</th>
    ${gems.map((gem) => html`<td>${cell(p, seat, gem, early)}</td>`)}
    <td class="sum">${bankers ? tiny(p, "banker", bankers) : nothing}${gift ? gave : nothing}${
      early ? nothing : html`<b data-key="sum-${seat}">${ui.number(p.sum(p.sale, seat))}</b>`
    }</td></tr>`;
}

/**
 * What a seat showed of a gem, and what it made.
 * @param {Position} p @param {number} seat @param {string} gem @param {boolean} early
 */
function cell(p, seat, gem, early) {
  const laid = p.laid(p.s.shown[seat], gem);
  const stones = p.s.stones[seat][p.gems.indexOf(gem)];
  const income = early ? 0 : p.income(p.sale, seat, gem);
  const pieces = html`${
    stones ? html`<b>${stones}</b>${stone(gem, "small")}` : nothing
  }${laid.rings ? tiny(p, "ring", laid.rings) : nothing}${
    laid.king ? tiny(p, "king", 1) : nothing
  }${laid.necklace ? tiny(p, "queens_necklace", 1) : nothing}`;
  if (!stones && !laid.rings && !laid.king && !laid.necklace) return html`<span class="dash">–</span>`;
  if (early) return html`<span class="lot" data-key="lot-${seat}-${gem}">${pieces}</span>`;
  return ask(
    p,
    `cell-${seat}-${gem}`,
    html`<span class="lot ${income ? "sells" : ""} ${p.gem(gem).stopped ? "stopped" : ""}"
        data-key="lot-${seat}-${gem}">${pieces}
    ${income ? html`<strong>${p.ui.number(income)}</strong>` : nothing}</span>`,
    cellWords(p, seat, gem),
  );
}

/** @param {Position} p @param {number} seat @param {string} gem */
function cellWords(p, seat, gem) {
  const { ui } = p;
  const { price, changed, why } = p.gem(gem);
  const stones = p.s.stones[seat][p.gems.indexOf(gem)];
  const { rings } = p.laid(p.s.shown[seat], gem);
  const income = p.income(p.sale, seat, gem);
  const turned = p.s.alchemist === seat && changed ? [alchemistWords(p)] : [];
  const bonus = p.facts.bankers[seat];
  const each = bonus ? `(${ui.t("necklace-cell-plus-banker", { price, bonus })})` : String(price);
  const sums = { stones, rings, price: each, sum: income };
  const free = p.gem(gem).void ? [ui.t("necklace-why-void", { gem })] : [];
  const sold = ui.t("necklace-why-sold", { name: ui.name(seat), gem, sum: income });
  /** @type {Record<string, () => string[]>} */
  const words = {
    nothing: () => [ui.t("necklace-cell-stones", { n: 0 })],
    stopped: () => [ui.t("necklace-why-stopped", { gem })],
    worthless: () => [ui.t("necklace-why-worthless", { gem })],
    less: () => [ui.t("necklace-why-less", { name: ui.name(seat), gem })],
    sold: () => [sold, ...free],
    stones: () => [sold, ui.t("necklace-cell-sum", sums), ...free],
    rings: () => [sold, ui.t("necklace-cell-sum-rings", sums), ...free],
  };
  return ui.sentences([...words[why[seat]](), ...turned]);
}

/** @param {Position} p */
export const alchemistWords = (p) =>
  p.ui.t("necklace-why-alchemist", {
    name: p.ui.name(p.s.alchemist),
    card: p.names[p.s.changed],
    gem: p.gems[p.s.into],
  });

/**
 * The origin of the number that was touched, or what else is to be said of this sale.
 * @param {Position} p @param {string[]} gems
 */
function why(p, gems) {
  const { ui } = p;
  const [what, a, b] = (ui.local.why ?? "").split("-");
  if (what === "rarity") return rarityWords(p, a);
  if (what === "price") return priceWords(p, a);
  if (what === "cell") return cellWords(p, Number(a), b);
  if (what === "step") return stepWords(p, gems, a);
  return ui.sentences(remarks(p, gems)) || (p.phase === "alchemist" ? "" : ui.t("necklace-steps"));
}

/** The rule of a step, and what came of it. @param {Position} p @param {string[]} gems @param {string} step */
function stepWords(p, gems, step) {
  const came =
    step === "shown" && p.s.alchemist >= 0
      ? [alchemistWords(p)]
      : step === "sold"
        ? kings(p, gems)
        : step === "gifts"
          ? gifts(p, gems)
          : [];
  return p.ui.sentences([p.ui.t(`necklace-explain-${step}`), ...came]);
}

/**
 * Gems that a king stops, and kings that the necklace makes void.
 * @param {Position} p @param {string[]} gems @returns {string[]}
 */
const kings = (p, gems) =>
  gems.flatMap((gem) =>
    p.gem(gem).stopped
      ? p.ui.t("necklace-why-stopped", { gem })
      : p.gem(gem).void
        ? p.ui.t("necklace-why-void", { gem })
        : [],
  );

/** @param {Position} p @param {string[]} gems @returns {string[]} */
const gifts = (p, gems) =>
  gems.flatMap((gem) => {
    const { wearer, pay } = p.gem(gem);
    return pay.map((seat) => p.ui.t("necklace-why-gift", { name: p.ui.name(seat), wearer: p.ui.name(wearer) }));
  });

/** Nothing shown, the alchemist, kings, gifts. @param {Position} p @param {string[]} gems @returns {string[]} */
export function remarks(p, gems) {
  const { ui } = p;
  const out = [];
  if (!p.seats.some((seat) => p.s.shown[seat].some(Boolean))) out.push(ui.t("necklace-nothing-shown"));
  if (p.s.alchemist >= 0) out.push(alchemistWords(p));
  return p.phase === "alchemist" ? out : [...out, ...kings(p, gems), ...gifts(p, gems)];
}
