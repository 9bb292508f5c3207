/** What players are called, wherever that is said. */
import { isolateBidi, t } from "./i18n.js";

/** @typedef {import("./api-types.js").Seat} Seat */

export const SEAT_DEVICES = ["lion", "eagle", "lily", "tower", "boar", "stag"];

/** What a player is called: the name given, or else the device on the shield. @param {Seat | undefined} seat */
export function playerName(seat) {
  if (!seat) return "";
  return seat.name ? isolateBidi(seat.name) : t(`device-${SEAT_DEVICES[seat.seat]}`);
}
