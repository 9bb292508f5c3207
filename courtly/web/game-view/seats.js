/** The players at the table. */
import { html, nothing } from "lit";
import { listSubstitutions } from "../components/bot-picker.js";
import { renderTimeouts, renderTime } from "../components/clock.js";
import { isPanelDrawer, animationScale } from "../core/user-settings.js";
import { renderUiIcon } from "../board-sdk/ui-icons.js";
import { renderReclaimButtons } from "./reclaim-seat.js";
import { joinSentences, t } from "../core/i18n.js";
import { hideVisually } from "../components/visually-hidden.js";

/** @typedef {import("./game-view.js").GameView} GameView @typedef {import("../core/api-types.js").Seat} Seat */

/**
 * Return the class of a row of players that have room beside each other on a phone.
 * @param {GameView} table @param {number} count
 */
const rowClass = ({ board }, count) => (count === 2 ? "two" : count === 3 && !board.wideSeats ? "three" : "");

/** @param {GameView} table */
export function renderSeats(table) {
  const { info, ui } = table;
  const view = ui.view;
  if (!view) return html`<section class="seats" aria-label=${t("seats")}></section>`;
  const me = view.seat ?? 0; // in turn order, starting with the reader
  const order = info.seats.map((_, i) => info.seats[(me + i) % info.seats.length]);
  return html`<section class="seats ${rowClass(table, order.length)}" aria-label=${t("seats")}><ul
      tabindex=${isPanelDrawer() ? 0 : nothing} @scroll=${(/** @type {Event} */ event) =>
        fadeCutEdges(/** @type {HTMLElement} */ (event.currentTarget))}
      aria-label=${t("seats")}>${order.map((seat) => renderSeat(table, seat))}</ul>
    ${
      view.seat === null && !table.replay
        ? html`<p class="quiet spectating">${renderUiIcon("eye")}
          ${t("spectating")}</p>`
        : nothing
    }
    ${renderReclaimButtons(table)}
    ${info.clock ? html`<p class="unseen time-said" role="status"></p>` : nothing}
    ${listSubstitutions(info.seats).map((text) => html`<p class="quiet replacement">${text}</p>`)}</section>`;
}

const FADED_PX = 36; // at an edge of the row of players beyond which there are more

let lastShownPending = "";
/** @type {HTMLElement | null} the row whose size is observed */
let row = null;
const rowObserver = new ResizeObserver(() => row && fadeCutEdges(row));

/**
 * If the row of players is scrolled, show the one whose turn it is, and that there are more.
 * @param {GameView} table
 */
export function scrollToPending({ host, view }) {
  const key = `${view?.seat} ${view?.pending}`;
  const isNew = key !== lastShownPending;
  lastShownPending = key;
  // with the next frame, for which the page is laid out in any case
  requestAnimationFrame(() => {
    const shownRow = /** @type {HTMLElement | null} */ (host.querySelector(".seats ul"));
    if (shownRow && shownRow !== row) {
      rowObserver.disconnect();
      rowObserver.observe(shownRow);
      row = shownRow;
    }
    if (shownRow) fadeCutEdges(shownRow);
    const seat = /** @type {HTMLElement | null} */ (
      host.querySelector(".seat.me.pending") ?? host.querySelector(".seat.pending")
    );
    if (isNew && isPanelDrawer())
      shownRow?.scrollTo({
        left: (seat?.offsetLeft ?? 0) - FADED_PX - 4,
        behavior: animationScale() ? "smooth" : "instant",
      });
  });
}

/** Fade an edge of the row of players where it cuts them off. @param {HTMLElement} row */
function fadeCutEdges({ style, scrollLeft, scrollWidth, clientWidth }) {
  const before = scrollLeft > 4 ? FADED_PX : 0;
  const after = scrollWidth - clientWidth - scrollLeft > 4 ? FADED_PX : 0;
  style.maskImage =
    before || after ? `linear-gradient(90deg, #0000, #000 ${before}px calc(100% - ${after}px), #0000)` : "";
}

/** @param {GameView} table @param {Seat} seat */
function renderSeat(table, seat) {
  const { ui, board, handTo } = table;
  const view = /** @type {import("../core/api-types.js").View} */ (ui.view);
  const pending = !view.over && view.pending.includes(seat.seat);
  const me = view.seat === seat.seat;
  const best = view.scores && !table.viewPlayer.isBusy && view.scores[seat.seat] === Math.max(...view.scores);
  return html`<li class="seat tint-${seat.seat} ${pending ? "pending" : ""} ${me ? "me" : ""} ${best ? "best" : ""}"
      data-key="seat-${seat.seat}">
    ${ui.renderShield(seat.seat)}
    <div class="who"><b class="name">${ui.playerName(seat.seat)}</b>${
      board.marks ? html`<span class="marks of-game">${board.marks(view, seat.seat, ui)}</span>` : nothing
    }${renderSeatTag(table, seat, me)}${renderTimeouts(table, seat.seat)}
      ${
        pending && !me
          ? html`<span class="thinking" title=${t("to-move")}><i></i><i></i><i></i>${hideVisually(t("to-move"))}</span>`
          : nothing
      }</div>
    ${view.over ? nothing : renderTime(table, seat.seat)}
    ${
      view.scores
        ? html`<b class="score of-game" data-key="score-${seat.seat}">${
            board.score?.(view, seat.seat, ui) ?? view.scores[seat.seat]
          }</b>`
        : nothing
    }
    <div class="has of-game">${handTo === null ? board.seat?.(view, seat.seat, ui) : nothing}</div>
    ${renderAbsence(table, seat)}
  </li>`;
}

/** @param {GameView} table @param {Seat} seat @param {boolean} me */
function renderSeatTag(table, seat, me) {
  if (seat.kind === "bot")
    return html`<span class="tag"
      title=${t(`bot-${seat.bot}.does`)}>${renderUiIcon("bot")}<span
        class="level">${t(`bot-${seat.bot}`)}</span></span>`;
  if (seat.substitute) return html`<span class="tag">${renderUiIcon("bot")}${t("substitute")}</span>`;
  if (!seat.connected && seat.kind === "person") {
    const seconds = secondsLeft(table, seat);
    if (!seconds) return html`<span class="tag">${t("away")}</span>`;
    const soonText = t("let-bot-play-soon", { seconds });
    return html`<span class="tag" role="timer" title=${soonText}>${t("away-still", { seconds })}${hideVisually(
      joinSentences(["", soonText]),
    )}</span>`;
  }
  return me || seat.you ? html`<span class="tag">${t("you")}</span>` : nothing;
}

/**
 * When each state of the table was received.
 * @type {WeakMap<import("../core/api-types.js").TableInfo, number>}
 */
const receivedAt = new WeakMap();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let countdownTimer;

/**
 * Return the seconds that an absent player still has to come back. The page is redrawn each second.
 * @param {GameView} table @param {Seat} seat
 */
function secondsLeft(table, seat) {
  if (!receivedAt.has(table.info)) receivedAt.set(table.info, performance.now());
  const secondsLeft = Math.ceil(
    (seat.grace_seconds ?? 0) - (performance.now() - (receivedAt.get(table.info) ?? 0)) / 1000,
  );
  if (secondsLeft > 0) {
    clearTimeout(countdownTimer); // one timer for all absent players
    countdownTimer = setTimeout(() => table.refresh(), 1000);
  }
  return Math.max(secondsLeft, 0);
}

/** Render the actions for a player who is absent. @param {GameView} table @param {Seat} seat */
function renderAbsence(table, seat) {
  if (table.view?.over) return nothing;
  if (seat.substitute && seat.you) {
    return html`<button class="button small" @click=${() =>
      table.postCommand("take-seat-back", { seat: seat.seat })}>${t("take-back-seat")}</button>`;
  }
  if (seat.kind === "person" && !seat.connected && !seat.substitute && table.mySeats.length) {
    if (secondsLeft(table, seat)) return nothing;
    return html`<button class="button quiet small"
        @click=${() => table.postCommand("substitute", { seat: seat.seat })}>${t("let-bot-play", {
          votes: seat.votes,
        })}</button>`;
  }
  return nothing;
}
