/** Why something on the table cannot be done now, at the player's own turn. */
import { parseForm } from "./position.js";

/** @typedef {import("./position.js").Position} Position @typedef {import("./position.js").House} House */

/** The moves that use a land card of a ground. @type {Record<string, string>} */
const CARD_VERBS = { lawn: "lawn", paved: "plus", brick: "swap", mud: "mud" };

/**
 * Return why the craftsman cannot go to a land, or why nothing can be built there; "" if it is possible.
 * @param {Position} p @param {number} land
 */
export function explainLand(p, land) {
  const { ui, state, phase } = p;
  if (!p.canAct) return "";
  if (phase === "placing" || phase === "aiming") {
    const verb = phase === "placing" ? "go" : "aim";
    if (ui.legalMoves(verb, { land: p.lands[land] }).length) return "";
    return ui.t(land === p.king ? "newtown-refusal-king-dice" : "newtown-refusal-go-total");
  }
  if (phase === "walking") {
    if (state.craftsman[p.seat] === land || ui.legalMoves("walk", { land: p.lands[land] }).length) return "";
    return ui.t(state.craftsman.includes(land) ? "newtown-refusal-taken-land" : "newtown-refusal-too-far");
  }
  if (phase === "acting") return ui.t("newtown-why-dice", { land: p.landName(state.craftsman[p.seat]) });
  if (phase !== "building") return "";
  if (state.craftsman[p.seat] !== land) return ui.t("newtown-why-elsewhere");
  const reasons = [explainNewHouse(p, land), ...p.housesOn(land).map((house) => explainHouse(p, house))];
  return ui.joinSentences(reasons.filter(Boolean));
}

/** @param {Position} p @param {number} land */
function explainNewHouse(p, land) {
  const { ui, state } = p;
  if (p.facts.away || ui.legalMoves("build").length) return "";
  if (!p.facts.free[land]) return ui.t("newtown-refusal-land-full");
  return ui.t(state.roofs[p.seat].some(Boolean) ? "newtown-why-no-new-house" : "newtown-why-no-roofs");
}

/**
 * Return why a house cannot be extended or taken over; "" if it can.
 * @param {Position} p @param {House} house
 */
function explainHouse(p, { owner, form, which }) {
  const { ui, state } = p;
  const isOwn = owner === p.seat;
  const name = ui.about.moves.extend.args.which.values[which];
  if (p.facts.away || ui.legalMoves(isOwn ? "extend" : "take_over", { which: name }).length) return "";
  const label = ui.formatLabelled(ui.playerName(owner), ui.t(`newtown-form-${form}`));
  const reason = parseForm(form).penthouse
    ? ui.t("newtown-refusal-penthouse-closed")
    : ui.t(isOwn || state.gems[p.seat] ? "newtown-why-no-extension" : "newtown-refusal-no-gem");
  return ui.joinParts([label, reason]);
}

/** Return why nothing can be built where the craftsman stands. @param {Position} p */
export const explainNoBuilding = (p) => explainLand(p, p.state.craftsman[p.seat]);

/**
 * Return why a land card cannot be taken, or not be used, or what it is taken with; "" for a card that can be used.
 * @param {Position} p @param {number} card
 */
export function explainCard(p, card) {
  const { ui, state } = p;
  const owner = state.land_owner[card];
  if (!p.canAct) return "";
  if (owner < 0) {
    const isActing = p.phase === "acting";
    if (ui.legalMoves("take", { card: p.lands[card] }).length) return isActing ? ui.t("newtown-card-for-black") : "";
    const isUsed = isActing && state.used[p.seat][p.colours.indexOf("black")];
    return ui.t(isUsed ? "newtown-why-card-black-used" : "newtown-why-card-black");
  }
  if (owner !== ui.me) return "";
  const ground = p.ground(card);
  if (p.readiness(card) === "used") return ui.t("newtown-why-card-used");
  if (p.readiness(card) === "later" || ui.legalMoves(CARD_VERBS[ground]).length) return "";
  return ui.t(`newtown-why-card-${ground}`);
}

/** Return why residents on offer cannot be taken; "" if they can. @param {Position} p @param {string} name */
export function explainResident(p, name) {
  const { ui, state } = p;
  const isOffered = state.resident_row.includes(p.residents.indexOf(name));
  if (!p.canAct || !isOffered || ui.legalMoves("welcome", { resident: name }).length) return "";
  return ui.t("newtown-why-resident");
}
