/** The buttons of the turn: what the picked dice, or the character in use, will do. */
import { html, nothing } from "lit";
import { faces } from "./position.js";
import { halfUsed, inUse, outcomes } from "./powers.js";

/**
 * @typedef {import("./position.js").Position} Position
 * @typedef {import("../../../web/core/api-types.js").Move} Move
 */
/** @typedef {{text: string, moves?: Move[], click?: () => void, quiet?: boolean}} Act */

/**
 * What is being chosen: the character in use, the picked dice, what may become of them, and which of that.
 * @param {Position} p
 */
export function choosing(p) {
  const { ui } = p;
  const power = inUse(p);
  /** @type {string[]} keys of the picked dice: face and number */
  const keys = (ui.local.picked ?? []).filter(
    (/** @type {string} */ key) => Number(key[2]) < p.s.active[Number(key[0]) - 1],
  );
  const picked = keys.map((key) => Number(key[0]));
  const offers = power ? outcomes(p, power, picked) : [];
  const chosen = offers.length === 1 ? offers[0] : offers[ui.local.choice ?? -1];
  return { power, keys, picked, offers, chosen };
}

/** How the dice meet what is needed when what is chosen is done, as far as that can be known. @param {Position} p */
export function foreseen(p) {
  const { chosen } = choosing(p);
  const after = chosen?.to && p.ui.foreseen(...chosen.moves);
  return (after?.facts ?? p.facts).needs;
}

/** Use no character after all. @param {Position} p */
export const leavePower = ({ ui }) => ui.set({ power: null, picked: [], choice: null });

/** @param {Position} p */
export function buttons(p) {
  const { ui } = p;
  if (!p.mine) {
    return html`<div class="acts"><p class="waiting">${ui.shield(p.seat)}
        ${ui.t("turn-of", { name: ui.name(p.seat) })}</p></div>`;
  }
  const acts = ui.local.passing ? passing(p) : inUse(p) ? powerActs(p) : turnActs(p);
  return html`<div class="acts">${ui.local.passing ? html`<p>${reallyPass(p)}</p>` : nothing}
    ${acts.map(
      ({ text, moves = [], click, quiet }, i) => html`<button class="button ${quiet || i ? "quiet" : "main"}"
      ?disabled=${!click && !moves.length} @click=${click ?? (() => ui.play(...moves))}>${text}</button>`,
    )}</div>`;
}

/** @param {Position} p */
function reallyPass(p) {
  const { ui } = p;
  const claims = ui.can("claim").map((move) => p.called(move.args.card));
  return claims.length ? ui.t("petition-confirm-pass", { cards: ui.list(claims) }) : ui.t("petition-confirm-concede");
}

/** @param {Position} p @returns {Act[]} */
function passing({ ui }) {
  const [move] = [...ui.can("pass"), ...ui.can("concede")];
  if (!move) return [];
  return [
    { text: ui.order(move), moves: [move], quiet: true },
    { text: ui.t("cancel"), click: () => ui.set({ passing: false }) },
  ];
}

/**
 * To claim nothing, or not to roll: asked again where something would be given up.
 * @param {Position} p @returns {Act[]}
 */
function leaving({ ui }) {
  const ask = ui.can("claim").length > 0 || ui.can("concede").length > 0;
  return [...ui.can("pass"), ...ui.can("concede")].map((move) => ({
    text: ui.order(move),
    moves: [move],
    click: ask ? () => ui.set({ passing: true }) : undefined,
    quiet: true,
  }));
}

/** The buttons of an ordinary decision, the likeliest first. @param {Position} p @returns {Act[]} */
function turnActs(p) {
  const { ui, s } = p;
  const all = faces(s.active);
  const [roll] = ui.can("roll");
  if (p.phase === "claiming") return leaving(p);
  if (p.phase === "before")
    return [{ text: ui.t("petition-roll", { n: s.rolling }), moves: roll && [roll] }, ...leaving(p)];
  if (!all.length) return ui.can("finish").map((move) => ({ text: ui.order(move), moves: [move] }));
  const { picked } = choosing(p);
  const finish = keepAll(p, all);
  const keep = keepSome(p, picked);
  if (picked.length && picked.length < all.length) {
    const text = ui.t("petition-keep-roll", { n: picked.length, rest: all.length - picked.length });
    return [{ text, moves: [...keep.moves, ui.move("roll")] }, keep, finish];
  }
  if (picked.length) return canAdd(p) ? [finish, keep] : [finish];
  if (roll) return [{ text: ui.t("petition-roll", { n: all.length }), moves: [roll] }, finish];
  return [{ text: ui.t("petition-keep-roll-none") }, finish];
}

/** Could a die still be added? Then the turn does not end by itself when all dice are kept. @param {Position} p */
const canAdd = (p) => p.facts.adding === 1;

/** @param {Position} p @param {number[]} all */
function keepAll(p, all) {
  const { ui } = p;
  const moves = all.map((face) => ui.move("keep", { face }));
  return {
    text: ui.t("petition-keep-finish", { n: all.length }),
    moves: canAdd(p) ? [...moves, ui.move("finish")] : moves,
  };
}

/** @param {Position} p @param {number[]} picked */
const keepSome = ({ ui }, picked) => ({
  text: ui.t("petition-keep-these", { n: picked.length }),
  moves: picked.map((face) => ui.move("keep", { face })),
});

/** The buttons while a character is used. @param {Position} p @returns {Act[]} */
function powerActs(p) {
  const { ui } = p;
  const { chosen } = choosing(p);
  if (p.phase === "turning")
    return ui.can("turn").map((move) => ({ text: ui.order(move), moves: [move], quiet: true }));
  const use = { text: powerText(p), moves: chosen?.moves };
  return halfUsed(p) ? [use] : [use, { text: ui.t("cancel"), click: () => leavePower(p) }];
}

/** @param {Position} p */
function powerText(p) {
  const { ui } = p;
  const { power, picked, chosen } = choosing(p);
  if (power === "merchant" && chosen)
    return ui.t("petition-use-merchant", { n: picked.length + faces(p.s.taken).length });
  const simple = ["fool", "maid", "magician", "astronomer", "queen"].includes(power ?? "");
  if (simple && chosen) return ui.order(chosen.moves[0]);
  return ui.t("petition-use", { name: p.called(power ?? "") });
}
