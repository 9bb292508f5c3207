/**
 * Using a character: first the dice are chosen, then what they become, then all of it is sent at once. What has been
 * chosen lies in `ui.local`: `power` the character, `picked` the dice (keys of active dice), `choice` which outcome.
 */
import { counts, faces } from "./position.js";

/** @typedef {import("../../../web/types.js").Move} Move @typedef {import("../../../web/ui.js").Ui} Ui */
/** @typedef {import("./position.js").Position} Position */
/**
 * @typedef {{to: number[] | null, moves: Move[]}} Outcome new faces of the picked dice (null: rolled again), and the
 *   moves
 */

/** Does it do something when its player wants it to? @param {string} card @param {Ui} ui */
export const powerful = (card, { about: { moves } }) => card in moves || moves.add.args.card.values.includes(card);

/** Moves that begin the use of a character. @param {string} card @param {Ui} ui */
export const uses = (card, ui) => (card in ui.about.moves ? ui.can(card) : ui.can("add", { card }));

/** The character being used: chosen here, or begun before. @param {Position} p @returns {string | null} */
export function inUse(p) {
  if (!p.mine) return null;
  return p.cards[p.facts.using] ?? p.ui.local.power ?? null;
}

/** Has one been begun, and not ended? @param {Position} p */
export const halfUsed = (p) => p.facts.using >= 0;

/**
 * May this face be picked as one more die?
 * @param {Position} p @param {string} card @param {number[]} picked faces @param {number} face
 */
export function pickable(p, card, picked, face) {
  const { ui } = p;
  if (card === "alchemist") return p.phase !== "turning" && lots(p, [...picked, face], true).length > 0;
  if (card === "philosopher") {
    const [other] = picked;
    return ui
      .can(card)
      .some(({ args: { giver, receiver } }) =>
        picked.length
          ? (giver === face && receiver === other) || (receiver === face && giver === other)
          : giver === face || receiver === face,
      );
  }
  return ui.can(card, { face }).length > 0;
}

/** The most dice that can be picked. @param {Position} p @param {string} card @returns {number} */
export const most = (p, card) => p.facts.takes?.[p.cards.indexOf(card)] ?? 0;

/**
 * What the dice named in a move become; null: they are rolled again.
 * @param {Position} p @param {Move | undefined} move @returns {number[] | null}
 */
const becomes = (p, move) => p.facts.become[p.view.legal.findIndex(({ id }) => id === move?.id)] ?? null;

/**
 * What the picked dice could become.
 * @param {Position} p @param {string} card @param {number[]} picked @returns {Outcome[]}
 */
export function outcomes(p, card, picked) {
  const { ui } = p;
  const [face] = picked;
  if (p.phase === "turning") return [];
  const single = (/** @type {Move[]} */ moves) => moves.map((move) => ({ to: becomes(p, move), moves: [move] }));
  if (card === "queen") return single(ui.can(card));
  if (card === "alchemist") return alchemy(p, picked);
  if (!picked.length) return halfUsed(p) ? [{ to: [], moves: ui.can("done") }] : [];
  if (card === "philosopher") return picked.length < 2 ? [] : shifts(p, picked);
  if (p.characters[card].dice) return single(ui.can(card, { face }));
  const to = picked.map((each) => becomes(p, ui.can(card, { face: each })[0]));
  const moves = [...picked.map((each) => ui.move(card, { face: each })), ui.move("done")];
  return [{ to: to[0] && to.flatMap((faces) => faces ?? []), moves }];
}

/**
 * Either die may give to the other; ways to the same dice are one.
 * @param {Position} p @param {number[]} picked @returns {Outcome[]}
 */
function shifts(p, [a, b]) {
  const from = (/** @type {number} */ giver, /** @type {number} */ receiver) =>
    p.ui.can("philosopher", { giver, receiver }).map((move) => ({ to: becomes(p, move) ?? [], moves: [move] }));
  const there = from(a, b);
  const back = from(b, a).map(({ to, moves }) => ({ to: [...to].reverse(), moves }));
  const dice = (/** @type {number[]} */ list) => String([...list].sort((one, other) => one - other));
  const seen = new Set();
  return [...there, ...back].filter(({ to }) => !seen.has(dice(to)) && seen.add(dice(to)));
}

/**
 * The sets of dice that the alchemist can work with, and their other faces: of the picked dice and those he has.
 * @param {Position} p @param {number[]} picked @param {boolean} more may there be others in the set?
 * @returns {[number[], number[][]][]}
 */
function lots(p, picked, more) {
  const wanted = counts([...faces(p.s.taken), ...picked]);
  return (p.facts.turned ?? []).filter((/** @type {[number[], number[][]]} */ [dice]) =>
    counts(dice).every((n, i) => n === wanted[i] || (more && n > wanted[i])),
  );
}

/** What the alchemist makes of them. @param {Position} p @param {number[]} picked @returns {Outcome[]} */
function alchemy(p, picked) {
  const { ui } = p;
  const take = picked.map((face) => ui.move("alchemist", { face }));
  return lots(p, picked, false).flatMap(([, ways]) =>
    ways.map((to) => ({ to, moves: [...take, ...to.map((face) => ui.move("turn", { face }))] })),
  );
}
