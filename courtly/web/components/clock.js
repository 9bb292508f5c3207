/**
 * How much time everybody has. The server decides: between its messages this counts down once a second by the server's
 * time, and writes into the page without drawing it.
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
const CLOCK_RESET_MS = MINUTE_MS; // by more the server's time goes back only by a restart with a corrected clock
const LOW_TIME_MS = 30 * SECOND_MS; // from here on it is shown in a way that nobody overlooks
/** What its player is told once. @type {[number, string][]} */
const TIME_ANNOUNCEMENTS = [
  [15 * SECOND_MS, "time-soon"],
  [MINUTE_MS, "time-minute"],
];

/** Where a seat's time is written. @param {GameView} table @param {number} seat */
export const renderTime = ({ clocks, info }, seat) =>
  info.clock && clocks.seatClock(seat)
    ? html`<span class="time" role="timer" title=${formatTimeControl(info.clock)} data-clock=${seat}></span>`
    : nothing;

/** How often a seat's time was out. @param {GameView} table @param {number} seat */
export function renderTimeouts({ clocks }, seat) {
  const count = clocks.seatClock(seat)?.outs;
  return count ? html`<span class="tag">${t("time-outs", { outs: count })}</span>` : nothing;
}

export class ClockDisplay {
  /** @param {GameView} table */
  constructor(table) {
    this.table = table;
    /** @type {ServerClocks | null} */
    this.serverClocks = null;
    /** By how much the server's time is ahead of this page's: a message that was long on its way says too little. */
    this.serverOffset = -Infinity;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** What was left to the reader's own seat when last looked at. */
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
    const ahead = clocks.now - performance.now();
    this.serverOffset = ahead < this.serverOffset - CLOCK_RESET_MS ? ahead : Math.max(this.serverOffset, ahead);
    for (const [seat, clock] of clocks.seats.entries()) {
      if (before && (clock?.outs ?? 0) > (before.seats[seat]?.outs ?? 0))
        showToast(t("time-out", { name: this.table.ui.playerName(seat) }));
    }
  }

  /** What is left to a seat now, in ms. @param {SeatClock} clock */
  #timeLeft({ bank, free, runs }) {
    const spent = runs ? Math.max(0, performance.now() + this.serverOffset - (this.serverClocks?.now ?? 0)) : 0;
    return { bank: Math.max(0, bank - Math.max(0, spent - free)), free: runs ? Math.max(0, free - spent) : 0 };
  }

  /** Write all times into the page, as often as they change. */
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
    const shown = days ? (runs ? formatLong(free) : "") : formatDigits(bank);
    const more = free && !days ? ` +${Math.ceil(free / SECOND_MS)}` : "";
    setText(place, shown, more);
    place.classList.toggle("live", !days);
    place.classList.toggle("runs", runs);
    place.classList.toggle("low", runs && bank + free < LOW_TIME_MS);
    place.setAttribute("aria-label", days ? shown : formatSpoken(bank, free));
  }

  /** Tell its player that time runs out, once for each of a few moments. */
  #announce() {
    const seat = this.table.seat;
    const clock = seat === null ? null : this.seatClock(seat);
    const { bank, free } = clock?.runs ? this.#timeLeft(clock) : { bank: 0, free: 0 };
    const left = bank + free;
    const moment = left && TIME_ANNOUNCEMENTS.find(([least]) => left < least && this.previousLeft >= least);
    this.previousLeft = left;
    const place = this.table.host.querySelector(".time-said");
    if (place && moment) place.textContent = t(moment[1]);
    else if (place && !left) place.textContent = "";
  }
}

/** @param {HTMLElement} place @param {string} shown @param {string} more */
function setText(place, shown, more) {
  if (!place.firstChild) place.append(document.createElement("b"), document.createElement("small"));
  const [first, last] = place.children;
  if (first.textContent !== shown) first.textContent = shown;
  if (last.textContent !== more) last.textContent = more;
}

/** Until what is written has changed. @param {number} left */
const msUntilChange = (left) => (left > 2 * HOUR_MS ? MINUTE_MS : (left % SECOND_MS) + 1);

/** "4:32" @param {number} ms */
function formatDigits(ms) {
  const seconds = Math.ceil(ms / SECOND_MS);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** "2 days left" @param {number} ms */
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
