/** The felt: dice in play and dice kept, the powers at hand, and the buttons of the turn. */
import { html, nothing, repeat } from "lit";
import { die } from "../../web/dice.js";
import { crest, names } from "./court.js";
import { bestGroup, counts, faces, FACES } from "./position.js";
import { halfUsed, inUse, most, outcomes, pickable, uses } from "./powers.js";
import { action } from "./court.js";

/** @typedef {import("./position.js").Position} Position @typedef {import("../../web/types.js").Move} Move */
/** @typedef {{text: unknown, moves?: Move[], click?: () => void, quiet?: boolean}} Act */
/** @typedef {{key: string, face: number, picked: boolean, to: number | null | undefined}} Active `to`: its face to be; null: rolled again */

/** What is being chosen: the character in use, the picked faces, its outcomes and the one looked at. @param {Position} p */
export function choosing(p) {
  const { ui } = p, power = inUse(p);
  /** @type {string[]} keys of the picked dice */
  const keys = (ui.local.picked ?? []).filter((/** @type {string} */ key) => Number(key[2]) < p.s.active[Number(key[0]) - 1]);
  const picked = keys.map((key) => Number(key[0]));
  const offers = power ? outcomes(p, power, picked) : [];
  const chosen = offers.length === 1 ? offers[0] : offers[ui.local.choice ?? -1];
  return { power, keys, picked, offers, chosen };
}

/** The dice on the table as they will be when what is chosen is done. @param {Position} p */
export function foreseen(p) {
  const { power, picked, chosen } = choosing(p);
  const after = counts([...faces(p.s.active), ...(chosen?.to && power === "queen" ? chosen.to : [])]);
  if (chosen && power !== "queen") {
    for (const face of picked) after[face - 1]--;
    for (const face of chosen.to?.slice(0, picked.length) ?? []) after[face - 1]++;
  }
  return FACES.map((_, i) => after[i] + p.s.aside[i] + p.s.taken[i]);
}

/** @param {Position} p */
export function felt(p) {
  if (p.over || p.phase === "starting") return html`<section class="felt bare"></section>`;
  const { ui } = p;
  return html`<section class="felt ${p.mine ? "mine" : ""}" aria-label=${ui.t(`petition-phase-${halfUsed(p) ? "power" : p.phase}`)}>
    ${heading(p)}
    ${p.phase === "claiming" && p.mine ? claims(p) : active(p)}
    ${buttons(p)}
    ${tray(p)}
    ${choosing(p).offers.length > 1 ? choices(p) : hand(p)}
  </section>`;
}

/** Round, who began it, what the dice add up to. @param {Position} p */
function heading(p) {
  const { ui, s } = p, sum = p.dice.reduce((total, n, i) => total + n * (i + 1), 0), best = bestGroup(p.dice);
  return html`<p class="heading ${p.crowned ? "crowned" : ""}"><b>${p.final ? ui.t("petition-last-round") : s.round_limit ? ui.t("petition-round-of", { n: s.round, limit: s.round_limit }) : ui.t("petition-round", { n: s.round })}</b>
    <span class="starter">${ui.t("petition-start-player")}: ${ui.shield(s.start, "tiny")} ${ui.name(s.start)}</span>
    ${p.crowned ? html`<span class="goal">${ui.t("petition-mark")}: ${die(s.mark[1], "small")} × ${s.mark[0]}</span>` : nothing}
    ${sum ? html`<span class="sum">${p.final ? html`${ui.t("petition-best")}: ${die(best.face, "small")} × ${best.count}` : ui.t("petition-sum", { n: sum })}</span>` : nothing}</p>`;
}

// --- dice -------------------------------------------------------------------------------------------------------------------------

/** @param {Position} p */
function active(p) {
  const { ui } = p, { power, keys: picked, picked: pickedFaces, chosen } = choosing(p), list = faces(p.s.active);
  const waiting = Array(p.s.rolling).fill(0);
  const taken = faces(p.s.taken), size = dieSize(list.length + waiting.length + taken.length);
  const shown = list.map((face, i) => {
    const key = `${face}-${list.slice(0, i).filter((f) => f === face).length}`, nth = picked.indexOf(key);
    return { key, face, picked: nth >= 0, to: nth >= 0 && chosen && power ? chosen.to && (chosen.to.length === picked.length ? chosen.to[nth] : undefined) : undefined };
  });
  return html`<div class="zone active"><h2>${p.s.rolling ? ui.t("petition-rolling", { n: p.s.rolling }) : ui.t("petition-active")}</h2>
    <div class="dice ${size}" role="group" aria-label=${ui.t("petition-active")}>
      ${repeat(shown, ({ key }) => key, (one) => activeDie(p, one, power, picked, pickedFaces))}
      ${waiting.map((_, i) => html`<span class="slot" data-key="hand-${i}">${die(0, "waiting")}</span>`)}
      ${power === "queen" && chosen?.to ? html`<span class="slot">${die(chosen.to[0], "changed")}<i class="badge plus" aria-hidden="true"></i></span>` : nothing}
      ${taken.length ? html`<span class="taken"><small>${ui.t("petition-taken")}</small>${taken.map((face) => die(face))}</span>` : nothing}
    </div></div>`;
}

/** @param {number} n */
const dieSize = (n) => (n > 14 ? "tiny" : n > 8 ? "small" : n > 6 ? "less" : "");

/** @param {Position} p @param {Active} one @param {string | null} power @param {string[]} keys @param {number[]} picked */
function activeDie(p, { key, face, picked: is, to }, power, keys, picked) {
  const { ui } = p, rest = keys.filter((other) => other !== key);
  const limit = power ? most(p, power) : 99, others = limit === 1 ? [] : rest.map((other) => Number(other[0]));
  const free = is || (power ? (limit === 1 || picked.length < limit) && limit > 0 && pickable(p, power, others, face) : ui.can("keep", { face }).length > 0);
  const drawn = html`${die(to ?? face, to === null ? "again" : to !== undefined && to !== face ? "changed" : "")}${
    to === null ? html`<i class="badge again" aria-hidden="true"></i>` : to !== undefined && to !== face ? html`<i class="badge" aria-hidden="true">${die(face, "small")}</i>` : nothing}`;
  if (!free) return html`<span class="slot" data-key="active-${key}">${drawn}<span class="unseen">${ui.t("petition-die", { face })}</span></span>`;
  return html`<button class="slot ${is ? "picked" : ""}" data-key="active-${key}" aria-pressed=${is} aria-label=${to ? ui.t("petition-die-becomes", { face, to }) : ui.t("petition-die", { face })}
    @click=${() => ui.set({ picked: is ? rest : limit === 1 ? [key] : [...rest, key], choice: null })}>${drawn}</button>`;
}

/** Keys 1 to 6 pick a die with that face, Escape leaves a character. @param {Position} p */
export const keys = (p) => (/** @type {KeyboardEvent} */ event) => {
  if (event.key === "Escape" && p.ui.local.power) p.ui.set({ power: null, picked: [], choice: null });
  const slots = /** @type {Element} */ (event.currentTarget).querySelectorAll(`.active button[data-key^="active-${event.key}-"]:not(.picked)`);
  if (FACES.includes(Number(event.key))) /** @type {HTMLElement | undefined} */ (slots[0])?.click();
};

/** Dice kept. @param {Position} p */
function tray(p) {
  const { ui } = p, list = faces(p.s.aside);
  return html`<div class="zone tray"><h2>${ui.t("petition-aside")}</h2>
    <div class="dice ${dieSize(list.length + 2)}" role="group" aria-label="${ui.t("petition-aside")}: ${list.join(" ") || ui.t("petition-none")}">
      ${list.map((face, i) => html`<span class="slot" data-key="aside-${face}-${list.slice(0, i).filter((f) => f === face).length}">${die(face, "kept")}</span>`)}</div></div>`;
}

// --- characters at hand -----------------------------------------------------------------------------------------------------------

/** The characters of a seat that do something during its turn. @param {Position} p @param {number} seat */
const powersOf = (p, seat) => p.court(seat).filter((card) => card === "queen" || !["start", "royal"].includes(p.characters[card].family));

/** The hand is as high as the biggest court needs, whoever is at turn, so that nothing jumps. @param {Position} p */
function room(p) {
  const biggest = Math.max(...p.seats.map((seat) => powersOf(p, seat).length));
  return biggest > 4 ? "crowd" : biggest ? "" : "none";
}

/** The powers of whoever is at turn: those ready first, those used apart. @param {Position} p */
function hand(p) {
  const { ui } = p, powers = powersOf(p, p.seat);
  const ready = powers.filter((card) => !p.used(card) || inUse(p) === card), used = powers.filter((card) => !ready.includes(card));
  return html`<div class="hand ${room(p)} ${powers.length ? "" : "empty"}" role="group" aria-label=${ui.t("petition-court-of", { name: ui.name(p.seat) })}>
    ${p.mine || !powers.length ? nothing : html`<span class="whose">${ui.t("petition-court-of", { name: ui.name(p.seat) })}</span>`}
    ${ready.map((card) => chip(p, card))}
    ${used.length ? html`<span class="spent"><span class="label">${ui.t("petition-used")}</span>${used.map((card) => chip(p, card))}</span>` : nothing}</div>`;
}

/** In place of the hand while there is a choice: what the picked dice may become. @param {Position} p */
function choices(p) {
  const { ui } = p, { offers, chosen } = choosing(p);
  return html`<div class="hand choices ${room(p)}" role="group" aria-label=${ui.t("petition-choose")}><span class="whose">${ui.t("petition-choose")}</span>
    ${offers.map((offer, i) => html`<button aria-pressed=${offer === chosen} aria-label=${(offer.to ?? []).join(" ")} @click=${() => ui.set({ choice: i })}>
      ${offer.to?.map((face) => die(face, "small"))}</button>`)}</div>`;
}

/** @param {Position} p @param {string} card */
function chip(p, card) {
  const { ui } = p, act = action(p, card), on = inUse(p) === card;
  const inside = html`${crest(p, card)}<b>${ui.t(`petition-card-${card}`)}</b><small>${ui.t(`petition-card-${card}.does`)}</small>`;
  if (!act || halfUsed(p)) return html`<span class="chip ${on ? "on" : ""}" data-key="chip-${card}">${inside}</span>`;
  return html`<button class="chip usable ${on ? "on" : ""}" data-key="chip-${card}" aria-pressed=${card in ui.about.moves ? on : nothing} @click=${act}>${inside}</button>`;
}

/** At the end of the turn: whom the dice win over. @param {Position} p */
function claims(p) {
  const { ui } = p, moves = ui.can("claim");
  return html`<div class="zone active claims"><h2>${ui.t(moves.length ? "petition-prompt-claim" : "petition-prompt-claim-nothing")}</h2>
    <div class="offers">${moves.map((move) => html`<button class="chip usable" aria-label=${ui.order(move)} @click=${() => ui.play(move)}>
      ${crest(p, move.args.card)}<b>${ui.t(`petition-card-${move.args.card}`)}</b></button>`)}</div></div>`;
}

// --- buttons ----------------------------------------------------------------------------------------------------------------------

/** @param {Position} p */
function buttons(p) {
  const { ui } = p;
  if (!p.mine) return html`<div class="acts"><p class="waiting">${ui.shield(p.seat)} ${ui.t("turn-of", { name: ui.name(p.seat) })}</p></div>`;
  const list = ui.local.passing ? passing(p) : inUse(p) ? powerActs(p) : turnActs(p);
  return html`<div class="acts">
    ${ui.local.passing ? html`<p>${ui.can("concede").length ? ui.t("petition-confirm-concede") : ui.t("petition-confirm-pass", { cards: ui.can("claim").map((m) => ui.t(`petition-card-${m.args.card}`)).join(ui.t("list-comma")) })}</p>` : nothing}
    ${list.map(({ text, moves, click, quiet }, i) => html`<button class="button ${quiet || i ? "quiet" : "main"}" ?disabled=${!click && !moves?.length}
      @click=${click ?? (() => ui.play(...(moves ?? [])))}>${text}</button>`)}</div>`;
}

/** @param {Position} p @returns {Act[]} */
function passing({ ui }) {
  const [move] = [...ui.can("pass"), ...ui.can("concede")];
  if (!move) return [];
  return [{ text: ui.order(move), moves: [move], quiet: true }, { text: ui.t("cancel"), click: () => ui.set({ passing: false }) }];
}

/** The buttons of an ordinary decision, the likeliest first. @param {Position} p @returns {Act[]} */
function turnActs(p) {
  const { ui, s } = p, { picked } = choosing(p), all = faces(s.active), [roll] = ui.can("roll");
  const keep = (/** @type {number[]} */ list) => list.map((face) => ui.move("keep", { face }));
  const adders = p.cards.some((card) => ["adds", "royal"].includes(p.characters[card].family) && uses(card, ui).length);
  const leave = [...ui.can("pass"), ...ui.can("concede")].map((move) => ({
    text: ui.order(move), moves: [move], click: move.verb === "pass" && !ui.can("claim").length ? undefined : () => ui.set({ passing: true }), quiet: true,
  }));
  if (p.phase === "claiming") return leave;
  if (p.phase === "before") return [{ text: ui.t("petition-roll", { n: s.rolling }), moves: [roll] }, ...leave];
  if (!all.length) return ui.can("finish").map((move) => ({ text: ui.order(move), moves: [move] }));
  const finish = { text: ui.t("petition-keep-finish", { n: all.length }), moves: [...keep(all), ...(adders ? [ui.move("finish")] : [])] };
  if (picked.length && picked.length < all.length) {
    return [{ text: ui.t("petition-keep-roll", { n: picked.length, rest: all.length - picked.length }), moves: [...keep(picked), ui.move("roll")] },
      { text: ui.t("petition-keep-these", { n: picked.length }), moves: keep(picked) }, finish];
  }
  if (picked.length) return [finish, ...(adders ? [{ text: ui.t("petition-keep-these", { n: picked.length }), moves: keep(picked) }] : [])];
  if (roll) return [{ text: ui.t("petition-roll", { n: all.length }), moves: [roll] }, finish];
  return [{ text: ui.t("petition-keep-roll-none"), moves: [] }, finish];
}

/** The buttons while a character is used. @param {Position} p @returns {Act[]} */
function powerActs(p) {
  const { ui } = p, { power, picked, offers, chosen } = choosing(p);
  if (p.phase === "turning") return ui.can("turn").map((move) => ({ text: ui.order(move), moves: [move], quiet: true }));
  const back = halfUsed(p) ? [] : [{ text: ui.t("cancel"), click: () => ui.set({ power: null, picked: [], choice: null }) }];
  return [{ text: powerText(p, /** @type {string} */ (power), picked, chosen), moves: chosen?.moves ?? [] }, ...back];
}

/** @param {Position} p @param {string} power @param {number[]} picked @param {import("./powers.js").Outcome | undefined} chosen */
function powerText(p, power, picked, chosen) {
  const { ui } = p, card = ui.t(`petition-card-${power}`);
  if (!chosen) return ui.t("petition-use", { name: card });
  if (chosen.moves.length === 1 && ["fool", "maid", "magician", "astronomer", "queen"].includes(power)) return ui.order(chosen.moves[0]);
  if (power === "merchant") return ui.t("petition-use-merchant", { n: picked.length + faces(p.s.taken).length });
  return ui.t("petition-use", { name: card });
}
