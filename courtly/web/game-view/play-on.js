/** Playing on from a position of a past game: on this device, against bots, with new chance. */
import { html, nothing } from "lit";
import { renderUiIcon } from "../board-sdk/ui-icons.js";
import { openConfirmDialog, showError } from "../components/dialogs.js";
import { randomHex } from "../core/http-client.js";
import { t } from "../core/i18n.js";
import { GO_ON_URL, IS_OFFLINE } from "../core/page-address.js";
import { isPanelDrawer } from "../core/user-settings.js";
import { GameWorkerClient } from "../local/game-worker-client.js";
import { gameOfAddress, identifyRecord, loadGame, readStoredGame, saveGame } from "../local/stored-game.js";
import { fetchRecord } from "./game-review.js";
import { momentAddress } from "./replay/viewpoint.js";

/** @typedef {import("./game-view.js").GameView} GameView @typedef {import("./replay/replay.js").Replay} Replay */

/**
 * Whether this device can play the game, and may know all of it: not while it is played.
 * @param {GameView} table
 */
const canPlayOn = ({ about, info, replay }) =>
  about.bots.length > 0 &&
  (IS_OFFLINE || about.help_available) &&
  ((replay?.info ?? info).status === "over" || replay?.returnToGame === undefined);

/**
 * Render the button that plays on from a decision.
 * @param {GameView} table @param {number} ply of the decision
 * @param {number | undefined} seat that the reader takes; undefined at the end of the game
 * @param {boolean} isLabelled
 */
const renderButton = (table, ply, seat, isLabelled) =>
  html`<button class=${isLabelled ? "button quiet small" : "icon-button"} title=${t("play-on")}
      aria-label=${t("play-on")} ?disabled=${seat === undefined}
      @click=${() => confirmAndPlayOn(table, ply, Number(seat))}>${renderUiIcon("dice")}${
        isLabelled ? html` ${t("play-on")}` : nothing
      }</button>`;

/**
 * Render the button that plays on from a decision of a review.
 * @param {GameView} table @param {import("../core/api-types.js").Decision} decision
 */
export const renderDecisionButton = (table, { ply, seat }) =>
  canPlayOn(table) ? renderButton(table, ply, seat, true) : nothing;

/**
 * Render the button that plays on from the position that a replay shows. The reader takes their own seat if it has to
 * decide there, otherwise the one whose view is shown, otherwise the first that has to.
 * @param {Replay} replay
 */
export function renderPositionButton({ table, view: { ply, pending }, viewpoint, info }) {
  if (!table || ply === null || !canPlayOn(table)) return nothing;
  const ownSeats = info.seats.filter(({ you }) => you).map(({ seat }) => seat);
  const seats = [...ownSeats, ...(typeof viewpoint === "number" ? [viewpoint] : [])];
  const seat = seats.find((one) => pending.includes(one));
  return renderButton(table, ply, seat ?? pending[0], !isPanelDrawer());
}

/**
 * Return the address that shows a decision again as the reader sees it now: in the replay, with its review if that is
 * open. A record that was opened from a file is named by its fragment: the address shows the last one opened. Return
 * undefined if the game has no address.
 * @param {GameView} table @param {number} ply @param {number} seat
 */
async function findAddress({ info, source, replay, panel }, ply, seat) {
  const moment = (/** @type {string} */ path) => momentAddress(path, ply, replay ? replay.viewpoint : seat);
  if (info.id) return moment(`/t/${info.id}`) + (!replay || panel === "review" ? "&review" : "");
  return source.leave ? undefined : `${moment("/replay")}#${identifyRecord((await source.exportRecord?.()) ?? "")}`;
}

/**
 * Play on; ask before if a stored game would be lost that is not itself a try at the same game.
 * @param {GameView} table @param {number} ply @param {number} seat
 */
async function confirmAndPlayOn(table, ply, seat) {
  const address = await findAddress(table, ply, seat);
  const stored = loadGame();
  const before = readStoredGame(stored).address;
  if (!stored || (before && address && gameOfAddress(before) === gameOfAddress(address)))
    return playOn(table, ply, seat, address);
  openConfirmDialog(
    () => t("play-on-instead"),
    () => t("play-on"),
    () => playOn(table, ply, seat, address),
  );
}

/** @param {GameView} table @param {number} ply @param {number} seat @param {string} [address] of the decision */
async function playOn(table, ply, seat, address) {
  const { game, seats } = table.replay?.info ?? table.info;
  const worker = new GameWorkerClient();
  try {
    const occupants = seats.map(({ bot, name }) => ({ bot, name }));
    await worker.call("play_on", game, await fetchRecord(table), ply, seat, occupants, randomHex(32), address);
    if (saveGame(await worker.call("text"))) location.href = GO_ON_URL;
    else showError({ id: "error-not-kept" });
  } catch (error) {
    showError(error);
  } finally {
    worker.close();
  }
}
