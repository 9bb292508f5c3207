/**
 * How much time everybody has. The server decides: between its messages this counts down once a second by the server's
 * time, and writes into the page without drawing it.
 */
import { html, nothing } from "lit";
import { note } from "./dialogs.js";
import { agreed } from "./time-control.js";
import { t } from "../core/i18n.js";

/**
 * @typedef {import("../core/api-types.js").Clocks} Told
 * @typedef {import("../core/api-types.js").SeatClock} SeatClock @typedef {import("../game-view/game-view.js").Table}
 * Table
 */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SET_BACK = MINUTE; // by more the server's time goes back only by a restart with a corrected clock
const LOW = 30 * SECOND; // from here on it is shown in a way that nobody overlooks
/** What its player is told once. @type {[number, string][]} */
const SPOKEN = [
  [15 * SECOND, "time-soon"],
  [MINUTE, "time-minute"],
];

/** Where a seat's time is written. @param {Table} table @param {number} seat */
export const time = ({ clocks, info }, seat) =>
  info.clock && clocks.of(seat)
    ? html`<span class="time" role="timer" title=${agreed(info.clock)} data-clock=${seat}></span>`
    : nothing;

/** How often a seat's time was out. @param {Table} table @param {number} seat */
export function outs({ clocks }, seat) {
  const count = clocks.of(seat)?.outs;
  return count ? html`<span class="tag">${t("time-outs", { outs: count })}</span>` : nothing;
}

export class Clocks {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** @type {Told | null} */
    this.told = null;
    /** By how much the server's time is ahead of this page's: a message that was long on its way says too little. */
    this.ahead = -Infinity;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** What was left to the reader's own seat when last looked at. */
    this.before = 0;
  }

  /** @param {number} seat @returns {SeatClock | null} */
  of(seat) {
    return this.told?.seats[seat] ?? null;
  }

  /** @param {Told | null | undefined} told */
  hear(told) {
    const before = this.told;
    this.told = told ?? null;
    if (!told) return;
    const ahead = told.now - performance.now();
    this.ahead = ahead < this.ahead - SET_BACK ? ahead : Math.max(this.ahead, ahead);
    for (const [seat, clock] of told.seats.entries()) {
      if (before && (clock?.outs ?? 0) > (before.seats[seat]?.outs ?? 0))
        note(t("time-out", { name: this.table.ui.name(seat) }));
    }
  }

  /** What is left to a seat now, in ms. @param {SeatClock} clock */
  #left({ bank, free, runs }) {
    const spent = runs ? Math.max(0, performance.now() + this.ahead - (this.told?.now ?? 0)) : 0;
    return { bank: Math.max(0, bank - Math.max(0, spent - free)), free: runs ? Math.max(0, free - spent) : 0 };
  }

  /** Write all times into the page, as often as they change. */
  tick() {
    clearTimeout(this.timer);
    let next = Infinity;
    for (const place of /** @type {NodeListOf<HTMLElement>} */ (this.table.host.querySelectorAll("[data-clock]"))) {
      const clock = this.of(Number(place.dataset.clock));
      if (!clock) continue;
      const { bank, free } = this.#left(clock);
      this.#write(place, clock, bank, free);
      if (clock.runs && bank + free) next = Math.min(next, wait(bank + free));
    }
    this.#speak();
    if (next < Infinity) this.timer = setTimeout(() => this.tick(), next);
  }

  /** @param {HTMLElement} place @param {SeatClock} clock @param {number} bank @param {number} free */
  #write(place, { runs }, bank, free) {
    const days = "days" in (this.table.info.clock ?? {});
    const shown = days ? (runs ? long(free) : "") : digits(bank);
    const more = free && !days ? ` +${Math.ceil(free / SECOND)}` : "";
    set(place, shown, more);
    place.classList.toggle("live", !days);
    place.classList.toggle("runs", runs);
    place.classList.toggle("low", runs && bank + free < LOW);
    place.setAttribute("aria-label", days ? shown : words(bank, free));
  }

  /** Tell its player that time runs out, once for each of a few moments. */
  #speak() {
    const seat = this.table.seat;
    const clock = seat === null ? null : this.of(seat);
    const { bank, free } = clock?.runs ? this.#left(clock) : { bank: 0, free: 0 };
    const left = bank + free;
    const moment = left && SPOKEN.find(([least]) => left < least && this.before >= least);
    this.before = left;
    const place = this.table.host.querySelector(".time-said");
    if (place && moment) place.textContent = t(moment[1]);
    else if (place && !left) place.textContent = "";
  }
}

/** @param {HTMLElement} place @param {string} shown @param {string} more */
function set(place, shown, more) {
  if (!place.firstChild) place.append(document.createElement("b"), document.createElement("small"));
  const [first, last] = place.children;
  if (first.textContent !== shown) first.textContent = shown;
  if (last.textContent !== more) last.textContent = more;
}

/** Until what is written has changed. @param {number} left */
const wait = (left) => (left > 2 * HOUR ? MINUTE : (left % SECOND) + 1);

/** "4:32" @param {number} ms */
function digits(ms) {
  const seconds = Math.ceil(ms / SECOND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** "2 days left" @param {number} ms */
function long(ms) {
  if (ms >= 2 * DAY) return t("time-days", { days: Math.round(ms / DAY) });
  return ms >= HOUR ? t("time-hours", { hours: Math.floor(ms / HOUR) }) : digits(ms);
}

/** @param {number} bank @param {number} free */
function words(bank, free) {
  const seconds = Math.ceil(bank / SECOND);
  const args = { minutes: Math.floor(seconds / 60), seconds: seconds % 60, free: Math.ceil(free / SECOND) };
  return t(free ? "time-left-free" : "time-left", args);
}
