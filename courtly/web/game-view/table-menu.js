/** The menu of a table: language, colour scheme, speed, links, leaving. */
import { html, nothing } from "lit";
import { renderHelpConsent } from "./hints.js";
import { renderColourPicker } from "../components/seat-color-picker.js";
import { openConfirmDialog, openDialog } from "../components/dialogs.js";
import { openLinkDialog } from "../components/qr-code.js";
import { openVerification } from "./verify-chance.js";
import { renderPreferences } from "../components/preferences-panel.js";
import { openNotificationSettings } from "../components/notification-settings.js";
import { renderCredits } from "../components/rules/rules.js";
import { openHelp } from "./shortcuts.js";
import { renderMuteSwitch } from "./chat.js";
import { t } from "../core/i18n.js";
import { renderInviteLink } from "./pre-game.js";
import { storeReclaimToken } from "./reclaim-seat.js";

/** @typedef {import("./game-view.js").GameView} GameView */

/** @param {GameView} table */
export function openMenu(table) {
  const isHosted = table.info.id !== ""; // otherwise no other player can join
  openDialog(
    "menu",
    () => t("menu"),
    (close) => html`
    ${renderPreferences()}
    ${
      isHosted
        ? [
            renderColourPicker(table),
            renderHelpConsent(table),
            renderMuteSwitch(table),
            renderInviteLink(table.info.id),
          ]
        : nothing
    }
    <div class="buttons">
      ${(isHosted ? table.mySeats : []).map(
        (seat) => html`<button class="button quiet"
          @click=${() => openSeatTicket(table, seat.seat)}>${t("other-device", {
            name: table.ui.playerName(seat.seat),
          })}</button>`,
      )}
      ${
        isHosted
          ? html`<button class="button quiet"
        @click=${openNotificationSettings}>${t("notifications")}</button>`
          : nothing
      }
      ${
        table.source.fromAddress
          ? html`<a class="button quiet" href=${table.source.fromAddress}>${t("played-on-back")}</a>`
          : nothing
      }
      <button class="button quiet" @click=${openHelp}>${t("help")}</button>
      ${
        isHosted
          ? html`<button class="button quiet"
        @click=${() => openVerification(table)}>${t("prove-chance")}</button>`
          : nothing
      }
      ${
        isHosted && table.mySeats.length && table.info.status === "playing"
          ? html`<button class="button quiet" @click=${() => {
              close();
              confirmLeave(table);
            }}>${t("leave-table")}</button>`
          : nothing
      }
    </div>
    ${renderCredits(table.about)}`,
  );
}

/** @param {GameView} table */
function confirmLeave(table) {
  openConfirmDialog(
    () => t("leave-question"),
    () => t("leave-table"),
    async () => {
      if (await table.postCommand("leave")) location.href = "/";
    },
  );
}

/** @param {GameView} table @param {number} seat */
async function openSeatTicket(table, seat) {
  const answer = await table.postCommand("seat-link", { seat });
  if (!answer) return;
  storeReclaimToken(table, seat, answer.reclaim_token);
  const name = table.ui.playerName(seat);
  await openLinkDialog(
    () => t("other-device", { name }),
    () => t("ticket-help"),
    answer.path,
  );
}
