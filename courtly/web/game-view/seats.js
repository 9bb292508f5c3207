/** The people at the table. */
import { html, nothing } from "lit";
import { insteads } from "../components/bot-picker.js";
import { outs, time } from "../components/clock.js";
import { crowded, pace } from "../core/user-settings.js";
import { mark } from "../board-sdk/ui-icons.js";
import { recalls } from "./reclaim-seat.js";
import { sentences, t } from "../core/i18n.js";
import { unseen } from "../components/visually-hidden.js";

/** @typedef {import("./game-view.js").Table} Table @typedef {import("../core/api-types.js").Seat} Seat */

/** @param {Table} table */
export function seats(table) {
  const { info, ui } = table;
  const view = ui.view;
  if (!view) return html`<section class="seats" aria-label=${t("seats")}></section>`;
  const me = view.seat ?? 0; // from me on, in turn order
  const order = info.seats.map((_, i) => info.seats[(me + i) % info.seats.length]);
  return html`<section class="seats" aria-label=${t("seats")}><ul tabindex=${crowded() ? 0 : nothing}
      aria-label=${t("seats")}>${order.map((seat) => one(table, seat))}</ul>
    ${
      view.seat === null && !table.replay
        ? html`<p class="quiet spectating">${mark("eye")}
          ${t("spectating")}</p>`
        : nothing
    }
    ${recalls(table)}
    ${info.clock ? html`<p class="unseen time-said" role="status"></p>` : nothing}
    ${insteads(info.seats).map((said) => html`<p class="quiet instead">${said}</p>`)}</section>`;
}

let shown = "";

/** Where the players stand in a row that is too wide, show who is to move. @param {Table} table */
export function showPending({ host, view }) {
  const key = `${view?.pending}`;
  if (!crowded() || key === shown) return;
  shown = key;
  const seat = /** @type {HTMLElement | null} */ (
    host.querySelector(".seat.me.pending") ?? host.querySelector(".seat.pending")
  );
  seat?.parentElement?.scrollTo({ left: seat.offsetLeft - 40, behavior: pace() ? "smooth" : "instant" });
}

/** @param {Table} table @param {Seat} seat */
function one(table, seat) {
  const { ui, board, handTo } = table;
  const view = /** @type {import("../core/api-types.js").View} */ (ui.view);
  const pending = !view.over && view.pending.includes(seat.seat);
  const me = view.seat === seat.seat;
  const best = view.scores && view.scores[seat.seat] === Math.max(...view.scores);
  return html`<li class="seat tint-${seat.seat} ${pending ? "pending" : ""} ${me ? "me" : ""} ${best ? "best" : ""}"
      data-key="seat-${seat.seat}">
    ${ui.shield(seat.seat)}
    <div class="who">${
      board.marks ? html`<span class="marks of-game">${board.marks(view, seat.seat, ui)}</span>` : nothing
    }<b class="name">${ui.name(seat.seat)}</b>${label(table, seat, me)}${outs(table, seat.seat)}
      ${
        pending && !me
          ? html`<span class="thinking" title=${t("to-move")}><i></i><i></i><i></i>${unseen(t("to-move"))}</span>`
          : nothing
      }</div>
    ${view.over ? nothing : time(table, seat.seat)}
    ${
      view.scores
        ? html`<b class="score of-game" data-key="score-${seat.seat}">${
            board.score?.(view, seat.seat, ui) ?? view.scores[seat.seat]
          }</b>`
        : nothing
    }
    <div class="has of-game">${handTo === null ? board.seat?.(view, seat.seat, ui) : nothing}</div>
    ${absence(table, seat)}
  </li>`;
}

/** @param {Table} table @param {Seat} seat @param {boolean} me */
function label(table, seat, me) {
  if (seat.kind === "bot")
    return html`<span class="tag" title=${t(`bot-${seat.bot}.does`)}>${mark("bot")}${t(`bot-${seat.bot}`)}</span>`;
  if (seat.standin) return html`<span class="tag">${mark("bot")}${t("standin")}</span>`;
  if (!seat.here && seat.kind === "person") {
    const seconds = patience(table, seat);
    if (!seconds) return html`<span class="tag">${t("away")}</span>`;
    const soon = t("let-bot-play-soon", { seconds });
    return html`<span class="tag" role="timer" title=${soon}>${t("away-still", { seconds })}${unseen(
      sentences(["", soon]),
    )}</span>`;
  }
  return me || seat.you ? html`<span class="tag">${t("you")}</span>` : nothing;
}

/**
 * When the server said what is known of the table.
 * @type {WeakMap<import("../core/api-types.js").TableInfo, number>}
 */
const heard = new WeakMap();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let tick;

/**
 * For how many more seconds the others wait for somebody; shown anew each second.
 * @param {Table} table @param {Seat} seat
 */
function patience(table, seat) {
  if (!heard.has(table.info)) heard.set(table.info, performance.now());
  const left = Math.ceil((seat.grace ?? 0) - (performance.now() - (heard.get(table.info) ?? 0)) / 1000);
  if (left > 0) {
    clearTimeout(tick); // one for all who are waited for
    tick = setTimeout(() => table.refresh(), 1000);
  }
  return Math.max(left, 0);
}

/** What can be done about somebody who is not there. @param {Table} table @param {Seat} seat */
function absence(table, seat) {
  if (table.view?.over) return nothing;
  if (seat.standin && seat.you) {
    return html`<button class="button small" @click=${() =>
      table.tell("back", { seat: seat.seat })}>${t("take-back-seat")}</button>`;
  }
  if (seat.kind === "person" && !seat.here && !seat.standin && table.mine.length) {
    if (patience(table, seat)) return nothing;
    return html`<button class="button quiet small"
        @click=${() => table.tell("standin", { seat: seat.seat })}>${t("let-bot-play", {
          votes: seat.votes,
        })}</button>`;
  }
  return nothing;
}
