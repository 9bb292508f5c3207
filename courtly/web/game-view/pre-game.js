/** Before the game: who sits where, the link for friends, what is played. */
import { html, nothing } from "lit";
import { usualBot } from "../components/bot-picker.js";
import { agreement } from "./hints.js";
import { chooser, wished } from "../components/seat-color-picker.js";
import { agreed, explained } from "../components/time-control.js";
import { complain } from "../components/dialogs.js";
import { shield } from "../board-sdk/seat-shield.js";
import { mark } from "../board-sdk/ui-icons.js";
import { ask } from "../core/http-client.js";
import { copy, show } from "../components/qr-code.js";
import { pledge } from "./number-exchange.js";
import { t } from "../core/i18n.js";
import { recalls } from "./reclaim-seat.js";
import { called } from "../core/player-names.js";

/** @typedef {import("./game-view.js").Table} Table @typedef {import("../core/api-types.js").Seat} Seat */

let name = "";
ask("GET", "/api/me").then(
  (me) => {
    name ||= me.name;
  },
  () => {},
);

/** @param {Table} table */
export function waiting(table) {
  const { info } = table;
  const seated = table.mine.length > 0;
  const full = info.seats.every((seat) => seat.kind !== "open");
  const away = info.seats.filter((seat) => seat.pledge !== null && !info.nonces[seat.seat] && !seat.here);
  return html`<div class="waiting sheet">
    <h2>${full ? t("waiting-numbers") : seated ? t("waiting-for-players") : t("take-a-seat")}</h2>
    ${
      full && away.length
        ? html`<p role="status">${t("waiting-away", { names: away.map(called).join(", ") })}</p>`
        : nothing
    }
    ${info.redraws ? html`<p role="status">${t("waiting-redrawn", { count: info.redraws })}</p>` : nothing}
    ${
      seated
        ? link(info.id)
        : html`<label class="field">${t("your-name")}
          <input maxlength="24" autocomplete="nickname" placeholder=${t("name-placeholder")} .value=${name}
            @input=${(/** @type {any} */ event) => {
              name = event.target.value;
            }}></label>`
    }
    <ul class="seat-list">${info.seats.map((seat) => row(table, seat, seated))}</ul>
    ${recalls(table)}
    ${chooser(table)}
    ${agreement(table)}
    ${options(table)}
    ${
      seated
        ? html`<button class="button quiet"
          @click=${() => table.tell("leave")}>${t("leave-table")}</button>`
        : nothing
    }
  </div>`;
}

/** @param {Table} table @param {Seat} seat @param {boolean} seated */
function row(table, seat, seated) {
  const set = (/** @type {string} */ kind) =>
    table.tell("seat", { seat: seat.seat, kind, ...(kind === "bot" ? { bot: usualBot(table.about) } : {}) });
  return html`<li>${shield(seat.seat)}
    <span class="name">${seat.kind === "open" ? t("seat-open") : called(seat)}${
      seat.you ? html` <span class="tag">${t("you")}</span>` : nothing
    }
      ${seat.kind === "bot" ? html`<span class="tag">${t(`bot-${seat.bot}`)}</span>` : nothing}</span>
    ${
      seat.kind === "open" && !seated
        ? html`<button class="button"
          @click=${() => sit(table, seat.seat)}>${t("sit-here")}</button>`
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

/** @param {Table} table @param {number} seat */
async function sit(table, seat) {
  try {
    if (name.trim()) await ask("PUT", "/api/me", { name: name.trim() });
  } catch (error) {
    return complain(error);
  }
  await table.tell("sit", { seat, pledge: pledge(table.info.id, seat), ...wished() });
}

/**
 * The link to this table; where the clipboard is not allowed (plain http on the home network) it can be copied by hand.
 * @param {string} id
 */
export function link(id) {
  const url = `${location.origin}/t/${id}`;
  return html`<div class="link"><label class="field">${t("invite")}
    <input readonly .value=${url} @focus=${(/** @type {any} */ event) => event.target.select()}></label>
    <button class="button" @click=${(/** @type {any} */ event) =>
      copy(url, event.currentTarget.parentElement.querySelector("input"))}>${mark("link")} ${t("copy-link")}</button>
    <button class="button quiet" @click=${() => show(url)}>${mark("qr")} ${t("qr")}</button>
    ${
      /^(localhost|127\.|\[::1\])/.test(location.hostname)
        ? html`<p
          class="quiet">${t("link-only-here")}</p>`
        : nothing
    }</div>`;
}

/** @param {Table} table */
function options({ info, about }) {
  const chosen = Object.entries(info.options).filter(([name]) => name in about.options);
  if (!chosen.length && !info.clock) return nothing;
  return html`<dl class="options">${chosen.map(
    ([name, value]) => html`<div><dt>${t(`${info.game}-option-${name}`)}</dt>
    <dd>${t(`${info.game}-option-${name}.value-${value}`)}</dd></div>`,
  )}${
    info.clock
      ? html`<div><dt>${t("clock")}</dt><dd>${agreed(info.clock)}<br><small>${explained(info.clock)}</small></dd></div>`
      : nothing
  }</dl>`;
}
