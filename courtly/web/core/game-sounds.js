/** Sounds of what happens on the board. They are made by sound-synthesis.js, which is loaded for the first one. */
import { getSetting, isTouchOnly } from "./user-settings.js";

/** @typedef {"dice" | "card" | "coin" | "fanfare"} SoundName */

const QUIET_FROM_HOUR = 21;
const QUIET_UNTIL_HOUR = 8;
const MIN_GAP_MS = 60; // between two equal sounds

/** @type {Map<SoundName, number>} when each sound was last played */
const lastPlayed = new Map();

/** @param {number} hour */
export const isQuietHour = (hour) => hour >= QUIET_FROM_HOUR || hour < QUIET_UNTIL_HOUR;

/** Return whether sounds are on: the reader's choice; without one, not on a phone in a quiet hour. */
export function areSoundsOn() {
  const choice = getSetting("sounds");
  return choice ? choice === "on" : !(isTouchOnly() && isQuietHour(new Date().getHours()));
}

/** Play a sound, unless sounds are off or nothing can be heard. @param {SoundName} name */
export async function playSound(name) {
  const now = performance.now();
  if (document.hidden || !areSoundsOn() || !navigator.userActivation?.hasBeenActive) return;
  if (now - (lastPlayed.get(name) ?? -Infinity) < MIN_GAP_MS) return;
  lastPlayed.set(name, now);
  (await import("./sound-synthesis.js")).synthesize(name);
}
