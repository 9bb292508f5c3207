/** What is missing for what the viewer cannot do now, as a sentence; "" if nothing is, or if it is not their turn. */
import { PIECE_BY_CARD } from "./position.js";

/** @typedef {import("./position.js").Position} Position */

const AIMED_CARDS = ["confessor", "forger", "thief"];
const MUSKETEERS_NEEDED = 3;
const SALE_PHASES = ["show", "alchemist"];

/** Return why a card on offer cannot be bought. @param {Position} p @param {import("./position.js").Offer} offer */
export function whyNotBuy({ ui, canAct, phase, state }, { slot, price }) {
  if (!canAct) return "";
  if (SALE_PHASES.includes(phase)) return ui.t("necklace-no-purchase-in-sales");
  if (phase !== "influence" && phase !== "purchase") return ui.t("necklace-refusal-not-now");
  const lacks = price - state.budget;
  if (lacks <= 0 || ui.legalMoves("buy", { slot: slot + 1 }).length) return "";
  return ui.t("necklace-lacks-ducats", { n: lacks });
}

/** Return why a card of the viewer's hand has no use now. @param {Position} p @param {string} card */
export function whyNotUse(p, card) {
  if (!p.canAct) return "";
  const { gem, group } = p.cardInfo(card);
  const isForSale = Boolean(gem) || group === "sale";
  if (p.phase === "show") return p.ui.t(isForSale ? whyNotShow(p, card) : "necklace-not-for-sales");
  if (p.phase === "forger" && gem) return p.ui.t("necklace-refusal-another-gem");
  if (p.phase !== "influence" && p.phase !== "purchase") return "";
  if (isForSale) return p.ui.t("necklace-only-in-sales");
  if (group === "influence")
    return p.ui.t(p.phase === "purchase" ? "necklace-refusal-influence-over" : whyNotInfluence(p, card));
  return card === "musketeer" && p.phase === "influence" ? whyNotMusketeers(p) : "";
}

/** @param {Position} p @param {string} card */
function whyNotInfluence({ me, names, state }, card) {
  const seat = me ?? 0;
  const at = names.indexOf(card);
  const isFresh = state.fresh[seat][at] >= state.hand[seat][at];
  return isFresh || !AIMED_CARDS.includes(card) ? "necklace-refusal-just-taken" : "necklace-no-target";
}

/** @param {Position} p */
function whyNotMusketeers({ ui, me, names, state }) {
  const n = state.hand[me ?? 0][names.indexOf("musketeer")];
  if (n < MUSKETEERS_NEEDED) return ui.t("necklace-lacks-musketeers", { n: MUSKETEERS_NEEDED - n });
  const card = names.indexOf("queens_necklace");
  const isOut = state.necklace >= 0 || state.discard[card] || state.row.includes(card);
  return ui.t(isOut ? "necklace-refusal-no-necklace" : "necklace-refusal-necklace-in-deck");
}

/** Return the message id. @param {Position} p @param {string} card */
function whyNotShow(p, card) {
  const seat = p.me ?? 0;
  const { tray, openly, hand } = p.state;
  const piece = PIECE_BY_CARD[card] ?? card;
  const count = (/** @type {number[]} */ laid) =>
    p.showable.reduce((sum, name, i) => sum + (name === piece || name.startsWith(`${piece}_`) ? laid[i] : 0), 0);
  if (card === "king" && count(tray[seat]) + count(openly[seat])) return "necklace-refusal-one-king";
  if (hand[seat][p.names.indexOf(card)] <= count(tray[seat])) return "necklace-all-laid";
  return p.ui.local.openly ? "necklace-refusal-open-gem-first" : "necklace-refusal-gem-first";
}
