/**
 * It is your turn, and you look elsewhere: a mark on the page's sign, a sound and a tremble, and, where that was
 * allowed, a message of the system. Whoever has just done something here sees it anyway.
 */
import { html, nothing } from "lit";
import { set, setting } from "./user-settings.js";
import { t } from "./i18n.js";

/** @typedef {import("../game-view/game-view.js").Table} Table */

const QUIET = 10_000; // ms after which somebody who does nothing may look elsewhere
const NOTES = [
  [784, 0],
  [1175, 0.14],
]; // Hz, and seconds after the first
const TREMBLE = [60, 80, 60]; // ms: on, off, on

const { Notification } = /** @type {any} */ (window); // some phones have none

let touched = 0;
for (const sign of ["pointerdown", "pointermove", "keydown"])
  addEventListener(sign, () => (touched = performance.now()), { passive: true, capture: true });

export class Turn {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.mine = false;
    this.missed = false; // did a turn begin while this page was hidden?
    /** @type {any} a Notification */
    this.message = null;
    document.addEventListener(
      "visibilitychange",
      () => {
        if (document.hidden) return;
        this.message?.close();
        table.refresh();
      },
      table.until,
    );
  }

  /** @param {boolean} mine can something be done here now? */
  look(mine) {
    if (mine === this.mine) return;
    this.mine = mine;
    sign(mine);
    if (!mine) this.message?.close();
    else if (document.hidden || performance.now() - touched > QUIET) this.#call();
  }

  #call() {
    if (setting("sound") !== "off") {
      ring();
      if (navigator.userActivation?.hasBeenActive) /** @type {any} */ (navigator).vibrate?.(TREMBLE);
    }
    if (!document.hidden) return;
    this.missed = true;
    if (!allowed()) return;
    const { about, info } = this.table;
    try {
      this.message = new Notification(t("notice-turn", { game: t(about.id) }), { tag: info.id, icon: icon(false) });
      this.message.onclick = () => {
        window.focus();
        this.message?.close();
      };
    } catch {
      // a phone has them for installed apps alone
    }
  }

  /** Asked once, of somebody who has missed a turn: may the system say so? */
  get offer() {
    if (!this.missed || !mayAsk() || setting("system")) return nothing;
    return html`<p class="offer" role="status">${t("system-offer")}
      <span class="buttons"><button class="button" @click=${() => askSystem()}>${t("system-yes")}</button>
      <button class="button quiet" @click=${() => set("system", "off")}>${t("system-no")}</button></span></p>`;
  }
}

/** Can the system still be asked for its messages? */
export const mayAsk = () => window.isSecureContext && Notification?.permission === "default";

/** May it show them? */
export const allowed = () => Notification?.permission === "granted" && setting("system") !== "off";

/** Once the system has asked: yes or no is remembered. */
export async function askSystem() {
  set("system", (await Notification.requestPermission()) === "granted" ? "on" : "off");
}

/** @param {boolean} mine */
const icon = (mine) => new URL(mine ? "../logo-turn.svg" : "../logo.svg", import.meta.url).href;

/** @param {boolean} mine the page's sign, as browsers show it on its tab */
function sign(mine) {
  const link = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
  if (link) link.href = icon(mine);
}

/** @type {AudioContext | undefined} */
let air;

/** Two notes of a small bell, made here. A browser that has not been touched yet keeps silent. */
export function ring() {
  if (!navigator.userActivation?.hasBeenActive || !("AudioContext" in window)) return;
  air ??= new AudioContext();
  air.resume();
  for (const [pitch, after] of NOTES) {
    const at = air.currentTime + after;
    for (const [overtone, loud] of [
      [1, 0.16],
      [2.76, 0.04],
    ]) {
      const tone = new OscillatorNode(air, { frequency: pitch * overtone });
      const volume = new GainNode(air, { gain: 0 });
      volume.gain.setValueAtTime(0, at);
      volume.gain.linearRampToValueAtTime(loud, at + 0.008);
      volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.9);
      tone.connect(volume).connect(air.destination);
      tone.start(at);
      tone.stop(at + 0.95);
    }
  }
}
