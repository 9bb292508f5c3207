/** The table before the game: the seats, the link for friends, the game and its options. */
import { html, nothing } from "lit";
import { getDefaultBot } from "../components/bot-picker.js";
import { renderHelpConsent } from "./hints.js";
import { renderColourPicker, getPreferredColour } from "../components/seat-color-picker.js";
import { formatTimeControl, explainTimeControl } from "../components/time-control.js";
import { showError } from "../components/dialogs.js";
import { renderShield } from "../board-sdk/seat-shield.js";
import { renderUiIcon } from "../board-sdk/ui-icons.js";
import { request } from "../core/http-client.js";
import { copyToClipboard, openQrDialog } from "../components/qr-code.js";
import { createPledge } from "../core/number-exchange.js";
import { formatList, t } from "../core/i18n.js";
import { renderReclaimButtons } from "./reclaim-seat.js";
import { playerName } from "../core/player-names.js";

/**
 * @typedef {import("./game-view.js").GameView} GameView @typedef {import("../core/api-types.js").Seat} Seat
 * @typedef {import("../core/api-types.js").TableInfo} TableInfo
 */

let enteredName = "";
request("GET", "/api/me").then(
  (me) => {
    enteredName ||= me.name;
  },
  () => {},
);

/** @param {GameView} table */
export function renderPreGame(table) {
  const { info } = table;
  const hasSeat = table.mySeats.length > 0;
  const isFull = info.seats.every((seat) => seat.kind !== "open");
  const people = hasSeat ? [] : listPeople(info);
  const away = info.seats.filter((seat) => seat.pledge !== null && !info.nonces[seat.seat] && !seat.connected);
  return html`<div class="waiting sheet">
    <h2>${isFull ? t("waiting-numbers") : hasSeat ? t("waiting-for-players") : t("take-a-seat")}</h2>
    ${
      people.length && !isFull
        ? html`<p class="present">${t("waiting-here", {
            count: people.length,
            names: formatList(people.map(playerName)),
          })}</p>`
        : nothing
    }
    ${
      isFull && away.length
        ? html`<p role="status">${t("waiting-away", { names: away.map(playerName).join(", ") })}</p>`
        : nothing
    }
    ${info.redraws ? html`<p role="status">${t("waiting-redrawn", { count: info.redraws })}</p>` : nothing}
    ${
      hasSeat
        ? renderInviteLink(info.id)
        : html`<label class="field">${t("your-name")}
          <input maxlength="24" autocomplete="nickname" placeholder=${t("name-placeholder")} .value=${enteredName}
            @input=${(/** @type {any} */ event) => {
              enteredName = event.target.value;
            }}></label>`
    }
    <ul class="seat-list">${info.seats.map((seat) => renderSeatRow(table, seat, hasSeat))}</ul>
    ${renderReclaimButtons(table)}
    ${renderColourPicker(table)}
    ${renderHelpConsent(table)}
    ${renderOptions(table)}
    ${
      hasSeat
        ? html`<button class="button quiet"
          @click=${() => table.postCommand("leave")}>${t("leave-table")}</button>`
        : nothing
    }
  </div>`;
}

/** @param {GameView} table @param {Seat} seat @param {boolean} seated */
function renderSeatRow(table, seat, seated) {
  const set = (/** @type {string} */ kind) =>
    table.postCommand("seat", {
      seat: seat.seat,
      kind,
      ...(kind === "bot" ? { bot: getDefaultBot(table.about) } : {}),
    });
  return html`<li>${renderShield(seat.seat)}
    <span class="name">${seat.kind === "open" ? t("seat-open") : playerName(seat)}${
      seat.you ? html` <span class="tag">${t("you")}</span>` : nothing
    }
      ${seat.kind === "bot" ? html`<span class="tag">${t(`bot-${seat.bot}`)}</span>` : nothing}</span>
    ${
      seat.kind === "open" && !seated
        ? html`<button class="button"
          @click=${() => takeSeat(table, seat.seat)}>${t("sit-here")}</button>`
        : nothing
    }
    ${
      seat.kind === "open" && table.info.host
        ? html`<button class="button quiet"
          @click=${() => set("bot")}>${t("put-bot")}</button>`
        : nothing
    }
    ${
      seat.kind === "bot" && table.info.host
        ? html`<button class="button quiet"
          @click=${() => set("open")}>${t("make-open")}</button>`
        : nothing
    }
  </li>`;
}

/** @param {GameView} table @param {number} seat */
async function takeSeat(table, seat) {
  try {
    if (enteredName.trim()) await request("PUT", "/api/me", { name: enteredName.trim() });
  } catch (error) {
    return showError(error);
  }
  await table.postCommand("sit", { seat, pledge: createPledge(table.info.id, seat), ...getPreferredColour() });
}

/**
 * Render the link to this table. Without access to the clipboard (plain HTTP on a home network) it can be copied by
 * hand.
 * @param {string} id
 */
export function renderInviteLink(id) {
  const url = `${location.origin}/t/${id}`;
  return html`<div class="link"><label class="field">${t("invite")}
    <input readonly .value=${url} @focus=${(/** @type {any} */ event) => event.target.select()}></label>
    <button class="button" @click=${(/** @type {any} */ event) =>
      copyToClipboard(
        url,
        event.currentTarget.parentElement.querySelector("input"),
      )}>${renderUiIcon("link")} ${t("copy-link")}</button>
    <button class="button quiet" @click=${() => openQrDialog(url)}>${renderUiIcon("qr")} ${t("qr")}</button>
    ${
      /^(localhost|127\.|\[::1\])/.test(location.hostname)
        ? html`<p
          class="quiet">${t("link-only-here")}</p>`
        : nothing
    }</div>`;
}

/** @param {GameView} table */
function renderOptions({ info, about, mySeats }) {
  const options = Object.entries(info.options).filter(([name]) => name in about.options);
  return html`<dl class="options">${options.map(
    ([name, value]) => html`<div><dt>${t(`${info.game}-option-${name}`)}</dt>
    <dd>${t(`${info.game}-option-${name}.value-${value}`)}</dd></div>`,
  )}<div><dt>${t("clock")}</dt><dd>${
    info.clock
      ? html`${formatTimeControl(info.clock)}<br><small>${explainTimeControl(info.clock)}</small>`
      : t("clock-none")
  }</dd></div>${
    mySeats.length
      ? nothing
      : html`<div><dt>${t("help-at-table")}</dt><dd>${t(
          about.help_available && listPeople(info).every((seat) => seat.help_consent) ? "help-if-agreed" : "help-no",
        )}</dd></div>`
  }</dl>`;
}

/** Return the seats taken by people. @param {TableInfo} info */
const listPeople = (info) => info.seats.filter(({ kind }) => kind === "person" || kind === "local");
