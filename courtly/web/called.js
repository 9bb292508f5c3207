/** What players are called, wherever that is said. */
import { DEVICES } from "./heraldry.js";
import { isolated, t } from "./texts.js";

/** @typedef {import("./types.js").Seat} Seat */

/** What a player is called: the name given, or else the device on the shield. @param {Seat | undefined} seat */
export function called(seat) {
  if (!seat) return "";
  return seat.name ? isolated(seat.name) : t(`device-${DEVICES[seat.seat]}`);
}
