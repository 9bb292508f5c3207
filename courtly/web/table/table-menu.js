/** The menu of a table: language, light, speed, links, leaving. */
import { html, nothing } from "lit";
import { agreement } from "./advice.js";
import { chooser } from "../colours.js";
import { confirm, dialog } from "../dialogs.js";
import { handOver } from "../qr.js";
import { proof } from "./proof.js";
import { preferences } from "../preferences.js";
import { reach } from "../reach.js";
import { credits } from "../rules/rules.js";
import { help } from "./shortcuts.js";
import { hushing } from "./talk.js";
import { t } from "../texts.js";
import { link } from "./waiting.js";
import { keepRecall } from "./recall.js";

/** @typedef {import("./table.js").Table} Table */

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
