/**
 * The clocks of the seats. The server decides when time has run out. Between its messages this component counts down by
 * the server's time and writes into the page without a redraw.
 */
import { html, nothing } from "lit";
import { showToast } from "./dialogs.js";
import { formatTimeControl } from "./time-control.js";
import { t } from "../core/i18n.js";

/**
 * @typedef {import("../core/api-types.js").Clocks} ServerClocks
 * @typedef {import("../core/api-types.js").SeatClock} SeatClock @typedef {import("../game-view/game-view.js").GameView}
 * GameView
 */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const CLOCK_RESET_MS = MINUTE_MS; // more than this: the server restarted with a corrected clock
const LOW_TIME_MS = 30 * SECOND_MS; // below this the time is highlighted
/** The remaining times, in ms, at which a message is shown to the player, once each. @type {[number, string][]} */
const TIME_ANNOUNCEMENTS = [
  [15 * SECOND_MS, "time-soon"],
  [MINUTE_MS, "time-minute"],
];

/** Render the element that shows a seat's remaining time. @param {GameView} table @param {number} seat */
export const renderTime = ({ clocks, info }, seat) =>
  info.clock && clocks.seatClock(seat)
    ? html`<span class="time" role="timer" title=${formatTimeControl(info.clock)} data-clock=${seat}></span>`
    : nothing;

/** Render how often a seat's time has run out. @param {GameView} table @param {number} seat */
export function renderTimeouts({ clocks }, seat) {
  const count = clocks.seatClock(seat)?.timeouts;
  return count ? html`<span class="tag">${t("time-outs", { outs: count })}</span>` : nothing;
}

export class ClockDisplay {
  /** @param {GameView} table */
  constructor(table) {
    this.table = table;
    /** @type {ServerClocks | null} */
    this.serverClocks = null;
    /**
     * How far the server's time is ahead of this page's. Delayed messages give too small a value, so the largest
     * counts.
     */
    this.serverOffset = -Infinity;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** The remaining time of the reader's own seat at the last check. */
    this.previousLeft = 0;
  }

  /** @param {number} seat @returns {SeatClock | null} */
  seatClock(seat) {
    return this.serverClocks?.seats[seat] ?? null;
  }

  /** @param {ServerClocks | null | undefined} clocks */
  update(clocks) {
    const before = this.serverClocks;
    this.serverClocks = clocks ?? null;
    if (!clocks) return;
    const offset = clocks.now - performance.now();
    this.serverOffset = offset < this.serverOffset - CLOCK_RESET_MS ? offset : Math.max(this.serverOffset, offset);
    for (const [seat, clock] of clocks.seats.entries()) {
      if (before && (clock?.timeouts ?? 0) > (before.seats[seat]?.timeouts ?? 0))
        showToast(t("time-out", { name: this.table.ui.playerName(seat) }));
    }
  }

  /** Return a seat's remaining time, in ms. @param {SeatClock} clock */
  #timeLeft({ bank, free, runs }) {
    const elapsed = runs ? Math.max(0, performance.now() + this.serverOffset - (this.serverClocks?.now ?? 0)) : 0;
    return { bank: Math.max(0, bank - Math.max(0, elapsed - free)), free: runs ? Math.max(0, free - elapsed) : 0 };
  }

  /** Write all times into the page and schedule the next update. */
  writeAll() {
    clearTimeout(this.timer);
    let next = Infinity;
    for (const place of /** @type {NodeListOf<HTMLElement>} */ (this.table.host.querySelectorAll("[data-clock]"))) {
      const clock = this.seatClock(Number(place.dataset.clock));
      if (!clock) continue;
      const { bank, free } = this.#timeLeft(clock);
      this.#writeSeat(place, clock, bank, free);
      if (clock.runs && bank + free) next = Math.min(next, msUntilChange(bank + free));
    }
    this.#announce();
    if (next < Infinity) this.timer = setTimeout(() => this.writeAll(), next);
  }

  /** @param {HTMLElement} place @param {SeatClock} clock @param {number} bank @param {number} free */
  #writeSeat(place, { runs }, bank, free) {
    const days = "days" in (this.table.info.clock ?? {});
    const timeText = days ? (runs ? formatLong(free) : "") : formatDigits(bank);
    const freeText = free && !days ? ` +${Math.ceil(free / SECOND_MS)}` : "";
    setText(place, timeText, freeText);
    place.classList.toggle("live", !days);
    place.classList.toggle("runs", runs);
    place.classList.toggle("low", runs && bank + free < LOW_TIME_MS);
    place.setAttribute("aria-label", days ? timeText : formatSpoken(bank, free));
  }

  /** Show a message to the player when the time passes one of `TIME_ANNOUNCEMENTS`. */
  #announce() {
    const seat = this.table.seat;
    const clock = seat === null ? null : this.seatClock(seat);
    const { bank, free } = clock?.runs ? this.#timeLeft(clock) : { bank: 0, free: 0 };
    const timeLeft = bank + free;
    const moment = timeLeft && TIME_ANNOUNCEMENTS.find(([least]) => timeLeft < least && this.previousLeft >= least);
    this.previousLeft = timeLeft;
    const place = this.table.host.querySelector(".time-said");
    if (place && moment) place.textContent = t(moment[1]);
    else if (place && !timeLeft) place.textContent = "";
  }
}

/** @param {HTMLElement} place @param {string} shown @param {string} more */
function setText(place, shown, more) {
  if (!place.firstChild) place.append(document.createElement("b"), document.createElement("small"));
  const [first, last] = place.children;
  if (first.textContent !== shown) first.textContent = shown;
  if (last.textContent !== more) last.textContent = more;
}

/** Return the ms until the displayed time changes. @param {number} left */
const msUntilChange = (left) => (left > 2 * HOUR_MS ? MINUTE_MS : (left % SECOND_MS) + 1);

/** Format as "4:32". @param {number} ms */
function formatDigits(ms) {
  const seconds = Math.ceil(ms / SECOND_MS);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Format as "2 days left". @param {number} ms */
function formatLong(ms) {
  if (ms >= 2 * DAY_MS) return t("time-days", { days: Math.round(ms / DAY_MS) });
  return ms >= HOUR_MS ? t("time-hours", { hours: Math.floor(ms / HOUR_MS) }) : formatDigits(ms);
}

/** @param {number} bank @param {number} free */
function formatSpoken(bank, free) {
  const seconds = Math.ceil(bank / SECOND_MS);
  const args = { minutes: Math.floor(seconds / 60), seconds: seconds % 60, free: Math.ceil(free / SECOND_MS) };
  return t(free ? "time-left-free" : "time-left", args);
}
