/** Why a character cannot be claimed or used now: what is missing, in a few words. */
import { countFaces, expandFaces } from "./position.js";
import { isPowerBegun } from "./powers.js";

/** @typedef {import("./position.js").Position} Position */

/**
 * Return why the reader cannot claim a character now, as a sentence, or "" if it can or there is nothing to say.
 * @param {Position} p @param {string} card
 */
export function whyNotClaimed(p, card) {
  const { ui, state } = p;
  if (p.me === null || p.over || card === "queen" || ui.legalMoves("claim", { card }).length) return "";
  const reason = whyNeverThisTurn(p, card);
  if (reason) return ui.t(`petition-refusal-${reason}`);
  if (card === "charlatan") return "";
  if (p.seat !== p.me) return ui.t("petition-refusal-not-your-turn");
  if (state.rolling) return ui.t("petition-refusal-not-rolled-yet");
  return p.isClaimable(card) ? ui.t("petition-reach-keep") : missingDice(p, card);
}

/**
 * Return why no dice win a character for the reader in this turn, or "".
 * @param {Position} p @param {string} card
 */
function whyNeverThisTurn(p, card) {
  const me = p.me ?? -1;
  if (p.isLastRound) return "nothing-claimed-now";
  if (card === "charlatan") return p.ownedCount(me, "fool") ? "" : "needs-fool";
  if (p.ownedCount(me, card)) return card === "fool" ? "has-fool" : "already-owned";
  return p.copiesInGame(card) !== null && !p.copiesInSupply(card) ? "none-left" : "";
}

/**
 * Return whether the reader, who is at turn, has a chance to claim a character in this turn.
 * @param {Position} p @param {string} card
 */
export function isInReach(p, card) {
  if (whyNeverThisTurn(p, card)) return false;
  return ["fool", "charlatan"].includes(card) || p.isClaimable(card) || p.odds(card) > 0;
}

/** Return which dice are missing for a character, as a sentence. @param {Position} p @param {string} card */
function missingDice(p, card) {
  const { ui, facts } = p;
  const { needs } = p.characters[card];
  const { sets, part } = facts.needs[p.cards.indexOf(card)];
  const all = ["active", "aside", "taken"].flatMap((zone) => expandFaces(p.state[zone]));
  if (needs.all) {
    const wrong = sets.flat().filter((/** @type {number} */ face) => face < 0);
    return ui.t(`petition-lacks-${needs.all}`, { faces: listFaces(p, wrong) });
  }
  const neededDice = part === null ? sets.flat().length : Math.ceil(needs.sum / 6);
  if (neededDice > all.length) return ui.t("petition-lacks-dice", { n: neededDice, have: all.length });
  if (part !== null) return ui.t("petition-lacks-sum", { n: needs.sum - facts.sum });
  if (needs.straight)
    return ui.t("petition-lacks-faces", {
      faces: listFaces(
        p,
        sets.flat().filter((/** @type {number} */ face) => face < 0),
      ),
    });
  const groups = sets.flatMap((/** @type {number[]} */ set) => {
    const n = set.filter((face) => face < 0).length;
    if (!n) return [];
    return [n < set.length ? ui.t("petition-lacks-more", { n, face: Math.abs(set[0]) }) : equalDice(p, n)];
  });
  return ui.t("petition-lacks-groups", { groups: ui.formatList(groups) });
}

/** @param {Position} p @param {number} n */
const equalDice = ({ ui }, n) => ui.t("petition-lacks-equal", { n });

/** List faces, each once, negative or not. @param {Position} p @param {number[]} faces */
function listFaces(p, faces) {
  const counts = countFaces(faces.map(Math.abs));
  return p.ui.formatList(counts.flatMap((n, i) => (n ? [p.ui.formatNumber(i + 1)] : [])));
}

/** The highest face that a power can raise. @type {Record<string, number>} */
const HIGHEST_RAISED_FACES = { maid: 5, noblewoman: 5, nobleman: 4 };

/**
 * Return in a few words why the reader cannot use a character now, or "" if it is used or there is nothing to say.
 * @param {Position} p @param {string} card
 */
export function whyNotUsed(p, card) {
  const { ui } = p;
  if (!p.canAct || p.isUsed(card) || isPowerBegun(p) || p.phase === "claiming") return "";
  const reason = missingForPower(p, card);
  return reason && ui.t(`petition-unusable-${reason}`, { face: HIGHEST_RAISED_FACES[card] });
}

/** @param {Position} p @param {string} card */
function missingForPower(p, card) {
  const { state, facts } = p;
  const adds = p.characters[card].adds || card === "queen";
  if (p.phase === "before" && !(adds && state.early_powers)) return "roll";
  if (adds) return facts.free ? "" : "stock";
  const active = expandFaces(state.active);
  if (!active.length) return "active";
  if (card in HIGHEST_RAISED_FACES) return "high";
  if (["alchemist", "philosopher"].includes(card)) return active.length < 2 ? "two" : "same";
  if (card === "astronomer") return expandFaces(state.aside).length ? "same" : "keep";
  return card === "magician" ? "" : "rolled";
}

/**
 * Return why this die cannot be picked for the character in use, as a sentence, or "".
 * @param {Position} p @param {string} power @param {number} face
 */
export function whyNotPicked({ ui }, power, face) {
  const highest = HIGHEST_RAISED_FACES[power];
  if (highest) return face > highest ? ui.t("petition-refusal-too-high") : "";
  if (power === "fool") return ui.t("petition-refusal-only-added");
  return power === "astronomer" ? ui.t("petition-refusal-no-change") : "";
}
