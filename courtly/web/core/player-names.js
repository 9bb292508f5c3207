/** What players are called, wherever that is said. */
import { DEVICES } from "../board-sdk/seat-shield.js";
import { isolated, t } from "./i18n.js";

/** @typedef {import("./api-types.js").Seat} Seat */

/** What a player is called: the name given, or else the device on the shield. @param {Seat | undefined} seat */
export function called(seat) {
  if (!seat) return "";
  return seat.name ? isolated(seat.name) : t(`device-${DEVICES[seat.seat]}`);
}
