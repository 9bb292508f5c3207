/** The menu of a table: language, light, speed, links, leaving. */
import { html, nothing } from "lit";
import { agreement } from "./hints.js";
import { chooser } from "../components/seat-color-picker.js";
import { confirm, dialog } from "../components/dialogs.js";
import { handOver } from "../components/qr-code.js";
import { proof } from "./verify-chance.js";
import { preferences } from "../components/preferences-panel.js";
import { reach } from "../components/notification-settings.js";
import { credits } from "../components/rules/rules.js";
import { help } from "./shortcuts.js";
import { hushing } from "./chat.js";
import { t } from "../core/i18n.js";
import { link } from "./pre-game.js";
import { keepRecall } from "./reclaim-seat.js";

/** @typedef {import("./game-view.js").Table} Table */

/** @param {Table} table */
export function menu(table) {
  const kept = table.info.id !== ""; // or else nobody else can come to it
  dialog(
    "menu",
    () => t("menu"),
    (close) => html`
    ${preferences()}
    ${kept ? [chooser(table), agreement(table), hushing(table), link(table.info.id)] : nothing}
    <div class="buttons">
      ${(kept ? table.mine : []).map(
        (seat) => html`<button class="button quiet"
          @click=${() => ticket(table, seat.seat)}>${t("other-device", { name: table.ui.name(seat.seat) })}</button>`,
      )}
      ${kept ? html`<button class="button quiet" @click=${reach}>${t("reach")}</button>` : nothing}
      <button class="button quiet" @click=${help}>${t("help")}</button>
      ${kept ? html`<button class="button quiet" @click=${() => proof(table)}>${t("prove-dice")}</button>` : nothing}
      ${
        kept && table.mine.length && table.info.status === "playing"
          ? html`<button class="button quiet" @click=${() => {
              close();
              leave(table);
            }}>${t("leave-table")}</button>`
          : nothing
      }
    </div>
    ${credits(table.about)}`,
  );
}

/** @param {Table} table */
function leave(table) {
  confirm(
    () => t("leave-question"),
    () => t("leave-table"),
    async () => {
      if (await table.tell("leave")) location.href = "/";
    },
  );
}

/** @param {Table} table @param {number} seat */
async function ticket(table, seat) {
  const answer = await table.tell("ticket", { seat });
  if (!answer) return;
  keepRecall(table, seat, answer.recall);
  const name = table.ui.name(seat);
  await handOver(
    () => t("other-device", { name }),
    () => t("ticket-help"),
    answer.path,
  );
}
