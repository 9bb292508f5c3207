/** The names of players, wherever they are shown. */
import { isolateBidi, t } from "./i18n.js";

/** @typedef {import("./api-types.js").Seat} Seat */

export const SEAT_DEVICES = ["lion", "eagle", "lily", "tower", "boar", "stag"];

/** Return a player's name; without one, the name of the device on the seat's shield. @param {Seat | undefined} seat */
export function playerName(seat) {
  if (!seat) return "";
  return seat.name ? isolateBidi(seat.name) : t(`device-${SEAT_DEVICES[seat.seat]}`);
}
