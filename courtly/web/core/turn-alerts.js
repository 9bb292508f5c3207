/**
 * Alerts when a turn begins while the reader is not looking: a mark on the favicon, a sound, a vibration and, if
 * permitted, a system notification. There is no alert shortly after input on this page.
 */
import { html, nothing } from "lit";
import { openAudio } from "./audio-output.js";
import { saveSetting, getSetting } from "./user-settings.js";
import { t } from "./i18n.js";

/** @typedef {import("../game-view/game-view.js").GameView} GameView */

const INACTIVE_AFTER_MS = 10_000; // without input for this long, the reader may be looking elsewhere
const CHIME_NOTES = [
  [784, 0],
  [1175, 0.14],
]; // [Hz, seconds after the first note]
const VIBRATION_MS = [60, 80, 60]; // on, off, on

const { Notification } = /** @type {any} */ (window); // undefined on some phones

let lastInputAt = 0;
for (const sign of ["pointerdown", "pointermove", "keydown"])
  addEventListener(sign, () => (lastInputAt = performance.now()), { passive: true, capture: true });

export class TurnAlerts {
  /** @param {GameView} table */
  constructor(table) {
    this.table = table;
    this.isMyTurn = false;
    this.missedTurn = false; // has a turn begun while this page was hidden?
    /** @type {any} a Notification */
    this.notification = null;
    document.addEventListener(
      "visibilitychange",
      () => {
        if (document.hidden) return;
        this.notification?.close();
        table.refresh();
      },
      table.listenerOptions,
    );
  }

  /** @param {boolean} mine is it this player's turn? */
  update(mine) {
    if (mine === this.isMyTurn) return;
    this.isMyTurn = mine;
    setFavicon(mine);
    if (!mine) this.notification?.close();
    else if (document.hidden || performance.now() - lastInputAt > INACTIVE_AFTER_MS) this.#alert();
  }

  #alert() {
    if (getSetting("sound") !== "off") {
      playChime();
      if (navigator.userActivation?.hasBeenActive) /** @type {any} */ (navigator).vibrate?.(VIBRATION_MS);
    }
    if (!document.hidden) return;
    this.missedTurn = true;
    if (!areNotificationsAllowed()) return;
    const { about, info } = this.table;
    try {
      this.notification = new Notification(t("notification-turn", { game: t(about.id) }), {
        tag: info.id,
        icon: faviconUrl(false),
      });
      this.notification.onclick = () => {
        window.focus();
        this.notification?.close();
      };
    } catch {
      // some phones allow notifications only for installed apps
    }
  }

  /** The request to allow system notifications, shown after a missed turn until it is answered. */
  get permissionPrompt() {
    if (!this.missedTurn || !canRequestPermission() || getSetting("system")) return nothing;
    return html`<p class="offer" role="status">${t("system-offer")}
      <span class="buttons"><button class="button" @click=${() => requestPermission()}>${t("system-yes")}</button>
      <button class="button quiet" @click=${() => saveSetting("system", "off")}>${t("system-no")}</button></span></p>`;
  }
}

/** Return whether the page can still ask for permission to show notifications. */
export const canRequestPermission = () => window.isSecureContext && Notification?.permission === "default";

/** Return whether the page may show notifications. */
export const areNotificationsAllowed = () => Notification?.permission === "granted" && getSetting("system") !== "off";

/** Ask the browser for permission and store the answer. */
export async function requestPermission() {
  saveSetting("system", (await Notification.requestPermission()) === "granted" ? "on" : "off");
}

/** @param {boolean} isMyTurn */
const faviconUrl = (isMyTurn) => new URL(isMyTurn ? "../logo-turn.svg" : "../logo.svg", import.meta.url).href;

/** @param {boolean} mine whether the favicon has the mark */
function setFavicon(mine) {
  const link = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
  if (link) link.href = faviconUrl(mine);
}

/** Play two synthesized bell notes. */
export function playChime() {
  const audioContext = openAudio();
  if (!audioContext) return;
  for (const [pitch, after] of CHIME_NOTES) {
    const at = audioContext.currentTime + after;
    for (const [overtone, loud] of [
      [1, 0.16],
      [2.76, 0.04],
    ]) {
      const tone = new OscillatorNode(audioContext, { frequency: pitch * overtone });
      const volume = new GainNode(audioContext, { gain: 0 });
      volume.gain.setValueAtTime(0, at);
      volume.gain.linearRampToValueAtTime(loud, at + 0.008);
      volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.9);
      tone.connect(volume).connect(audioContext.destination);
      tone.start(at);
      tone.stop(at + 0.95);
    }
  }
}
