/** What came of the turns of the last round, in which nothing is claimed. */

/**
 * @typedef {import("../../../web/core/api-types.js").Cue} Cue
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */
/** @typedef {{count: number, face: number}} Group */

/**
 * Return the best group of the dice kept in a turn: all dice of a result are kept.
 * @param {Cue[]} cues @returns {Group}
 */
function bestKeptGroup(cues) {
  const counts = Array(7).fill(0);
  for (const { verb, args } of cues) if (verb === "keep") counts[Number(args?.face)]++;
  const count = Math.max(...counts);
  return { count, face: counts.lastIndexOf(count) };
}

/** @param {Group} group */
const rank = ({ count, face }) => 10 * count + face;

/**
 * Describe a turn of the last round: its group, and whether that takes the King. "" for other turns, and until it is
 * over.
 * @param {Cue[][]} turns @param {number} at @param {BoardContext} ui
 */
export function headline(turns, at, ui) {
  if (at === turns.length - 1 && !ui.view?.over) return "";
  const isKingTaken = (/** @type {Cue} */ { verb, args }) => verb === "claim" && args?.card === "king";
  const first = turns.findIndex((cues) => cues.some(isKingTaken));
  if (first < 0 || at <= first || isClaiming(turns[at])) return "";
  const queen = turns[first].find(isKingTaken)?.seat;
  let [mark, isTaken] = [rank(bestKeptGroup(turns[first])), false];
  for (const cues of turns.slice(first + 1, at + 1).filter((some) => !isClaiming(some))) {
    const reached = rank(bestKeptGroup(cues));
    isTaken = reached > mark || (reached === mark && seatOf(cues) === queen);
    mark = Math.max(mark, reached);
  }
  const name = ui.playerName(seatOf(turns[at]));
  return ui.t("petition-turn-result", { name, ...bestKeptGroup(turns[at]), king: isTaken ? "yes" : "no" });
}

/** Return whether something was claimed or given up at the end of a turn. @param {Cue[]} cues */
const isClaiming = (cues) => cues.some(({ verb }) => ["claim", "pass", "concede"].includes(verb));

/** @param {Cue[]} cues */
const seatOf = (cues) => cues.find(({ seat }) => seat >= 0)?.seat ?? -1;
