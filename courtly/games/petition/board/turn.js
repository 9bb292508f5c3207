/** The buttons of a turn: actions for the picked dice or the character in use. */
import { html, nothing } from "lit";
import { expandFaces } from "./position.js";
import { isPowerBegun, powerInUse, listOutcomes } from "./powers.js";

/**
 * @typedef {import("./position.js").Position} Position
 * @typedef {import("../../../web/core/api-types.js").Move} Move
 */
/** @typedef {{text: string, moves?: Move[], click?: () => void, quiet?: boolean}} TurnAction */

/**
 * Return the current choice: the character in use, the picked dice, the possible outcomes and the selected one.
 * @param {Position} p
 */
export function currentChoice(p) {
  const { ui } = p;
  const power = powerInUse(p);
  /** @type {string[]} keys of the picked dice */
  const keys = (ui.local.picked ?? []).filter(
    (/** @type {string} */ key) => Number(key[2]) < p.state.active[Number(key[0]) - 1],
  );
  const picked = keys.map((key) => Number(key[0]));
  const offers = power ? listOutcomes(p, power, picked) : [];
  const chosen = offers.length === 1 ? offers[0] : offers[ui.local.choice ?? -1];
  return { power, keys, picked, offers, chosen };
}

/** Return how far requirements will be met after the selected action, if that is known. @param {Position} p */
export function previewedNeeds(p) {
  const { chosen } = currentChoice(p);
  const after = chosen?.to.length ? p.ui.preview(...chosen.moves) : null;
  return (after?.facts ?? p.facts).needs;
}

/** Cancel the use of a character. @param {Position} p */
export const cancelPower = ({ ui }) => ui.setLocal({ power: null, picked: [], choice: null });

/** @param {Position} p */
export function renderButtons(p) {
  const { ui } = p;
  if (!p.canAct) {
    return html`<div class="acts"><p class="waiting">${ui.renderShield(p.seat)}
        ${ui.t("turn-of", { name: ui.playerName(p.seat) })}</p></div>`;
  }
  const acts = ui.local.passing ? passConfirmation(p) : powerInUse(p) ? powerActions(p) : turnActions(p);
  return html`<div class="acts">${ui.local.passing ? html`<p>${passQuestion(p)}</p>` : nothing}
    ${acts.map(
      ({ text, moves = [], click, quiet }, i) => html`<button class="button ${quiet || i ? "quiet" : "main"}"
      ?disabled=${!click && !moves.length} @click=${click ?? (() => ui.play(...moves))}>${text}</button>`,
    )}</div>`;
}

/** @param {Position} p */
function passQuestion(p) {
  const { ui } = p;
  const claims = ui.legalMoves("claim").map((move) => p.cardName(move.args.card));
  return claims.length
    ? ui.t("petition-confirm-pass", { cards: ui.formatList(claims) })
    : ui.t("petition-confirm-concede");
}

/** @param {Position} p @returns {TurnAction[]} */
function passConfirmation({ ui }) {
  const [move] = [...ui.legalMoves("pass"), ...ui.legalMoves("concede")];
  if (!move) return [];
  return [
    { text: ui.moveText(move), moves: [move], quiet: true },
    { text: ui.t("cancel"), click: () => ui.setLocal({ passing: false }) },
  ];
}

/**
 * Return the actions that claim nothing or do not roll. They need confirmation if the player would give something up.
 * @param {Position} p @returns {TurnAction[]}
 */
function passActions({ ui }) {
  const needsConfirmation = ui.legalMoves("claim").length > 0 || ui.legalMoves("concede").length > 0;
  return [...ui.legalMoves("pass"), ...ui.legalMoves("concede")].map((move) => ({
    text: ui.moveText(move),
    moves: [move],
    click: needsConfirmation ? () => ui.setLocal({ passing: true }) : undefined,
    quiet: true,
  }));
}

/** Return the buttons of an ordinary decision, the most likely first. @param {Position} p @returns {TurnAction[]} */
function turnActions(p) {
  const { ui, state } = p;
  const all = expandFaces(state.active);
  const [roll] = ui.legalMoves("roll");
  if (p.phase === "claiming") return passActions(p);
  if (p.phase === "before")
    return [{ text: ui.t("petition-roll", { n: state.rolling }), moves: roll && [roll] }, ...passActions(p)];
  if (!all.length) return ui.legalMoves("finish").map((move) => ({ text: ui.moveText(move), moves: [move] }));
  const { picked } = currentChoice(p);
  const finish = keepAllAction(p, all);
  const keep = keepPickedAction(p, picked);
  if (picked.length && picked.length < all.length) {
    const text = ui.t("petition-keep-roll", { n: picked.length, rest: all.length - picked.length });
    return [{ text, moves: [...keep.moves, ui.findMove("roll")] }, keep, finish];
  }
  if (picked.length) return canAddDie(p) ? [finish, keep] : [finish];
  if (roll) return [{ text: ui.t("petition-roll", { n: all.length }), moves: [roll] }, finish];
  return [{ text: ui.t("petition-keep-roll-none") }, finish];
}

/** Return whether a die could still be added. Then keeping all dice does not end the turn. @param {Position} p */
const canAddDie = (p) => p.facts.adding === 1;

/** @param {Position} p @param {number[]} all */
function keepAllAction(p, all) {
  const { ui } = p;
  const moves = all.map((face) => ui.findMove("keep", { face }));
  return {
    text: ui.t("petition-keep-finish", { n: all.length }),
    moves: canAddDie(p) ? [...moves, ui.findMove("finish")] : moves,
  };
}

/** @param {Position} p @param {number[]} picked */
const keepPickedAction = ({ ui }, picked) => ({
  text: ui.t("petition-keep-these", { n: picked.length }),
  moves: picked.map((face) => ui.findMove("keep", { face })),
});

/** Return the buttons while a character is in use. @param {Position} p @returns {TurnAction[]} */
function powerActions(p) {
  const { ui } = p;
  const { chosen } = currentChoice(p);
  if (p.phase === "turning")
    return ui.legalMoves("turn").map((move) => ({ text: ui.moveText(move), moves: [move], quiet: true }));
  const use = { text: powerText(p), moves: chosen?.moves };
  return isPowerBegun(p) ? [use] : [use, { text: ui.t("cancel"), click: () => cancelPower(p) }];
}

/** @param {Position} p */
function powerText(p) {
  const { ui } = p;
  const { power, picked, chosen } = currentChoice(p);
  if (power === "merchant" && chosen)
    return ui.t("petition-use-merchant", { n: picked.length + expandFaces(p.state.taken).length });
  const simple = ["fool", "maid", "magician", "astronomer", "queen"].includes(power ?? "");
  if (simple && chosen) return ui.moveText(chosen.moves[0]);
  return ui.t("petition-use", { name: p.cardName(power ?? "") });
}
