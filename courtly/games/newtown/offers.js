/**
 * What can be built here now: every house with its picture and the points it would bring, and the laying of its blocks.
 */
import { html, nothing } from "lit";
import { unseen } from "../../web/unseen.js";
import { action, cardUses, svgGem } from "./dice.js";
import { pack } from "./packing.js";
import { block, floors, picture } from "./pictures.js";
import { carving } from "./original.js";
import { boxOf, cubesOf, KING } from "./position.js";

/**
 * @typedef {import("./position.js").Position} Position @typedef {import("./position.js").House} House
 * @typedef {import("./position.js").Stage} Stage
 * @typedef {import("../../web/types.js").Move} Move
 */

/** @param {Position} p */
export function building(p) {
  const { ui, s } = p;
  const land = s.craftsman[p.seat];
  const news = ui.can("build");
  const extensions = [...ui.can("extend"), ...ui.can("take_over")];
  const count = news.length + extensions.length;
  const chosen = selected(p);
  const lost = s.ruleset && !p.opened(p.seat).includes(land);
  const groups = p.housesOn(land).map(({ owner, form, which }) => ({
    title: ui.t(owner === p.seat ? "newtown-extend-own" : "newtown-take-over", { name: ui.name(owner), form }),
    moves: extensions.filter((move) => move.args.which === ["first", "second"][which]),
  }));
  return html`${count ? nothing : html`<p>${ui.t(lost ? "newtown-elsewhere" : "newtown-nothing-fits")}</p>`}
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

/**
 * The stages of what a move would build, with some blocks that fit.
 * @param {Position} p @param {Move} move @returns {Stage[]}
 */
function planned(p, move) {
  const old = standing(p, move);
  const form = move.args.form;
  const { penthouse, box } = boxOf(form);
  const plain = form.replace("p", "");
  const hand = p.hand(p.seat);
  const stages = old ? [...old.stages] : [];
  const before = old ? boxOf(old.form).box : null;
  if (!old || old.form !== plain) {
    const key = payment(p, hand, before, box, cubesOf(plain) - (old ? cubesOf(old.form) : 0), penthouse ? 4 : 0, 0);
    if (key === null) return stages;
    stages.push({ form: plain, key });
    for (const size of p.blocks(key)) hand.splice(hand.indexOf(size), 1);
  }
  if (penthouse) {
    const key = payment(p, hand, null, [2, 2, 1], 4, 0, 0);
    if (key !== null) stages.push({ form, key });
  }
  return stages;
}

/** @param {Position} p @param {Move} move @returns {House | null} */
const standing = (p, move) =>
  move.verb !== "build" ? p.house(p.s.craftsman[p.seat] * 2 + (move.args.which === "first" ? 0 : 1)) : null;

/**
 * The first multiset of blocks in hand, large ones first, that fills the room.
 * @param {Position} p @param {number[]} hand @param {[number, number, number] | null} old
 * @param {[number, number, number]} box @param {number} room
 * @param {number} spare cubes that must be left to form of blocks in hand
 * @param {number} laid the key of blocks that lie there already @returns {number | null} the key of all
 */
function payment(p, hand, old, box, room, spare, laid) {
  /** @param {number} from @param {number} rest @param {number} key @returns {number | null} */
  const search = (from, rest, key) => {
    if (rest === 0)
      return (!spare || leaves(hand, p.blocks(key - laid), spare)) && pack(old, box, key, p.box.blocks) ? key : null;
    for (let i = from; i < hand.length; i++) {
      if (hand[i] > rest || (i > from && hand[i] === hand[i - 1])) continue;
      const found = search(i + 1, rest - hand[i], key + 2 ** (5 * hand[i] - 5));
      if (found !== null) return found;
    }
    return null;
  };
  return search(0, room, laid);
}

/** @param {number[]} hand @param {number[]} gone @param {number} spare */
function leaves(hand, gone, spare) {
  const rest = [...hand];
  for (const size of gone) rest.splice(rest.indexOf(size), 1);
  return rest.reduce((sums, size) => sums.flatMap((sum) => [sum, sum + size]), [0]).includes(spare);
}

/** @param {Position} p @param {Move} move @param {boolean} chosen */
function offer(p, move, chosen) {
  const { ui } = p;
  const sum = p.points(move).reduce((total, [, points]) => total + points, 0);
  return html`<li><button class="offer ${chosen ? "chosen" : ""}" aria-pressed=${chosen}
      @click=${() => ui.set({ offer: chosen ? null : move.id })}>
    ${picture(p, planned(p, move), p.seat)}${unseen(`${ui.order(move)} ${ui.t("newtown-points", { n: sum })}`)}
      <span class="name" aria-hidden="true">${ui.t(`newtown-form-${move.args.form}`)}</span>
      <span class="size" aria-hidden="true">${move.args.form.replaceAll("x", "×").replace("p", " +")}</span>
      <b class="plus" aria-hidden="true">+${sum}</b></button></li>`;
}

/** What the chosen offer brings, line by line, and the button that builds it. @param {Position} p @param {Move} move */
function confirm(p, move) {
  const { ui, s } = p;
  const old = standing(p, move);
  const taken = old && old.owner !== p.seat;
  const land = s.craftsman[p.seat];
  const others =
    move.verb === "build" ? p.seats.filter((seat) => seat !== p.seat && s.gain[seat][0] + s.gain[seat][1]) : [];
  return html`<div class="confirm"><header><h3>${ui.t(
    `newtown-form-${move.args.form}`,
  )}</h3>${floors(p, planned(p, move))}</header>
    <dl>${p
      .points(move)
      .map(([source, points]) => html`<div><dt>${ui.t(`newtown-source-${source}`)}</dt><dd>+${points}</dd></div>`)}
      ${others.map(
        (seat) => html`<div class="other"><dt>${ui.t("newtown-patterns-to", { name: ui.name(seat) })}</dt>
        <dd>+${s.gain[seat][0] + s.gain[seat][1]}</dd></div>`,
      )}</dl>
    <p class="also">${[
      ui.t("newtown-persons", { n: p.base(move.args.form) }),
      !old && s.resident_shown && ui.t("newtown-then-resident"),
      taken && ui.t("newtown-then-take-over", { name: ui.name(old.owner) }),
      !old && land === KING && ui.t("newtown-then-gems", { n: p.box.king.gems[s.houses[land]] }),
    ]
      .filter(Boolean)
      .join(ui.t("newtown-space"))}</p>
    <div class="acts">${action(p, move, ui.t(`newtown-confirm-${move.verb}`))}
      <button class="button quiet back"
          @click=${() => ui.set({ offer: null })}>${ui.t("newtown-back")}</button></div></div>`;
}

/** Laying blocks where they can be chosen: the house as far as it has been packed. @param {Position} p */
export function laying(p) {
  const { ui, s } = p;
  const hand = p.hand(p.seat).filter((size) => size <= s.top + 1);
  const attic = s.attic === 2;
  const form = p.forms[s.plan];
  const old = s.before && !attic ? boxOf(p.forms[s.before - 1]).box : null;
  const box = boxOf(attic ? "2x2x1" : form).box;
  const key = payment(p, hand, old, box, s.room, s.attic === 1 ? 4 : 0, s.laid) ?? s.laid;
  const stages = [...p.house(s.house).stages, { form: attic ? form : form.replace("p", ""), key }];
  return html`<div class="laying"><p>${ui.t("newtown-lay-help", {
    form,
    n: s.room,
  })}</p>${floors(p, stages, p.blocks(key - s.laid))}</div>
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
