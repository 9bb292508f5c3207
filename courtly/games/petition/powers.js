/**
 * Using a character: first the dice are chosen, then what they become, then all of it is sent at once.
 * What has been chosen lies in `ui.local`: `power` the character, `picked` the dice (keys of active dice), `choice` which outcome.
 */
import { faces } from "./position.js";

/** @typedef {import("../../web/types.js").Move} Move @typedef {import("../../web/ui.js").Ui} Ui */
/** @typedef {import("./position.js").Position} Position */
/** @typedef {{to: number[] | null, moves: Move[]}} Outcome new faces of the picked dice (null: rolled again), and the moves */

const HALF_USED = ["merchant", "noblewoman", "nobleman", "alchemist", "turning"];

/** @type {Record<string, number>} the most dice a power takes */
const DICE = { fool: 1, maid: 1, astronomer: 1, magician: 1, philosopher: 2, alchemist: 3, queen: 0 };

/** Moves that begin the use of a character. @param {string} card @param {Ui} ui */
export const uses = (card, ui) => (card in ui.about.moves ? ui.can(card) : ui.can("add", { card }));

/** The character being used: chosen here, or begun before. @param {Position} p @returns {string | null} */
export function inUse(p) {
  if (!p.mine) return null;
  if (HALF_USED.includes(p.phase)) return p.phase === "turning" ? "alchemist" : p.phase;
  return p.ui.local.power ?? null;
}

/** @param {Position} p */
export const halfUsed = (p) => HALF_USED.includes(p.phase);

/** May this face be picked as one more die? @param {Position} p @param {string} card @param {number[]} picked faces @param {number} face */
export function pickable(p, card, picked, face) {
  const { ui } = p;
  if (card === "turning" || p.phase === "turning") return false;
  if (card === "philosopher") {
    const [other] = picked;
    return ui.can(card).some(({ args: { giver, receiver } }) => picked.length
      ? (giver === face && receiver === other) || (receiver === face && giver === other) : giver === face || receiver === face);
  }
  if (card === "alchemist" && picked.length) return true;
  return ui.can(card, { face }).length > 0;
}

/** The most dice that can be picked. @param {Position} p @param {string} card */
export const most = (p, card) => (DICE[card] ?? 99) - (halfUsed(p) ? faces(p.s.taken).length : 0);

/** What the picked dice could become. @param {Position} p @param {string} card @param {number[]} picked @returns {Outcome[]} */
export function outcomes(p, card, picked) {
  const { ui } = p, [face] = picked;
  if (p.phase === "turning") return [];
  if (card === "queen") return ui.can(card).map((move) => ({ to: [move.args.face], moves: [move] }));
  if (card === "alchemist") return alchemy(p, picked);
  if (!picked.length) return halfUsed(p) ? [{ to: [], moves: ui.can("done") }] : [];
  if (card === "fool") return [{ to: null, moves: ui.can(card, { face }) }];
  if (card === "maid") return ui.can(card, { face }).map((move) => ({ to: [face + move.args.plus], moves: [move] }));
  if (card === "astronomer" || card === "magician") return ui.can(card, { face }).map((move) => ({ to: [move.args.to], moves: [move] }));
  if (card === "philosopher") return picked.length < 2 ? [] : shifts(ui, picked);
  const moves = [...picked.map((each) => ui.move(card, { face: each })), ui.move("done")];
  if (card === "merchant") return [{ to: null, moves }];
  const plus = p.characters[card].raise?.[0] ?? 0;
  return [{ to: picked.map((each) => each + plus), moves }];
}

/** Either die may give to the other; ways to the same dice are one. @param {Ui} ui @param {number[]} picked @returns {Outcome[]} */
function shifts(ui, [a, b]) {
  const from = (/** @type {number} */ giver, /** @type {number} */ receiver, /** @type {1 | -1} */ sign) =>
    ui.can("philosopher", { giver, receiver }).map((move) => {
      const pips = sign * move.args.pips;
      return { to: [a - pips, b + pips], moves: [move] };
    });
  const dice = (/** @type {number[]} */ list) => String([...list].sort());
  const seen = new Set([dice([a, b])]);
  return [...from(a, b, 1), ...from(b, a, -1)].filter(({ to }) => !seen.has(dice(to)) && seen.add(dice(to)));
}

/** New faces with the same sum, each set of faces once. @param {Position} p @param {number[]} picked @returns {Outcome[]} */
function alchemy(p, picked) {
  const all = [...faces(p.s.taken), ...picked].sort();
  if (all.length < 2) return [];
  const sum = all.reduce((a, b) => a + b), { ui } = p;
  const take = picked.map((face) => ui.move("alchemist", { face }));
  return ascending(all.length, sum).filter((to) => String(to) !== String(all))
    .map((to) => ({ to, moves: [...take, ...to.map((face) => ui.move("turn", { face }))] }));
}

/**
 * All ascending lists of faces of this length and sum.
 * @param {number} length @param {number} sum @param {number} from @returns {number[][]}
 */
function ascending(length, sum, from = 1) {
  if (!length) return sum ? [] : [[]];
  return [1, 2, 3, 4, 5, 6].filter((face) => face >= from && face * length <= sum)
    .flatMap((face) => ascending(length - 1, sum - face, face).map((rest) => [face, ...rest]));
}
