/** The sentence above the board: whose turn it is, and what to do. */
import { formatError } from "../components/dialogs.js";
import { t } from "../core/i18n.js";

/** @typedef {import("./game-view.js").GameView} GameView */

/** Return whose turn it is and what to do. @param {GameView} table @returns {{text: string, mine: boolean}} */
export function describeStatus(table) {
  const { info, ui, board, handTo, replay, endDisplay, guide } = table;
  const view = ui.view;
  if (info.problem) return { text: formatError(info.problem), mine: false };
  if (handTo !== null) return { text: t("hand-over", { name: ui.playerName(handTo) }), mine: false };
  if (info.status === "waiting" || !view)
    return { text: info.status === "waiting" ? t("waiting-for-players") : "", mine: false };
  // the result itself says the winner, unless it is put aside
  const saysWinner = replay || (endDisplay.isAside && !table.isPlain);
  if (view.over) return { text: saysWinner ? formatWinners(table) : t("game-over"), mine: false };
  if (view.legal.length && info.seats[view.seat ?? -1]?.substitute) return { text: t("substitute-plays"), mine: false };
  if (view.legal.length) return { text: board.prompt?.(view, ui) || t("your-turn"), mine: true };
  if (table.isDecisionHeld) return { text: t("your-turn-held"), mine: true };
  if (guide) return { text: guide.prompt, mine: false };
  if (!view.pending.length) return { text: t("dev-drawn"), mine: false }; // only in the inspector
  if (view.pending.length === 1) return { text: t("turn-of", { name: ui.playerName(view.pending[0]) }), mine: false };
  return {
    text: t("turn-of-several", { names: ui.playerNames(view.pending) }),
    mine: false,
  };
}

/** Return the seat of the only player on this device, or -1. @param {GameView} table */
function findOnlyOwnSeat({ info, replay }) {
  const own = (replay?.info ?? info).seats.filter(({ you }) => you);
  return own.length === 1 ? own[0].seat : -1;
}

/** Say who has won. @param {GameView} table */
function formatWinners(table) {
  const { ui } = table;
  const scores = ui.view?.scores ?? [];
  const best = Math.max(...scores);
  const winners = scores.flatMap((score, seat) => (score === best ? [seat] : []));
  if (winners.length > 1) return t("draw", { names: ui.playerNames(winners) });
  return winners[0] === findOnlyOwnSeat(table) ? t("you-won") : t("won", { name: ui.playerName(winners[0]) });
}

/** Say the result: to its player how they did, to others who has won. @param {GameView} table */
export function formatResult(table) {
  const { scores } = table.ui.view ?? {};
  const me = findOnlyOwnSeat(table);
  const place = 1 + (scores ?? []).filter((score) => score > (scores?.[me] ?? Infinity)).length;
  return place > 1 ? t("you-placed", { place }) : formatWinners(table);
}
