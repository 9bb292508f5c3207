/** The reasons for and against a move, as sentences. */
import { formatList, formatSigned, joinSentences, t } from "../core/i18n.js";

/** @typedef {import("../core/api-types.js").Move} Move */

/**
 * @param {import("../board-sdk/board-context.js").BoardContext} ui
 * @param {import("../core/api-types.js").Reason} why
 * @param {boolean} isBest is the move clearly the best? Then the text admits what speaks against it
 * @param {number} others how many moves it is compared with
 */
export function formatReason(ui, { id, args }, isBest, others) {
  const formatAim = (/** @type {{move: Move, percent: number, margin: number}} */ { move, percent, margin }) =>
    t("help-aim", { move: ui.moveText(move), percent, margin });
  const sign = id === "help-at-once" || id === "help-expected";
  const formatCount = (/** @type {{name: string, n: number, text?: string}} */ { name, n, text = `${n}` }) =>
    t(`${ui.about.id}-counted-${name}`, { n: sign ? formatSigned(n) : text, many: Math.abs(n) });
  const reason = t(isBest && id === "help-less" ? "help-although" : id, {
    ...args,
    when: t("help-when", { later: args.later ?? 0 }),
    others: t("help-others", { count: others }),
    ...(args.counted ? { counted: formatList(args.counted.map(formatCount)) } : {}),
    ...("low" in args ? { counted: formatCount({ name: args.name, n: args.high, text: t("help-range", args) }) } : {}),
    ...(args.moves ? { moves: ui.movesText(args.moves) } : {}),
    ...(args.aims ? { aims: formatList(args.aims.map(formatAim)) } : {}),
    ...("seat" in args ? { name: ui.playerName(args.seat) } : {}),
  });
  return args.part ? joinSentences([reason, t("help-part", { part: t(`${ui.about.id}-part-${args.part}`) })]) : reason;
}
