/** Why a place or a card cannot be chosen now, for the player whose turn it is. */

/** @typedef {import("./position.js").Position} Position */

/**
 * Return why no piece can be placed on a target, such as "site-FR5" or "seal-FR"; "" if one can, or if the description
 * of the target says it.
 * @param {Position} p @param {string} target
 */
export function explainTarget(p, target) {
  const { ui, state } = p;
  const [kind, id] = target.split("-");
  if (!p.canAct || kind === "pact") return "";
  if (p.phase === "refilling") return ui.t("cardinal-refusal-refill-first");
  const country = kind === "site" ? p.site(id).country : id;
  if (p.phase === "placing" && country !== p.countryNames[state.country]) return ui.t("cardinal-refusal-same-country");
  const obstacle = kind === "site" ? findObstacleToCloister(p, id) : findObstacleToCardinal(p, id);
  if (obstacle !== null) return obstacle && ui.t(obstacle, { country_name: p.countryName(country) });
  if (p.phase === "placing") return "";
  const payments = p.payments(target);
  if (!payments.length) return ui.t("cardinal-lacks-cards", { colour: p.typeName(p.country(country).card_type) });
  const set = p.selected.length ? p.findSet(p.selected) : null;
  const pays = set && payments.some(({ args }) => args.pair === set.pair && args.single === set.single);
  return p.selected.length && !pays ? ui.t("cardinal-other-cards") : "";
}

/**
 * Return the text id of what keeps a cloister from a site, whatever the cards; "" if the description says it.
 * @param {Position} p @param {string} site
 */
function findObstacleToCloister(p, site) {
  if (p.owner(site) >= 0) return "";
  return p.state.cloisters_left[p.me ?? 0] ? null : "cardinal-refusal-no-cloisters";
}

/** @param {Position} p @param {string} country */
function findObstacleToCardinal(p, country) {
  if (!p.top(country)) return "cardinal-no-cloister-yet";
  if (p.isFull(country)) return "cardinal-refusal-seal-full";
  return p.state.cardinals_left[p.me ?? 0] ? null : "cardinal-refusal-no-cardinals";
}

/** Return why an open card or the deck cannot be taken; "" if it can. @param {Position} p @param {boolean} isEmpty */
export function explainSource(p, isEmpty) {
  if (!p.canAct) return "";
  if (p.phase === "placing") return p.ui.t("cardinal-refusal-place-second");
  if (p.phase === "choosing") return p.ui.t("cardinal-refusal-choose-first");
  return isEmpty ? p.ui.t("cardinal-refusal-no-deck") : "";
}

/** Return why a card of the hand cannot be selected; "" if it can. @param {Position} p */
export function explainHandCard(p) {
  if (!p.canAct || p.phase === "choosing") return "";
  return p.ui.t(p.phase === "placing" ? "cardinal-refusal-place-second" : "cardinal-refusal-refill-first");
}

/** Return why the selected cards cannot be discarded; "" if they can. @param {Position} p */
export function explainDiscard(p) {
  if (p.discardMove) return "";
  return p.ui.t(p.selected.length ? "cardinal-refusal-discard-one" : "cardinal-discard-none");
}
